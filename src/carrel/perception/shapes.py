"""Shapes drawn in an area: what they are, where, how large and of what colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
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

__all__ = ["Shape", "dots", "shapes"]

STEP = 24
"""How far a pixel must be from what is behind a shape to belong to it."""
SMALLEST = 5
SMALL = 20
"""Pixels across what is too small for its outline to be followed."""
POLYGON = 0.04
"""How far corners may be off, as a share of the way around."""
DOT, LARGEST_DOT = 5, 16
"""Pixels across a dot, at least and at most."""
WHOLE = 0.6
"""What part of a shape its parts have to make up together to be shapes of their own."""
INSIDE = 9
"""Fewest pixels that are an inside."""
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
        hollow: It is only an outline; what it stands on shows through.
        inside: The colour of what it encloses; of a hollow one that of the ground.
    """

    kind: str
    sides: int
    box: Box
    colour: Colour
    size_px: int
    text: str = ""
    hollow: bool = False
    inside: Colour | None = None


def shapes(view: View, box: Box, without: Sequence[Box] = ()) -> tuple[Shape, ...]:
    """Every shape in an area, from the top left; what touches is one where colours do not differ.

    Args:
        view: The pixels.
        box: The area.
        without: Parts of it that are not looked at.

    Raises:
        Unavailable: OpenCV is not installed.
    """
    try:
        import cv2  # noqa: F401 (asked for here, used by what is called below)
    except ImportError as error:
        raise Unavailable("shapes cannot be told: no OpenCV", hint=EXTRA) from error
    area = crop(view.pixels, box)
    x, y = max(0, box.x), max(0, box.y)
    left_out = [Box(part.x - x, part.y - y, part.width, part.height) for part in without]
    ground = most_common(rim(area))
    found = [
        shape
        for mask in _masks(area, ground, left_out)
        if (shape := _shape(area, ground, mask, x, y)) is not None
    ]
    found.sort(key=lambda shape: (shape.box.y // 8, shape.box.x))
    return tuple(found)


def dots(view: View, box: Box) -> tuple[Shape, ...]:
    """The dots on a drawing of thin lines: round marks that stay when the lines are rubbed out.

    Args:
        view: The pixels.
        box: Of the drawing, which hangs together; what else is in it does not count.

    Raises:
        Unavailable: OpenCV is not installed.
    """
    try:
        import cv2
        import numpy as np
    except ImportError as error:
        raise Unavailable("shapes cannot be told: no OpenCV", hint=EXTRA) from error
    room = Box(max(0, box.x - 4), max(0, box.y - 4), box.width + 8, box.height + 8)
    area = crop(view.pixels, room)
    ground = most_common(rim(area))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (DOT, DOT))
    found: list[Shape] = []
    for mask, place in _masks(area, ground, ()):
        if abs(place.x + room.x - box.x) > 1 or place.width < box.width - 2:
            continue
        roomy = cv2.copyMakeBorder(mask, DOT, DOT, DOT, DOT, cv2.BORDER_CONSTANT, value=0)
        marks = np.asarray(cv2.morphologyEx(roomy, cv2.MORPH_OPEN, disc), dtype=np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
        for number in range(1, count):
            x, y, w, h, _ = (int(value) for value in stats[number])
            if max(w, h) > LARGEST_DOT or not 0.7 <= w / h <= 1.4:
                continue
            dot = (labels[y : y + h, x : x + w] == number).astype(np.uint8)
            at = Box(place.x + x - DOT, place.y + y - DOT, w, h)
            shape = _shape(area, ground, (dot, at), room.x, room.y)
            if shape is not None:
                found.append(replace(shape, kind="circle", sides=0))
    return tuple(found)


def _masks(
    area: Pixels, ground: NDArray[uint8], left_out: Sequence[Box]
) -> list[tuple[NDArray[uint8], Box]]:
    """One picture in black and white for every shape, with its place."""
    import cv2
    import numpy as np

    away = np.abs(area.astype(np.int16) - ground.astype(np.int16)).max(axis=2)
    drawn = (away > STEP).astype(np.uint8)
    for part in left_out:
        drawn[max(0, part.y) : max(0, part.bottom), max(0, part.x) : max(0, part.right)] = 0
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
    kept = 0
    for value in main:
        # Room around it: what is thin is thin at the edge of the picture too.
        one = np.pad((keys == value).astype(np.uint8), 2)
        opened = cv2.morphologyEx(one, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        part = np.asarray(opened[2:-2, 2:-2], dtype=np.uint8)
        kept += int(part.sum())
        x, y, w, h = cv2.boundingRect(part)
        if max(w, h) >= SMALLEST:
            found.append((part[y : y + h, x : x + w], Box(box.x + x, box.y + y, w, h)))
    # An outline and what it encloses are one; and so are lines of many shades.
    nested = any(_encloses(a[1], b[1]) for a in found for b in found if a is not b)
    apart = len(found) > 1 and not nested and kept >= WHOLE * mask.sum()
    return found if apart else [(mask, box)]


def _encloses(one: Box, other: Box) -> bool:
    return one.intersect(other) == other


def _shape(
    area: Pixels, ground: NDArray[uint8], found: tuple[NDArray[uint8], Box], x: int, y: int
) -> Shape | None:
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
    part = area[box.y : box.bottom, box.x : box.right]
    stroke = plain(_farthest(part[mask.astype(bool)], ground))
    within = _within(part, contour)
    hollow = within is not None and bool((abs(within.astype(int) - ground) <= STEP).all())
    inside = plain(within) if within is not None else None
    colour = stroke if hollow or inside is None else inside
    place = Box(box.x + x, box.y + y, box.width, box.height)
    return Shape(
        kind, sides, place, colour, max(box.width, box.height), hollow=hollow, inside=inside
    )


def _farthest(pixels: NDArray[uint8], ground: NDArray[uint8]) -> NDArray[uint8]:
    """The colour of strokes: edges are blended with what is behind, their middle is not."""
    import numpy as np

    away = np.abs(pixels.astype(np.int16) - ground.astype(np.int16)).sum(axis=1)
    return most_common(pixels[away >= np.quantile(away, 0.7)])


def _within(part: Pixels, contour: NDArray[int32]) -> NDArray[uint8] | None:
    """The commonest colour inside of an outline; None where there is no inside."""
    import cv2
    import numpy as np

    full = np.zeros((part.shape[0] + 4, part.shape[1] + 4), np.uint8)
    cv2.drawContours(full, [contour], -1, 1, cv2.FILLED)
    thick = max(2, min(part.shape[:2]) // 8)
    inner = cv2.erode(full, np.ones((3, 3), np.uint8), iterations=thick)[2:-2, 2:-2]
    pixels = part[inner.astype(bool)]
    return most_common(pixels) if len(pixels) >= INSIDE else None


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
    length = cv2.arcLength(hull, True)
    corners = len(cv2.approxPolyDP(hull, POLYGON * length, True))
    round_share = area / (math.pi / 4 * box.width * box.height)
    full = area / box.area
    if full > 0.93:
        return ("square" if 0.87 <= box.width / box.height <= 1.15 else "rectangle", 4)
    if corners == 3:
        return ("triangle", 3)
    near = max(1.5, 0.009 * length)
    # Of few pixels a circle has corners.
    rough = 0.0 if max(box.width, box.height) > SMALL else 0.08
    polygon = cv2.approxPolyDP(hull, 0.02 * length, True) if rough else _fewest(contour, near)
    if 0.9 - rough <= round_share <= 1.1 + rough and len(polygon) >= (6 if rough else 5):
        off = _off_oval(contour)
        # With many corners a polygon comes near to a circle, but not to any other shape.
        if rough or off <= _off_polygon(contour, polygon) or (len(polygon) > 8 and off <= 1):
            return ("circle" if 0.87 <= box.width / box.height <= 1.15 else "ellipse", 0)
    if corners == 4 and len(polygon) <= 5:
        return _four_sided(hull)
    return ("polygon", max(5, min(len(polygon), MANY)))


def _fewest(contour: NDArray[int32], near: float) -> MatLike:
    """The polygon with the fewest corners that fits as well as any: one of them may be too much."""
    import cv2

    hull = cv2.convexHull(contour)
    tried = [cv2.approxPolyDP(hull, near * factor, True) for factor in (2.0, 1.5, 1.0)]
    off = [_off_polygon(contour, polygon) for polygon in tried]
    return next(p for p, o in zip(tried, off, strict=True) if o <= max(0.7, 1.15 * min(off)))


def _off_oval(contour: NDArray[int32]) -> float:
    """How far an outline is from the oval in its box, in pixels."""
    import numpy as np

    points = contour[:, 0, :].astype(float)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    half = np.maximum((points.max(axis=0) - points.min(axis=0)) / 2, 1.0)
    out = np.linalg.norm((points - middle) / half, axis=1) - 1.0
    return float(np.sqrt((out**2).mean()) * half.mean())


def _off_polygon(contour: NDArray[int32], polygon: MatLike) -> float:
    """How far an outline is from a polygon, in pixels."""
    import cv2
    import numpy as np

    points = contour[:, 0, :].astype(float)
    off = [abs(cv2.pointPolygonTest(polygon, (x, y), True)) for x, y in points]
    return float(np.sqrt((np.array(off) ** 2).mean()))


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
