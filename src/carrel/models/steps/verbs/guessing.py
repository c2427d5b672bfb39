"""Finding a number by guessing, where the screen tells whether it is higher or lower."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Perform
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.controls import finishing
from carrel.models.steps.verbs.entering import fields_of, only_field, put
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, kind_of

__all__ = ["guess", "hint_in"]

ROUNDS = 40
LEAST, GREATEST = 0, 100
"""Where it is not said between which numbers."""
_UP = re.compile(
    r"\b(?:higher|greater|larger|bigger|more than|too (?:low|small)|go up)\b|更大|太小|更高",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:lower|smaller|less than|too (?:high|large|big)|go down)\b|更小|太大|更低", re.IGNORECASE
)
_RIGHT = re.compile(
    r"\b(?:correct|right|you (?:got|guessed|found|won|win)|well done|success)\b|正确|猜对",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:in|not )(?:correct|right)\b", re.IGNORECASE)


def guess(desk: Desk, step: Perform) -> Turns[str | None]:
    """Halve what is left with every guess.

    Raises:
        Missed: Nothing on the screen says which way, or no number is left.
    """
    low, high = _bounds(" ".join(text for _, text in step.details) or step.what or "")
    before = _texts(desk)
    for _ in range(ROUNDS):
        if low > high:
            raise Missed("by what the screen tells, no number is left to guess")
        middle = (low + high) // 2
        yield from _try(desk, middle)
        hint = yield from _hint(desk, before)
        if hint == "right" or not fields_of(desk):
            return f"the number is {middle}"
        low, high = (middle + 1, high) if hint == "up" else (low, middle - 1)
    raise Missed("the number was not found")


def _bounds(text: str) -> tuple[int, int]:
    numbers = [int(number) for number in re.findall(r"(?<![\d-])-?\d+|(?<=\d-)\d+", text)]
    return (min(numbers), max(numbers)) if len(numbers) >= 2 else (LEAST, GREATEST)


def _try(desk: Desk, number: int) -> Turns[None]:
    field = only_field(desk)
    yield from put(desk, field, str(number), why="the middle of what is left")
    button = finishing(desk, "guess")
    if button is None or button.box is None:
        raise Missed("there is no button to try a number with")
    at = button.box.center
    yield from desk.do(Click(at.x, at.y), why=f"try {number} with {named(button)}")


def _texts(desk: Desk) -> list[str]:
    kinds = (Kind.TEXT, Kind.HEADING)
    shown: Sequence[Element] = [e for e in part_meant(desk.elements, "") if kind_of(e) in kinds]
    return [said for e in shown if (said := (e.name or e.value or e.text).strip())]


def _hint(desk: Desk, before: Sequence[str]) -> Turns[str]:
    new: list[str] = []
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="what the screen says to that")
        new = [text for text in _texts(desk) if text not in before]
        told = {hint for text in new if (hint := hint_in(text)) is not None}
        if len(told) == 1:
            return told.pop()
        if not fields_of(desk):
            return "right"
    raise Missed(
        f"nothing says whether the number is higher or lower: {' '.join(new) or 'no words'}"
    )


def hint_in(text: str) -> str | None:
    """`up`, `down` or `right`, by what a text says to a guess; None where it says no such thing."""
    if _UP.search(text):
        return "up"
    if _DOWN.search(text):
        return "down"
    return "right" if _RIGHT.search(text) and not _NEGATED.search(text) else None
