"""A person as the model: sees the screen, and types the next action in a line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import MISSING, fields
from types import TracebackType
from typing import Self, cast, get_args, get_type_hints

from carrel.actions import (
    ACTIONS,
    Action,
    Click,
    Drag,
    Key,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
    describe,
)
from carrel.decisions import Call, Decision
from carrel.errors import CarrelError, InvalidInput, Unsupported
from carrel.geometry import Point
from carrel.intents import INTENTS, Done
from carrel.keys import parse_chord
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.picture import Picture

__all__ = ["HELP", "HumanModel", "ReadLine", "Show", "parse_line"]

ReadLine = Callable[[str], Awaitable[str]]
"""Asks the person for a line with a prompt; end of input raises EOFError."""
Show = Callable[[Context], Awaitable[None]]
"""Shows the person the screen and what came of the last step."""

HELP = """\
click X Y [left|right|middle] [COUNT]   double X Y   right X Y   move X Y
drag X Y X2 Y2 …   scroll X Y DY [DX]   type TEXT…   key ctrl+l
shot   wait SECONDS   open WHAT   shell COMMAND…   ask QUESTION…   note TEXT…
done [TEXT…]   fail [TEXT…]   ACTION field=value …   help"""


class HumanModel:
    """Asks a person for every step."""

    dialect = "human"
    wants_elements = False
    name = "human"

    def __init__(self, read_line: ReadLine, show: Show) -> None:
        self._read_line = read_line
        self._show = show

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """Ask until the line is an action."""
        await self._show(context)
        while True:
            try:
                line = (await self._read_line("next> ")).strip()
            except EOFError:
                return _decision(context, Done(False, "the person left"))
            if line in ("help", "?", ""):
                on_text(HELP + "\n")
                continue
            try:
                return _decision(context, parse_line(line))
            except CarrelError as error:
                on_text(f"{error.message}{f' ({error.hint})' if error.hint else ''}\n")

    async def locate(self, picture: Picture, description: str) -> Point:
        """Ask for a point."""
        raise Unsupported("ask a person for an action instead")


def _decision(context: Context, action: Action) -> Decision:
    return Decision(calls=(Call(f"line_{context.decided}", "line", (action,)),))


def parse_line(line: str) -> Action:
    """Read one line as an action.

    Raises:
        InvalidInput: It is none; the message says what is missing.
    """
    word, _, rest = line.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in ("type", "shell", "open", "ask", "note", "done", "fail") and not _has_fields(rest):
        return _with_text(word, rest)
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise InvalidInput(f"the quotes do not match: {error}") from None
    short = _SHORT.get(word)
    if short is not None and not any("=" in part for part in words):
        return short(words)
    return _with_fields(word, words)


def _has_fields(rest: str) -> bool:
    return re.match(r"(?:text|command|what|question|success)=", rest) is not None


def _with_text(word: str, text: str) -> Action:
    if word in ("done", "fail"):
        return Done(word == "done", text)
    cls = {**ACTIONS, **INTENTS}[word]
    if not text:
        raise InvalidInput(f"{word} needs a text")
    if word == "type":
        return Type(text.replace("\\n", "\n").replace("\\t", "\t"))
    name = next(item.name for item in fields(cls))
    return cls(**{name: text})


def _numbers(words: list[str], least: int) -> list[int]:
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        raise InvalidInput(f"{' '.join(words)!r} are not whole numbers") from None
    if len(numbers) < least:
        raise InvalidInput(f"{least} numbers are needed")
    return numbers


def _click(words: list[str], button: str = "left", count: int = 1) -> Action:
    x, y = _numbers(words[:2], 2)
    for word in words[2:]:
        if word.isdecimal():
            count = int(word)
        else:
            button = word
    if button not in ("left", "right", "middle", "back", "forward"):
        raise InvalidInput(f"there is no button {button!r}")
    return Click(x, y, button, count)  # type: ignore[arg-type]


def _drag(words: list[str]) -> Action:
    numbers = _numbers(words, 4)
    if len(numbers) % 2:
        raise InvalidInput("a path has an even number of numbers")
    return Drag(tuple(map(Point, numbers[::2], numbers[1::2])))


def _scroll(words: list[str]) -> Action:
    x, y, dy, dx = (*_numbers(words, 3), 0)[:4]
    return Scroll(x, y, dx, dy)


_SHORT: dict[str, Callable[[list[str]], Action]] = {
    "click": _click,
    "double": lambda words: _click(words, count=2),
    "right": lambda words: _click(words, "right"),
    "drag": _drag,
    "scroll": _scroll,
    "key": lambda words: Key(parse_chord(" ".join(words))),
    "move": lambda words: Move(*_numbers(words, 2)[:2]),
    "wait": lambda words: Wait(seconds=float(_numbers(words, 1)[0])),
    "shot": lambda _: Screenshot(),
}


def _with_fields(word: str, words: list[str]) -> Action:
    cls = {**ACTIONS, **INTENTS}.get(word)
    if cls is None:
        raise InvalidInput(f"there is no action {word[:40]!r}", hint="type help")
    hints = get_type_hints(cls)
    known = {item.name: item for item in fields(cls)}
    given: dict[str, object] = {}
    for part in words:
        name, equals, value = part.partition("=")
        if not equals or name not in known:
            shown = " ".join(f"{item}=…" for item in known) or "no fields"
            raise InvalidInput(f"{word}: {part!r} is not understood", hint=f"{word} {shown}")
        given[name] = _value(hints[name], value, f"{word}.{name}")
    missing = [
        item.name
        for item in known.values()
        if item.default is MISSING and item.default_factory is MISSING and item.name not in given
    ]
    if missing:
        raise InvalidInput(f"{word} needs {', '.join(missing)}", hint=describe(cls))
    return cls(**given)


def _value(hint: object, text: str, where: str) -> object:
    kinds = get_args(hint) or (hint,)
    if str in kinds or all(isinstance(kind, str) for kind in kinds):
        return text
    if bool in kinds and text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        if kind in kinds:
            try:
                return cast("type[int]", kind)(text)
            except ValueError:
                raise InvalidInput(f"{where}: {text!r} is not a number") from None
    raise InvalidInput(f"{where} cannot be given in a line")
