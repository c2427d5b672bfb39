"""Options of a drop-down that are in further menus of its list."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.actions import Click, Move
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.find import Match
from carrel.perception.roles import Kind, kind_of

__all__ = ["come_to_nested"]

_ITEMS = (Kind.OPTION, Kind.MENU_ITEM)
COMING = (0.0, 0.2, 0.4)
"""Seconds between looks for what a menu of the list opens."""


def come_to_nested(desk: Desk, combo: Element, option: str) -> Turns[Match | None]:
    """An option that a further menu of an open list has, once that is open; None of others.

    Which menu it is in, the program tells before any of them is open.
    """
    yield from desk.again(0, why=f"what the menus of {named(combo)} have", hidden=True)
    way = _way_to(desk.unseen, option)
    for title in way:
        found = yield from _coming(desk, title.name)
        if found is None or found.box is None:
            return None
        at = found.box.center
        why = f"{named(found)} of the list has {option}"
        yield from desk.do(Move(at.x, at.y), Click(at.x, at.y), why=why, commits=False)
    if not way:
        return None
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why=f"{option} may still come up")
        options = [e for e in desk.elements if kind_of(e) in _ITEMS and e.box is not None]
        match = resolve(desk, look_for(desk, wished(option, _ITEMS), options))
        if match is not None:
            return match
    return None


def _way_to(elements: Sequence[Element], option: str) -> list[Element]:
    """The menus that lead to the one option of a name, the outermost first.

    The list of an open drop-down may be a window of its own; what a menu bar has is none of it.
    """
    tree = Lineage(elements)
    ways: list[list[Element]] = []
    for item in elements:
        if kind_of(item) not in _ITEMS or fold(item.name) != fold(option.strip("\"“”'")):
            continue
        above = tree.above(item)
        titles = [e for e in reversed(above) if kind_of(e) is Kind.MENU and e.name.strip()]
        if titles and all(e.role != "menu bar" for e in above):
            ways.append(titles)
    return ways[0] if len(ways) == 1 else []


def _coming(desk: Desk, name: str) -> Turns[Element | None]:
    """The title of a menu that is in sight, once it is."""
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why=f"{name} may still come up")
        kinds = (Kind.MENU, Kind.MENU_ITEM)
        shown = [e for e in desk.elements if kind_of(e) in kinds and e.box and e.name == name]
        if len(shown) == 1:
            return shown[0]
    return None
