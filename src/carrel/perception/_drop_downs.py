"""Drop-downs that pages make of several things: one that shows the choice, one that holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._names import fold
from carrel.perception.roles import Kind, kind_of

__all__ = ["with_drop_downs"]

SLIT = 4
"""Pixels of a side of a drop-down that is only there for the keyboard, at most."""
LEAST, LONGER = 16, 60
"""Pixels that what stands for it is high and long, at least."""
DEEPEST = 6


def with_drop_downs(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements, each drop-down as the one thing that a person sees.

    A field in it that takes no text is what it shows; and one that is hidden in a slit has the
    place of what the page has put after it instead.
    """
    listed = list(elements)
    if not any(e.role == "combo box" for e in listed):
        return tuple(listed)
    return tuple(_seated(_joined(listed)))


def _joined(elements: list[Element]) -> list[Element]:
    """Without fields that only show the choice of the drop-down they are in."""
    above = {e.id: e for e in elements}
    shown = {e.id: owner for e in elements if (owner := _owner(e, above)) is not None}
    if not shown:
        return elements
    said = {shown[e.id]: (e.value or "").strip() for e in elements if e.id in shown}
    found = []
    for element in elements:
        if element.id in shown:
            continue
        now = replace(element, parent=shown.get(element.parent or "", element.parent))
        found.append(_saying(now, said[now.id]) if now.id in said else now)
    return found


def _owner(field: Element, above: dict[str, Element]) -> str | None:
    """The drop-down that a field which cannot be written in is a part of."""
    if kind_of(field) is not Kind.FIELD or "editable" in field.states:
        return None
    at, depth = above.get(field.parent or ""), 0
    while at is not None and depth < DEEPEST:
        if at.role == "combo box":
            return at.id if "editable" not in at.states else None
        at, depth = above.get(at.parent or ""), depth + 1
    return None


def _saying(combo: Element, text: str) -> Element:
    """It says what it shows; and what it shows is no name of it."""
    name = "" if fold(combo.name) == fold(text) else combo.name
    return replace(combo, name=name, value=combo.value or text)


def _seated(elements: list[Element]) -> list[Element]:
    """Drop-downs in a slit with the place of what follows them."""
    families: dict[str | None, list[Element]] = {}
    for element in elements:
        families.setdefault(element.parent, []).append(element)
    seats: dict[str, Box] = {}
    for family in families.values():
        for one, after in pairwise(family):
            if _is_slit(one) and after.box is not None and _stands_in(after):
                seats[one.id] = after.box
    return [replace(e, box=seats[e.id]) if e.id in seats else e for e in elements]


def _is_slit(element: Element) -> bool:
    box = element.box
    return element.role == "combo box" and box is not None and min(box.width, box.height) <= SLIT


def _stands_in(element: Element) -> bool:
    box = element.box
    if box is None or kind_of(element) is not Kind.GROUP or element.name:
        return False
    return box.height >= LEAST and box.width >= LONGER
