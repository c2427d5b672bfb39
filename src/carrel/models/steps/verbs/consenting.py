"""Accepting or dismissing what a dialog asks, by whatever it calls that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.finding.windowed import has_dialog_window, only_window
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.program import Perform, Point
from carrel.models.steps.shown.front import open_windows
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

COMING = (0.3, 0.6, 0.0)
"""Seconds in which a dialog comes up that was just asked for."""


def consent(desk: Desk, step: Perform) -> Turns[bool]:
    """Press the one button of the open dialog that says so; whether that was asked for.

    Raises:
        Missed: No dialog is open, or none of its buttons says so, or several do.
    """
    if step.details or step.verb not in _YES | _NO:
        return False
    if step.what is not None and not _DIALOG.fullmatch(step.what):
        return False
    dialogs, says = all_dialogs(desk.elements), _ACCEPTS if step.verb in _YES else _DISMISSES
    if not dialogs and (buttons := (yield from _in_silent_window(desk, says))) is not None:
        yield from _press(desk, step, buttons)
        return True
    if step.what is None:
        return False
    for pause in (0.3, 0.7):
        if dialogs:
            break
        yield from desk.again(pause, why="a dialog may be coming up")
        dialogs = all_dialogs(desk.elements)
    if len(dialogs) != 1:
        raise Missed(f"{len(dialogs)} dialogs are open; {step.what} has to be one")
    buttons = [e for e in children_of(desk.elements, dialogs[0]) if _is_button(e)]
    yield from _press(desk, step, buttons)
    return True


def _in_silent_window(desk: Desk, says: re.Pattern[str]) -> Turns[list[Element] | None]:
    """The buttons that are seen in a dialog of a program that tells nothing of it; else None."""
    if web_page(desk.elements) is not None:
        return None
    for pause in COMING:
        if (yield from has_dialog_window(desk)):
            break
        if not pause:
            return None
        yield from desk.again(pause, why="a dialog may be coming up")
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    if front is None:
        return None
    found: list[Element] = []
    for pause in COMING:
        yield from desk.closer()
        with only_window(desk, front, listed):
            found = [e for e in desk.elements if _is_drawn(e)]
        if any(says.fullmatch(written_on(e).strip()) for e in found) or not pause:
            break
        yield from desk.again(pause, why="the dialog may not be all there yet")
    return found or None


def _is_drawn(element: Element) -> bool:
    """Whether it is a button; of one that has the keyboard only the words may be told."""
    said, kind = written_on(element).strip(), kind_of(element)
    if element.box is None or element.source not in ("detector", "ocr"):
        return False
    answers = _ACCEPTS.fullmatch(said) or _DISMISSES.fullmatch(said)
    drawn = kind in (Kind.BUTTON, Kind.ICON) and any(map(str.isalpha, said))
    return drawn or (kind is Kind.TEXT and answers is not None)


def _press(desk: Desk, step: Perform, buttons: Sequence[Element]) -> Turns[None]:
    """Press the one button that says so.

    Raises:
        Missed: None does, or several do.
    """
    says = _ACCEPTS if step.verb in _YES else _DISMISSES
    fitting = [e for e in buttons if says.fullmatch(written_on(e).strip())]
    # A dialog to be cancelled has a cross as well: what says the very word is meant.
    fitting = [e for e in fitting if written_on(e).strip().casefold() == step.verb] or fitting
    # What only tells something has one way to be done with.
    chosen = fitting or (list(buttons) if len(buttons) == 1 else [])
    if step.verb in _YES:
        chosen = [e for e in chosen if not _DISMISSES.fullmatch(written_on(e).strip())]
    if len({written_on(e) for e in chosen}) != 1:
        listed = ", ".join(map(named, buttons)) or "none"
        raise Missed(f"no one button of the dialog says {step.verb}; buttons: {listed}")
    if chosen[0].source in ("detector", "ocr") and chosen[0].box is not None:
        at = chosen[0].box.center
        yield from desk.do(Click(at.x, at.y), why=f"{step.verb} with {named(chosen[0])}", last=True)
        yield from desk.effect()
        return
    yield from point(desk, Point(f'the "{written_on(chosen[0])}" button'))


def _is_button(element: Element) -> bool:
    named_so = kind_of(element) is Kind.BUTTON and bool(written_on(element).strip())
    return named_so and element.box is not None and not is_disabled(element)
