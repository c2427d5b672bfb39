"""A column that is spoken of in a row: its cell takes the text, and not the heading."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.program import Clear, Enter, PickDate, PickTime, Read, SetValue, Step

__all__ = ["in_column"]

_ROW = re.compile(r".*\brow\b.*|\{\w+\}|.*行", re.IGNORECASE | re.DOTALL)
_COLUMN = re.compile(
    r"(?:(?:the\s+)?(?:value|text|entry|cell|number)\s+(?:in|of|under)\s+)?(?:the\s+)?(?P<name>\S.*?)"
    r"(?:\s+column|(?<=[\"”])(?:[这那]?一)?[栏列]|[这那]一[栏列])",
    re.IGNORECASE,
)


def in_column(step: Step) -> Step:
    """`in the row of Ann, type 5 into the Quantity column`: into the Quantity of that row."""
    if step.place is None or not _ROW.fullmatch(step.place):
        return step
    if isinstance(step, Enter | PickDate | PickTime):
        found = _COLUMN.fullmatch(step.into or "")
        return replace(step, into=found["name"]) if found else step
    if isinstance(step, SetValue | Clear | Read):
        found = _COLUMN.fullmatch(step.what or "")
        return replace(step, what=found["name"]) if found else step
    return step
