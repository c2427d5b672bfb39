"""Plane geometry on a screen: middles and axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Axis", "Spot", "axis_of", "middle"]

Spot = tuple[float, float]
"""A place between pixels."""


def middle(spots: Sequence[Spot]) -> Spot:
    """The point that is as far from one as from the other."""
    return (
        sum(spot[0] for spot in spots) / len(spots),
        sum(spot[1] for spot in spots) / len(spots),
    )


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
