"""What people call the things on a screen, and which elements are meant by it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from carrel.frames import Element
from carrel.perception._kind_words import CHINESE_WORDS, ENGLISH_WORDS

__all__ = [
    "CHINESE",
    "CONTROLS",
    "ENGLISH",
    "FIELDS",
    "HOLDERS",
    "TICKED",
    "Kind",
    "fits",
    "is_disabled",
    "is_field",
    "kind_of",
]


class Kind(StrEnum):
    """A kind of thing, as a person tells them apart."""

    BUTTON = "button"
    FIELD = "field"
    AREA = "text area"
    PASSWORD = "password"  # noqa: S105
    CHECKBOX = "checkbox"
    RADIO = "radio"
    SWITCH = "switch"
    LINK = "link"
    TAB = "tab"
    MENU = "menu"
    MENU_ITEM = "menu item"
    COMBO = "combo"
    LIST = "list"
    OPTION = "option"
    SLIDER = "slider"
    SPINNER = "spinner"
    PROGRESS = "progress"
    ICON = "icon"
    IMAGE = "image"
    TEXT = "text"
    HEADING = "heading"
    CELL = "cell"
    COLUMN = "column"
    ROW = "row"
    TABLE = "table"
    TREE_ITEM = "tree item"
    TREE = "tree"
    TOOLBAR = "toolbar"
    GROUP = "group"
    DIALOG = "dialog"
    WINDOW = "window"
    SCROLLBAR = "scrollbar"
    SHAPE = "shape"
    PAGE = "page"
    ANY = "any"


_ROLES: Mapping[str, Kind] = {
    "push button": Kind.BUTTON,
    "button": Kind.BUTTON,
    "toggle button": Kind.BUTTON,
    "push button menu": Kind.BUTTON,
    "check box": Kind.CHECKBOX,
    "radio button": Kind.RADIO,
    "switch": Kind.SWITCH,
    "link": Kind.LINK,
    "page tab": Kind.TAB,
    "menu": Kind.MENU,
    "popup menu": Kind.MENU,
    "menu item": Kind.MENU_ITEM,
    "check menu item": Kind.MENU_ITEM,
    "radio menu item": Kind.MENU_ITEM,
    "tearoff menu item": Kind.MENU_ITEM,
    "combo box": Kind.COMBO,
    "list": Kind.LIST,
    "list box": Kind.LIST,
    "description list": Kind.LIST,
    "list item": Kind.OPTION,
    "slider": Kind.SLIDER,
    "dial": Kind.SLIDER,
    "spin button": Kind.SPINNER,
    "progress bar": Kind.PROGRESS,
    "level bar": Kind.PROGRESS,
    "icon": Kind.ICON,
    "desktop icon": Kind.ICON,
    "arrow": Kind.ICON,
    "image": Kind.IMAGE,
    "animation": Kind.IMAGE,
    "video": Kind.IMAGE,
    "entry": Kind.FIELD,
    "editbar": Kind.FIELD,
    "autocomplete": Kind.FIELD,
    "date editor": Kind.FIELD,
    "terminal": Kind.FIELD,
    "password text": Kind.PASSWORD,
    "label": Kind.TEXT,
    "static": Kind.TEXT,
    "text": Kind.TEXT,
    "paragraph": Kind.TEXT,
    "caption": Kind.TEXT,
    "block quote": Kind.TEXT,
    "description term": Kind.TEXT,
    "description value": Kind.TEXT,
    "tool tip": Kind.TEXT,
    "status bar": Kind.TEXT,
    "mark": Kind.TEXT,
    "heading": Kind.HEADING,
    "table cell": Kind.CELL,
    "table row header": Kind.CELL,
    "row header": Kind.CELL,
    "table column header": Kind.COLUMN,
    "column header": Kind.COLUMN,
    "table row": Kind.ROW,
    "table": Kind.TABLE,
    "document spreadsheet": Kind.TABLE,
    "tree": Kind.TREE,
    "tree table": Kind.TREE,
    "tree item": Kind.TREE_ITEM,
    "tool bar": Kind.TOOLBAR,
    "menu bar": Kind.TOOLBAR,
    "panel": Kind.GROUP,
    "grouping": Kind.GROUP,
    "section": Kind.GROUP,
    "form": Kind.GROUP,
    "landmark": Kind.GROUP,
    "article": Kind.GROUP,
    "page tab list": Kind.GROUP,
    "dialog": Kind.DIALOG,
    "alert": Kind.DIALOG,
    "notification": Kind.DIALOG,
    "info bar": Kind.DIALOG,
    "file chooser": Kind.DIALOG,
    "color chooser": Kind.DIALOG,
    "font chooser": Kind.DIALOG,
    "frame": Kind.WINDOW,
    "window": Kind.WINDOW,
    "internal frame": Kind.WINDOW,
    "scroll bar": Kind.SCROLLBAR,
    "canvas": Kind.SHAPE,
    "drawing area": Kind.SHAPE,
    "chart": Kind.SHAPE,
    "document web": Kind.PAGE,
    "document frame": Kind.PAGE,
    "document text": Kind.PAGE,
}

CONTROLS = frozenset(
    {
        Kind.BUTTON,
        Kind.FIELD,
        Kind.PASSWORD,
        Kind.CHECKBOX,
        Kind.RADIO,
        Kind.SWITCH,
        Kind.LINK,
        Kind.TAB,
        Kind.MENU,
        Kind.MENU_ITEM,
        Kind.COMBO,
        Kind.OPTION,
        Kind.SLIDER,
        Kind.SPINNER,
        Kind.ICON,
        Kind.TREE_ITEM,
    }
)
"""What can be used by itself, where a mere text only says something."""

HOLDERS = frozenset(
    {
        Kind.GROUP,
        Kind.WINDOW,
        Kind.DIALOG,
        Kind.PAGE,
        Kind.TOOLBAR,
        Kind.TABLE,
        Kind.TREE,
        Kind.LIST,
        Kind.ROW,
    }
)
"""What holds others, and is pointed at only when it is asked for as such."""

FIELDS = frozenset({Kind.FIELD, Kind.PASSWORD, Kind.SPINNER})
TICKED = frozenset({Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH})

# A word for the first kind is also said of the others, less properly.
_ALSO: Mapping[Kind, Mapping[Kind, float]] = {
    Kind.BUTTON: {
        Kind.ICON: 0.9,
        Kind.LINK: 0.85,
        Kind.SWITCH: 0.85,
        Kind.MENU: 0.85,
        Kind.COMBO: 0.8,
        Kind.TAB: 0.8,
        Kind.RADIO: 0.8,
        Kind.MENU_ITEM: 0.8,
        Kind.IMAGE: 0.75,
        Kind.CHECKBOX: 0.75,
        Kind.OPTION: 0.7,
        Kind.COLUMN: 0.7,
    },
    Kind.FIELD: {
        Kind.PASSWORD: 1.0,
        Kind.SPINNER: 0.95,
        Kind.COMBO: 0.85,
        Kind.CELL: 0.6,
    },
    Kind.AREA: {Kind.FIELD: 0.85},
    Kind.PASSWORD: {Kind.FIELD: 0.6},
    Kind.CHECKBOX: {Kind.SWITCH: 0.9, Kind.RADIO: 0.75, Kind.MENU_ITEM: 0.7, Kind.OPTION: 0.6},
    Kind.RADIO: {Kind.CHECKBOX: 0.75, Kind.OPTION: 0.7, Kind.MENU_ITEM: 0.7, Kind.BUTTON: 0.6},
    Kind.SWITCH: {Kind.CHECKBOX: 0.9, Kind.BUTTON: 0.85},
    Kind.LINK: {Kind.BUTTON: 0.75, Kind.TAB: 0.7, Kind.MENU_ITEM: 0.75, Kind.OPTION: 0.6},
    Kind.TAB: {Kind.LINK: 0.8, Kind.BUTTON: 0.75, Kind.RADIO: 0.8, Kind.OPTION: 0.75},
    Kind.MENU: {Kind.MENU_ITEM: 0.95, Kind.COMBO: 0.8, Kind.BUTTON: 0.85, Kind.LIST: 0.6},
    Kind.MENU_ITEM: {Kind.MENU: 0.9, Kind.OPTION: 0.9, Kind.LINK: 0.8, Kind.BUTTON: 0.7},
    Kind.COMBO: {Kind.LIST: 0.7, Kind.BUTTON: 0.7, Kind.MENU: 0.8, Kind.FIELD: 0.6},
    Kind.LIST: {Kind.COMBO: 0.85, Kind.TABLE: 0.8, Kind.TREE: 0.8, Kind.MENU: 0.7},
    Kind.OPTION: {
        Kind.MENU_ITEM: 0.95,
        Kind.RADIO: 0.95,
        Kind.TREE_ITEM: 0.9,
        Kind.CHECKBOX: 0.9,
        Kind.CELL: 0.85,
        Kind.ROW: 0.85,
        Kind.LINK: 0.85,
        Kind.TAB: 0.8,
        Kind.BUTTON: 0.8,
        Kind.ICON: 0.75,
        Kind.TEXT: 0.7,
    },
    Kind.SLIDER: {Kind.PROGRESS: 0.5, Kind.SCROLLBAR: 0.5},
    Kind.SPINNER: {Kind.FIELD: 0.85, Kind.SLIDER: 0.5},
    Kind.PROGRESS: {Kind.SLIDER: 0.5},
    Kind.ICON: {
        Kind.IMAGE: 0.95,
        Kind.BUTTON: 0.95,
        Kind.LINK: 0.85,
        Kind.SHAPE: 0.8,
        Kind.MENU: 0.75,
        Kind.TAB: 0.7,
        Kind.OPTION: 0.7,
        Kind.CELL: 0.7,
    },
    Kind.IMAGE: {Kind.ICON: 0.9, Kind.SHAPE: 0.8, Kind.LINK: 0.6, Kind.BUTTON: 0.5},
    Kind.TEXT: {
        Kind.HEADING: 0.95,
        Kind.CELL: 0.85,
        Kind.LINK: 0.8,
        Kind.FIELD: 0.7,
        Kind.OPTION: 0.75,
        Kind.COLUMN: 0.75,
    },
    Kind.HEADING: {Kind.TEXT: 0.85, Kind.COLUMN: 0.92, Kind.TAB: 0.6, Kind.LINK: 0.6},
    Kind.CELL: {Kind.COLUMN: 0.8, Kind.FIELD: 0.6, Kind.TEXT: 0.5},
    Kind.COLUMN: {Kind.CELL: 0.5, Kind.HEADING: 0.5},
    Kind.ROW: {Kind.OPTION: 0.85, Kind.TREE_ITEM: 0.85},
    Kind.TABLE: {Kind.TREE: 0.9, Kind.LIST: 0.7},
    Kind.TREE_ITEM: {
        Kind.OPTION: 0.9,
        Kind.CELL: 0.85,
        Kind.ROW: 0.85,
        Kind.ICON: 0.8,
        Kind.LINK: 0.75,
        Kind.TEXT: 0.7,
        Kind.MENU_ITEM: 0.6,
    },
    Kind.TREE: {Kind.TABLE: 0.85, Kind.LIST: 0.8},
    Kind.TOOLBAR: {Kind.GROUP: 0.6, Kind.MENU: 0.6},
    Kind.GROUP: {
        Kind.HEADING: 0.7,
        Kind.DIALOG: 0.8,
        Kind.LIST: 0.7,
        Kind.TABLE: 0.6,
        Kind.TOOLBAR: 0.7,
        Kind.TAB: 0.6,
        Kind.PAGE: 0.5,
    },
    Kind.DIALOG: {Kind.WINDOW: 0.85, Kind.GROUP: 0.7},
    Kind.WINDOW: {Kind.DIALOG: 0.95, Kind.PAGE: 0.7, Kind.GROUP: 0.5},
    Kind.SCROLLBAR: {Kind.SLIDER: 0.4},
    Kind.SHAPE: {Kind.IMAGE: 0.9, Kind.ICON: 0.85, Kind.TEXT: 0.7, Kind.BUTTON: 0.6},
    Kind.PAGE: {Kind.WINDOW: 0.6, Kind.TAB: 0.5},
}


def kind_of(element: Element) -> Kind:
    """What a person would call it."""
    states = element.states
    found = _ROLES.get(element.role, Kind.ANY)
    if "editable" in states and found in (Kind.TEXT, Kind.ANY, Kind.GROUP, Kind.HEADING):
        return Kind.FIELD
    if found is Kind.TEXT and element.role == "text" and _takes_keys(element):
        return Kind.FIELD
    if found is Kind.CELL and "checkable" in states:
        return Kind.CHECKBOX
    return found


def _takes_keys(element: Element) -> bool:
    """Whether a text of an application is a field, though it may not be changed now."""
    return element.source == "tree" and element.value is not None and "focusable" in element.states


def is_field(element: Element) -> bool:
    """Whether text can be typed into it."""
    return kind_of(element) in FIELDS or "editable" in element.states


def is_disabled(element: Element) -> bool:
    """Whether its application says that it cannot be used now.

    What was found in the pixels says nothing of the kind.
    """
    if element.source in ("ocr", "detector") or not element.states:
        return False
    if {"read only", "focusable"} <= set(element.states):
        # A drop-down of a page that takes no text is used by clicking it.
        return False
    return not {"enabled", "sensitive"} & set(element.states)


def fits(element: Element, wish: Kind) -> float:
    """How well an element is what a word for a kind says, 0 to 1."""
    if wish is Kind.ANY:
        return 1.0
    kind = kind_of(element)
    if kind is wish:
        return 1.0
    special = _special(element, kind, wish)
    return special if special is not None else _ALSO.get(wish, {}).get(kind, 0.0)


def _special(element: Element, kind: Kind, wish: Kind) -> float | None:
    states = element.states
    if wish is Kind.AREA and kind is Kind.FIELD and "single line" not in states:
        # Nobody but a page says how many lines a field takes.
        return 1.0 if "multi line" in states else 0.9
    if wish is Kind.COMBO and "has popup" in states:
        return 0.9
    if wish is Kind.MENU and "has popup" in states:
        return 0.95
    if wish is Kind.SWITCH and element.role == "toggle button":
        # With words on it, it is rather a button that stays pressed.
        return 0.9 if element.name.strip() else 1.0
    if wish is Kind.CHECKBOX and "checkable" in states:
        return 0.9
    if wish is Kind.ICON and kind is Kind.BUTTON and _is_worded(element.text):
        return 0.75
    if wish is Kind.FIELD and "editable" in states and kind not in (Kind.PAGE, Kind.TABLE):
        return 0.95
    return None


def _is_worded(text: str) -> bool:
    """Whether words can be read on it, and not just a sign that is read as a letter."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 2 or sum(char >= "\u2e80" for char in letters) > 1


def _read_words(table: str, *, plural: bool) -> Mapping[str, Kind]:
    words: dict[str, Kind] = {}
    for line in table.replace("\n  ", " ").strip().splitlines():
        kind, _, listed = line.partition(": ")
        for word in listed.split(", "):
            words.setdefault(word, Kind(kind))
            if plural:
                words.setdefault(_plural(word), Kind(kind))
    return MappingProxyType(words)


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


ENGLISH: Mapping[str, Kind] = _read_words(ENGLISH_WORDS, plural=True)
"""Every word for a kind, in lower case, singular and plural."""

CHINESE: Mapping[str, Kind] = _read_words(CHINESE_WORDS, plural=False)
