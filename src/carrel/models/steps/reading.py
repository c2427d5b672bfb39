"""What a thing says: a field's content, a button's name, all the text of a part of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import children_of
from carrel.perception.roles import FIELDS, HOLDERS, Kind, kind_of

__all__ = [
    "chosen_of",
    "content_of",
    "field_value",
    "fold",
    "is_told_whole",
    "options_of",
    "squeezed",
    "text_of",
]

TOLD = 2000
"""Characters of a text that an application is asked for at most."""

_MARKER = re.compile(r"\d+[.)]|[•◦▪‣–-]")
"""What stands before an entry of a list."""
_OPTIONS = ("menu item", "list item", "radio menu item", "check menu item", "tree item")


def field_value(element: Element) -> str:
    """What a field holds."""
    return (element.value or "").replace("\u00a0", " ")


def is_told_whole(text: str) -> bool:
    """Whether it is not so long that the rest of it may have been left out."""
    return len(text) < TOLD


def fold(text: str) -> str:
    """A text without what does not count: case, and how its words are spaced."""
    return " ".join(text.split()).casefold()


def squeezed(text: str) -> str:
    """Its letters and digits alone, as they are compared with what was read from pixels."""
    return "".join(char for char in text.casefold() if char.isalnum())


def content_of(editor: Element, elements: Sequence[Element]) -> str:
    """What an editor holds; one of several paragraphs tells it by them."""
    if editor.value:
        return field_value(editor)
    parts = [e for e in elements if e.parent == editor.id]
    return "\n".join(part.value or part.name for part in parts if part.value or part.name)


def text_of(element: Element, elements: Sequence[Element]) -> str:
    """What it says to a reader."""
    kind = kind_of(element)
    if kind in FIELDS or kind is Kind.SLIDER or "editable" in element.states:
        return field_value(element)
    if kind is Kind.COMBO:
        return chosen_of(element, elements) or element.value or element.text or element.name
    said = element.name or element.value or element.text
    if said and kind not in HOLDERS:
        return said
    texts = [
        (child.name or child.value or child.text).strip()
        for child in children_of(elements, element)
        if kind_of(child) is Kind.TEXT and not _has_text_below(child, elements)
        if not _MARKER.fullmatch(child.name.strip())
    ]
    return " ".join(text for text in texts if text) or said


def _has_text_below(element: Element, elements: Sequence[Element]) -> bool:
    return any(child.parent == element.id and (child.name or child.value) for child in elements)


def options_of(element: Element, elements: Sequence[Element]) -> tuple[Element, ...]:
    """The options of a list or a drop-down, as far as the tree tells them."""
    return tuple(e for e in children_of(elements, element) if e.role in _OPTIONS)


def chosen_of(element: Element, elements: Sequence[Element]) -> str:
    """The chosen options of a list or a drop-down, with commas."""
    chosen = [e.name for e in options_of(element, elements) if "selected" in e.states]
    return ", ".join(chosen)
