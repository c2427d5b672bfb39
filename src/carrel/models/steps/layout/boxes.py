"""Boxes taken together."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.geometry import Box

__all__ = ["around"]


def around(boxes: Sequence[Box], slack: int = 0) -> Box:
    """The smallest box that holds them all, and so many pixels more on every side."""
    if not boxes:
        return Box(0, 0, 0, 0)
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(x - slack, y - slack, right - x + 2 * slack, bottom - y + 2 * slack)
