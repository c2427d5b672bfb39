"""What is done, paid, shipped: the words of an entry say so, or the tick before it."""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Has, Is
from carrel.models.steps.language.appearances import STATUS_WORDS
from carrel.models.steps.said_status import says_another
from carrel.models.steps.states import is_so, meant_by
from carrel.models.steps.wishes import look_for, resolve, wished
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_ticked_off", "status_untold"]

_DONE = re.compile(r"done|completed?|finished|(?:已|已经)?(?:完成|做完)", re.IGNORECASE)
_BOXES = frozenset({Kind.CHECKBOX, Kind.SWITCH})
_SAYS = re.compile(r"\b(?:contain|say|show|read|list|includ|display|mention|print)", re.IGNORECASE)


def is_ticked_off(desk: Desk, condition: Has) -> bool:
    """Whether a thing is said to be done, and its box is ticked; what a tick means is in doubt."""
    if not _ticked(desk, condition):
        return False
    desk.doubt(f"no word says that {condition.what} is {condition.text}; its box is ticked")
    return True


def _ticked(desk: Desk, condition: Has) -> bool | None:
    """Whether the box of something that may be done is ticked; None where it has none."""
    if condition.how != "contains" or not _DONE.fullmatch(condition.text.strip()):
        return None
    ticked = Is(condition.what, "checked")
    _, match = meant_by(desk, ticked)
    if match is None or kind_of(match.element) not in _BOXES:
        return None
    return is_so(desk, ticked)[0]


def status_untold(desk: Desk, condition: Has) -> str | None:
    """Why it is not known that a thing is not in a status; None where it is, or was not asked.

    That an order does not say “paid” is no proof that it is not: it has to say what it is instead.
    """
    if condition.how != "contains" or not STATUS_WORDS.fullmatch(condition.text.strip()):
        return None
    if _SAYS.search(desk.step) or re.search(rf"[\"“]{re.escape(condition.text)}", desk.step):
        return None  # a text that is not there is not there
    match = resolve(desk, look_for(desk, wished(condition.what), want="read"))
    if match is not None and says_another(desk, match.element, condition.text):
        return None
    if _ticked(desk, condition) is False:
        desk.doubt(f"no word says that {condition.what} is not {condition.text}; its box is empty")
        return None
    return f"nothing tells whether {condition.what} is {condition.text}"
