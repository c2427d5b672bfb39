"""Marking a thing as something: by the box or the choice that says it."""

from __future__ import annotations

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.slots import choice_called
from carrel.models.steps.verbs.ticking import bring_to

__all__ = ["mark_by_choice"]


def mark_by_choice(desk: Desk, step: Perform) -> Turns[bool]:
    """Tick the box that says what a thing is to be: its own, else the form's where it is no entry.

    What is made with a form is nowhere on the screen yet: `mark the call as urgent`.
    """
    if step.verb not in ("mark", "flag", "set") or step.what is None or len(step.details) != 1:
        return False
    word, state = step.details[0]
    if word != "as":
        return False
    match = resolve(desk, look_for(desk, wished(step.what), want="read"))
    entry = entry_of(desk.elements, match.element) if match is not None else None
    choice = choice_called(desk, state, entry.box if entry is not None else None)
    if choice is None:
        return False
    yield from bring_to(desk, choice, True, f"{step.what} is to be {state}")
    return True
