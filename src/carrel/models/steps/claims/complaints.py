"""What a page says where a form was not taken: `Please fill in the guest`, `不能为空`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from carrel.frames import Element
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, TICKED, Kind, kind_of

__all__ = ["complaint"]

_ASKS = re.compile(
    r"\W*(?:(?:error|sorry)\W+)?(?:please|you (?:must|have to|need to)|do not forget to)\s+"
    r"(?:first\s+)?(?:fill|enter|choose|select|provide|specify|pick|tick|complete|correct|type|give|"
    r"accept|agree|fix|state|set)\b|"
    r".*\b(?:is|are|was|were)\s+(?:required|missing|mandatory|invalid|incomplete|"
    r"not (?:valid|filled))|"
    r".*\b(?:required field|(?:field|this) (?:is )?required|invalid|not a valid)\b|"
    r".*\b(?:can(?:no|['’])t|must not|may not|should not) be (?:blank|empty)\b|"
    r".*\bdo(?:es)?(?: not|n['’]t) match\b|"
    r".*\bmust (?:be|have|contain|match|not be)\b|"
    r"\W*请(?:先|您)?(?:填写|输入|选择|勾选|完善|填|选)|"
    r".*(?:不能为空|不可为空|必填|不得为空|格式(?:不正确|错误|有误|不对)|不合法|未填写|尚未填)",
    re.IGNORECASE | re.DOTALL,
)
LONG = 200
"""Letters of a text that complains, at most."""
_INPUTS = frozenset({*FIELDS, *TICKED, Kind.COMBO, Kind.SPINNER, Kind.SLIDER})


def complaint(before: Sequence[Element], now: Sequence[Element]) -> str:
    """The text that came up over a form that stayed as it was; empty where none did.

    Where other controls came up, a text asks for what is to be done with these.

    Args:
        before: What was on the screen before the form was sent.
        now: What is there after that.
    """
    known = {written_on(e) for e in before}
    inputs, still = set(_inputs(before)), set(_inputs(now))
    if not inputs or not inputs <= still or still - inputs:
        return ""
    told = (written_on(e).strip() for e in part_meant(now, "") if kind_of(e) not in _INPUTS)
    new = [text for text in told if text and text not in known]
    return next((text for text in new if len(text) <= LONG and _ASKS.match(text)), "")


def _inputs(elements: Iterable[Element]) -> list[tuple[str, str]]:
    return [(e.role, e.name) for e in part_meant(tuple(elements), "") if kind_of(e) in _INPUTS]
