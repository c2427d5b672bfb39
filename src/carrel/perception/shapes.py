"""Shapes drawn in an area: what they are, where, how large and of what colour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.errors import Unavailable
from carrel.geometry import Box
from carrel.perception.colours import Colour, crop, most_common, plain, rim
from carrel.perception.view import EXTRA, View

if TYPE_CHECKING:
    from cv2.typing import MatLike
    from numpy import int32, uint8
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["Shape", "shapes"]

STEP = 24
"""How far a pixel must be from what is behind a shape to belong to it."""
SMALLEST = 5
SMALL = 20
"""Pixels across what is too small for its outline to be followed."""
POLYGON = 0.04
"""How far corners may be off, as a share of the way around."""
MANY = 12
"""Corners beyond which a shape has none to speak of."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Something drawn.

    Attributes:
        kind: `circle`, `ellipse`, `triangle`, `square`, `rectangle`, `polygon`, `star`, `line`
            or `other`: a letter, a digit or something free; `text` says what it is then.
        sides: Of a triangle, square, rectangle or polygon; points of a star; else 0.
        size_px: The longer side of its box.
        text: What is written there; for the caller to fill in.
    """

    kind: str
    sides: int
    box: Box
    colour: Colour
    size_px: int
    text: str = ""


def shapes(view: View, box: Box) -> tuple[Shape, ...]:
    """Every shape in an area, from the top left; what touches is one where colours do not differ.

    Raises:
        Unavailable: OpenCV is not installed.
    """
    try:
        import cv2  # noqa: F401 (asked for here, used by what is called below)
    except ImportError as error:
        raise Unavailable("shapes cannot be told: no OpenCV", hint=EXTRA) from error
    area = crop(view.pixels, box)
    x, y = max(0, box.x), max(0, box.y)
    found = [shape for mask in _masks(area) if (shape := _shape(area, mask, x, y)) is not None]
    found.sort(key=lambda shape: (shape.box.y // 8, shape.box.x))
    return tuple(found)


def _masks(area: Pixels) -> list[tuple[NDArray[uint8], Box]]:
    """One picture in black and white for every shape, with its place."""
    import cv2
    import numpy as np

    ground = most_common(rim(area)).astype(np.int16)
    drawn = (np.abs(area.astype(np.int16) - ground).max(axis=2) > STEP).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    found: list[tuple[NDArray[uint8], Box]] = []
    for number in range(1, count):
        x, y, w, h, _ = (int(value) for value in stats[number])
        if max(w, h) >= SMALLEST:
            mask = (labels[y : y + h, x : x + w] == number).astype(np.uint8)
            found += _by_colour(area[y : y + h, x : x + w], mask, Box(x, y, w, h))
    return found


def _by_colour(pixels: Pixels, mask: NDArray[uint8], box: Box) -> list[tuple[NDArray[uint8], Box]]:
    """Shapes of different colours that touch, one by one."""
    import cv2
    import numpy as np

    coarse = (pixels >> 5).astype(np.int32)
    keys = ((coarse[..., 0] << 6) | (coarse[..., 1] << 3) | coarse[..., 2]) * mask - (1 - mask)
    values, counts = np.unique(keys[keys >= 0], return_counts=True)
    main = values[counts > 0.2 * counts.sum()]
    if len(main) < 2:
        return [(mask, box)]
    found: list[tuple[NDArray[uint8], Box]] = []
    for value in main:
        one = (keys == value).astype(np.uint8)
        opened = cv2.morphologyEx(one, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        part = np.asarray(opened, dtype=np.uint8)
        x, y, w, h = cv2.boundingRect(part)
        if max(w, h) >= SMALLEST:
            found.append((part[y : y + h, x : x + w], Box(box.x + x, box.y + y, w, h)))
    return found or [(mask, box)]


def _shape(area: Pixels, found: tuple[NDArray[uint8], Box], x: int, y: int) -> Shape | None:
    import cv2
    import numpy as np

    mask, box = found
    # Room around it: a contour along the edge of a picture is cut off.
    roomy = cv2.copyMakeBorder(mask, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    contours, _ = cv2.findContours(roomy, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = np.asarray(max(contours, key=cv2.contourArea), dtype=np.int32)
    kind, sides = _kind(contour, box)
    pixels = area[box.y : box.bottom, box.x : box.right][mask.astype(bool)]
    colour = plain(most_common(pixels))
    place = Box(box.x + x, box.y + y, box.width, box.height)
    return Shape(kind, sides, place, colour, max(box.width, box.height))


def _kind(contour: NDArray[int32], box: Box) -> tuple[str, int]:
    import cv2

    around = cv2.arcLength(contour, True)
    area = cv2.contourArea(contour) + around / 2
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2
    solid = area / max(1.0, hull_area)
    short, long = sorted((box.width, box.height))
    if long > 6 * short or area < 0.1 * box.area:
        return ("line", 0)
    if solid > 0.9:
        return _convex(contour, area, around, box)
    if 0.3 < solid < 0.85:
        points = _star_points(contour)
        if points:
            return ("star", points)
    return ("other", 0)


def _convex(contour: NDArray[int32], area: float, around: float, box: Box) -> tuple[str, int]:
    import cv2

    hull = cv2.convexHull(contour)
    corners = len(cv2.approxPolyDP(hull, POLYGON * cv2.arcLength(hull, True), True))
    round_share = area / (math.pi / 4 * box.width * box.height)
    full = area / box.area
    if full > 0.93:
        return ("square" if 0.87 <= box.width / box.height <= 1.15 else "rectangle", 4)
    if corners == 3:
        return ("triangle", 3)
    fine = len(cv2.approxPolyDP(hull, 0.02 * cv2.arcLength(hull, True), True))
    # Of few pixels a circle has corners.
    rough = 0.0 if max(box.width, box.height) > SMALL else 0.08
    if 0.94 - rough <= round_share <= 1.08 + rough and fine >= (6 if rough else 7):
        return ("circle" if 0.87 <= box.width / box.height <= 1.15 else "ellipse", 0)
    if corners == 4:
        return _four_sided(hull)
    return ("polygon", max(5, min(fine, MANY)))


def _four_sided(hull: MatLike) -> tuple[str, int]:
    import cv2

    (_, (width, height), _) = cv2.minAreaRect(hull)
    if cv2.contourArea(hull) < 0.85 * width * height:
        return ("polygon", 4)
    return ("square" if 0.85 <= width / max(1.0, height) <= 1.18 else "rectangle", 4)


def _star_points(contour: NDArray[int32]) -> int:
    """How many points a star has: corners that stick out and others between that do not."""
    import cv2
    import numpy as np

    corners = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)[:, 0, :]
    if not 8 <= len(corners) <= 2 * MANY or len(corners) % 2:
        return 0
    moments = cv2.moments(contour)
    centre = np.array([moments["m10"], moments["m01"]]) / max(1.0, moments["m00"])
    far = np.linalg.norm(corners - centre, axis=1)
    first, second = far[::2], far[1::2]
    apart = min(first.min(), second.min()) < 0.8 * max(first.max(), second.max())
    turns = bool((first > second).all() or (first < second).all())
    return len(corners) // 2 if turns and apart else 0
