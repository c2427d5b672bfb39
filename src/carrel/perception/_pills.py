"""Switches that are only drawn: a pill with a knob at one of its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carrel.geometry import Box
from carrel.perception.colours import crop

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["find_switch", "is_pill"]

HIGH, LONG = (12, 36), (1.6, 2.6)
"""Pixels that a switch is high, and how often that it is long."""
APART = 50
"""How far the colour of a knob is from that of what it slides along."""
EVEN = 30
"""How far the colours of one thing may be from one another."""


def is_pill(box: Box) -> bool:
    """Whether it has the form of a switch."""
    high = HIGH[0] <= box.height <= HIGH[1]
    return high and LONG[0] * box.height <= box.width <= LONG[1] * box.height


def find_switch(pixels: Pixels, box: Box) -> bool | None:
    """Whether the switch in a box is on, its knob at the right; None where none can be told."""
    import numpy as np

    part = crop(pixels, box).astype(np.float32)
    height, width = part.shape[:2]
    if not is_pill(box) or height < HIGH[0] or width < LONG[0] * height:
        return None
    half = height // 2
    left, right = _at(part, half, half), _at(part, half, width - 1 - half)
    if left is None or right is None or _apart(left, right) < APART:
        return None
    # Around the knob there is a rim of what it slides along.
    rims = (part[1:3, half], part[1:3, width - 1 - half])
    knobs = [_is_rim(rims[0], right), _is_rim(rims[1], left)]
    if knobs[0] != knobs[1]:
        return knobs[1]
    middle = _at(part, half, width // 2)
    if middle is None or min(_apart(left, middle), _apart(right, middle)) > EVEN:
        return None
    return _apart(left, middle) <= EVEN


def _apart(one: NDArray[float32], other: NDArray[float32]) -> float:
    return float(abs(one - other).max())


def _is_rim(rim: NDArray[float32], track: NDArray[float32]) -> bool:
    return any(_apart(colour, track) <= EVEN for colour in rim)


def _at(part: NDArray[float32], row: int, column: int) -> NDArray[float32] | None:
    """The colour around a place; None where it is not of one colour."""
    import numpy as np

    spot = part[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3)
    colour = np.asarray(np.median(spot, axis=0), dtype=np.float32)
    even = len(spot) > 0 and float(np.abs(spot - colour).max()) <= EVEN
    return colour if even else None
