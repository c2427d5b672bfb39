"""Where the wheel can be turned without changing anything: sliders and calendars take it, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.layout.chrome import web_page
from carrel.perception.roles import Kind, kind_of

__all__ = ["free_spot", "is_turned", "turned_controls"]

MARGIN = 6
"""Pixels around a control in which it may still take the wheel."""
EDGE = 8
"""Pixels from the edge of a pane, where least stands in it."""
_KINDS = frozenset({Kind.SLIDER, Kind.SPINNER, Kind.COMBO, Kind.TAB})
_ROLES = frozenset({"calendar", "dial", "color chooser", "scale"})
_PARTS = (0.5, 0.25, 0.75, 0.1, 0.9)
"""Where in a pane spots are looked for, as shares of its width and its height."""


def turned_controls(elements: Sequence[Element]) -> list[Box]:
    """Where the controls are that a turn of the wheel changes: those of programs, not of pages."""
    page = web_page(elements)
    inner = page.box if page is not None else None
    return [
        e.box
        for e in elements
        if e.box is not None and (e.role in _ROLES or kind_of(e) in _KINDS) and e.box.area > 0
        if inner is None or not inner.contains(e.box.center)
    ]


def is_turned(at: Point, controls: Sequence[Box]) -> bool:
    """Whether a turn of the wheel there would change one of them."""
    return any(_around(box).contains(at) for box in controls)


def free_spot(pane: Box, controls: Sequence[Box], at: Point) -> Point | None:
    """Where the wheel turns a pane and nothing in it: best where nothing in it comes by, either.

    Args:
        pane: What is scrolled.
        controls: What must not be turned.
        at: Where it would be turned if nothing were in the way.

    Returns:
        None where everything is in the way.
    """
    held = [box for box in controls if pane.intersect(box) is not None and box != pane]
    if not held:
        return at
    spots = [at, *_spots(pane)]
    clear = [s for s in spots if not any(_is_along(s, box) for box in held)]
    free = clear or [s for s in spots if not is_turned(s, held)]
    return free[0] if free else None


def _spots(pane: Box) -> Iterator[Point]:
    columns = [pane.x + int(part * pane.width) for part in _PARTS]
    for x in (*columns, pane.x + EDGE, pane.right - 3 * EDGE):
        for part in _PARTS:
            yield Point(x, pane.y + int(part * pane.height))


def _is_along(at: Point, box: Box) -> bool:
    """Whether a control comes to lie there while the pane is scrolled."""
    return box.x - MARGIN <= at.x <= box.right + MARGIN


def _around(box: Box) -> Box:
    x, y = max(0, box.x - MARGIN), max(0, box.y - MARGIN)
    return Box(x, y, box.right + MARGIN - x, box.bottom + MARGIN - y)
