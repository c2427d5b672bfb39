"""Answering one of several messages: with its own control, in the field that this brings."""

from __future__ import annotations

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.phrases.endings import ends
from carrel.models.steps.program import Perform
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.entry_controls import (
    control_around,
    control_in_entry,
    control_in_row,
    control_in_run,
)
from carrel.models.steps.verbs.fields import fields_in_front
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["answer_with", "reply_in_entry"]

NEAR = 40
"""Pixels between a field and what sends it."""
_REPLIES = frozenset({"reply", "comment on"})
_PRESSED = (Kind.BUTTON, Kind.LINK)


def reply_in_entry(desk: Desk, step: Perform) -> Turns[bool]:
    """Answer the one of several messages that is meant; whether the screen has several to answer.

    Raises:
        Missed: Which of them is meant cannot be told, or nothing comes up to write into.
    """
    if step.verb not in _REPLIES or step.what is None or len(step.details) != 1:
        return False
    verb = step.verb.split()[0]
    if len([e for e in controls_for(desk, verb) if kind_of(e) in _PRESSED]) < 2:
        return False
    control = yield from _control(desk, verb, step.what)
    if control is None or control.box is None:
        raise Missed(f"which of the controls to {verb} with is that of {step.what} cannot be told")
    yield from answer_with(desk, control, verb, step.details[0][1], step.what)
    return True


def answer_with(desk: Desk, control: Element, verb: str, text: str, what: str) -> Turns[None]:
    """Write a text where a control of an entry brings a field, or the keyboard, and send it.

    Raises:
        Missed: Nothing comes up to write into, or it is not plain what sends it.
    """
    assert control.box is not None
    known = {_key(e) for e in desk.elements}
    at = control.box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(control)} is that of {what}")
    field = yield from _new_field(desk, known)
    if field is None:
        raise Missed(f"no field to write into came up after a click on {named(control)}")
    yield from put(desk, field, text, why="the field that came up")
    sends = [e for e in desk.elements if _is_new(e, known) and _sends(e, verb)]
    sends = sends or [e for e in desk.elements if _sends(e, verb) and _is_beside(e, field)]
    if len(sends) == 1 and sends[0].box is not None:
        there = sends[0].box.center
        yield from desk.do(Click(there.x, there.y), why=f"finish with {named(sends[0])}", last=True)
    elif not sends and "multi line" not in field.states:
        yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)
    else:
        raise Missed(f"nothing that came up with {named(field)} plainly sends it")
    yield from desk.effect()


def _control(desk: Desk, verb: str, what: str) -> Turns[Element | None]:
    """The control of the message that is meant, by what its entry says, or by where it stands."""
    for told in (control_in_row, control_in_run, control_in_entry):
        if (control := told(desk, verb, what)) is not None:
            return control
    match = yield from ground(desk, what, want="read")
    desk.worked = match.element.box
    like = [e for e in controls_for(desk, verb) if kind_of(e) in _PRESSED]
    return control_around(desk, verb) or goes_with(desk, desk.worked, like)


def _new_field(desk: Desk, known: set[tuple[str, str, str]]) -> Turns[Element | None]:
    """The one field that was not there before, or else the one that the keyboard went to."""
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="where the answer goes")
        fields = fields_in_front(desk)
        new = [e for e in fields if _is_new(e, known)]
        focused = [e for e in new or fields if "focused" in e.states]
        if len(new) == 1 or len(focused) == 1:
            return new[0] if len(new) == 1 else focused[0]
    return None


def _key(element: Element) -> tuple[str, str, str]:
    """What an element is known again by where others have pushed it away."""
    return element.role, written_on(element), element.hint


def _is_new(element: Element, known: set[tuple[str, str, str]]) -> bool:
    return _key(element) not in known


def _is_beside(element: Element, field: Element) -> bool:
    """Whether it stands right behind a field, or right under it."""
    own, at = element.box, field.box
    if own is None or at is None:
        return False
    behind = at.y <= own.center.y < at.bottom and 0 <= own.x - at.right <= NEAR
    under = 0 <= own.y - at.bottom <= NEAR and at.x - NEAR <= own.x < at.right
    return behind or under


def _sends(element: Element, verb: str) -> bool:
    said = written_on(element)
    own = said.casefold().startswith((verb, "send", "post"))
    return kind_of(element) is Kind.BUTTON and (ends(said) or own)
