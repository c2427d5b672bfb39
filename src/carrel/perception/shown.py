"""What a person reads on things that applications call by more than they show.

Pages give their controls names for those who cannot see them: the heading "Salary" is called
"Salary: activate to sort", the second tab "current step: 2. Address". People say what they see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.perception._drop_downs import with_drop_downs
from carrel.perception._names import fold, words_of
from carrel.perception.roles import Kind, kind_of

__all__ = ["as_shown"]

LEAST = 3
"""Pixels: what is smaller is not meant to be seen."""
DEEPEST = 6
"""How deep in a control the words on it may be."""
_CALLED = frozenset(
    {Kind.COLUMN, Kind.TAB, Kind.BUTTON, Kind.LINK, Kind.MENU_ITEM, Kind.MENU, Kind.OPTION}
)


def as_shown(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements, each that shows only a part of its name with that part as its text.

    The heading of a column is called by what it shows alone, and a drop-down that is made of
    several things is one.
    """
    elements = with_drop_downs(elements)
    texts: dict[str, list[Element]] = {}
    above = {element.id: element for element in elements}
    for element in elements:
        if kind_of(element) is Kind.TEXT and element.name.strip():
            for holder in _holders(element, above):
                texts.setdefault(holder.id, []).append(element)
    if not texts:
        return tuple(elements)
    return tuple(_named(e, texts[e.id]) if e.id in texts else e for e in elements)


def _holders(text: Element, above: dict[str, Element]) -> list[Element]:
    """The controls that a text is in."""
    found: list[Element] = []
    at = above.get(text.parent or "")
    for _ in range(DEEPEST):
        if at is None:
            break
        if at.name.strip() and not at.text and kind_of(at) in _CALLED:
            found.append(at)
        at = above.get(at.parent or "")
    return found


def _named(element: Element, texts: Sequence[Element]) -> Element:
    shown = " ".join(text.name.strip() for text in texts if _is_seen(text, element))
    if not shown or fold(shown) == fold(element.name) or not _is_part(shown, element.name):
        return element
    if kind_of(element) is Kind.COLUMN:
        return replace(element, name=shown)
    return replace(element, text=shown)


def _is_seen(text: Element, holder: Element) -> bool:
    if text.box is None or holder.box is None:
        return False
    common = text.box.intersect(holder.box)
    return common is not None and min(common.width, common.height) >= LEAST


def _is_part(shown: str, name: str) -> bool:
    """Whether a name says the very words, and others before or after them."""
    words, said = words_of(shown), words_of(name)
    return any(said[at : at + len(words)] == words for at in range(len(said) - len(words) + 1))
