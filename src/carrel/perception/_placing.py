"""Where to put the numbers of marks: not on each other, and not on what is written there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from carrel.geometry import Box, Size

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Spot", "place_labels"]

CELL = 2
"""Side of the squares in which ink is counted, in pixels."""
INK = 24
"""How much two neighbouring pixels differ where something is drawn."""
FAR = 9
"""Up to so many of its heights away a number may stand, with a line to what it numbers."""

ON_LABEL = 1000.0
ON_INK = 40.0
ON_OTHER = 6.0
ON_SMALL = 60.0
SMALL = 1600
"""A box with fewer pixels shows an icon or a short word, and nothing that could be spared."""
AWAY = 3.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a number goes; `apart` when a line has to tell what it belongs to."""

    box: Box
    apart: bool


def place_labels(
    picture: Image, boxes: Sequence[Box], sizes: Sequence[tuple[int, int]]
) -> list[Spot]:
    """A place for the number of each box, of the size it needs.

    Args:
        picture: What the numbers are drawn on.
        boxes: Of the marks, in pixels of the picture.
        sizes: Width and height of each number.
    """
    placing = _Placing(_Ink(picture), boxes, Size(*picture.size))
    # The small ones have the least choice.
    for number in sorted(range(len(boxes)), key=lambda n: boxes[n].area):
        placing.place(number, *sizes[number])
    return [placing.spots[number] for number in range(len(boxes))]


class _Ink:
    """How much is drawn in any part of a picture."""

    def __init__(self, picture: Image) -> None:
        from PIL import ImageChops

        grey = picture.convert("L")
        across = ImageChops.difference(grey, ImageChops.offset(grey, 1, 0))
        down = ImageChops.difference(grey, ImageChops.offset(grey, 0, 1))
        edges = ImageChops.lighter(across, down).point([0] * INK + [255] * (256 - INK))
        cells = edges.reduce(CELL)
        self._width, self._height = cells.size
        data = cells.tobytes()
        rows = [data[n * self._width : (n + 1) * self._width] for n in range(self._height)]
        self._sums: list[list[int]] = [[0] * (self._width + 1)]
        for row in rows:
            line = [0, *accumulate(row)]
            self._sums.append([a + b for a, b in zip(self._sums[-1], line, strict=True)])

    def share(self, box: Box) -> float:
        """The share of a box that is drawn on, 0 to 1."""
        left, right = self._clip(box.x, box.right, self._width)
        top, bottom = self._clip(box.y, box.bottom, self._height)
        cells = max(1, (right - left) * (bottom - top))
        low, high = self._sums[bottom], self._sums[top]
        return (low[right] - low[left] - high[right] + high[left]) / (255 * cells)

    @staticmethod
    def _clip(start: int, end: int, most: int) -> tuple[int, int]:
        first = min(max(start // CELL, 0), most)
        return first, min(max(-(-end // CELL), first), most)


class _Placing:
    def __init__(self, ink: _Ink, boxes: Sequence[Box], size: Size) -> None:
        self._ink = ink
        self._boxes = boxes
        self._size = size
        self._near = _Grid()
        self._taken = _Grid()
        for box in boxes:
            self._near.add(box)
        self.spots: dict[int, Spot] = {}

    def place(self, number: int, width: int, height: int) -> None:
        """Take the best place that is left."""
        box = self._boxes[number]
        best: tuple[float, Spot] | None = None
        for x, y, cost, apart in _ways(box, width, height):
            if best is not None and cost >= best[0]:
                continue
            spot = Spot(self._inside(x, y, width, height), apart)
            harm = cost + self._harm(spot.box, box)
            if best is None or harm < best[0]:
                best = harm, spot
        assert best is not None
        self.spots[number] = best[1]
        self._taken.add(best[1].box)

    def _harm(self, spot: Box, box: Box) -> float:
        labels = sum(1 for other in self._taken.near(spot) if _common(spot, other))
        others, hidden = 0, 0.0
        for other in self._near.near(spot):
            common = _common(spot, other)
            if not common:
                continue
            # Where a number stands in another box, one would take it for that one's.
            others += not _holds(other, box)
            if other.area < SMALL:
                hidden += self._hidden(spot, other)
        harm = ON_INK * self._ink.share(spot) + ON_OTHER * min(others, 3) + ON_SMALL * hidden
        return ON_LABEL * labels + harm

    def _hidden(self, spot: Box, small: Box) -> float:
        """How much of a small thing a number hides; its middle says what it is."""
        by = min(small.width, small.height) // 5
        heart = Box(small.x + by, small.y + by, small.width - 2 * by, small.height - 2 * by)
        return _common(spot, heart) / max(1, heart.area)

    def _inside(self, x: int, y: int, width: int, height: int) -> Box:
        x = min(max(x, 0), max(0, self._size.width - width))
        y = min(max(y, 0), max(0, self._size.height - height))
        return Box(x, y, width, height)


def _ways(box: Box, width: int, height: int) -> Iterator[tuple[int, int, float, bool]]:
    """Places to try with what they cost by themselves, and whether they need a line."""
    middle, side = box.x + (box.width - width) // 2, box.y + (box.height - height) // 2
    right, low = box.right - width, box.bottom - height
    for rank, (x, y) in enumerate(
        (
            (box.x, box.y - height),
            (right, box.y - height),
            (middle, box.y - height),
            (box.x - width, box.y),
            (box.right, box.y),
            (box.x - width, side),
            (box.right, side),
            (box.x, box.bottom),
            (right, box.bottom),
            (middle, box.bottom),
        )
    ):
        yield x, y, 0.1 * rank, False
    # Inside, best where there is room beside the text: at the right end.
    cramped = 0.0 if box.area > 4 * width * height else 12.0
    for rank, (x, y) in enumerate(
        ((right, side), (right, box.y), (right, low), (box.x, box.y), (box.x, low), (middle, low))
    ):
        yield x, y, 2.0 + cramped + 0.2 * rank, False
    for steps in range(2, 2 * FAR + 1):
        by = steps * height // 2
        cost = 12.0 + AWAY * steps
        for x in (middle, box.x, right, middle - width, middle + width):
            yield x, box.y - height - by, cost, True
            yield x, box.bottom + by, cost + 0.1, True
        yield box.x - width - by, side, cost + 0.2, True
        yield box.right + by, side, cost + 0.3, True


class _Grid:
    """Boxes by the squares of the screen they reach into."""

    STEP = 64

    def __init__(self) -> None:
        self._squares: dict[tuple[int, int], list[Box]] = {}

    def add(self, box: Box) -> None:
        for square in self._reach(box):
            self._squares.setdefault(square, []).append(box)

    def near(self, box: Box) -> Iterator[Box]:
        """Every box that may touch one, each at least once for its first square."""
        seen: set[int] = set()
        for square in self._reach(box):
            for other in self._squares.get(square, ()):
                if id(other) not in seen:
                    seen.add(id(other))
                    yield other

    def _reach(self, box: Box) -> Iterator[tuple[int, int]]:
        step = self.STEP
        for x in range(box.x // step, (box.x + max(1, box.width) - 1) // step + 1):
            for y in range(box.y // step, (box.y + max(1, box.height) - 1) // step + 1):
                yield x, y


def _common(one: Box, other: Box) -> int:
    """How many pixels two boxes share."""
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return width * height if width > 0 and height > 0 else 0


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and outer.right >= inner.right
        and outer.bottom >= inner.bottom
    )
