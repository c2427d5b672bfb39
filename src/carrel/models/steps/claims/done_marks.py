"""Whether an entry of a list is done, as the box in it tells: what is ticked there is done."""

from __future__ import annotations

import re

from carrel.models.steps.claims.chosen import is_chosen
from carrel.models.steps.claims.states import meant_by
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Has, Is
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.shown.tick_boxes import tells
from carrel.perception.roles import Kind, kind_of

__all__ = ["done_by_box", "says_done"]

_DONE = re.compile(r"(?:as )?(?:done|completed?|finished)", re.IGNORECASE)


def says_done(condition: object) -> bool:
    """Whether it claims that something is done, in a word that an entry need not have itself."""
    if not isinstance(condition, Has) or condition.how not in ("contains", "equals"):
        return False
    return _DONE.fullmatch(condition.text.strip()) is not None


def done_by_box(desk: Desk, condition: Has) -> tuple[bool, str] | None:
    """Whether the box of an entry is ticked; None where it has none that tells that it is done.

    In a table the box of a row is there to choose it.
    """
    if not says_done(condition):
        return None
    _, match = meant_by(desk, Is(condition.what, "checked"))
    if match is None or not tells(match.element) or kind_of(match.element) is not Kind.CHECKBOX:
        return None
    entry = entry_of(desk.elements, match.element)
    if entry is not None and kind_of(entry) is Kind.ROW:
        return None
    so = bool(is_chosen(desk, match.element, "checked"))
    return so, f"{condition.what} is {'' if so else 'not '}ticked"
