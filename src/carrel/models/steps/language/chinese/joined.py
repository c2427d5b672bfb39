"""Several Chinese claims in one: 职业是“记者”、手机是“6S”，并且爱好为“唱歌”."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.program import Condition, Every

__all__ = ["AND", "fault_zh", "joined_zh", "whole_zh"]

Single = Callable[[str, Atoms], Condition | None]

AND = r"(?:并且|而且|同时|与此同时|但是|但(?!书)|不过|以及|且(?!慢)|而(?=\s*[\ue000-\ue7ff]))"
"""Words that join one claim to another."""
_JOINT = re.compile(rf"\s*[，,；;]?\s*{AND}\s*|\s*[，,；;](?!\d)\s*")
_COMMA = re.compile(r"\s*、\s*")
_MODAL = r"(?:应该|应当|应|必须|也|还|都|仍然?|依然|已经?|目前|现在)*"
_PREDICATE = re.compile(
    rf"\s*{_MODAL}(?:不(?:应该?|能|得|该|会|可以?|许|要)再?|不再?|没有?|未)?(?:包含|含有|包括|等于|大于|小于|高于|低于|少于|多于|超过|"
    r"是|为(?!止)|以.+(?:开头|结尾)|被|处于|可见|可用|启用|禁用|勾选(?!的)|选中(?!的)|置灰|展开|收起|折叠|变[为成]|(?:不能|不可以?|无法|可以|能够?)(?:再|正常)?点|无法|不可)"
)
_SAYS = re.compile(rf"{_PREDICATE.pattern}|(?:要|应该?|必须)?显示(?![屏器区框栏])")
"""Where what a claim is about ends."""
_OWNED = (
    (
        re.compile(
            r"(?P<of>.*?(?:[那这该]一?行|所在行|第\s*[\d一二三四五六七八九十]+\s*行|最后一行)的)"
        ),
        re.compile(
            r"(?!页面|屏幕|窗口|标题|弹窗|对话框|提示|文件|表格|列表|总|合计|购物车|显示屏|浏览器|地址栏|状态栏)"
            rf"(?:(?:(?!的)[\w ]){{1,12}}?{_MODAL}不?(?:是|为|等于)|"
            rf"{QUOTE}(?:按钮|链接|图标|开关)?{_MODAL}(?:不|没有?|未|已)?(?:可|能|是|为|被|置灰|灰|显示|勾|选))"
        ),
    ),
    (
        re.compile(
            rf"(?P<of>[^，,]*?(?:弹窗|弹框|对话框|提示框|确认框|窗口|卡片|邮件|消息|通知))的?标题{_MODAL}(?:是|为|包含|显示)"
        ),
        re.compile(rf"(?:内容|正文){_MODAL}不?(?:是|为|包含|含有?|等于|显示)"),
    ),
    (
        re.compile(r"(?P<of>文件\s*\S+?)\s*(?:已经?)?(?:存在|生成)"),
        re.compile(r"的?内容(?:是|为|包含|不|等于)"),
    ),
    (
        re.compile(
            r"(?P<of>[^，,]*?[\w](?:里面|里|中|内))(?:应该?|应当|能|要|会)*(?:有|看得?到|看见|找得?到|显示|出现)"
        ),
        re.compile(
            r"(?:也|再|应该?|已经?)*(?:没有?(?!弹|报|提示|任何)|看不到|找不到|不(?:再)?(?:有|显示|出现))"
        ),
    ),
)
"""What a claim may be about, and how one goes on that is about the same."""
_HOLDER = re.compile(
    rf"(?P<of>[^，,]*?[^，,里中内上])(?:里面|里|中|内|上)?(?:现在|目前|此时)?{_MODAL}(?:只?有|共有|显示|包含|列出)"
)
_AMONG = re.compile(r"其中的?(?=第|最|[\ue000-\ue7ff])")
_ONE_OF = re.compile(r"(?:其中)?(?:第[一二三四五六七八九十\d]+|最后一|首)个(?=应|是|为|显示)")
_HELD_KIND = re.compile(
    rf"(?P<of>[^，,]+?)(?:里面|里|中|内|上)?(?:现在|目前)?{_MODAL}(?:只?有|共有?|显示|包含|列出)[^，,]*?个(?P<kind>[\u3400-\u9fff]{{1,6}})$"
)
_LISTED = re.compile(
    rf"{QUOTE}(?:这?[两三四五]?个?[按钮选项文字链接]*)?\s*(?:$|[、，,]|[和与及以])"
)


def joined_zh(text: str, atoms: Atoms, single: Single, *, listed: bool = False) -> Condition | None:
    """All of the claims, each read by itself; None where it is one, or one of them is not read.

    Args:
        text: Masked.
        atoms: What is masked in it.
        single: Reads one claim.
        listed: Also where only 、 stands between them.
    """
    read = _read(text, "", atoms, single, listed)
    return Every(tuple(read)) if read is not None and len(read) > 1 else None


def _read(
    text: str, before: str, atoms: Atoms, single: Single, listed: bool
) -> list[Condition] | None:
    for one, after in _split(text, listed):
        first = _one(one, before, atoms, single)
        if first is None:
            continue
        rest = _read(after, whole_zh(one, before), atoms, single, listed)
        if rest is not None:
            return [first, *rest]
    last = _one(text, before, atoms, single)
    return None if last is None else [last]


def _split(text: str, listed: bool) -> Iterator[tuple[str, str]]:
    joints = [*_JOINT.finditer(text), *(_COMMA.finditer(text) if listed else ())]
    for joint in sorted(joints, key=re.Match.start):
        before, after = text[: joint.start()].strip(), text[joint.end() :].strip()
        # “A”、“B”按钮: the second is another thing of which the same is said.
        if before and after and not (joint[0].strip() == "、" and _LISTED.match(after)):
            yield before, after


def _one(text: str, before: str, atoms: Atoms, single: Single) -> Condition | None:
    """One claim; of what it does not say itself it is a claim of what was said before."""
    return single(whole_zh(text, before), atoms)


def whole_zh(text: str, before: str) -> str:
    """A claim with the thing it is about, from the claim before it where it says none."""
    if not before:
        return text
    if _PREDICATE.match(text):
        return _subject(before) + text
    if (among := _AMONG.match(text)) and (held := _HOLDER.match(before)):
        return f"{held['of']}里的{text[among.end() :]}"
    if (one := _ONE_OF.match(text)) and (held := _HELD_KIND.match(before)):
        return f"{held['of']}里的{one[0]}{held['kind']}{text[one.end() :]}"
    for owner, owned in _OWNED:
        if (held := owner.match(before)) and owned.match(text) and not verb_at_zh(text):
            return held["of"] + ("的" if re.match("内容|正文", text) else "") + text
    return text


def _subject(claim: str) -> str:
    """Of what a claim is one; nothing where it says only that something is to be seen."""
    found = (at for at in range(1, len(claim)) if _SAYS.match(claim, at))
    return claim[: next(found, 0)]


def fault_zh(text: str, atoms: Atoms, single: Single) -> str:
    """Of several claims the one that is not read; all of it where none is."""
    before, unread = "", []
    parts = [part.strip() for part in _JOINT.split(text) if part.strip()]
    for part in parts:
        if _one(part, before, atoms, single) is None:
            unread.append(part)
        before = whole_zh(part, before)
    return unread[0] if unread and len(unread) < len(parts) else text
