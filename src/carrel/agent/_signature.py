"""From a function's signature and docstring to a JSON schema, and from JSON back to arguments."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Literal, TypeVar, cast

from carrel.codec import Json
from carrel.errors import InvalidInput

__all__ = ["convert", "read_docstring", "schema_of", "type_hints"]

T = TypeVar("T")


def type_hints(function: Callable[..., object], name: str) -> dict[str, object]:
    """The type of every parameter.

    Raises:
        InvalidInput: One has none, or cannot be given by name.
    """
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise InvalidInput(f"tool {name}: {error}") from error
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise InvalidInput(f"tool {name}: *{parameter.name} cannot be described to a model")
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise InvalidInput(f"tool {name}: {parameter.name!r} must have a name to be called by")
        if parameter.name not in hints:
            raise InvalidInput(
                f"tool {name}: parameter {parameter.name!r} has no type",
                hint=f"write {parameter.name}: str, or whatever it is",
            )
    return hints


def schema_of(
    signature: inspect.Signature,
    hints: Mapping[str, object],
    descriptions: Mapping[str, str],
    name: str,
) -> dict[str, Json]:
    """The JSON schema of a function's parameters."""
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for parameter in signature.parameters.values():
        schema = _schema(hints[parameter.name], f"{name}.{parameter.name}")
        if parameter.name in descriptions:
            schema["description"] = descriptions[parameter.name]
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
        elif isinstance(parameter.default, str | int | float | bool):
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


_PLAIN: dict[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def _schema(hint: object, where: str) -> dict[str, Json]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint in (dict, typing.Any, object):
        return {"type": "object"} if hint is dict else {}
    if hint is list:
        return {"type": "array"}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [cast("Json", item.value) for item in hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        options: list[Json] = [
            {"type": "null"} if option is type(None) else _schema(option, where)
            for option in arguments
        ]
        return {"anyOf": options}
    if origin is list or (origin is tuple and arguments[1:] == (Ellipsis,)):
        return {"type": "array", "items": _schema(arguments[0], where)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], where)}
    if origin is typing.Annotated:
        return {**_schema(arguments[0], where), "description": str(arguments[1])}
    raise InvalidInput(
        f"{where}: {hint!r} cannot be described to a model",
        hint="use str, int, float, bool, list[…], dict[str, …], Literal[…], an Enum or … | None",
    )


def convert(hint: object, value: Json, where: str) -> object:
    """Check a JSON value against a hint, strictly: the model is told what is wrong."""
    if hint is typing.Any or hint is object:
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint in _PLAIN or hint in (dict, list):
        return _exact(cast("type", hint), value, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint, value, where)
    return _convert_generic(hint, value, where)


def _convert_generic(hint: object, value: Json, where: str) -> object:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return _one_of(arguments, value, where)
    if origin in (typing.Union, types.UnionType):
        return _first_fit(arguments, value, where)
    if origin in (list, tuple):
        items = [
            convert(arguments[0], item, f"{where}[{number}]")
            for number, item in enumerate(_exact(list, value, where))
        ]
        return items if origin is list else tuple(items)
    if origin is dict:
        held = _exact(dict, value, where)
        return {key: convert(arguments[1], item, f"{where}.{key}") for key, item in held.items()}
    return convert(arguments[0], value, where)  # Annotated; nothing else passes _schema


def _exact(hint: type[T], value: object, where: str) -> T:
    if type(value) is not hint:
        raise InvalidInput(f"{where}: expected {_PLAIN.get(hint, hint.__name__)}, got {value!r}")
    return value


def _member(hint: type[Enum], value: Json, where: str) -> Enum:
    try:
        return hint(value)
    except ValueError:
        choices = ", ".join(str(item.value) for item in hint)
        raise InvalidInput(f"{where}: {value!r} is not one of {choices}") from None


def _one_of(choices: tuple[object, ...], value: Json, where: str) -> object:
    for item in choices:
        if item == value and type(item) is type(value):
            return item
    raise InvalidInput(f"{where}: {value!r} is not one of {', '.join(map(str, choices))}")


def _first_fit(options: tuple[object, ...], value: Json, where: str) -> object:
    if value is None and type(None) in options:
        return None
    for option in options:
        if option is not type(None):
            try:
                return convert(option, value, where)
            except InvalidInput:
                continue
    raise InvalidInput(f"{where}: {value!r} fits none of the allowed types")


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The description, and what `Args:` says of each parameter."""
    head, _, rest = text.partition("\nArgs:\n")
    description = re.split(r"\n(?:Returns|Raises|Yields|Example|Examples):\n", head)[0].strip()
    found: dict[str, str] = {}
    current = ""
    for line in rest.splitlines():
        if line and not line[0].isspace():
            break
        start = re.match(r" {4}(\w+)(?: \([^)]*\))?: (.*)", line)
        if start is not None:
            current = start[1]
            found[current] = start[2].strip()
        elif current and line.strip():
            found[current] += " " + line.strip()
    return description, found
