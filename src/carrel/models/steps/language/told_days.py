"""Days and times that are told and not written: next Friday, 三天后, half past nine.

A field gets the day itself. Where something is checked, a page may write the day in many ways: any
of them counts.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace

from carrel.models.steps.language.atoms import DATED, TIMED
from carrel.models.steps.language.chinese.days import TOLD_ZH, day_from
from carrel.models.steps.language.dates import (
    is_from_now,
    is_spoken_time,
    iso_date,
    iso_time,
    weekday_ahead,
)
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Compare, Condition, Has, Step, Unclear

__all__ = ["as_told", "day_shown", "days_of", "time_shown", "with_days"]

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FAR = (
    rf"(?:(?P<which>next|this|last|(?:the\s+)?coming)\s+(?P<day>{_WEEKDAY})|"
    rf"(?P<of>{_WEEKDAY})\s+(?:of\s+)?(?P<week>next|this|last)\s+week|"
    rf"in\s+(?P<ahead>{NUMBER}|a)\s+(?P<unit>day|week)s?|"
    rf"(?P<count>{NUMBER}|a)\s+(?P<each>day|week)s?\s+"
    r"(?P<way>(?:from|after)\s+(?:now|today)|later|ago|ahead)|"
    r"the\s+end\s+of\s+(?P<end>this|the|next)\s+month)"
)
_NEAR = r"(?-i:today|tomorrow|yesterday)"
_FIELD = (
    r"(?:[\w'’-]+\s+){0,4}?(?:dates?|deadline|expiry|calendar|date ?picker|birthday|day)"
    r"(?:\s+(?:field|box|picker|input|column))?"
)
_THE = r"\b(?:the|my|your|its|their|his|her|this|that|a)\s+"
_WHERE = r"(?:\s+(?:of|for|in|on)\s[^,;]+?)?"
_ENDS = r"(?=\s*$|\s*[,.;!?]|\s+(?:and|but|then|or|by default)\b)"
_SET = re.compile(
    rf"(?P<head>{_THE}{_FIELD}{_WHERE}\s+(?:to|on|for|as)\s+)(?P<when>{_FAR}){_ENDS}", re.IGNORECASE
)
_CHOSEN = re.compile(
    rf"(?P<head>\b(?:choose|select|pick|enter|type|put)\s+)(?P<when>{_FAR})"
    rf"(?=\s+(?:in|into|as|for|from|on|with|using)\s+(?:the|a|my|your)\s+{_FIELD}\b)",
    re.IGNORECASE,
)
_DAY_CHOSEN = re.compile(
    rf"(?P<head>\b(?:choose|select|pick|enter|set)\s+)(?:the|a)\s+(?:date|day)\s+"
    rf"(?:that\s+is\s+)?(?P<when>{_FAR}){_ENDS}",
    re.IGNORECASE,
)
"""`pick a date two weeks from today`."""
_SAYS = (
    r"\s(?:is|are|be|was|shows?|displays?|reads?|says?|equals?|contains?|has|have|"
    r"(?:defaults?|set|changed?|changes|updated)\s+to|becomes?|remains?|stays?)\s+"
    r"(?:(?:now|still|already|also|not|set to|by default|exactly)\s+)*"
)
_CLAIMED = re.compile(
    rf"(?P<head>{_THE}{_FIELD}(?:\s[^,;]*?)?{_SAYS})(?P<when>{_FAR}|{_NEAR}|{DATED}){_ENDS}",
    re.IGNORECASE,
)
_TIME_CLAIMED = re.compile(
    rf"(?P<head>{_THE}(?:[\w'’-]+\s+){{0,4}}?(?:time|clock|alarm|start|end)(?:\s[^,;]*?)?{_SAYS})"
    rf"(?P<when>{TIMED}){_ENDS}",
    re.IGNORECASE,
)
_CLAIM_ZH = r"验证|检查|确认|断言|确保|核对|应|如果|若|要是|等到|等待|直到|看到"
_SAYS_ZH = r"(?:显示为|显示成|默认为|默认是|变为|变成|等于|不是|不为|显示|是|为)"
_CLAIMED_ZH = re.compile(
    rf"(?P<head>(?:日期|截止日|到期日|时间|日历|生日)[^，,。；]{{0,10}}?{_SAYS_ZH}\s*)"
    rf"(?P<when>{TOLD_ZH}|{TIMED})(?=$|[，,。；]|时|的话|后|就|则|而|且|并|但)"
)


def with_days(masked: str, talk: Talk) -> str:
    """The masked sentence with each day that is told from today as the day it is.

    Raises:
        NotUnderstood: It may be one of two days.
    """
    if talk.chinese:
        if not re.search(_CLAIM_ZH, masked):
            return masked
        return _CLAIMED_ZH.sub(lambda f: f["head"] + _looked_for(f["when"], talk), masked)
    masked = _CLAIMED.sub(lambda f: f["head"] + _looked_for(f["when"], talk), masked)
    masked = _TIME_CLAIMED.sub(lambda f: f["head"] + _looked_for(f["when"], talk), masked)
    for form in (_SET, _CHOSEN, _DAY_CHOSEN):
        masked = form.sub(lambda f: f["head"] + _written(f["when"], talk), masked)
    return masked


def _today() -> datetime.date:
    return datetime.datetime.now(tz=datetime.UTC).astimezone().date()


def _written(when: str, talk: Talk) -> str:
    talk.put_aside(when)
    return talk.atoms.mask(_one(when).isoformat())


def _looked_for(when: str, talk: Talk) -> str:
    """A letter for the ways in which a page may write it; the words themselves where it is none."""
    said = talk.atoms.original(when).strip()
    if re.fullmatch(TIMED, when):
        at = iso_time(said) if is_spoken_time(said) else None
        shown = time_shown(at) if at else None
    else:
        day = _day_said(when, said, talk)
        shown = day_shown(day) if day else None
    if shown is None:
        return when
    talk.put_aside(when)
    talk.told[shown] = said
    return talk.atoms.keep_quote(said, shown)


def _day_said(when: str, said: str, talk: Talk) -> datetime.date | None:
    if talk.chinese:
        return day_from(said, _today())
    if re.fullmatch(DATED, when):
        iso = iso_date(said) if is_from_now(said) else None
    elif re.fullmatch(_NEAR, when):
        iso = iso_date(f"{when}'s date")
    else:
        return _one(when)
    return datetime.date.fromisoformat(iso) if iso else None


def _one(when: str) -> datetime.date:
    days = days_of(when, _today())
    if len(days) != 1:
        told = " or ".join(str(day) for day in days) or "no day of this week"
        raise NotUnderstood(f"{when} may be {told}; say the day itself")
    return days[0]


def days_of(when: str, today: datetime.date) -> tuple[datetime.date, ...]:
    """The days that the words may mean: one, two where people differ, none where it is over.

    Args:
        when: `next Friday`, `this Friday`, `in 3 days`, `two weeks from today`.
        today: The day that it is said on.
    """
    found = re.fullmatch(_FAR, when.strip(), re.IGNORECASE)
    if found is None:
        return ()
    if found["day"]:
        return _weekday(found["which"].lower(), found["day"], today)
    monday = today - datetime.timedelta(days=today.weekday())
    if found["of"]:
        weeks = {"next": 1, "this": 0, "last": -1}[found["week"].lower()]
        return (monday + datetime.timedelta(days=7 * weeks + _index(found["of"])),)
    if found["end"]:
        ahead = today.year * 12 + today.month - 1 + (found["end"].lower() == "next")
        year, month = ahead // 12, ahead % 12 + 1
        return (datetime.date(year, month, calendar.monthrange(year, month)[1]),)
    said = found["ahead"] or found["count"]
    count = 1 if said.lower() == "a" else number(said)
    if count is None or count != int(count):
        return ()
    days = int(count) * (7 if (found["unit"] or found["each"]).lower() == "week" else 1)
    back = (found["way"] or "").lower() == "ago"
    return (today + datetime.timedelta(days=-days if back else days),)


def _index(name: str) -> int:
    return ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(name[:3].lower())


def _weekday(which: str, name: str, today: datetime.date) -> tuple[datetime.date, ...]:
    """`this Friday` is that of this week, if it is not over; `next` where both ways agree."""
    of_week = today + datetime.timedelta(days=_index(name) - today.weekday())
    if which == "this":
        return (of_week,) if of_week >= today else ()
    if which == "next":
        return tuple(map(datetime.date.fromisoformat, weekday_ahead(name, today)))
    if which == "last":
        before = today - datetime.timedelta(days=(today.weekday() - _index(name) - 1) % 7 + 1)
        return tuple(sorted({before, of_week - datetime.timedelta(days=7)}))
    return (datetime.date.fromisoformat(min(weekday_ahead(name, today))),)


def day_shown(day: datetime.date) -> str:
    """A regular expression for the day as pages write it; with two small numbers month first."""
    year, month, date = day.year, f"0?{day.month}", f"0?{day.day}"
    name = calendar.month_name[day.month]
    worded = f"{name[:3]}(?:{name[3:]})?\\.?" if name != "May" else "May"
    nth = f"{date}(?:st|nd|rd|th)?"
    short = f"(?:{year}|{year % 100:02})"
    ways = [
        f"{year}[-/.]{month}[-/.]{date}",
        f"{month}/{date}/{short}",
        f"{date}\\.\\s?{month}\\.\\s?{short}",
        f"{month}-{date}-{year}",
        f"{worded}\\s{nth},?\\s{year}",
        f"{nth}\\s(?:of\\s)?{worded},?\\s{year}",
        f"{year}\\s?年\\s?{month}\\s?月\\s?{date}\\s?[日号]",
    ]
    if day.day > 12:
        ways += [f"{date}/{month}/{short}", f"{date}-{month}-{year}"]
    return rf"(?i)(?<!\d)(?:{'|'.join(ways)})(?!\d)"


def time_shown(iso: str) -> str:
    """A regular expression for a time of day as pages write it, HH:MM of 24 hours or of 12."""
    hour, minute = int(iso[:2]), iso[3:5]
    half = "a" if hour < 12 else "p"
    twelve = hour % 12 or 12
    plain = rf"0?{hour}:{minute}(?::00)?(?!\s*[ap]\.?m)"
    return rf"(?i)(?<![\d:])(?:{plain}|0?{twelve}:{minute}(?::00)?\s*{half}\.?m\.?)(?![\d:])"


def as_told(steps: Sequence[Step], talk: Talk) -> list[Step]:
    """The steps, where a told day is matched; one that is no claim about it is unclear."""
    return [_matched(step, talk) for step in steps] if talk.told else list(steps)


def _matched(step: Step, talk: Talk) -> Step:
    changed = _walk(step, talk)
    assert isinstance(changed, Step)
    if isinstance(changed, Unclear) or not _holds(changed, talk):
        return changed
    why = "how a page writes that day nobody said"
    return Unclear(why=f"“{step.words}”: {why}", words=step.words)


def _walk(value: object, talk: Talk) -> object:
    if isinstance(value, Has) and value.text in talk.told:
        return replace(value, how="matches")
    if isinstance(value, Compare) and value.right in talk.told:
        return replace(value, how="matches")
    if isinstance(value, tuple):
        return tuple(_walk(one, talk) for one in value)
    if isinstance(value, Step | Condition) and is_dataclass(value):
        changes = {f.name: _walk(getattr(value, f.name), talk) for f in fields(value)}
        return replace(value, **changes)  # type: ignore[arg-type]
    return value


def _holds(value: object, talk: Talk) -> bool:
    """Whether a told day stands anywhere but where it is matched."""
    if isinstance(value, str):
        return any(told in value for told in talk.told)
    if isinstance(value, tuple):
        return any(_holds(one, talk) for one in value)
    if isinstance(value, Has | Compare):
        text = value.text if isinstance(value, Has) else value.right
        if text not in talk.told and any(said in text for said in talk.told.values()):
            # More follows it than belongs to it.
            return True
        return _holds(value.what if isinstance(value, Has) else value.left, talk)
    if isinstance(value, Step | Condition) and is_dataclass(value):
        return any(_holds(getattr(value, f.name), talk) for f in fields(value) if f.name != "words")
    return False
