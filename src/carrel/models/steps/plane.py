"""Plane geometry on a screen: middles, right angles, halved angles, axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from carrel.geometry import Box, Point

__all__ = ["Axis", "Spot", "axis_of", "middle", "on_bisector", "on_perpendicular", "turn"]

Spot = tuple[float, float]
"""A place between pixels."""

NEAREST, FARTHEST = 25, 140
"""Pixels from the corner of an angle to a point on its side: near ones are off by much."""
INSET = 5
"""Pixels that are left at the edges of what is drawn on."""


def middle(spots: Sequence[Spot]) -> Spot:
    """The point that is as far from one as from the other."""
    return (
        sum(spot[0] for spot in spots) / len(spots),
        sum(spot[1] for spot in spots) / len(spots),
    )


def turn(corner: Spot, one: Spot, other: Spot) -> float:
    """The angle between two points as seen from a third, in degrees."""
    first = math.atan2(one[1] - corner[1], one[0] - corner[0])
    second = math.atan2(other[1] - corner[1], other[0] - corner[0])
    apart = abs(math.degrees(first - second)) % 360
    return min(apart, 360 - apart)


def on_perpendicular(corner: Spot, end: Spot, area: Box) -> Point | None:
    """The pixel that makes the best right angle with a line at one of its ends."""
    return _best(corner, area, lambda at: abs(turn(corner, end, at) - 90), 1.0)


def on_bisector(corner: Spot, one: Spot, other: Spot, area: Box) -> Point | None:
    """The pixel on the line that halves an angle."""
    whole = turn(corner, one, other)

    def off(at: Spot) -> float:
        first, second = turn(corner, one, at), turn(corner, other, at)
        return max(first, second) / max(1e-6, whole) - 0.5

    return _best(corner, area, off, 1 / max(1e-6, whole))


def _best(corner: Spot, area: Box, off: Callable[[Spot], float], degree: float) -> Point | None:
    """Of all pixels the one that is off least, were it half a pixel beside where it seems to be.

    Args:
        corner: Of the angle.
        area: What is drawn on.
        off: How far off a place is.
        degree: What one degree is by the same measure.
    """
    found: tuple[float, float, Point] | None = None
    for y in range(area.y + INSET, area.bottom - INSET):
        for x in range(area.x + INSET, area.right - INSET):
            far = math.hypot(x - corner[0], y - corner[1])
            if NEAREST <= far <= FARTHEST:
                unsure = degree * math.degrees(0.5 / far)
                rank = (round(off((x, y)) + unsure, 4), far, Point(x, y))
                found = rank if found is None or rank[:2] < found[:2] else found
    return found[2] if found is not None else None


@dataclass(frozen=True, slots=True)
class Axis:
    """Where numbers stand along a line: pixel = start + value * step."""

    start: float
    step: float

    def at(self, value: float) -> float:
        """The pixel of a number."""
        return self.start + value * self.step


def axis_of(labels: Iterable[tuple[float, float]]) -> Axis | None:
    """The axis that labels stand on, each a number and its pixel; None where they do not."""
    pairs = list(labels)
    if len({value for value, _ in pairs}) < 2 or len({value for value, _ in pairs}) != len(pairs):
        return None
    values, pixels = [v for v, _ in pairs], [p for _, p in pairs]
    mean, middle_pixel = sum(values) / len(pairs), sum(pixels) / len(pairs)
    spread = sum((v - mean) ** 2 for v in values)
    step = sum((v - mean) * (p - middle_pixel) for v, p in pairs) / spread
    axis = Axis(middle_pixel - step * mean, step)
    steady = all(abs(axis.at(v) - p) <= 0.35 * abs(step) for v, p in pairs)
    return axis if steady and abs(step) >= 1 else None
