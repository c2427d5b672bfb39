"""The same once more: 在确认密码框再输入一遍, 点击表头，再点一次变为降序.

What is typed again is the last text that was typed; where it goes must be told, by the field or by
a click into it. Without that the same field could be meant as well as one that confirms it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.point import IN, thing
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk
from carrel.models.steps.program import Enter, Point, Press, Step

__all__ = ["clicked_again", "once_more", "typed_again"]

_TYPE = r"(?:输入|填写|填入|键入|录入|敲入|填|写|打|敲|输)"
_ONCE = r"(?:一[遍次回]|第二[遍次回])"
_SAME = (
    r"(?:(?:(?:同样|相同|一样|刚才|前面|上面|上述)的?|这个|该)?(?:密码|口令|内容|文字|文本|值|邮箱|号码|"
    r"账号|用户名|地址|数字|验证码|名称|名字))"
)
_AGAIN = re.compile(
    rf"(?:(?:在|往|向|到)?\s*(?P<into>[^，,；;：:]+?){IN})??(?:再次?|重新|重复|又|也|同样)*"
    rf"(?:{_TYPE}{_ONCE}{_SAME}?|(?:再次|重新|重复){_TYPE}{_SAME}(?:{_ONCE})?)"
)
_FIELD = re.compile(rf"{QUOTE}|.*[框栏格]|.*字段|(?:再次|重复|确认)[\u3400-\u9fff]{{2,6}}")
_COUNTED = re.compile(rf"(?:再次?|重新)?(?P<verb>{_TYPE}){_ONCE}\s*(?P<text>{QUOTE}|{NAME})")


def typed_again(clause: str, talk: Talk) -> list[Step] | None:
    """The step of such a clause; None for any other.

    Raises:
        NotUnderstood: It does not say where.
    """
    if counted := _COUNTED.fullmatch(clause):
        return [Enter(talk.text(counted["text"]))]
    found = _AGAIN.fullmatch(clause)
    if found is None:
        return None
    into = re.sub(r"(?:再次?|重新|重复|又|也)$", "", (found["into"] or "").strip())
    if not into:
        raise NotUnderstood("into which field once more? “在确认密码框里再输入一遍” says it")
    if not _FIELD.fullmatch(into) and verb_at_zh(into) is not None:
        return None
    return [Enter(f"{{{IT}}}", thing(into, talk))]


_BARE = re.compile(rf"(?:再次?|重新|重复|又|同样)*{_TYPE}{_ONCE}{_SAME}?")


def once_more(last: Step, part: str, talk: Talk) -> Step | None:
    """点击第二个框，再输入一遍: where the keyboard is then; None where nothing tells that."""
    moved = isinstance(last, Point) or (isinstance(last, Press) and "tab" in last.chords)
    if not moved or not _BARE.fullmatch(part.strip()):
        return None
    return Enter(f"{{{IT}}}", words=talk.atoms.original(part))


_CLICKS = {"click": "点击|单击|点|按", "double": "双击", "right": "右击|右键点击"}


def clicked_again(last: Step, part: str, talk: Talk) -> Step | None:
    """点击表头“金额”，再点一次变为降序: the same click, and what comes of it."""
    verbs = _CLICKS.get(last.how) if isinstance(last, Point) else None
    if not isinstance(last, Point) or verbs is None:
        return None
    again = (
        rf"(?:再|重复)?(?:{verbs})(?:它|其)?(?:一[次下遍]|第二[次下遍])(?:它|其)?"
        r"(?:(?:来|以|让其?|使其?)*(?:变[为成回]?|恢复|还原|切换[为成到])[\u3400-\u9fff]{0,6})?"
    )
    if not re.fullmatch(again, part):
        return None
    talk.put_aside(part)
    return replace(last, times=1, words=talk.atoms.original(part))
