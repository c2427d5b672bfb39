"""Menus, from the bar down to the item that is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Key, Move
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, loosened, resolve, wished
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.reaching.drawn_menus import drawn_item, drawn_title
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import new_items
from carrel.perception.find import Match
from carrel.perception.roles import Kind, kind_of

__all__ = ["follow", "opens_menu"]

_ITEMS = (Kind.MENU_ITEM, Kind.MENU, Kind.CHECKBOX, Kind.RADIO)

_NOUN = r"mode|view|option|entry|item|menu item|command|layout|theme|style"
EDGE = 6
"""Pixels by which a submenu may overlap the item it belongs to."""


def opens_menu(element: Element) -> bool:
    """Whether options that are chosen from it are items of a menu; some call its title an item."""
    return kind_of(element) in (Kind.MENU, Kind.MENU_ITEM)


def follow(desk: Desk, path: tuple[str, ...]) -> Turns[None]:
    """Through menus, by pointing at each of a path and clicking the last.

    Raises:
        Missed: A menu does not have it; what is beside the menu is never taken for it.
    """
    last: Element | None = None
    before: tuple[Element, ...] = ()
    for number, item in enumerate(path):
        if last is None:
            match = _in_bar(desk, item) or (yield from drawn_title(desk, item))
            if match is None:
                match = yield from ground(desk, item, (Kind.MENU,), loose=True)
        else:
            match = yield from _item(desk, last, item, before)
        at = match.point
        final = number == len(path) - 1
        pointed = number > 0 or _opens_by_pointing(match.element)
        way = _way(last.box if last is not None else None, match.element.box, at)
        if not pointed or final:
            way = (*way, Click(at.x, at.y))
        before = desk.elements
        yield from desk.do(
            *way, why=f"{named(match.element)} of the menu", last=final, commits=final
        )
        if not final and pointed and not new_items(desk.elements, before, match.element):
            yield from _open_submenu(desk, match.element, before)
        last = match.element
    yield from desk.effect()


def _in_bar(desk: Desk, phrase: str) -> Match | None:
    """The title in a menu bar, which others beside the bar may be named alike."""
    bars = {e.id for e in _bars(desk)}
    titles = [e for e in desk.elements if e.parent in bars and e.box is not None and e.name]
    wish = wished(phrase)
    return resolve(desk, look_for(desk, loosened(wish), titles)) if titles else None


def _bars(desk: Desk) -> list[Element]:
    """The menu bars; where the window that has the keyboard has one, that one alone."""
    bars = [e for e in desk.elements if e.role == "menu bar"]
    front = [e for e in desk.elements if e.parent is None and "active" in e.states]
    own = lineage_of(desk.elements).inside(front[0]) if len(front) == 1 else frozenset()
    return [e for e in bars if e.id in own] or bars


def _item(desk: Desk, menu: Element, phrase: str, before: tuple[Element, ...]) -> Turns[Match]:
    """An item of what came up when a menu was opened."""
    new: list[Element] = []
    for pause in (0.0, 0.3, 0.6):
        if pause:
            yield from desk.again(pause, why=f"{phrase} is not there yet")
        new = [e for e in new_items(desk.elements, before, menu) if e.box is not None]
        new = [e for e in new if kind_of(e) in _ITEMS and e.name.strip()]
        match = resolve(desk, look_for(desk, wished(phrase, _ITEMS), new)) if new else None
        if match is None and new:
            match = resolve(desk, look_for(desk, loosened(wished(phrase)), new))
        match = match or _but_its_noun(menu, phrase, new)
        if match is not None:
            return match
    if new and menu.source not in ("ocr", "detector"):
        yield from desk.do(Key(("escape",)), Key(("escape",)), why="not there: close the menu")
        listed = ", ".join(e.name.strip() for e in new[:12])
        raise Missed(f"the menu {menu.name} has no {phrase}; it has: {listed}")
    # It tells nothing of what is in it: the pixels do.
    if menu.source == "ocr":
        yield from desk.closer()
        if (drawn := drawn_item(desk, phrase, before)) is not None:
            return drawn
    match = yield from ground(desk, phrase, (Kind.MENU_ITEM,), reveal=False, loose=True)
    if menu.source == "ocr" and _is_more(match.element, phrase):
        raise Missed(f"{named(match.element)} may be several items of the menu {menu.name}")
    return match


def _is_more(element: Element, phrase: str) -> bool:
    """Whether a shape has other words than the item that is meant: it may be all of a menu."""
    own = len(fold(phrase).split())
    return element.source == "detector" and len(fold(element.name).split()) > own


def _but_its_noun(menu: Element, phrase: str, items: Sequence[Element]) -> Match | None:
    """`the advanced mode` of a menu Mode that has `Advanced`: the noun is what all of them are."""
    said = re.fullmatch(
        rf"(?:the\s+)?(?P<name>.+?)\s+(?P<noun>{_NOUN}|\w+)", phrase.strip(), re.IGNORECASE
    )
    if said is None:
        return None
    own = fold(menu.name).rstrip("s") == fold(said["noun"]).rstrip("s")
    if not own and re.fullmatch(_NOUN, said["noun"], re.IGNORECASE) is None:
        return None
    name = fold(said["name"].strip("\"“”'"))
    fitting = [e for e in items if fold(e.name.strip().rstrip(".…")) == name]
    if len(fitting) != 1 or fitting[0].box is None:
        return None
    return Match(fitting[0], 1.0, fitting[0].box.center, f"what the menu calls {said['noun']}")


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
