"""Chinese words for what something is set to: 把音量设为 40%, 语言改为英文."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED
from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.days import day_meant
from carrel.models.steps.language.chinese.point import all_of, thing
from carrel.models.steps.language.chinese.text import ends_open
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk
from carrel.models.steps.language.values import value_steps
from carrel.models.steps.program import Check, Enter, ForEach, PickDate, Point, SetValue, Step, Tick

__all__ = ["page_length_zh", "set_value"]

_BECOMES = r"不?可(?:用|点击|见|编辑)|禁用|启用|灰色?|置灰|选中|展开|折叠|空白?|高亮"


_TYPED_INTO = (
    r"(?P<field>.+(?:输入框|文本框|编辑框|文本域|搜索框|输入栏))"
    r"(?:(?:里面|里|中|内)?的?(?:值|内容|文本|文字|数值))?"
)


_SWITCHED = re.compile(r"(?:(?P<on>打?开|开启|启用)|关闭?|禁用|停用)(?:状态|的)?")


def _becoming(found: re.Match[str], talk: Talk) -> list[Step] | None:
    """密码变成“明文”: what becomes so by itself is to be seen, and nothing to do."""
    if not re.search(r"变[为成]", found[0]):
        return None
    made = re.match(r"把|将|让|使", found[0])
    if not made and (condition := read_condition_zh(found[0], talk.atoms)):
        return [Check(condition)]
    if made and not re.fullmatch(_BECOMES, found["value"].strip()):
        return None
    raise NotUnderstood("that it becomes so is nothing to do; “等到 X 可用”, “验证 X 可用”")


_PAGE_LENGTH = re.compile(
    r"\s*请?\s*(?:设置|让|将|把)?\s*(?:表格|列表)?每页(?:只)?(?:显示|展示)\s*(?P<n>\d{1,4})\s*[条行项个笔]"
    r"(?:记录|数据|结果|内容)?\s*[。.！]?\s*"
)


def page_length_zh(text: str) -> list[Step]:
    """每页显示 20 条, as all that is said: how many are to be shown, and no claim that they are."""
    found = _PAGE_LENGTH.fullmatch(text)
    return [] if found is None else [SetValue("每页显示条数", found["n"])]


def _without_old(what: str, value: str, talk: Talk) -> str:
    """状态从“A”: what it was before is no part of its name.

    Raises:
        NotUnderstood: It is one of several fields, or one of several things.
    """
    old = re.fullmatch(r"(?P<what>.+?)\s*(?:从|由(?=[\ue000-\ue7ff]))\s*(?P<old>.+)", what)
    if old is None:
        return what
    if re.fullmatch(QUOTE, old["what"]) and re.fullmatch(rf"{DATED}|{TIMED}", value):
        raise NotUnderstood("which field of it is that? “把 X 的开始时间改为 …”")
    if all_of(old["what"]):
        raise NotUnderstood("which of them are that now? “对状态为 X 的每个 Y，把…改为…”")
    talk.put_aside(old["old"])
    return old["what"]


def set_value(found: re.Match[str], talk: Talk) -> list[Step]:
    """`把 X 设为 Y`."""
    value = re.sub(r"(?<=[色款号])的$", "", found["value"].strip())
    what = found["what"].strip()
    if seen := _becoming(found, talk):
        return seen
    what = _without_old(what, value, talk)
    if re.fullmatch(r"第\s*[\d一二三四五六七八九十]+\s*页|[上下]一页|首页|末页", value):
        talk.put_aside(what)
        return [Point(thing(value, talk))]
    if re.fullmatch(r"[上下]一?个?[月年周天]", value):
        raise NotUnderstood("which one is that? “点击“下个月””")
    if switched := _SWITCHED.fullmatch(value):
        return [Tick((thing(what, talk),), switched["on"] is not None)]
    if day := day_meant(value, what, talk):
        return [PickDate(day, day, thing(what, talk))]
    if re.fullmatch(rf"{DATED}|{TIMED}", value):
        return value_steps(value, thing(what, talk), talk)
    if ends_open(value) or re.search(r"[，,；](?!\d)", value):
        raise NotUnderstood(f"where does the value “{talk.atoms.original(value)}” end?")
    if field := re.fullmatch(_TYPED_INTO, what):
        # What is in a field to type into is typed, and not turned or chosen.
        return [Enter(talk.text(value), thing(field["field"], talk))]
    if each := all_of(what):
        body = SetValue(f"{{{EACH}}}", talk.text(value))
        return [ForEach(EACH, (body,), every=thing(each, talk))]
    return [SetValue(thing(what, talk), talk.text(value))]
