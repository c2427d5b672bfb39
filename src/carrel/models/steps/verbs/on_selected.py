"""What is done to the entries that are selected: “select these two and archive them”."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.entries import entry_of, is_entries
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.ticking import is_on
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of
from carrel.perception.symbols import same_symbol

__all__ = ["done_to_selected", "entry_boxes"]

_WHOLE = re.compile(
    r"(?:all|every|each|both|any|remaining|other|rest)\b|所有|全部|每|其余", re.IGNORECASE
)
_THEM = re.compile(r"them|these|those|both|它们|这些", re.IGNORECASE)
_THESE = re.compile(r"^(?:these|those)\b", re.IGNORECASE)
_STATED = re.compile(
    r"(?:(?:the|these|those|all|both)\s+)*(?:selected|ticked|checked|marked)(?:\s+[\w-]+)?"
    r"|(?:已?选中|勾选|所选)的?\S{0,4}",
    re.IGNORECASE,
)
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.MENU_ITEM})


def done_to_selected(desk: Desk, step: Perform) -> Turns[bool]:
    """Press the one control for a verb that stands outside of all entries, for those ticked.

    Whether that was meant: nothing more is said of them than what they are, and some are ticked.
    """
    said = (step.what or "").strip()
    what = _THESE.sub("the", said)
    meant = (
        _THEM.fullmatch(said)
        or _STATED.fullmatch(what)
        or (is_entries(what) and not _WHOLE.search(what))
    )
    if not meant or step.details or not any(map(is_on, entry_boxes(desk))):
        return False
    fitting = [e for e in controls_for(desk, step.verb) if _is_over_all(desk, e)]
    fitting = fitting or [e for e in _drawn_for(desk, step.verb) if _is_over_all(desk, e)]
    if len(fitting) != 1 or fitting[0].box is None or is_disabled(fitting[0]):
        return False
    at, desk.pressed = fitting[0].box.center, written_on(fitting[0])
    told = f"{named(fitting[0])} stands for {step.verb}, of what is selected"
    yield from desk.do(Click(at.x, at.y), why=told, last=True)
    yield from desk.effect()
    return True


def entry_boxes(desk: Desk) -> list[Element]:
    """The boxes by which entries are selected."""
    shown = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.CHECKBOX and e.box]
    return [e for e in shown if _is_in_entry(desk, e)]


def _drawn_for(desk: Desk, verb: str) -> list[Element]:
    """What has but a sign for a verb on it, of which nobody says what it is for."""
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    return [e for e in shown if same_symbol(verb, written_on(e))]


def _is_in_entry(desk: Desk, element: Element) -> bool:
    return (
        entry_of(desk.elements, element) is not None or run_of(desk.elements, element) is not None
    )


def _is_over_all(desk: Desk, control: Element) -> bool:
    pressed = kind_of(control) in _PRESSED and modal_over(desk.elements, control) is None
    return pressed and not _is_in_entry(desk, control)
