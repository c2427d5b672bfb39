"""Where a model points, and where that is on the screen.

A model sees the screen scaled down, or speaks of it in thousandths. Every dialect converts with a
`Space`, once in each direction, in whole-number arithmetic: a pixel stands for its centre, so the
first and the last pixel of the picture are the first and the last of the screen's, and a point
that goes to the coarser of the two grids and back is the same point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from carrel.errors import InvalidInput
from carrel.geometry import Box, Point, Size

__all__ = ["Space", "SpaceKind", "fit_within", "smart_resize"]

SpaceKind = Literal["pixels", "thousand", "thousand_minus", "unit"]
"""How a model counts: pixels of the picture, 0 to 1000, 0 to 999, or 0.0 to 1.0."""

MAX_ASPECT = 200


@dataclass(frozen=True, slots=True)
class Space:
    """The coordinates of one model on one screen.

    Attributes:
        screen: Size of the screen, in pixels.
        shown: Size of the picture the model is shown.
        kind: How it counts.
    """

    screen: Size
    shown: Size
    kind: SpaceKind = "pixels"

    def to_screen(self, x: float, y: float) -> Point:
        """The pixel of the screen that a model means.

        Raises:
            InvalidInput: The point is not on the picture, or not a pair of finite numbers.
        """
        return Point(
            self._axis_to_screen(x, "x", self.screen.width, self.shown.width),
            self._axis_to_screen(y, "y", self.screen.height, self.shown.height),
        )

    def to_model(self, point: Point) -> tuple[float, float]:
        """The same pixel as a model writes it: whole numbers, but for `unit`.

        A point outside the screen (of before it was resized) becomes the nearest one on it.
        """
        return (
            self._axis_to_model(point.x, self.screen.width, self.shown.width),
            self._axis_to_model(point.y, self.screen.height, self.shown.height),
        )

    def box_to_screen(self, left: float, top: float, right: float, bottom: float) -> Box:
        """The part of the screen between two corners, right and bottom excluded.

        Raises:
            InvalidInput: A corner is not on the picture, or the second is not below and to the
                right of the first.
        """
        x0, x1 = self._span_to_screen(left, right, "x", self.screen.width, self.shown.width)
        y0, y1 = self._span_to_screen(top, bottom, "y", self.screen.height, self.shown.height)
        return Box(x0, y0, x1 - x0, y1 - y0)

    def box_to_model(self, box: Box) -> tuple[float, float, float, float]:
        """The two corners of a part of the screen, as a model writes them."""
        x0, x1 = self._span_to_model(box.x, box.right, self.screen.width, self.shown.width)
        y0, y1 = self._span_to_model(box.y, box.bottom, self.screen.height, self.shown.height)
        return x0, y0, x1, y1

    def _cells(self, shown: int) -> int:
        """How many parts the model divides an axis into."""
        match self.kind:
            case "pixels":
                return shown
            case "unit":
                return 1
            case _:
                return 1000

    def _counts_edges(self) -> bool:
        """Whether a number means a place between two ends, not one of a row of cells."""
        return self.kind in ("thousand", "unit")

    def _axis_to_screen(self, value: float, name: str, screen: int, shown: int) -> int:
        cells = self._cells(shown)
        exact = _exact(value, name)
        if self._counts_edges():
            _check(0 <= exact <= cells, name, value, cells)
            place = exact * screen / cells
        else:
            _check(0 <= exact < cells, name, value, cells - 1)
            place = (exact + Fraction(1, 2)) * screen / cells
        return min(math.floor(place), screen - 1)

    def _axis_to_model(self, value: int, screen: int, shown: int) -> float:
        # The pixel's centre in the model's cells, as a fraction; every old turn is told with these.
        place = (2 * min(max(value, 0), screen - 1) + 1) * self._cells(shown)
        if self.kind == "unit":
            return place / (2 * screen)
        # A tie rounds down: 0.5 of 1000 on a screen of 1000 pixels is pixel 0, not 1.
        return (
            -((screen - place) // (2 * screen)) if self._counts_edges() else place // (2 * screen)
        )

    def _span_to_screen(
        self, start: float, end: float, name: str, screen: int, shown: int
    ) -> tuple[int, int]:
        cells = self._cells(shown)
        first, last = _exact(start, name), _exact(end, name)
        _check(0 <= first <= cells, name, start, cells)
        _check(0 <= last <= cells, name, end, cells)
        if first >= last:
            raise InvalidInput(
                f"the region is empty: {name} goes from {start} to {end}",
                hint="give the top left corner first, then the bottom right one",
            )
        return math.floor(first * screen / cells), math.ceil(last * screen / cells)

    def _span_to_model(self, start: int, end: int, screen: int, shown: int) -> tuple[float, float]:
        cells = self._cells(shown)
        first = Fraction(min(max(start, 0), screen - 1) * cells, screen)
        last = Fraction(min(max(end, 1), screen) * cells, screen)
        if self.kind == "unit":
            return float(first), float(last)
        low = min(math.ceil(first), cells - 1)
        return low, max(math.floor(last), low + 1)


@lru_cache(maxsize=64)
def fit_within(screen: Size, longest: int, pixels: int, multiple_of: int = 1) -> Size:
    """The largest size of the screen's shape within both limits; the screen's own if it fits.

    Args:
        screen: The size to fit.
        longest: Limit of the longer side.
        pixels: Limit of the area.
        multiple_of: What both sides are to be multiples of; they are at least that.
    """
    width, height = screen.width, screen.height
    scale = min(1.0, longest / max(width, height), math.sqrt(pixels / (width * height)))
    fitted = _rounded(width * scale, multiple_of), _rounded(height * scale, multiple_of)
    if max(fitted) > longest or fitted[0] * fitted[1] > pixels:
        fitted = _floored(width * scale, multiple_of), _floored(height * scale, multiple_of)
    return Size(*fitted)


def smart_resize(size: Size, factor: int, min_pixels: int, max_pixels: int) -> Size:
    """The size to which the image processors of Qwen-VL and its kin scale a picture.

    Raises:
        InvalidInput: One side is more than 200 times the other.
    """
    width, height = size.width, size.height
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise InvalidInput(f"a picture of {size} is too narrow", hint="use another screen size")
    wide, high = _rounded(width, factor), _rounded(height, factor)
    if wide * high > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        wide, high = _floored(width / shrink, factor), _floored(height / shrink, factor)
    elif wide * high < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        wide = math.ceil(width * grow / factor) * factor
        high = math.ceil(height * grow / factor) * factor
    return Size(wide, high)


def _rounded(value: float, multiple: int) -> int:
    return max(multiple, round(value / multiple) * multiple)


def _floored(value: float, multiple: int) -> int:
    return max(multiple, math.floor(value / multiple) * multiple)


def _exact(value: object, name: str) -> Fraction:
    """A number without rounding; models also write booleans, text, NaN and 1e999."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} must be a number, not {str(value)[:40]!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"{name} must be a finite number, not {value}")
    return Fraction(value)


def _check(condition: bool, name: str, value: float, last: int) -> None:
    if not condition:
        # A whole number of ten thousand digits cannot be written out.
        given = f" {value}" if abs(value) < 1e9 else ""
        raise InvalidInput(
            f"{name}{given} is outside the picture", hint=f"{name} goes from 0 to {last}"
        )
