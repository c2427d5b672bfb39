"""Messages to somebody whose conversation is one of several: it is opened, and written in there."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.fields import fields_in_front, is_to_search
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import called
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["send_in_conversation"]

_QUOTED = re.compile(r"[\"“](?P<text>[^\"”]+)[\"”]")
_ASKS_WHO = re.compile(r"\b(?:to|recipient|name|e-?mail|cc|address)\b", re.IGNORECASE)
_SENDS = frozenset({"send", "message", "write"})


def send_in_conversation(desk: Desk, step: Perform) -> Turns[bool]:
    """Open the conversation with whom a text is for, and send it there; whether there are such.

    Raises:
        Missed: It was opened, and nothing there can be written in.
    """
    said = _QUOTED.fullmatch((step.what or "").strip())
    if step.verb not in _SENDS or said is None or len(step.details) != 1:
        return False
    word, who = step.details[0]
    if word != "to" or any(_ASKS_WHO.search(called(desk, e)) for e in fields_in_front(desk)):
        return False
    match = resolve(desk, look_for(desk, wished(who), want="act"))
    if match is None or is_field(match.element) or kind_of(match.element) is Kind.HEADING:
        return False
    at = match.point
    yield from desk.do(Click(at.x, at.y), why=f"the conversation with {named(match.element)}")
    field = yield from _field(desk)
    yield from put(desk, field, said["text"], why=f"what {who} is sent")
    control = _sender(desk, field)
    if control is not None and control.box is not None:
        here = control.box.center
        yield from desk.do(Click(here.x, here.y), why=f"{named(control)} sends it", last=True)
    else:
        yield from desk.do(Key(("enter",)), why="send it with Enter", last=True)
    yield from desk.effect()
    return True


def _field(desk: Desk) -> Turns[Element]:
    """The one field to write in.

    Raises:
        Missed: There is none, or there are several.
    """
    for pause in (0.2, 0.5, 0.8):
        yield from desk.again(pause, why="where it is written")
        fields = [e for e in fields_in_front(desk) if not is_to_search(desk, e)]
        if len(fields) == 1:
            return fields[0]
    raise Missed("no field to write into came up, or more than one")


def _sender(desk: Desk, field: Element) -> Element | None:
    """The button that sends what is in a field."""
    shown = part_meant(desk.elements, "")
    buttons = [e for e in controls_for(desk, "send", shown) if kind_of(e) is Kind.BUTTON]
    buttons = [e for e in buttons if not is_disabled(e) and written_on(e)]
    return buttons[0] if len(buttons) == 1 else goes_with(desk, field.box, buttons)
