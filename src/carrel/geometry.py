"""Points, sizes and boxes in screen pixels, origin at the top left."""

from __future__ import annotations

import re
from dataclasses import dataclass

from carrel.errors import InvalidInput

__all__ = ["MAX_SIDE", "Box", "Point", "Size"]

MAX_SIDE = 32767
"""The largest coordinate the X protocol can carry (signed 16 bit)."""


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidInput(message)


@dataclass(frozen=True, slots=True)
class Point:
    """One pixel."""

    x: int
    y: int

    def __post_init__(self) -> None:
        _require(
            -MAX_SIDE <= self.x <= MAX_SIDE and -MAX_SIDE <= self.y <= MAX_SIDE,
            f"point ({self.x}, {self.y}) is outside any screen",
        )


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height, both at least one pixel."""

    width: int
    height: int

    def __post_init__(self) -> None:
        _require(
            1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE,
            f"size {self.width}x{self.height} is not between 1x1 and {MAX_SIDE}x{MAX_SIDE}",
        )

    @classmethod
    def parse(cls, text: str) -> Size:
        """Read `1280x800`."""
        match = re.fullmatch(r"(\d{1,9})[xX×](\d{1,9})", text.strip(), re.ASCII)
        if match is None:
            raise InvalidInput(f"{text!r} is not a size", hint="write it as 1280x800")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; `x` and `y` are its top left pixel."""

    x: int
    y: int
    width: int
    height: int

    def __post_init__(self) -> None:
        _require(
            -MAX_SIDE <= self.x <= MAX_SIDE
            and -MAX_SIDE <= self.y <= MAX_SIDE
            and 0 <= self.width <= MAX_SIDE
            and 0 <= self.height <= MAX_SIDE,
            f"box {self.width}x{self.height} at ({self.x}, {self.y}) is outside any screen",
        )

    @property
    def center(self) -> Point:
        """The pixel in the middle."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    @property
    def right(self) -> int:
        """The first column to the right of the box."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.y + self.height

    @property
    def area(self) -> int:
        """Number of pixels."""
        return self.width * self.height

    def contains(self, point: Point) -> bool:
        """Whether the pixel lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def intersect(self, other: Box) -> Box | None:
        """The common part, or None where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if right <= x or bottom <= y:
            return None
        return Box(x, y, right - x, bottom - y)

    def without(self, other: Box) -> tuple[Box, ...]:
        """What is left of this box outside of another: at most four boxes, none in two."""
        common = self.intersect(other)
        if common is None:
            return (self,)
        parts = (
            Box(self.x, self.y, self.width, common.y - self.y),
            Box(self.x, common.y, common.x - self.x, common.height),
            Box(common.right, common.y, self.right - common.right, common.height),
            Box(self.x, common.bottom, self.width, self.bottom - common.bottom),
        )
        return tuple(part for part in parts if part.area)
