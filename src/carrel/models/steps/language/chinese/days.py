"""Days that are told from today, in Chinese words: 明天, 三天后, 下周一."""

from __future__ import annotations

import datetime
import re

from carrel.models.steps.language.atoms import DATED, TIMED
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import NotUnderstood, Talk

__all__ = ["TOLD_ZH", "dated_fields", "day_from", "day_meant", "day_of_month"]

_NEAR = {"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "当天": 0,
         "当日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3}  # fmt: skip
_WEEK = re.compile(
    r"(?P<which>上上|上|本|这|下下|下)个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])"
)
_AWAY = re.compile(rf"(?P<n>{NUMBER})\s*(?P<unit>天|周|个?星期)(?P<way>以?之?后|以?之?前)")
_DAYS = re.compile(
    r"日期|日历|日$|生日|入住|离店|退房|返程|截止|日子|\bdate\b|calendar", re.IGNORECASE
)
_OF_MONTH = re.compile(r"(?P<which>上个?|本|这个?|当|下个?)月的?\s*(?P<day>\d{1,2})\s*[日号]")
_MONTH_END = re.compile(
    r"(?P<which>上个?|本|这个?|当|下个?)月的?(?:(?P<first>第一天|1\s*[日号]|一号)|最后一天|月末最后一天)"
)
_MONTHS = {"上": -1, "上个": -1, "本": 0, "这": 0, "这个": 0, "当": 0, "下": 1, "下个": 1}
_WEEKS = {"上上": -2, "上": -1, "本": 0, "这": 0, "下": 1, "下下": 2}


TOLD_ZH = (
    rf"(?:{'|'.join(sorted(_NEAR, key=len, reverse=True))}|"
    + "|".join(
        re.sub(r"\?P<\w+>", "?:", form.pattern) for form in (_WEEK, _OF_MONTH, _MONTH_END, _AWAY)
    )
    + ")"
)
"""A day that is told from today."""
_MOMENT = re.compile(
    rf"(?:{'|'.join(sorted(_NEAR, key=len, reverse=True))}|{_WEEK.pattern})的?\s*"
    rf"(?:{TIMED}|(?:早上|上午|中午|下午|晚上)?\s*(?:{NUMBER})\s*点.*)"
)
"""A day from today and a time: 明天下午三点."""


def day_meant(masked: str, into: str, talk: Talk) -> str | None:
    """The day that is meant for a field, as YYYY-MM-DD; None when it is not told from today.

    Fields that are not called after a day may have an entry of that name.

    Raises:
        NotUnderstood: It is a time of that day, which may be two fields.
    """
    if _MOMENT.fullmatch(masked.strip()):
        raise NotUnderstood("a day and a time are two things; one field after another says it")
    if not _DAYS.search(talk.atoms.text(into)):
        return None
    bare = re.sub(r"^(?:日期|时间)\s*(?:为|是)?|(?:的日期|这一天|那一天)$", "", masked.strip())
    day = day_from(bare, datetime.datetime.now().astimezone().date())
    if day is None:
        return None
    talk.put_aside(masked)
    return day.isoformat()


def day_of_month(masked: str, talk: Talk) -> str | None:
    """本月20号, as YYYY-MM-DD: a day wherever it is said; None for any other words."""
    if not _OF_MONTH.fullmatch(masked.strip()):
        return None
    day = day_from(masked.strip(), datetime.datetime.now().astimezone().date())
    talk.put_aside(masked)
    return day.isoformat() if day else None


def day_from(text: str, today: datetime.date) -> datetime.date | None:
    """The day that the words tell from another one; a week begins on Monday."""
    if text in _NEAR:
        return today + datetime.timedelta(days=_NEAR[text])
    if week := _WEEK.fullmatch(text):
        monday = today - datetime.timedelta(days=today.weekday())
        day = "一二三四五六日".index(week["day"].replace("天", "日"))
        return monday + datetime.timedelta(days=7 * _WEEKS[week["which"]] + day)
    if month := _OF_MONTH.fullmatch(text):
        ahead = today.year * 12 + today.month - 1 + _MONTHS[month["which"]]
        try:
            return datetime.date(ahead // 12, ahead % 12 + 1, int(month["day"]))
        except ValueError:
            return None
    if end := _MONTH_END.fullmatch(text):
        ahead = today.year * 12 + today.month - 1 + _MONTHS[end["which"]]
        if end["first"]:
            return datetime.date(ahead // 12, ahead % 12 + 1, 1)
        after = datetime.date((ahead + 1) // 12, (ahead + 1) % 12 + 1, 1)
        return after - datetime.timedelta(days=1)
    away = _AWAY.fullmatch(text)
    if away is None or (count := number(away["n"])) is None:
        return None
    days = int(count) * (1 if away["unit"] == "天" else 7)
    return today + datetime.timedelta(days=-days if away["way"].endswith("前") else days)


_DATED_FIELD = re.compile(
    rf"(?P<field>[\u3400-\u9fff]+?(?:日期|时间|日))\s*(?:为|是|：|:)?\s*(?P<when>{DATED}|{TIMED})"
)


def dated_fields(rest: str) -> list[tuple[str, str]]:
    """入住日期 12月1日，离店日期 12月3日: fields and their days; none when it is no such list."""
    found = [_DATED_FIELD.fullmatch(part) for part in re.split(r"\s*[，,、和]\s*", rest)]
    return [(one["field"], one["when"]) for one in found if one] if all(found) else []
