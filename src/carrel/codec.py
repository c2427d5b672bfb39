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
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeVar

from carrel.errors import InvalidInput

__all__ = ["Json", "conform", "decode", "encode"]

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

T = TypeVar("T")

Decoder = Callable[[object, str], object]
"""Takes a JSON value and the name of its place, for complaints."""


class _Shape(NamedTuple):
    """What has to be known of a dataclass, found out once: every click goes through here."""

    tag: str | None
    defaults: dict[str, object]
    """Every field's name; `MISSING` where there is no plain default."""
    required: tuple[str, ...]


@cache
def _shape(cls: type) -> _Shape:
    fields = dataclasses.fields(cls)
    missing = dataclasses.MISSING
    tag = getattr(cls, "type", None)
    return _Shape(
        tag if isinstance(tag, str) else None,
        {field.name: field.default for field in fields},
        tuple(f.name for f in fields if f.default is missing and f.default_factory is missing),
    )


class _Reading(NamedTuple):
    """How a dataclass is decoded, found out when the first is."""

    tag: str | None
    plain: dict[str, type]
    """The fields for which a value of exactly that type needs no further look."""
    decoders: dict[str, Decoder]
    required: tuple[str, ...]


@cache
def _reading(cls: type) -> _Reading:
    hints = typing.get_type_hints(cls)
    names = [field.name for field in dataclasses.fields(cls)]
    plain = {name: kind for name in names if (kind := _plain_type(hints[name])) is not None}
    decoders = {name: _decoder(hints[name]) for name in names}
    return _Reading(_shape(cls).tag, plain, decoders, _shape(cls).required)


def _plain_type(hint: object) -> type | None:
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    options = typing.get_args(hint) if union else (hint,)
    others = [option for option in options if option is not type(None)]
    return next((kind for kind in (int, bool, str) if others == [kind]), None)


_PLAIN = frozenset({type(None), str, int, bool})
"""What is JSON as it is. Most of what is encoded is this, so it is looked for before the rest."""


def encode(value: object) -> Json:
    """Turn dataclasses, tuples and enums into plain JSON values."""
    kind = type(value)
    if kind in _PLAIN:
        return typing.cast("Json", value)
    if kind is dict:
        return _encode_items(typing.cast("dict[object, object]", value))
    if isinstance(value, enum.Enum):
        return encode(value.value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{value} has no JSON form")
        return value
    if isinstance(value, Mapping):
        return _encode_items(value)
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, int | str):
        return value
    if dataclasses.is_dataclass(kind):
        return _encode_dataclass(value)
    raise InvalidInput(f"{kind.__name__} has no JSON form")


def _encode_items(value: Mapping[object, object]) -> Json:
    return {
        key if type(key) is str else str(key): (
            typing.cast("Json", item) if type(item) in _PLAIN else encode(item)
        )
        for key, item in value.items()
    }


def _encode_dataclass(value: object) -> Json:
    cls: type = type(value)
    shape = _shape(cls)
    out: dict[str, Json] = {} if shape.tag is None else {"type": shape.tag}
    for name, default in shape.defaults.items():
        item = getattr(value, name)
        # Defaults are left out so that stored data stays small and old readers keep working.
        if item is not default and item != default:
            out[name] = encode(item)
    return out


def decode(cls: type[T], value: object, *, where: str = "") -> T:
    """Build a `cls` from JSON.

    Raises:
        InvalidInput: The value is not exactly what the fields of `cls` say.
    """
    result = _of_type(cls)(value, where or cls.__name__)
    return typing.cast("T", result)


def conform(value: object, where: str) -> None:
    """Hold the fields of a frozen dataclass that was built by hand to what `decode` would take.

    A list becomes a tuple and a whole number a fraction where that is what the field says; every
    click goes through here.

    Raises:
        InvalidInput: A field is ill-typed.
    """
    cls: type = type(value)
    for name, default, plain, decoder in _fields(cls):
        item = getattr(value, name)
        if item is default or (type(item) is plain and (type(item) is not str or item.isascii())):
            continue
        taken = decoder(item, f"{where}.{name}")
        if taken is not item:
            object.__setattr__(value, name, taken)


@cache
def _fields(cls: type) -> tuple[tuple[str, object, type | None, Decoder], ...]:
    reading = _reading(cls)
    defaults = _shape(cls).defaults
    return tuple(
        (name, defaults[name], reading.plain.get(name), decoder)
        for name, decoder in reading.decoders.items()
    )


def _decode_dataclass(cls: type, value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where}: expected an object, got {_kind(value)}")
    tag, plain, decoders, required = _reading(cls)
    arguments: dict[str, object] = {}
    for name, item in value.items():
        # Text beyond ASCII may hold half of a surrogate pair.
        if type(item) is plain.get(name) and (type(item) is not str or item.isascii()):
            arguments[name] = item
            continue
        decoder = decoders.get(name)
        if decoder is not None:
            arguments[name] = decoder(item, f"{where}.{name}")
        elif name != "type" or tag is None:
            _refuse_unknown(cls, value, where)
        elif item != tag:
            raise InvalidInput(f"{where}: type is not {tag!r}")
    for name in required:
        if name not in arguments:
            raise InvalidInput(f"{where}: {name!r} is missing")
    return cls(**arguments)


