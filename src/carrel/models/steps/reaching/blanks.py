"""Places where there is nothing: what is clicked to reach what a pane itself offers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.shown.front import in_window, window_in_front
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.colours import crop, is_plain

__all__ = ["blank_spot", "is_blank"]

STEP = 16
"""Pixels between the points that are tried."""
ROOM = 12
"""Pixels around such a point in which there is nothing."""
WHOLE = 0.4
"""Share of a pane from which on something is a part of it, and nothing that stands in it."""
_BLANK = re.compile(
    r"(?:(?:the|an?|some|any)\s+)?(?:(?:empty|blank|free|unused)\s+(?:area|space|spot|part|place|"
    r"region|background|room)|background)(?:\s+(?:of|in|inside|within|on)\s+(?P<in>.+))?|"
    r"(?:(?P<zh>\S.*?)(?:里面|里|中|内|上)?的?)?(?:任意|任何)?(?:一[处块]|某处)?空白(?:处|区域?|地方|位置|部分)?",
    re.IGNORECASE,
)
_PANES = frozenset(
    {
        "directory pane",
        "layered pane",
        "scroll pane",
        "viewport",
        "list",
        "list box",
        "table",
        "tree",
        "tree table",
    }
    | {"text", "document frame", "document text", "drawing area", "canvas", "desktop frame"}
)
_WINDOW = re.compile(
    r"(?:the\s+)?(?:window|screen|page|(?:file )?manager)|(?:窗口|页面|屏幕|文件管理器)",
    re.IGNORECASE,
)


def is_blank(phrase: str) -> bool:
    """Whether a phrase means a place where there is nothing."""
    return _BLANK.fullmatch(phrase.strip()) is not None


def blank_spot(desk: Desk, phrase: str) -> Turns[Point]:
    """A point in the pane that is meant, or in the largest one of the window in front.

    Raises:
        Missed: There is no such pane, or it is full.
    """
    found = _BLANK.fullmatch(phrase.strip())
    where = (found["in"] or found["zh"] or "").strip() if found is not None else ""
    shown, pane = yield from _pane(desk, where)
    yield from desk.closer()
    at = _free(desk, shown, pane)
    if at is None:
        raise Missed(f"nothing of {where or 'the pane in front'} is empty")
    return at


def _pane(desk: Desk, where: str) -> Turns[tuple[Sequence[Element], Box]]:
    if where and not _WINDOW.fullmatch(where):
        extent = extent_of(desk, where)
        if extent is not None:
            return desk.elements, extent.box
    page = web_page(desk.elements)
    if page is not None and page.box is not None:
        return desk.elements, page.box
    window = yield from window_in_front(desk)
    if window is None:
        raise Missed("no window is in front that could have an empty place")
    inner = in_window(desk.elements, window)
    panes = [e.box for e in inner if e.role in _PANES and e.box is not None]
    pane = max(panes, key=lambda box: box.area, default=window.box)
    return inner or desk.elements, pane.intersect(window.box) or window.box


def _free(desk: Desk, shown: Sequence[Element], pane: Box) -> Point | None:
    """The empty point that is next to the middle of a pane."""
    most = pane.area * WHOLE
    drawn = [e for e in desk.elements if e.source not in ("tree", "browser")]
    taken = [e.box for e in (*shown, *drawn) if e.box is not None and 0 < e.box.area < most]
    view = desk.seen.view
    pixels = None if view is None else view.pixels
    for at in sorted(_grid(pane), key=lambda point: _from_middle(pane, point)):
        around = Box(at.x - ROOM, at.y - ROOM, 2 * ROOM, 2 * ROOM)
        if any(box.intersect(around) is not None for box in taken):
            continue
        if pixels is None or is_plain(crop(pixels, around)):
            return at
    return None


def _grid(pane: Box) -> Iterator[Point]:
    for y in range(pane.y + STEP, pane.bottom - STEP, STEP):
        for x in range(pane.x + STEP, pane.right - STEP, STEP):
            yield Point(x, y)


def _from_middle(pane: Box, point: Point) -> int:
    return abs(point.x - pane.center.x) + abs(point.y - pane.center.y)
