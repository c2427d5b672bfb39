"""The members of Anthropic's computer tools, read and written.

Pixels of the picture; scrolling in notches; keys in xdotool's spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from carrel.actions import (
    Action,
    Button,
    Click,
    Cursor,
    Drag,
    Key,
    MouseDown,
    MouseUp,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.dialects._history import chord, held, key_presses
from carrel.models.dialects._wire import integer, number, string
from carrel.models.space import Space

__all__ = ["MEMBERS", "Place", "read_member", "write_member"]


@dataclass(frozen=True, slots=True)
class Place:
    """What places mean: the model's space, and where the pointer is if that is known."""

    space: Space
    pointer: Point | None


Input = Mapping[str, Json]

_CLICKS: dict[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_CLICK_NAMES = {meaning: name for name, meaning in _CLICKS.items()}
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def read_member(name: str, given: Input, place: Place) -> tuple[Action, ...]:
    """What a call of a member means.

    Raises:
        InvalidInput: There is no such member, or its input is wrong.
    """
    if name in _CLICKS:
        return _click(name, given, place)
    reader = _READERS.get(name)
    if reader is None:
        raise InvalidInput(
            f"there is no computer action {name[:40]!r}", hint=f"known: {', '.join(MEMBERS)}"
        )
    return reader(given, place)


def _numbers(given: Input, key: str, length: int) -> list[float]:
    value = given.get(key)
    if not isinstance(value, list) or len(value) != length:
        shape = "[x, y]" if length == 2 else "[x0, y0, x1, y1]"
        raise InvalidInput(f"{key} must be {shape}" if key in given else f"{key} is missing")
    return cast("list[float]", value)


def _point(given: Input, place: Place, key: str = "coordinate") -> Point:
    x, y = _numbers(given, key, 2)
    return place.space.to_screen(x, y)


def _point_or_pointer(given: Input, place: Place) -> Point:
    if given.get("coordinate") is not None:
        return _point(given, place)
    if place.pointer is None:
        raise InvalidInput(
            "it is not known where the pointer is", hint="give a coordinate, or move it first"
        )
    return place.pointer


def _held(given: Input) -> tuple[str, ...]:
    text = string(given, "text", "")
    return held([text]) if text else ()


def _click(name: str, given: Input, place: Place) -> tuple[Action, ...]:
    at = _point_or_pointer(given, place)
    button, count = _CLICKS[name]
    return (Click(at.x, at.y, button, count, _held(given)),)


def _drag(given: Input, place: Place) -> tuple[Action, ...]:
    path = (_point(given, place, "start_coordinate"), _point(given, place))
    return (Drag(path, modifiers=_held(given)),)


def _move(given: Input, place: Place) -> tuple[Action, ...]:
    at = _point(given, place)
    return (Move(at.x, at.y),)


def _scroll(given: Input, place: Place) -> tuple[Action, ...]:
    at, direction = _point_or_pointer(given, place), string(given, "scroll_direction")
    amount = integer(given, "scroll_amount")
    if direction not in _DIRECTIONS:
        raise InvalidInput(f"scroll_direction must be one of {', '.join(_DIRECTIONS)}")
    if amount < 1:
        raise InvalidInput("scroll_amount must be at least 1")
    dx, dy = _DIRECTIONS[direction]
    return (Scroll(at.x, at.y, dx * amount, dy * amount, _held(given)),)


def _key(given: Input, _place: Place) -> tuple[Action, ...]:
    return key_presses(string(given, "text"), integer(given, "repeat", 1))


def _hold_key(given: Input, _place: Place) -> tuple[Action, ...]:
    return (Key(chord(string(given, "text")), hold=float(number(given, "duration"))),)


def _type(given: Input, _place: Place) -> tuple[Action, ...]:
    return (Type(string(given, "text")),)


def _wait(given: Input, _place: Place) -> tuple[Action, ...]:
    return (Wait(seconds=float(number(given, "duration"))),)


def _zoom(given: Input, place: Place) -> tuple[Action, ...]:
    left, top, right, bottom = _numbers(given, "region", 4)
    return (Screenshot(place.space.box_to_screen(left, top, right, bottom)),)


_READERS: dict[str, Callable[[Input, Place], tuple[Action, ...]]] = {
    "key": _key,
    "hold_key": _hold_key,
    "type": _type,
    "cursor_position": lambda _given, _place: (Cursor(),),
    "mouse_move": _move,
    "left_mouse_down": lambda _given, _place: (MouseDown(),),
    "left_mouse_up": lambda _given, _place: (MouseUp(),),
    "left_click_drag": _drag,
    "scroll": _scroll,
    "wait": _wait,
    "screenshot": lambda _given, _place: (Screenshot(),),
    "zoom": _zoom,
}

MEMBERS: dict[str, str] = {
    "screenshot": "screenshot",
    "zoom": "screenshot",
    **dict.fromkeys(_CLICKS, "click"),
    "left_click_drag": "drag",
    "mouse_move": "move",
    "left_mouse_down": "mouse_down",
    "left_mouse_up": "mouse_up",
    "cursor_position": "cursor",
    "scroll": "scroll",
    "type": "type",
    "key": "key",
    "hold_key": "key",
    "wait": "wait",
}
"""Every member, with the type of the action it means."""


def write_member(action: Action, space: Space) -> tuple[str, dict[str, Json]] | None:
    """The member and its input that mean the action; None when none means exactly that."""
    match action:
        case Click() if (action.button, action.count) in _CLICK_NAMES:
            name = _CLICK_NAMES[action.button, action.count]
            return name, {**_at(action.x, action.y, space), **_text(action.modifiers)}
        case Drag(path=(start, end), button="left", seconds=0.2):
            begin: Json = list(space.to_model(start))
            where = {"start_coordinate": begin, **_at(end.x, end.y, space)}
            return "left_click_drag", {**where, **_text(action.modifiers)}
        case Move():
            return "mouse_move", _at(action.x, action.y, space)
        case Scroll() if not (action.dx and action.dy):
            return "scroll", _written_scroll(action, space)
        case Screenshot() if action == Screenshot():
            return "screenshot", {}
        case Screenshot(region=region) if region and action == Screenshot(region):
            corners: Json = list(space.box_to_model(region))
            return "zoom", {"region": corners}
        case _:
            return _write_rest(action)


def _write_rest(action: Action) -> tuple[str, dict[str, Json]] | None:
    match action:
        case Type():
            return "type", {"text": action.text}
        case Key(hold=0.0):
            repeat: dict[str, Json] = {"repeat": action.repeat} if action.repeat > 1 else {}
            return "key", {"text": "+".join(action.keys), **repeat}
        case Key(repeat=1) if action.hold == int(action.hold):
            return "hold_key", {"text": "+".join(action.keys), "duration": int(action.hold)}
        case Wait(seconds=float() | int() as seconds) if seconds == int(seconds):
            return ("wait", {"duration": int(seconds)}) if action == Wait(seconds) else None
        case MouseDown(button="left"):
            return "left_mouse_down", {}
        case MouseUp(button="left"):
            return "left_mouse_up", {}
        case Cursor():
            return "cursor_position", {}
        case _:
            return None


def _written_scroll(action: Scroll, space: Space) -> dict[str, Json]:
    if action.dy:
        direction = "down" if action.dy > 0 else "up"
    else:
        direction = "right" if action.dx > 0 else "left"
    return {
        "scroll_direction": direction,
        "scroll_amount": abs(action.dy or action.dx),
        **_at(action.x, action.y, space),
        **_text(action.modifiers),
    }


def _at(x: int, y: int, space: Space) -> dict[str, Json]:
    return {"coordinate": list(space.to_model(Point(x, y)))}


def _text(modifiers: tuple[str, ...]) -> dict[str, Json]:
    return {"text": "+".join(modifiers)} if modifiers else {}
