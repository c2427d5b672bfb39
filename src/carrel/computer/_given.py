"""Arguments as Python programs give them: sequences of any kind, boxes as plain numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeVar

from carrel import codec
from carrel.errors import InvalidInput
from carrel.geometry import Box, Point

__all__ = ["items", "of_numbers"]

T = TypeVar("T")
Shape = TypeVar("Shape", Point, Box)


def items(given: Sequence[T], where: str) -> tuple[T, ...]:
    """What is in a sequence.

    Raises:
        InvalidInput: It is none, or it is text.
    """
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise InvalidInput(f"{where}: expected a list, got {type(given).__name__}")
    return tuple(given)


def of_numbers(cls: type[Shape], given: object, where: str) -> Shape:
    """A point or a box, also where it is given as plain numbers.

    Raises:
        InvalidInput: It is neither.
    """
    if isinstance(given, tuple | list):
        names = [field.name for field in dataclasses.fields(cls)]
        if len(given) != len(names):
            raise InvalidInput(f"{where}: expected {', '.join(names)}, got {len(given)} values")
        given = dict(zip(names, given, strict=True))
    return codec.decode(cls, given, where=where)
