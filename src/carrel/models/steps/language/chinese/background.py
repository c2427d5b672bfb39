"""What is told before somebody is asked to do something, in Chinese: 家里宽带坏了，帮我….

A clause that only tells why it is asked names nothing that is to be done, and is left out; who is
told of there may be meant by 他 or 她 in what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.fields import is_field_first
from carrel.models.steps.language.chinese.heads import verb_at_zh
from carrel.models.steps.language.chinese.manners import bare_zh
from carrel.models.steps.language.chinese.modals import is_supposed
from carrel.models.steps.language.chinese.places import split_place

__all__ = ["without_background_zh"]

_ASKING = (
    r"(?:所以|因此|那(?:你|就)?|现在|先|再|你|您)*(?:请(?![假求购款教客])|麻烦|帮我|帮忙|帮他|帮她|替我|给我(?!们)|拜托|劳烦|烦请|"
    r"(?:你|您)?(?:能不能|可不可以|能否|可否|可以|能)(?:帮|替|给|麻烦)|我想(?!法)|我要|我得|我需要|我们要|想(?=让你|请你|麻烦))"
)
_ASKED = re.compile(rf"(?P<told>.+?)[，,]\s*(?P<act>{_ASKING}.+)", re.DOTALL)
_WHOLE = re.compile(_ASKING)
_BOUND = re.compile(
    r"如果|若|假如|要是|除非|否则|一旦|只要|每|当(?![前天日])|等|直到|的话|在|从|到|去|把|将|给|让|请|对|用|先|再|然后|第|页面|屏幕|弹|看到|验证|检查|确认|应"
)
"""How a clause begins that is more than what somebody tells."""
_TOLD = re.compile(
    r"(?:我|我们|咱们?|他|她|他们|老板|领导|经理|财务|客户|同事|家里|孩子|老师|妈妈|爸爸|爸妈|老婆|老公|朋友|房东|物业|公司|部门|刚刚|刚才|刚|最近|昨天|今天|明天|后天|上周|下周|这周|周末|"
    r"突然|临时|不小心|有点|有人|快递|由于|因为)"
)
"""How people begin to tell of themselves, and of what came about."""
_CAME_ABOUT = re.compile(r"(?:了|过|呢|啦|不了|不到|不着|不上|没用|坏|错|完|满|忘|晚|急)$")
_POINTS = re.compile(r"它|这(?![里周个月]|些?天)|那(?![里边])|其(?![他它余])|他|她|前者|后者")
_FOR_ONE = re.compile(r"(?:给|帮|替|为)(?:他们?|她们?|它)(?=\S)")
_TITLED = re.compile(
    r"(?P<name>(?:(?![科室的找挂约问给请让跟和在]|骨科|内科)[\u3400-\u9fff]){2,3})(?:医生|大夫|老师|经理|主任|先生|女士|教授|同学|师傅)"
)


def without_background_zh(parts: Sequence[str]) -> list[str]:
    """The sentences without what only tells why something is asked.

    Args:
        parts: Masked Chinese sentences, as they were said.
    """
    kept: list[str] = []
    for at, part in enumerate(parts):
        asked = at + 1 < len(parts) and _WHOLE.match(parts[at + 1].strip())
        if not kept and asked and _is_told(part) and not _POINTS.search(parts[at + 1]):
            continue
        kept.append(_asked(part))
    return kept


def _asked(part: str) -> str:
    """What is asked for in one sentence."""
    found = _ASKED.fullmatch(part.strip())
    if found is None or not all(map(_is_told, re.split(r"[，,]", found["told"]))):
        return part
    act = _FOR_ONE.sub("", found["act"])
    if who := _TITLED.search(found["told"]):
        act = re.sub(r"[他她]的", f"{who['name']}的", act)
    return part if _POINTS.search(act) else act


def _is_told(clause: str) -> bool:
    """Whether a clause only tells something: it begins with no act, and claims nothing."""
    said = clause.strip()
    if not said or re.search(QUOTE, said) or _BOUND.match(said) or is_supposed(said):
        return False
    if not (_TOLD.match(said) or _CAME_ABOUT.search(said)):
        return False
    return _is_wish(said) or not (
        verb_at_zh(bare_zh(said)) or is_field_first(said) or split_place(said)
    )


def _is_wish(said: str) -> bool:
    """Whether somebody tells what he wants, which what is asked for brings about."""
    return re.match(r"(?:我|我们)(?:想|要|打算|准备|不想|不需要|得)", said) is not None
