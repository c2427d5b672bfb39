"""Strict JSON for frozen dataclasses.

The same data crosses the stream into a machine whose Python has no compiled packages, so this is
standard library only. Decoding refuses what it does not know: an unknown field, a missing one, a
bool where an int is meant, `NaN`. See docs/adr/0002-plain-dataclasses.md.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from carrel.errors import InvalidInput

__all__ = ["Json", "decode", "encode"]

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

T = TypeVar("T")


def encode(value: object) -> Json:
    """Turn dataclasses, tuples and enums into plain JSON values."""
    if isinstance(value, enum.Enum):
        return encode(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{value} has no JSON form")
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _encode_dataclass(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    raise InvalidInput(f"{type(value).__name__} has no JSON form")


def _encode_dataclass(value: object) -> Json:
    out: dict[str, Json] = {}
    cls: type = type(value)
    tag = getattr(cls, "type", None)
    if isinstance(tag, str):
        out["type"] = tag
    for name, (_, field) in _fields(cls).items():
        item = getattr(value, name)
        # Defaults are left out so that stored data stays small and old readers keep working.
        if field.default is not dataclasses.MISSING and item == field.default:
            continue
        out[name] = encode(item)
    return out


def decode(cls: type[T], value: object, *, where: str = "") -> T:
    """Build a `cls` from JSON.

    Raises:
        InvalidInput: The value is not exactly what the fields of `cls` say.
    """
    result = _decode(cls, value, where or cls.__name__)
    return typing.cast("T", result)


@cache
def _fields(cls: type) -> dict[str, tuple[object, dataclasses.Field[object]]]:
    hints = typing.get_type_hints(cls)
    return {f.name: (hints[f.name], f) for f in dataclasses.fields(cls)}


def _decode_dataclass(cls: type, value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where}: expected an object, got {_kind(value)}")
    fields = _fields(cls)
    tag = getattr(cls, "type", None)
    given = dict(value)
    if isinstance(tag, str) and given.pop("type", tag) != tag:
        raise InvalidInput(f"{where}: type is not {tag!r}")
    unknown = sorted(str(key) for key in given.keys() - fields.keys())
    if unknown:
        known = ", ".join(fields) or "none"
        raise InvalidInput(
            f"{where}: unknown field {', '.join(map(repr, unknown))}",
            hint=f"known fields: {known}",
        )
    arguments: dict[str, object] = {}
    for name, (hint, field) in fields.items():
        if name in given:
            arguments[name] = _decode(hint, given[name], f"{where}.{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise InvalidInput(f"{where}: {name!r} is missing")
    return cls(**arguments)


def _decode(hint: object, value: object, where: str) -> object:
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return _decode_plain(hint, value, where)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        if any(value == item and type(value) is type(item) for item in args):
            return value
        choices = ", ".join(map(str, args))
        raise InvalidInput(f"{where}: {_show(value)} is not one of {choices}")
    if origin in (typing.Union, types.UnionType):
        # Json itself: what came out of a JSON parser fits as it is.
        return value if set(args) >= _SCALARS else _decode_union(args, value, where)
    if origin is tuple:
        return _decode_tuple(args, value, where)
    if origin in (dict, Mapping):
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise InvalidInput(f"{where}: expected an object, got {_kind(value)}")
        return {key: _decode(args[1], item, f"{where}.{key}") for key, item in value.items()}
    raise TypeError(f"codec cannot decode into {hint!r}")


def _decode_plain(hint: type, value: object, where: str) -> object:
    if dataclasses.is_dataclass(hint):
        return _decode_dataclass(hint, value, where)
    if issubclass(hint, enum.Enum):
        try:
            return hint(value)
        except ValueError:
            choices = ", ".join(str(item.value) for item in hint)
            raise InvalidInput(f"{where}: {_show(value)} is not one of {choices}") from None
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return _finite(value, where)
    if hint is float and isinstance(value, float):
        return _finite(value, where)
    if hint is object:
        return value
    if type(value) is hint:
        if isinstance(value, str):
            _check_text(value, where)
        return value
    raise InvalidInput(f"{where}: expected {_NAMES.get(hint, hint.__name__)}, got {_kind(value)}")


def _finite(value: float, where: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidInput(f"{where}: expected a finite number")
    return number


def _check_text(value: str, where: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{where}: text holds half of a surrogate pair") from None


def _decode_union(args: tuple[object, ...], value: object, where: str) -> object:
    if value is None and type(None) in args:
        return None
    options = [option for option in args if option is not type(None)]
    if len(options) == 1:
        return _decode(options[0], value, where)
    for option in options:
        try:
            return _decode(option, value, where)
        except InvalidInput:
            continue
    raise InvalidInput(f"{where}: {_show(value)} fits none of the allowed forms")


def _decode_tuple(args: tuple[object, ...], value: object, where: str) -> object:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{where}: expected a list, got {_kind(value)}")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_decode(args[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(args) != len(value):
        raise InvalidInput(f"{where}: expected {len(args)} items, got {len(value)}")
    pairs = enumerate(zip(args, value, strict=True))
    return tuple(_decode(arg, item, f"{where}[{i}]") for i, (arg, item) in pairs)


_SCALARS = {type(None), bool, int, float, str}

_NAMES: dict[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return _NAMES.get(type(value), type(value).__name__)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
