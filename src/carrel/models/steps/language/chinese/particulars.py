"""Chinese particulars after an instruction: 登录：账号 a，密码 b; 写邮件给 Ann，主题是“x”."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from carrel.models.steps.language.atoms import DATED, NAME, OTHER, QUOTE, TIMED
from carrel.models.steps.language.chinese.days import day_meant
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.verbs import is_clause
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Perform, PickDate, SetValue, Step

__all__ = ["told_more", "with_particulars"]

Reader = Callable[[str, Talk], list[Step]]

_GIVEN = re.compile(
    rf"(?P<noun>[\u3400-\u9fff]{{2,6}}?)\s*(?<!包含)(?:为|是|：|:|填|写|选)?\s*"
    rf"(?P<text>{QUOTE}|{NAME}|{DATED}?\s*{TIMED}|{DATED}|{OTHER}|[\x21-\x7e]+)"
)
_COLON = re.compile(r"(?P<head>[^，,：:]+)[：:]\s*(?P<rest>.+)", re.DOTALL)
_COLON_PAIR = re.compile(r"(?P<what>[^，,：:\s]{2,10})\s*[：:]\s*(?P<value>[^，,：:]+)")


_ASKING = re.compile(
    rf"[把将].*{QUOTE}|(?:选择?|填写?|写|勾选?|输入)\s*{QUOTE}|(?:点击?|单击|双击|按下?|右击).*{QUOTE}"
)
_TOLD = re.compile(
    rf"(?P<noun>(?![第最前后])[\u3400-\u9fff]{{2,6}}?)(?:就|要|应)?(?:\s*(?:为|是|叫做?)|(?:(?<=[码号名])(?=\s|{QUOTE})|(?<=主题|标题|内容|正文|地址|备注|地点|说明|附言|用途)(?={QUOTE})|(?<=时间|日期)(?=\s*(?:{DATED}|{TIMED}))))\s*(?P<text>{QUOTE}|{NAME}|{DATED}\s*{TIMED}|{DATED}|{TIMED}|{OTHER}|[\x21-\x7e]+)"
)


# 备注写“还款”: told of what is done before it, which it would come too late for.
_NOTED = re.compile(
    rf"(?P<noun>备注|附言|用途|留言|摘要|附注)(?:里|中|上|栏)?(?:填写|输入|写上|填|写|注明)\s*(?P<text>{QUOTE}|{NAME})"
)
_NAMED = re.compile(r"(?:文件|文件夹)?(?:重命名|改名|命名|取名|起名|名称|名字|名|标题)")


def _asks(value: str) -> bool:
    """Whether what stands behind the colon is something to do."""
    return _ASKING.match(value) is not None or re.match(r"找到|打开|进入|选择", value) is not None


def _told(part: str) -> re.Match[str] | None:
    """The particular of the words; None for those that are an instruction of their own."""
    found = _TOLD.fullmatch(bare_zh(part))
    if found is None:
        return _NOTED.fullmatch(bare_zh(part))
    if _NAMED.fullmatch(found["noun"]):
        return found
    asks = re.match(r"[把将在从给对让]|用(?!户)|.*[设改换切变调]$", found["noun"])
    return None if asks or is_clause(bare_zh(part)) else found


def _word(step: Perform, noun: str) -> str:
    """The word of a particular: what something new is called is its name."""
    if noun in ("数量", "件数", "份数") and step.verb in ("add", "order", "buy"):
        return "quantity"
    if not _NAMED.fullmatch(noun) or noun == "标题":
        return noun
    return {"create": "named", "add": "named", "save": "as", "rename": "to"}.get(step.verb, noun)


_MAIL = re.compile(r"[写发].*邮件")
_COPIED = re.compile(
    rf"(?P<to>抄送|密送)(?:给|到)?\s*(?P<who>{QUOTE}|{NAME}|{OTHER}|(?![留空不填写为是输选])[\u3400-\u9fff]{{2,6}}|[\x21-\x7e]+)"
)


_AT_ONCE = frozenset(("transfer", "pay", "order", "buy", "book", "reserve", "check out"))
"""Verbs that leave nothing open to be filled in afterwards."""


def _told_after(parts: list[str], talk: Talk, read: Reader) -> list[Step] | None:
    """写邮件给 Ann，主题是“a”，内容是“b”，然后发送."""
    copied = [_COPIED.fullmatch(bare_zh(part)) for part in parts[1:2] if _MAIL.search(parts[0])]
    if copied and copied[0]:
        # 写邮件给 A，抄送 B，主题“a”: who gets it as well is told among the others.
        return _told_after([f"{parts[0]}，{parts[1]}", *parts[2:]], talk, read)
    given = list(takewhile(bool, map(_told, parts[1:])))
    if not given or not is_clause(bare_zh(parts[0])) or _STATING.match(bare_zh(parts[0])):
        return None
    if _COLON.fullmatch(parts[0]) and all(_GIVEN.fullmatch(bare_zh(part)) for part in parts[1:]):
        # 新建会议：主题“a”，时间…，地点“b”: all of them stand behind the colon.
        return None
    *others, last = read(parts[0], talk)
    if not isinstance(last, Perform):
        return None
    if last.verb not in _AT_ONCE:
        given = list(takewhile(lambda one: one and one.re is not _NOTED, given))
    if not given:
        return None
    told = tuple((_word(last, one["noun"]), talk.text(one["text"])) for one in given if one)
    rest = "，".join(parts[1 + len(given) :])
    after = read(rest, talk) if rest else []
    return [*others, replace(last, details=(*last.details, *told)), *after]


_SENDS = ("forward", "email", "reply", "send", "create", "message")


def told_more(step: Perform, part: str, talk: Talk) -> Perform | None:
    """新建文件夹，命名为“发票”: what is told of a thing right after it; None for anything else."""
    if (copied := _COPIED.fullmatch(bare_zh(part))) and step.verb in _SENDS:
        return replace(step, details=(*step.details, (copied["to"], talk.text(copied["who"]))))
    found = _told(part)
    if found is None or not _NAMED.fullmatch(found["noun"]):
        return None
    word = _word(step, found["noun"])
    if word == found["noun"] or word in dict(step.details):
        return None
    return replace(step, details=(*step.details, (word, talk.text(found["text"]))))


_STATING = re.compile(r"验证|检查|确认|断言|确保|核对|如果|若|要是|当|等")


_CHANGING = re.compile(r"(?:修改|更改|重置|设置|变更)[\u3400-\u9fff]{2,6}")


def _set_to(what: str, value: str, talk: Talk) -> Step:
    """出发日期：下周五: the day; any other field gets what is said."""
    if day := day_meant(value, what, talk):
        return PickDate(day, day, talk.phrase(what))
    return SetValue(talk.phrase(what), talk.text(value))


def with_particulars(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """登录：账号 a，密码 b; 姓名：李四，工号：7."""
    parts = re.split(r"\s*[，,、]\s*", text)
    pairs = [_COLON_PAIR.fullmatch(part) for part in parts]
    if all(p and not is_clause(p["what"]) and not _asks(p["value"]) for p in pairs):
        return [_set_to(p["what"], p["value"], talk) for p in pairs if p]
    if steps := _told_after(parts, talk, read):
        return steps
    found = _COLON.fullmatch(text)
    if found is None or not is_clause(bare_zh(found["head"])):
        return None
    given = [_GIVEN.fullmatch(bare_zh(part)) for part in re.split(r"\s*[，,、]\s*", found["rest"])]
    if not all(given):
        return None
    *others, last = read(found["head"], talk)
    if _CHANGING.fullmatch(bare_zh(found["head"])):
        # 修改密码：旧密码 a，新密码 b: the fields say what is changed.
        talk.put_aside(found["head"])
        return [SetValue(talk.phrase(o["noun"]), talk.text(o["text"])) for o in given if o]
    if not isinstance(last, Perform) or last.details:
        return None
    details = tuple((one["noun"], talk.text(one["text"])) for one in given if one)
    return [*others, replace(last, details=details)]
