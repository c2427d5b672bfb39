"""Chinese words for the pointer before its button: 把鼠标移到“产品”上, 在“a.txt”上点击右键."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.chinese.point import Rule, thing
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import Point, Step

__all__ = ["HOVERS"]

_MOUSE = r"(?:鼠标(?:的?指针|的?光标)?|指针)"
_GO = r"(?:(?:移动?|停留?|停靠|放置?|滑动?|挪动?)(?:到|在|至|于|向)|悬停(?:到|在|至|于)?|指向)"
_ON = r"(?:的?(?:上面|上方|之上|上))?(?:悬停|停留|不动|不要点击)?"
_WHAT = r"(?P<what>[^，,]+?)"


def _hover(found: re.Match[str], talk: Talk) -> list[Step]:
    what = found["what"].strip()
    if re.fullmatch(r"(?:别处|其他地方|空白处|旁边|一边)", what):
        raise NotUnderstood("it does not say onto what the pointer goes")
    return [Point(thing(what, talk), "hover")]


_BUTTONS: dict[str, Literal["click", "right", "middle", "double"]] = {
    "点击": "click",
    "单击": "click",
    "左键": "click",
    "右键": "right",
    "中键": "middle",
    "双击": "double",
    "右击": "right",
}


def _button(found: re.Match[str], talk: Talk) -> list[Step]:
    what = re.sub(r"(?<!空白)(?:处|的?(?:正?中间|正?中央|中心))$", "", found["what"].strip())
    talk.put_aside(found["what"])
    return [Point(thing(what, talk), _BUTTONS[found["how"]])]


HOVERS: tuple[tuple[str, Rule], ...] = (
    (rf"(?:把|将|用|让)?\s*{_MOUSE}\s*{_GO}\s*{_WHAT}{_ON}", _hover),
    (rf"(?:悬停|悬浮)(?:鼠标)?(?:到|在|于|至)?\s*{_WHAT}{_ON}", _hover),
    (rf"(?:在|于|到)\s*{_WHAT}{_ON}\s*(?:悬停|停留)(?:鼠标)?", _hover),
    (rf"(?:移动?|挪)(?:鼠标)?(?:到|至)\s*{_WHAT}(?:的?上面|的?上方|之上|上)", _hover),
    (rf"移动鼠标(?:指针)?(?:到|至)\s*{_WHAT}{_ON}", _hover),
    (rf"指向\s*{_WHAT}{_ON}", _hover),
    (
        rf"(?:在|对着?|于)\s*{_WHAT}{_ON}\s*(?:点击|单击|点|按下?|按一下)(?:鼠标)?(?P<how>左键|右键|中键)",
        _button,
    ),
    (rf"(?:在|对着?)\s*{_WHAT}{_ON}\s*(?P<how>双击|右击|点击|单击)(?:鼠标)?(?:一下)?", _button),
    (
        rf"(?:把|将)光标(?:移动?|悬停|停留?|放)(?:到|在|至)\s*{_WHAT}(?:的?上面|的?上方|上)",
        _hover,
    ),
)
"""Rules, each with the words of a whole clause."""
