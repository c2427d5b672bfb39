"""The arrow that a drop-down has at its end, where nothing but its looks tells what it is."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from carrel.geometry import Box
from carrel.perception.colours import crop, most_common

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["arrow_at_end"]

WIDE, HIGH = (5, 15), (3, 9)
"""Pixels across an arrow, and from its base to its point."""
DARK = 90
"""How far an arrow is from what it stands on: letters are as far, the edges of a bevel are not."""
STEPS = 3
"""Pixels by which a line of it is shorter than the line before, at most."""


def arrow_at_end(pixels: Pixels, field: Box) -> Box | None:
    """A lone arrow that points down, at the right end within a field or right behind it.

    Two that point away from each other are of a number that is stepped, and no drop-down.
    """
    side = field.height
    area = Box(max(0, field.right - side), field.y, 2 * side, side)
    found = _arrows(crop(pixels, area), area)
    return found[0][0] if len(found) == 1 and found[0][1] else None


def _arrows(part: Pixels, area: Box) -> list[tuple[Box, bool]]:
    """Every arrow that points up or down, with whether it is down."""
    import cv2
    import numpy as np

    if min(part.shape[:2]) < WIDE[1]:
        return []
    ground = most_common(part.reshape(-1, 3)).astype(np.int16)
    drawn = (np.abs(part.astype(np.int16) - ground).max(axis=2) > DARK).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    found = []
    for number in range(1, count):
        x, y, w, h, _ = (int(value) for value in stats[number])
        if not (WIDE[0] <= w <= WIDE[1] and HIGH[0] <= h <= HIGH[1]):
            continue
        one = (labels[y : y + h, x : x + w] == number).astype(np.uint8)
        if (down := _is_tapered(one)) or _is_tapered(one[::-1]):
            found.append((Box(area.x + x, area.y + y, w, h), down))
    return found


def _is_tapered(drawn: NDArray[uint8]) -> bool:
    """Whether every line is solid, in the middle, and shorter than the one above, to a point."""
    wide = drawn.shape[1]
    runs = [(int(row.argmax()), int(row.sum()), row) for row in drawn]
    if any(not count or int(row[at : at + count].sum()) != count for at, count, row in runs):
        return False
    counts = [count for _, count, _ in runs]
    middle = all(abs(2 * at + count - wide) <= 1 for at, count, _ in runs)
    shorter = all(0 <= a - b <= STEPS for a, b in pairwise(counts))
    pointed = counts[0] >= wide - 1 and counts[-1] <= 2 and len(set(counts)) > 2
    return middle and shorter and pointed
