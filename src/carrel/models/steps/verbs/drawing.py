"""Drawing with the pointer: lines and circles, and points and lines that make a figure."""

from __future__ import annotations

import math
import re

from carrel.actions import Drag
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.plane import Spot, on_bisector, on_perpendicular
from carrel.models.steps.program import Draw
from carrel.models.steps.reveal import view_box
from carrel.models.steps.spots import centre, drawn, mark, marks, settle
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dragging import drag_path
from carrel.perception.figures import Figure
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["draw"]

_RIGHT = re.compile(r"right[- ]angle|90|perpendicular|直角|垂直", re.IGNORECASE)
_HALVES = re.compile(r"bisect|half|halves|equal|角平分", re.IGNORECASE)
DOT, LEAST_AREA = 16, 2500
"""Pixels across a point at most; and of what is drawn on, at least."""
INKED = 0.75
"""How much of the way between two points must be drawn for a line to be there."""


def draw(desk: Desk, step: Draw) -> Turns[str | None]:
    """Draw a line or a circle with the pointer, or what completes a figure."""
    if step.where is None and _RIGHT.search(step.what):
        return (yield from _right_angle(desk))
    if step.where is None and _HALVES.search(step.what):
        return (yield from _bisect(desk))
    if step.where is not None:
        match = yield from ground(desk, step.where)
        at, area = match.point, _canvas(desk, match.point, match.element.box)
    else:
        area = _canvas(desk, view_box(desk).center, None)
        at = area.center
    yield from desk.do(Drag(_figure(step, at, area), seconds=0.6), why=step.what, last=True)
    return None if desk.changed else "nothing on the screen changed"


def _canvas(desk: Desk, at: Place, inner: Box | None) -> Box:
    """The smallest part around a point that is larger than what is drawn around."""
    least = 4 * inner.area if inner is not None else 10_000
    parts = [e.box for e in desk.elements if e.box and e.box.contains(at) and e.box.area > least]
    canvases = [e.box for e in desk.elements if e.role in ("canvas", "drawing area") and e.box]
    held = [box for box in canvases if box.contains(at)]
    return min(held or parts or [view_box(desk)], key=lambda box: box.area)


def _figure(step: Draw, at: Place, area: Box) -> tuple[Place, ...]:
    what = step.what.casefold()
    if "circle" in what or "ring" in what or "圆" in what or step.how == "around":
        free = min(at.x - area.x, area.right - at.x, at.y - area.y, area.bottom - at.y)
        radius = max(8, min(40, free - 3))
        turns = [math.tau * n / 36 for n in range(38)]
        return tuple(
            Place(round(at.x + radius * math.cos(t)), round(at.y + radius * math.sin(t)))
            for t in turns
        )
    if "vertical" in what or "竖" in what:
        return drag_path(Place(at.x, area.y + 4), Place(at.x, area.bottom - 5))
    if "diagonal" in what:
        reach = min(at.x - area.x, area.right - at.x, at.y - area.y, area.bottom - at.y) - 4
        return drag_path(Place(at.x - reach, at.y - reach), Place(at.x + reach, at.y + reach))
    return drag_path(Place(area.x + 4, at.y), Place(area.right - 5, at.y))


# Figures that are completed


def _points(desk: Desk, count: int) -> list[Figure]:
    """The marked points of the figure.

    Raises:
        Missed: There are fewer or more.
    """
    found = [f for f in drawn(desk) if f.size <= DOT and f.kind in ("circle", "square", "polygon")]
    if len(found) != count:
        raise Missed(f"{count} marked points are needed, and {len(found)} are to be seen")
    return found


def _area(desk: Desk, points: list[Figure]) -> Box:
    """What they are drawn on: the smallest drawing with all of them, or else part of the page."""
    ends = [point.box.center for point in points]
    holding = [
        e
        for e in desk.elements
        if e.box is not None
        and kind_of(e) not in CONTROLS
        and all(e.box.contains(end) for end in ends)
        and e.box.area > LEAST_AREA
    ]
    drawings = [e for e in holding if kind_of(e) in (Kind.IMAGE, Kind.SHAPE)]
    boxes = [e.box for e in drawings or holding if e.box is not None]
    return min(boxes or [view_box(desk)], key=lambda box: box.area)


def _right_angle(desk: Desk) -> Turns[str | None]:
    """A third point that makes a right angle with a line, at the end that it is joined to."""
    ends = _points(desk, 2)
    # The one that is told apart by its colour is more likely to be the corner.
    ends.sort(key=lambda figure: figure.colour.name in ("black", "grey"))
    spots = [centre(figure.box) for figure in ends]
    area = _area(desk, ends)
    for corner, end in (spots, spots[::-1]):
        at = on_perpendicular(corner, end, area)
        if at is None:
            continue
        made = yield from mark(desk, (at.x, at.y), "a right angle with the line that is there")
        if _is_line(desk, made, corner) or not _is_line(desk, made, end):
            return None
    return None


def _bisect(desk: Desk) -> Turns[str | None]:
    """A line from the corner of an angle that halves it."""
    figures = _points(desk, 3)
    points = [centre(figure.box) for figure in figures]
    corners = [
        p for p in points if all(_is_line(desk, p, other) for other in points if other is not p)
    ]
    if len(corners) != 1:
        raise Missed(f"{len(corners)} of the points are joined to both others, not one")
    corner = corners[0]
    one, other = (p for p in points if p is not corner)
    at = on_bisector(corner, one, other, _area(desk, figures))
    if at is None:
        raise Missed("there is no room for a line that halves the angle")
    start = Place(round(corner[0]), round(corner[1]))
    before = marks(desk)
    yield from desk.do(Drag(drag_path(start, at), seconds=0.4), why="halve the angle")
    if marks(desk) - before or _is_line(desk, corner, (at.x, at.y)):
        yield from settle(desk, (at.x, at.y), before)
    else:
        yield from mark(desk, (at.x, at.y), "a line is not drawn by dragging: click its end")
    return None


def _is_line(desk: Desk, one: Spot, other: Spot) -> bool:
    """Whether something is drawn all the way from one point to another."""
    view = desk.seen.view
    if view is None:
        return False
    from carrel.perception.colours import crop, most_common, rim

    x, y = int(min(one[0], other[0])), int(min(one[1], other[1]))
    width, height = (int(abs(a - b)) for a, b in zip(one, other, strict=True))
    box = Box(x - 8, y - 8, width + 16, height + 16)
    ground_colour = most_common(rim(crop(view.pixels, box))).astype(int)
    length = max(1, round(math.dist(one, other)))
    inked = 0
    steps = range(6, length - 5)
    for at in steps:
        part = at / length
        here_x = round(one[0] + (other[0] - one[0]) * part - 0.5)
        here_y = round(one[1] + (other[1] - one[1]) * part - 0.5)
        near = view.pixels[max(0, here_y - 1) : here_y + 2, max(0, here_x - 1) : here_x + 2]
        inked += bool(abs(near.astype(int) - ground_colour).max() > 48)
    return bool(len(steps)) and inked >= INKED * len(steps)
