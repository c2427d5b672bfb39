"""What was to be made before it was filled in: “新建一张便签，标题写…” where the fields come first.

A page may have its fields above the button that makes an entry of them. Pressing the button while
they are empty does nothing, and what was asked for is still owed when they are filled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import (
    Choose,
    Clear,
    Enter,
    Perform,
    PickDate,
    PickTime,
    Point,
    SetValue,
    Step,
    Submit,
    Tick,
)
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

__all__ = ["ANSWER", "fills", "is_owed", "owed_answer", "presses"]

_FILLING = (Enter, Choose, SetValue, PickDate, PickTime, Tick, Clear)
_ENDING = frozenset(
    {"save", "submit", "send", "add", "create", "confirm", "post", "publish", "finish"}
)
_ENDS = re.compile(
    r"(?:the )?[\"“]?(?:save|submit|send|add|create|confirm|ok|done|post|publish|finish|new)\b|"
    r"[\"“]?(?:提交|确定|确认|发送|保存|完成|新建|新增|添加|创建|发布|增加)",
    re.IGNORECASE,
)
ANSWER = "what it asks back"
"""What a step is about that only answers a dialog: nobody says it."""
SAID = 2
"""Texts that may come up where a form says that something is missing."""


def fills(step: Step) -> bool:
    """Whether a step only fills something in."""
    return isinstance(step, _FILLING)


def presses(step: Step) -> bool:
    """Whether a step says itself how what was filled in is ended."""
    if isinstance(step, Perform):
        return step.verb in _ENDING
    if isinstance(step, Point) and step.how == "click":
        return _ENDS.match(step.what.strip('"“”「」')) is not None
    return isinstance(step, Submit)


def owed_answer(words: str, line: int = 0) -> Step:
    """The step that finishes the dialog which an act has opened."""
    return Perform("confirm", ANSWER, words=words, line=line)


def is_owed(desk: Desk, before: Sequence[Element]) -> bool:
    """Whether a press came too early: no more than words came, and the next steps fill in fields.

    Args:
        desk: As it is after the press.
        before: What was on the screen when it was pressed.
    """
    following = desk.ahead[0] if desk.ahead else None
    into = following.into if isinstance(following, Enter) else None
    if into is None or (following is not None and following.place is not None):
        return False
    known = {(e.role, e.name, e.box) for e in before}
    shown = part_meant(desk.elements, "")
    new = [e for e in shown if (e.role, e.name, e.box) not in known]
    words = [e for e in new if kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    if any(is_field(e) or kind_of(e) in CONTROLS for e in new) or len(words) > SAID:
        return False
    match = resolve(desk, look_for(desk, wished(into, (Kind.FIELD,)), want="type"))
    if match is None or not is_field(match.element) or (match.element.value or "").strip():
        return False
    return any((e.role, e.box) == (match.element.role, match.element.box) for e in before)
