"""What is to be worked out and answered, in English words: `the button that says how many`."""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import IT, Talk, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Answer, Step

__all__ = ["telling"]

_TELLS = re.compile(
    r"(?:on\s+)?(?:the|an?)\s+(?:right\s+|correct\s+|matching\s+)?"
    r"(?:button|option|link|answer|label|choice|word|number|name)\s+(?:that|which)\s+"
    r"(?:shows?|says?|tells?|names?|indicates?|match(?:es)?|states?|gives?)\s+(?P<what>.+)",
    re.IGNORECASE,
)


def telling(rest: str, talk: Talk) -> list[Step] | None:
    """`the button that says how many items there are`: work it out, and give it as the answer."""
    found = _TELLS.fullmatch(trim(rest))
    if found is None:
        return None
    if step := computed(found["what"], talk):
        return [step, Answer(f"{{{IT}}}")]
    return None
