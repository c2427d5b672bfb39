"""The panes of a window that scroll: which there are, which is meant, and looking through them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from carrel.actions import Scroll
from carrel.frames import Element, Window
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.wheel_spots import free_spot, is_turned, turned_controls
from carrel.models.steps.shown.front import not_behind
from carrel.models.steps.shown.panes import view_box
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match

__all__ = ["Pane", "look_through", "pane_meant", "scrolling_panes"]

NOTCHES = 5
LIMIT = 25
"""Turns of the wheel in one direction while something is looked for."""
LEAST = 60
"""Pixels that a pane is wide and high at least."""
MOST = 4
"""Panes that are looked through in one search."""
STILL = 0.2
"""Seconds in which nothing changes that does not move by itself."""
_PANES = ("scroll pane", "viewport", "list", "list box", "tree", "tree table", "table")
_NOUN = (
    r"(?:(?:navigation|scroll(?:able|ing)?|tool|file|folder|main|long|whole|content)[ -]?)*"
    r"(?:list(?: ?box)?|pane(?:l)?|sidebar|side ?bar|area|column|tree(?: view)?|table|menu|"
    r"navigation|half|part|frame|section)"
)
_SIDE = r"(?P<side>left|right|top|upper|bottom|lower|middle|central)"
_SIDES = (
    re.compile(rf"(?:the )?{_SIDE}(?:[- ]?(?:hand|most))?(?: side)? {_NOUN}", re.IGNORECASE),
    re.compile(
        rf"(?:the )?{_NOUN} (?:on|at|to|in) the {_SIDE}(?:[- ]hand)?(?: side)?"
        r"(?: of the (?:window|screen|page|dialog))?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<side>左|右|上|下|中间|顶部|底部)(?:侧|边|方|面|部)?的?"
        r"(?:列表|面板|窗格|侧栏|栏|区域|树|表格|目录|导航栏?|菜单)"
    ),
)
_SIDEBAR = re.compile(r"(?:the )?side ?bar|(?:the )?navigation pane|侧边?栏", re.IGNORECASE)
_ONLY = re.compile(rf"(?:the |this |that )?{_NOUN}|列表|面板|窗格|表格|树", re.IGNORECASE)
_AWAY: dict[str, Callable[[Box], int]] = {
    "left": lambda box: box.center.x,
    "right": lambda box: -box.center.x,
    "top": lambda box: box.center.y,
    "bottom": lambda box: -box.center.y,
}
_SAME = {
    "upper": "top",
    "lower": "bottom",
    "左": "left",
    "右": "right",
    "上": "top",
    "顶部": "top",
    "下": "bottom",
    "底部": "bottom",
}


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the screen whose content moves by itself.

    Attributes:
        at: Where the wheel turns it, and nothing within it.
        told: What it is called in an account; empty for all that is there.
    """

    box: Box
    at: Point
    told: str = ""


def scrolling_panes(desk: Desk, windows: Sequence[Window] = ()) -> list[Pane]:
    """Each pane that has a bar to scroll it by, in the window in front; else all there is."""
    listed = not_behind(desk.elements, windows)
    above = {e.id: e for e in listed}
    boxes = list(dict.fromkeys(box for e in listed if (box := _scrolled_by(e, above, desk))))
    front = next((window.box for window in windows if window.focused), None)
    if front is not None:
        boxes = [box for box in boxes if front.contains(box.center)]
    controls = turned_controls(listed)
    if not boxes:
        at = view_box(desk).center
        whole = view_box(desk) if front is None or front.contains(at) else front
        spot = free_spot(whole, controls, whole.center)
        return [] if spot is None else [Pane(view_box(desk), spot)]
    named = len(boxes) > 1
    spots = [(box, free_spot(box, controls, _free(box, boxes))) for box in boxes]
    return [Pane(box, at, _told(box) if named else "") for box, at in spots if at is not None]


def _told(box: Box) -> str:
    return f"the pane at {box.center.x},{box.center.y}"


def _scrolled_by(bar: Element, above: dict[str, Element], desk: Desk) -> Box | None:
    """What an upright scroll bar scrolls, as far as it is in sight."""
    box = bar.box
    if bar.role != "scroll bar" or box is None or box.height < box.width or box.height < LEAST:
        return None
    outer = above.get(bar.parent or "")
    while outer is not None and outer.box is not None and outer.box.width < LEAST:
        outer = above.get(outer.parent or "")
    part = outer.box.intersect(view_box(desk)) if outer is not None and outer.box else None
    if part is None or outer is None or outer.role in ("frame", "window", "application"):
        return None
    return part if min(part.width, part.height) >= LEAST else None


def _free(box: Box, boxes: Sequence[Box]) -> Point:
    """A point in a pane that is not in another one within it."""
    inner = [b for b in boxes if b != box and box.contains(b.center) and b.area < box.area]
    across, along = box.width // 4, box.height // 4
    at = box.center
    spots = [
        at,
        *(Point(at.x + dx, at.y + dy) for dx in (-across, across) for dy in (-along, along)),
    ]
    edges = [Point(box.x + 12, at.y), Point(at.x, box.y + 12), Point(at.x, box.bottom - 12)]
    return next((s for s in (*spots, *edges) if not any(b.contains(s) for b in inner)), at)


