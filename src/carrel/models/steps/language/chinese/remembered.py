"""Chinese words that remember several things at once: 记下第一行的名称为 a 和价格为 b."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME
from carrel.models.steps.language.chinese.point import Rule, thing
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Read, Step

__all__ = ["REMEMBERED"]

_READ_AS = rf"[\u3400-\u9fff]{{2,8}}?\s*(?:记|存|保存)?(?:为|作|成|叫)\s*(?:{NAME}|[A-Za-z_]\w*)"


def _read_several(found: re.Match[str], talk: Talk) -> list[Step]:
    """记下第一行的名称为 a 和价格为 b: each under its own name."""
    pairs = re.findall(
        rf"([\u3400-\u9fff]{{2,8}}?)\s*(?:记|存|保存)?(?:为|作|成|叫)\s*({NAME}|[A-Za-z_]\w*)",
        found["pairs"],
    )
    of = found["of"] or ""
    return [
        Read(thing(of + re.sub(r"^(?:以及|[和与及])", "", noun), talk), talk.text(name).strip("{}"))
        for noun, name in pairs
    ]


REMEMBERED: tuple[tuple[str, Rule], ...] = (
    (
        rf"(?:记住|记下|记录|读取|获取)\s*(?P<of>[^，,]+?的)?(?P<pairs>{_READ_AS}(?:\s*(?:[、，,和与及]|以及)\s*{_READ_AS})+)",
        _read_several,
    ),
)
"""Rules, each with the words of a whole clause."""
