"""The actions as functions with JSON schemas, made from the tables of actions themselves."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol, cast

from carrel.actions import ACTIONS, Action, describe
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Box, Point
from carrel.intents import INTENTS, CallTool, decode_any, encode_any
from carrel.keys import parse_chord
from carrel.models.context import Context, ToolSpec
from carrel.models.space import Space

__all__ = [
    "Function",
    "Places",
    "Points",
    "action_function",
    "offered",
    "read_action",
    "wire_names",
]

# What a model is not asked to choose: how pictures are made, and what the prompt already says.
_HIDDEN_ACTIONS = frozenset({"tool", "screen", "cursor", "resize_screen", "stat_file"})
_HIDDEN_FIELDS = frozenset({"format", "quality", "cursor", "unless", "env", "stdin", "limit"})
_POINTED = frozenset({"click", "move", "scroll", "move_window"})
_BOUNDS: Mapping[str, tuple[int, int]] = {
    "count": (1, 10),
    "repeat": (1, 100),
    "dx": (-1000, 1000),
    "dy": (-1000, 1000),
    "seconds": (0, 3600),
    "stable": (0, 3600),
    "timeout": (0, 3600),
    "hold": (0, 3600),
    "width": (1, 32767),
    "height": (1, 32767),
    "window": (1, 2**32 - 1),
}
_WORDS: Mapping[str, str] = {
    "keys": "Keys pressed together, such as ['ctrl', 'l'] or ['enter'].",
    "modifiers": "Keys held meanwhile, such as ['ctrl'].",
    "dy": "Wheel notches down; negative is up.",
    "dx": "Wheel notches right; negative is left.",
    "region": "The part of the screen to enlarge; all of it when left out.",
    "success": "Whether the task is done.",
    "window": "The window's id, from `windows`.",
}
_PLAIN: Mapping[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


@dataclass(frozen=True, slots=True)
class Function:
    """A function as a model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Json]

    def to_wire(self) -> dict[str, Json]:
        """As an entry of `tools`."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }


class Places(Protocol):
    """How a model names a place on the screen in the arguments of a function."""

    def fields(self) -> dict[str, Json]:
        """The properties that name one place."""
        ...

    def required(self) -> list[str]:
        """Those of them that must be there."""
        ...

    def read(self, given: Mapping[str, Json]) -> Point:
        """The place; raises `InvalidInput` when it is none."""
        ...

    def write(self, point: Point) -> dict[str, Json]:
        """The same in the model's words."""
        ...


class Points:
    """Places as `x` and `y` of the picture."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def fields(self) -> dict[str, Json]:
        """`x` and `y` with the bounds of the picture."""
        return {"x": self._axis(self.space.shown.width), "y": self._axis(self.space.shown.height)}

    def _axis(self, length: int) -> Json:
        last = length - 1 if self.space.kind == "pixels" else 1000
        return {"type": "integer", "minimum": 0, "maximum": last}

    def required(self) -> list[str]:
        """Both."""
        return ["x", "y"]

    def read(self, given: Mapping[str, Json]) -> Point:
        """The pixel meant; raises `InvalidInput` when it is not on the picture."""
        return self.space.to_screen(_number(given.get("x"), "x"), _number(given.get("y"), "y"))

    def write(self, point: Point) -> dict[str, Json]:
        """The pixel in the model's numbers."""
        x, y = self.space.to_model(point)
        return {"x": round(x), "y": round(y)}


def offered(context: Context, places: Places) -> list[Function]:
    """The functions of actions the model may call; ending the task is always possible."""
    names = [name for name in (*ACTIONS, *INTENTS) if _is_offered(name, context)]
    return [action_function(name, places) for name in names]


def _is_offered(name: str, context: Context) -> bool:
    if name == "done":
        return True
    if context.actions is None:
        return name not in _HIDDEN_ACTIONS
    return name in context.actions and name != "tool"


def action_function(name: str, places: Places) -> Function:
    """One action as a function."""
    cls = _class_of(name)
    schema = _parameters(name)
    properties = dict(cast("dict[str, Json]", schema["properties"]))
    required = [str(field) for field in cast("list[Json]", schema["required"])]
    if name in _POINTED:
        properties = {k: v for k, v in properties.items() if k not in ("x", "y")}
        properties = {**places.fields(), **properties}
        required = [*places.required(), *(r for r in required if r not in ("x", "y"))]
    if "path" in properties:
        properties["path"] = _path(places)
    parameters: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return Function(name, describe(cls), parameters)


def _path(places: Places) -> Json:
    place: dict[str, Json] = {
        "type": "object",
        "properties": places.fields(),
        "required": list(places.required()),
        "additionalProperties": False,
    }
    return {"type": "array", "items": place, "minItems": 2, "maxItems": 1000}


