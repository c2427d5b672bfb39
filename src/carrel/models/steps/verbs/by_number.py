"""Entries told by their number: `the first person`, `the second one in the list`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.claims.whole_page import come_to_whole, on_whole_page
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.held_entries import is_whole, numbered_entry
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.phrases.place_words import ORDINALS
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.turns import Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["control_by_number", "entry_by_number"]

_NTH = re.compile(
    rf"(?:the\s+)?(?P<nth>{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))\s+(?P<noun>[a-z]+)"
    r"(?:\s+(?:in|on|of)\s+(?:the|this|that)\s+(?:list|table|page|results|overview))?",
    re.IGNORECASE,
)
_PRESSED = (Kind.BUTTON, Kind.LINK)


def entry_by_number(desk: Desk, phrase: str) -> Turns[Element | None]:
    """The entry in sight that a number and a noun mean, counted over the whole page."""
    found = numbered_entry(desk, phrase)
    if found is None or found[0] is None:
        return None
    if (yield from come_to_whole(desk)):
        with on_whole_page(desk):
            found = numbered_entry(desk, phrase)
    meant = found[0] if found is not None else None
    if meant is None:
        return None
    shown = [e for e in desk.elements if (e.role, e.box) == (meant.role, meant.box)]
    return shown[0] if len(shown) == 1 else None


def control_by_number(desk: Desk, verb: str, what: str) -> Turns[Element | None]:
    """What stands for a verb in the entry with a number, where each entry has one like it."""
    said = _NTH.fullmatch(what.strip())
    if said is None or not (said["noun"].lower() == "one" or is_whole(said["noun"])):
        return None
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in _PRESSED]
    if len(controls) < 2 or len({written_on(e) for e in controls}) > 1:
        return None
    if not _are_entries(desk, controls) or (yield from _are_beyond(desk, verb, len(controls))):
        return None
    at = ORDINALS.get(said["nth"].lower()) or int(re.sub(r"\D", "", said["nth"]))
    order = sorted(controls, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0))
    at = at - 1 if at > 0 else len(order) + at
    return order[at] if 0 <= at < len(order) else None


def _are_entries(desk: Desk, controls: Sequence[Element]) -> bool:
    """Whether each of them is in an entry of its own, of one list."""
    rows = [entry_of(desk.elements, e) for e in controls]
    own = {row.id for row, e in zip(rows, controls, strict=True) if row is not None and row != e}
    if len(own) == len(controls):
        return len({row.parent for row in rows if row is not None}) == 1
    runs = [run_of(desk.elements, e) for e in controls]
    held = {run[0].parent for run in runs if run}
    return len({run for run in runs if run}) == len(controls) and len(held) == 1


def _are_beyond(desk: Desk, verb: str, count: int) -> Turns[bool]:
    """Whether there are more of them than can be seen."""
    if web_page(desk.elements) is None or not (yield from come_to_whole(desk)):
        return False
    with on_whole_page(desk):
        return len([e for e in controls_for(desk, verb) if kind_of(e) in _PRESSED]) != count
