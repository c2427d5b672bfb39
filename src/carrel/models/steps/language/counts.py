"""English words about how many there are, and whether a page is there at all."""

from __future__ import annotations

import re
from typing import Literal, cast

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.program import Condition, Count

__all__ = ["HOW_MANY", "counted", "how_many", "is_loaded"]

_LOADED = re.compile(
    r"(?:(?:the|this|that|next|new|web)\s+)*(?:page|web\s?page|website|site|screen|window|app(?:lication)?|"
    r"program|everything|it)\s+(?:(?:has|have|is|to|be|been|was|fully|completely|finally)\s+)*"
    r"(?:finish(?:es|ed)?\s+loading|load(?:s|ed)?|loaded up|done loading|ready)"
    r"(?:\s+(?:completely|fully))?",
    re.IGNORECASE,
)


def is_loaded(text: str) -> bool:
    """Whether the words only say that the page has come up, not what it then shows."""
    return _LOADED.fullmatch(text.strip(" .,")) is not None


HOW_MANY = (
    r"(?P<how>at least|at most|exactly|only|no more than|no fewer than|no less than|up to|"
    r"more than|fewer than|less than)"
)


def how_many(text: str, atoms: Atoms) -> Condition | None:
    """`the list has at least two items`: how many there are, not what it says."""
    found = re.fullmatch(
        rf"(?P<of>.+?)\s+(?:(?:should|must)\s+)?(?:has|have|contains?|includes?|shows?|holds?)\s+"
        rf"(?:{HOW_MANY}\s+)?(?P<n>{NUMBER})\s+(?P<what>[a-z][\w -]*)",
        text,
        re.IGNORECASE,
    )
    if found is None or re.fullmatch(rf"{NAME}|{QUOTE}", found["of"].strip()):
        return None
    if not found["how"] and re.search(r"\s(?:shows?|contains?|includes?)\s", text):
        return None
    if found["what"].split()[-1] in ("characters", "letters", "digits", "percent", "words"):
        return None
    of = re.sub(r"^there$", "", atoms.phrase(found["of"]), flags=re.IGNORECASE)
    whole = re.fullmatch(r"(?:the|this) (?:page|screen|window|site)", of, re.IGNORECASE)
    what = atoms.phrase(found["what"]) + (f" in {of}" if of and not whole else "")
    return counted(what, int(number(found["n"]) or 0), found["how"])


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
