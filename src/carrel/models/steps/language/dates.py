"""Dates and times of day, as people write them in English and Chinese."""

from __future__ import annotations

import calendar
import datetime
import re

from carrel.models.steps.language.numbers import number

__all__ = [
    "DATE",
    "DAY_FIELD",
    "DAY_OF_YEAR",
    "TIME",
    "is_day_first",
    "is_from_now",
    "is_spoken_time",
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
DAY_FIELD = (
    r"(?:date|departure|arrival|check-?in|check-?out|birthday|deadline|day)"
    r"(?:\s+(?:date|day|field|box))?"
)
"""How what takes a day is called."""
DAY_OF_YEAR = rf"(?:{_MONTH}\s+(?:the\s+)?{_DAY}|{_DAY}(?:\s+of)?\s+{_MONTH})"
"""A day without its year: `the 15th of March`."""
_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9])"
_PART = r"(?:\s+(?:in the (?:morning|afternoon|evening)|at night|[ap]\.?m\b\.?))?"
# "The 9:30 slot in the morning list" is a place.
_OF_DAY = (
    r"(?:\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)\b"
    r"(?!\s+(?:section|group|column|list|slot|tab|row)))"
)
_MINUTES = r"(?:five|ten|twenty(?:-five)?|\d{1,2})"
_HOUR_ZH = r"(?:十[一二]?|[一二两三四五六七八九]|二十[一二三]?|\d{1,2})"
_MINUTES_ZH = r"(?:[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九]|\d{1,2})"
_DAYTIME = r"(?:上午|下午|晚上|早上|中午|凌晨|傍晚|清晨)"
# Numbers alone with "to" between them are a range: "from ten to five".
_SPOKEN = (
    rf"(?<![\w-])(?:(?:half|(?:a\s+)?quarter|{_MINUTES}(?:\s+minutes)?)\s+past|"
    rf"(?:(?:a\s+)?quarter|{_MINUTES}\s+minutes)\s+to)\s+{_HOUR}(?![\w:]|\.\d){_PART}"
    rf"|(?<![\w-]){_HOUR}\s+o['’]clock{_PART}"
    r"|(?-i:(?<=\bto\s)|(?<=\bat\s)|(?<=\bis\s)|(?<=\bbe\s))(?-i:noon|midnight)\b"
)
_SPOKEN_ZH = (
    rf"{_DAYTIME}\s*{_HOUR_ZH}\s*[点时](?!\s*\d)(?:钟|整|半|[一三]刻|{_MINUTES_ZH}分?)?"
    rf"|(?<![一二三四五六七八九十\d第]){_HOUR_ZH}[点时](?:半|[一三]刻|钟|整|{_MINUTES_ZH}分)"
    rf"|差\s*(?:一刻|{_MINUTES_ZH}分)\s*{_HOUR_ZH}点(?:钟)?"
)
TIME = (
    r"(?<![\d:])(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?"
    rf"(?:\s*(?:[ap]\.m\.|[ap]m\b)|{_OF_DAY})?(?![\d:])"
    r"|(?<![\d.:])(?:1[0-2]|0?[1-9])\s*[ap]\.?m\b"
    r"|(?:上午|下午|晚上|早上|中午|凌晨)\s*\d{1,2}\s*(?:点|时|:)(?:\s*(?:半|\d{1,2}(?:\s*分)?))?"
    rf"|{_SPOKEN}|{_SPOKEN_ZH}"
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
    if (told := _told_time(bare)) is not None:
        return told
    numbers = [int(n) for n in re.findall(r"\d+", bare)]
    if not numbers:
        return None
    if "半" in bare and len(numbers) == 1:
        numbers.append(30)
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    late = re.search(r"p\.?m|afternoon|evening|night|下午|晚上", bare) is not None
    early = re.search(r"a\.?m|morning|上午|早上|凌晨", bare) is not None
    if late and hour < 12:
        hour += 12
    if early and hour == 12:
        hour = 0
    if hour > 23 or minute > 59:
        return None
    seconds = f":{numbers[2]:02}" if len(numbers) > 2 else ""
    return f"{hour:02}:{minute:02}{seconds}"


def is_spoken_time(text: str) -> bool:
    """Whether a time of day is told in words, as no page writes it."""
    bare = text.strip()
    if re.search(rf"{_SPOKEN}|^(?:noon|midnight)$|{_OF_DAY}$", bare, re.IGNORECASE):
        return True
    return re.fullmatch(_SPOKEN_ZH, bare) is not None and not re.search(r"\d", bare)


def _told_time(bare: str) -> str | None:
    """`half past nine`, 九点半, 差一刻十点; None when it is written in figures."""
    if bare in ("noon", "midnight"):
        return "12:00" if bare == "noon" else "00:00"
    if past := re.fullmatch(
        rf"(?P<minutes>half|(?:a\s+)?quarter|{_MINUTES})(?:\s+minutes)?\s+(?P<way>past|to)\s+"
        rf"(?P<hour>{_HOUR})(?P<part>{_PART})",
        bare,
    ):
        minutes = 30 if past["minutes"] == "half" else 15
        if not re.search(r"half|quarter", past["minutes"]):
            minutes = int(number(past["minutes"]) or 0)
        return _clock(int(number(past["hour"]) or 0), minutes, past["way"] == "to", past["part"])
    if sharp := re.fullmatch(rf"(?P<hour>{_HOUR})\s+o['’]clock(?P<part>{_PART})", bare):
        return _clock(int(number(sharp["hour"]) or 0), 0, False, sharp["part"])
    return _told_time_zh(bare)


def _told_time_zh(bare: str) -> str | None:
    found = re.fullmatch(
        rf"(?P<part>{_DAYTIME})?\s*(?:差\s*(?P<less>一刻|{_MINUTES_ZH}分)\s*)?(?P<hour>{_HOUR_ZH})"
        rf"\s*[点时](?:钟|整|(?P<half>半)|(?P<quarters>[一三])刻|(?P<minutes>{_MINUTES_ZH})分?)?",
        bare,
    )
    if found is None or (
        found["hour"].isdigit() and found["quarters"] is None and not found["less"]
    ):
        return None
    minutes = 30 if found["half"] else {"一": 15, "三": 45}.get(found["quarters"] or "", 0)
    said = found["minutes"] or (found["less"] or "").removesuffix("分")
    if said:
        minutes = 15 if said == "一刻" else int(number(said) or 0)
    return _clock(
        int(number(found["hour"]) or 0), minutes, bool(found["less"]), found["part"] or ""
    )


def _clock(hour: int, minutes: int, less: bool, part: str) -> str | None:
    """The time of 24 hours; without a part of the day as it is said."""
    late = re.search(r"afternoon|evening|night|p\.?m|下午|晚上|傍晚", part) is not None
    early = re.search(r"morning|a\.?m|上午|早上|凌晨|清晨", part) is not None
    hour += 12 if late and hour < 12 else 0
    hour -= 12 if early and hour == 12 else 0
    at = hour * 60 + (-minutes if less else minutes)
    return f"{at // 60:02}:{at % 60:02}" if 0 <= at < 24 * 60 and minutes < 60 else None
