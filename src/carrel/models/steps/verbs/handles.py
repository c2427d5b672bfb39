"""The two handles of one range: `the right handle of the price slider`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["handle_meant"]

_LOW = r"left(?:-hand)?|lower|first|min(?:imum)?|bottom|lowest"
_HIGH = r"right(?:-hand)?|upper|second|max(?:imum)?|top|highest|last"
_NOUN = r"(?:slider |range )?(?:handle|thumb|knob|end|grip)"
_HANDLE = re.compile(
    rf"(?:the |its )?(?:(?P<low>{_LOW})|(?:{_HIGH})) (?:(?P<lead>[\w ]+?) )?{_NOUN}"
    r"(?: (?:of|on|for|in) (?:the )?(?P<of>.+?))?",
    re.IGNORECASE,
)
_GENERIC = frozenset({"slider", "range", "filter", "bar", "the", "control", "sliders", "a"})
PAIR = 2
OVER = 120
"""Pixels between a range and the words over it."""


def handle_meant(desk: Desk, phrase: str) -> Element | None:
    """The one of two handles on one bar that is meant; None where no range is, or several."""
    said = _HANDLE.fullmatch(phrase.strip())
    if said is None:
        return None
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    pairs = _pairs([e for e in shown if kind_of(e) is Kind.SLIDER])
    words = set(re.findall(r"\w+", f"{said['lead'] or ''} {said['of'] or ''}".casefold()))
    if words := words - _GENERIC:
        pairs = [pair for pair in pairs if words <= _words_of(pair, shown)]
    if len(pairs) != 1:
        return None
    left, right = sorted(pairs[0], key=lambda e: e.box.center.x if e.box else 0)
    return left if said["low"] else right


def _pairs(sliders: Sequence[Element]) -> list[list[Element]]:
    """Sliders that stand on one line, where these are two."""
    rows: list[list[Element]] = []
    for slider in sliders:
        row = next((r for r in rows if _level(r[0], slider)), None)
        if row is None:
            rows.append([slider])
        else:
            row.append(slider)
    return [row for row in rows if len(row) == PAIR]


def _level(one: Element, other: Element) -> bool:
    assert one.box is not None
    assert other.box is not None
    return abs(one.box.center.y - other.box.center.y) < min(one.box.height, other.box.height) / 2


def _words_of(pair: Sequence[Element], shown: Sequence[Element]) -> set[str]:
    """What the handles are called, and what stands right over them."""
    box = around([e.box for e in pair if e.box])
    over = [
        e
        for e in shown
        if kind_of(e) in (Kind.TEXT, Kind.HEADING) and e.box and _is_over(e.box, box)
    ]
    nearest = max((e.box.bottom for e in over if e.box), default=0)
    texts = [written_on(e) for e in over if e.box and e.box.bottom == nearest]
    return set(re.findall(r"\w+", " ".join([*(e.name for e in pair), *texts]).casefold()))


def _is_over(text: Box, box: Box) -> bool:
    return 0 <= box.y - text.bottom <= OVER and text.x < box.right and text.right > box.x - OVER
