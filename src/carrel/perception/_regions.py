"""Flat regions of a picture, and which of them are the inside of a box or a disc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.geometry import Box

if TYPE_CHECKING:
    from numpy import bool_, int32, uint8
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["Region", "Regions", "find_regions"]

STEP = 3
"""Neighbouring pixels that differ by more lie on an edge: faint outlines do, gradients do not."""
SMALLEST = 5
MOST = 0.6
"""A region that covers more of the screen is what everything else stands on."""
FULL = 0.9
"""How much of its box a rectangle fills, round corners and all."""
DISC = (0.70, 0.88)
"""The same of a disc: a quarter of pi, and what few pixels make of it."""
BORDER = 4
"""The widest border that is still looked for."""


@dataclass(frozen=True, slots=True)
class Region:
    """The inside of something with an outline.

    Attributes:
        box: With the border around it.
        border: How wide that is, in pixels; 0 where the region just has another colour.
        disc: Round, not rectangular.
        bare: Which part of the inside is flat: 1 where nothing is written or drawn on it.
    """

    box: Box
    inside: Box
    border: int
    disc: bool
    bare: float


@dataclass(frozen=True, slots=True)
class Regions:
    """What is flat in a picture and what is not.

    Attributes:
        spread: How far a pixel and its right and lower neighbours are apart.
        edges: 1 where that is more than `STEP`.
    """

    found: tuple[Region, ...]
    spread: NDArray[uint8]
    edges: NDArray[uint8]


def find_regions(pixels: Pixels) -> Regions:
    """Every closed outline in the picture, by the flat region within it."""
    import cv2
    import numpy as np

    spread = _spread(pixels)
    edges = np.asarray(cv2.threshold(spread, STEP, 1, cv2.THRESH_BINARY)[1], dtype=np.uint8)
    _, parts, facts, _ = cv2.connectedComponentsWithStats(1 - edges, connectivity=4)
    labels, stats = np.asarray(parts, dtype=np.int32), np.asarray(facts, dtype=np.int32)
    height, width = edges.shape
    w, h, area = stats[:, 2], stats[:, 3], stats[:, 4]
    likely = (w >= SMALLEST) & (h >= SMALLEST) & (w * h <= MOST * width * height)
    likely &= area >= 0.2 * w * h
    likely[0] = False
    numbers = np.flatnonzero(likely)
    borders = _borders(labels, stats[numbers])
    found = (
        _region(labels, stats[number], int(number), side, (width, height))
        for number, side in zip(numbers, borders, strict=True)
    )
    return Regions(tuple(region for region in found if region is not None), spread, edges)


def _spread(pixels: Pixels) -> NDArray[uint8]:
    """How far apart the colours are in the square of four pixels below and right of each."""
    import cv2
    import numpy as np

    square = np.ones((2, 2), np.uint8)
    highest = cv2.dilate(pixels, square, anchor=(0, 0))
    lowest = cv2.erode(pixels, square, anchor=(0, 0))
    red, green, blue = cv2.split(cv2.subtract(highest, lowest))
    return np.asarray(cv2.max(cv2.max(red, green), blue), dtype=np.uint8)


def _borders(labels: NDArray[int32], stats: NDArray[int32]) -> NDArray[int32]:
    """How wide the border is on the left, top, right and bottom of each region.

    Between two flat regions lie one column of edges where their colours meet, and one more
    for every pixel of a line between them.
    """
    import numpy as np

    x, y, w, h = stats[:, 0], stats[:, 1], stats[:, 2], stats[:, 3]
    sides = []
    for dx, dy in ((-1, 0), (0, -1), (1, 0), (0, 1)):
        runs = []
        for share in (0.35, 0.5, 0.65):
            px = np.where(dx < 0, x, x + w - 1) if dx else x + (w * share).astype(np.int32)
            py = np.where(dy < 0, y, y + h - 1) if dy else y + (h * share).astype(np.int32)
            runs.append(_run(labels, px, py, dx, dy))
        sides.append(np.median(np.stack(runs), axis=0).astype(np.int32))
    return np.stack(sides, axis=1)


def _run(
    labels: NDArray[int32], x: NDArray[int32], y: NDArray[int32], dx: int, dy: int
) -> NDArray[int32]:
    import numpy as np

    height, width = labels.shape
    going = np.ones(len(x), np.bool_)
    length = np.zeros(len(x), np.int32)
    for step in range(1, BORDER + 3):
        px, py = x + dx * step, y + dy * step
        inside = (px >= 0) & (py >= 0) & (px < width) & (py < height)
        edge = labels[np.clip(py, 0, height - 1), np.clip(px, 0, width - 1)] == 0
        going &= inside & edge
        length += going
    border = length - 1
    # What does not end within reach is a picture, a shadow or a text, and no border.
    return np.where((border > BORDER) | (border < 0), 0, border).astype(np.int32)


def _region(
    labels: NDArray[int32],
    stat: NDArray[int32],
    number: int,
    border: NDArray[int32],
    screen: tuple[int, int],
) -> Region | None:
    x, y, w, h, area = (int(value) for value in stat)
    mask = labels[y : y + h, x : x + w] == number
    filled = _filled(mask)
    round_one = DISC[0] <= filled < DISC[1] and 0.8 <= w / h <= 1.25 and _has_corners_off(mask)
    if filled < _least(w, h) and not round_one:
        return None
    left, top, right, bottom = (int(value) for value in border)
    # A region of w columns of squares is w + 1 pixels wide.
    inside = Box(x, y, w + 1, h + 1)
    x0, y0 = max(0, x - left), max(0, y - top)
    x1, y1 = min(screen[0], x + w + 1 + right), min(screen[1], y + h + 1 + bottom)
    width = sorted((left, top, right, bottom))[1]
    return Region(Box(x0, y0, x1 - x0, y1 - y0), inside, width, round_one, area / (w * h))


def _least(width: int, height: int) -> float:
    """How much of its box a bar with round ends fills, or less where that is much."""
    pill = 1 - 0.215 * min(width, height) / max(width, height)
    return min(FULL, pill - 0.03)


def _filled(mask: NDArray[bool_]) -> float:
    """The share of its box that a region fills when its holes are filled."""
    import numpy as np

    shares = []
    for one in (mask, mask.T):
        length = one.shape[1]
        used = one.any(axis=1)
        first = np.argmax(one, axis=1)
        last = length - np.argmax(one[:, ::-1], axis=1)
        shares.append(float((last - first)[used].sum()) / one.size)
    return min(shares)


def _has_corners_off(mask: NDArray[bool_]) -> bool:
    depth = max(1, min(mask.shape) // 8)
    corners = (
        mask[:depth, :depth],
        mask[:depth, -depth:],
        mask[-depth:, :depth],
        mask[-depth:, -depth:],
    )
    return not any(corner.any() for corner in corners)
