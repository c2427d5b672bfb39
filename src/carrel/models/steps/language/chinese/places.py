"""Chinese words that say where before what is done: 在弹窗里点“确定”, 购物车里把数量改成 3."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.point import thing
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Find, GoTo, Point, Press, Read, Step, Unclear

__all__ = ["placed_zh", "split_place"]

_INSIDE = re.compile(r"(?:里面|里边|里头|之中|当中|里|中|内|上面|上|下面|下)$")
_SIDE = re.compile(r"(?:旁边|旁|左边|右边|左侧|右侧|上方|下方|后面|前面|下面|上面)的?$")
_ROW = re.compile(r"(?:所在|对应)?的?(?:那|这|该)?一?(?P<unit>[行列])(?:里|中|上|内)?$")
_THEREIN = re.compile(r"(?:其|它)?(?:里面|里边|里头|之中)|其中|(?:其|它)[里中内]")
_PART = re.compile(
    rf"(?:{ANY}|[框栏页格区表单项条处卡]|页面|窗口|列表|菜单|面板|菜单栏|工具栏|侧边栏)$"
)
_WEAK = re.compile(r"(?:在|从|用|使用|通过|给|对|去|让|令|求)")
_ANYWHERE = re.compile(
    r"(?:(?:当前|这个|该|整个)?(?:页面|屏幕|网页|界面|桌面|画面)|(?:当前|这个|该)(?:目录|文件夹|位置|窗口)|这里|此处)"
    r"(?:上|中|里|内|下)?"
)


def split_place(text: str) -> tuple[str, str] | None:
    """Where something is done, and what is done there; None when it says no such place."""
    at = re.match(r"(?:在|于|到)\s*", text)
    start = at.end() if at else 0
    if start == 0 and verb_at_zh(text) is not None:
        return None
    for index in range(start + 1, len(text)):
        if text[index - 1] in "，,、；;：:":
            return None
        found = verb_at_zh(text, index)
        if (
            found is None
            or _WEAK.fullmatch(found[0])
            or (len(found[0]) < 2 and not text[found.end() :].strip())
        ):
            continue
        place = text[start:index].strip()
        if _ends_as_place(place, bool(at)):
            return place, text[index:]
    return None


def _ends_as_place(place: str, said: bool) -> bool:
    """Whether the words before a verb end like a place; with 在 before them more words do."""
    if len(place) < 2 and not re.fullmatch(QUOTE, place):
        return False
    if _INSIDE.search(place) or _ROW.search(place) or _SIDE.search(place):
        return True
    return said and _PART.search(place) is not None


def _spoken(place: str) -> str:
    """The place without its particle: 弹窗里 is 弹窗, “赵六”这一行 the row of 赵六."""
    if row := _ROW.search(place):
        head = place[: row.start()]
        if re.search(r"第[一二三四五六七八九十\d]+$", head):
            return f"{head}{row['unit']}"
        # 标题为“A”的那一行: what tells it from others ends with 的.
        of = "的" if re.search(rf"(?:[为是叫含]|等于)\s*{ANY}$", head) else ""
        return f"{head}{of}{'' if head.endswith('最后') else '那'}一{row['unit']}"
    if _THEREIN.fullmatch(place):
        return "其中"
    if re.search(r"最[上下前后左右][面边]$", place):
        return place
    place = re.sub(rf"(?<=.)[那这][里儿]$|(?<={QUOTE})处$", "", place)
    return _SIDE.sub("", _INSIDE.sub("", place)) or place


def placed_zh(
    clause: str, talk: Talk, read: Callable[[str, Talk], list[Step]]
) -> list[Step] | None:
    """The steps of a clause with its place; None when it says none."""
    parts = split_place(clause)
    if parts is None:
        return None
    place, act = parts
    steps = read(act, talk)
    if re.match(r"新(?:的|开的?)?(?:标签页|窗口)", place):
        if isinstance(steps[0], GoTo) and "标签" in place:
            talk.put_aside(place)
            return [Press(("ctrl+t",)), *steps]
        raise NotUnderstood("what opens a new one? “右键点击 X，选择“在新标签页中打开””")
    if _ANYWHERE.fullmatch(place):
        return steps
    first, *others = steps
    if isinstance(first, GoTo):
        talk.put_aside(place)
        return steps
    side = _SIDE.search(place)
    if side and isinstance(first, Point | Read | Find):
        head = thing(place[: side.start()], talk)
        word = side[0].removesuffix("的")
        return [replace(first, what=f"{head}{word}的{first.what}"), *others]
    where = thing(_spoken(place), talk)
    return [
        step if isinstance(step, Unclear) or step.place else replace(step, place=where)
        for step in steps
    ]
