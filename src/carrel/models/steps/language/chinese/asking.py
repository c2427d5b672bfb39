"""What somebody wants to be told, in Chinese words: 告诉我合计, 有几条？, 按钮是不是灰的？."""

from __future__ import annotations

import re

from carrel.models.steps.language.chinese.conditions import read_condition_zh
from carrel.models.steps.language.chinese.pages import told_zh
from carrel.models.steps.language.chinese.point import thing
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.program import Answer, Compute, If, Read, Step

__all__ = ["told"]

# 订单的状态是“已发货”: orders of which that is so.
_SUCH = re.compile(
    r"^(?P<noun>[\u3400-\u9fff]{1,6})的(?P<so>[\u3400-\u9fff]{1,6}?(?:是|为|等于|[大小高低多少]于|超过)\s*\S+)$"
)


_SAYS = re.compile(r"(?<=..)(?:上面?|里面?)?都?(?:写|说|显示|提示)[的着了](?:是?什么)?$")
_WHETHER = re.compile(r".*(?:是不是|是否|有没有).+")
"""Whether it is so: yes or no."""


def told(found: re.Match[str], talk: Talk) -> list[Step]:
    """告诉我 X: read or counted, and said; whether it is so is yes or no.

    Raises:
        NotUnderstood: Nothing to be read would tell it.
    """
    what = found["what"].strip()
    if re.search(r"^哪|谁的|为什么|怎么", what):
        raise NotUnderstood("which of them is not something to read; “告诉我 X 的价格”")
    if many := re.fullmatch(
        r"(?P<of>.*?)(?:一共|总共|共)?有?(?:多少|几)[个条项张封行件位名]?(?P<what>.+)", what
    ):
        of = re.sub(r"(?:里面|里|中|内|上)$", "", many["of"])
        things = _SUCH.sub(r"\g<so>的\g<noun>", many["what"])
        named = f"{of}里的{things}" if of and of not in ("页面", "屏幕") else things
        return [Compute("count", thing(named, talk), IT), Answer(f"{{{IT}}}")]
    if _WHETHER.fullmatch(what):
        condition = read_condition_zh(what, talk.atoms)
        if condition is None:
            raise NotUnderstood(f"what “{talk.atoms.original(what)}” would look like is not clear")
        talk.put_aside(found[0])
        return [If(condition, (Answer("yes", aloud=True),), (Answer("no", aloud=True),))]
    if re.fullmatch(r"结果|答案|它", what):
        return [Answer(f"{{{IT}}}")]
    what = _SAYS.sub("", what)
    return [Read(thing(told_zh(what), talk), IT), Answer(f"{{{IT}}}", aloud=True)]
