"""Drawn things, in English words: what tells of a figure, points and lines that make one."""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import IT, Talk, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Answer, Compute, Draw, Step

__all__ = ["construct", "telling"]

_TELLS = re.compile(
    r"(?:on\s+)?(?:the|an?)\s+(?:right\s+|correct\s+|matching\s+)?"
    r"(?:button|option|link|answer|label|choice|word|number|name)\s+(?:that|which)\s+"
    r"(?:(?:correctly|best|rightly|truly|exactly|accurately)\s+)*"
    r"(?:denotes?|describes?|shows?|says?|tells?|names?|indicates?|match(?:es)?|represents?|states?|"
    r"gives?|fits?|identif(?:y|ies)|corresponds?\s+to|stands?\s+for)\s+(?:best\s+)?(?P<what>.+)",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?:the|this|that)\s+(?:\w+\s+)?(?:figure|shape|symbol|drawing|object|item|picture|character)\b.*|"
    r"(?:what|which)\s+(?:kind|sort|type)\s+of\s+(?:\w+\s+)?(?:figure|shape|symbol|drawing|object)\b.*",
    re.IGNORECASE,
)
_BUILT = re.compile(
    r"(?P<what>(?:an?|the|another|one more)\s+(?:(?:\w+)\s+){0,2}"
    r"(?:point|dot|line|ray|mark|vertex))\s+"
    r"(?P<aim>(?:that|which|to|so that|such that|so as to|in order to)\s+.+)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r"\b(?:right angle|right[- ]angled|90[ °-]?(?:degrees?)?|perpendicular|bisect\w*|half|halves|"
    r"(?:two|equal) (?:equal )?parts)\b",
    re.IGNORECASE,
)


def telling(rest: str, talk: Talk) -> list[Step] | None:
    """`the button that says how many sides it has`: work it out, and give it as the answer."""
    found = _TELLS.fullmatch(trim(rest))
    if found is None:
        return None
    if step := computed(found["what"], talk):
        return [step, Answer(f"{{{IT}}}")]
    if _FIGURE.fullmatch(found["what"]):
        what = re.sub(r"^(?:what|which)\s+\w+\s+of\s+", "the ", found["what"])
        return [Compute("kind", talk.phrase(what), IT), Answer(f"{{{IT}}}")]
    return None


def construct(rest: str, talk: Talk) -> list[Step] | None:
    """`a third point to make a right angle`, `a line that bisects the angle`."""
    found = _BUILT.fullmatch(trim(rest))
    if found is None or not _AIM.search(found["aim"]):
        return None
    return [Draw(talk.phrase(f"{found['what']} {found['aim']}"))]
