"""Numbers in words, English and Chinese: cardinals, ordinals and how many times."""

from __future__ import annotations

import re

from carrel.perception.numbers import NUMBER, ORDINALS, number

__all__ = ["NUMBER", "ORDINALS", "number", "ordinal", "times"]


def ordinal(position: int) -> str:
    """`first` for 1; `-1` is the last."""
    if position == -1:
        return "last"
    return ORDINALS[position - 1] if 0 < position <= len(ORDINALS) else f"{position}th"


_TIMES = re.compile(
    rf",?\s*\b(?:(?P<word>once|twice|thrice)|(?:for )?(?P<number>{NUMBER}) times?(?: in a row)?"
    r"|(?P<again>once (?:more|again)))(?=[\s,.!]*$)",
    re.IGNORECASE,
)


def times(text: str) -> tuple[str, int]:
    """The text without a closing `twice` or `3 times`, and how often that is."""
    found = _TIMES.search(text)
    if found is None:
        return text, 1
    word = (found["word"] or "").lower()
    count = {"once": 1, "twice": 2, "thrice": 3}.get(word)
    if count is None:
        count = int(number(found["number"]) or 1) if found["number"] else 1
    return text[: found.start()].rstrip(" ,"), max(count, 1)
