"""Chinese words about all of a kind without some: 除了最后一个, 除“奶酪”以外."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, listed
from carrel.models.steps.program import ForEach, Step, Tick

__all__ = ["ONLY", "excepted_zh"]

_KEPT = re.compile(
    r"(?:在\s*(?P<place>[^，,]+?)(?:里面|里|中|内|上)?\s*)?(?:只|仅)(?:保留|留下?|勾选?|选中?)\s*(?P<but>[^，,]+?)[，,]\s*"
    r"(?:其余|其他|其它|剩下|别)的?(?:选项|复选框|项)?(?:都|全部|全都|均|一律)?(?:取消勾选|取消选中|不勾选?|不选|去掉勾选|取消)(?:掉)?"
    r"(?:[，,]\s*(?P<after>.+))?",
    re.DOTALL,
)
_OUT = r"(?:以外|之外|外)"
_TICKS = r"(?:删除|删掉|取消勾选|取消选中|取消选择|不勾选|勾选|勾上|打勾|选中|选择)"
_FORMS = (
    # 除了“奶酪”全部勾选; 除“奶酪”外，其他都取消勾选
    re.compile(
        rf"除了?(?P<but>[^，,]+?){_OUT}?[，,]?\s*(?:其他|其余|剩下)?的?(?:选项|复选框)?"
        rf"(?:全部|全都|所有的?|都|均)(?P<head>{_TICKS})(?P<what>.*)"
    ),
    # 除了“管理员”以外，把其他用户都勾选上
    re.compile(
        rf"除了?(?P<but>[^，,]+?){_OUT}?[，,]\s*(?:把|将)(?:其他|其余|剩下|所有|全部)的?(?P<what>[^，,]+?)(?:全部|全都|都|均|一律)?"
        r"(?P<head>取消勾选|取消选中|勾选|勾上|选中|删除|删掉|关闭)(?:上|掉)?"
    ),
    # 除了“广告”以外，勾选所有选项
    re.compile(
        rf"除了?(?P<but>[^，,]+?){_OUT}?[，,]\s*(?P<head>[^，,]+?)(?:其他|其余|剩下)?的?(?:所有|全部|每一?个)的?(?P<what>[^，,]+)"
    ),
    # 关闭除第一个以外的所有标签页
    re.compile(
        rf"(?P<head>(?:[^除，,]|[删清移]除)+)除了?(?P<but>.+?){_OUT}的?(?:所有的?|全部的?|其他的?|其余的?)(?P<what>.+)"
    ),
    # 勾选所有复选框，除了最后一个
    re.compile(
        rf"(?P<head>.+?)(?:所有的?|全部的?|每一?个)(?P<what>.+?)[，,]?\s*"
        rf"(?:除了?|但不包括|但不要?{_TICKS}?)(?P<but>.+?){_OUT}?"
    ),
)
# 删除 and 清除 are verbs.
_SAID = re.compile(r"(?<![删清移去解排消卸])除(?!非)|但不")
_WHICH = re.compile(r"第[一二三四五六七八九十\d]+个?|最后一?个?")


def excepted_zh(
    text: str, talk: Talk, read: Callable[[str, Talk], list[Step]]
) -> list[Step] | None:
    """The loop of the masked sentence; None when it leaves nothing out."""
    if kept := _KEPT.fullmatch(text):
        return _kept(kept, talk, read)
    if not _SAID.search(text):
        return None
    found = next((f for form in _FORMS if (f := form.fullmatch(text))), None)
    if found is None and (parts := _cut(text)):
        return [*(excepted_zh(parts[0], talk, read) or []), *read(parts[1], talk)]
    if found is None:
        raise NotUnderstood("what is left out of what? “勾选所有复选框，除了 X”")
    what = found["what"].strip() or _kind_of(found["but"], found["head"])
    steps = read(f"{found['head']}所有{what}", talk)
    if len(steps) != 1 or not isinstance(steps[0], ForEach):
        raise NotUnderstood("what is left out of what? “勾选所有复选框，除了 X”")
    items = listed(re.sub(rf"{_OUT}$", "", found["but"]))
    talk.put_aside(found["but"])
    but = [talk.phrase(item + what if _WHICH.fullmatch(item) else item) for item in items]
    return [replace(steps[0], but=tuple(but), words=talk.atoms.original(text))]


def _kind_of(but: str, head: str) -> str:
    """除第一行外，全部删除: the rows; of what is only ticked, the boxes.

    Raises:
        NotUnderstood: Nothing says of what kind they are.
    """
    if unit := re.search(
        r"(?:第\s*[\d一二三四五六七八九十]+|最后一|这一|那一)(?P<unit>[行列])$", but
    ):
        return unit["unit"]
    if head.startswith("删"):
        raise NotUnderstood("all of what? “删除所有文件，除了 X”")
    return "复选框"


def _cut(text: str) -> tuple[str, str] | None:
    """What leaves something out, and what comes after it: 除了“A”…都勾选，点“确定”."""
    for comma in re.finditer(r"[，,]\s*", text):
        head, rest = text[: comma.start()], text[comma.end() :]
        if _SAID.search(rest) or not any(form.fullmatch(head) for form in _FORMS):
            continue
        return head, rest
    return None


def _kept(found: re.Match[str], talk: Talk, read: Callable[[str, Talk], list[Step]]) -> list[Step]:
    """只保留“A”和“B”，其余的都取消勾选: these ticked, and no others there."""
    said = found[0][: found.start("after") - found.start()] if found["after"] else found[0]
    steps = _only(found, talk)
    talk.put_aside(said)
    words = talk.atoms.original(said)
    after = read(found["after"], talk) if found["after"] else []
    return [*(replace(step, words=words) for step in steps), *after]


def _only(found: re.Match[str], talk: Talk) -> list[Step]:
    """权限只勾“查看”和“导出”: these ticked, and no others of that group."""
    place = talk.phrase(found["place"]) if found["place"] else None
    those = tuple(talk.phrase(item) for item in listed(found["but"]))
    off = ForEach(
        EACH,
        (Tick((f"{{{EACH}}}",), on=False),),
        every=f"{place}里的复选框" if place else "复选框",
        but=those,
    )
    return [off, Tick(those, place=place)]


def _all_ticked(found: re.Match[str], talk: Talk) -> list[Step]:
    """把没有勾选的全部勾上: a box that is ticked already is left alone."""
    talk.put_aside(found[0])
    return [ForEach(EACH, (Tick((f"{{{EACH}}}",)),), every="复选框")]


ONLY: tuple[tuple[str, Callable[[re.Match[str], Talk], list[Step]]], ...] = (
    (
        r"(?:把|将)(?:所有|全部)?(?:还)?(?:没有?|未)(?:被)?(?:勾选?|选中)上?的(?:选项|复选框|项)?(?:全部|全都|都)(?:勾选?上?|选上|选中)",
        _all_ticked,
    ),
    (
        rf"在?(?P<place>{QUOTE}|(?![验检确看只仅])[\u3400-\u9fff]{{2,8}}?)(?:里面|里|中|内|上|那一栏)?(?:只|仅)(?:要)?(?:勾选|勾上|保留|勾)\s*(?P<but>{QUOTE}(?:\s*[、和与及]\s*{QUOTE})*)",
        _only,
    ),
)
"""Rules, each with the words of a whole clause."""
