"""What is to be done again in the way just told, with another text, name or row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from carrel.models.steps.program import Check, Choose, Enter, Perform, Step, Tick, Unclear, Wait

__all__ = ["Again", "again", "resolved"]


@dataclass(frozen=True, slots=True)
class Again(Step):
    """The steps told last, once for each of these; no step of a program.

    Attributes:
        items: Each as it was said, a text in its quotes.
        loosely: Whether a name may also be that of another field: “do the same for Price”.
    """

    items: tuple[str, ...]
    loosely: bool = False


_QUOTED = re.compile(r"[\"“«](?P<text>[^\"“”«»]+)[\"”»]")
_NAME = r"[A-Z][\w'’&-]*(?:\s[A-Z][\w'’&-]*)*"
_OWNER = re.compile(rf"\s(?:of|for|from|by|with|beside|named|called|next to)\s(?P<text>{_NAME})$")
_LEADING = re.compile(rf"(?P<text>{_NAME})(?=$|\s(?:in|on|from|under|of)\s)")
_NAMING = ("called", "named", "titled", "name", "title", "text", "label")
_NTH = re.compile(r"the\s(?P<which>[\w-]+)\s(?P<noun>[a-z]+)", re.IGNORECASE)


def again(step: Step, before: Sequence[Step]) -> list[Step]:
    """The step; one that asks for the same as before, as what was done then.

    Args:
        step: Any.
        before: What was said before it; of several lines, the last that does something counts.
    """
    if not isinstance(step, Again):
        return [step]
    told = _told_last(before)
    done: list[Step] = []
    for item in step.items:
        swap = _swap_for(item, told, loosely=step.loosely)
        if swap is None:
            why = (
                "in which way? none was told before"
                if not told
                else "which of the words before it stands for is not clear; say the steps again"
            )
            return [Unclear(f"“{step.words}”: {why}", words=step.words, line=step.line)]
        done += [replace(_with(one, *swap), words=step.words, line=step.line) for one in told]
    return done


def _told_last(before: Sequence[Step]) -> list[Step]:
    """The steps of the last line that does more than look."""
    at = len(before)
    while at and isinstance(before[at - 1], Check | Wait):
        at -= 1
    if not at:
        return []
    line = before[at - 1].line
    told = [one for one in before if one.line == line]
    return _last_round(told)


def _last_round(told: list[Step]) -> list[Step]:
    """Of what was done once for each of several, the last time."""
    typed = [one.text for one in told if isinstance(one, Enter)]
    size, rest = divmod(len(told), len(typed) or 1)
    if len(typed) < 2 or rest:
        return told
    last = told[-size:]
    rounds = (told[at : at + size] for at in range(0, len(told), size))
    alike = [
        [_with(one, typed[-1], f'"{typed[n]}"') for one in last] == each
        for n, each in enumerate(rounds)
    ]
    return last if all(alike) else told


def _swap_for(item: str, told: Sequence[Step], *, loosely: bool) -> tuple[str, str] | None:
    """What of the steps the item stands for, and the item; None where that is not clear."""
    if nth := _NTH.fullmatch(item):
        alike = re.compile(rf"\bthe\s[\w-]+\s{re.escape(nth['noun'])}\b", re.IGNORECASE)
        rows = {found[0] for text in _strings(told) for found in alike.finditer(text)}
        return (rows.pop(), item) if len(rows) == 1 else None
    if loosely and not _QUOTED.match(item) and any(_typed(told)):
        return None
    for values in (_typed(told), _named(told), _chosen(told), _quoted(told), _owners(told)):
        distinct = set(values)
        if distinct:
            return (distinct.pop(), item) if len(distinct) == 1 else None
    return None


def _typed(told: Sequence[Step]) -> Iterator[str]:
    return (one.text for one in told if isinstance(one, Enter))


def _named(told: Sequence[Step]) -> Iterator[str]:
    for one in told:
        if isinstance(one, Perform):
            yield from (text for word, text in one.details if word in _NAMING)


def _chosen(told: Sequence[Step]) -> Iterator[str]:
    for one in told:
        names = one.options if isinstance(one, Choose) else ()
        names = one.what if isinstance(one, Tick) else names
        for name in names:
            if found := _QUOTED.match(name) or _LEADING.match(name):
                yield found["text"]


def _quoted(told: Sequence[Step]) -> Iterator[str]:
    for text in _strings(told):
        yield from (found["text"] for found in _QUOTED.finditer(text))


def _owners(told: Sequence[Step]) -> Iterator[str]:
    for text in _strings(told):
        if found := _OWNER.search(text):
            yield found["text"]


def _strings(value: object) -> Iterator[str]:
    """Every text of the steps, but for the words that they were told in."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            if one.name not in ("words", "why"):
                yield from _strings(getattr(value, one.name))


_Value = TypeVar("_Value")


def _with(value: _Value, old: str, new: str) -> _Value:
    """The same with another text, name or row."""
    swapped: Any = value
    if isinstance(value, str):
        swapped = _put(value, old, new)
    elif isinstance(value, tuple):
        swapped = tuple(_with(one, old, new) for one in value)
    elif is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in fields(value) if one.name not in ("words", "why", "line")]
        swapped = replace(value, **{name: _with(getattr(value, name), old, new) for name in names})
    return cast("_Value", swapped)


def _put(text: str, old: str, new: str) -> str:
    quoted = _QUOTED.fullmatch(new)
    plain = quoted["text"] if quoted else new
    if text == old:
        return plain
    said = re.sub(
        rf"[\"“«]{re.escape(old)}[\"”»]", lambda _: f'"{plain}"', text, flags=re.IGNORECASE
    )
    if said != text or (_NTH.fullmatch(new) is None and not re.match(r"[A-Z]", old)):
        return said
    return re.sub(rf"(?<![\w\"“]){re.escape(old)}(?![\w\"”])", lambda _: new, text)


def resolved(steps: Iterable[Step], before: Sequence[Step]) -> list[Step]:
    """The steps of one sentence, where what is to be done again was told in the same text."""
    done: list[Step] = []
    for step in steps:
        told = done or list(before)
        done += again(step, told) if told else [step]
    return done
