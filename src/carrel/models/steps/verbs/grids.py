"""Grids of choices: a question at the left of each line, and above the answers that it may have."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["choice_in_grid"]

_WRITTEN = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.COLUMN})
ACROSS = 30
"""Pixels that a choice may stand off the middle of what heads its column."""


def choice_in_grid(desk: Desk, question: str, answer: str) -> Element | None:
    """The choice that is called by both, or stands where the line and the column of them meet."""
    choices = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in TICKED and not is_disabled(e)
    ]
    named = [e for e in choices if _names_both(written_on(e), question, answer)]
    if named:
        return named[0] if len(named) == 1 else None
    crossing = [
        e
        for line in _written(desk, question)
        for head in _written(desk, answer)
        for e in choices
        if e.box is not None and _is_crossing(e.box, line, head)
    ]
    once = {e.id: e for e in crossing}
    return next(iter(once.values())) if len(once) == 1 else None


def _names_both(name: str, question: str, answer: str) -> bool:
    """Whether a choice is called by the question, then the answer, or the other way about."""
    said, asked, given = words_of(name), words_of(question), words_of(answer)
    return bool(asked and given) and said in (asked + given, given + asked)


def _written(desk: Desk, text: str) -> list[Box]:
    found: list[Box] = []
    for element in part_meant(desk.elements, ""):
        box = element.box
        if (
            box is None
            or kind_of(element) not in _WRITTEN
            or fold(written_on(element)) != fold(text)
        ):
            continue
        if not any(within(box, other) or within(other, box) for other in found):
            found.append(box)
    return found


def _is_crossing(choice: Box, line: Box, head: Box) -> bool:
    """Whether a choice is right of the one, at its height, and below the other."""
    level = line.y <= choice.center.y < line.bottom and choice.x >= line.x
    wide = max(ACROSS, head.width // 2)
    return level and head.bottom <= choice.bottom and abs(choice.center.x - head.center.x) < wide
