"""Boxes that lie wall to wall: cells of tables, and bands across what they head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carrel.geometry import Box

__all__ = ["Tiled", "find_tiled"]

WALL = 3
"""Pixels of the wall between two boxes; controls stand farther apart."""
SAME = 4
"""Pixels by which the sides of boxes in one row or column may differ."""
BODY = 2.0
"""What a band heads is so many times as high."""


@dataclass(frozen=True, slots=True)
class Tiled:
    """Boxes that are parts of something larger.

    Attributes:
        cells: With neighbours beside them, and above or below them.
        bands: As wide as what they head, or as what they divide.
    """

    cells: frozenset[Box]
    bands: frozenset[Box]


def find_tiled(boxes: Sequence[Box]) -> Tiled:
    """Which of some boxes are parts of a table, or of a list or card that goes on below them."""
    beside = _touching([(b.x, b.right, b.y, b.bottom) for b in boxes])
    stacked = _touching([(b.y, b.bottom, b.x, b.right) for b in boxes])
    cells = frozenset(
        box
        for n, box in enumerate(boxes)
        if beside[n] and any(boxes[m].height < BODY * box.height for m in stacked[n])
    )
    bands = frozenset(
        box
        for n, box in enumerate(boxes)
        if any(boxes[m].height >= BODY * box.height for m in stacked[n]) or len(stacked[n]) > 1
    )
    return Tiled(cells, bands)


def _touching(spans: Sequence[tuple[int, int, int, int]]) -> list[list[int]]:
    """For each, those that begin where it ends, or end where it begins, and are as wide.

    A span is where something begins and ends along one axis, and then along the other.
    """
    found: list[list[int]] = [[] for _ in spans]
    begins: dict[int, list[int]] = {}
    for number, span in enumerate(spans):
        begins.setdefault(span[0], []).append(number)
    for number, (_, end, low, high) in enumerate(spans):
        for at in range(end - WALL, end + WALL + 1):
            for other in begins.get(at, ()):
                near = spans[other]
                if other != number and abs(near[2] - low) <= SAME and abs(near[3] - high) <= SAME:
                    found[number].append(other)
                    found[other].append(number)
    return found
