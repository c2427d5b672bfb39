"""Dates and times of day, as people write them in English and Chinese."""

from __future__ import annotations

import calendar
import datetime
import re

__all__ = [
    "DATE",
    "DAY_OF_YEAR",
    "TIME",
    "is_day_first",
    "is_from_now",
    "iso_date",
    "iso_time",
    "other_day",
    "weekday_ahead",
]

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = (
    "(?:"
    + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS if name != "may")
    + r"|may|sept)\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"\d{4}"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)"

DATE = (
    rf"{_WEEKDAY}?(?:"
    rf"(?<![\d/.-])\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d{{2}})(?![\d/])"
    rf"|(?<![\d/-]){_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?![\d/-])"
    rf"|(?<![\d.])\d{{1,2}}\.\d{{1,2}}\.{_YEAR}(?!\d)"
    rf"|(?<!\d)\d{{1,2}}-\d{{1,2}}-{_YEAR}(?!\d)"
    rf"|\b{_MONTH}\s+(?:the\s+)?{_DAY},?\s+{_YEAR}\b"
    rf"|\b{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}\b"
    rf"|{_YEAR}\s*年\s*\d{{1,2}}\s*月\s*\d{{1,2}}\s*[日号]"
    r"|(?<![\d年])(?:1[0-2]|[1-9])\s*月\s*(?:[12]\d|3[01]|[1-9])\s*[日号]"
    rf"|\b{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)\b"
    r"|\b(?:to|this |yester)day['’]s\s+date\b|\btomorrow['’]s\s+date\b"
    rf"|\bthe\s+{_DAY}\s+of\s+(?:this|next|last)\s+month\b"
    # Small letters only: "The Day After Tomorrow" is a film.
    r"|(?-i:\bthe\s+(?:day\s+(?:after\s+tomorrow|before\s+yesterday)|"
    r"(?:first|last)\s+day\s+of\s+(?:this|next|last)\s+month)\b))"
)
DAY_OF_YEAR = rf"(?:{_MONTH}\s+(?:the\s+)?{_DAY}|{_DAY}(?:\s+of)?\s+{_MONTH})"
"""A day without its year: `the 15th of March`."""
TIME = (
    r"(?<![\d:])(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\s*(?:[ap]\.m\.|[ap]m\b))?(?![\d:])"
    r"|(?<![\d.:])(?:1[0-2]|0?[1-9])\s*[ap]\.?m\b"
    r"|(?:上午|下午|晚上|早上|中午|凌晨)\s*\d{1,2}\s*(?:点|时|:)\s*(?:半|\d{1,2}\s*分?)?"
)


def iso_date(text: str, *, year: int | None = None) -> str | None:
    """The date as YYYY-MM-DD; month first where only the order can tell; None for no such day.

    Args:
        text: As written: `12/31/2016`, `December 31st, 2016`, `2016年12月31日`.
        year: For a date that names none; this year when left out.
    """
    bare = re.sub(rf"^{_WEEKDAY}", "", text.strip(), flags=re.IGNORECASE)
    parts = _numeric(bare, year) or _from_now(bare) or _worded(bare, year)
    if parts is None:
        return None
    try:
        return datetime.date(*parts).isoformat()
    except ValueError:
        return None


def _from_now(text: str) -> tuple[int, int, int] | None:
    """A day that is told by how far it is from today."""
    today = datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    found = re.match(r"(today|this day|yesterday|tomorrow)['’]s\s+date", text, re.IGNORECASE)
    if found is not None:
        ahead = {"yesterday": -1, "tomorrow": 1}.get(found[1].lower(), 0)
        day = today + datetime.timedelta(days=ahead)
        return day.year, day.month, day.day
    if found := re.match(r"the\s+day\s+(after\s+tomorrow|before\s+yesterday)", text):
        day = today + datetime.timedelta(days=2 if found[1].startswith("after") else -2)
        return day.year, day.month, day.day
    if found := re.match(r"the\s+(first|last)\s+day\s+of\s+(this|next|last)\s+month", text):
        return _edge_of_month(today, found[2], first=found[1] == "first")
    found = re.match(rf"the\s+({_DAY})\s+of\s+(this|next|last)\s+month", text, re.IGNORECASE)
    if found is None:
        return None
    year, month = _month_from(today, found[2])
    return year, month, int(re.sub(r"\D", "", found[1]))


