"""What is entered at a day and a time of a plan: `add an event named Dentist on Thursday at 15:00`.

The place of that day and hour has no name; a click on it brings up a field for the rest.
"""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.meeting_places import SLOT, slot_of
from carrel.models.steps.program import Perform, Point, Submit
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import fields_of, put
from carrel.models.steps.verbs.filling import finish
from carrel.perception.labels import written_on
from carrel.perception.roles import is_field

__all__ = ["enter_in_plan", "take_in_plan"]

_ENTERS = frozenset({"add", "create", "new", "make", "enter", "put", "schedule", "plan"})
_TAKES = frozenset({"book", "reserve", "request", "take", "hire", "rent", "schedule"})
_NAMES = frozenset({"named", "called", "titled", "text", "for", "with the title", "saying"})
_WHEN = frozenset({"on", "at", "from", "for"})
_SLOT = re.compile(SLOT, re.IGNORECASE)
_NOUN = re.compile(
    r"(?:an?|the|new|\s)*(?:event|appointment|meeting|entry|slot|item|lesson|booking)"
    r"(?:\s+(?:called|named|titled))?\s*",
    re.IGNORECASE,
)
COMING = (0.0, 0.3, 0.7)
"""Seconds in which what asks for the rest comes up."""


def enter_in_plan(desk: Desk, step: Perform) -> Turns[bool]:
    """Click the place of the day and the time, and write the name into the field that comes up.

    Raises:
        Missed: No one field comes up for the name.
    """
    if step.verb not in _ENTERS or step.what is None:
        return False
    when = " ".join(f"{word} {text}" for word, text in step.details if word in _WHEN)
    said, name = _SLOT.search(when), _name(step)
    place = slot_of(desk, said) if said is not None and name else None
    if place is None or place.box is None or written_on(place).strip():
        return False
    if any(fold(e.name) != fold(step.verb) for e in controls_for(desk, step.verb)):
        return False  # a control of the page says how that is done
    known = {(e.role, e.name, e.box) for e in desk.elements if is_field(e)}
    at = place.box.center
    yield from desk.do(Click(at.x, at.y), why=f"where {said[0] if said else ''} is in the plan")
    field: Element | None = None
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="what asks for the rest")
        new = [e for e in fields_of(desk) if (e.role, e.name, e.box) not in known]
        if len(new) == 1:
            (field,) = new
            break
    if field is None:
        raise Missed(f"no one field came up for {name!r} at that time")
    yield from put(desk, field, name, why="its name")
    ahead = desk.ahead[0] if desk.ahead else None
    if not isinstance(ahead, Perform | Point | Submit):
        yield from finish(desk, step.verb)
    return True


def take_in_plan(desk: Desk, step: Perform) -> Turns[bool]:
    """Click the place of the day and the time, then what books it: `book it on Friday at 18:00`.

    Raises:
        Missed: Something stands there already, or nothing changes by a click.
    """
    when = " ".join(f"{word} {text}" for word, text in step.details if word in _WHEN)
    said = _SLOT.search(when) or _SLOT.search(step.what or "")
    place = slot_of(desk, said) if step.verb in _TAKES and said is not None else None
    if place is None or place.box is None or said is None:
        return False
    if written_on(place).strip():
        raise Missed(f"“{written_on(place)}” stands at {said[0]} already")
    at, desk.worked = place.box.center, place.box
    yield from desk.do(Click(at.x, at.y), why=f"where {said[0]} is in the plan", last=True)
    if not (yield from desk.effect()):
        desk.doubts.clear()
        raise Missed(f"nothing changed when {said[0]} was clicked in the plan")
    ahead = desk.ahead[0] if desk.ahead else None
    if not isinstance(ahead, Perform | Point | Submit) and controls_for(desk, step.verb):
        yield from finish(desk, step.verb)
    return True


def _name(step: Perform) -> str:
    """What it is to be called: as it is told, or by what is left of the thing itself."""
    told = [text for word, text in step.details if word in _NAMES and not _SLOT.search(text)]
    left = _NOUN.sub("", step.what or "").strip()
    name = left or (told[0] if len(told) == 1 else "")
    return re.sub(r"^(?:an?|the)\s+", "", name).strip("\"“”'")
