"""Reading the JSON that models write: strict, bounded, and only `InvalidInput` when it is not."""

from __future__ import annotations

import json
import re

from carrel.codec import Json
from carrel.errors import InvalidInput

__all__ = ["find_objects", "read_object", "read_value"]

MAX_DIGITS = 40
MAX_OBJECTS = 100

_OBJECT = re.compile(r"^[ \t]*(?:```\w{0,20}[ \t]*)?(?=\{)", re.MULTILINE)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _bounded(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number with more than {MAX_DIGITS} digits")
    return int(digits)


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_int=_bounded, strict=False)


def read_value(written: str) -> Json:
    """A JSON value.

    Raises:
        InvalidInput: The text is not one; `NaN`, endless numbers and half characters are not JSON.
    """
    try:
        value: Json = _DECODER.decode(written)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise InvalidInput(f"{written[:60]!r} is not valid JSON") from None
    return value


def read_object(written: str) -> dict[str, Json]:
    """A JSON object.

    Raises:
        InvalidInput: The text is not one.
    """
    value = read_value(written.strip() or "{}")
    if not isinstance(value, dict):
        raise InvalidInput(f"{written[:60]!r} is not a JSON object")
    return value


def find_objects(text: str) -> list[dict[str, Json]]:
    """The JSON objects in a text, each from a `{` at the start of a line or after a fence.

    Raises:
        InvalidInput: One that begins so is not finished or not valid.
    """
    found: list[dict[str, Json]] = []
    at = 0
    while len(found) < MAX_OBJECTS and (start := _OBJECT.search(text, at)):
        try:
            value, at = _DECODER.raw_decode(text, start.end())
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            there = text[start.end() : start.end() + 60]
            raise InvalidInput(f"{there!r} is not valid JSON") from None
        found.append(value)
    return found
