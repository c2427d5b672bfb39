"""The same element in a later look: the tree numbers anew what it lists."""

from __future__ import annotations

from collections.abc import Iterable

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["number_of", "same_as", "same_one"]


def same_as(elements: Iterable[Element], before: Element) -> Element | None:
    """Of its role and name, and nearest to where it was."""
    if before.box is None:
        return None
    alike = [e for e in elements if (e.role, e.name) == (before.role, before.name) and e.box]
    at = before.box.center

    def distance(element: Element) -> int:
        assert element.box is not None
        here = element.box.center
        return abs(here.x - at.x) + abs(here.y - at.y)

    return min(alike, key=distance, default=None)


def number_of(elements: Iterable[Element], one: Element) -> int | None:
    """Which of its like it is; scrolling moves them all, and leaves their order."""
    places = [e.box for e in _alike(elements, one)]
    return places.index(one.box) if one.box in places else None


def same_one(elements: Iterable[Element], before: Element, number: int | None) -> Element | None:
    """By its number among its like, else in the same column: for what was scrolled."""
    alike = _alike(elements, before)
    if number is not None and number < len(alike):
        return alike[number]
    if before.box is None:
        return alike[0] if len(alike) == 1 else None
    x = before.box.x
    return min(alike, key=lambda e: abs((e.box or Box(0, 0, 0, 0)).x - x), default=None)


def _alike(elements: Iterable[Element], one: Element) -> list[Element]:
    """Elements of the same words, in their order."""
    known = (one.role, one.name, one.value)
    return [e for e in elements if (e.role, e.name, e.value) == known and e.box is not None]
