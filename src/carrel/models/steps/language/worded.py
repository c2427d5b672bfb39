"""Deeds that no rule reads, and that what is on the screen may make clear."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from carrel.models.steps.phrases.small_words import EXACT, SETS
from carrel.models.steps.program import Step, Unclear, Worded

__all__ = ["as_worded"]

LEAST = 3
"""Words: a verb, and two that tell of what."""
_QUOTES = re.compile(r"[\"“”]")
_SEVERAL = re.compile(r"[.;:!?,]\s|[{}\n]|\d[./-]\d|\band\b")
_VALUE = re.compile(r"[\"“”\d]|(?<=\w )[A-Z]|\b(?:on|off)\b")
"""What a control may be given: a text, a number, a name, or to be on."""
_OPEN = frozenset(
    {"next", "previous", "today", "tomorrow", "yesterday", "from", "so", "above", "below"}
)
"""Words for what a rule has to know: days, what was there before, what comes of it, where it is."""
_GIVES = SETS - {"sort", "send", "order"} | {
    *("set", "change", "make", "show", "switch", "turn", "choose", "select", "pick", "use", "put"),
    *("view", "display"),
}
_LEADS = re.compile(r"^(?:(?:please|now|then|next|and|finally|only)\s+)+", re.IGNORECASE)


def as_worded(steps: Iterable[Step]) -> list[Step]:
    """The steps, where one deed of setting or using something is left to what the screen tells.

    Args:
        steps: As they were read.
    """
    return [
        replace(Worded(step.why), line=step.line, words=step.words)
        if isinstance(step, Unclear) and _may_be_told(step.words)
        else step
        for step in steps
    ]


def _may_be_told(words: str) -> bool:
    """Whether it is one plain demand that something have a value, with no word that bounds it."""
    if len(_QUOTES.findall(words)) % 2 or _SEVERAL.search(words):
        return False
    plain = _LEADS.sub("", words)
    spoken = re.findall(r"[^\W_]+", plain.casefold())
    if len(spoken) < LEAST or (EXACT | _OPEN) & set(spoken) - {"off", "only"}:
        return False
    return spoken[0] in _GIVES and _VALUE.search(plain) is not None
