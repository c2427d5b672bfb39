"""Handles of sliders, and the bars they go along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["HANDLE", "is_on", "track_of", "tracks"]

HANDLE = 48
"""Pixels of a side of a handle, at most."""
LONG, THICK = 4, 2
"""How much longer than its handle a bar is at least, and how much thicker at most."""
DEEP = 4
"""How many things may be around a handle on its bar."""


def track_of(handle: Element, above: Mapping[str, Element]) -> Box | None:
    """The bar that a handle goes along, among what holds it."""
    box = handle.box
    if box is None or max(box.width, box.height) > HANDLE:
        return None
    at, depth = above.get(handle.parent or ""), 0
    while at is not None and depth < DEEP:
        if at.box is not None and is_on(box, at.box):
            return at.box
        at, depth = above.get(at.parent or ""), depth + 1
    return None


def is_on(handle: Box, bar: Box) -> bool:
    """Whether one has the size and the place of a handle on the other."""
    upright = bar.height > bar.width
    long, thick = (bar.height, bar.width) if upright else (bar.width, bar.height)
    across = handle.width if upright else handle.height
    longer = long >= LONG * max(handle.width, handle.height)
    return longer and thick <= THICK * across and handle.intersect(bar) is not None


def tracks(elements: Iterable[Element]) -> dict[str, Box]:
    """The bar of each slider that tells only of its handle, by the slider's id."""
    listed = list(elements)
    above = {element.id: element for element in listed}
    found = {e.id: track_of(e, above) for e in listed if e.role == "slider"}
    return {key: box for key, box in found.items() if box is not None}
