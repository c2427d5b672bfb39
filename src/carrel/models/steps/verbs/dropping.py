"""Where to let go of a thing, and whether it is seen to have gone there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lanes import lane_under
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.place_words import read_place
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["box_headed", "let_go", "place_under_title", "see_arrived", "see_moved", "takes_in"]

ROOM, INTO = 12, 40
"""Pixels that have to be free under the last entry of a list, and from the top of an empty one."""
ALIKE = 0.3
"""How much wider or narrower one entry may be than another."""
LOOKS = (0.0, 0.4, 0.8)
"""Seconds between looks at whether a thing has left its place."""
_TAKES_IN = re.compile(
    r"\b(?:folder|directory|trash|bin|album|archive)\b|文件夹|目录|回收站|垃圾桶|相册",
    re.IGNORECASE,
)
_HOLDERS = frozenset({Kind.GROUP, Kind.ANY, Kind.LIST})
_ARTICLE = re.compile(r"^(?:the|my|your|our|a|an)\s+", re.IGNORECASE)
LONG, WIDER = 5, 1.5
"""Words of a title at most, and how much larger than a thing is what it is put into."""
_SORTS = ("column", "list", "group", "any")


def takes_in(phrase: str, other: Element) -> bool:
    """Whether things are put into this one, though it stands in a row with them: a folder."""
    return other.role == "icon" or _TAKES_IN.search(phrase) is not None


def let_go(end: Point) -> tuple[Point, ...]:
    """At a point, with a last small move over it: what takes a thing wants to notice it there."""
    return (end, Point(end.x + 1, end.y), end)


def see_moved(desk: Desk, element: Element, before: Sequence[Element]) -> Turns[None]:
    """See that what was dragged is no longer where it was, or is elsewhere too; else doubt it.

    What is seen only while it is dragged goes back when it was not taken: two looks have to agree.
    """
    moved = 0
    for pause in LOOKS:
        if pause:
            yield from desk.again(pause, why=f"whether {named(element)} has moved")
        moved = moved + 1 if _has_moved(desk.elements, element, before) else 0
        if moved == 2:
            return
    desk.doubt(f"{named(element)} is seen where it was before")


def _has_moved(now: Sequence[Element], element: Element, before: Sequence[Element]) -> bool:
    # An entry without a name is told by what is written in it.
    def places(elements: Sequence[Element]) -> set[tuple[str, str, str, Box | None]]:
        alike = [e for e in elements if (e.role, e.name) == (element.role, element.name)]
        said = [(e, e.name or text_of(e, elements)) for e in alike]
        return {(e.role, text, e.value or "", e.box) for e, text in said}

    return places(now) != places(before)


def see_arrived(desk: Desk, element: Element, at: Point, under: str) -> None:
    """See that what was let go under a title did not come to stand under the one beside it.

    Raises:
        Missed: It stands further from there than it is wide.
    """
    now = [
        e.box
        for e in desk.elements
        if (e.role, e.name) == (element.role, element.name) and e.name and e.box is not None
    ]
    elsewhere = len(now) == 1 and now[0] != element.box
    if (
        elsewhere
        and abs(now[0].center.x - at.x) > now[0].width
        and not _is_taken_in(desk, now[0], at, element.box)
    ):
        raise Missed(f"{named(element)} was let go at {under}, but does not stand there now")


def _is_taken_in(desk: Desk, now: Box, at: Point, before: Box | None) -> bool:
    """Whether a part holds where it was let go and where it is now, and not where it was."""
    parts = [e.box for e in part_meant(desk.elements, "") if kind_of(e) in _HOLDERS and e.box]
    return any(
        part.contains(at) and part.contains(now.center) and not part.contains(before.center)
        for part in parts
        if before is not None
    )


def box_headed(desk: Desk, phrase: str, element: Element) -> tuple[Element, Point] | None:
    """The part of a page with a title that has a name in it, and a free spot there: `Your cart`."""
    words = set(stems(_ARTICLE.sub("", phrase.strip())))
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    titles = [
        e
        for e in shown
        if kind_of(e) in (Kind.TEXT, Kind.HEADING) and len(written_on(e).split()) <= LONG
        if words and words <= set(stems(written_on(e)))
    ]
    tree = Lineage(desk.elements)
    own = tree.inside(element)
    found: dict[str, tuple[Element, Element]] = {}
    for title in titles:
        for holder in tree.above(title):
            held = tree.inside(holder)
            if own & held or kind_of(holder) not in _HOLDERS:
                break
            if holder.box and element.box and holder.box.area >= WIDER * element.box.area:
                found[holder.id] = (title, holder)
                break
    if len(found) != 1:
        return None
    title, holder = next(iter(found.values()))
    assert title.box is not None
    assert holder.box is not None
    below = holder.box.bottom - title.box.bottom
    y = title.box.bottom + below // 2 if below >= ROOM else title.box.center.y
    return title, Point(holder.box.center.x, y)


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
    lane = lane_under(title, Lineage(desk.elements))
    if lane is not None and not within(extent.box, lane[1]):
        # It reaches over several of the titles side by side: which is meant is not told by that.
        extent = replace(extent, box=lane[1], holder=lane[0], title=title)
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
