"""Chinese steps about where in a text the caret stands: 把光标移到文末, 在末尾加上."""

from __future__ import annotations

import re

from carrel.models.steps.language.chinese.point import Rule, thing
from carrel.models.steps.language.chinese.text import typed
from carrel.models.steps.language.numbers import number
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Point, Press, Step

__all__ = ["CARET"]


def _caret(found: re.Match[str], talk: Talk) -> list[Step]:
    """把光标移到文末."""
    where = found["where"]
    if row := re.fullmatch(
        r"第(?P<n>[一二三四五六七八九十\d]+)行的?(?P<end>行?[尾末].*|行?[首开].*)?", where
    ):
        down = int(number(row["n"]) or 1) - 1
        last = Press(("end",) if re.match(r"行?[尾末]", row["end"] or "") else ("home",))
        return [Press(("ctrl+home",)), *([Press(("down",), down)] if down else []), last]
    line = re.search(r"行", where) is not None
    if re.fullmatch(r".*(?:行尾|行末|末尾|文末|最后|结尾|尾部|底部|最后面)", where):
        return [Press(("end" if line else "ctrl+end",))]
    if re.fullmatch(r".*(?:行首|开头|最前面?|文首|起始处?|顶部)", where):
        return [Press(("home" if line else "ctrl+home",))]
    return [Point(thing(re.sub(r"(?:里面|里|中|内|上)$", "", where), talk))]


CARET: tuple[tuple[str, Rule], ...] = (
    (
        r"在(?:文档|文章|全文|正文|文本|文件)?的?(?:文末|文尾|末尾|最后面?|结尾)处?(?:插入|加上|添加|写上|输入|追加|补上|加)\s*(?:一?[个行段句]|标题|文字|段落)*(?P<text>.+)",
        lambda f, t: [Press(("ctrl+end",)), *typed(f["text"], None, t, append=True)],
    ),
    (
        r"在(?:文档|文章|全文|正文|文本|文件)?的?(?:文首|开头|最前面|起始处?|最开始)处?(?:插入|加上|添加|写上|输入|加)\s*(?:一?[个行段句]|标题|文字|段落)*(?P<text>.+)",
        lambda f, t: [Press(("ctrl+home",)), *typed(f["text"], None, t, append=True)],
    ),
    (
        r"(?:把|将)?\s*(?:光标|插入点)\s*(?:移动?|放|定位|跳|挪)(?:到|至|在)\s*(?P<where>.+)",
        _caret,
    ),
)
"""Rules, each with the words of a whole clause."""
