"""Which value of an instruction goes into which field that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.afforded.mentions import LOOSE, How, Mention
from carrel.models.steps.afforded.wording import ARTICLES, Span, Word, Wording, is_whole
from carrel.models.steps.phrases.small_words import ACTS, GRAMMAR, KINDS, SETS
from carrel.perception.numbers import number
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["with_values"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NUMERIC = frozenset({Kind.SLIDER, Kind.SPINNER})
_TO = _listed(
    "to as with is are be of at by up down = should shall equals set "
    "为 是 填 写 成 入 输 改 设 选 择 到 作 上 用 换 调 置 里 中 内 处"
)
"""What may stand between a field and the value behind it."""
_INTO = _listed("in into as for under at on to the my your of 到 入 作 为 给 进 在 里")
"""What may stand between a value and the field behind it."""
_VERBS = _listed(
    "type enter write put fill add say note give key insert input send use state mention 填 写 输"
)
_JOINS = frozenset({"and", "then", "but"})
_CHAIN = re.compile(r"\S\s+[/>›→]\s+\S")
LONGEST = 12
"""Words of a value that is not quoted, at most."""


def with_values(
    wording: Wording, mentions: Sequence[Mention], taken: Sequence[bool]
) -> tuple[list[Mention], set[int]] | None:
    """The mentions, fields with the value that is theirs, and the words that the values are.

    Args:
        wording: The instruction.
        mentions: What is named in it.
        taken: For each word, whether something else has it.

    Returns:
        None where a field gets none, or a quoted text goes nowhere.
    """
    named = {at for one in mentions if one.how not in LOOSE for at in range(*one.span)}
    spent = {at for at, has in enumerate(taken) if has}
    options = {one.control.id for one in mentions if one.how is How.SET}
    given: list[Mention] = []
    values: set[int] = set()
    for one in mentions:
        if one.how is not How.FIELD:
            given.append(one)
            continue
        if one.control.id in options:
            continue  # what it is to have is named itself
        span = _value_of(wording, one, named | spent | values)
        if span is None and any(m.control.id == one.control.id for m in mentions if m is not one):
            continue  # the heading over it, where it is named itself
        if span is None:
            return None
        value = wording.said(span)
        if wording.unread and not _is_text(wording, span):
            return None  # "a short greeting" is no text, but tells of one
        if _is_described(wording, one, span):
            return None
        if kind_of(one.control) in _NUMERIC and number(value) is None:
            return None
        if _CHAIN.search(value):
            return None  # one choice after another, which is nothing to type
        values |= set(range(*span))
        given.append(replace(one, value=value, told=span))
    given = [one for one in given if one.how not in LOOSE or values.isdisjoint(range(*one.span))]
    gone = {at for one in given for at in range(*one.span)} | named | spent | values
    left = {word.quote for at, word in enumerate(wording.words) if at not in gone}
    return None if left - {-1} else (given, values)


def _is_text(wording: Wording, span: Span) -> bool:
    """Whether a value is a text by its looks: quoted, a number, or written like a name."""
    words = [word for word in wording.words[slice(*span)] if word.said.casefold() not in GRAMMAR]
    return all(w.quote >= 0 or w.said[0].isupper() or w.said[0].isdigit() for w in words)


def _is_described(wording: Wording, field: Mention, span: Span) -> bool:
    """`The number of the parcel` tells which number, and is none: an article begins no text."""
    behind = span[0] >= field.span[1]
    led = behind and _joined(wording, field, 1) & ARTICLES
    return bool(led) and not _is_text(wording, span)


def _value_of(wording: Wording, field: Mention, gone: set[int]) -> Span | None:
    """The words that are its value: right behind it, or else right before it."""
    behind = _beside(wording, field, gone, 1)
    before = _beside(wording, field, gone, -1)
    if behind and before:
        # "Ann as the name" is before, "name: Ann" behind: what joins them tells.
        joined = _joined(wording, field, -1) & (_INTO - ARTICLES)
        return before if joined and not _joined(wording, field, 1) & _TO else behind
    return behind or before


def _joined(wording: Wording, field: Mention, step: int) -> set[str]:
    """The small words between a field and what stands beside it."""
    return {wording.words[at].said.casefold() for at in _bridge(wording, field, step)}


def _bridge(wording: Wording, field: Mention, step: int) -> list[int]:
    at = field.span[1] if step > 0 else field.span[0] - 1
    joins = _TO | KINDS | ARTICLES if step > 0 else _INTO | ARTICLES
    passed: list[int] = []
    while 0 <= at < len(wording.words):
        word = wording.words[at]
        if word.quote >= 0 or word.said.casefold() not in joins:
            break
        passed.append(at)
        at += step
    return passed


def _beside(wording: Wording, field: Mention, gone: set[int], step: int) -> Span | None:
    """What stands beside a field, small words left out: a quoted text, a number, other words."""
    passed = _bridge(wording, field, step)
    at = (field.span[1] if step > 0 else field.span[0] - 1) + step * len(passed)
    if not 0 <= at < len(wording.words) or at in gone:
        return None
    word = wording.words[at]
    own = wording.words[field.span[0]].clause
    if word.quote >= 0:
        near = abs(word.clause - own) <= (1 if step > 0 and not passed else 0)
        return wording.span_of_quote(word.quote) if near else None
    if word.clause != own or (not passed and not re.match(r"\d", word.said)):
        return None
    run = [at]
    while 0 <= (at := at + step) < len(wording.words) and at not in gone:
        following = wording.words[at]
        if following.clause != own or following.quote >= 0 or _ends(following.said.casefold()):
            break
        if step > 0 and _is_apart(wording.words[at - 1], following):
            break
        run.append(at)
    run.sort()
    plain = kind_of(field.control) in _NUMERIC or is_field(field.control)
    if len(run) > LONGEST or not plain or all(_ends(wording.words[i].said.casefold()) for i in run):
        return None
    span = run[0], run[-1] + 1
    return span if is_whole(wording, span) else None


def _is_apart(one: Word, other: Word) -> bool:
    """Whether a number or a code ends before Chinese words: 13900001111 注册."""
    coded = one.said.isascii() and re.search(r"\d", one.said) is not None
    return (
        coded and re.match(r"[\u3400-\u9fff]", other.said) is not None and one.at[1] < other.at[0]
    )


def _ends(word: str) -> bool:
    """Whether a value that is not quoted does not go on past this word."""
    return word in GRAMMAR | _VERBS | ACTS | SETS | _TO | _JOINS
