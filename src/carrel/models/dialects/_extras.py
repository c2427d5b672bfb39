"""Function tools that go with a native computer tool: what it cannot say, and the person's own."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Literal, cast

from carrel import codec
from carrel.actions import ACTIONS, Action, Drag, Screenshot
from carrel.codec import Json
from carrel.geometry import Point
from carrel.intents import INTENTS, CallTool, decode_any, encode_any
from carrel.models.context import Context, ToolSpec
from carrel.models.dialects._wire import arguments_of, number
from carrel.models.space import Space

__all__ = ["EXTRAS", "as_function", "function_action", "function_tools"]

EXTRAS = (
    "done",
    "ask",
    "note",
    "open",
    "shell",
    "read_file",
    "write_file",
    "list_files",
    "get_clipboard",
    "set_clipboard",
)
"""Actions offered as functions where the context allows them."""

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def function_tools(context: Context) -> tuple[ToolSpec, ...]:
    """The functions to declare: the person's tools, then our own that they do not hide."""
    taken = {tool.name for tool in context.tools}
    allowed = [name for name in EXTRAS if _is_allowed(name, context) and name not in taken]
    return (*context.tools, *(_spec(name) for name in allowed))


def _is_allowed(name: str, context: Context) -> bool:
    return name == "done" or context.actions is None or name in context.actions


def function_action(
    name: str, arguments: Mapping[str, Json], context: Context, space: Space
) -> Action:
    """What a call of a function means; places are in the model's space.

    Raises:
        InvalidInput: There is no such function, or its arguments are wrong.
    """
    if any(tool.name == name for tool in context.tools):
        return CallTool(name, dict(arguments))
    return decode_any({**_to_screen(arguments, space), "type": name})


def as_function(action: Action, space: Space) -> tuple[str, dict[str, Json]]:
    """The call of a function that means an action; places are in the model's space."""
    if isinstance(action, CallTool):
        return action.name, dict(action.arguments)
    arguments = encode_any(action)
    name = str(arguments.pop("type"))
    return name, _to_model(action, arguments, space)


def _to_model(action: Action, arguments: dict[str, Json], space: Space) -> dict[str, Json]:
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    if isinstance(x, int) and isinstance(y, int):
        arguments["x"], arguments["y"] = space.to_model(Point(x, y))
    if isinstance(action, Drag):
        places = [space.to_model(point) for point in action.path]
        arguments["path"] = [{"x": x, "y": y} for x, y in places]
    if isinstance(action, Screenshot) and action.region is not None:
        left, top, right, bottom = space.box_to_model(action.region)
        arguments["region"] = {
            "x": left,
            "y": top,
            "width": right - left,
            "height": bottom - top,
        }
    return arguments


def _to_screen(arguments: Mapping[str, Json], space: Space) -> dict[str, Json]:
    found = dict(arguments)
    if "x" in found and "y" in found:
        at = space.to_screen(number(found, "x"), number(found, "y"))
        found["x"], found["y"] = at.x, at.y
    path, region = found.get("path"), found.get("region")
    if isinstance(path, list):
        found["path"] = [_to_screen(arguments_of(each), space) for each in path]
    if isinstance(region, dict):
        left, top = number(region, "x"), number(region, "y")
        right, bottom = left + number(region, "width"), top + number(region, "height")
        found["region"] = codec.encode(space.box_to_screen(left, top, right, bottom))
    return found


@cache
def _spec(name: str) -> ToolSpec:
    cls = INTENTS.get(name) or ACTIONS[name]
    doc = " ".join((inspect.getdoc(cls) or name).split())
    return ToolSpec(name, doc, _schema(cls))


def _schema(cls: type[Action]) -> dict[str, Json]:
    hints = typing.get_type_hints(cls)
    fields = dataclasses.fields(cls)
    properties: dict[str, Json] = {field.name: _type(hints[field.name]) for field in fields}
    missing = dataclasses.MISSING
    required: list[Json] = [
        field.name
        for field in fields
        if field.default is missing and field.default_factory is missing
    ]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _type(hint: object) -> dict[str, Json]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return {"type": "array", "items": _type(inner[0])}
    if origin is Literal:
        return {"type": "string", "enum": cast("list[Json]", list(inner))}
    if origin in (types.UnionType, typing.Union):
        return _type(next(each for each in inner if each is not types.NoneType))
    return {"type": "object"}
