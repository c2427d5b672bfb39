"""Handing in what was arranged: an exercise on a page is done when its one button is pressed.

Only after a task in one sentence whose last step put things in their places, only where the page
has a single button, and only where that is named as what ends an exercise.
"""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant, web_page
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Complete, Drag, Draw, ForEach, Program, Sort, Step
from carrel.models.steps.turns import Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["hand_in"]

_ARRANGES = (Drag, Sort, Draw)
_ENDS = re.compile(
    r"(?:submit|done|finish(?:ed)?|hand in|check(?: (?:my )?answers?)?|ok|提交|完成|交卷)[.!]?",
    re.IGNORECASE,
)


def hand_in(desk: Desk, program: Program) -> Turns[None]:
    """Press the page's only button, where it is the one that ends an exercise."""
    last = _last(program)
    if program.title or last is None or last.line or not _is_exercise(desk, last):
        return
    button = _only_button(desk)
    if button is not None and button.box is not None:
        at = button.box.center
        why = f"what was arranged is handed in by the only button, {written_on(button)}"
        yield from desk.do(Click(at.x, at.y), why=why, last=True)


def _is_exercise(desk: Desk, last: Step) -> bool:
    """Things put in their places, or the one thing that a page asks for, chosen by a riddle."""
    if isinstance(last, Complete):
        return sum(map(is_field, part_meant(desk.elements, ""))) == 1
    return isinstance(last, _ARRANGES)


def _last(program: Program) -> Step | None:
    step = program.steps[-1] if program.steps else None
    while isinstance(step, ForEach) and step.body:
        step = step.body[-1]
    return step


def _only_button(desk: Desk) -> Element | None:
    if web_page(desk.elements) is None:
        return None
    shown = part_meant(desk.elements, "")
    buttons = [e for e in shown if kind_of(e) is Kind.BUTTON and e.box is not None]
    if len(buttons) != 1 or is_disabled(buttons[0]):
        return None
    return buttons[0] if _ENDS.fullmatch(written_on(buttons[0]).strip()) else None
