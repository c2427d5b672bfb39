"""What makes one of several the best: `the cheapest`, `the one with the most reviews`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carrel.models.steps.entries.measures import (
    AGE,
    AREA,
    BYTES,
    DISTANCE,
    DURATION,
    HEIGHT,
    MEASURES,
    MONEY,
    PAGES,
    PEOPLE,
    RATING,
    RUNNING,
    SPEED,
    WEIGHT,
    WHEN,
    Measure,
    counted_by,
)

__all__ = ["Best", "best_said"]


@dataclass(frozen=True, slots=True)
class Best:
    """What makes one the best: one of these measures, and whether the greatest of it is meant.

    Attributes:
        said: The words that say so.
    """

    said: str
    ways: tuple[tuple[Measure, bool], ...]


_LONG = ((DURATION, True), (RUNNING, True), (PAGES, True), (DISTANCE, True))
_BIG = ((AREA, True), (BYTES, True), (PEOPLE, True))


def _turned(ways: Sequence[tuple[Measure, bool]]) -> tuple[tuple[Measure, bool], ...]:
    return tuple((measure, not most) for measure, most in ways)


_WORDS: Mapping[str, tuple[tuple[Measure, bool], ...]] = {
    r"cheapest|least (?:expensive|costly)|lowest[- ]priced?|最便宜的?": ((MONEY, False),),
    r"most expensive|dearest|priciest|costliest|highest[- ]priced?|最贵的?": ((MONEY, True),),
    r"fastest|quickest|最快的?": ((DURATION, False), (SPEED, True)),
    r"slowest|最慢的?": ((DURATION, True), (SPEED, False)),
    r"longest|最长的?": _LONG,
    r"shortest|最短的?": _turned(_LONG),
    r"newest|latest|most recent|youngest|最新的?|最近的?一": ((WHEN, True), (AGE, False)),
    r"oldest|最旧的?|最老的?": ((WHEN, False), (AGE, True)),
    r"earliest|soonest|最早的?": ((WHEN, False),),
    r"最晚的?": ((WHEN, True),),
    r"largest|biggest|最大的?": _BIG,
    r"smallest|最小的?": _turned(_BIG),
    r"heaviest|最重的?": ((WEIGHT, True),),
    r"lightest|最轻的?": ((WEIGHT, False),),
    r"tallest|最高的?(?!评)": ((HEIGHT, True),),
    r"nearest|closest|离得?最近的?": ((DISTANCE, False),),
    r"farthest|furthest|most distant|最远的?": ((DISTANCE, True),),
    r"(?:highest|best|top|most highly)[- ]?rated|highest[- ]scor(?:ed|ing)|评分最高的?": (
        (RATING, True),
    ),
    r"(?:lowest|worst)[- ]?rated|lowest[- ]scor(?:ed|ing)|评分最低的?": ((RATING, False),),
}
_SAID = tuple(
    (
        re.compile(
            rf"(?<![\w-])(?:{said})(?![\w-])" if said.isascii() else rf"(?:{said})", re.IGNORECASE
        ),
        ways,
    )
    for said, ways in _WORDS.items()
)
_BY_HEAD = re.compile(
    r"(?:with |having |that has )?(?:the )?(?P<how>highest|greatest|largest|biggest|most|longest|"
    r"best|lowest|least|smallest|fewest|shortest) (?P<head>[a-z][a-z -]*?)$",
    re.IGNORECASE,
)
_LEAST = frozenset({"lowest", "least", "smallest", "fewest", "shortest"})


def best_said(phrase: str) -> Best | None:
    """What a phrase says makes one of several the best; None where it says nothing of the kind."""
    for form, ways in _SAID:
        if found := form.search(phrase):
            return Best(found[0], ways)
    found = re.search(r"\s(?:with|having|that has) the (?:.+)$", phrase, re.IGNORECASE)
    told = _BY_HEAD.fullmatch(found[0].strip()) if found else None
    if found is None or told is None:
        return None
    head, most = told["head"].strip(), told["how"].casefold() not in _LEAST
    known = [
        m for m in MEASURES if m.heads and re.search(rf"\b(?:{m.heads})\b", head, re.IGNORECASE)
    ]
    named = counted_by(head)
    return Best(found[0].strip(), tuple((m, most) for m in (*known, named)))
