"""A part of the screen that was named: what is in it, beyond its edge, or behind it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.ground import Wish, ground, is_there, look_for, loosened, resolve, wished
from carrel.models.steps.later import number_of, same_one
from carrel.models.steps.reveal import bring_into_view
from carrel.models.steps.turns import Turns

if TYPE_CHECKING:
    from carrel.perception.description import Want
    from carrel.perception.find import Match

__all__ = ["scroll_along", "search_place", "stay_in"]

_WHOLE = re.compile(
    r"(?:the|this|that|my|your|our|an?) (?:[\w-]+ ){0,2}"
    r"(?:book|inbox|mailbox|directory|catalog(?:ue)?|list|page|website|site|app|application|"
    r"program|screen|editor|terminal|console|calendar|feed|timeline|menu|form|table|document|"
    r"window|store|shop|game|map|database|system)(?: (?:below|above|here|shown))?",
    re.IGNORECASE,
)
"""Words for something as a whole, which seldom stand on it."""
MENU = 300
"""Pixels that a menu may be high."""
MOST_OF_SCREEN = 0.6
"""What is larger than this share of the screen is no part of it."""


def stay_in(desk: Desk, phrase: str) -> Turns[None]:
    """Look only in a part of the screen from now on, until `desk.place` is taken away."""
    if _WHOLE.fullmatch(phrase.strip()):
        wish = wished(phrase)
        known = resolve(desk, look_for(desk, wish, want="hold"))
        if known is None and not is_there(look_for(desk, wish, want="hold")):
            # The screen does not say it of a part of it: it is all of what is shown.
            return
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
        if match is not None:
            yield from scroll_along(desk, match.element)
            return resolve(desk, look_for(desk, wish, want=want))
    return None


def scroll_along(desk: Desk, element: Element) -> Turns[None]:
    """Bring an element into sight; the place that the step is about moves with it."""
    before, number = element.box, number_of(desk.unseen, element)
    yield from bring_into_view(desk, element)
    now = same_one(desk.unseen, element, number)
    if now is None or now.box is None or before is None:
        return
    dx, dy = now.box.x - before.x, now.box.y - before.y
    desk.place = _moved(desk.place, dx, dy) if desk.place is not None else None
    desk.worked = _shifted(desk.worked, dx, dy) if desk.worked is not None else None


def _shifted(box: Box, dx: int, dy: int) -> Box:
    return Box(box.x + dx, box.y + dy, box.width, box.height)


def _moved(place: Place, dx: int, dy: int) -> Place:
    areas = tuple(_shifted(area, dx, dy) for area in place.areas)
    return replace(place, areas=areas, at=Point(max(0, place.at.x + dx), max(0, place.at.y + dy)))


def _in_its_menu(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """Further choices of an entry are in the menu that it has for them."""
    from carrel.models.steps.verbs.controls import more_of

    more = more_of(desk)
    if more is None or more.box is None:
        return None
    place, desk.place = desk.place, None
    at, before = more.box.center, {(e.role, e.name, e.box) for e in desk.elements}
    new: list[Element] = []
    for pause in (0.0, 0.3, 0.0, 0.3):
        if pause:
            yield from desk.again(pause, why="a menu may take a moment to open")
        else:
            # Some only react to a pointer that is there already: once more, then.
            why = f"{wish.phrase} may be in the menu"
            yield from desk.do(Click(at.x, at.y), why=why, commits=False)
        new = [e for e in desk.elements if (e.role, e.name, e.box) not in before]
        if not any(e.name or e.text for e in new):
            continue
        match = resolve(desk, look_for(desk, wish, new, want=want))
        match = match or resolve(desk, look_for(desk, loosened(wish), new, want=want))
        if match is not None:
            return match
    match = (yield from _further_down(desk, loosened(wish), at)) if new else None
    if match is None and new:
        yield from desk.do(Click(at.x, at.y), why="not there: close it", commits=False)
    desk.place = place if match is None else None
    return match


def _further_down(desk: Desk, wish: Wish, at: Point) -> Turns[Match | None]:
    """A menu that came up may go on beyond the edge of what holds it."""
    yield from desk.again(0, why="the rest of the menu", hidden=True)
    near = [e for e in desk.unseen if e.box and abs(e.box.center.y - at.y) < MENU and e.box.area]
    match = resolve(desk, look_for(desk, wish, near)) if near else None
    if match is None:
        return None
    yield from bring_into_view(desk, match.element)
    return resolve(desk, look_for(desk, wish))


def _behind(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """What is not next to a thing may be behind it: open it, and look everywhere."""
    place = desk.place
    assert place is not None
    why = f"{wish.phrase} is not at {place.phrase}: open it"
    desk.place = None
    yield from desk.do(Click(place.at.x, place.at.y), why=why, commits=False)
    desk.tried.append(f"opened {place.phrase}")
    return resolve(desk, look_for(desk, wish, want=want))
