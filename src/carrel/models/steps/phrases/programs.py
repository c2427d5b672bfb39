"""Programs by their kind: what people call them who do not care which one it is.

"The terminal" is a window of any program that is one. Which programs are, their window class
says; the words, the classes and the usual programs of each kind are here in one table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from carrel.frames import Window

__all__ = [
    "ProgramKind",
    "bare",
    "is_of_kind",
    "is_variant",
    "kind_called",
    "kind_said",
    "program_kind",
    "program_named",
]


@dataclass(frozen=True, slots=True)
class ProgramKind:
    """One kind of program.

    Attributes:
        name: As a desktop calls it, in lower case: `text editor`.
        said: What people say, as an expression.
        classes: Window classes of such programs, as an expression.
        usual: Programs to start where the desktop does not know which one is such.
    """

    name: str
    said: str
    classes: str
    usual: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    """What a desktop starts where one of them was chosen, or calls the common one."""


_KINDS = (
    ProgramKind(
        "terminal emulator",
        r"terminal(?: emulator)?|command[ -]line|command prompt|console|"
        r"终端(?:模拟器)?|命令行|控制台",
        r"u?xterm|(?:lx|xfce4-|mate-|gnome-|q|deepin-)?terminal|gnome-terminal-server|konsole|"
        r"terminator|tilix|alacritty|kitty|u?rxvt|st|st-256color|foot|wezterm|kgx|ptyxis",
        ("xterm", "lxterminal"),
        ("x-terminal-emulator", "terminal"),
    ),
    ProgramKind(
        "file manager",
        r"file (?:manager|browser|explorer)|files|文件(?:管理器|浏览器)|资源管理器",
        r"pcmanfm(?:-qt)?|thunar|nautilus|nemo|caja|dolphin|spacefm|rox|doublecmd|krusader|xfe",
        ("pcmanfm", "thunar", "nautilus", "pcmanfm-qt"),
    ),
    ProgramKind(
        "text editor",
        r"(?:plain )?(?:text |code )?editor|notepad|(?:文本|文字|代码)?编辑器|记事本",
        r"mousepad|gedit|featherpad|l(?:ea|3a)fpad|kate|kwrite|pluma|xed|gnome-text-editor|"
        r"texteditor|geany|xedit|nedit|scite|notepadqq|code|gvim|emacs|sublime_text",
        ("mousepad", "gedit", "featherpad", "leafpad"),
    ),
    ProgramKind(
        "calculator",
        r"(?:pocket |desk )?calculator|计算器",
        r"galculator|gnome-calculator|calculator|kcalc|qalculate(?:-gtk|-qt)?|speedcrunch|xcalc|"
        r"mate-calc|deepin-calculator",
        ("galculator", "gnome-calculator", "xcalc"),
    ),
    ProgramKind(
        "spreadsheet",
        r"spread ?sheets?(?: editor)?|(?:电子)?表格(?:编辑器)?",
        r"gnumeric|libreoffice-calc|calligrasheets|pyspread",
        ("gnumeric", "localc"),
    ),
    ProgramKind(
        "web browser",
        r"(?:web |internet )?browser|(?:网页|网络|互联网|上网)?浏览器",
        r"chrom(?:ium|e)(?:-browser)?|google-chrome|firefox(?:-esr)?|navigator|epiphany|falkon|"
        r"midori|brave-browser|microsoft-edge|opera|vivaldi(?:-stable)?|konqueror",
        ("chromium", "firefox-esr", "firefox"),
    ),
    ProgramKind(
        "word processor",
        r"word processor|文字处理(?:器|程序|软件)?",
        r"libreoffice-writer|abiword|calligrawords",
        ("lowriter", "abiword"),
    ),
    ProgramKind(
        "image viewer",
        r"(?:image|picture|photo) viewer|(?:图片|图像|照片)(?:查看|浏览)器",
        r"eog|ristretto|gpicview|viewnior|feh|nomacs|gwenview|lximage-qt|geeqie|loupe",
        ("ristretto", "gpicview", "eog"),
    ),
    ProgramKind(
        "document viewer",
        r"(?:pdf|document) (?:viewer|reader)|(?:pdf|文档)\s*(?:查看|阅读|浏览)器",
        r"evince|okular|atril|xpdf|qpdfview|zathura|mupdf|xreader",
        ("evince", "atril", "okular"),
    ),
    ProgramKind(
        "image editor",
        r"(?:image|picture|photo) editor|paint|drawing program|(?:图片|图像)编辑器|画图(?:程序)?",
        r"gimp(?:-[\d.]+)?|mtpaint|pinta|kolourpaint|drawing|krita|xpaint",
        ("gimp", "pinta", "mtpaint"),
    ),
    ProgramKind(
        "task manager",
        r"task manager|system monitor|任务管理器|系统监视器",
        r"lxtask|gnome-system-monitor|xfce4-taskmanager|ksysguard|plasma-systemmonitor",
        ("lxtask", "gnome-system-monitor"),
    ),
)

_ARTICLE = re.compile(
    r"(?:(?:the|an?|my|your|this|that|some|default|new|another)\s+|"
    r"一个|这个|那个|该|默认的?|新的?|另一个|(?:已经?)?打开(?:了|着)?的?)+(?=\S)"
)
_NOUN = re.compile(
    r"\s*(?:的)?(?:(?<=\s)(?:windows?|applications?|apps?|programs?)|窗口|应用程序|应用|程序|软件)$"
)


def bare(text: str) -> str:
    """What a window or a program is called, without articles and without "window"."""
    words = " ".join(text.split()).strip(" \"'“”‘’「」").casefold()
    words = _ARTICLE.sub("", words, count=1) if _ARTICLE.match(words) else words
    return _NOUN.sub("", words).strip(" \"'“”‘’「」") or words


def kind_said(text: str) -> ProgramKind | None:
    """The kind of program that these words name; None for names of anything else."""
    words = bare(text)
    return next((kind for kind in _KINDS if re.fullmatch(kind.said, words)), None)


def kind_called(text: str) -> ProgramKind | None:
    """The kind of program that these words name, be it by the name of one: `xterm`."""
    return kind_said(text) or _kind_of_class(program_named(text) or bare(text))


def program_named(text: str) -> str | None:
    """The program in `the image viewer ristretto` or 计算器 kcalc, in either order; else None."""
    words = bare(text)
    for kind in _KINDS:
        name = rf"[\"“'「]?(?P<name>{kind.classes})[\"”'」]?"
        for said in (rf"(?:{kind.said})\s*{name}", rf"{name}\s*(?:{kind.said})"):
            if (found := re.fullmatch(said, words)) and kind_said(words) is None:
                return found["name"]
    return None


def program_kind(window: Window) -> ProgramKind | None:
    """What kind of program a window belongs to, where its class says so."""
    app = window.app.casefold()
    return _kind_of_class(app) or _kind_of_class(app.rpartition(".")[2])


def is_variant(window: Window, name: str) -> bool:
    """Whether a window is of a program named after this one, of the same kind: xterm, uxterm."""
    kind = _kind_of_class(name)
    return kind is not None and name in window.app.casefold() and is_of_kind(window, kind)


def _kind_of_class(name: str) -> ProgramKind | None:
    return next((kind for kind in _KINDS if re.fullmatch(kind.classes, name)), None)


def is_of_kind(window: Window, kind: ProgramKind) -> bool:
    """Whether a window is one of such a program, by its class."""
    known = program_kind(window)
    return known is not None and known.name == kind.name
