"""How far a part of a page reaches that is known by what is written over it."""

from __future__ import annotations

from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.strips import body_under, is_one_of_many
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, HOLDERS, Kind, kind_of

__all__ = ["column_of", "listed_under", "section_under", "under_heading"]

_SAYING = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.IMAGE, *CONTROLS})
CLOSE = 90
"""Pixels between a title and the list under it, with a field to search in between."""
LEVEL, SLACK = 8, 8
"""Pixels between headings that are in one line, and before a heading where its column begins."""
WIDER = 1.2
"""Times the way from one column to the next: what is so wide lies under several."""
ALIKE = 0.85
"""How high the letters of a heading are, at least, beside those of one that ends its section."""


def section_under(title: Element, tree: Lineage) -> Element | None:
    """The part that a title heads: what holds it and more below it, and no other such title."""
    own = tree.inside(title)
    peers = [e for e in tree.elements if e.id not in own and _is_peer(e, title)]
    found: Element | None = None
    for holder in tree.above(title):
        if kind_of(holder) is Kind.HEADING or holder.box is None:
            continue
        held = tree.inside(holder)
        if any(peer.id in held for peer in peers):
            break
        more = [e for e in tree.below(holder) if e.id not in own and _is_below(e, title)]
        if more and found is None:
            if kind_of(title) is not Kind.HEADING:
                many = is_one_of_many(title, holder, tree)
                return body_under(title, holder, tree) if many else holder
            found = holder
        elif more and kind_of(holder) in HOLDERS:
            found = holder
    return found


def _is_peer(element: Element, title: Element) -> bool:
    """Whether it heads another part of the same rank, or of a higher one."""
    if kind_of(title) is not Kind.HEADING or kind_of(element) is not Kind.HEADING:
        return False
    return (
        element.box is not None
        and title.box is not None
        and bool(written_on(element))
        and element.box.height >= ALIKE * title.box.height
        and written_on(element) != written_on(title)
    )


def _is_below(element: Element, title: Element) -> bool:
    if element.box is None or title.box is None or kind_of(element) not in _SAYING:
        return False
    return bool(element.box.area) and element.box.y >= title.box.bottom - 2


def listed_under(title: Element, kinds: tuple[Kind, ...], tree: Lineage) -> Element | None:
    """The list that begins right under a title, and is as far to the left or the right."""
    box = title.box
    if box is None:
        return None
    lists = [
        e
        for e in tree.elements
        if kind_of(e) in kinds and e.box and 0 <= e.box.y - box.y <= CLOSE + box.height
        if e.box.x <= box.center.x < e.box.right
    ]
    inner = {x.id for e in lists for x in tree.below(e)}
    outer = [e for e in lists if e.id not in inner]
    return outer[0] if len(outer) == 1 else None


def under_heading(title: Element, tree: Lineage) -> tuple[Element, Box] | None:
    """The strip of a flat page from a heading to the next one, and what holds it."""
    above = tree.by_id
    holder = above.get(title.parent or "")
    if kind_of(title) is not Kind.HEADING and holder is not None:
        title, holder = (
            (holder, above.get(holder.parent or ""))
            if kind_of(holder) is Kind.HEADING
            else (title, holder)
        )
    if kind_of(title) is not Kind.HEADING or holder is None or holder.box is None:
        return None
    assert title.box is not None
    peers = [e.box for e in tree.below(holder) if _is_peer(e, title) and e.box is not None]
    beside = [box for box in peers if abs(box.y - title.box.y) <= LEVEL]
    beside = [box for box in beside if abs(box.x - title.box.x) > LEVEL]
    if beside:
        boxes = [e.box for e in tree.below(holder) if e.box is not None and e.box.area]
        column = column_of(title.box, beside, peers, holder.box, boxes)
        return None if column is None else (holder, column)
    end = min((box.y for box in peers if box.y > title.box.y), default=holder.box.bottom)
    box = Box(holder.box.x, title.box.y, holder.box.width, max(1, end - title.box.y))
    return holder, box


def column_of(
    title: Box, beside: list[Box], peers: list[Box], holder: Box, boxes: list[Box]
) -> Box | None:
    """What stands under one of several headings side by side; None where that is not certain.

    As far as the next heading; something that lies under several of them ends them all.
    """
    line = sorted({title.x: title, **{box.x: box for box in beside}}.values(), key=lambda b: b.x)
    pitch = min(b.x - a.x for a, b in pairwise(line))
    for edges in (_from_left(title, line), _between(title, line)):
        left, right = edges[0] or holder.x, edges[1] or holder.right
        right = min(right, left + pitch + LEVEL) if edges[1] is None and edges[0] else right
        ends = [box.y for box in peers if box.y > title.bottom and left <= box.center.x < right]
        below = [box for box in boxes if box.y >= title.bottom - 2]
        crossing = [box for box in below if _crosses(box, edges)]
        ends += [box.y for box in crossing if box.width > WIDER * pitch]
        end = min(ends, default=holder.bottom)
        if not any(box.y < end for box in crossing):
            return Box(left, title.y, right - left, max(1, end - title.y))
    return None


def _from_left(title: Box, line: list[Box]) -> tuple[int | None, int | None]:
    """The edges of a column whose heading begins where it does; None for that of the page."""
    at = line.index(title)
    right = line[at + 1].x - SLACK if at + 1 < len(line) else None
    return (title.x - SLACK if at else None), right


def _between(title: Box, line: list[Box]) -> tuple[int | None, int | None]:
    """The edges of a column whose heading is in its middle."""
    at, middle = line.index(title), title.center.x
    left = (line[at - 1].center.x + middle) // 2 if at else None
    right = (middle + line[at + 1].center.x) // 2 if at + 1 < len(line) else None
    return left, right


def _crosses(box: Box, edges: tuple[int | None, int | None]) -> bool:
    return any(edge and box.x < edge - LEVEL and box.right > edge + LEVEL for edge in edges)
