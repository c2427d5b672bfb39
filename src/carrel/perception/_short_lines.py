"""Lines of a sign or two, which the network that looks for text passes over: what `wc` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.geometry import Box
from carrel.perception._lines import LOWEST, ink, some

if TYPE_CHECKING:
    from carrel.perception.view import Pixels

__all__ = ["short_lines"]

LINES = 8
"""How far apart two lines may be for what stands between them to be of their text, in lines."""
EDGE = 6
"""Pixels by which lines of one text begin at different columns; boxes around them are not exact."""
WIDEST = 3
"""How wide such a line is at most, as so many of its height."""
MARGIN = 2


def short_lines(pixels: Pixels, boxes: Sequence[Box]) -> list[Box]:
    """Where something short stands alone, between two lines that begin where it does."""
    found = []
    for upper in boxes:
        below = [b for b in boxes if b.y > upper.y and abs(b.x - upper.x) <= EDGE]
        lower = min(below, key=lambda b: b.y, default=None)
        if lower is None or not _is_room(upper, lower):
            continue
        found += [box for box in _between(pixels, upper, lower) if not _is_beside(box, boxes)]
    return found


def _is_room(upper: Box, lower: Box) -> bool:
    low, high = sorted((upper.height, lower.height))
    apart = lower.center.y - upper.center.y
    return high <= 2 * low and 3 * LOWEST <= apart <= LINES * high


def _between(pixels: Pixels, upper: Box, lower: Box) -> list[Box]:
    """The runs of rows with ink between two lines that are short and begin at their edge."""
    import numpy as np

    height = min(upper.height, lower.height)
    edge = max(upper.x, lower.x)
    left = max(0, edge - EDGE)
    right = min(pixels.shape[1], left + (WIDEST + 2) * height)
    top, bottom = upper.center.y, lower.center.y
    mask = ink(pixels[top:bottom, left:right])
    mask = np.asarray(
        mask & ~mask.all(axis=0), np.bool_
    )  # the edge of a window or of a field is no text
    rows = some(mask, 1).nonzero()[0]
    found = []
    for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else []:
        # What reaches to the middle of either line is that line.
        if run[0] == 0 or run[-1] == len(mask) - 1 or not LOWEST <= len(run) <= height:
            continue
        columns = some(mask[run], 0).nonzero()[0]
        first, last = int(columns[0]), int(columns[-1])
        if first <= 2 * EDGE and last - first <= WIDEST * len(run):
            y, x = top + int(run[0]), left + first
            found.append(_grown(Box(x, y, last - first + 1, len(run)), pixels))
    return found


def _grown(box: Box, pixels: Pixels) -> Box:
    x, y = max(0, box.x - MARGIN), max(0, box.y - MARGIN)
    right = min(pixels.shape[1], box.right + MARGIN)
    bottom = min(pixels.shape[0], box.bottom + MARGIN)
    return Box(x, y, right - x, bottom - y)


def _is_beside(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether it is known, or the sign before another text: a box to tick, a bullet."""
    return any(b.y <= box.center.y < b.bottom and b.right > box.x for b in boxes)
