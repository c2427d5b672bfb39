"""Figures as Chinese pages tell them: 待审批：2, 当前被勾选的节点共 4 个, 共 5 件商品."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.models.steps.claims.comparing import read_number
from carrel.models.steps.facts import Count, Has
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.pieces import joined_texts
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["figure_told_zh", "is_as_told_zh"]

_HAN = re.compile(r"[\u3400-\u9fff]")
_MEASURE = (
    r"(?:[个条项件位名张份门次单人封本页行篇台套款种节章杯盒瓶箱包只元块分岁天辆间票]|"
    r"星期|小时|分钟|秒)"
)
_NUMBER = r"(?P<n>[¥￥]?\s*\d+(?:,\d{3})*(?:\.\d+)?)"
_TOTAL = r"(?:一共有?|总共有?|合计|共计|共有?|还剩|剩余|仅剩|只有|为|是|有)"
_LABELLED = re.compile(
    rf"(?P<label>[^\d:：()（）]*?[\u3400-\u9fff][^\d:：()（）]*?)\s*(?:[:：(（]\s*)?(?:{_TOTAL}\s*)?"
    rf"{_NUMBER}\s*{_MEASURE}?\s*[)）]?"
)
_COUNTED = re.compile(
    rf"(?:{_TOTAL}|找到了?|搜索到|查询到|搜到|查到|显示|已选择?|已选中)?\s*{_NUMBER}\s*{_MEASURE}\s*(?:符合条件的|相关的?)?"
    r"(?P<noun>[\u3400-\u9fff]{0,6})"
)
_SPLIT = re.compile(r"\s*[，,；;|·。]\s*")
_ASKED = re.compile(
    r"^(?:页面上?|屏幕上?|当前|目前|列表上?方?)?的?(?=..)|(?:的?(?:总?数量|[天次人件票页]数|总?个数|总数|数目|条数|数字|角标|徽标|总计|数))$"
)
_RESULTS = re.compile(r"(?:搜索|查询|筛选|检索)?(?:结果|记录|数据)")
"""Nouns for whatever a list shows, of which the page counts the things themselves."""
_VALUE = re.compile(rf"\s*{_NUMBER}\s*{_MEASURE}?\s*")


def figure_told_zh(elements: Sequence[Element], phrase: str) -> str | None:
    """The one number that the page tells of what a phrase says; None for none, or several.

    Args:
        elements: What is on the screen.
        phrase: Of what it is: 待审批的数量, 当前被勾选的节点.
    """
    if not _HAN.search(phrase):
        return None
    name = _core(phrase)
    lines = [line for text in _lines(elements) for line in _SPLIT.split(text) if line]
    labelled = [m["n"] for m in map(_LABELLED.fullmatch, lines) if m and _core(m["label"]) == name]
    counted = [m for m in map(_COUNTED.fullmatch, lines) if m]
    told = labelled or [m["n"] for m in counted if m["noun"] == name]
    if not told and _RESULTS.fullmatch(name):
        told = [m["n"] for m in counted]
    values = {read_number(one.strip("¥￥ ")) for one in told}
    return told[0].strip() if len(values) == 1 else None


def is_as_told_zh(elements: Sequence[Element], condition: Has | Count) -> tuple[bool, str] | None:
    """Whether the number that the page tells is the one that is claimed; None where it tells none.

    Args:
        elements: What is on the screen.
        condition: Of what, and which number.
    """
    number = str(condition.number) if isinstance(condition, Count) else condition.text
    wanted = _VALUE.fullmatch(number)
    figure = figure_told_zh(elements, condition.what) if wanted else None
    if wanted is None or figure is None:
        return None
    one, two = (read_number(text.strip("¥￥ ")) for text in (figure, wanted["n"]))
    if one is None or two is None:
        return None
    how = condition.how
    so = {"least": one >= two, "greater": one > two, "most": one <= two, "less": one < two}
    return so.get(how, one == two), f"{condition.what} is told as {figure!r}"


def _lines(elements: Sequence[Element]) -> Iterator[str]:
    shown = [e for e in part_meant(elements, "") if e.box is not None]
    texts = [written_on(e) for e in shown if kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    yield from dict.fromkeys(" ".join(text.split()) for text in (*texts, *joined_texts(shown)))


def _core(text: str) -> str:
    """What is counted, without quotes and the words that only say that it is a number."""
    plain = re.sub(r"[\"“”'\s:：]", "", fold(text))
    for _ in range(2):
        plain = _ASKED.sub("", plain)
    return plain
