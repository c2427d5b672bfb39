"""What is done in a list that is ticked off: the box of an entry says so, where no word does."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Has, Is
from carrel.models.steps.states import is_so, meant_by
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_ticked_off"]

_DONE = re.compile(r"done|completed?|finished|(?:已|已经)?(?:完成|做完)", re.IGNORECASE)
_BOXES = frozenset({Kind.CHECKBOX, Kind.SWITCH})


def is_ticked_off(desk: Desk, condition: Has) -> bool:
    """Whether a thing is said to be done, and its box is ticked; what a tick means is in doubt."""
    if condition.how != "contains" or not _DONE.fullmatch(condition.text.strip()):
        return False
    ticked = Is(condition.what, "checked")
    _, match = meant_by(desk, ticked)
    if match is None or kind_of(match.element) not in _BOXES or not is_so(desk, ticked)[0]:
        return False
    desk.doubt(f"no word says that {condition.what} is {condition.text}; its box is ticked")
    return True
