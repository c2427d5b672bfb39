"""What belongs to a place and is not in sight: beyond its edge, in its menu, or behind it."""

from __future__ import annotations

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.controls import is_more, more_of
from carrel.models.steps.finding.wishes import Wish, look_for, loosened, resolve
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.shown.panes import bring_into_view, scroll_along
from carrel.models.steps.turns import Turns
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.roles import FIELDS, TICKED, Kind, kind_of

__all__ = ["search_place"]

_PRESSED = frozenset(TICKED | FIELDS | {Kind.BUTTON, Kind.COMBO, Kind.SLIDER, Kind.MENU_ITEM})
_OPEN_ALREADY = frozenset({Kind.DIALOG, Kind.WINDOW, Kind.PAGE, Kind.LIST, Kind.TREE, Kind.TABLE})
MENU = 300
"""Pixels that a menu may be high."""


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
    further = _further_choices(desk, place.at) if more_of(desk) is None else None
    if further is not None:
        # What it has for further choices may be beyond the edge as well.
        yield from scroll_along(desk, further)
    return None


def _further_choices(desk: Desk, at: Point) -> Element | None:
    """What opens further choices, in the smallest part around a spot that has any: one alone."""
    tree = lineage_of(tuple(desk.unseen))
    here = [e for e in desk.unseen if e.box is not None and e.box.contains(at)]
    inner = min(here, key=lambda e: e.box.area if e.box else 0, default=None)
    for holder in tree.above(inner) if inner is not None else ():
        found = [e for e in tree.below(holder) if is_more(e)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _in_its_menu(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """Further choices of an entry are in the menu that it has for them."""
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
    here = [e for e in desk.elements if e.box is not None and e.box.contains(place.at)]
    whole = [e for e in here if e.box == place.areas[0] and kind_of(e) in _OPEN_ALREADY]
    if whole or any(kind_of(e) in _PRESSED for e in here):
        # A click there does something, or nothing; it opens nothing.
        return None
    why = f"{wish.phrase} is not at {place.phrase}: open it"
    before = {(e.role, e.name) for e in desk.elements}
    yield from desk.do(Click(place.at.x, place.at.y), why=why, commits=False)
    if {(e.role, e.name) for e in desk.elements} <= before:
        yield from desk.again(0.3, why="it may take a moment to open")
    if {(e.role, e.name) for e in desk.elements} <= before:
        # It opened nothing: what else is there was not at that place before, either.
        return None
    desk.place = None
    desk.tried.append(f"opened {place.phrase}")
    return resolve(desk, look_for(desk, wish, want=want))
