"""Menus, from the bar down to the item that is meant."""

from __future__ import annotations

from carrel.actions import Action, Click, Move
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import new_items
from carrel.perception.roles import Kind, kind_of

__all__ = ["follow"]

EDGE = 6
"""Pixels by which a submenu may overlap the item it belongs to."""


def follow(desk: Desk, path: tuple[str, ...]) -> Turns[None]:
    """Through menus, by pointing at each of a path and clicking the last."""
    last: Box | None = None
    for number, item in enumerate(path):
        kinds = (Kind.MENU,) if number == 0 else (Kind.MENU_ITEM,)
        match = yield from ground(desk, item, kinds, reveal=number == 0, loose=True)
        at = match.point
        final = number == len(path) - 1
        pointed = number > 0 or _opens_by_pointing(match.element)
        way = _way(last, match.element.box, at)
        if not pointed or final:
            way = (*way, Click(at.x, at.y))
        before = desk.elements
        yield from desk.do(
            *way, why=f"{named(match.element)} of the menu", last=final, commits=final
        )
        if not final and pointed and not new_items(desk.elements, before, match.element):
            yield from _open_submenu(desk, match.element, before)
        last = match.element.box
    yield from desk.effect()


def _opens_by_pointing(element: Element) -> bool:
    """Whether it is an item of a menu that is open already, with a submenu of its own."""
    return kind_of(element) is Kind.MENU_ITEM and "has popup" in element.states


def _way(start: Box | None, item: Box | None, to: Point) -> tuple[Action, ...]:
    """Down from a bar, across into what opened beside: meeting another item closes a menu."""
    if start is None or item is None or start.center.x == to.x:
        return (Move(to.x, to.y),)
    beside = item.x >= start.right - EDGE or item.right <= start.x + EDGE
    corner = Move(to.x, start.center.y) if beside else Move(start.center.x, to.y)
    return (corner, Move(to.x, to.y))


def _open_submenu(desk: Desk, item: Element, before: tuple[Element, ...]) -> Turns[None]:
    yield from desk.again(0.4, why="a submenu may take a moment to open")
    if not new_items(desk.elements, before, item):
        assert item.box is not None
        at = item.box.center
        yield from desk.do(Click(at.x, at.y), why=f"open {named(item)} by a click", commits=False)
