"""Families of Chinese predicates behind their topic: 与…一致, 排在第一位, 变红."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import ANY, DATED, NAME, OTHER, QUOTE, TIMED, Atoms
from carrel.models.steps.language.chinese.held import no_zh
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.program import Condition, Every, Has, Is, Shows

__all__ = ["compared_zh", "more_zh", "predicate_zh", "row_zh"]

_VALUE = rf"(?:{ANY}|-?{NUMBER}[%％元]?|[\x21-\x7e]+)"
_SAME = re.compile(
    r"(?P<what>[^，,]+?)(?:的值|的内容)?\s*(?:与|和|跟|同)\s*(?P<other>[^，,]+?)\s*(?:完全|保持|是)?"
    r"(?P<no>不)?(?:相同|一致|一样|相等|吻合|相符|一模一样|符)(?:的)?"
)
_EQUAL = re.compile(
    r"(?P<what>[^，,]+?(?:价|额|量|费|计|总数|总和|余额))(?P<no>不)?等于(?P<other>[\u3400-\u9fff]{1,8}(?:价|额|量|费|计|总数|总和|余额))"
)
_LAST = ("最后", "末尾", "最下", "末位")
_ORDERED = re.compile(
    rf"(?P<what>{QUOTE}|{NAME}|它|[^，,]+?{QUOTE}[^，,的]{{0,4}})(?P<no>不)?(?:排在|位于|排|在|显示在|出现在|是)(?P<of>[^，,第最首末顶]{{0,8}}?)(?:的)?"
    rf"(?:第\s*(?P<n>{NUMBER})\s*(?P<unit>[位个条行项名张封件])|(?P<end>首位|末位|最前|最上|最顶|最后|最下|顶部|末尾|开头)(?:一?(?P<unit2>[个条行项名位张封件])|[面边方部端])?)(?:的位置|上)?"
)
_COLOUR = r"(?:浅|深|淡|亮|暗)?[红橙黄绿青蓝紫粉棕黑白]"
_COLOURED = re.compile(
    rf"(?P<what>[^，,]+?)(?P<no>不)?(?:变(?:成|为|得)?|显示[成为]?|呈|是|为|(?<![图光目商角鼠])标[成为]?|高亮[成为]?)(?P<colour>{_COLOUR})(?:色|了)?(?:的)?(?P<as>(?:文字|字体|字|圆点|边框|背景|状态)?)"
)


_SAID_IN = re.compile(
    rf"(?P<what>[^，,]+?)(?P<no>不)?(?:是|为|显示)(?P<colour>{_COLOUR})色的?(?P<text>{QUOTE})"
)
_STANDS = re.compile(
    r"(?P<what>[^，,]+?)(?P<no>不|没有?)?(?:停留?|定位?|落)在(?P<at>第[^，,]*步[^，,]*?|[^，,]*?[\ue000-\ue7ff](?:这一?步|步骤|节点)?)(?:上|处|这一?步)?"
)


def predicate_zh(text: str, atoms: Atoms) -> Condition | None:
    """The condition, where the predicate is of one of these families."""
    for rule in (_same, _ordered, _coloured, _stands):
        if (condition := rule(text, atoms)) is not None:
            return condition
    return None


def _same(text: str, atoms: Atoms) -> Condition | None:
    """标题与 {title} 一致."""
    found = _SAME.fullmatch(text)
    if found is None or not re.fullmatch(_VALUE, found["other"]):
        return None
    held = Has(atoms.phrase(found["what"]), atoms.text(found["other"]), "equals")
    return no_zh(held, found["no"])


_THAN = re.compile(
    r"(?P<what>[^，,比]+?)(?P<no>不)?比\s*(?P<other>[^，,]+?)的?(?:要|还|更)?(?P<how>[大高多贵长晚小低少短早]|便宜)(?:一?[点些])?"
)
_LESS = ("小", "低", "少", "短", "早", "便宜")
_BEFORE = re.compile(r"原来|之前|先前|以前|刚才|上次|输入|[昨去前上]|平时|预期|其他|别")


def more_zh(text: str) -> tuple[str, str, Literal["less", "greater"], bool] | None:
    """红杯的价格比蓝杯低: two things on the screen, how the one is to the other, and if so."""
    found = _THAN.fullmatch(text)
    if found is None or _BEFORE.match(found["other"]) or re.search(r"[\d几倍半]", found["other"]):
        return None
    if re.search(ANY, found["other"]) and not re.search(QUOTE, found["other"]):
        return None
    owner, of, noun = found["what"].rpartition("的")
    other = found["other"]
    if owner and not other.endswith(noun):
        other = f"{other}{of}{noun}"
    elif not owner and not re.search(r"[价额量数期间度长重费分率]$", noun):
        # 红杯比蓝杯贵: of neither it is said where that stands.
        return None
    return found["what"], other, "less" if found["how"] in _LESS else "greater", not found["no"]


def compared_zh(text: str) -> tuple[str, str, bool] | None:
    """退款金额和实付金额一致: two things on the screen, and whether they are alike."""
    found = _SAME.fullmatch(text) or _EQUAL.fullmatch(text)
    if (
        found is None
        or re.fullmatch(_VALUE, found["other"])
        or re.search(r"原来|之前|先前|输入", found["other"])
    ):
        return None
    return found["what"], found["other"], not found["no"]


def _ordered(text: str, atoms: Atoms) -> Condition | None:
    """“张三”排在第一位: what stands there."""
    found = _ORDERED.fullmatch(text)
    if found is None or (found["of"] and not re.search(r"[表单列栏区组果页]$", found["of"])):
        return None
    unit = found["unit"] or found["unit2"] or "项"
    unit = "项" if unit in "位个名" else unit
    which = f"第{found['n']}" if found["n"] else ("最后一" if found["end"] in _LAST else "第一")
    if re.search(r"(?:^|[^排示现])在$|是$|位于$", text[: found.start("of")]) and not found["end"]:
        return None
    place = f"{found['of']}的{which}{unit}" if found["of"] else f"{which}{unit}"
    named = re.search(QUOTE, found["what"])
    said = atoms.text(named[0] if named else found["what"])
    return no_zh(Has(atoms.phrase(place), said), found["no"])


_ROW_WITH = re.compile(
    r"(?P<place>[^，,]{0,12}?)(?:里面|里|中|内|上)?(?:新增|多出|增加|出现|有|多)了?一?(?P<unit>[行条项])(?:新?(?:数据|记录))?[，,]\s*(?P<cells>.+)"
)
_CELL = re.compile(
    rf"(?P<noun>[\u3400-\u9fff\w]{{1,10}}?)\s*(?:是|为|叫)\s*(?P<text>{ANY}|[\x21-\x7e]+|[\u3400-\u9fff]{{1,8}})"
)


def row_zh(text: str, atoms: Atoms) -> Condition | None:
    """列表中有一行，名称为“甲”，状态为“启用”: the row by its first cell, and its others."""
    found = _ROW_WITH.fullmatch(text)
    if found is None:
        return None
    cells = [_CELL.fullmatch(part) for part in re.split(r"\s*[，,]\s*", found["cells"])]
    if not all(cells):
        return None
    first, *others = [cell for cell in cells if cell]
    unit = found["unit"]
    row = atoms.phrase(f"{first['noun']}为{first['text']}的那一{unit}")
    place = f"{atoms.phrase(found['place'])}里" if found["place"] else ""
    held = [Has(f"{row}的{cell['noun']}", atoms.text(cell["text"]), "equals") for cell in others]
    return Every((Shows(place + row), *held)) if held else Shows(place + row)


def _coloured(text: str, atoms: Atoms) -> Condition | None:
    """输入框的边框变红: one that looks so."""
    if said := _SAID_IN.fullmatch(text):
        what, colour = atoms.phrase(said["what"]), said["colour"]
        held = Has(what, atoms.text(said["text"]), "equals")
        return no_zh(Every((held, Shows(f"{colour}色的{what}"))), said["no"])
    found = _COLOURED.fullmatch(text)
    if found is None or re.fullmatch(rf"{DATED}|{TIMED}|{OTHER}", found["what"]):
        return None
    if found["as"] in ("圆点", "边框", "背景") and not found["what"].endswith(found["as"]):
        return None
    head, of, name = found["what"].rpartition("的")
    return no_zh(Shows(atoms.phrase(f"{head}{of}{found['colour']}色的{name}")), found["no"])


def _stands(text: str, atoms: Atoms) -> Condition | None:
    """步骤条停在第二步: that one of its parts is the current one."""
    found = _STANDS.fullmatch(text)
    if found is None or re.search(r"页面?$", found["what"]):
        return None
    return no_zh(Is(atoms.phrase(f"{found['what']}里的{found['at']}"), "selected"), found["no"])
