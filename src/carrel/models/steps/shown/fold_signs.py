"""The sign before the words of a branch that a page has made itself: `+ Sales`, `▸ Sales`."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.labels import written_on

__all__ = ["fold_sign", "is_open_sign"]

_CLOSED, _OPEN = frozenset("+＋▸▶►⊞▹›❯"), frozenset("-−–▾▼⊟▿⌄")
NEAR = 28
"""Pixels between a sign and the words it belongs to."""


def fold_sign(elements: Sequence[Element], words: Element) -> Element | None:
    """The one sign right before the words, in their line."""
    at = words.box
    if at is None:
        return None
    signs = [
        e
        for e in part_meant(elements, "")
        if e.box is not None and written_on(e).strip() in _CLOSED | _OPEN
        if -2 <= at.x - e.box.right <= NEAR and at.y <= e.box.center.y < at.bottom
    ]
    return signs[-1] if len({e.box.center for e in signs if e.box}) == 1 else None


def is_open_sign(sign: Element) -> bool:
    """Whether what it stands before is open already."""
    return written_on(sign).strip() in _OPEN
