"""What 它旁边的开关, 该按钮 and 刚才新建的文件夹 stand for: something spoken of before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Compute,
    Condition,
    Count,
    Enter,
    Every,
    GoTo,
    Has,
    Highlight,
    Is,
    Let,
    Not,
    Open,
    Perform,
    Point,
    Read,
    Run,
    SetValue,
    Shows,
    Step,
    SwitchTo,
    Tick,
    Unclear,
)

__all__ = ["about_zh", "refer_zh", "row_in", "source_zh", "switched_zh"]

_BESIDE = re.compile(
    r"(?:它|他|她|其|该项)们?的?(?P<side>(?:右|左|旁|下|上|后|前)(?:边|侧|面|方)|旁|[下上内中里](?=的|$)|里面(?=的|$))"
)
_SAME = re.compile(r"(?:(?<=[上里中])|^)(?:与之|和它)?(?:对应|相应)的(?![行列])")
_BY_IT = re.compile(r"(?:旁边|边上|后面|前面)的(?=.)")
_COLOUR = re.compile(r"[浅深淡亮暗]?[红橙黄绿青蓝紫粉棕黑白]色的")
_COLOURED = re.compile(
    r"(?P<colour>[浅深淡亮暗]?[红橙黄绿青蓝紫粉棕黑白]色)的?"
    r"(?:它|其|(?:该|此|这个|那个)(?P<noun>[\u3400-\u9fff]{1,8}))"
)
_ITS = re.compile(r"(?:它|其|他|她)的(?=.)")
_THIS = re.compile(
    r"(?:该|此|这个|那个|这(?=一?[条项张封份行列件])|那(?=一?[条项张封份件]))(?P<noun>[\u3400-\u9fff]{1,8})"
)
_SAME_ONE = re.compile(
    r"(?:(?:刚才|前面|上面)(?:的)?)?(?:同一|同(?![意步时事学城期类等样比组窗班行仁屏]))[个条项张封份行列件]?(?P<noun>[\u3400-\u9fff]{1,8})"
)
_FIELD = re.compile(r"(?:输入|文本|编辑|搜索)?框|栏|字段|单元格|格子?|输入项")
_JUST = re.compile(r"(?:刚才|刚刚|方才|先前|上一步)(?:所|我)?(?P<did>[^的]*)的?(?P<noun>.*)")
_CLICKED = re.compile(
    r"按钮|按键|链接|图标|选项|标签页?|选项卡|菜单项?|复选框|开关|单选按钮|文件夹?|卡片|字段|单元格|格子|条目|记录|节点|项目?"
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_ROW = re.compile(
    r"(?P<row>(?:.*(?:这|那|该)一?|.*所在的?|[^\"“”]{0,8}?(?:(?:倒数)?第\s*[\d一二三四五六七八九十]+|最后一))行)"
)
_OF_THIS = re.compile(
    r"(?:这|那|该|此|同)一?(?P<kind>行|[条项张份件笔个位](?P<noun>[\u3400-\u9fff]{0,4}?))"
    r"(?P<of>[里中]?的(?=.)[^的]+)"
)
"""这一行的状态, 这条订单的收货人: what is in what was spoken of before."""
_OF_PART = re.compile(
    r"(?<=[\"”\w])(?:[左右前后旁]边|[左右]侧|旁)?的?(?:加号|减号|按钮|图标|[\"“][+＋−–-][\"”])(?:按钮|图标)?$"
)
"""它的数量 after 甲的加号: that of 甲."""
_NTH = r"(?:(?:倒数)?第\s*[\d一二三四五六七八九十]+|最后一?)"
_RECORD = re.compile(r"记录|数据|条目|信息")
_KINDS = re.compile(r"(?:开关|复选框|勾选框)$")


def refer_zh(phrase: str, before: Sequence[Step]) -> str | None:
    """The thing in words of its own; the phrase itself where it speaks of nothing said before.

    Returns:
        None where it does, and nothing before it fits.
    """
    if beside := _BESIDE.match(phrase):
        thing = spoken_of(before)
        return None if thing is None else thing + beside["side"] + phrase[beside.end() :]
    if (within := re.match(r"(?:(?:里面|里头|其中)的|其中(?=第|最后|倒数|\"))(?=.)", phrase)) and (
        thing := spoken_of(before)
    ):
        return f"{thing}里的{phrase[within.end() :]}"
    if (same := _SAME.search(phrase)) and (thing := spoken_of(before)):
        quoted = _QUOTED.search(thing)
        return _SAME.sub(f"{quoted[0] if quoted else thing}对应的", phrase) if same else phrase
    if _BY_IT.match(phrase) and (thing := spoken_of(before)):
        return thing + phrase
    if (coloured := _COLOURED.fullmatch(phrase)) and (thing := _coloured(coloured, before)):
        head, of, name = _COLOUR.sub("", thing).rpartition("的")
        return f"{head}{of}{coloured['colour']}的{name}"
    if of_this := _OF_THIS.fullmatch(phrase):
        row = _row_of(of_this, before)
        # 这条采购单 may be what is in front; a row is one of several.
        alone = None if of_this["kind"] == "行" else phrase
        return row + of_this["of"] if row else alone
    if one := _SAME_ONE.fullmatch(phrase):
        return _same(one["noun"], before)
    if this := _THIS.fullmatch(phrase):
        return _same(this["noun"], before) or phrase
    if (just := _JUST.fullmatch(phrase)) and before:
        return _made(just["did"], just["noun"], before)
    return phrase


def row_in(thing: str) -> str | None:
    """The row that words for something in it begin with; None where they tell of none."""
    row = _ROW.match(thing)
    return row["row"] if row else None


def _row_of(said: re.Match[str], before: Sequence[Step]) -> str | None:
    """The row or entry that was spoken of last, in words of its own."""
    noun = said["noun"] or ""
    for at in range(len(before), 0, -1):
        thing = spoken_of(before[at - 1 : at])
        if thing is None:
            continue
        if (noun in ("", "行") or _RECORD.fullmatch(noun)) and (row := row_in(thing)):
            return row
        told = rf".*(?:{_NTH}|[这那该]一?)[条项张份件笔个位]{noun or _RECORD.pattern}"
        if entry := re.match(told, thing):
            return entry[0]
        if noun and (one := re.match(rf"[^的]*?{noun}(?=的|$)", thing)) and one[0] != noun:
            return one[0]
        if quoted := _QUOTED.fullmatch(thing):
            return f"{quoted[0]}那一行" if said["kind"] == "行" else quoted[0] + noun
    return None


def _coloured(said: re.Match[str], before: Sequence[Step]) -> str | None:
    """紫色的该链接: the one of that kind, in another colour."""
    return _same(said["noun"], before) if said["noun"] else spoken_of(before)


def _same(noun: str, before: Sequence[Step]) -> str | None:
    """The last thing of that kind; one that was only called by its name may be of any kind."""
    bare = re.sub(r"^一?[条项张封份件个]", "", noun) or noun
    for at in range(len(before), 0, -1):
        thing = spoken_of(before[at - 1 : at])
        if thing is None:
            continue
        if bare in ("行", "一行") and (row := _ROW.match(thing)):
            return row["row"]
        if thing.endswith(bare) and thing != noun:
            return thing
        if _FIELD.fullmatch(bare) and (field := _filled_in(before[at - 1])):
            return field
        if _CLICKED.fullmatch(bare) and _QUOTED.fullmatch(thing):
            return thing + bare
    return None


def _made(did: str, noun: str, before: Sequence[Step]) -> str | None:
    """What was made, named or typed just before."""
    for step in reversed(before):
        named = dict(step.details) if isinstance(step, Perform) else {}
        name = named.get("named") or named.get("to") if isinstance(step, Perform) else None
        if name and re.match(r"新?[建增添创]|创建|添加|重命名|改名|保存|$", did):
            return f'"{name}"{noun}'
        if isinstance(step, Enter) and re.match(r"输入|填写|填入|添加|新增|新建|录入|写", did):
            return f'"{step.text}"'
    thing = spoken_of(before)
    return thing if thing and noun and thing.endswith(noun) else None


def about_zh(condition: Condition, before: Sequence[Step]) -> Condition | None:
    """The condition with what it refers to in words of its own; None where that is nothing."""
    if isinstance(condition, Not):
        inner = about_zh(condition.condition, before)
        return None if inner is None else Not(inner)
    if isinstance(condition, Every):
        parts = [
            about_zh(one, [*before, *_subjects(condition.conditions[:index])])
            for index, one in enumerate(condition.conditions)
        ]
        known = tuple(one for one in parts if one is not None)
        return replace(condition, conditions=known) if len(known) == len(parts) else None
    if isinstance(condition, Shows | Has | Is | Count):
        if isinstance(condition, Has) and condition.what in _PLAIN_IT and _source(before):
            # 在“城市”中选“A”，确认它显示“A”: the list, of which alone that tells something.
            return replace(condition, what=_source(before) or condition.what)
        its = _ITS.match(condition.what)
        thing = spoken_of(before) if its else None
        thing = _OF_PART.sub("", thing) if thing else None
        said = f"{thing}的{condition.what[its.end() :]}" if its and thing else condition.what
        meant = refer_zh(said, before)
        return None if meant is None else replace(condition, what=meant)
    return condition


def _subjects(claims: Sequence[Condition]) -> list[Step]:
    """What the claims before are about; 她的状态 is about her, as the claim after it is."""
    return [Check(one) for one in claims if not _ITS.match(getattr(one, "what", ""))]


_PLAIN_IT = ("它", "其")


def _opened_again(step: Step, before: Sequence[Step]) -> Step:
    """打开“编辑”菜单，点“全选”，再打开它: the menu, not what was clicked in it."""
    last = before[-1] if before else None
    if not isinstance(step, Open) or step.what not in _PLAIN_IT or not isinstance(last, Point):
        return step
    opened = (one.what for one in reversed(before) if isinstance(one, Open))
    return replace(step, what=next(opened, step.what))


def _typed_text(step: Step, before: Sequence[Step]) -> Step:
    """输入“你好”，选中它: the text, not the editor it was typed into."""
    last = before[-1] if before else None
    if not isinstance(step, Choose) or step.options not in (("它",), ("其",)) or step.source:
        return step
    if not isinstance(last, Enter) or not re.fullmatch(r"[^\"“”{}\n]+", last.text):
        return step
    return Highlight(f'"{last.text}"', words=step.words, line=step.line, place=step.place)


def _source(before: Sequence[Step]) -> str | None:
    """The list that something was chosen from just before."""
    return before[-1].source if before and isinstance(before[-1], Choose) else None


def switched_zh(step: Step) -> Step:
    """把它关掉, 把它打开: a switch is turned off, anything else goes away."""
    if isinstance(step, Open) and _KINDS.search(step.what):
        return Tick((step.what,), words=step.words, place=step.place)
    if not isinstance(step, Perform) or step.verb != "close" or step.what is None:
        return step
    off = _KINDS.search(step.what) is not None
    return Tick((step.what,), on=False, words=step.words, place=step.place) if off else step


_CONTENT = re.compile(r"它|(?:其|它的|里面的?|单元格的?)?(?:内容|文字|文本|值|数值)")


def _in_cell(before: Sequence[Step]) -> bool:
    """Whether the last click was on what holds a text of its own."""
    last = before[-1] if before else None
    held = r"单元格|[框栏格]$|[A-Z]{1,2}\d{1,4}$"
    return isinstance(last, Point) and re.search(held, last.what) is not None


def edited_zh(step: Step, before: Sequence[Step]) -> Step:
    """改成“b”, with nothing it is done to: the field that was filled in last."""
    if not isinstance(step, SetValue) or not re.fullmatch(_CONTENT, step.what or ""):
        return step
    if step.what != "它" and not _in_cell(before):
        return step
    fields = (_field(one) for one in reversed(before))
    return replace(step, what=next((field for field in fields if field), "它"))


def _filled_in(step: Step) -> str | None:
    """The field of a step that puts something into one, whatever it is called."""
    return _field(step) if isinstance(step, Enter | SetValue | Clear) else None


def _field(step: Step) -> str | None:
    if isinstance(step, Enter):
        return step.into
    if isinstance(step, Choose):
        return step.source
    return step.what if isinstance(step, SetValue | Point | Clear) else None


def _remembered(step: Step, before: Sequence[Step]) -> Step:
    """把验证码记为 code，…将 code 填入…: what was remembered under that name."""
    named = {s.name for s in before if isinstance(s, Read | Compute | Run | Let)}
    if isinstance(step, Enter) and step.text in named and step.text.isascii():
        return replace(step, text=f"{{{step.text}}}")
    return step


def _whom(text: str, before: Sequence[Step]) -> str:
    """给他发私信: whoever was spoken of."""
    thing = spoken_of(before) if re.fullmatch(r"[他她它]|TA|ta|对方", text) else None
    if thing is None:
        return refer_zh(text, before) or text
    quoted = _QUOTED.search(thing)
    return quoted[0][1:-1] if quoted else thing


def source_zh(step: Step, before: Sequence[Step]) -> Step:
    """The step with the list it chooses from, and its place, in words of their own."""
    step = _typed_text(step, before)
    step = _opened_again(_remembered(edited_zh(step, before), before), before)
    if isinstance(step, Choose) and step.source:
        step = replace(step, source=refer_zh(step.source, before) or step.source)
    if isinstance(step, Perform) and step.details:
        told = tuple((word, _whom(text, before)) for word, text in step.details)
        step = replace(step, details=told)
    return _placed(step, before) if step.place else step


_INSIDE = re.compile(r"其中?|它|里面|那里|这里")
_LEADS = re.compile(
    r"(?:标签页?|选项卡|页签|链接|按钮|菜单项?|图标|页面?|窗口|对话框|弹窗|程序|应用|终端|编辑器|设置)$"
)


def _placed(step: Step, before: Sequence[Step]) -> Step:
    """打开“用户”标签页，在其中点击…: what was opened is in front, what was named is a place."""
    if not _INSIDE.fullmatch(step.place or ""):
        return replace(step, place=refer_zh(step.place or "", before) or step.place)
    for earlier in reversed(before):
        if isinstance(earlier, Open | GoTo | SwitchTo):
            return replace(step, place=None)
        if earlier.place:
            return replace(step, place=earlier.place)
        if isinstance(earlier, Point) and _LEADS.search(earlier.what):
            return replace(step, place=None)
        if (named := spoken_of([earlier])) is not None:
            return replace(step, place=named)
    why = f"“{step.words}”: nothing was named before that “{step.place}” could stand for"
    return Unclear(why=why, words=step.words, line=step.line)
