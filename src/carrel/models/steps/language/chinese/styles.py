"""Chinese words for the look of a passage: 加粗, 斜体, 改为红色."""

from __future__ import annotations

import re

from carrel.models.steps.language.chinese.point import thing
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Change, SetValue, Step

__all__ = ["coloured", "styled"]

_STYLE = {"粗": "bold", "斜": "italic", "下": "underlined"}


def styled(found: re.Match[str], talk: Talk) -> list[Step]:
    """把第二段加粗."""
    what = found.groupdict().get("what") or "它"
    return [Change(thing(what, talk), _STYLE[found["style"].lstrip("加变")[0]])]


_COLOURS = {
    "红": "red",
    "橙": "orange",
    "黄": "yellow",
    "绿": "green",
    "蓝": "blue",
    "紫": "purple",
    "黑": "black",
    "白": "white",
    "灰": "grey",
    "粉": "pink",
}


def coloured(found: re.Match[str], talk: Talk) -> list[Step]:
    """把第二段改为红色: of text; what else has a colour is set to it."""
    what = found["what"]
    if what and not re.search(r"段|行|文字|文本|标题|字|句|它", what):
        return [SetValue(thing(what, talk), f"{found['colour']}色")]
    talk.put_aside(f"{found['colour']}色")
    return [Change(thing(what, talk) if what else "它", _COLOURS[found["colour"]])]
