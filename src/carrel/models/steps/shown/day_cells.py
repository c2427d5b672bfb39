"""Days of a month that is laid out as a table: `Friday the 20th`, `March 20`, `the 20th`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.drawn_months import drawn_month
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
    r"(?: (?P<tail>cell|box|square))?"
    r"(?P<where> (?:in|on|of|from) (?:the |this )?(?:\w+ )?(?:calendar|month|date ?picker|grid)"
    r"(?: view| grid)?)?",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"(?:\w+day,? )?(?:(?P<before>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?|"
    rf"(?P<first>\d{{1,2}})(?:st|nd|rd|th)? (?P<after>{_MONTH}))(?:,? (?P<year>\d{{4}}))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[1-9]|[12]\d|3[01]")
_HEAD = re.compile(rf"(?P<month>{_MONTH}),? (?P<year>\d{{4}})", re.IGNORECASE)
WHOLE = 28
"""Days that a month has at least."""
FEWEST = 25
"""Days that a table has if it is a month."""
_TELLING = ("weekday", "before", "after", "nth", "noun", "where")
"""What tells that a number is a day."""


@dataclass(frozen=True, slots=True)
class _Day:
    """A day, as far as it is said; 0 for what is not."""

    day: int
    month: int = 0
    year: int = 0


_DAY_ZH = re.compile(
    r"(?:日历|月历|日程表)?(?:上面?|里面?|中)?的?\s*(?:(?P<year>\d{4})\s*年)?\s*(?:(?P<month>\d{1,2})\s*月)?\s*"
    r"(?P<day>\d{1,2})\s*[号日](?:那一?[天格]|这一?[天格]|的?(?:那个|这个)?(?:格子|单元格|方格|日期))?"
)


def _in_english(phrase: str) -> str:
    """日历上的 18 号 as the day 18; any other words as they are."""
    found = _DAY_ZH.fullmatch(phrase)
    if found is None:
        return phrase
    month = f"{_MONTHS[int(found['month']) - 1]} " if 1 <= int(found["month"] or 0) <= 12 else ""
    year = f", {found['year']}" if found["year"] else ""
    return f"the day {month}{found['day']}{year}"


def day_cell(desk: Desk, phrase: str) -> Match | None:
    """The cell of a month that words for a day mean; None where they mean none, or several."""
    said = _DAY.fullmatch(_in_english(" ".join(phrase.replace('"', "").split())))
    if said is None or not any(map(said.group, _TELLING)):
        return None
    wanted = _Day(int(said["day"]), _month(said["before"] or said["after"]), int(said["year"] or 0))
    shown = part_meant(desk.elements, "")
    cells = [(e, day) for e in shown if (day := _told(e, shown)) is not None]
    if len(cells) < FEWEST:
        cells = _drawn(shown)
    if not cells:
        return None if said["weekday"] else _in_plain_month(desk, phrase, wanted)
    fitting = [e for e, day in cells if _fits(day, wanted)]
    if said["weekday"]:
        told = {e.id: day for e, day in cells}
        fitting = [e for e in fitting if _is_on(e, told[e.id], said["weekday"], shown)]
    if len(fitting) > 1 and not wanted.month:
        # The days of the months before and after are on the edge: a whole month has this one.
        months = [day.month for _, day in cells]
        most = max(set(months), key=months.count)
        fitting = [e for e, day in cells if e in fitting and day.month == most]
    if len(fitting) != 1 or fitting[0].box is None:
        return None
    return Match(fitting[0], 0.9, fitting[0].box.center, f"the day {phrase}")


def _drawn(shown: Sequence[Element]) -> list[tuple[Element, _Day]]:
    """The days of a month that is only drawn."""
    month = drawn_month(tuple(shown))
    return [] if month is None else [(e, _Day(*day)) for e, day in month.days]


def _in_plain_month(desk: Desk, phrase: str, wanted: _Day) -> Match | None:
    """The number of a day in a month of plain boxes: from 1 on, one after the other.

    The days of the months before and after stand outside of that row of numbers.
    """
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    holders = {e.parent for e in shown}
    numbers = [e for e in shown if e.id not in holders and _NUMBER.fullmatch(written_on(e).strip())]
    runs: list[list[Element]] = []
    for element in numbers:
        day = int(written_on(element))
        if day == 1:
            runs.append([element])
        elif runs and day == len(runs[-1]) + 1:
            runs[-1].append(element)
    months = [run for run in runs if len(run) >= WHOLE]
    if len(months) != 1 or wanted.day > len(months[0]) or not _is_headed(shown, wanted):
        return None
    meant = months[0][wanted.day - 1]
    assert meant.box is not None
    return Match(meant, 0.9, meant.box.center, f"the day {phrase}")


def _is_headed(shown: Sequence[Element], wanted: _Day) -> bool:
    """Whether the one month that is told is the month that is meant."""
    texts = [written_on(e) for e in shown if kind_of(e) in (Kind.HEADING, Kind.TEXT)]
    heads = [found for text in texts if (found := _HEAD.fullmatch(text.strip())) is not None]
    told = {(_month(found["month"]), int(found["year"])) for found in heads}
    if not wanted.month:
        return True
    return len(told) == 1 and all(
        wanted.month == month and wanted.year in (0, year) for month, year in told
    )


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


def _is_on(cell: Element, told: _Day, weekday: str, shown: Sequence[Element]) -> bool:
    """Whether a cell is of a weekday: by its date, else by the heading of its column."""
    wanted = _WEEKDAYS.index(weekday[:3].casefold())
    if told.month and told.year:
        return datetime.date(told.year, told.month, told.day).weekday() == wanted
    heads = [
        e
        for e in shown
        if kind_of(e) is Kind.COLUMN and e.box and cell.box and e.box.y < cell.box.y
        if e.box.x <= cell.box.center.x < e.box.right
    ]
    names = {written_on(e)[:3].casefold() for e in heads}
    return not names & set(_WEEKDAYS) or _WEEKDAYS[wanted] in names
