"""Whether a JSON value has the shape that an official SDK's own types give it.

The types are walked here and not handed to pydantic: it checks `Iterable[...]` lazily, forbids
nothing in a `TypedDict`, and tries every member of a union of forty instead of the one that the
value says it is.
"""

from __future__ import annotations

import base64
import binascii
import enum
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

__all__ = ["Misfit", "Path", "misfit"]

Path = tuple[str | int, ...]

_TAGS = ("type", "role")
"""Fields whose literal values tell the members of a union apart."""

_PLAIN = str.maketrans("-_", "+/")


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where a value is not what its type says, and why."""

    kind: Literal["unknown", "missing", "type", "value"]
    path: Path
    expected: str = ""


@dataclass(frozen=True, slots=True)
class _Field:
    hint: object
    required: bool


def misfit(value: object, hint: object, path: Path = ()) -> Misfit | None:
    """The first misfit of a JSON value, or None when it fits `hint`."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated or str(origin).endswith(("Required", "NotRequired")):
        return misfit(value, args[0], path)
    if origin is typing.Literal:
        return None if value in args else Misfit("value", path, ", ".join(map(repr, args)))
    if origin is not None and _is_union(origin):
        return _in_union(value, args, path)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _in_mapping(value, args, path)
    if origin is not None:
        return _in_list(value, args[0] if args else object, path)
    if isinstance(hint, type):
        return _of_type(value, hint, path)
    return None


def _is_union(origin: object) -> bool:
    import types

    return origin in (typing.Union, types.UnionType)


def _of_type(value: object, hint: type, path: Path) -> Misfit | None:
    if _is_record(hint):
        return _in_record(value, hint, path)
    if issubclass(hint, enum.Enum):
        names = {str(item.value).upper() for item in hint}
        fits = isinstance(value, str) and value.upper() in names
        return None if fits else Misfit("value", path, ", ".join(sorted(names)))
    if hint is bytes:
        return None if _is_base64(value) else Misfit("value", path, "base64 text")
    if hint is type(None):
        return None if value is None else Misfit("type", path, "null")
    simple: dict[type, tuple[tuple[type, ...], str]] = {
        str: ((str,), "a string"),
        int: ((int,), "an integer"),
        float: ((int, float), "a number"),
        bool: ((bool,), "a boolean"),
        list: ((list,), "an array"),
        dict: ((dict,), "an object"),
    }
    if hint not in simple:
        return None
    kinds, words = simple[hint]
    wrong = not isinstance(value, kinds) or (isinstance(value, bool) and hint is not bool)
    return Misfit("type", path, words) if wrong else None


def _is_base64(value: object) -> bool:
    if not isinstance(value, str):
        return False
    # JSON of protocol buffers takes both alphabets, padded or not.
    plain = value.translate(_PLAIN).rstrip("=")
    try:
        base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _in_list(value: object, item: object, path: Path) -> Misfit | None:
    if not isinstance(value, list):
        return Misfit("type", path, "an array")
    return _first(misfit(each, item, (*path, i)) for i, each in enumerate(value))


def _in_mapping(value: object, args: tuple[object, ...], path: Path) -> Misfit | None:
    if not isinstance(value, dict):
        return Misfit("type", path, "an object")
    hint = args[1] if len(args) == 2 else object
    return _first(misfit(each, hint, (*path, key)) for key, each in value.items())


def _first(found: Iterable[Misfit | None]) -> Misfit | None:
    return next((item for item in found if item is not None), None)


def _in_record(value: object, hint: type, path: Path) -> Misfit | None:
    if not isinstance(value, dict):
        return Misfit("type", path, "an object")
    fields = _fields(hint)
    for key, each in value.items():
        if key not in fields:
            return Misfit("unknown", (*path, key))
        found = misfit(each, fields[key].hint, (*path, key))
        if found is not None:
            return found
    missing = (key for key, field in fields.items() if field.required and key not in value)
    return _first(Misfit("missing", (*path, key)) for key in missing)


def _is_record(hint: object) -> bool:
    return typing.is_typeddict(hint) or hasattr(hint, "model_fields") or _is_extended(hint)


def _is_extended(hint: object) -> bool:
    from typing_extensions import is_typeddict

    return is_typeddict(hint)


@cache
def _fields(hint: type) -> dict[str, _Field]:
    models = getattr(hint, "model_fields", None)
    if models is not None:
        return _model_fields(models)
    hints = typing.get_type_hints(hint, include_extras=True)
    return {name: _Field(kind, _is_required(kind)) for name, kind in hints.items()}


def _model_fields(models: Mapping[str, object]) -> dict[str, _Field]:
    """Fields of a pydantic model, by both of the names that JSON may use."""
    found: dict[str, _Field] = {}
    for name, info in models.items():
        field = _Field(getattr(info, "annotation", object), False)
        found[name] = field
        found[getattr(info, "alias", None) or name] = field
    return found


def _is_required(hint: object) -> bool:
    return str(typing.get_origin(hint)).endswith(".Required")


def _in_union(value: object, options: tuple[object, ...], path: Path) -> Misfit | None:
    if value is None and type(None) in options:
        return None
    flat = list(_flatten(options))
    likely = [option for option in flat if _may_be(value, option)]
    if not likely:
        return _no_member(value, flat, path)
    found = [misfit(value, option, path) for option in likely]
    if None in found:
        return None
    # The deepest complaint comes from the member that fits best.
    return max((item for item in found if item is not None), key=lambda item: len(item.path))


def _flatten(options: Iterable[object]) -> Iterable[object]:
    for option in options:
        origin = typing.get_origin(option)
        if origin is typing.Annotated:
            yield from _flatten(typing.get_args(option)[:1])
        elif origin is not None and _is_union(origin):
            yield from _flatten(typing.get_args(option))
        else:
            yield option


def _may_be(value: object, option: object) -> bool:
    """Whether a union's member is of the kind that the value says it is."""
    if not isinstance(value, dict) or not _is_record(option):
        return isinstance(value, dict) is _takes_objects(option)
    assert isinstance(option, type)
    fields = _fields(option)
    return all(
        tag not in value or tag not in fields or misfit(value[tag], fields[tag].hint) is None
        for tag in _TAGS
    )


def _takes_objects(option: object) -> bool:
    origin = typing.get_origin(option)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return True
    return option in (object, typing.Any, dict) or _is_record(option)


def _no_member(value: object, options: list[object], path: Path) -> Misfit:
    if not isinstance(value, dict):
        return Misfit("type", path, "one of the documented forms")
    for tag in _TAGS:
        if tag in value:
            return Misfit("value", (*path, tag), ", ".join(_known_tags(options, tag)))
    return Misfit("missing", (*path, "type"))


def _known_tags(options: list[object], tag: str) -> list[str]:
    known: list[str] = []
    for option in options:
        if not _is_record(option):
            continue
        assert isinstance(option, type)
        field = _fields(option).get(tag)
        known += map(repr, _literals(field.hint) if field else ())
    return known


def _literals(hint: object) -> tuple[object, ...]:
    if typing.get_origin(hint) is typing.Literal:
        return typing.get_args(hint)
    inner: list[object] = []
    for arg in typing.get_args(hint):
        inner += _literals(arg)
    return tuple(inner)
