"""Working out an answer from what is on the screen, and giving it where the page asks for it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import nullcontext

from carrel.actions import Click
from carrel.models.steps.claims.conditions import counted_things, read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.bounds import bounded, not_told
from carrel.models.steps.finding.wishes import all_fitting, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.equations import find_equation, plain, solve
from carrel.models.steps.phrases.place_words import placed_in
from carrel.models.steps.program import Answer, Compute
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.calculating import key_sum, said_sum
from carrel.models.steps.verbs.entering import empty_fields, put
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.numbers import NUMBER, number
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["answer", "compute"]

_TAKES = (Kind.BUTTON, Kind.LINK, Kind.OPTION, Kind.MENU_ITEM, Kind.CELL, Kind.TAB)


def compute(desk: Desk, step: Compute) -> Turns[str | None]:
    """Count, add up, compare, or solve."""
    said = said_sum(step.what) if step.how == "solve" else None
    if said is not None:
        return (yield from _said(desk, step, said))
    place, what = step.place, step.what
    if place is None and (parts := placed_in(what)) is not None:
        place, what = parts if not_told(desk, parts[0]) is None else (None, what)
    if place is not None and (missing := not_told(desk, place)) is not None:
        raise Missed(missing)
    with bounded(desk, place) if place is not None else nullcontext():
        if step.how == "solve":
            value = yield from _solve(desk)
        elif step.how == "count":
            value = yield from _count(desk, what)
        else:
            value = _reckon(step.how, _numbers(desk, what))
    desk.names[step.name] = plain(value)
    return f"{step.name} = {plain(value)}"


def _said(desk: Desk, step: Compute, said: str) -> Turns[str | None]:
    """A sum that is told whole: keyed into the calculator that is in front, if one is.

    Raises:
        Missed: A calculator is spoken of, and none is in sight.
    """
    told = f"{step.place or ''} {step.what}".casefold()
    keyed = yield from key_sum(desk, said)
    if not keyed and "calculator" in told:
        raise Missed("no calculator with its keys is in sight")
    value = solve(said)
    assert value is not None
    desk.names[step.name] = plain(value)
    return None if keyed else f"{step.name} = {plain(value)}"


def _count(desk: Desk, what: str) -> Turns[float]:
    """How many of something there are."""
    count = len(counted_things(desk, what))
    if not count and (yield from desk.closer()):
        count = len(counted_things(desk, what))
    if not count:
        raise Missed(f"there is nothing to be seen that is {what}")
    return float(count)


def _solve(desk: Desk) -> Turns[float]:
    texts = [text_of(e, desk.elements) for e in part_meant(desk.elements, "")]
    found = find_equation(texts)
    if found is None and (yield from desk.closer()):
        found = find_equation([text_of(e, desk.elements) for e in desk.elements])
    if found is None:
        raise Missed("there is no calculation to be seen")
    value = solve(found)
    if value is None:
        raise Missed(f"{found!r} has no one answer")
    return value


def _numbers(desk: Desk, phrase: str) -> list[float]:
    elements = all_fitting(desk, phrase)
    found = [read_number(text_of(e, desk.elements)) for e in elements]
    numbers = [number for number in found if number is not None]
    if not numbers:
        texts = " ".join(text_of(e, desk.elements) for e in elements)
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", texts)]
    if not numbers:
        numbers = _shown_numbers(desk, phrase)
    if not numbers:
        raise Missed(f"no number fits {phrase!r}")
    return numbers


_NUMBERS = re.compile(
    rf"(?:the )?(?:(?P<n>{NUMBER}|both|all)(?: the)? )?(?:numbers|values|figures|amounts)"
    r"(?: (?:that are )?(?:shown|displayed|given|above|here))?(?: on the (?:page|screen))?",
    re.IGNORECASE,
)


def _shown_numbers(desk: Desk, phrase: str) -> list[float]:
    """The texts of a page that are nothing but a number, where as many are there as were said."""
    said = _NUMBERS.fullmatch(phrase.strip())
    if said is None:
        return []
    texts = {
        (e.box.x, e.box.y): text
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in (Kind.TEXT, Kind.CELL, Kind.HEADING)
        if re.fullmatch(r"-?\d[\d,]*(?:\.\d+)?", text := text_of(e, desk.elements).strip())
    }
    found = [value for text in texts.values() if (value := read_number(text)) is not None]
    count = 2 if (said["n"] or "").casefold() == "both" else number(said["n"] or "")
    return found if count is None or count == len(found) else []


def _reckon(how: str, numbers: Sequence[float]) -> float:
    if how == "difference":
        return max(numbers) - min(numbers)
    values = {
        "average": sum(numbers) / len(numbers),
        "sum": sum(numbers),
        "product": math.prod(numbers),
        "greatest": max(numbers),
        "least": min(numbers),
    }
    return values[how]


def answer(desk: Desk, step: Answer) -> Turns[str | None]:
    """Choose the answer, or write it; where nobody asks, it is told at the end."""
    if step.aloud:
        return step.text
    match = resolve(desk, look_for(desk, wished(f'"{step.text}"')))
    if match is not None and not is_disabled(match.element):
        if kind_of(match.element) in TICKED:
            yield from bring_to(desk, match.element, True, match.why)
            return None
        if kind_of(match.element) in _TAKES:
            why = f"{named(match.element)} is the answer"
            yield from desk.do(Click(match.point.x, match.point.y), why=why, last=True)
            yield from desk.effect()
            return None
    fields = empty_fields(desk)
    if len(fields) == 1:
        return (yield from put(desk, fields[0], step.text, why="the only field there is"))
    return step.text
