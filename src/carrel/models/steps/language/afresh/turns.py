"""A turn of speech, and the plainer words of the same meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Turn", "listed", "turn", "whole"]

SENTENCES = 3
"""So many sentences may tell of one thing."""
Plain = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True, slots=True)
class Turn:
    """Words, wherever they stand in a masked text, and what they are replaced by."""

    words: re.Pattern[str]
    plain: Plain

    def applied(self, text: str) -> str:
        """The text with every place where it fits in plainer words."""
        return self.words.sub(self.plain, text)


def turn(words: str, plain: Plain) -> Turn:
    r"""A turn; `plain` may repeat groups as `\g<name>`.

    Args:
        words: A pattern, in which letters may be large or small.
        plain: What is said instead, or a function of the match.
    """
    return Turn(re.compile(words, re.IGNORECASE | re.DOTALL), plain)


def whole(plain: Callable[[str], str]) -> Turn:
    """A turn for all that is said, or its first sentences, where these are about one thing.

    Args:
        plain: What such sentences say in plain words; empty where they say something else.
    """

    def turned(match: re.Match[str]) -> str:
        text = match[0]
        ends = [found.end() for found in re.finditer(r"[.!?](?=\s|$)|$", text)][:SENTENCES]
        for end in reversed(ends):
            if worded := plain(text[:end]):
                return f"{worded}. {text[end:].strip()}".strip()
        return text

    return turn(r"\A.+\Z", turned)


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())
