"""Panels for a time of day that are made of lists: one of hours, one of minutes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.shown.said_rows import list_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.clocks import came_up, check_time, end_of_panel
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["by_lists"]

SEVERAL = 3
"""How many numbers a list has at least."""
_ENTRIES = frozenset({Kind.OPTION, Kind.TEXT, Kind.BUTTON, Kind.CELL, Kind.MENU_ITEM})
_PARTS = ("hour", "minute", "second")
_MOST = {"hour": 23, "minute": 59, "second": 59}


def by_lists(desk: Desk, field: Element, iso: str, before: Sequence[Element]) -> Turns[bool]:
    """Take a time from the lists that a field has opened; False where there are none.

    Raises:
        Missed: A list has no such number, or the field does not say that time afterwards.
    """
    if "read only" not in field.states and "editable" in field.states:
        return False
    if not came_up(desk, field, before) or web_page(desk.elements) is None:
        return False
    yield from desk.again(0, why="the lists that came up", hidden=True)
    columns = _columns(desk, before)
    if len(columns) not in (2, 3):
        return False
    numbers = [int(one) for one in iso.split(":")]
    numbers += [0] * (len(columns) - len(numbers))
    wanted = dict(zip(_PARTS, numbers, strict=False))
    for part, column in zip(_PARTS, columns, strict=False):
        if max(column) > _MOST[part] or wanted[part] not in column:
            raise Missed(f"{named(field)} offers no {part} {wanted[part]:02}")
    for at, part in enumerate(_PARTS[: len(columns)]):
        yield from _take(desk, before, at, wanted[part])
    end = end_of_panel(desk, field, before)
    if end is not None and end.box is not None:
        at_end = end.box.center
        why = f"finish with {named(end)}"
        yield from desk.do(Click(at_end.x, at_end.y), why=why, last=True)
    yield from check_time(desk, field, iso)
    return True


def _columns(desk: Desk, before: Sequence[Element]) -> list[dict[int, Element]]:
    """The lists of numbers that came up, from left to right; also what is out of sight of them."""
    known = {(e.role, e.name, e.box) for e in before}
    tree = Lineage(desk.unseen)
    found: dict[str, dict[int, Element]] = {}
    for entry in tree.elements:
        if kind_of(entry) not in _ENTRIES or entry.box is None or not entry.box.area:
            continue
        if not re.fullmatch(r"\d{1,2}", written_on(entry)):
            continue
        if (entry.role, entry.name, entry.box) not in known:
            found.setdefault(list_of(tree, entry), {})[int(written_on(entry))] = entry
    lists = [column for column in found.values() if len(column) >= SEVERAL]
    return sorted(lists, key=_left)


def _left(column: dict[int, Element]) -> int:
    return min(e.box.x for e in column.values() if e.box is not None)


def _take(desk: Desk, before: Sequence[Element], at: int, number: int) -> Turns[None]:
    """Click a number of a list, where it is by now."""
    columns = _columns(desk, before)
    if at >= len(columns) or number not in columns[at]:
        raise Missed(f"{number:02} is not there any more")
    yield from bring_into_view(desk, columns[at][number])
    yield from desk.again(0.1, why=f"where {number:02} is now", hidden=True)
    columns = _columns(desk, before)
    entry = columns[at].get(number) if at < len(columns) else None
    if entry is None or entry.box is None:
        raise Missed(f"{number:02} is not there any more")
    point = entry.box.center
    yield from desk.do(Click(point.x, point.y), why=f"{number:02} of its list", commits=False)
    yield from desk.again(0.2, why="the list may move", hidden=True)
