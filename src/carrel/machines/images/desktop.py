"""The `desktop` image: a small X desktop with a browser, an editor and a file manager."""

from __future__ import annotations

import json

from carrel.machines.images.recipe import ImageFile, Recipe

__all__ = ["BROWSER_PORT", "DESKTOP", "LEAVE_OUT"]

BROWSER_PORT = 9333
"""Where Chromium answers to its debugging protocol, on the machine's own loopback alone."""

_SYSTEM = ("ca-certificates", "curl", "less", "nano", "procps", "python3")

_DISPLAY = (
    "dbus",
    "openbox",
    "tint2",
    "x11-xkb-utils",
    "xauth",
    "xkb-data",
    "xvfb",
)

# GTK 2 (the file manager) speaks AT-SPI only through these two modules.
_ACCESSIBILITY = ("at-spi2-core", "libatk-adaptor", "libgail-common")

_APPLICATIONS = (
    "chromium",
    "desktop-file-utils",
    "file",
    "gsettings-desktop-schemas",
    "mousepad",
    "pcmanfm",
    "shared-mime-info",
    "xdg-utils",
    "xterm",
)

# The guest's picture encoders load these by name.
_ENCODERS = ("libisal2", "libturbojpeg0", "libwebp7", "libyuv0")

_LOOKS = (
    "adwaita-icon-theme",
    "fonts-dejavu-core",
    # The measures of Arial, Times and Courier, which web pages are laid out for.
    "fonts-liberation",
    "fonts-noto-cjk",
    "fonts-noto-color-emoji",
    "hicolor-icon-theme",
)

LEAVE_OUT = (
    "/usr/share/doc/*",
    "/usr/share/help/*",
    "/usr/share/info/*",
    "/usr/share/lintian/*",
    "/usr/share/locale/*",
    "/usr/share/man/*",
)

# No sandbox of its own: Carrel's walls stand around the whole machine, and inside them
# Chromium may not make namespaces. Everything that phones home or asks is off.
_CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-gpu",
    "--disable-sync",
    # WebGL in software; "unsafe" because shaders run outside Chromium's own sandbox.
    "--enable-unsafe-swiftshader",
    "--force-renderer-accessibility",
    "--hide-crash-restore-bubble",
    "--no-default-browser-check",
    "--no-first-run",
    "--password-store=basic",
    # No page can use it: see docs/adr/0012-the-browsers-own-tree.md.
    f"--remote-debugging-port={BROWSER_PORT}",
)

_CHROMIUM_POLICY = {
    "AlternateErrorPagesEnabled": False,
    "BackgroundModeEnabled": False,
    "BrowserSignin": 0,
    "BuiltInDnsClientEnabled": False,
    "CommandLineFlagSecurityWarningsEnabled": False,
    "ComponentUpdatesEnabled": False,
    "DefaultBrowserSettingEnabled": False,
    "DnsOverHttpsMode": "off",
    "HomepageIsNewTabPage": False,
    "HomepageLocation": "about:blank",
    "MetricsReportingEnabled": False,
    "NetworkPredictionOptions": 2,
    "NewTabPageLocation": "about:blank",
    "PasswordManagerEnabled": False,
    "PrivacySandboxPromptEnabled": False,
    "PromotionsEnabled": False,
    # Egress is a proxy, and a proxy carries TCP.
    "QuicAllowed": False,
    "RestoreOnStartup": 4,
    "RestoreOnStartupURLs": ["about:blank"],
    "SafeBrowsingProtectionLevel": 0,
    "SearchSuggestEnabled": False,
    "ShowHomeButton": False,
    "SyncDisabled": True,
    "TranslateEnabled": False,
}

_MIME_DEFAULTS = {
    "application/json": "org.xfce.mousepad.desktop",
    "application/pdf": "chromium.desktop",
    "application/x-shellscript": "org.xfce.mousepad.desktop",
    "application/xhtml+xml": "chromium.desktop",
    "image/gif": "chromium.desktop",
    "image/jpeg": "chromium.desktop",
    "image/png": "chromium.desktop",
    "image/svg+xml": "chromium.desktop",
    "image/webp": "chromium.desktop",
    "inode/directory": "pcmanfm.desktop",
    "text/html": "chromium.desktop",
    "text/plain": "org.xfce.mousepad.desktop",
    "x-scheme-handler/about": "chromium.desktop",
    "x-scheme-handler/http": "chromium.desktop",
    "x-scheme-handler/https": "chromium.desktop",
}

_MENU = """\
<?xml version="1.0" encoding="UTF-8"?>
<openbox_menu xmlns="http://openbox.org/">
<menu id="root-menu" label="Desktop">
  <item label="Terminal"><action name="Execute"><execute>xterm</execute></action></item>
  <item label="Files"><action name="Execute"><execute>pcmanfm</execute></action></item>
  <item label="Editor"><action name="Execute"><execute>mousepad</execute></action></item>
  <item label="Web"><action name="Execute"><execute>chromium</execute></action></item>
</menu>
</openbox_menu>
"""

