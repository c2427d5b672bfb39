"""The `computer_use` tool of Qwen: its arguments to actions and back."""

from __future__ import annotations

import math
from collections.abc import Mapping

from carrel.actions import (
    Action,
    Button,
    Click,
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
from carrel.intents import Ask, CallTool, Done
from carrel.models.context import Context
from carrel.models.dialects._text_points import last_pointer, middle, read_keys, read_point
from carrel.models.space import Space

__all__ = ["QwenReader", "named_action"]

PIXELS_A_NOTCH = 100
MAX_NOTCHES = 100
WAIT_SECONDS = 2.0

_CLICKS: Mapping[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_TAKES: Mapping[str, frozenset[str]] = {
    **{name: frozenset({"coordinate"}) for name in (*_CLICKS, "mouse_move", "left_click_drag")},
    "key": frozenset({"keys"}),
    "type": frozenset({"text"}),
    "scroll": frozenset({"pixels", "coordinate"}),
    "hscroll": frozenset({"pixels", "coordinate"}),
    "wait": frozenset({"time"}),
    "screenshot": frozenset(),
    "terminate": frozenset({"status", "text"}),
    "answer": frozenset({"text"}),
    "interact": frozenset({"text"}),
}


class QwenReader:
    """Reads the calls of one answer in order, following where they leave the pointer."""

    def __init__(self, context: Context, space: Space) -> None:
        self.space = space
        self.pointer = last_pointer(context)

    def actions(self, given: Mapping[str, Json]) -> list[Action]:
        """The actions of one call.

        Raises:
            InvalidInput: An argument is missing, unknown or out of range.
        """
        name = given.get("action")
        if not isinstance(name, str) or name not in _TAKES:
            known = ", ".join(_TAKES)
            raise InvalidInput(f"there is no action {str(name)[:40]!r}", hint=f"known: {known}")
        wanted = {key for key, value in given.items() if value is not None and key != "action"}
        if unknown := wanted - _TAKES[name] - {"duration"}:
            raise InvalidInput(f"{name} does not take {', '.join(sorted(unknown))[:80]}")
        if name in _CLICKS:
            return self._click(given, *_CLICKS[name])
        if name in ("mouse_move", "left_click_drag"):
            return self._moved(name, given)
        if name in ("scroll", "hscroll"):
            return [self._scroll(name, given)]
        return [_other(name, given)]

    def _point(self, given: Mapping[str, Json]) -> Point | None:
        if given.get("coordinate") is None:
            return None
        self.pointer = read_point(given["coordinate"], self.space)
        return self.pointer

    def _click(self, given: Mapping[str, Json], button: Button, count: int) -> list[Action]:
        point = self._point(given) or self.pointer
        if point is not None:
            return [Click(point.x, point.y, button, count)]
        # Where the pointer is, wherever that may be.
        return [press(button) for _ in range(count) for press in (MouseDown, MouseUp)]

    def _moved(self, name: str, given: Mapping[str, Json]) -> list[Action]:
        start, end = self.pointer, self._point(given)
        if end is None:
            raise InvalidInput(f"{name} needs a coordinate", hint="write it as [x, y]")
        if name == "mouse_move":
            return [Move(end.x, end.y)]
        if start is not None:
            return [Drag((start, end))]
        return [MouseDown(), Move(end.x, end.y), MouseUp()]

    def _scroll(self, name: str, given: Mapping[str, Json]) -> Scroll:
        pixels = _finite(given.get("pixels"), "pixels")
        if pixels == 0:
            raise InvalidInput("pixels must not be 0")
        notches = min(MAX_NOTCHES, max(1, math.floor(abs(pixels) / PIXELS_A_NOTCH + 0.5)))
        place = self._point(given) or self.pointer or middle(self.space.screen)
        if name == "hscroll":
            return Scroll(place.x, place.y, dx=notches if pixels > 0 else -notches)
        return Scroll(place.x, place.y, dy=-notches if pixels > 0 else notches)


def _finite(value: Json, name: str) -> float:
    if isinstance(value, str) and len(value) <= 20:
        try:
            value = float(value)
        except ValueError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} must be a number")
    if not abs(value) < 1e9:
        raise InvalidInput(f"{name} is out of range")
    return float(value)


def _other(name: str, given: Mapping[str, Json]) -> Action:
    match name:
        case "key":
            return Key(read_keys(given.get("keys")))
        case "type":
            return Type(_text(given))
        case "wait":
            seconds = given.get("time")
            return Wait(seconds=WAIT_SECONDS if seconds is None else _finite(seconds, "time"))
        case "screenshot":
            return Screenshot()
        case "interact":
            return Ask(_text(given))
        case "answer":
            return Done(text=_text(given))
    status = given.get("status", "success")
    if status not in ("success", "failure"):
        raise InvalidInput("status must be success or failure")
    return Done(status == "success", _text(given) if given.get("text") is not None else "")


def _text(given: Mapping[str, Json]) -> str:
    text = given.get("text")
    if not isinstance(text, str):
        raise InvalidInput("text is missing")
    return text


def named_action(action: Action, space: Space) -> list[tuple[str, dict[str, Json]]]:
    """Calls that do what an action does: tool and arguments."""
    if isinstance(action, CallTool):
        return [(action.name, dict(action.arguments))]
    return [("computer_use", arguments) for arguments in _written(action, space)]


def _pair(point: Point, space: Space) -> list[Json]:
    return [round(number) for number in space.to_model(point)]


def _written(action: Action, space: Space) -> list[dict[str, Json]]:
    match action:
        case Click():
            verb = {2: "double_click", 3: "triple_click"}.get(action.count)
            verb = verb if verb and action.button == "left" else f"{action.button}_click"
            return [{"action": verb, "coordinate": _pair(Point(action.x, action.y), space)}]
        case Move():
            return [_moved("mouse_move", Point(action.x, action.y), space)]
        case Drag():
            start = _moved("mouse_move", action.path[0], space)
            return [start, _moved("left_click_drag", action.path[-1], space)]
        case Scroll():
            return _scrolled(action, _pair(Point(action.x, action.y), space))
    return [_written_other(action)]


def _moved(name: str, point: Point, space: Space) -> dict[str, Json]:
    return {"action": name, "coordinate": _pair(point, space)}


def _scrolled(action: Scroll, place: list[Json]) -> list[dict[str, Json]]:
    pixels = {"scroll": -action.dy * PIXELS_A_NOTCH, "hscroll": action.dx * PIXELS_A_NOTCH}
    return [
        {"action": name, "coordinate": place, "pixels": value}
        for name, value in pixels.items()
        if value
    ]


def _written_other(action: Action) -> dict[str, Json]:
    match action:
        case Key():
            return {"action": "key", "keys": list(action.keys)}
        case Type():
            return {"action": "type", "text": action.text}
        case Wait() if action.seconds is not None:
            return {"action": "wait", "time": action.seconds}
        case Ask():
            return {"action": "interact", "text": action.question}
        case Done() if action.success and action.text:
            return {"action": "answer", "text": action.text}
        case Done():
            status = "success" if action.success else "failure"
            ended: dict[str, Json] = {"action": "terminate", "status": status}
            return ended | ({"text": action.text} if action.text else {})
    # What this family has no word for: time passed, and a picture follows.
    return {"action": "wait", "time": 1}
