"""The parts of a calendar's heading that take a month or a year: drop-downs, fields, headings."""

from __future__ import annotations

import calendar as names
import datetime
import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["has_parts", "set_parts"]

_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)")
_MONTH = re.compile(
    r"\b("
    + "|".join(name[:3] for name in names.month_name[1:])
    + r")[a-z]*\b|(?:\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月",
    re.IGNORECASE,
)
_OF_MONTHS = re.compile(r"(?:select |choose )?(?:a |the )?months?|月份?", re.IGNORECASE)
_OF_YEARS = re.compile(r"(?:select |choose )?(?:a |the )?years?|年份?", re.IGNORECASE)
"""What a drop-down for months or years is called where it does not say which is chosen."""
_TAKING = (Kind.COMBO, Kind.SPINNER, Kind.FIELD)
LONG = 24
"""Letters that what a part shows has at most."""


def has_parts(near: Sequence[Element], month: datetime.date, date: datetime.date) -> bool:
    """Whether the year of a date can be set by itself; within a year, its month."""
    if _year_part(near, month) is not None:
        return month.year != date.year or _month_part(near) is not None
    return month.year == date.year and _month_part(near) is not None


def _shown(element: Element) -> str:
    # A drop-down is called by what it is for, and shows what is chosen.
    return (element.value or element.text or element.name).strip()


def _year_part(near: Sequence[Element], month: datetime.date) -> Element | None:
    fitting = [
        e
        for e in near
        if kind_of(e) in _TAKING and e.box is not None and not is_disabled(e)
        if str(month.year) in _YEAR.findall(_shown(e)) or _OF_YEARS.fullmatch(e.name.strip())
        if len(_shown(e)) <= LONG
        if not _MONTH.search(_shown(e))
    ]
    return fitting[0] if fitting else None


def _month_part(near: Sequence[Element]) -> Element | None:
    fitting = [
        e
        for e in near
        if kind_of(e) is Kind.COMBO and e.box is not None and not is_disabled(e)
        if _MONTH.search(_shown(e)) or _OF_MONTHS.fullmatch(e.name.strip())
        if not _YEAR.search(_shown(e)) and len(_shown(e)) <= LONG
    ]
    return fitting[0] if fitting else None


def set_parts(
    desk: Desk, near: Sequence[Element], month: datetime.date, date: datetime.date
) -> Turns[None]:
    """Set the year, and the month where that is a drop-down too; arrows do the rest."""
    year = _year_part(near, month) if month.year != date.year else None
    if year is not None:
        yield from _set_year(desk, year, date)
    part = _month_part(near)
    now = same_as(desk.elements, part) if part is not None else None
    if now is not None and now.box is not None:
        yield from _choose(desk, now, (f"{date:%B}", f"{date:%b}", f"{date.month}月"))


def _set_year(desk: Desk, year: Element, date: datetime.date) -> Turns[None]:
    assert year.box is not None
    if kind_of(year) is Kind.COMBO:
        yield from _choose(desk, year, (str(date.year), f"{date.year}年"))
        return
    at = year.box.center
    keys: tuple[Action, ...] = (Click(at.x, at.y), Key(("ctrl", "a")))
    typing = (*keys, Type(str(date.year)), Key(("enter",)))
    yield from desk.do(*typing, why=f"the year in {named(year)}", commits=False)


def _choose(desk: Desk, combo: Element, options: Sequence[str]) -> Turns[None]:
    """One of the words that an option may have; a drop-down without it is left as it is."""
    for option in options:
        try:
            yield from choose_from_combo(desk, combo, f'"{option}"')
        except Missed:
            continue
        desk.doubts.clear()
        return
