"""Values that only say how they come about: half of {stock}, {总价} 减 10.

What was remembered is typed as it is; what would first have to be worked out from it is no text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from carrel.models.steps.language.atoms import NAME
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.phrases.programs import kind_said
from carrel.models.steps.program import Compute, Open, Step, Unclear

__all__ = ["on_calculator", "worked_out"]

_OTHER = rf"(?:{NAME}|[\d.]+|{NUMBER})"
_SHARE = (
    r"(?:half|twice|double|triple|thrice|an?\s+(?:third|quarter|fifth|tenth)|[\d.]+\s*(?:%|percent)|"
    r"(?:\d+|two|three|four|five|ten)\s+times)"
)
_SHARE_ZH = (
    r"(?:一半|半数|[\d.两二三四五六七八九十百]+\s*(?:倍|%|％|折|成(?![\u3400-\u9fff]))|百分之|"
    r"[一二三四五六七八九十\d]+分之|平方|立方|绝对值|相反数)"
)
_WORKED_OUT = re.compile(
    rf"\b{_SHARE}\s+(?:(?:of|as\s+(?:much|many)\s+as)\s+)?(?:the\s+)?{NAME}|"
    rf"{NAME}\s+(?:plus|minus|times|multiplied by|divided by|squared|[-+*/×÷−])(?:\s+{_OTHER}|$)|"
    rf"{NAME}\s*的\s*{_SHARE_ZH}|"
    rf"{NAME}\s*(?:再)?(?:加上?|减去?|乘以?|除以|[-+*/×÷−](?=\s))\s*{_OTHER}|"
    rf"{NAME}\s*[和与加减]\s*{NAME}\s*(?:的|之)(?:总?和|差|乘?积|平均)",
    re.IGNORECASE,
)


def worked_out(masked: str) -> str | None:
    """The words of a masked text that ask for arithmetic with what was remembered; None if none."""
    found = _WORKED_OUT.search(masked)
    return found[0] if found else None


_SUM = re.compile(
    r"[\d\s.,()+*/×÷x^%−-]*\d\s*(?:[+*/×÷x^−-]|plus|minus|times)[\d\s.,()a-z+*/×÷^%−-]*"
)


def on_calculator(steps: Sequence[Step]) -> list[Step]:
    """The steps, where what a calculator is opened for is not worked out without it."""
    told = list(steps)
    for at, (before, step) in enumerate(pairwise(steps), 1):
        kind = kind_said(before.what) if isinstance(before, Open) else None
        counts = kind is not None and kind.name == "calculator"
        if counts and isinstance(step, Compute) and _SUM.fullmatch(step.what):
            why = f"“{step.words}”: say which keys are pressed on the calculator"
            told[at] = replace(Unclear(why=why), words=step.words, line=step.line)
    return told