def _class_of(name: str) -> type[Action]:
    cls = ACTIONS.get(name) or INTENTS.get(name)
    if cls is None or cls is CallTool:
        raise InvalidInput(f"there is no function {name[:40]!r}")
    return cls


@cache
def _parameters(name: str) -> Mapping[str, Json]:
    cls = _class_of(name)
    hints = typing.get_type_hints(cls)
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for field in dataclasses.fields(cls):
        if field.name in _HIDDEN_FIELDS:
            continue
        properties[field.name] = _field(field.name, hints[field.name])
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    return {"properties": properties, "required": required}


def _field(name: str, hint: object) -> Json:
    schema = dict(_schema(hint))
    if name in _BOUNDS and schema.get("type") in ("integer", "number"):
        schema["minimum"], schema["maximum"] = _BOUNDS[name]
    if name in _WORDS:
        schema["description"] = _WORDS[name]
    return schema


def _schema(hint: object) -> dict[str, Json]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint is Box:
        side: Json = {"type": "integer", "minimum": 0}
        corners = ("left", "top", "right", "bottom")
        names: list[Json] = list(corners)
        return {
            "type": "object",
            "properties": dict.fromkeys(corners, side),
            "required": names,
            "additionalProperties": False,
        }
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        return _schema(next(arg for arg in args if arg is not type(None)))
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0])}
    return {"type": "object"}


def read_action(name: str, given: Mapping[str, Json], places: Places, space: Space) -> Action:
    """What a call of a function means.

    Raises:
        InvalidInput: There is no such function, or an argument is unknown, missing or wrong.
    """
    known = cast("dict[str, Json]", _parameters(name)["properties"])
    wire: dict[str, Json] = {"type": name}
    rest = {key: value for key, value in given.items() if value is not None}
    if name in _POINTED:
        point = places.read({key: rest.pop(key) for key in places.fields() if key in rest})
        wire |= {"x": point.x, "y": point.y}
    if name == "drag":
        wire["path"] = _read_path(rest.pop("path", None), places)
    for key, value in rest.items():
        if key not in known:
            raise InvalidInput(f"{name} has no argument {key[:40]!r}")
        wire[key] = _coerced(key, known[key], value, space)
    return decode_any(wire)


def _read_path(value: Json, places: Places) -> list[Json]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InvalidInput("path must be a list of places", hint="give at least two places")
    points = [places.read(item) for item in value if isinstance(item, dict)]
    return [{"x": point.x, "y": point.y} for point in points]


def _coerced(key: str, schema: Json, value: Json, space: Space) -> Json:
    """A value in the type of its field: models also write "3" for 3 and "ctrl+c" for a chord."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    if key == "region":
        return _read_region(value, space)
    if kind == "array" and isinstance(value, str) and key in ("keys", "modifiers"):
        return list(parse_chord(value))
    if kind in ("integer", "number"):
        number = _number(value, key)
        return int(number) if kind == "integer" and float(number).is_integer() else number
    if kind == "boolean" and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value


def _read_region(value: Json, space: Space) -> Json:
    if not isinstance(value, dict):
        raise InvalidInput("region must be an object of left, top, right and bottom")
    corners = [_number(value.get(key), key) for key in ("left", "top", "right", "bottom")]
    box = space.box_to_screen(*corners)
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}


def _number(value: Json, name: str) -> float:
    if isinstance(value, str) and len(value) <= 24:
        try:
            value = float(value)
        except ValueError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} must be a number")
    if not abs(value) < 1e12:
        raise InvalidInput(f"{name} is out of range")
    return value


def write_action(action: Action, places: Places, space: Space) -> dict[str, Json]:
    """The arguments of the function that means an action."""
    arguments = encode_any(action)
    name = arguments.pop("type")
    if name in _POINTED:
        x, y = arguments.pop("x", 0), arguments.pop("y", 0)
        point = Point(x if isinstance(x, int) else 0, y if isinstance(y, int) else 0)
        arguments = {**places.write(point), **arguments}
    path = getattr(action, "path", None)
    if isinstance(path, tuple):
        arguments["path"] = [dict(places.write(point)) for point in path]
    region = getattr(action, "region", None)
    if isinstance(region, Box):
        corners = zip(("left", "top", "right", "bottom"), space.box_to_model(region), strict=True)
        arguments["region"] = {key: round(value) for key, value in corners}
    return {key: value for key, value in arguments.items() if key not in _HIDDEN_FIELDS}


def wire_names(context: Context) -> dict[str, ToolSpec]:
    """The user's tools by names an API takes and no action has."""
    taken = {*ACTIONS, *INTENTS}
    names: dict[str, ToolSpec] = {}
    for tool in context.tools:
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in tool.name)
        name = plain[:56] or "tool"
        name = f"tool_{name}" if name in taken else name
        while name in names:
            name = f"{name[:60]}_{len(names)}"
        names[name] = tool
    return names
