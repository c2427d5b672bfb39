"""What an act asks back: the dialog that it opened, answered once what goes into it is filled in.

“Reject the request of Ann, with “too late” as the reason” presses Reject, and a dialog comes up
that asks why. The request is rejected only by the button that ends that dialog: it belongs to the
act, unless the steps that follow answer the dialog themselves, or are about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.phrases.endings import ends, leaves
from carrel.models.steps.program import Check, Choose, Perform, Point, Press, Step, Wait
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.owing import ANSWER, fills, presses
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, TICKED, Kind, is_disabled, kind_of

__all__ = ["answer_back", "asked_back", "is_answer_back"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SHOWS = _listed(
    "open view show edit change update modify display search filter sort find look preview print "
    "close cancel confirm export import upload download share log sign read select choose"
)
_MAKES = _listed("add create new make compose write invite book reserve register")
"""Verbs for which a dialog with nothing filled in may be all that is wanted."""
_PASSING = frozenset({"alert", "notification", "info bar"})
_DIALOG = re.compile(
    r"\b(?:dialog(?:ue)?|pop-?up|modal|prompt|confirmation|alert)\b|弹[窗框层出]|对话框|提示框?|"
    r"确认[框窗]|窗口",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「]([^\"”」]+)[\"”」]")
_ANSWERS = frozenset({"confirm", "cancel", "accept", "dismiss", "close", "agree", "decline"})
COMING, GOING = (0.3,), (0.3, 0.7, 1.2)
"""Seconds in which a dialog comes up, and in which one goes that was answered."""


def is_answer_back(step: Perform) -> bool:
    """Whether a step only answers what an act asked back."""
    return step.what == ANSWER


def asked_back(desk: Desk, step: Perform, before: Sequence[Element]) -> Turns[Step | None]:
    """The answer that an act still owes to the dialog which it opened; None where it owes none.

    Args:
        desk: As it is after the press.
        step: The act.
        before: What was on the screen before it.
    """
    if step.verb.split()[0] in _SHOWS - _filled_in(desk):
        return None
    dialog = _came_up(desk, before)
    if dialog is None and not desk.settled:
        yield from desk.again(COMING[0], why="it may ask something")
        dialog = _came_up(desk, before)
    if dialog is None or not _asks(desk, dialog) or _is_seen_to(desk, dialog):
        return None
    if step.verb in _MAKES and not _filled_in(desk) and _takes(desk, dialog):
        return None
    return replace(step, what=ANSWER, details=())


def _filled_in(desk: Desk) -> frozenset[str]:
    """The verbs that are ended as well, where something is filled in next: to edit is to save."""
    filled = bool(desk.ahead) and fills(desk.ahead[0])
    return _MAKES | {"edit", "change", "update", "modify"} if filled else frozenset()


def _came_up(desk: Desk, before: Sequence[Element]) -> Element | None:
    """The one dialog that was not there; what passes by itself is none."""
    known = {(e.role, e.name) for e in all_dialogs(before)}
    shown = all_dialogs(desk.elements)
    new = [e for e in shown if (e.role, e.name) not in known or not known]
    proper = [e for e in new if e.role not in _PASSING or "modal" in e.states]
    return proper[0] if len(proper) == 1 else None


def _buttons(desk: Desk, dialog: Element) -> list[Element]:
    """What can be pressed in a dialog and says something."""
    held = children_of(desk.elements, dialog)
    return [
        e
        for e in held
        if kind_of(e) is Kind.BUTTON and e.box is not None and e.box.area and written_on(e).strip()
    ]


def _asks(desk: Desk, dialog: Element) -> bool:
    """Whether it waits to be gone on with: it can be given up, and something else can be done."""
    buttons = _buttons(desk, dialog)
    away = [e for e in buttons if leaves(written_on(e))]
    return 0 < len(away) < len(buttons)


def _takes(desk: Desk, dialog: Element) -> bool:
    """Whether there is anything to fill in."""
    kinds = FIELDS | TICKED | {Kind.COMBO, Kind.SPINNER, Kind.SLIDER}
    return any(kind_of(e) in kinds for e in children_of(desk.elements, dialog))


def _is_seen_to(desk: Desk, dialog: Element) -> bool:
    """Whether a step to come answers the dialog, or is about it."""
    for step in desk.ahead:
        if step.place is not None and _DIALOG.search(step.place):
            return not fills(step) or isinstance(step, Choose)
        if isinstance(step, Choose) and step.source is not None and _DIALOG.search(step.source):
            return True
        if fills(step):
            continue
        if isinstance(step, Check | Wait):
            if _is_about(desk, dialog, step):
                return True
            continue
        return _answers(desk, dialog, step)
    return False


def _is_about(desk: Desk, dialog: Element, step: Step) -> bool:
    """Whether a claim is about the dialog: it speaks of one, or quotes what only that says."""
    if isinstance(step, Wait) and step.until is None:
        return False
    if _DIALOG.search(step.words):
        return True
    said = " ".join(written_on(e) for e in (dialog, *children_of(desk.elements, dialog)))
    return any(text in said for text in _QUOTED.findall(step.words))


def _answers(desk: Desk, dialog: Element, step: Step) -> bool:
    """Whether a step is to press something in the dialog, or keys for it."""
    if isinstance(step, Press) or presses(step):
        return True
    if isinstance(step, Perform):
        return step.verb in _ANSWERS and (step.what is None or bool(_DIALOG.search(step.what)))
    if isinstance(step, Point):
        match = resolve(desk, look_for(desk, wished(step.what)))
        held = {e.id for e in children_of(desk.elements, dialog)}
        return match is not None and match.element.id in held
    return False


def answer_back(desk: Desk, step: Perform) -> Turns[str | None]:
    """Press the one button that goes on with the dialog which an act opened, and see it go.

    Raises:
        Missed: No one button does, or the dialog is still there.
    """
    dialogs = [e for e in all_dialogs(desk.elements) if _asks(desk, e)]
    if not dialogs:
        return None
    if len(dialogs) > 1:
        raise Missed(f"{len(dialogs)} dialogs are open: which of them is to be answered?")
    dialog = dialogs[0]
    button = _going_on(desk, dialog, step)
    assert button.box is not None
    at = button.box.center
    shown = f"“{dialog.name.strip()}”" if dialog.name.strip() else "that came up for it"
    why = f"finish with {named(button)} in the dialog {shown}"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    desk.finished = button.name.strip()
    for pause in (*GOING, 0.0):
        left = [e for e in all_dialogs(desk.elements) if _key(e) == _key(dialog)]
        if not any(_asks(desk, e) for e in left):
            return None
        if pause:
            yield from desk.again(pause, why="the dialog may take a moment to go")
    now = next((e for e in all_dialogs(desk.elements) if _key(e) == _key(dialog)), dialog)
    raise Missed(f"the dialog {shown} is still open after {named(button)}{_told(desk, now)}")


def _key(dialog: Element) -> tuple[str, str]:
    return dialog.role, dialog.name


def _going_on(desk: Desk, dialog: Element, step: Perform) -> Element:
    """The button that ends the dialog by doing what was asked.

    Raises:
        Missed: None can be pressed, or several may be meant.
    """
    buttons = [e for e in _buttons(desk, dialog) if not leaves(written_on(e))]
    usable = [e for e in buttons if not is_disabled(e)]
    ending = [e for e in usable if ends(written_on(e))]
    own = controls_for(desk, step.verb, usable)
    for fitting in (usable, ending, own):
        if len(fitting) == 1:
            return fitting[0]
    listed = ", ".join(map(named, usable or buttons)) or "none"
    why = "several may end it" if usable else "none can be pressed"
    raise Missed(f"the dialog {dialog.name!r} that came up is still open; buttons: {listed}: {why}")


def _told(desk: Desk, dialog: Element) -> str:
    """What it says by now, shortly."""
    said = [
        written_on(e).strip()
        for e in children_of(desk.elements, dialog)
        if kind_of(e) in (Kind.TEXT, Kind.HEADING)
    ]
    told = " / ".join(dict.fromkeys(filter(None, said)))[:120]
    return f"; it says: {told}" if told else ""