def is_from_now(text: str) -> bool:
    """Whether a day is told only by how far it is from today."""
    return _from_now(text.strip()) is not None


def _month_from(today: datetime.date, which: str) -> tuple[int, int]:
    """The year and month of `this`, `next` or `last` month."""
    month = today.year * 12 + today.month - 1 + {"next": 1, "last": -1}.get(which.lower(), 0)
    return month // 12, month % 12 + 1


def _edge_of_month(today: datetime.date, which: str, *, first: bool) -> tuple[int, int, int]:
    year, month = _month_from(today, which)
    return year, month, 1 if first else calendar.monthrange(year, month)[1]


def weekday_ahead(name: str, today: datetime.date | None = None) -> tuple[str, ...]:
    """The days that `next Friday` may be: the first one to come, and that of the week to come.

    Args:
        name: The day of the week.
        today: The day that it is said on; today when left out.
    """
    now = today or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    wanted = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(name[:3].lower())
    coming = now + datetime.timedelta(days=(wanted - now.weekday() - 1) % 7 + 1)
    of_week = now + datetime.timedelta(days=7 - now.weekday() + wanted)
    return tuple(sorted({coming.isoformat(), of_week.isoformat()}))


def is_day_first(text: str) -> bool:
    """Whether a date in figures can only be read with its day first: 15/06/2025."""
    found = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(?:\d{4}|\d{2})", text.strip())
    return found is not None and 12 < int(found[1]) <= 31 and int(found[2]) <= 12


def other_day(text: str) -> str:
    """The day with its two numbers the other way round; empty when only one can be meant."""
    bare = re.sub(rf"^{_WEEKDAY}", "", text.strip(), flags=re.IGNORECASE)
    found = re.fullmatch(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})", bare)
    if found is None or int(found[1]) > 12 or int(found[3]) > 12 or int(found[1]) == int(found[3]):
        return ""
    return iso_date(f"{found[3]}/{found[1]}/{found[4]}") or ""


def _numeric(text: str, year: int | None) -> tuple[int, int, int] | None:
    found = re.fullmatch(rf"({_YEAR})\s*[-/.年]\s*(\d+)\s*[-/.月]\s*(\d+)\s*[日号]?", text)
    if found:
        return int(found[1]), int(found[2]), int(found[3])
    if found := re.fullmatch(r"(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]", text):
        this = year or datetime.datetime.now(tz=datetime.UTC).year
        return this, int(found[1]), int(found[2])
    found = re.fullmatch(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})", text)
    if found is None:
        return None
    first, second, whole = int(found[1]), int(found[3]), int(found[4])
    whole += 0 if whole > 99 else 2000
    # 31.12.2016 is written day first; 12/31/2016 month first, unless that is no month.
    day_first = found[2] == "." or first > 12
    return (whole, second, first) if day_first else (whole, first, second)


def _worded(text: str, year: int | None) -> tuple[int, int, int] | None:
    month = re.search(r"[a-z]{3,}", re.sub(r"\d+(?:st|nd|rd|th)|\bof\b|\bthe\b", "", text.lower()))
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    index = next((i for i, m in enumerate(_MONTHS) if month and m[:3] == month[0][:3]), None)
    if index is None or not numbers:
        return None
    years = [n for n in numbers if n > 31]
    days = [n for n in numbers if n <= 31]
    if not days:
        return None
    this = datetime.datetime.now(tz=datetime.UTC).year
    return (years[0] if years else year or this), index + 1, days[0]


def iso_time(text: str) -> str | None:
    """The time of day as HH:MM or HH:MM:SS of 24 hours; None when it is none."""
    bare = text.strip().lower()
    numbers = [int(n) for n in re.findall(r"\d+", bare)]
    if not numbers:
        return None
    if "半" in bare and len(numbers) == 1:
        numbers.append(30)
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    late = re.search(r"p\.?m|下午|晚上", bare) is not None
    early = re.search(r"a\.?m|上午|早上|凌晨", bare) is not None
    if late and hour < 12:
        hour += 12
    if early and hour == 12:
        hour = 0
    if hour > 23 or minute > 59:
        return None
    seconds = f":{numbers[2]:02}" if len(numbers) > 2 else ""
    return f"{hour:02}:{minute:02}{seconds}"
