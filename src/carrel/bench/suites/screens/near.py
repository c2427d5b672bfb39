"""Which control is beside a text, where nobody would be in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from carrel.bench.suites.screens.truth import Run, Truth
from carrel.geometry import Box

__all__ = ["Side", "beside"]

Side = Literal["left", "right", "above", "below"]

REACH: dict[Side, int] = {"left": 80, "right": 160, "above": 50, "below": 50}
"""Pixels within which something is beside a text."""
AHEAD = 2.0
"""How many times farther away the next of the same kind has to be."""


def beside(anchor: Run, truth: Truth, kinds: Sequence[str]) -> Iterator[tuple[Side, int]]:
    """Each control that is clearly beside a text, by its number, and at which side."""
    for side in REACH:
        nearest: dict[str, list[tuple[int, int]]] = {}
        for number, control in enumerate(truth.controls):
            gap = _gap(anchor.box, control.box, side)
            if gap is not None:
                nearest.setdefault(kinds[number], []).append((gap, number))
        for found in nearest.values():
            found.sort()
            gap, number = found[0]
            alone = len(found) == 1 or found[1][0] > AHEAD * gap + 10
            free = not _between(anchor, truth.controls[number].box, truth)
            if gap <= REACH[side] and alone and free:
                yield side, number


def _gap(anchor: Box, box: Box, side: Side) -> int | None:
    """Pixels between the two, when the box is at that side and level with the anchor."""
    if side in ("left", "right"):
        common = min(anchor.bottom, box.bottom) - max(anchor.y, box.y)
        level = common >= 0.5 * min(anchor.height, box.height)
        gap = anchor.x - box.right if side == "left" else box.x - anchor.right
    else:
        common = min(anchor.right, box.right) - max(anchor.x, box.x)
        level = common >= 0.5 * min(anchor.width, box.width)
        gap = anchor.y - box.bottom if side == "above" else box.y - anchor.bottom
    return gap if level and gap >= 0 else None


def _between(anchor: Run, box: Box, truth: Truth) -> bool:
    """Whether another text stands between the two."""
    x, y = min(anchor.box.center.x, box.center.x), min(anchor.box.center.y, box.center.y)
    width = abs(anchor.box.center.x - box.center.x)
    height = abs(anchor.box.center.y - box.center.y)
    lane = Box(x, y, max(1, width), max(1, height))
    return any(
        run is not anchor
        and run.box.intersect(lane) is not None
        and box.intersect(run.box) is None
        and anchor.box.intersect(run.box) is None
        for run in truth.runs
    )
