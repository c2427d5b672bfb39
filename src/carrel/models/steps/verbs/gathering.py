"""Dragging all things of a kind that have no names into one: those that are still outside, in turn.

Drawn shapes cannot be told from one another by what they say, and where each was tells nothing once
they move. So it is always one that is not there yet that is taken next, until none is left outside.
"""

from __future__ import annotations

from carrel.actions import Drag
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.program import ForEach
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.items import fitting
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dragging import drag_path
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["gather"]

GAP = 6
"""Pixels between two things that are put down side by side, and to the edge of what takes them."""
SLOW, SLOWER = 0.35, 1.0
_DRAWN = (Kind.IMAGE, Kind.ICON)


def gather(desk: Desk, step: ForEach) -> Turns[bool]:
    """Whether the repetition was one such, and is done.

    Raises:
        Missed: One of them does not go there, or there is no room left.
    """
    onto = _onto(step)
    found = fitting(desk, step) if onto is not None else []
    if onto is None or not found or not all(map(_is_drawn, found)):
        return False
    box = (yield from ground(desk, onto, reveal=False, want="hold")).element.box
    if box is None:
        return False
    for _ in range(len(found)):
        left = _outside(desk, step, box)
        if not left:
            break
        yield from _put_in(desk, step, left, box)
    if _outside(desk, step, box):
        raise Missed(f"not all of {step.every} are in {onto}")
    inside = [e.box for e in desk.elements if _is_drawn(e) and within(e.box, box)]
    desk.gathered += [one for one in inside if one is not None]
    return True


def _onto(step: ForEach) -> str | None:
    """Where each is dragged, where that is all that is done."""
    if step.every is None or step.items or step.limit is not None or len(step.body) != 1:
        return None
    inner = step.body[0]
    each = isinstance(inner, DragStep) and inner.what == f"{{{step.name}}}"
    return inner.onto if isinstance(inner, DragStep) and each else None


def _is_drawn(element: Element) -> bool:
    return kind_of(element) in _DRAWN and not written_on(element).strip()


def _outside(desk: Desk, step: ForEach, box: Box) -> list[Element]:
    """Those that are not there yet; what only pixels tell of may be the trace of a pointer."""
    drawn = [e for e in fitting(desk, step) if e.box is not None and _is_drawn(e) and e.box != box]
    told = [e for e in drawn if e.source == "tree"] or drawn
    # What was put away before stays there, whatever it is taken for beside others.
    return [e for e in told if not within(e.box, box) and e.box not in desk.gathered]


def _put_in(desk: Desk, step: ForEach, left: list[Element], box: Box) -> Turns[None]:
    first = left[0].box
    assert first is not None
    end = _free_spot(desk, first, box)
    for seconds in (SLOW, SLOWER):
        way = drag_path(first.center, end)
        why = f"one of {step.every} into what takes it"
        yield from desk.do(Drag(way, seconds=seconds), why=why)
        yield from desk.again(0.1, why="where it is now")
        if len(_outside(desk, step, box)) < len(left):
            return
    raise Missed(f"one of {step.every} does not go where it was dragged")


def _free_spot(desk: Desk, thing: Box, box: Box) -> Point:
    """The middle of the first place in a box where nothing lies yet.

    Raises:
        Missed: All of it is taken.
    """
    taken = [e.box for e in desk.elements if e.box is not None and _is_drawn(e) and e.box != box]
    for gap in (GAP, 2):
        for y in range(box.y + gap, box.bottom - thing.height - gap + 1, 3):
            for x in range(box.x + gap, box.right - thing.width - gap + 1, 3):
                spot = Box(x, y, thing.width, thing.height)
                if all(around([spot], gap - 1).intersect(one) is None for one in taken):
                    return spot.center
    raise Missed("there is no room left in what takes them")
