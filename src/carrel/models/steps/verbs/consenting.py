"""Accepting or dismissing what a dialog asks, by whatever it calls that."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.floating import all_dialogs
from carrel.models.steps.program import Perform, Point
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named, point
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["consent"]

_DIALOG = re.compile(
    r"(?:the |that |this )?(?:(?:browser|confirmation|confirm|alert|warning|java ?script) )*"
    r"(?:confirmation|alert|prompt|dialog(?:ue)?|pop-?up|warning|question|confirm)"
    r"(?: (?:dialog(?:ue)?|box|window|message|prompt))?"
    r"|(?:弹出的?)?(?:确认框?|提示框?|弹窗|对话框|警告框?|确认提示)",
    re.IGNORECASE,
)
_YES = frozenset({"accept", "confirm", "approve", "agree", "acknowledge"})
_NO = frozenset({"dismiss", "cancel", "decline", "reject"})
_ACCEPTS = re.compile(
    r"ok(?:ay)?|yes|accept|confirm|continue|proceed|确定|确认|是|好的?|继续", re.IGNORECASE
)
_DISMISSES = re.compile(r"cancel|no|dismiss|close|not now|取消|否|关闭", re.IGNORECASE)


def consent(desk: Desk, step: Perform) -> Turns[bool]:
    """Press the one button of the open dialog that says so; whether that was asked for.

    Raises:
        Missed: No dialog is open, or none of its buttons says so, or several do.
    """
    if step.details or step.verb not in _YES | _NO or not _DIALOG.fullmatch(step.what or ""):
        return False
    dialogs = all_dialogs(desk.elements)
    for pause in (0.3, 0.7):
        if dialogs:
            break
        yield from desk.again(pause, why="a dialog may be coming up")
        dialogs = all_dialogs(desk.elements)
    if len(dialogs) != 1:
        raise Missed(f"{len(dialogs)} dialogs are open; {step.what} has to be one")
    buttons = [e for e in children_of(desk.elements, dialogs[0]) if _is_button(e)]
    says = _ACCEPTS if step.verb in _YES else _DISMISSES
    fitting = [e for e in buttons if says.fullmatch(written_on(e).strip())]
    # A dialog to be cancelled has a cross as well: what says the very word is meant.
    fitting = [e for e in fitting if written_on(e).strip().casefold() == step.verb] or fitting
    # What only tells something has one way to be done with.
    chosen = fitting or (buttons if len(buttons) == 1 else [])
    if len({written_on(e) for e in chosen}) != 1:
        listed = ", ".join(map(named, buttons)) or "none"
        raise Missed(f"no one button of the dialog says {step.verb}; buttons: {listed}")
    yield from point(desk, Point(f'the "{written_on(chosen[0])}" button'))
    return True


def _is_button(element: Element) -> bool:
    named_so = kind_of(element) is Kind.BUTTON and bool(written_on(element).strip())
    return named_so and element.box is not None and not is_disabled(element)
