"""English phrases for things on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Literal, cast

from carrel.perception import _vocabulary as vocabulary
from carrel.perception._cells import english_cells
from carrel.perception._heads import read_head
from carrel.perception._tokens import Token, join
from carrel.perception.description import Description, Relation, RelationKind, unique
from carrel.perception.roles import ENGLISH, Kind

__all__ = ["read_english"]

MAX_DEPTH = 4
MAX_READINGS = 16
MAX_SPLITS = 4
"""So many prepositions of one phrase are tried."""


def _by_first_word() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Everything that joins, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    known = [*vocabulary.RELATIONS, *vocabulary.NAMINGS, *vocabulary.PARTS]
    for text in sorted(known, key=lambda text: -len(text.split())):
        parts = tuple(text.split())
        found.setdefault(parts[0], []).append((parts, text))
    return found


_SPLITS = _by_first_word()
_FROM_THE_END = ("from last", "from the last", "from the bottom", "from the end")
_EXCEPT = (("other", "than"), ("except", "for"), ("apart", "from"), ("except",), ("excluding",))
_ADVERBS = frozenset(
    [
        "directly",
        "immediately",
        "just",
        "right",
        "located",
        "placed",
        "found",
        "shown",
        "displayed",
        "that",
        "which",
        "is",
        "are",
        "sitting",
        "positioned",
        "appearing",
        "listed",
        "situated",
        "being",
    ]
)
_PLACE = re.compile(
    r"(?:the )?(?:very |far )?(?P<place>(?:top|bottom|upper|lower)?[- ]?(?:left|right)?(?:-hand)?"
    r"|middle|cent(?:er|re)|top|bottom|upper|lower)"
    r"(?: (?:corner|side|edge|half|part|end|area|hand side))?(?P<of> of (?:.+))?"
)
_WHOLE = re.compile(
    r" of (?:the |this |my )?(?:whole |web )?(?:screen|page|desktop|display|window|website|"
    r"webpage|app|application|view|document)"
)


def read_english(tokens: Sequence[Token], depth: int = 0) -> list[Description]:
    """Every sensible way to read a phrase, the likelier ones first."""
    return list(_read(tuple(tokens), depth))


@lru_cache(maxsize=1024)
def _read(tokens: tuple[Token, ...], depth: int) -> list[Description]:
    # Kept, because parts of a phrase are come upon in many ways.
    tokens = tuple(_trim(tokens))
    if not tokens:
        return []
    split = unique(_split_readings(tokens, depth), MAX_READINGS)
    found = [*split, *read_head(tokens)]
    if not depth and len(shorter := _pointed_at(tokens)) < len(tokens):
        found = [*_read(tuple(shorter), 1), *found]
    return unique(found, MAX_READINGS + 4)


def _trim(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without "on the screen" at the end, which says nothing."""
    words = [token.word for token in tokens]
    for end in ("on the screen", "on screen", "on the page", "on this page", "in the page"):
        tail = end.split()
        if words[-len(tail) :] == tail and len(words) > len(tail):
            return tokens[: -len(tail)]
    return tokens


