"""What an agent of an environment can do, as a space, and as actions of Carrel."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import TYPE_CHECKING

from carrel.actions import Action, Click, Drag, Key, Move, Scroll, Type, Wait
from carrel.errors import InvalidInput
from carrel.geometry import Point, Size
from carrel.intents import decode_any
from carrel.keys import parse_chord

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["KEYS", "KINDS", "move_space", "read_move"]

KINDS = ("wait", "click", "double", "right", "move", "drag", "scroll", "type", "key")
"""What `kind` numbers."""

KEYS = (
    *("enter", "tab", "shift+tab", "esc", "backspace", "delete", "space"),
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
    *("ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+z"),
)
"""What `key` numbers."""

LETTERS = string.ascii_letters + string.digits + string.punctuation + " "
"""What a text of the space is made of; a text given otherwise may hold anything."""

MOST_NOTCHES = 10
MOST_TEXT = 200
PAUSE = 0.2


def move_space(size: Size) -> spaces.Dict:
    """The space of moves on a screen of that size."""
    from gymnasium import spaces

    return spaces.Dict(
        {
            "kind": spaces.Discrete(len(KINDS)),
            "x": spaces.Discrete(size.width),
            "y": spaces.Discrete(size.height),
            "to_x": spaces.Discrete(size.width),
            "to_y": spaces.Discrete(size.height),
            "notches": spaces.Discrete(2 * MOST_NOTCHES + 1, start=-MOST_NOTCHES),
            "key": spaces.Discrete(len(KEYS)),
            "text": spaces.Text(MOST_TEXT, charset=LETTERS),
        }
    )


def read_move(move: object) -> tuple[Action, ...]:
    """A move as actions: of the space, an `Action`, several, or one as a JSON object.

    Raises:
        InvalidInput: It is none of these; the message says what is wrong.
    """
    if isinstance(move, Action):
        return (move,)
    if isinstance(move, list | tuple) and move and all(isinstance(m, Action) for m in move):
        return tuple(move)
    if isinstance(move, Mapping) and "type" in move:
        return (decode_any(dict(move)),)
    if isinstance(move, Mapping) and "kind" in move:
        return (_of_space(move),)
    raise InvalidInput(
        f"{str(move)[:80]!r} is not a move",
        hint="take one of action_space, a carrel.Action, or its JSON object",
    )


def _of_space(move: Mapping[str, object]) -> Action:
    number = _number(move, "kind")
    if not 0 <= number < len(KINDS):
        raise InvalidInput(f"kind goes from 0 to {len(KINDS) - 1}, not {number}")
    kind = KINDS[number]
    if kind == "wait":
        return Wait(seconds=PAUSE)
    if kind == "type":
        return Type(str(move.get("text", "")))
    if kind == "key":
        key = _number(move, "key")
        if not 0 <= key < len(KEYS):
            raise InvalidInput(f"key goes from 0 to {len(KEYS) - 1}, not {key}")
        return Key(parse_chord(KEYS[key]))
    return _pointing(kind, move)


def _pointing(kind: str, move: Mapping[str, object]) -> Action:
    x, y = _number(move, "x"), _number(move, "y")
    if kind == "move":
        return Move(x, y)
    if kind == "drag":
        return Drag((Point(x, y), Point(_number(move, "to_x"), _number(move, "to_y"))))
    if kind == "scroll":
        notches = _number(move, "notches")
        # The space is a whole range: no notch at all is a pause.
        return Scroll(x, y, 0, notches) if notches else Wait(seconds=PAUSE)
    if kind == "right":
        return Click(x, y, "right")
    return Click(x, y, count=2 if kind == "double" else 1)


def _number(move: Mapping[str, object], name: str) -> int:
    value = move.get(name, 0)
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} is a whole number, not {str(value)[:40]!r}") from None
