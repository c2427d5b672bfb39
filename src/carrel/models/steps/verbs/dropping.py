"""Where to let go of a thing that goes into a part of the screen known by its title."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.extents import extent_of, members
from carrel.models.steps.place_words import read_place
from carrel.models.steps.turns import Missed
from carrel.perception.roles import Kind, kind_of

__all__ = ["place_under_title"]

ROOM, INTO = 12, 40
"""Pixels that have to be free under the last entry of a list, and from the top of an empty one."""
ALIKE = 0.3
"""How much wider or narrower one entry may be than another."""
_SORTS = ("column", "list", "group", "any")


def place_under_title(desk: Desk, phrase: str, title: Element, element: Element) -> Point | None:
    """A point in what a title heads, after what is in it; None where no title is meant.

    A title is no place to put things: what takes them is under it.
    """
    sort = read_place(phrase).sort
    above = next((e for e in desk.elements if e.id == title.parent), None)
    title = above if above is not None and kind_of(above) is Kind.HEADING else title
    # A mere text may be on what takes the thing itself.
    heads = kind_of(title) is Kind.HEADING or (kind_of(title) is Kind.TEXT and sort != "any")
    if not heads or sort not in _SORTS:
        return None
    try:
        extent = extent_of(desk, phrase)
    except Missed:
        return None
    if extent is None or title.box is None or element.box is None:
        return None
    own = members(desk.elements, extent)
    below = [e for e in own if _is_under(e, title.box, extent.box)]
    entries = [e.box for e in below if e.box and _is_alike(e.box, element.box)]
    holders = [e.box for e in below if e.box and e.box.width >= (1 - ALIKE) * element.box.width]
    if not entries:
        empty = max(holders, key=lambda box: box.area, default=None)
        return None if empty is None else _in_empty(empty)
    last = max(entries, key=lambda box: box.bottom)
    around = [box for box in holders if within(last, box) and box.area > last.area]
    room = max((box.bottom - last.bottom for box in around), default=0)
    # Without room under it the lower half of the last entry is what comes after it.
    y = last.bottom + min(room, 3 * ROOM) // 2 if room >= ROOM else last.bottom - last.height // 4
    return Point(last.center.x, y)


def _is_under(element: Element, title: Box, whole: Box) -> bool:
    box = element.box
    return box is not None and box.y >= title.bottom - 2 and within(box, whole)


def _is_alike(box: Box, entry: Box) -> bool:
    high = box.height <= 3 * max(entry.height, 1) and box.height >= entry.height // 2
    return high and abs(box.width - entry.width) <= ALIKE * entry.width


def _in_empty(box: Box) -> Point:
    return Point(box.center.x, box.y + min(box.height // 2, INTO))
