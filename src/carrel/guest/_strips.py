"""Strips: pictures encoded some rows at a time, so that rows which stayed are not encoded again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from carrel.geometry import Box
from carrel.guest._pixels import Pixels

__all__ = ["in_strips"]

T = TypeVar("T")


def in_strips(
    pixels: Pixels,
    rows: int,
    make: Callable[[Pixels], T],
    kept: Sequence[T] | None,
    changed: Box | None,
) -> list[T]:
    """What is made of each strip, from the top.

    Args:
        pixels: The whole picture.
        rows: How many make a strip; the last may have fewer.
        make: Makes it of one strip.
        kept: What was made of a picture that differs from this one inside of `changed` only.
        changed: Where it differs; None when it does not.
    """
    made = []
    for index, top in enumerate(range(0, pixels.height, rows)):
        strip = Box(0, top, pixels.width, min(rows, pixels.height - top))
        if kept is not None and (changed is None or changed.intersect(strip) is None):
            made.append(kept[index])
        else:
            made.append(make(pixels.crop(strip)))
    return made