# With several desktops, one turn of the wheel over the background hides every window. The
# second edit drops a menu of a package that is not there.
_OPENBOX_EDITS = (
    *("-e", "s|<number>4</number>|<number>1</number>|"),
    *("-e", "/debian-menu.xml/d"),
)

_PANEL = """\
rounded = 0
border_width = 0
background_color = #22262b 100
border_color = #22262b 100

rounded = 3
border_width = 0
background_color = #3a4048 100
border_color = #3a4048 100

rounded = 3
border_width = 0
background_color = #4f6f9f 100
border_color = #4f6f9f 100

panel_items = LTC
panel_size = 100% 32
panel_position = bottom center horizontal
panel_layer = top
panel_background_id = 1
panel_padding = 4 2 6
strut_policy = follow_size
wm_menu = 0

launcher_padding = 2 2 4
launcher_icon_size = 24
launcher_icon_theme = Adwaita
launcher_tooltip = 1
launcher_item_app = chromium.desktop
launcher_item_app = pcmanfm.desktop
launcher_item_app = org.xfce.mousepad.desktop
launcher_item_app = debian-xterm.desktop

taskbar_mode = single_desktop
taskbar_name = 0
taskbar_padding = 2 0 4
task_text = 1
task_icon = 1
task_maximum_size = 200 28
task_padding = 6 2 4
task_font = Sans 9
task_font_color = #e6e6e6 100
task_background_id = 2
task_active_background_id = 3
task_tooltip = 0
mouse_left = toggle_iconify
mouse_middle = none
mouse_right = close

time1_format = %H:%M
time1_font = Sans 9
clock_font_color = #e6e6e6 100
clock_padding = 6 0
"""

# Debian's xterm draws with bitmap fonts, which have neither CJK nor emoji.
_XTERM = """\

*VT100.faceName: DejaVu Sans Mono
*VT100.faceSize: 10
*VT100.saveLines: 10000
*VT100.background: #1e1e1e
*VT100.foreground: #e6e6e6
"""

# DejaVu draws faces in black and white, and as everybody's first font it would always win.
_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <match target="scan">
    <test name="family" compare="contains"><string>DejaVu</string></test>
    <edit name="charset" mode="assign">
      <minus>
        <name>charset</name>
        <charset><range><int>0x1f300</int><int>0x1faff</int></range></charset>
      </minus>
    </edit>
  </match>
</fontconfig>
"""

# There is no gvfs, so the file manager has no trash to move files to.
_LIBFM = """\
[config]
single_click=0
use_trash=0
confirm_del=1
quick_exec=1
terminal=xterm -e %s
thumbnail_local=1
thumbnail_max=2048

[ui]
big_icon_size=48
small_icon_size=24
thumbnail_size=128
pane_icon_size=24
show_thumbnail=1
"""

_ACCESSIBLE_SCHEMA = "[org.gnome.desktop.interface]\ntoolkit-accessibility=true\n"


def _chromium_settings() -> str:
    return f'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS {" ".join(_CHROMIUM_FLAGS)}"\n'


def _mime_settings() -> str:
    lines = [f"{kind}={entry}" for kind, entry in _MIME_DEFAULTS.items()]
    return "\n".join(["[Default Applications]", *lines, ""])


DESKTOP = Recipe(
    name="desktop",
    packages=_SYSTEM + _DISPLAY + _ACCESSIBILITY + _APPLICATIONS + _ENCODERS + _LOOKS,
    leave_out=LEAVE_OUT,
    commands=(
        ("sh", "-c", "/usr/lib/*/glib-2.0/glib-compile-schemas /usr/share/glib-2.0/schemas"),
        ("fc-cache", "--force", "--system-only"),
        ("sed", "-i", *_OPENBOX_EDITS, "/etc/xdg/openbox/rc.xml"),
    ),
    files=(
        ImageFile("/etc/chromium.d/carrel", _chromium_settings()),
        ImageFile(
            "/etc/chromium/policies/managed/carrel.json",
            json.dumps(_CHROMIUM_POLICY, indent=2) + "\n",
        ),
        ImageFile("/etc/xdg/mimeapps.list", _mime_settings()),
        ImageFile("/etc/xdg/openbox/menu.xml", _MENU),
        ImageFile("/etc/xdg/tint2/tint2rc", _PANEL),
        ImageFile("/etc/xdg/libfm/libfm.conf", _LIBFM),
        ImageFile("/etc/X11/app-defaults/XTerm", _XTERM, append=True),
        ImageFile("/etc/fonts/local.conf", _FONTS),
        ImageFile("/etc/gtk-2.0/gtkrc", 'gtk-modules = "gail:atk-bridge"\n'),
        ImageFile("/usr/share/glib-2.0/schemas/90_carrel.gschema.override", _ACCESSIBLE_SCHEMA),
    ),
)
