"""A month that a page only draws: numbers from 1 on, line by line, and what holds all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.boxes import around
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["DrawnMonth", "drawn_month"]

SHORTEST = 28
"""Days of the shortest month."""
LINE = 8
"""Pixels by which days of one week may differ in height."""
COLUMNS = range(5, 8)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NUMBER = re.compile(r"\s*(?:[1-9]|[12]\d|3[01])\s*")
_HEAD = re.compile(rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.? (?P<year>\d{{4}})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnMonth:
    """Its days as they stand there.

    Attributes:
        days: What says each day, with the day, the month and the year; 0 for what is not told.
        box: All of it, with what is written between the days.
    """

    days: tuple[tuple[Element, tuple[int, int, int]], ...]
    box: Box


def drawn_month(shown: Sequence[Element]) -> DrawnMonth | None:
    """The one month that is drawn; None where there is none, or its name is not certain."""
    held = {e.parent for e in shown}
    numbers = [
        e
        for e in shown
        if kind_of(e) is Kind.TEXT and e.box is not None and e.id not in held
        if _NUMBER.fullmatch(written_on(e))
    ]
    lined = sorted(numbers, key=lambda e: (e.box.y // LINE, e.box.x) if e.box else (0, 0))
    month = max((_from(lined[at:]) for at in range(len(lined))), key=len, default=[])
    columns = {e.box.x // LINE for e in month if e.box is not None}
    heads = {(_MONTHS.index(f["month"][:3].casefold()) + 1, int(f["year"])) for f in _heads(shown)}
    if len(month) < SHORTEST or len(columns) not in COLUMNS or len(heads) > 1:
        return None
    number, year = next(iter(heads), (0, 0))
    days = tuple((e, (n, number, year)) for n, e in enumerate(month, 1))
    return DrawnMonth(days, _cells_around(month))


def _from(lined: Sequence[Element]) -> list[Element]:
    """The days that follow one another from the first on, which has to be 1."""
    run: list[Element] = []
    for element in lined:
        if written_on(element).strip() == str(len(run) + 1):
            run.append(element)
        elif not run:
            return []
    return run


def _heads(shown: Sequence[Element]) -> list[re.Match[str]]:
    kinds = (Kind.HEADING, Kind.TEXT, Kind.BUTTON)
    said = (_HEAD.fullmatch(written_on(e).strip()) for e in shown if kind_of(e) in kinds)
    return [found for found in said if found is not None]


def _cells_around(month: Sequence[Element]) -> Box:
    """The days, each as wide and high as it is to the next."""
    whole = around([e.box for e in month if e.box is not None])
    tops = sorted({e.box.y for e in month if e.box is not None})
    lefts = sorted({e.box.x for e in month if e.box is not None})
    high = max((b - a for a, b in pairwise(tops)), default=0)
    wide = max((b - a for a, b in pairwise(lefts)), default=0)
    pad = LINE
    return Box(
        max(0, whole.x - pad),
        max(0, whole.y - pad),
        lefts[-1] - whole.x + wide + pad,
        tops[-1] - whole.y + high + pad,
    )
