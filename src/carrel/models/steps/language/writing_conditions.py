"""Conditions written back as words."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language.atoms import quoted

__all__ = ["Say", "plain", "say_condition", "wrapped"]

Say = Callable[[str], str]


def plain(phrase: str) -> str:
    """The phrase as it is."""
    return phrase


def wrapped(phrase: str) -> str:
    """The phrase in brackets, which keep its words together."""
    numbers = re.fullmatch(r"[-\d.,，\s]+", phrase) is not None
    pairs = (("[", "]"), ("⟨", "⟩"))
    for opening, close in pairs[1:] if numbers else pairs:
        if not {opening, close, "\n"} & set(phrase):
            return f"{opening}{phrase}{close}"
    raise InvalidInput(f"no brackets can hold {phrase[:60]!r}", op="steps.write")


_HOLDS = {
    "equals": "equals",
    "contains": "contains",
    "starts": "starts with",
    "ends": "ends with",
    "matches": "matches",
    "less": "is less than",
    "greater": "is greater than",
}


def say_condition(condition: p.Condition, say: Say = wrapped) -> str:
    """The condition in canonical English."""
    if isinstance(condition, p.Not):
        return f"not ({say_condition(condition.condition, say)})"
    if isinstance(condition, p.Every):
        inner = ", ".join(f"({say_condition(one, say)})" for one in condition.conditions)
        return f"{'any' if condition.any else 'all'} of {inner}"
    if isinstance(condition, p.Has):
        return f"{say(condition.what)} {_HOLDS[condition.how]} {quoted(condition.text)}"
    return _simple(condition, say)


def _simple(condition: p.Condition, say: Say) -> str:
    if isinstance(condition, p.Shows):
        return f"{say(condition.what)} is visible"
    if isinstance(condition, p.Is):
        return (
            f"{say(condition.what)} is "
            f"{'in view' if condition.state == 'visible' else condition.state}"
        )
    if isinstance(condition, p.Count):
        how = {"least": "at least ", "most": "at most "}.get(condition.how, "exactly ")
        return f"there are {how}{condition.number} {say(condition.what)}"
    if isinstance(condition, p.Within):
        return f"{say_condition(condition.condition, say)} within {say(condition.place)}"
    if isinstance(condition, p.Sorted):
        by = f" by {say(condition.by)}" if condition.by else ""
        how = "descending" if condition.down else "ascending"
        return f"{say(condition.what)} is sorted{by} in {how} order"
    if isinstance(condition, p.WindowOpen):
        return f"the window {quoted(condition.title)} is open"
    if isinstance(condition, p.Only):
        *names, last = map(say, condition.names)
        listed = f"{', '.join(names)} and {last} are" if names else f"{last} is"
        sort = condition.sort
        return f"{listed} the only {sort} listed" if sort else f"only {listed} listed"
    if isinstance(condition, p.Said):
        return condition.claim
    if isinstance(condition, p.Exists):
        return f"the file {quoted(condition.path)} exists"
    if isinstance(condition, p.Compare):
        return (
            f"the text {quoted(condition.left)} {_HOLDS[condition.how]} {quoted(condition.right)}"
        )
    raise InvalidInput(
        f"a condition of kind {type(condition).__name__} has no words", op="steps.write"
    )
