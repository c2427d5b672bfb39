"""What a page labels in Chinese with a word more, or a word less: 空调模式 for 模式.

The last word of a Chinese name says what a thing is. Who speaks of it tells what it is of, which
on its own page goes without saying; or leaves out what the page puts before it: 密码 for 设置密码.
"""

from __future__ import annotations

import re

from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

__all__ = ["labelled_alike"]

_HAN = re.compile(r"[\u3400-\u9fff]{2,10}")
_TELLS = re.compile(
    r"确认|再次|重复|[新旧原前后左右上下]|第|开始|起始|结束|截止|出发|到达|返回|去程|回程|收[货件款]|发[货件票]|寄件|"
    r"[主副]|备用|紧急|最[高低大小]|父|母|子"
)
"""What tells one thing from another of the same sort, and never goes without saying."""
_LABELS = (Kind.TEXT, Kind.HEADING)


def labelled_alike(desk: Desk, phrase: str) -> str | None:
    """The one label that ends as a phrase does, or the other way about; None where it is there.

    Args:
        desk: Where that is.
        phrase: What something was called.
    """
    name = phrase.strip().strip('"“”')
    if not _HAN.fullmatch(name):
        return None
    labels: set[str] = set()
    for element in part_meant(desk.elements, ""):
        kind = kind_of(element)
        if element.box is None or not (kind in _LABELS or kind in CONTROLS or is_field(element)):
            continue
        labels.add(fold(written_on(element)).strip(" :：*"))
    if name in labels:
        return None
    alike = [label for label in labels if _HAN.fullmatch(label) and _differ_by_little(label, name)]
    return alike[0] if len(alike) == 1 else None


def _differ_by_little(label: str, name: str) -> bool:
    longer, shorter = (label, name) if len(label) > len(name) else (name, label)
    before = longer.removesuffix(shorter)
    return before != longer and 0 < len(before) <= 4 and not _TELLS.search(before)
