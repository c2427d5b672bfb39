"""From a person's words to a description that can be looked for."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from carrel.perception._chinese import read_chinese
from carrel.perception._english import read_english
from carrel.perception._tokens import Token, tokenize
from carrel.perception._vocabulary import ARTICLES
from carrel.perception.description import Description, Relation, RelationKind
from carrel.perception.roles import ENGLISH

__all__ = ["Description", "Relation", "RelationKind", "describe"]

MAX_LENGTH = 600
"""Characters; longer texts are names at best, and no rule looks into them."""

_HAN = re.compile(r"[\u3400-\u9fff]")


def _is_english(tokens: tuple[Token, ...]) -> bool:
    """Whether what stands around Chinese names are English words."""
    words = {token.word for token in tokens}
    return bool(words & (ARTICLES | ENGLISH.keys()))


@lru_cache(maxsize=512)
def describe(text: str) -> Description:
    """Take a phrase apart; never raises.

    English and Chinese are understood: `the second Save button`, `the field labelled Email`,
    `“保存”按钮`. Words can be meant in more than one way (a button may be called "First"); the
    other ways are in `readings`, and the screen decides.
    """
    text = " ".join(text.split())
    if not text or len(text) > MAX_LENGTH:
        return Description(text, name=text)
    tokens = tokenize(text)
    found = read_english(tokens)
    if _HAN.search(text):
        chinese = read_chinese(text)
        found = [*found, *chinese] if _is_english(tokens) else [*chinese, *found]
    literal = Description(text, name=text)
    if len(tokens) == 1 and tokens[0].text[:1].isupper() and not _HAN.search(text):
        # "Block" alone is what something is called, and no kind of thing.
        found = [one for one in found if one.name or not one.kinds]
    found = [one for one in found if not one.is_bare] or [literal]
    first, *others = (replace(one, text=text) for one in found)
    others = [one for one in others if one != literal]
    if first != literal and not any(token.quoted for token in tokens):
        others.append(literal)
    return replace(first, readings=tuple(others))
