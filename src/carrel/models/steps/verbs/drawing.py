"""Drawing with the pointer: lines and circles."""

from __future__ import annotations

import math

from carrel.actions import Drag
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Draw
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.panes import view_box
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.dragging import drag_path

__all__ = ["draw"]


def draw(desk: Desk, step: Draw) -> Turns[str | None]:
    """Draw a line or a circle with the pointer."""
    if step.where is not None:
        match = yield from ground(desk, step.where)
        at, area = match.point, _canvas(desk, match.point, match.element.box)
    else:
        area = _canvas(desk, view_box(desk).center, None)
        at = area.center
    yield from desk.do(Drag(_figure(step, at, area), seconds=0.6), why=step.what, last=True)
    yield from desk.effect()
    return None


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