def _pointed_at(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without "below" at the end: below these words, which is anywhere."""
    words = [token.word for token in tokens]
    while len(words) > 1 and words[-1] in ("below", "underneath", "beneath", "here"):
        words.pop()
        while len(words) > 1 and words[-1] in _ADVERBS:
            words.pop()
    return tokens[: len(words)]


def _split_readings(tokens: Sequence[Token], depth: int) -> Iterator[Description]:
    if depth >= MAX_DEPTH:
        return
    yield from english_cells(tokens)
    yield from _excepting(tokens, depth)
    places = list(_places(tokens))
    # "right of" of "to the right of" is not one of its own.
    for start, end, words in sorted(places, key=lambda place: _rank(place[2]))[:MAX_SPLITS]:
        yield from _joined(tokens, start, end, words, depth)
    yield from _possessive(tokens, depth)


def _rank(words: str) -> bool:
    return words in vocabulary.RELATIONS and words not in vocabulary.STRONG


def _places(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Where words stand that join one thing to another: start, end, and the words."""
    words = [token.word for token in tokens]
    at = 0
    while at < len(words):
        found = _joint(words, at)
        if found is not None:
            yield at, at + found[0], found[1]
            at += found[0] - 1
        at += 1


def _joint(words: Sequence[str], at: int) -> tuple[int, str] | None:
    if " ".join(words[at : at + 3]).startswith(_FROM_THE_END):
        return None
    for parts, text in _SPLITS.get(words[at], ()):
        if tuple(words[at : at + len(parts)]) == parts and at + len(parts) < len(words):
            return len(parts), text
    return None


def _joined(
    tokens: Sequence[Token], start: int, end: int, words: str, depth: int
) -> Iterator[Description]:
    head, tail = _without_adverbs(tokens[:start]), tokens[end:]
    if words in vocabulary.NAMINGS or words in vocabulary.PARTS:
        yield from _named(tokens, head, tail, vocabulary.PARTS.get(words, ""), depth)
        return
    kind = vocabulary.RELATIONS[words]
    negated = bool(head) and head[-1].word in vocabulary.DENIALS
    heads = read_head(head[:-1] if negated else head, said=True) or [Description(join(tokens))]
    place = _region(tail) if kind in ("in", "next_to") else None
    if place is not None:
        yield from _placed(tokens, heads, *place, depth)
    for relations in islice(_relations(kind, tail, depth, negated=negated), 4):
        for one in heads[:3]:
            yield replace(one, text=join(tokens), relations=(*one.relations, *relations))


def _without_adverbs(tokens: Sequence[Token]) -> Sequence[Token]:
    while tokens and tokens[-1].word in _ADVERBS:
        tokens = tokens[:-1]
    return tokens


def _relations(
    kind: RelationKind, tail: Sequence[Token], depth: int, *, negated: bool
) -> Iterator[tuple[Relation, ...]]:
    words = [token.word for token in tail]
    for at, word in enumerate(words):
        if word != "and" or not 0 < at < len(words) - 1:
            continue
        if kind == "between":
            for one in read_english(tail[:at], depth + 1)[:2]:
                for other in read_english(tail[at + 1 :], depth + 1)[:2]:
                    yield (Relation(kind, one, other, negated),)
            return
        yield from _and_also(kind, tail, at, depth, negated=negated)
    targets = read_english(tail, depth + 1)
    if len(tail) == 1 and tail[0].text[:1].isupper():
        # "Below Tables" is below what is called so, and not below the tables.
        targets = [target for target in targets if target.name] or targets
    for target in targets:
        yield (Relation(kind, replace(target, text=join(tail)), None, negated),)


def _and_also(
    kind: RelationKind, tail: Sequence[Token], at: int, depth: int, *, negated: bool
) -> Iterator[tuple[Relation, ...]]:
    """Two relations of one thing: "below Name and left of Cancel"."""
    places = [place for place in _places(tail[at + 1 :]) if place[0] == 0]
    for _, end, text in places:
        second = vocabulary.RELATIONS.get(text)
        one = read_english(tail[:at], depth + 1)
        other = read_english(tail[at + 1 + end :], depth + 1)
        if second is not None and one and other:
            yield (Relation(kind, one[0], None, negated), Relation(second, other[0]))


def _region(tail: Sequence[Token]) -> tuple[str, str] | None:
    """A part of the screen, and of what if not of the screen."""
    text = " ".join(token.text if token.quoted else token.word for token in tail)
    match = _PLACE.fullmatch(text)
    if match is None or not match["place"].strip(" -"):
        return None
    words = re.split(r"[- ]+", match["place"].replace("-hand", "").strip(" -"))
    place = " ".join(vocabulary.SUPERLATIVES[word] for word in words if word)
    of = match["of"] or ""
    return place, "" if _WHOLE.fullmatch(of) else of.removeprefix(" of ")


def _placed(
    tokens: Sequence[Token], heads: Sequence[Description], place: str, of: str, depth: int
) -> Iterator[Description]:
    holder: tuple[Relation, ...] = ()
    if of:
        at = next(i for i, token in enumerate(tokens[::-1]) if token.word == "of")
        inside = read_english(tokens[len(tokens) - at :], depth + 1)
        holder = (Relation("in", inside[0]),) if inside else ()
    for one in heads[:3]:
        if not one.superlative:
            yield replace(
                one, text=join(tokens), superlative=place, relations=(*one.relations, *holder)
            )


def _named(
    tokens: Sequence[Token],
    head: Sequence[Token],
    tail: Sequence[Token],
    part: str,
    depth: int,
) -> Iterator[Description]:
    some = cast("Literal['', 'starts', 'ends', 'contains']", part)
    for one in _to_be_named(head, depth):
        if one.name and not one.kinds:
            continue
        for name, exact, rest in _names(tail):
            kept = (*one.rest, one.name) if one.name else one.rest
            plain = replace(one, text=join(tokens), name=name, exact=exact, part=some, rest=kept)
            if not rest:
                yield plain
                continue
            for more in read_english((Token("thing"), *rest), depth + 1)[:2]:
                yield replace(
                    plain,
                    relations=(*one.relations, *more.relations),
                    superlative=one.superlative or more.superlative,
                    rest=(*kept, *more.rest, *more.name.replace("thing", "").split()),
                )


def _to_be_named(head: Sequence[Token], depth: int) -> list[Description]:
    """What a name that follows may belong to: in "the button in the dialog" it is the button."""
    if not head:
        return [Description("")]
    placed = [one for one in read_english(head, depth + 1)[:6] if one.relations and one.kinds]
    return [*_alternatives(head), *read_head(head, said=True)[:3], *placed[:2]]


def _alternatives(head: Sequence[Token]) -> list[Description]:
    """Read "the folder or file" before a name as a thing of either kind."""
    words = [token.word for token in head if token.word not in vocabulary.ARTICLES]
    if "or" not in words[1:-1]:
        return []
    sides = re.split(r" or ", " ".join(words))
    kinds = [ENGLISH.get(side) for side in sides]
    known = tuple(dict.fromkeys(kind for kind in kinds if kind not in (None, Kind.ANY)))
    plain = all(" " not in side for side, kind in zip(sides, kinds, strict=True) if kind is None)
    return [Description("", kinds=known)] if known and plain else []


def _names(tail: Sequence[Token]) -> Iterator[tuple[str, bool, Sequence[Token]]]:
    """A name at the start of some words, whether it was quoted, and what follows it."""
    if tail[0].quoted:
        yield tail[0].text, True, tail[1:]
        return
    for start, _, _ in _places(tail):
        if start > 0:
            yield join(tail[:start]), False, tail[start:]
            break
    yield join(tail), False, ()


def _excepting(tokens: Sequence[Token], depth: int) -> Iterator[Description]:
    words = [token.word for token in tokens]
    for at in range(1, len(words) - 1):
        for parts in _EXCEPT:
            if tuple(words[at : at + len(parts)]) != parts or at + len(parts) >= len(words):
                continue
            others = read_english(tokens[at + len(parts) :], depth + 1)
            for one in read_english(tokens[:at], depth + 1)[:3]:
                if others:
                    yield replace(one, text=join(tokens), without=(*one.without, others[0]))
            return


def _possessive(tokens: Sequence[Token], depth: int) -> Iterator[Description]:
    """Read "the dialog's close button" as the close button of the dialog."""
    for at, token in enumerate(tokens[:-1]):
        if token.quoted or not token.word.endswith(("'s", "’s")):
            continue
        if len(token.text) < 3:
            continue
        owner = (*tokens[:at], Token(token.text[:-2]))
        targets = read_english(owner, depth + 1)
        for one in read_head(tokens[at + 1 :], said=True)[:3]:
            if targets:
                relations = (*one.relations, Relation("of", targets[0]))
                yield replace(one, text=join(tokens), relations=relations)
        return
