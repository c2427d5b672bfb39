"""English words about how many there are, and whether a page is there at all."""

from __future__ import annotations

import re
from typing import Literal, cast

from carrel.models.steps.program import Condition, Count

__all__ = ["FINISHED", "HOW_MANY", "counted", "is_loaded", "of_now"]

_LOADED = re.compile(
    r"(?:(?:the|this|that|next|new|web)\s+)*(?:page|web\s?page|website|site|screen|window|"
    r"app(?:lication)?|"
    r"program|everything|it)\s+(?:(?:has|have|is|to|be|been|was|fully|completely|finally)\s+)*"
    r"(?:finish(?:es|ed)?\s+loading|(?:re)?load(?:s|ed)?|refresh(?:es|ed)?|loaded up|done loading|"
    r"ready)"
    r"(?:\s+(?:completely|fully))?",
    re.IGNORECASE,
)


def is_loaded(text: str) -> bool:
    """Whether the words only say that the page has come up, not what it then shows."""
    return _LOADED.fullmatch(text.strip(" .,")) is not None


FINISHED = re.compile(
    r"(?:\w+ing|(?:the|this|that|all|everything)\b[^,]*?|it)\s+(?:has|have|is|are)\s+(?:fully\s+)?"
    r"(?:finished|done|completed?|over|ended|through)(?:\s+\w+ing)?",
    re.IGNORECASE,
)
"""Words that something has come to its end, which shows only in that nothing changes any more."""
HOW_MANY = (
    r"(?P<how>at least|at most|exactly|only|no more than|no fewer than|no less than|up to|"
    r"more than|fewer than|less than)"
)


_LEFT = re.compile(
    r"^(?:remaining|left-?over)\s+(?=\w)|"
    r"\s+(?:left(?: over)?|remaining|in total|altogether|overall|all in all)(?=$|\s+(?:in|on)\b)",
    re.IGNORECASE,
)
"""Words with a number of things that change nothing in how many there are now."""


def of_now(words: str) -> str:
    """What is counted, without the words that change nothing; names in it are not yet filled in."""
    # As many as one page shows are as many as can be seen.
    words = re.sub(r"\s+(?:per|on (?:each|every)) page\b", "", words, flags=re.IGNORECASE)
    return _LEFT.sub("", words)


def counted(what: str, count: int, how: str | None) -> Condition:
    """The count of `at least 3 rows`."""
    word = (how or "").lower()
    kind = {
        "at least": "least",
        "no fewer than": "least",
        "no less than": "least",
        "more than": "least",
        "at most": "most",
        "no more than": "most",
        "up to": "most",
        "fewer than": "most",
        "less than": "most",
    }
    count += {"more than": 1, "fewer than": -1, "less than": -1}.get(word, 0)
    return Count(what, count, cast(Literal["equals", "least", "most"], kind.get(word, "equals")))
