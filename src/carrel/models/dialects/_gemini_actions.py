"""The predefined functions of Gemini's computer use, read and written.

Places are thousandths of the screen. The models up to 3.1 know a browser's functions, later ones
those of a desktop; what a browser does is done here with keys and by opening the address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from carrel.actions import (
    Action,
    Button,
    Click,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Open,
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.dialects._history import NOTCH, chord, key_presses, notches
from carrel.models.dialects._wire import boolean, number, string, texts
from carrel.models.space import Space

__all__ = [
    "BLANK",
    "BROWSER",
    "DESKTOP",
    "FUNCTIONS",
    "Written",
    "read_function",
    "write_browser",
    "write_desktop",
]

Given = Mapping[str, Json]
Actions = tuple[Action, ...]

EVERYWHERE = frozenset({"intent", "safety_decision"})
SCHEMES = ("http", "https", "file", "about")
SEARCH = "https://www.google.com/"
BLANK = "about:blank"
LAST = 999

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:/|$))")
_CLICKS: dict[str, tuple[Button, int]] = {
    "click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "middle_click": ("middle", 1),
    "right_click": ("right", 1),
}
_CLICK_NAMES = {meaning: name for name, meaning in _CLICKS.items()}
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass(frozen=True, slots=True)
class Function:
    """A predefined function.

    Attributes:
        arguments: Names of all arguments it may have.
        needs: Types of the actions it may come to.
    """

    read: Callable[[Given, Space], Actions]
    arguments: frozenset[str]
    needs: frozenset[str]


def read_function(name: str, given: Given, space: Space) -> Actions:
    """What a call of a predefined function means.

    Raises:
        InvalidInput: There is no such function, or it is not called like this.
    """
    function = FUNCTIONS.get(name)
    if function is None:
        raise InvalidInput(f"there is no function {name[:60]!r}")
    unknown = set(given) - function.arguments - EVERYWHERE
    if unknown:
        raise InvalidInput(f"{name} has no argument {min(unknown)[:60]!r}")
    return function.read(given, space)


def _point(given: Given, space: Space, x: str = "x", y: str = "y") -> Point:
    return space.to_screen(number(given, x), number(given, y))


def _click(button: Button, count: int) -> Callable[[Given, Space], Actions]:
    def read(given: Given, space: Space) -> Actions:
        at = _point(given, space)
        return (Click(at.x, at.y, button, count),)

    return read


def _move(given: Given, space: Space) -> Actions:
    at = _point(given, space)
    return (Move(at.x, at.y),)


def _mouse_down(given: Given, space: Space) -> Actions:
    return (*_move(given, space), MouseDown())


def _mouse_up(given: Given, space: Space) -> Actions:
    return (*_move(given, space), MouseUp())


def _long_press(given: Given, space: Space) -> Actions:
    pause = Wait(seconds=float(number(given, "seconds", 2)))
    return (*_mouse_down(given, space), pause, MouseUp())


def _type_text_at(given: Given, space: Space) -> Actions:
    at = _point(given, space)
    clear = boolean(given, "clear_before_typing", True)
    emptied: Actions = (Key(("ctrl", "a")), Key(("backspace",))) if clear else ()
    return (Click(at.x, at.y), *emptied, *_typed(given, enter=True))


def _type(given: Given, space: Space) -> Actions:
    placed = given.get("x") is not None or given.get("y") is not None
    at = _click("left", 1)(given, space) if placed else ()
    return (*at, *_typed(given, enter=False))


def _typed(given: Given, *, enter: bool) -> Actions:
    text = Type(string(given, "text"))
    return (text, Key(("enter",))) if boolean(given, "press_enter", enter) else (text,)


def _drag_and_drop(given: Given, space: Space) -> Actions:
    if "destination_x" in given:
        start, end = _point(given, space), _point(given, space, "destination_x", "destination_y")
    else:
        start = _point(given, space, "start_x", "start_y")
        end = _point(given, space, "end_x", "end_y")
    return (Drag((start, end)),)


def _wait(given: Given, _space: Space) -> Actions:
    return (Wait(seconds=float(number(given, "seconds", 1))),)


def _press_key(given: Given, _space: Space) -> Actions:
    return key_presses(string(given, "key"))


def _key_down(given: Given, _space: Space) -> Actions:
    return (KeyDown(string(given, "key")),)


def _key_up(given: Given, _space: Space) -> Actions:
    return (KeyUp(string(given, "key")),)


def _keys(given: Given, _space: Space) -> Actions:
    if isinstance(given.get("keys"), str):
        return key_presses(string(given, "keys"))
    return (Key(chord(*texts(given, "keys"))),)


def _direction(given: Given) -> tuple[int, int]:
    direction = string(given, "direction")
    if direction not in _DIRECTIONS:
        raise InvalidInput(f"direction must be one of {', '.join(_DIRECTIONS)}")
    return _DIRECTIONS[direction]


def _turned(at: Point, way: tuple[int, int], amount: int) -> Actions:
    if amount < 1:
        raise InvalidInput("a scroll of nothing does nothing", hint="give a larger magnitude")
    return (Scroll(at.x, at.y, way[0] * amount, way[1] * amount),)


def _scroll(given: Given, space: Space) -> Actions:
    if given.get("magnitude_in_wheel_clicks") is not None:
        amount = int(number(given, "magnitude_in_wheel_clicks"))
    else:
        amount = notches(number(given, "magnitude_in_pixels", 300))
    return _turned(_point(given, space), _direction(given), amount)


def _scroll_at(given: Given, space: Space) -> Actions:
    way = _direction(given)
    # Their magnitude is in thousandths of the screen, as everything else is.
    side = space.screen.width if way[0] else space.screen.height
    amount = notches(number(given, "magnitude", 800) * side / 1000)
    return _turned(_point(given, space), way, amount)


def _scroll_document(given: Given, space: Space) -> Actions:
    return _scroll_at({"x": 500, "y": 500, **given}, space)


def _navigate(given: Given, _space: Space) -> Actions:
    url = string(given, "url").strip()
    scheme = _SCHEME.match(url)
    if scheme is None:
        # `Open` would take a bare word for the name of a program.
        url = f"https://{url}"
    elif scheme[1].lower() not in SCHEMES:
        raise InvalidInput(
            f"{scheme[1][:20]}: is not opened", hint=f"use one of {', '.join(SCHEMES)}"
        )
    if not url.partition(":")[2].strip("/"):
        raise InvalidInput("there is no URL to go to")
    return (Open(url),)


def _open_app(given: Given, _space: Space) -> Actions:
    return (Open(string(given, "app_name")),)


def _always(*actions: Action) -> Callable[[Given, Space], Actions]:
    return lambda _given, _space: actions


def _function(read: Callable[[Given, Space], Actions], arguments: str, needs: str) -> Function:
    return Function(read, frozenset(arguments.split()), frozenset(needs.split()))


FUNCTIONS: dict[str, Function] = {
    # Of the desktop, some of them also of the browser.
    **{name: _function(_click(*kind), "x y", "click") for name, kind in _CLICKS.items()},
    "mouse_down": _function(_mouse_down, "x y", "move mouse_down"),
    "mouse_up": _function(_mouse_up, "x y", "move mouse_up"),
    "move": _function(_move, "x y", "move"),
    "type": _function(_type, "text press_enter x y", "type key"),
    "drag_and_drop": _function(
        _drag_and_drop,
        "start_x start_y end_x end_y x y destination_x destination_y",
        "drag",
    ),
    "wait": _function(_wait, "seconds", "wait"),
    "press_key": _function(_press_key, "key", "key"),
    "key_down": _function(_key_down, "key", "key_down"),
    "key_up": _function(_key_up, "key", "key_up"),
    "hotkey": _function(_keys, "keys", "key"),
    "take_screenshot": _function(_always(Screenshot()), "", "screenshot"),
    "scroll": _function(
        _scroll, "x y direction magnitude_in_pixels magnitude_in_wheel_clicks", "scroll"
    ),
    # Of the browser.
    "open_web_browser": _function(_always(Open(BLANK)), "", "open"),
    "wait_5_seconds": _function(_always(Wait(seconds=5)), "", "wait"),
    "go_back": _function(_always(Key(("alt", "left"))), "", "key"),
    "go_forward": _function(_always(Key(("alt", "right"))), "", "key"),
    "search": _function(_always(Open(SEARCH)), "", "open"),
    "navigate": _function(_navigate, "url", "open"),
    "click_at": _function(_click("left", 1), "x y", "click"),
    "hover_at": _function(_move, "x y", "move"),
    "type_text_at": _function(
        _type_text_at, "x y text press_enter clear_before_typing", "click key type"
    ),
    "key_combination": _function(_keys, "keys", "key"),
    "scroll_document": _function(_scroll_document, "direction", "scroll"),
    "scroll_at": _function(_scroll_at, "x y direction magnitude", "scroll"),
    # Of phones: only those that mean something here.
    "long_press": _function(_long_press, "x y seconds", "move mouse_down wait mouse_up"),
    "open_app": _function(_open_app, "app_name", "open"),
}
"""Every predefined function that can be carried out."""

BROWSER = (
    "open_web_browser",
    "wait_5_seconds",
    "go_back",
    "go_forward",
    "search",
    "navigate",
    "click_at",
    "hover_at",
    "type_text_at",
    "key_combination",
    "scroll_document",
    "scroll_at",
    "drag_and_drop",
)
"""The functions of models of browsers."""

DESKTOP = (
    *_CLICKS,
    "mouse_down",
    "mouse_up",
    "move",
    "type",
    "drag_and_drop",
    "wait",
    "press_key",
    "key_down",
    "key_up",
    "hotkey",
    "take_screenshot",
    "scroll",
)
"""The functions of models of desktops."""

Written = tuple[str, dict[str, Json]]


def write_desktop(action: Action, space: Space) -> Written | None:
    """The function of the desktop that means the action; None when none means exactly that."""
    match action:
        case Click(modifiers=()) if (action.button, action.count) in _CLICK_NAMES:
            return _CLICK_NAMES[action.button, action.count], _at(action.x, action.y, space)
        case Move():
            return "move", _at(action.x, action.y, space)
        case Drag(path=(start, end)) if action == Drag(action.path):
            return "drag_and_drop", {
                **_at(start.x, start.y, space, "start_x", "start_y"),
                **_at(end.x, end.y, space, "end_x", "end_y"),
            }
        case Scroll(modifiers=()) if not (action.dx and action.dy) and _amount(action) <= 9:
            distance = _amount(action) * NOTCH
            where = {**_at(action.x, action.y, space), "direction": _way(action)}
            return "scroll", {**where, "magnitude_in_pixels": distance}
        case _:
            return _write_keys(action)


def _write_keys(action: Action) -> Written | None:
    match action:
        case Type():
            return "type", {"text": action.text}
        case Key(keys=(key,), repeat=1, hold=0.0):
            return "press_key", {"key": key}
        case Key(repeat=1, hold=0.0):
            return "hotkey", {"keys": list(action.keys)}
        case KeyDown():
            return "key_down", {"key": action.key}
        case KeyUp():
            return "key_up", {"key": action.key}
        case Screenshot() if action == Screenshot():
            return "take_screenshot", {}
        case Wait(seconds=float() | int() as seconds) if action == Wait(seconds):
            return "wait", {"seconds": seconds}
        case _:
            return None


def write_browser(action: Action, space: Space) -> Written | None:
    """The function of the browser that means the action; None when none means exactly that."""
    match action:
        case Click(button="left", count=1, modifiers=()):
            return "click_at", _at(action.x, action.y, space)
        case Move():
            return "hover_at", _at(action.x, action.y, space)
        case Drag(path=(start, end)) if action == Drag(action.path):
            return "drag_and_drop", {
                **_at(start.x, start.y, space),
                **_at(end.x, end.y, space, "destination_x", "destination_y"),
            }
        case Scroll(modifiers=()) if not (action.dx and action.dy):
            side = space.screen.width if action.dx else space.screen.height
            magnitude = round(_amount(action) * NOTCH * 1000 / side)
            where = {**_at(action.x, action.y, space), "direction": _way(action)}
            return ("scroll_at", {**where, "magnitude": magnitude}) if magnitude <= LAST else None
        case Key(repeat=1, hold=0.0):
            return "key_combination", {"keys": "+".join(action.keys)}
        case Wait() if action == Wait(seconds=5):
            return "wait_5_seconds", {}
        case Open(what=what, arguments=()) if what.startswith(("http://", "https://")):
            return "navigate", {"url": what}
        case _:
            return None


def _amount(action: Scroll) -> int:
    return abs(action.dx or action.dy)


def _way(action: Scroll) -> str:
    if action.dy:
        return "down" if action.dy > 0 else "up"
    return "right" if action.dx > 0 else "left"


def _at(x: int, y: int, space: Space, x_name: str = "x", y_name: str = "y") -> dict[str, Json]:
    to_x, to_y = cast("tuple[int, int]", space.to_model(Point(x, y)))
    return {x_name: min(to_x, LAST), y_name: min(to_y, LAST)}
