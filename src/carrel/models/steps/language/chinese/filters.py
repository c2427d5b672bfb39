"""Chinese words that narrow what is shown: 按部门“研发”筛选, 筛选出“地区”为“西南”的记录."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.point import Rule
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Perform, Step

__all__ = ["FILTERS"]

_FIELD = rf"(?P<by>{QUOTE}|[A-Z]\s*列|(?!升序|降序)[\u3400-\u9fff]{{2,6}}?)"
_VALUE = rf"(?P<value>{QUOTE}|{NAME}|[\x21-\x7e]+)"
_NARROW = r"(?:筛选|过滤|检索)"


def _filtered(found: re.Match[str], talk: Talk) -> list[Step]:
    """The field that narrows, and what it gets."""
    talk.put_aside(found[0])
    return [
        Perform("filter", None, ((talk.text(found["by"]), talk.text(found["value"])),), said="筛选")
    ]


def _grouped(found: re.Match[str], talk: Talk) -> list[Step]:
    """按“部门”分组."""
    return [Perform("group", None, (("by", talk.text(found["by"])),), said="分组")]


FILTERS: tuple[tuple[str, Rule], ...] = (
    (rf"(?:按照?|根据|以)\s*{_FIELD}\s*(?:来|进行)?分组(?:显示)?", _grouped),
    (
        rf"(?:按照?|根据|以|用)\s*{_FIELD}\s*(?:[为是]|等于|=)?\s*{_VALUE}\s*(?:来|进行)?{_NARROW}(?:一下|出来)?",
        _filtered,
    ),
    (
        rf"{_NARROW}出?来?\s*{_FIELD}\s*(?:[为是]|等于|=)\s*{_VALUE}\s*(?:的[\u3400-\u9fff]{{1,6}})?",
        _filtered,
    ),
    (
        rf"(?:把|将)\s*{_FIELD}\s*(?:[为是]|等于|=)\s*{_VALUE}\s*的?[\u3400-\u9fff]{{0,4}}?{_NARROW}(?:出来|一下)?",
        _filtered,
    ),
)
"""Rules, each with the words of a whole clause."""
