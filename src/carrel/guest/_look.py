"""How the desk looks: window manager and panel settings, and what is painted behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from carrel.guest.display import x_errors

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["BACKGROUND", "dress", "openbox_config", "tint2_config"]

BACKGROUND = 0x33475B
# Otherwise xterm and its child wait for each other for ever on kernels that say of a terminal's
# size what they please.
_TERMINALS = "*ptyHandshake:\tfalse\n"
APPLICATIONS = "/usr/share/applications"
SHORTCUTS = (
    "chromium.desktop",
    "firefox-esr.desktop",
    "pcmanfm.desktop",
    "org.xfce.mousepad.desktop",
    "debian-xterm.desktop",
)
"""Entries that get a place on the panel where they are installed."""


def dress(display: Display, dpi: int) -> None:
    """Paint the background and tell toolkits the resolution."""
    from Xlib import Xatom

    with x_errors():
        root = display.screen().root
        root.change_attributes(background_pixel=BACKGROUND)
        root.clear_area()
        resources = f"Xft.dpi:\t{dpi}\nXft.antialias:\t1\nXft.hinting:\t1\n{_TERMINALS}"
        root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, resources.encode())
        display.sync()


def _keys() -> str:
    pairs = {
        "A-F4": '<action name="Close"/>',
        "A-Tab": '<action name="NextWindow"/>',
        "A-S-Tab": '<action name="PreviousWindow"/>',
        "A-space": '<action name="ShowMenu"><menu>client-menu</menu></action>',
        "W-d": '<action name="ToggleShowDesktop"/>',
        "W-Up": '<action name="ToggleMaximize"/>',
        "W-Down": '<action name="Iconify"/>',
    }
    return "".join(f'<keybind key="{key}">{action}</keybind>' for key, action in pairs.items())


def _mouse() -> str:
    front = '<action name="Focus"/><action name="Raise"/><action name="Unshade"/>'
    edges = {
        "Titlebar Left": "Press",
        "Titlebar Right": "Press",
        "Close Left": "Press",
        "Maximize Left": "Press",
        "Iconify Left": "Press",
        "Client Left": "Press",
        "Client Middle": "Press",
        "Client Right": "Press",
    }
    binds: dict[str, list[str]] = {}
    for place, event in edges.items():
        context, button = place.split()
        binds.setdefault(context, []).append(_bind(button, event, front))
    binds["Titlebar"] += [
        _bind("Left", "Drag", '<action name="Move"/>'),
        _bind("Left", "DoubleClick", '<action name="ToggleMaximize"/>'),
        _bind("Right", "Release", '<action name="ShowMenu"><menu>client-menu</menu></action>'),
    ]
    binds["Close"].append(_bind("Left", "Click", '<action name="Close"/>'))
    binds["Maximize"].append(_bind("Left", "Click", '<action name="ToggleMaximize"/>'))
    binds["Iconify"].append(_bind("Left", "Click", '<action name="Iconify"/>'))
    for side in ("Top", "Bottom", "Left", "Right"):
        resize = f'<action name="Resize"><edge>{side.lower()}</edge></action>'
        binds[side] = [_bind("Left", "Drag", resize)]
    for corner in ("TLCorner", "TRCorner", "BLCorner", "BRCorner"):
        binds[corner] = [_bind("Left", "Drag", '<action name="Resize"/>')]
    binds["Root"] = [
        _bind("Right", "Press", '<action name="ShowMenu"><menu>root-menu</menu></action>')
    ]
    return "".join(
        f'<context name="{context}">{"".join(items)}</context>' for context, items in binds.items()
    )


def _bind(button: str, event: str, actions: str) -> str:
    return f'<mousebind button="{button}" action="{event}">{actions}</mousebind>'


def openbox_config() -> str:
    """Settings for openbox: one desktop, click to focus, new windows in front."""
    fonts = "".join(
        f'<font place="{place}"><name>Sans</name><size>9</size></font>'
        for place in ("ActiveWindow", "InactiveWindow", "MenuHeader", "MenuItem")
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<resistance><strength>10</strength><screen_edge_strength>20</screen_edge_strength></resistance>
<focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast></focus>
<placement><policy>Smart</policy><center>yes</center></placement>
<theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout><keepBorder>yes</keepBorder>
<animateIconify>no</animateIconify>{fonts}</theme>
<desktops><number>1</number><popupTime>0</popupTime></desktops>
<resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
<keyboard><chainQuitKey>C-g</chainQuitKey>{_keys()}</keyboard>
<mouse><dragThreshold>2</dragThreshold><doubleClickTime>400</doubleClickTime>{_mouse()}</mouse>
<menu><file>menu.xml</file><hideDelay>200</hideDelay></menu>
</openbox_config>
"""


def tint2_config() -> str:
    """Settings for tint2: a dark bar at the bottom with launchers, the windows and a clock."""
    entries = [Path(APPLICATIONS, name) for name in SHORTCUTS]
    found = [f"launcher_item_app = {entry}" for entry in entries if entry.exists()]
    items = "LTC" if found else "TC"
    return "\n".join([_TINT2, f"panel_items = {items}", *found, ""])


_TINT2 = """\
rounded = 0
border_width = 0
background_color = #1f2a36 100
border_color = #000000 0

rounded = 3
border_width = 0
background_color = #33475b 100
border_color = #000000 0

rounded = 3
border_width = 0
background_color = #4a86c5 100
border_color = #000000 0

panel_size = 100% 30
panel_position = bottom center horizontal
panel_background_id = 1
panel_padding = 4 3 4
panel_layer = top
strut_policy = follow_size
wm_menu = 0
autohide = 0
disable_transparency = 1
mouse_effects = 0
font_shadow = 0

launcher_padding = 2 0 6
launcher_icon_size = 22
launcher_icon_theme = Adwaita
launcher_tooltip = 0

taskbar_mode = single_desktop
taskbar_padding = 0 0 4
taskbar_name = 0
task_text = 1
task_icon = 1
task_centered = 0
task_maximum_size = 200 30
task_padding = 8 2 6
task_font = Sans 9
task_font_color = #e8eef4 100
task_background_id = 2
task_active_background_id = 3
task_iconified_font_color = #93a4b5 100
task_tooltip = 0
mouse_left = toggle_iconify
mouse_middle = none
mouse_right = none

time1_format = %H:%M
time1_font = Sans Bold 10
clock_font_color = #e8eef4 100
clock_padding = 10 0
clock_tooltip =
"""
