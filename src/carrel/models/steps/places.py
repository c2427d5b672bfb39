"""A part of the screen that was named: what is in it, beyond its edge, or behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.ground import Wish, ground, look_for, resolve
from carrel.models.steps.reveal import bring_into_view
from carrel.models.steps.turns import Turns

if TYPE_CHECKING:
    from carrel.perception._search import Want
    from carrel.perception.find import Match

__all__ = ["search_place", "stay_in"]

MOST_OF_SCREEN = 0.6
"""What is larger than this share of the screen is no part of it."""


def stay_in(desk: Desk, phrase: str) -> Turns[None]:
    """Look only in a part of the screen from now on, until `desk.place` is taken away."""
    match = yield from ground(desk, phrase, want="hold")
    inner = match.element.box or Box(match.point.x, match.point.y, 1, 1)
    most = MOST_OF_SCREEN * desk.size.width * desk.size.height
    around = {e.box for e in desk.elements if e.box and within(inner, e.box) and e.box.area < most}
    areas = sorted({inner, *around}, key=lambda box: box.area)
    desk.place = Place(phrase, tuple(areas), match.point)
    desk.worked = inner


def search_place(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """What is not in sight at a place: beyond its edge, in its menu, or behind it."""
    for way in (_beyond_edge, _in_its_menu, _behind):
        match = yield from way(desk, wish, want)
        if match is not None:
            return match
    return None


def _beyond_edge(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """A part of the place may be out of sight: scroll it in, and the place moves along."""
    place = desk.place
    assert place is not None
    yield from desk.again(0, why=f"whether {wish.phrase} is beyond an edge", hidden=True)
    for area in place.areas:
        listed = [e for e in desk.unseen if within(e.box, area) and e.box != place.areas[0]]
        match = resolve(desk, look_for(desk, wish, listed, want=want)) if listed else None
        if match is None or match.element.box is None:
            continue
        before = match.element.box
        if not (yield from bring_into_view(desk, match.element)):
            return None
        desk.place = _moved(place, before, _now(desk, match.element, before))
        return resolve(desk, look_for(desk, wish, want=want))
    return None


def _now(desk: Desk, element: Element, before: Box) -> Box:
    """Where it is after scrolling: in the same column, and of the same kind and name."""
    alike = [
        e.box
        for e in desk.unseen
        if (e.role, e.name) == (element.role, element.name) and e.box and e.box.x == before.x
    ]
    seen = [box for box in alike if any(box == e.box for e in desk.elements)]
    return min(seen or alike, key=lambda box: abs(box.y - before.y), default=before)


def _moved(place: Place, before: Box, now: Box) -> Place:
    dx, dy = now.x - before.x, now.y - before.y
    areas = tuple(Box(a.x + dx, a.y + dy, a.width, a.height) for a in place.areas)
    return replace(place, areas=areas, at=Point(max(0, place.at.x + dx), max(0, place.at.y + dy)))


def _in_its_menu(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """Further choices of an entry are in the menu that it has for them."""
    from carrel.models.steps.verbs.controls import more_of

    more = more_of(desk)
    if more is None or more.box is None:
        return None
    place, desk.place = desk.place, None
    at, before = more.box.center, {(e.role, e.name, e.box) for e in desk.elements}
    why = f"{wish.phrase} may be in the menu"
    yield from desk.do(Click(at.x, at.y), why=why, commits=False)
    for pause in (0.0, 0.3):
        if pause:
            yield from desk.again(pause, why="a menu may take a moment to open")
        new = [e for e in desk.elements if (e.role, e.name, e.box) not in before]
        match = resolve(desk, look_for(desk, wish, new, want=want)) if new else None
        if match is not None:
            return match
    desk.place = place
    yield from desk.do(Click(at.x, at.y), why="not there: close it", commits=False)
    return None


def _behind(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """What is not next to a thing may be behind it: open it, and look everywhere."""
    place = desk.place
    assert place is not None
    why = f"{wish.phrase} is not at {place.phrase}: open it"
    desk.place = None
    yield from desk.do(Click(place.at.x, place.at.y), why=why, commits=False)
    desk.tried.append(f"opened {place.phrase}")
    return resolve(desk, look_for(desk, wish, want=want))
