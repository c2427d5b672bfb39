"""Boards: parts of one kind side by side, each with a heading and the things that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, HOLDERS, Kind, kind_of

__all__ = ["Lane", "lane_headed", "see_counted"]

ALIKE = 0.1
"""How much wider or narrower one part of a board may be than another."""
IN_LINE = 8
"""Pixels by which the parts may be out of line."""
INTO, LEAST = 40, 24
"""Pixels under a heading where nothing is in the part yet, and the least room that takes things."""

_USED = frozenset({Kind.BUTTON, Kind.FIELD, Kind.PASSWORD, Kind.COMBO, Kind.MENU, Kind.MENU_ITEM})
"""What a part has for itself, as a button that adds to it, and is none of the things in it."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A part of a board, as it was before something was put there.

    Attributes:
        title: What is written over it.
        at: Where a thing is let go to come into it.
        count: The number beside the title, where it tells how many things are in it.
    """

    title: Element
    at: Point
    count: Element | None


def lane_headed(desk: Desk, title: Element, element: Element) -> Lane | None:
    """The part of a board that a text is the heading of, where a thing comes from another part.

    The heading takes nothing: things are put under it, among those that are there already.
    """
    tree = Lineage(desk.elements)
    lanes = _lanes(tree, title, element)
    if lanes is None or title.box is None:
        return None
    source, lane = lanes
    page = web_page(desk.elements)
    shown = page.box if page is not None else Box(0, 0, desk.size.width, desk.size.height)
    seen = lane.box.intersect(shown) if lane.box is not None and shown is not None else None
    if seen is None:
        return None
    head = _head(tree, lane, title)
    held = [e for e in tree.below(lane) if e.box is not None and e.box.y >= head.bottom - 2]
    aside = _USED if _is_link(tree, element) else _USED | {Kind.LINK}
    own = [e for e in held if any(kind_of(x) in aside for x in (e, *tree.above(e)))]
    at = _among([e for e in held if e not in own], seen) or _in_room(own, seen, head)
    if at is None:
        return None
    return Lane(
        title, at, _count(tree, head, lane, len(_things(tree, lane, head, source, element)))
    )


def _lanes(tree: Lineage, title: Element, element: Element) -> tuple[Element, Element] | None:
    """The part that a thing is in, and that which the title heads; both are of one kind."""
    here, there = [element, *tree.above(element)], [title, *tree.above(title)]
    both = {e.id for e in here} & {e.id for e in there}
    source = next((a for a, b in pairwise(here) if b.id in both), None)
    lane = next((a for a, b in pairwise(there) if b.id in both), None)
    if source is None or lane is None or lane.id == title.id or source.id == element.id:
        return None
    between = there[: there.index(lane)]
    if any(kind_of(e) in CONTROLS for e in between):
        # It is on something that may take the thing by itself.
        return None
    is_part = lane.role == source.role and kind_of(lane) in HOLDERS | {Kind.OPTION}
    return (source, lane) if is_part and _in_line(source.box, lane.box) else None


def _in_line(one: Box | None, two: Box | None) -> bool:
    """Whether they stand side by side, or one under the other."""
    if one is None or two is None:
        return False
    wide = abs(one.width - two.width) <= ALIKE * max(one.width, two.width)
    return wide and (abs(one.y - two.y) <= IN_LINE or abs(one.x - two.x) <= IN_LINE)


def _head(tree: Lineage, lane: Element, title: Element) -> Box:
    """The title with what stands beside it."""
    assert title.box is not None
    above = tree.above(title)
    inner = above[: next((n for n, e in enumerate(above) if e.id == lane.id), 0)]
    lines = [e.box for e in inner if e.box is not None and e.box.height <= 4 * title.box.height]
    return max((title.box, *lines), key=lambda box: box.bottom)


def _is_link(tree: Lineage, element: Element) -> bool:
    return any(kind_of(e) is Kind.LINK for e in (element, *tree.above(element)))


def _among(held: Sequence[Element], seen: Box) -> Point | None:
    """Over the last thing in sight: that surely is in what takes things."""
    said = [e.box for e in held if e.box and written_on(e) and within(e.box, seen)]
    last = max(said, key=lambda box: box.bottom, default=None)
    return None if last is None else Point(seen.center.x, last.center.y)


def _in_room(buttons: Sequence[Element], seen: Box, head: Box) -> Point | None:
    """Into the empty room under the heading, above the buttons that may stand there."""
    tops = [e.box.y for e in buttons if e.box is not None]
    room = min([seen.bottom, *tops]) - head.bottom
    if room < LEAST and tops:
        room = seen.bottom - head.bottom
    return Point(seen.center.x, head.bottom + min(room // 2, INTO)) if room >= LEAST else None


# What the heading counts


def _things(
    tree: Lineage, lane: Element, head: Box, source: Element, element: Element
) -> list[Element]:
    """What is in a part and of the kind of the thing that is moved."""
    inner = [element, *tree.above(element)]
    outermost = inner[next(n for n, e in enumerate(inner) if e.id == source.id) - 1]
    return [
        e
        for e in tree.elements
        if e.parent == lane.id and e.role == outermost.role and e.box and e.box.y >= head.bottom - 2
    ]


def _count(tree: Lineage, head: Box, lane: Element, things: int) -> Element | None:
    """The number in the heading, where it is that of the things."""
    numbers = [e for e in tree.below(lane) if written_on(e).isdecimal() and within(e.box, head)]
    leaves = [e for e in numbers if not tree.below(e)]
    return leaves[0] if len(leaves) == 1 and written_on(leaves[0]) == str(things) else None


def see_counted(desk: Desk, lane: Lane, element: Element) -> Turns[None]:
    """See that a part of a board counts what was put there: it may show it only for the moment."""
    if lane.count is None or lane.count.box is None:
        return
    for pause in (0.0, 0.4, 0.8):
        if pause:
            yield from desk.again(pause, why=f"whether {named(lane.title)} counts it")
        now = [e for e in desk.elements if e.role == lane.count.role and e.box is not None]
        near = [e for e in now if within(e.box, lane.count.box)]
        if not any(written_on(e) == written_on(lane.count) for e in near):
            return
    desk.doubt(
        f"{named(lane.title)} still counts {written_on(lane.count)} "
        f"after {named(element)} was put there"
    )
