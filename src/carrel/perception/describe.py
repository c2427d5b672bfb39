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
from carrel.perception.roles import ENGLISH, Kind

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
    first, *others = (_as_column_head(replace(one, text=text)) for one in found)
    others = [one for one in others if one != literal]
    if first != literal and not any(token.quoted for token in tokens):
        others.append(literal)
    return replace(first, readings=tuple(others))


_HEADED = frozenset({"", "table", "column", "columns", "grid"})


def _as_column_head(one: Description) -> Description:
    """Of `Age in the table header` and `the header of the Age column` the head of the column."""
    if len(one.relations) != 1 or one.relations[0].negated or one.kinds not in _HEADS:
        return one
    relation, target = one.relations[0], one.relations[0].target
    if relation.kind not in ("in", "of", "column"):
        return one
    if one.name and not one.kinds and _are_column_heads(target):
        return replace(one, kinds=(Kind.COLUMN,), relations=())
    of_column = relation.kind == "column" or target.kinds == (Kind.COLUMN,)
    if not one.name and one.kinds and target.name and of_column:
        return replace(target, text=one.text, kinds=(Kind.COLUMN,))
    return one


_HEADS = ((), (Kind.HEADING,), (Kind.COLUMN,))


def _are_column_heads(target: Description) -> bool:
    """Whether it is the line over a table that all its columns have their names in."""
    if target.kinds == (Kind.COLUMN,):
        return not target.name and not target.ordinal and not target.relations
    of_table = [r.target.kinds for r in target.relations] in ([], [(Kind.TABLE,)])
    plain = target.name in _HEADED and bool(target.name or target.relations)
    return target.kinds == (Kind.HEADING,) and plain and of_table and not target.ordinal
