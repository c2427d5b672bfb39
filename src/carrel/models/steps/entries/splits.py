"""A phrase taken apart into an entry and what of it is meant: `the mobile number of Ann Lee`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.models.steps.entries.wording import told_of

__all__ = ["Split", "splits_of"]

_CUT = re.compile(
    r" (?:for|at|on|of|from|in|to|by|with|aboard|under|next to|beside|belonging to) "
    r"(?=(?:the|my|our|your|that|this) |[A-Z#\"“])"
)
_CHOICE = re.compile(
    r"(?:the |my |our |your )?(?:(?:very )?(?:[a-z]+est|most|least|last|latest|final|top|bottom|"
    r"first|second|third|\d+(?:st|nd|rd|th)|[a-z]+th)\b|\w+[- ]rated\b)|"
    r".+['’]s? (?:[a-z]+est|last|most|first|second|third)\b|"
    r"(?:the )?(?:\S+ ){1,3}(?:with|having|that has) the (?:[a-z]+est|most|least)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?P<who>(?:the |my |our )?\S.*?)['’]s? (?P<part>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Split:
    """One way to take a phrase.

    Attributes:
        entry: What tells the entry.
        part: What is meant of it; empty for the entry itself.
    """

    entry: str
    part: str = ""


def splits_of(phrase: str) -> Iterator[Split]:
    """The ways to take a phrase; one that says which of several begins with that."""
    text = " ".join(phrase.split()).strip(" .")
    told = told_of(text)
    whole = told is not None and (not told.chooses or _CHOICE.match(text) is not None)
    if whole:
        yield Split(text)
    for cut in _CUT.finditer(text):
        part, entry = text[: cut.start()], text[cut.end() :]
        inner = told_of(entry)
        if inner is not None and (not inner.chooses or _CHOICE.match(entry)):
            yield Split(entry, part)
    owned = _OWNED.fullmatch(text)
    if owned is not None and told_of(owned["part"]) is not None:
        yield Split(owned["who"], owned["part"])