def pane_meant(desk: Desk, words: str) -> Pane | None:
    """The pane that words about its side mean (“the list on the left”), or the only one."""
    panes = _listing(desk)
    if not panes:
        return None
    said = words.strip()
    found = next((match for side in _SIDES if (match := side.fullmatch(said))), None)
    if found is None:
        bar = _SIDEBAR.fullmatch(said)
        if bar is None or len(panes) < 2:
            return panes[0] if len(panes) == 1 and _ONLY.fullmatch(said) else None
        narrow = sorted(panes, key=lambda pane: pane.box.width)
        return narrow[0] if narrow[0].box.width < narrow[1].box.width else None
    side = _SAME.get(found["side"].casefold(), found["side"].casefold())
    away = _AWAY.get(side)
    if away is None:
        return None
    ranked = sorted(panes, key=lambda pane: away(pane.box))
    apart = len(ranked) > 1 and away(ranked[0].box) < away(ranked[1].box)
    return ranked[0] if apart or _is_at(ranked[0].box, view_box(desk), side) else None


def _listing(desk: Desk) -> list[Pane]:
    """Panes with a bar, else whatever holds a list, a tree or a table; outer ones only."""
    panes = [pane for pane in scrolling_panes(desk) if pane.box != view_box(desk)]
    boxes = [pane.box for pane in panes]
    lists = [
        e.box
        for e in desk.elements
        if e.role in _PANES and e.box is not None and min(e.box.width, e.box.height) >= LEAST
    ]
    for box in sorted(lists, key=lambda box: -box.area):
        if not any(other.contains(box.center) or box.contains(other.center) for other in boxes):
            boxes.append(box)
            panes.append(Pane(box, box.center, _told(box)))
    return panes


def _is_at(box: Box, whole: Box, side: str) -> bool:
    """Whether a pane that is alone lies at a side at all."""
    centre, middle = box.center, whole.center
    far = {"left": middle.x - centre.x, "right": centre.x - middle.x}
    far |= {"top": middle.y - centre.y, "bottom": centre.y - middle.y}
    return far[side] > 0


def look_through(
    desk: Desk,
    panes: Sequence[Pane],
    there: Callable[[], Match | None],
    way: tuple[int, int] = (0, 1),
) -> Turns[Match | None]:
    """Scroll one pane after the other until something is there; each goes back as far as it came.

    What was scrolled is told among what was tried, and only that.
    """
    for pane in panes[:MOST]:
        moved, match = 0, None
        for turn in (NOTCHES, -NOTCHES):
            dx, dy = way[0] * turn, way[1] * turn
            match, count = yield from _turned(desk, pane, dx, dy, there)
            moved += count
            if match is None and count:
                yield from _turned_back(desk, pane, -dx, -dy, count)
            if match is not None or (not count and turn < 0):
                break
        if moved:
            desk.tried.append(f"scrolled {pane.told or 'to the end'}")
        if match is not None:
            return match
    if not any(told.startswith("scrolled") for told in desk.tried):
        desk.tried.append("nothing scrolls")
    return None


def _turned_back(desk: Desk, pane: Pane, dx: int, dy: int, count: int) -> Turns[None]:
    """Scroll back as far as it came: at once, but for what the wheel would change on the way."""
    why = "not there: back to where it was"
    if not any(pane.box.intersect(box) for box in turned_controls(desk.elements)):
        back = Scroll(pane.at.x, pane.at.y, dx=dx * count, dy=dy * count)
        yield from desk.do(back, why=why, commits=False)
        return
    for _ in range(count):
        at = _now_free(desk, pane)
        if at is None:
            return
        yield from desk.do(Scroll(at.x, at.y, dx=dx, dy=dy), why=why, commits=False)


def _told_places(desk: Desk) -> list[tuple[str, str, Box | None]]:
    return [(e.role, e.name, e.box) for e in desk.elements]


def _moves_itself(desk: Desk) -> Turns[bool]:
    """Whether something changes that nobody turns: a bar that runs tells nothing of the wheel."""
    yield from desk.again(STILL, why="whether that moves by itself")
    return desk.changed


def _now_free(desk: Desk, pane: Pane) -> Point | None:
    """Where the wheel turns a pane by now: something may have come to lie under the pointer."""
    controls = turned_controls(desk.elements)
    return free_spot(pane.box, controls, pane.at) if is_turned(pane.at, controls) else pane.at


def _turned(
    desk: Desk, pane: Pane, dx: int, dy: int, there: Callable[[], Match | None]
) -> Turns[tuple[Match | None, int]]:
    """Turn the wheel until something is there or nothing moves; and how often it moved."""
    for count in range(LIMIT):
        at = _now_free(desk, pane)
        if at is None:
            return None, count
        wheel = Scroll(at.x, at.y, dx=dx, dy=dy)
        why = f"scroll on in {pane.told}" if pane.told else "scroll on"
        before = _told_places(desk)
        yield from desk.do(wheel, why=why, commits=False)
        if not desk.changed or (before == _told_places(desk) and (yield from _moves_itself(desk))):
            return None, count
        match = there()
        if match is None and not desk.elements and (yield from desk.closer()):
            match = there()
        if match is not None:
            return match, count + 1
    return None, LIMIT
