"""Two texts against one another: as they are written, or as numbers."""

from __future__ import annotations

import re

from carrel.models.steps.reading import fold
from carrel.models.steps.turns import Missed

__all__ = ["compare", "read_number"]


def compare(left: str, how: str, right: str) -> bool:
    """Compare two texts; as numbers where both are."""
    one, two = fold(left), fold(right)
    numbers = read_number(left), read_number(right)
    if how in ("less", "greater"):
        if numbers[0] is None or numbers[1] is None:
            raise Missed(f"{left!r} and {right!r} are not two numbers")
        return numbers[0] < numbers[1] if how == "less" else numbers[0] > numbers[1]
    if how == "equals":
        same = numbers[0] is not None and numbers[0] == numbers[1]
        return one == two or same
    if how == "matches":
        try:
            return re.search(right, left) is not None
        except re.error as error:
            raise Missed(f"{right!r} is not a regular expression: {error}") from error
    tests = {"contains": two in one, "starts": one.startswith(two), "ends": one.endswith(two)}
    return tests[how]


def read_number(text: str) -> float | None:
    """A text as a number, with what money and thousands are written with."""
    cleaned = re.sub(r"[\s,$€£¥%]", "", text)
    try:
        return float(cleaned)
    except ValueError:
        return None
