"""Which of several fields for a day or a time a small word speaks of: `from`, `until`, `leaving`.

One name may be the begin of one thing and the end of another: who stays arrives first and departs
last, who travels departs first. So the words are held against all the fields that there are, and
where their names leave it open, the one that is read first is the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from carrel.frames import Element

__all__ = ["Timed", "field_of_end", "may_be_end", "names_an_end"]

_COMES = re.compile(r"arriv|check-?\s?in\b|check(?:s|ing) in\b|入住|到达", re.IGNORECASE)
_LEAVES = re.compile(
    r"depart|\bleav|check-?\s?out\b|check(?:s|ing) out\b|离店|离开|出发", re.IGNORECASE
)
_BEGINS = re.compile(
    r"\b(?:start\w*|begin\w*|from|first|since|outbound|pick-?\s?up|picking up|collect\w*|"
    r"earliest|opens?|opening)\b|开始|起始",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:end|ends|ending|until|till|through|to|last|return\w*|inbound|drop-?\s?off|"
    r"dropping off|back|finish\w*|latest|clos\w+)\b|结束|截止|返程",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"(?:to|until|till|through|and|by)\b", re.IGNORECASE)


class Timed(NamedTuple):
    """A control that takes a day or a time, and all the words that it goes by."""

    control: Element
    name: str


def _sort(name: str) -> str:
    """Which end of a time a name speaks of; nothing where it speaks of none, or of both."""
    found = [
        sort
        for sort, pattern in (
            ("comes", _COMES),
            ("leaves", _LEAVES),
            ("begins", _BEGINS),
            ("ends", _ENDS),
        )
        if pattern.search(name)
    ]
    return found[0] if len(found) == 1 else ""


def names_an_end(name: str) -> bool:
    """Whether a control is called by what begins or ends a stay, a journey, a time."""
    return bool(_sort(name))


def may_be_end(name: str, word: str) -> bool:
    """Whether the only control for a day may be what a word speaks of: no begin is an end."""
    sort, own = _sort(name), _sort(word) or ("ends" if _CLOSES.match(word.strip()) else "")
    return {own, sort} not in ({"begins", "ends"}, {"comes", "leaves"})


def field_of_end(fields: Sequence[Timed], word: str, said: str) -> Element | None:
    """The field that a word before a day or a time speaks of; None where that is not certain.

    Args:
        fields: All that take such.
        word: As `from`, `until`, `arriving on`.
        said: The whole demand, which may speak of the other end, too.
    """
    own = _sort(word) or ("ends" if _CLOSES.match(word.strip()) else "begins")
    sorts = [_sort(one.name) for one in fields]
    if own in ("comes", "leaves") and sorts.count(own) == 1:
        return fields[sorts.index(own)].control
    pair = _pair(fields, sorts)
    if pair is None:
        return None
    first, last = pair
    if own in ("comes", "leaves"):
        own = _end_in(said, own)
    return {"begins": first, "ends": last}.get(own)


def _end_in(said: str, own: str) -> str:
    """Whether to come, or to leave, is how it begins, by what else is said."""
    comes, leaves = _COMES.search(said), _LEAVES.search(said)
    if comes and leaves:
        first = "comes" if comes.start() < leaves.start() else "leaves"
        return "begins" if own == first else "ends"
    rest = (_LEAVES if leaves else _COMES).sub("", said)
    if _BEGINS.search(rest) and not _ENDS.search(rest):
        return "ends"
    return "begins"


def _pair(fields: Sequence[Timed], sorts: Sequence[str]) -> tuple[Element, Element] | None:
    """The one pair of a begin and an end among fields."""
    pairs: list[tuple[Element, Element]] = []
    told = [(one.control, sort) for one, sort in zip(fields, sorts, strict=True) if sort]
    told.sort(key=lambda pair: _place(pair[0]))
    for (one, first), (two, second) in combinations(told, 2):
        if first == second:
            continue
        if first == "ends" or second == "begins":
            pairs.append((two, one))
        else:
            pairs.append((one, two))
    return pairs[0] if len(pairs) == 1 else None


def _place(control: Element) -> tuple[int, int]:
    """Where it is read."""
    return (control.box.center.y // 12, control.box.x) if control.box else (0, 0)
