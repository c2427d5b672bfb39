"""Reading what providers and models wrote, without trusting a byte of it.

What the API itself has to say right (a body, a list of items, the id of a call) raises
`ProtocolError`; what the model wrote (the arguments of a call) raises `InvalidInput`, which the
model is told.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from carrel.codec import Json
from carrel.errors import InvalidInput, ProtocolError

__all__ = [
    "arguments_of",
    "boolean",
    "check_body",
    "count",
    "dicts_of",
    "integer",
    "items_of",
    "number",
    "object_of",
    "parse_arguments",
    "string",
    "text_of",
    "texts",
]

MAX_DEPTH = 64
MAX_INTEGER = 2**63
MAX_ARGUMENTS = 4_000_000


def check_body(body: object) -> Mapping[str, Json]:
    """The body, once it is known to be JSON that can be kept and sent back.

    Raises:
        ProtocolError: It is not an object, is nested too deep, or holds NaN or a huge number.
    """
    if not isinstance(body, Mapping):
        raise ProtocolError("the answer is not a JSON object")
    fault = _fault(body)
    if fault is not None:
        raise ProtocolError(f"the answer {fault}")
    return cast("Mapping[str, Json]", body)


def _fault(value: object) -> str | None:
    pending: list[tuple[object, int]] = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if depth > MAX_DEPTH:
            return "is nested too deep"
        if isinstance(item, Mapping):
            if not all(isinstance(key, str) for key in item):
                return "has a key that is not text"
            pending.extend((each, depth + 1) for each in item.values())
        elif isinstance(item, list):
            pending.extend((each, depth + 1) for each in item)
        elif isinstance(item, float) and not math.isfinite(item):
            return f"holds {item}, which is not JSON"
        elif isinstance(item, int) and abs(item) >= MAX_INTEGER:
            return "holds a number that is too large"
        elif not (item is None or isinstance(item, str | int | float)):
            return f"holds a {type(item).__name__}, which is not JSON"
    return None


def items_of(body: Mapping[str, Json], key: str) -> list[dict[str, Json]]:
    """The objects of a list of the API.

    Raises:
        ProtocolError: It is not a list of objects.
    """
    value = body.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ProtocolError(f"the answer has no list of {key}")
    return cast("list[dict[str, Json]]", value)


def dicts_of(body: Mapping[str, Json], key: str) -> list[dict[str, Json]]:
    """The objects of a list of the API; empty where there are none."""
    value = body.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_of(body: Mapping[str, Json], key: str) -> dict[str, Json]:
    """An object of the API; empty where there is none."""
    value = body.get(key)
    return value if isinstance(value, dict) else {}


def text_of(body: Mapping[str, Json], key: str) -> str:
    """A text of the API; empty where there is none."""
    value = body.get(key)
    return value if isinstance(value, str) else ""


def count(body: Mapping[str, Json], key: str) -> int:
    """A number of tokens; 0 where there is none."""
    value = body.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def parse_arguments(text: object) -> dict[str, Json]:
    """The arguments of a call that come as JSON in a text.

    Raises:
        InvalidInput: They are not a JSON object.
    """
    if not isinstance(text, str) or len(text) > MAX_ARGUMENTS:
        raise InvalidInput("the arguments are not a JSON object")
    try:
        value = json.loads(text or "{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the arguments are not JSON: {str(error)[:200]}") from error
    return arguments_of(value)


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def arguments_of(value: object) -> dict[str, Json]:
    """The arguments of a call that come as a JSON value.

    Raises:
        InvalidInput: They are not a JSON object.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput("the arguments are not a JSON object")
    fault = _fault(value)
    if fault is not None:
        raise InvalidInput(f"the arguments cannot be used: the JSON {fault}")
    return value


def string(arguments: Mapping[str, Json], key: str, default: str | None = None) -> str:
    """A text that the model wrote.

    Raises:
        InvalidInput: It is missing without a default, or is not a text.
    """
    value = arguments.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InvalidInput(f"{key} must be a text" if key in arguments else f"{key} is missing")
    return value


def number(arguments: Mapping[str, Json], key: str, default: float | None = None) -> float:
    """A number that the model wrote.

    Raises:
        InvalidInput: It is missing without a default, or is not a number.
    """
    value = arguments.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{key} must be a number" if key in arguments else f"{key} is missing")
    return value


def integer(arguments: Mapping[str, Json], key: str, default: int | None = None) -> int:
    """A whole number that the model wrote; 3.0 is one.

    Raises:
        InvalidInput: It is missing without a default, or is not a whole number.
    """
    value = number(arguments, key, default)
    if value != int(value):
        raise InvalidInput(f"{key} must be a whole number")
    return int(value)


def boolean(arguments: Mapping[str, Json], key: str, default: bool) -> bool:
    """A yes or no that the model wrote.

    Raises:
        InvalidInput: It is neither.
    """
    value = arguments.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise InvalidInput(f"{key} must be true or false")
    return value


def texts(arguments: Mapping[str, Json], key: str) -> list[str]:
    """A list of texts that the model wrote; empty where there is none.

    Raises:
        InvalidInput: It is not a list of texts.
    """
    value = arguments.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{key} must be a list of texts")
    return cast("list[str]", value)
