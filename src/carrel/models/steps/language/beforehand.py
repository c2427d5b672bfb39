"""What a later sentence says is to be done first, as in `Click Save. Tick Terms first`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps.language.chinese.verbs import is_clause
from carrel.models.steps.language.words import bare, verb_at

__all__ = ["in_time_order"]

_EARLIER = r"(?:but\s+)?(?:before\s+(?:that|this|you\s+do(?:\s+(?:that|so|it))?)|beforehand)"
_DUTY = r"(?:you(?:['’]ll)?\s+(?:(?:first\s+)?(?:must|(?:will\s+)?(?:have|need)\s+to|should))\s+)?"
_AHEAD = re.compile(
    rf"(?:{_EARLIER},?|but,?\s+first(?:\s+of\s+all)?,?)\s+{_DUTY}(?P<act>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_BEHIND = re.compile(
    rf"(?:but\s+)?{_DUTY}(?P<act>\S.*\s\S+),?\s+(?-i:first|beforehand|before\s+(?:that|this))",
    re.IGNORECASE | re.DOTALL,
)
_PLACE = re.compile(
    r"(?:\b(?:is|are|be|being|was|were|comes?|goes|stands?|appears?|listed|shown|displayed|"
    r"put|place|the|last|name|\w+est|page)|,)$",
    re.IGNORECASE,
)
"""Before `first`: where a thing stands, or how things are sorted, and not when."""
_AHEAD_ZH = re.compile(
    r"(?:但是?|不过)?(?:在?(?:此|这|那)?之前|此前|事先)[，,]?\s*你?(?:要|得|必须|需要?|应该?)?先?(?P<act>.+)",
    re.DOTALL,
)
_SORTING = ("sort", "order", "arrange", "verify", "wait")


def in_time_order(parts: Sequence[str]) -> list[str]:
    """Sentences in the order in which they are to be carried out.

    Args:
        parts: Masked sentences, as they were said.
    """
    ordered: list[str] = []
    for part in parts:
        act = _done_first(part)
        if act and ordered:
            ordered.insert(len(ordered) - 1, act)
        else:
            ordered.append(act if act and len(parts) > 1 else part)
    return ordered


def _done_first(part: str) -> str:
    """What a sentence says is done before the last one; empty when it says nothing of the kind."""
    text = part.strip().rstrip(".!;").strip()
    if (found := _AHEAD_ZH.fullmatch(text.rstrip("。！；"))) and is_clause(found["act"]):
        return found["act"]
    if found := _AHEAD.fullmatch(text):
        return found["act"] if verb_at(bare(found["act"])) else ""
    found = _BEHIND.fullmatch(text)
    if found is None or _PLACE.search(found["act"]):
        return ""
    verb = verb_at(bare(found["act"]))
    return found["act"] if verb and verb[0] not in _SORTING else ""
