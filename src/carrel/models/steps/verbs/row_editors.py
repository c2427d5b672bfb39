"""Rows that are edited by a button of their own: in place, or in a dialog that it opens."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["edit_button", "heading_over", "open_row"]

_EDITS = re.compile(r"edit|modify|change|编辑|修改|更改", re.IGNORECASE)
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE})
COMING = (0.0, 0.3, 0.7)
"""Seconds between looks for what a row is edited in."""


def edit_button(desk: Desk, cell: Element) -> Element | None:
    """The one control by which the row of a cell is edited; None where it has none, or several."""
    row = entry_of(desk.elements, cell)
    if row is None or kind_of(row) is not Kind.ROW:
        return None
    held = lineage_of(desk.elements).below(row)
    found = [
        e
        for e in held
        if kind_of(e) in _PRESSED and e.box is not None and not is_disabled(e)
        if _EDITS.fullmatch(written_on(e).strip())
    ]
    places = {e.box: e for e in found}
    return next(iter(places.values())) if len(places) == 1 else None


def heading_over(desk: Desk, cell: Element) -> str:
    """What the column of a cell is called; empty where nothing says it."""
    assert cell.box is not None
    middle = cell.box.center.x
    heads = [
        written_on(e).strip()
        for e in desk.elements
        if kind_of(e) is Kind.COLUMN and e.box is not None and e.box.x <= middle < e.box.right
    ]
    return heads[0] if len(set(heads)) == 1 else ""


def open_row(desk: Desk, cell: Element, button: Element) -> Turns[Element | None]:
    """Press the button; the field that the cell has become, or None where a dialog came up.

    Raises:
        Missed: Nothing came up that the row could be edited in.
    """
    assert button.box is not None
    known = {(e.role, e.name) for e in all_dialogs(desk.elements)}
    at = button.box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(button)}: its row is edited by that")
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="what the row is edited in may take a moment")
        if (field := _field_at(desk, cell)) is not None:
            return field
        if any((e.role, e.name) not in known for e in all_dialogs(desk.elements)):
            return None
    raise Missed(f"nothing to edit {named(cell)} in came up by {named(button)}")


def _field_at(desk: Desk, cell: Element) -> Element | None:
    """The one field that is where the cell was."""
    place = cell.box
    assert place is not None
    found = [
        e
        for e in desk.elements
        if (is_field(e) or kind_of(e) is Kind.COMBO) and e.box is not None
        if place.x <= e.box.center.x < place.right
        and abs(e.box.center.y - place.center.y) <= place.height // 2
    ]
    return found[0] if len({e.box for e in found}) == 1 else None
