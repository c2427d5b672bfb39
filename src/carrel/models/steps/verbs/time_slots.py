"""Times that a page offers one by one, each to be pressed: 10:00, 10:30, 11:00."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.clocks import says_time
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["has_slot", "take_slot"]

FEW = 3
"""So many times side by side are offers; a lone one may be what the clock says."""
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.TAB, Kind.OPTION, Kind.CELL, *TICKED})
_TIME = re.compile(r"\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)


def take_slot(desk: Desk, iso: str) -> Turns[bool]:
    """Press the one slot that says a time; whether there is one."""
    slot = _slot(desk, iso)
    if slot is None or slot.box is None:
        return False
    at, desk.worked = slot.box.center, slot.box
    yield from desk.do(Click(at.x, at.y), why=f"the slot {named(slot)}", last=True)
    yield from desk.effect()
    return True


def has_slot(desk: Desk, iso: str) -> bool:
    """Whether just one of several slots says a time."""
    return _slot(desk, iso) is not None


def _slot(desk: Desk, iso: str) -> Element | None:
    offered = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and not is_disabled(e) and _TIME.fullmatch(written_on(e).strip())
        if kind_of(e) in _PRESSED or kind_of(e) is Kind.TEXT
    ]
    # What shows behind a dialog is offered to nobody.
    offered = [e for e in offered if modal_over(desk.elements, e) is None]
    outer = [e for e in offered if not any(_is_in(e, other) for other in offered)]
    pressed = [e for e in outer if kind_of(e) in _PRESSED] or outer
    fitting = [e for e in pressed if says_time(written_on(e), iso)]
    return fitting[0] if len(fitting) == 1 and len(pressed) >= FEW else None


def _is_in(element: Element, other: Element) -> bool:
    return element.id != other.id and other.id == element.parent and within(element.box, other.box)
