"""Words and quoted texts of a phrase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["QUOTED", "Token", "join", "tokenize"]

_PAIRS = (
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
    ("『", "』"),
    ("《", "》"),
    ("„", "“"),
    ("【", "】"),
    ("＂", "＂"),
    ('"', '"'),
    ("`", "`"),
)

QUOTED = re.compile(
    "|".join(f"{a}([^{a}{b}]+){b}" for a, b in _PAIRS)
    # A straight single quote is an apostrophe more often than not.
    + r"|(?<![\w'])'((?:[^']|'(?=\w))+)'(?!\w)"
)
"""A text in quotes of any kind; the one group that matched holds it."""

_WORD = re.compile(r"[^\s,;]+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, or one quoted text without its quotes."""

    text: str
    quoted: bool = False

    @property
    def word(self) -> str:
        """In lower case, without the marks that end a sentence; empty for a quoted text."""
        return "" if self.quoted else self.text.casefold().strip(".!?:()[]") or self.text


def tokenize(text: str) -> tuple[Token, ...]:
    """Split a phrase."""
    tokens: list[Token] = []
    at = 0
    for match in QUOTED.finditer(text):
        tokens += _words(text[at : match.start()])
        inside = next(group for group in match.groups() if group is not None)
        tokens.append(Token(inside.strip() or inside, quoted=True))
        at = match.end()
    return (*tokens, *_words(text[at:]))


def _words(text: str) -> list[Token]:
    return [Token(match[0]) for match in _WORD.finditer(text)]


def join(tokens: Sequence[Token]) -> str:
    """Words as one text again, without what only ends a sentence."""
    text = " ".join(token.text for token in tokens).strip()
    return text.rstrip(".!?:,;").strip() or text
