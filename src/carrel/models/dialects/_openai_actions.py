"""The actions of OpenAI's computer tools, read and written.

Pixels of the picture; scrolling in pixels, positive is down and right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from carrel.actions import (
    Action,
    Button,
    Click,
    Drag,
    Key,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.dialects._history import NOTCH, chord, held, notches, while_held
from carrel.models.dialects._wire import number, string, texts
from carrel.models.space import Space

__all__ = ["PAUSE", "read_action", "write_action"]

PAUSE = 2.0
"""Seconds that their `wait` means: it names none."""

_BUTTONS: dict[str, Button] = {
    "left": "left",
    "right": "right",
    "wheel": "middle",
    "back": "back",
    "forward": "forward",
}
_BUTTON_NAMES = {ours: theirs for theirs, ours in _BUTTONS.items()}

Wire = Mapping[str, Json]


def read_action(wire: Json, space: Space) -> tuple[Action, ...]:
    """What one action of a computer call means.

    Raises:
        InvalidInput: It is unknown, lacks something, or points outside the picture.
    """
    if not isinstance(wire, dict):
        raise InvalidInput("an action is a JSON object")
    kind = string(wire, "type")
    reader = _READERS.get(kind)
    if reader is None:
        raise InvalidInput(
            f"there is no computer action {kind[:40]!r}", hint=f"known: {', '.join(_READERS)}"
        )
    return reader(wire, space)


def _point(wire: Wire, space: Space) -> Point:
    return space.to_screen(number(wire, "x"), number(wire, "y"))


def _click(wire: Wire, space: Space) -> tuple[Action, ...]:
    at, name = _point(wire, space), string(wire, "button", "left")
    if name not in _BUTTONS:
        raise InvalidInput(
            f"there is no button {name[:40]!r}", hint=f"known: {', '.join(_BUTTONS)}"
        )
    return (Click(at.x, at.y, _BUTTONS[name], modifiers=held(texts(wire, "keys"))),)


def _double_click(wire: Wire, space: Space) -> tuple[Action, ...]:
    at = _point(wire, space)
    return (Click(at.x, at.y, count=2, modifiers=held(texts(wire, "keys"))),)


def _drag(wire: Wire, space: Space) -> tuple[Action, ...]:
    path = wire.get("path")
    if not isinstance(path, list) or not all(isinstance(each, dict) for each in path):
        raise InvalidInput("path must be a list of points")
    points = tuple(_point(cast("dict[str, Json]", each), space) for each in path)
    return (Drag(points, modifiers=held(texts(wire, "keys"))),)


def _keypress(wire: Wire, _space: Space) -> tuple[Action, ...]:
    return (Key(chord(*texts(wire, "keys"))),)


def _move(wire: Wire, space: Space) -> tuple[Action, ...]:
    at = _point(wire, space)
    return while_held(held(texts(wire, "keys")), Move(at.x, at.y))


def _screenshot(_wire: Wire, _space: Space) -> tuple[Action, ...]:
    return (Screenshot(),)


def _scroll(wire: Wire, space: Space) -> tuple[Action, ...]:
    at = _point(wire, space)
    dx, dy = notches(number(wire, "scroll_x", 0)), notches(number(wire, "scroll_y", 0))
    return (Scroll(at.x, at.y, dx, dy, held(texts(wire, "keys"))),)


def _type(wire: Wire, _space: Space) -> tuple[Action, ...]:
    return (Type(string(wire, "text")),)


def _wait(_wire: Wire, _space: Space) -> tuple[Action, ...]:
    return (Wait(seconds=PAUSE),)


_READERS: dict[str, Callable[[Wire, Space], tuple[Action, ...]]] = {
    "click": _click,
    "double_click": _double_click,
    "drag": _drag,
    "keypress": _keypress,
    "move": _move,
    "screenshot": _screenshot,
    "scroll": _scroll,
    "type": _type,
    "wait": _wait,
}


def write_action(action: Action, space: Space) -> dict[str, Json] | None:
    """The action as their tool says it; None when it cannot say exactly that."""
    match action:
        case Click(count=1):
            return {
                "type": "click",
                "button": _BUTTON_NAMES[action.button],
                **_place(action.x, action.y, space),
                **_keys(action.modifiers),
            }
        case Click(count=2, button="left"):
            keys: Json = list(action.modifiers)
            return {"type": "double_click", **_place(action.x, action.y, space), "keys": keys}
        case Drag(button="left", seconds=0.2):
            path: list[Json] = [_place(point.x, point.y, space) for point in action.path]
            return {"type": "drag", "path": path, **_keys(action.modifiers)}
        case Move():
            return {"type": "move", **_place(action.x, action.y, space)}
        case Scroll():
            distance: dict[str, Json] = {
                "scroll_x": action.dx * NOTCH,
                "scroll_y": action.dy * NOTCH,
            }
            place = _place(action.x, action.y, space)
            return {"type": "scroll", **place, **distance, **_keys(action.modifiers)}
        case _:
            return _write_rest(action)


def _write_rest(action: Action) -> dict[str, Json] | None:
    match action:
        case Type():
            return {"type": "type", "text": action.text}
        case Key(repeat=1, hold=0.0):
            return {"type": "keypress", "keys": list(action.keys)}
        case Screenshot() if action == Screenshot():
            return {"type": "screenshot"}
        case Wait() if action == Wait(seconds=PAUSE):
            return {"type": "wait"}
        case _:
            return None


def _place(x: int, y: int, space: Space) -> dict[str, Json]:
    to_x, to_y = space.to_model(Point(x, y))
    return {"x": to_x, "y": to_y}


def _keys(modifiers: tuple[str, ...]) -> dict[str, Json]:
    return {"keys": list(modifiers)} if modifiers else {}