def _refuse_unknown(cls: type, value: dict[object, object], where: str) -> typing.NoReturn:
    known = _shape(cls).defaults
    tagged = set() if _shape(cls).tag is None else {"type"}
    unknown = sorted(str(key) for key in value.keys() - known.keys() - tagged)
    raise InvalidInput(
        f"{where}: unknown field {', '.join(map(repr, unknown))}",
        hint=f"known fields: {', '.join(known) or 'none'}",
    )


def _decoder(hint: object) -> Decoder:
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return _of_type(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return _of_literal(args)
    if origin in (typing.Union, types.UnionType):
        # Json itself: what came out of a JSON parser fits as it is.
        return _as_it_is if set(args) >= _SCALARS else _of_union(args)
    if origin is tuple:
        return _of_tuple(args)
    if origin in (dict, Mapping):
        return _of_mapping(_decoder(args[1]))
    raise TypeError(f"codec cannot decode into {hint!r}")


def _of_type(hint: type) -> Decoder:
    if dataclasses.is_dataclass(hint):
        # Its fields are looked at when it is first used: it may hold one of its own kind.
        return lambda value, where: (
            value if type(value) is hint else _decode_dataclass(hint, value, where)
        )
    if issubclass(hint, enum.Enum):
        return lambda value, where: _decode_enum(hint, value, where)
    if hint is float:
        return _decode_float
    if hint is str:
        return _decode_text
    if hint is object:
        return _as_it_is

    def decode_exact(value: object, where: str) -> object:
        if type(value) is hint:
            return value
        raise _wrong_type(hint, value, where)

    return decode_exact


def _as_it_is(value: object, where: str) -> object:
    return value


def _wrong_type(hint: type, value: object, where: str) -> InvalidInput:
    return InvalidInput(f"{where}: expected {_NAMES.get(hint, hint.__name__)}, got {_kind(value)}")


def _decode_enum(hint: type[enum.Enum], value: object, where: str) -> object:
    try:
        return hint(value)
    except ValueError:
        choices = ", ".join(str(item.value) for item in hint)
        raise InvalidInput(f"{where}: {_show(value)} is not one of {choices}") from None


def _decode_float(value: object, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong_type(float, value, where)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidInput(f"{where}: expected a finite number")
    return number


def _decode_text(value: object, where: str) -> object:
    if type(value) is not str:
        raise _wrong_type(str, value, where)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{where}: text holds half of a surrogate pair") from None
    return value


def _of_literal(choices: tuple[object, ...]) -> Decoder:
    def decode_literal(value: object, where: str) -> object:
        if any(value == item and type(value) is type(item) for item in choices):
            return value
        names = ", ".join(map(str, choices))
        raise InvalidInput(f"{where}: {_show(value)} is not one of {names}")

    return decode_literal


def _of_union(args: tuple[object, ...]) -> Decoder:
    optional = type(None) in args
    options = [_decoder(option) for option in args if option is not type(None)]

    def decode_union(value: object, where: str) -> object:
        if value is None and optional:
            return None
        if len(options) == 1:
            return options[0](value, where)
        for option in options:
            try:
                return option(value, where)
            except InvalidInput:
                continue
        raise InvalidInput(f"{where}: {_show(value)} fits none of the allowed forms")

    return decode_union


def _of_tuple(args: tuple[object, ...]) -> Decoder:
    endless = len(args) == 2 and args[1] is Ellipsis
    items = [_decoder(arg) for arg in args if arg is not Ellipsis]

    def decode_tuple(value: object, where: str) -> object:
        if not isinstance(value, list | tuple):
            raise InvalidInput(f"{where}: expected a list, got {_kind(value)}")
        if endless:
            return tuple(items[0](item, f"{where}[{i}]") for i, item in enumerate(value))
        if len(items) != len(value):
            raise InvalidInput(f"{where}: expected {len(items)} items, got {len(value)}")
        pairs = enumerate(zip(items, value, strict=True))
        return tuple(decoder(item, f"{where}[{i}]") for i, (decoder, item) in pairs)

    return decode_tuple


def _of_mapping(decoder: Decoder) -> Decoder:
    def decode_mapping(value: object, where: str) -> object:
        if not isinstance(value, dict) or not _has_text_keys(value):
            raise InvalidInput(f"{where}: expected an object, got {_kind(value)}")
        if decoder is _as_it_is:
            return dict(value)
        return {key: decoder(item, f"{where}.{key}") for key, item in value.items()}

    return decode_mapping


def _has_text_keys(value: dict[object, object]) -> bool:
    return {*map(type, value)} <= {str} or all(isinstance(key, str) for key in value)


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
