"""What a thing says: a field's content, a button's name, all the text of a part of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
DEEPEST = 12
"""How far parts of an editor may be in one another."""

_MARKER = re.compile(r"\d+[.)]|[•◦▪‣–-]")
"""What stands before an entry of a list."""
_LINES = ("paragraph", "heading", "list item", "static", "block quote", "label")
_INLINE = ("static", "link", "mark")
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
    """What an editor holds; one of several parts tells it by them: paragraphs, lists, headings."""
    if editor.value:
        return field_value(editor)
    return "\n".join(_lines_in(editor, _by_parent(elements)))


def _by_parent(elements: Sequence[Element]) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for element in elements:
        if element.parent is not None:
            found.setdefault(element.parent, []).append(element)
    return found


def _lines_in(holder: Element, held: Mapping[str, Sequence[Element]], deep: int = 0) -> list[str]:
    """What its parts say; of one that says nothing itself, what is in it, as the items of a list.

    An item may hold a list of its own, beside what it says. What is further in, and cannot be
    written in, is drawn there: the signs before the items.
    """
    lines: list[str] = []
    for part in held.get(holder.id, ()) if deep < DEEPEST else ():
        said = (part.value or part.name).replace("\u00a0", " ")
        if deep and "editable" not in part.states:
            continue
        pieces = _pieces(part, held, deep) if part.role in _LINES else ""
        if len(held.get(part.id, ())) > 1 and len(pieces) > len(said):
            lines.append(pieces)
            continue
        if said.strip():
            lists = [e for e in held.get(part.id, ()) if e.role == "list"]
            lines += [said, *(line for one in lists for line in _lines_in(one, held, deep + 1))]
            continue
        inner = _lines_in(part, held, deep + 1)
        # The pieces of one line may be told one by one, as words that are bold are.
        lines += ["".join(inner)] if inner and part.role in _LINES else inner
    return lines


def _pieces(part: Element, held: Mapping[str, Sequence[Element]], deep: int) -> str:
    """A line out of pieces: what it says of itself leaves out those that are bold, or a link."""
    inner = held.get(part.id, ()) if deep < DEEPEST else ()
    said = (part.value or part.name).replace("\u00a0", " ")
    if not inner or any(e.role not in _INLINE for e in inner):
        return said
    # The spaces between two of them may be a piece as well.
    return max("".join(_pieces(e, held, deep + 1) for e in inner), said, key=len)


def text_of(element: Element, elements: Sequence[Element]) -> str:
    """What it says to a reader."""
    kind = kind_of(element)
    if kind in FIELDS or kind is Kind.SLIDER or "editable" in element.states:
        return field_value(element) or _of_editor(element, elements)
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


def _of_editor(element: Element, elements: Sequence[Element]) -> str:
    parted = "multi line" in element.states or element.role == "document text"
    return content_of(element, elements) if parted else ""


def _has_text_below(element: Element, elements: Sequence[Element]) -> bool:
    return any(child.parent == element.id and (child.name or child.value) for child in elements)


def options_of(element: Element, elements: Sequence[Element]) -> tuple[Element, ...]:
    """The options of a list or a drop-down, as far as the tree tells them."""
    return tuple(e for e in children_of(elements, element) if e.role in _OPTIONS)


def chosen_of(element: Element, elements: Sequence[Element]) -> str:
    """The chosen options of a list or a drop-down, with commas."""
    chosen = [e.name for e in options_of(element, elements) if "selected" in e.states]
    return ", ".join(chosen)
