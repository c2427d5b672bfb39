"""Telling what each of several things is, where each has a button for either answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.conditions import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Perform
from carrel.models.steps.reveal import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["answers_in", "tell_each"]


def _is_prime(number: float) -> bool:
    whole = int(number)
    return whole > 1 and all(whole % other for other in range(2, int(whole**0.5) + 1))


_IS: Mapping[str, Callable[[float], bool]] = {
    "odd": lambda number: number % 2 == 1,
    "even": lambda number: number % 2 == 0,
    "positive": lambda number: number > 0,
    "negative": lambda number: number < 0,
    "prime": _is_prime,
    "奇数": lambda number: number % 2 == 1,
    "偶数": lambda number: number % 2 == 0,
}
_OR = re.compile(
    r"(?:either )?(?P<one>[\w]+) (?:or|and) (?P<other>[\w]+)|(?P<a>奇数)[或和](?P<b>偶数)"
)


def answers_in(step: Perform) -> tuple[str, str] | None:
    """The two answers that a step leaves to tell between; None where there are none."""
    said = " ".join(text for word, text in step.details if word == "as").strip().casefold()
    found = _OR.fullmatch(said)
    if found is None:
        return None
    pair = (found["one"] or found["a"], found["other"] or found["b"])
    return pair if all(word in _IS for word in pair) else None


def tell_each(desk: Desk, answers: tuple[str, str]) -> Turns[str | None]:
    """Press the right one of two buttons beside each number, also of those out of sight.

    Raises:
        Missed: There is no number with both answers beside it.
    """
    yield from desk.again(0, why="all numbers, also those out of sight", hidden=True)
    rows = _rows(desk.unseen or desk.elements, answers)
    if not rows:
        raise Missed(f"no number has {answers[0]} and {answers[1]} beside it")
    for number, (value, buttons) in enumerate(rows):
        word = next((word for word in answers if _IS[word](value)), None)
        if word is None:
            raise Missed(f"{value:g} is neither {answers[0]} nor {answers[1]}")
        yield from _press(desk, answers, number, word, buttons[word])
    return f"{len(rows)} told"


def _press(
    desk: Desk, answers: tuple[str, str], number: int, word: str, button: Element
) -> Turns[None]:
    """Press a button of a row, brought into sight first; the rows keep their order."""
    if (yield from bring_into_view(desk, button)):
        rows = _rows(desk.unseen, answers)
        button = rows[number][1][word] if number < len(rows) else button
    assert button.box is not None
    at = button.box.center
    yield from desk.do(Click(at.x, at.y), why=f"number {number + 1} is {named(button)}", last=True)


_Row = tuple[float, dict[str, Element]]


def _rows(elements: Sequence[Element], answers: tuple[str, str]) -> list[_Row]:
    page = [e for e in part_meant(elements, "") if e.box is not None and e.box.area]
    buttons = [e for e in page if kind_of(e) in CONTROLS]
    rows: list[_Row] = []
    for text in page:
        number = read_number(text.name) if kind_of(text) is Kind.TEXT else None
        if number is None:
            continue
        beside = {
            word: e
            for word in answers
            for e in buttons
            if e.name.strip().casefold() == word and _in_row(e, text)
        }
        if len(beside) == len(answers):
            rows.append((number, beside))
    return rows


def _in_row(one: Element, other: Element) -> bool:
    assert one.box is not None
    assert other.box is not None
    common = min(one.box.bottom, other.box.bottom) - max(one.box.y, other.box.y)
    return common >= 0.5 * min(one.box.height, other.box.height)
