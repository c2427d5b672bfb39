"""Days of a month that is laid out as a table: `Friday the 20th`, `March 20`, `the 20th`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, children_of
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["day_cell"]

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_DAY = re.compile(
    r"(?:the )?(?:(?P<noun>cell|day|date|box|square|field|slot)s? (?:(?:of|for|on|with|called) )?)?"
    rf"(?:on )?(?:(?P<weekday>(?:{'|'.join(_WEEKDAYS)})[a-z]*),? )?(?:the )?"
    rf"(?:(?P<before>{_MONTH}) )?(?:the )?(?P<day>\d{{1,2}})(?P<nth>st|nd|rd|th)?"
    rf"(?:(?: of)? (?P<after>{_MONTH}))?(?:,? (?P<year>\d{{4}}))?"
    r"(?: (?P<tail>cell|box|square))?",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"(?:\w+day,? )?(?:(?P<before>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?|"
    rf"(?P<first>\d{{1,2}})(?:st|nd|rd|th)? (?P<after>{_MONTH}))(?:,? (?P<year>\d{{4}}))?",
    re.IGNORECASE,
)
FEWEST = 25
"""Days that a table has if it is a month."""


@dataclass(frozen=True, slots=True)
class _Day:
    """A day, as far as it is said; 0 for what is not."""

    day: int
    month: int = 0
    year: int = 0


def day_cell(desk: Desk, phrase: str) -> Match | None:
    """The cell of a month that words for a day mean; None where they mean none, or several."""
    said = _DAY.fullmatch(" ".join(phrase.replace('"', "").split()))
    if said is None or not any(said[key] for key in ("weekday", "before", "after", "nth", "noun")):
        return None
    wanted = _Day(int(said["day"]), _month(said["before"] or said["after"]), int(said["year"] or 0))
    shown = part_meant(desk.elements, "")
    cells = [(e, day) for e in shown if (day := _told(e, shown)) is not None]
    if len(cells) < FEWEST:
        return None
    fitting = [e for e, day in cells if _fits(day, wanted)]
    if said["weekday"]:
        fitting = [e for e in fitting if _is_on(e, said["weekday"], shown)]
    if len(fitting) > 1 and not wanted.month:
        # The days of the months before and after are on the edge: a whole month has this one.
        months = [day.month for _, day in cells]
        most = max(set(months), key=months.count)
        fitting = [e for e, day in cells if e in fitting and day.month == most]
    if len(fitting) != 1 or fitting[0].box is None:
        return None
    return Match(fitting[0], 0.9, fitting[0].box.center, f"the day {phrase}")


def _month(name: str | None) -> int:
    return _MONTHS.index(name[:3].casefold()) + 1 if name else 0


def _told(cell: Element, shown: Sequence[Element]) -> _Day | None:
    """The day that a cell is for, by what it is called or by the number in it."""
    if kind_of(cell) is not Kind.CELL or cell.box is None:
        return None
    if found := _TOLD.match(cell.name):
        day = int(found["day"] or found["first"])
        return _Day(day, _month(found["before"] or found["after"]), int(found["year"] or 0))
    texts = [cell.name, *(written_on(e) for e in children_of(shown, cell))]
    numbers = [
        text.strip() for text in texts if re.fullmatch(r"\s*(?:[1-9]|[12]\d|3[01])\s*", text)
    ]
    return _Day(int(numbers[0])) if numbers else None


def _fits(day: _Day, wanted: _Day) -> bool:
    month = not (day.month and wanted.month) or day.month == wanted.month
    year = not (day.year and wanted.year) or day.year == wanted.year
    return day.day == wanted.day and month and year


def _is_on(cell: Element, weekday: str, shown: Sequence[Element]) -> bool:
    """Whether a cell is of a weekday: by its date, else by the heading of its column."""
    wanted = _WEEKDAYS.index(weekday[:3].casefold())
    found = _TOLD.match(cell.name)
    if found is not None and found["year"]:
        day = int(found["day"] or found["first"])
        date = datetime.date(int(found["year"]), _month(found["before"] or found["after"]), day)
        return date.weekday() == wanted
    heads = [
        e
        for e in shown
        if kind_of(e) is Kind.COLUMN and e.box and cell.box and e.box.y < cell.box.y
        if e.box.x <= cell.box.center.x < e.box.right
    ]
    names = {written_on(e)[:3].casefold() for e in heads}
    return not names & set(_WEEKDAYS) or _WEEKDAYS[wanted] in names
