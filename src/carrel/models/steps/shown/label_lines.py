"""Texts and stars that stand alone in one line with a label, at its right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception._names import is_same
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["segment_in", "star_behind"]

FEWEST, MOST = 3, 10
"""Stars in a row."""
_STARS = frozenset("☆★✩✭⭐✰✮")

LONGEST = 12
"""Letters on one of them, at most."""
APART = 64
"""Pixels between two of them, at most."""


def segment_in(desk: Desk, anchor: Element, value: str) -> Element | None:
    """The text of that name among those that alone stand in one line with a label, behind it."""
    at = anchor.box
    if at is None or kind_of(anchor) not in (Kind.TEXT, Kind.HEADING):
        return None
    line = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and e.box.area and _is_behind(e.box, at) and written_on(e).strip()
    ]
    if any(kind_of(e) is not Kind.TEXT or len(written_on(e)) > LONGEST for e in line):
        return None
    row = sorted(line, key=lambda e: e.box.x if e.box else 0)
    fitting = [e for e in row if is_same(value, written_on(e))]
    return fitting[0] if len(row) > 1 and _is_one_row(row) and len(fitting) == 1 else None


def star_behind(desk: Desk, anchor: Element, number: int) -> Element | None:
    """The star of that number in the row of signs that alone stand in one line with a label."""
    at = anchor.box
    if at is None or kind_of(anchor) not in (Kind.TEXT, Kind.HEADING):
        return None
    line = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and e.box.area and _is_behind(e.box, at) and written_on(e).strip()
    ]
    row = sorted(line, key=lambda e: e.box.x if e.box else 0)
    drawn = all(written_on(e).strip() in _STARS for e in row)
    known = drawn and FEWEST <= len(row) <= MOST and _is_one_row(row)
    return row[number - 1] if known and 1 <= number <= len(row) else None


def _is_behind(box: Box, label: Box) -> bool:
    """Whether something stands at the right of a label, in its line."""
    return box.x >= label.right and label.y - label.height // 2 <= box.center.y < (
        label.bottom + label.height // 2
    )


def _is_one_row(row: Sequence[Element]) -> bool:
    boxes = [e.box for e in row if e.box is not None]
    near = all(0 <= b.x - a.right <= APART for a, b in pairwise(boxes))
    return near and max(b.height for b in boxes) - min(b.height for b in boxes) <= 2
