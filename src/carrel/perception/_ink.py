"""What stands on flat ground: the blots of ink that are neither text nor an outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.geometry import Box
from carrel.perception._regions import Region, Regions

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

__all__ = ["ICON", "Blot", "find_blots", "find_lone", "overlap"]

Sides = tuple[int, int, int, int]
"""Left, top, right and bottom."""

ICON = (6, 96)
"""Sides of icons; what is larger is a picture."""
JOIN = (3, 5)
"""Strokes of one icon stand closer than this; icons stand side by side more often."""
PICTURE = 480
"""The longest side of a picture that is told."""
DENSE = 0.3
"""How much of a picture is not flat; frames, rules and curves have less."""
CONTRAST = 24
"""How clearly an icon stands out at its sharpest; clouds in a photograph do less."""
COARSE = 4
"""Photographs are looked for in pixels this large."""
AROUND = 11
BUSY = 0.2
"""The share of ink in a photograph, over squares of `AROUND` large pixels."""
PHOTOGRAPH = 22_000
"""The least area of a photograph; smaller ones are told like icons."""
LONE = 3
"""How far a check box is from its label, at least; letters stand closer."""
DASH = (2, 5)
"""How thick the thinnest icons are: a minus, or three dots one above the other."""


@dataclass(frozen=True, slots=True)
class Blot:
    """Something drawn."""

    box: Box
    confidence: float


def find_blots(regions: Regions, texts: Sequence[Box], outlines: Sequence[Region]) -> list[Blot]:
    """Everything drawn, once texts and outlines are taken away."""
    import cv2
    import numpy as np

    ink = regions.edges.copy()
    for box in texts:
        ink[max(0, box.y - 1) : box.bottom, max(0, box.x - 1) : box.right] = 0
    for region in outlines:
        _clear_outline(ink, region)
    busy = _busy(ink)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones(JOIN[::-1], np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = [Blot(box, 0.3) for box in _photographs(busy)]
    for x, y, w, h, area in stats[1:].tolist():
        if busy[(y + h // 2) // COARSE, (x + w // 2) // COARSE]:
            continue
        if regions.spread[y : y + h, x : x + w].max() < CONTRAST:
            continue
        # An edge is one pixel before what is drawn, and another on it.
        blot = _blot(Box(x + 1, y + 1, max(1, w - 1), max(1, h - 1)), area / (w * h), texts)
        if blot is not None:
            found.append(blot)
    return found


def find_lone(edges: NDArray[uint8], texts: Sequence[Box]) -> list[Box]:
    """What stands in a line of text but apart from its letters, as a check box before its label.

    Whoever reads a text takes such a box for the beginning of it.
    """
    found = []
    for text in texts:
        x0, y0 = max(0, text.x - LONE), max(0, text.y - LONE)
        part = edges[y0 : text.bottom + LONE, x0 : text.right + LONE]
        pieces = _pieces(part)
        for piece in pieces:
            left, top, right, bottom = piece
            if abs((right - left) - (bottom - top)) <= 1 and _stands_alone(piece, pieces):
                found.append(Box(x0 + left + 1, y0 + top + 1, right - left - 1, bottom - top - 1))
    return found


def _stands_alone(piece: Sides, pieces: Sequence[Sides]) -> bool:
    """Whether nothing on the same line is close to it; lines may reach into each other."""
    left, top, right, bottom = piece
    middle = (top + bottom) / 2
    level = [other for other in pieces if other[1] < middle < other[3] and other != piece]
    return not any(other[0] < right + LONE and left - LONE < other[2] for other in level)


def _pieces(part: NDArray[uint8]) -> list[Sides]:
    """The connected pieces of a line of text."""
    import cv2

    _, _, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8)
    return [(x, y, x + w, y + h) for x, y, w, h, _ in stats[1:].tolist()]


def _busy(ink: NDArray[uint8]) -> NDArray[uint8]:
    """Where there is so much ink far and wide that it must be a photograph; in large pixels."""
    import cv2
    import numpy as np

    height, width = ink.shape
    size = (-(-width // COARSE), -(-height // COARSE))
    shares = cv2.resize(ink * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    around = cv2.boxFilter(shares, -1, (AROUND, AROUND))
    busy = (around > 255 * BUSY).astype(np.uint8)
    closed = cv2.morphologyEx(busy, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
    large = stats[:, 4] >= PHOTOGRAPH / COARSE**2
    large[0] = False
    return np.asarray(large[labels], dtype=np.uint8)


def _photographs(busy: NDArray[uint8]) -> list[Box]:
    import cv2

    _, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=4)
    corners = (stats[1:, :4] * COARSE).tolist()
    return [Box(x, y, w, h) for x, y, w, h in corners]


def _blot(box: Box, dense: float, texts: Sequence[Box]) -> Blot | None:
    short, long = sorted((box.width, box.height))
    if long > PICTURE or long < ICON[0]:
        return None
    if long > ICON[1]:
        return Blot(box, 0.4) if dense >= DENSE and short > ICON[0] and long < 8 * short else None
    if short >= ICON[0]:
        return Blot(box, 0.5) if long <= 5 * short else None
    if DASH[0] <= short <= DASH[1] and 7 <= long <= 20 and not _beside_text(box, texts):
        return Blot(_square(box, long), 0.3)
    return None


def _square(box: Box, side: int) -> Box:
    """What a thin icon is to the finger: a square around it."""
    centre = box.center
    return Box(max(0, centre.x - side // 2), max(0, centre.y - side // 2), side, side)


def _beside_text(box: Box, texts: Sequence[Box]) -> bool:
    """Whether a text goes on here: then a dash is a hyphen, or a letter that was not read."""
    return any(
        text.y - 2 <= box.center.y <= text.bottom + 2
        and text.x - text.height < box.right
        and box.x < text.right + text.height
        for text in texts
    )


def _clear_outline(ink: NDArray[uint8], region: Region) -> None:
    import cv2

    box, thick = region.inside, region.border + 2
    if region.disc:
        centre = (box.x + (box.width - 1) // 2, box.y + (box.height - 1) // 2)
        axes = (box.width // 2 + thick // 2, box.height // 2 + thick // 2)
        cv2.ellipse(ink, centre, axes, 0, 0, 360, 0, thick + 2)
        return
    x0, y0 = max(0, box.x - thick), max(0, box.y - thick)
    x1, y1 = box.right + thick - 1, box.bottom + thick - 1
    ink[y0 : box.y + 1, x0:x1] = 0
    ink[box.bottom - 2 : y1, x0:x1] = 0
    ink[y0:y1, x0 : box.x + 1] = 0
    ink[y0:y1, box.right - 2 : x1] = 0


def overlap(one: Box, other: Box) -> float:
    """The common part of two boxes as a share of both together."""
    common = one.intersect(other)
    if common is None:
        return 0.0
    return common.area / (one.area + other.area - common.area)
