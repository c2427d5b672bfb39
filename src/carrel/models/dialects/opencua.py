"""OpenCUA: pyautogui code in a fence, of which only known calls with literals are understood.

The Qwen2.5-based models (7B, 32B, 72B) count in pixels of the picture as their image processor
scales it, the earlier ones (A3B, Qwen2-7B) from 0 to 1. See docs of xlang-ai/OpenCUA.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

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
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.intents import CallTool, Done
from carrel.models.context import Context
from carrel.models.dialect import Request
from carrel.models.dialects._text import (
    Grid,
    Reading,
    TextDialect,
    extras,
    split_thinking,
    tool_words,
)
from carrel.models.dialects._text_calls import Literal, Written, quote, read_calls
from carrel.models.dialects._text_locate import locate_request, located, whole_answer
from carrel.models.dialects._text_points import last_pointer, middle, read_keys
from carrel.models.dialects.uitars import read_tool, write_tool
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["OpenCUA", "OpenCUARelative"]

WAIT_SECONDS = 5.0

_FENCE = re.compile(r"```(?:python|code|py)?\s(.*?)(?:```|\Z)", re.DOTALL)
_LINE = re.compile(r"^[ \t]*(?=(?:pyautogui|computer)\.\w+\()", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?(?:Thought|Action|Observation|Code)[ \t]*:?[ \t]*$", re.MULTILINE
)
_IMPORT = re.compile(r"^[ \t]*import (?:pyautogui|time)[ \t]*$", re.MULTILINE)

_PROMPT = """\
You are a GUI agent. You are given a task and a screenshot of the screen. You need to perform a \
series of pyautogui actions to complete the task.

For each step, provide your response in this format:

Thought:
  - Step by step progress assessment: what is done, what went wrong, what comes next
  - Next action analysis: possible next actions, and the most logical one

Action:
  Clear, concise, and actionable instructions: name the target without coordinates

Code:
  The action as PyAutoGUI code in a ```python fence, or one of the following functions:
- computer.triple_click(x, y): triple click on the screen
- computer.wait(): wait for the screen to change
- computer.terminate(status="success" or "failure", answer="what the user wants to know"): end the \
task{tools}{extras}

# Task Instruction:
{task}

Please generate the next move according to the screenshot, task instruction and previous steps."""

_LOCATE = (
    "You are a GUI agent. You are given a task and a screenshot of the screen. "
    "You need to perform a series of pyautogui actions to complete the task."
)


class OpenCUA(TextDialect):
    """The models built on Qwen2.5-VL: 7B, 32B, 72B."""

    name: ClassVar[str] = "opencua"
    grid: ClassVar[Grid] = Grid("pixels")

    def prompt(self, context: Context) -> str:
        """The prompt for thought, action and code, with the task."""
        return _PROMPT.format(
            tools=tool_words(context, "computer.tool(name='NAME', arguments='{…JSON…}')"),
            extras=extras(context),
            task=context.task,
        )

    def read(self, text: str, context: Context) -> Reading:
        """The code of an answer; plain words when there is none."""
        thinking, rest = split_thinking(text)
        before, code = _code(rest)
        if code is None:
            return Reading(thinking, rest.strip())
        reader = _Reader(context, self.grid.space(context.screen))
        actions = [
            action
            for call in read_calls(_IMPORT.sub("", code), strict=True)
            for action in reader.actions(call)
        ]
        if not actions:
            raise InvalidInput("the code does nothing", hint="write one pyautogui call")
        words = _HEADING.sub("", before).strip()
        return Reading("\n".join(filter(None, (thinking, words))), "", tuple(actions))

    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer in the family's own form."""
        code = "\n".join(line for action in actions for line in _write(action, space))
        return f"Thought:\n{thought}\n\nCode:\n```python\n{code}\n```"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        words = f"Click on: {description}"
        return locate_request(model, picture, self.grid, words, system=_LOCATE)

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        """The point on the screen; raises `ActionFailed` when the answer holds none."""
        text = whole_answer(body)
        return located(lambda: _first_point(text), picture, self.grid)


class OpenCUARelative(OpenCUA):
    """The models of the first release: A3B (Kimi-VL) and Qwen2-7B."""

    name: ClassVar[str] = "opencua-relative"
    grid: ClassVar[Grid] = Grid("unit")


def _code(text: str) -> tuple[str, str | None]:
    fences = list(_FENCE.finditer(text))
    if fences:
        return text[: fences[0].start()], "\n".join(fence[1] for fence in fences)
    line = _LINE.search(text)
    return (text[: line.start()], text[line.start() :]) if line else (text, None)


def _first_point(text: str) -> list[Literal]:
    _, code = _code(text)
    for call in read_calls(_IMPORT.sub("", code or ""), strict=True):
        return list(_xy(call))
    raise InvalidInput("there is no code")


def _arguments(call: Written, *names: str) -> dict[str, Literal]:
    """Positional and named arguments by name; names of looks and timing are left out.

    Raises:
        InvalidInput: There are too many, or one is unknown.
    """
    if len(call.positional) > len(names):
        raise InvalidInput(f"{call.name} takes at most {len(names)} arguments")
    given = dict(zip(names, call.positional, strict=False))
    for name, value in call.keywords.items():
        if name in given:
            raise InvalidInput(f"{call.name}: {name!r} is given twice")
        if name not in names and name not in _TIMING:
            raise InvalidInput(f"{call.name} has no argument {name!r}")
        given[name] = value
    return {name: value for name, value in given.items() if name not in _TIMING}


_TIMING = ("duration", "interval", "tween", "logScreenshot", "_pause", "mouseDownUp")


def _xy(call: Written) -> tuple[Literal, Literal]:
    given = _arguments(call, "x", "y", "clicks", "interval", "button")
    if isinstance(given.get("x"), list):
        pair = given["x"]
        if isinstance(pair, list) and len(pair) == 2:
            return pair[0], pair[1]
    return given.get("x"), given.get("y")


def _int(value: Literal, name: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not -100_000 <= value <= 100_000:
        raise InvalidInput(f"{name} must be a whole number, not {str(value)[:20]!r}")
    return value


def _button(value: Literal) -> Button:
    buttons: dict[object, Button] = {"left": "left", "right": "right", "middle": "middle"}
    found = buttons.get(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput(f"there is no button {str(value)[:20]!r}")
    return found


class _Reader:
    """Turns known pyautogui calls into actions; follows where they leave the pointer."""

    def __init__(self, context: Context, space: Space) -> None:
        self.space = space
        self.pointer = last_pointer(context)

    def actions(self, call: Written) -> list[Action]:
        reader = _CALLS.get(call.name)
        if reader is None:
            raise InvalidInput(
                f"{call.name} is not understood", hint=f"known calls: {', '.join(_CALLS)}"
            )
        return reader(self, call)

    def place(self, x: Literal, y: Literal) -> Point | None:
        """The given point, or None when none is given."""
        if x is None and y is None:
            return None
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            raise InvalidInput("x and y must be numbers")
        self.pointer = self.space.to_screen(x, y)
        return self.pointer

    def click(self, call: Written, button: Button = "left", count: int = 1) -> list[Action]:
        given = _arguments(call, "x", "y", "clicks", "interval", "button")
        count = _int(given.get("clicks", count), "clicks")
        button = _button(given.get("button", button))
        point = self.place(*_xy(call)) or self.pointer
        if point is not None:
            return [Click(point.x, point.y, button, count)]
        return [press(button) for _ in range(min(count, 10)) for press in (MouseDown, MouseUp)]

    def move(self, call: Written) -> list[Action]:
        point = self.place(*_xy(call))
        if point is None:
            raise InvalidInput(f"{call.name} needs x and y")
        return [Move(point.x, point.y)]

    def drag(self, call: Written) -> list[Action]:
        given = _arguments(call, "x", "y", "duration", "tween", "button")
        button, start = _button(given.get("button", "left")), self.pointer
        end = self.place(*_xy(Written(call.name, call.positional[:2], _only_xy(call))))
        if end is None:
            raise InvalidInput("dragTo needs x and y")
        if start is not None:
            return [Drag((start, end), button)]
        return [MouseDown(button), Move(end.x, end.y), MouseUp(button)]

    def scroll(self, call: Written) -> list[Action]:
        given = _arguments(call, "clicks", "x", "y")
        clicks = _int(given.get("clicks"), "clicks")
        place = self.place(given.get("x"), given.get("y")) or self.pointer
        place = place or middle(self.space.screen)
        if call.name == "pyautogui.hscroll":
            return [Scroll(place.x, place.y, dx=clicks)]
        # pyautogui counts notches, positive is up.
        return [Scroll(place.x, place.y, dy=-clicks)]

    def mouse(self, call: Written) -> list[Action]:
        given = _arguments(call, "x", "y", "button")
        button = _button(given.get("button", "left"))
        point = self.place(given.get("x"), given.get("y"))
        moved: list[Action] = [Move(point.x, point.y)] if point else []
        press = MouseDown if call.name == "pyautogui.mouseDown" else MouseUp
        return [*moved, press(button)]


def _only_xy(call: Written) -> dict[str, Literal]:
    return {name: value for name, value in call.keywords.items() if name in ("x", "y")}


def _type(_: _Reader, call: Written) -> list[Action]:
    text = _arguments(call, "message", "interval").get("message")
    if not isinstance(text, str):
        raise InvalidInput(f"{call.name} needs a quoted text")
    return [Type(text)]


def _press(_: _Reader, call: Written) -> list[Action]:
    given = _arguments(call, "keys", "presses", "interval")
    keys = given.get("keys")
    presses = _int(given.get("presses", 1), "presses")
    listed = keys if isinstance(keys, list) else [keys]
    return [Key(read_keys(key), repeat=presses) for key in listed]


def _hotkey(_: _Reader, call: Written) -> list[Action]:
    keys = call.positional or (call.keywords.get("args"),)
    listed = keys[0] if len(keys) == 1 and isinstance(keys[0], list) else list(keys)
    return [Key(read_keys(listed))]


def _key_down(_: _Reader, call: Written) -> list[Action]:
    (key,) = read_keys(_arguments(call, "key").get("key"))[:1]
    return [KeyDown(key) if call.name.endswith("Down") else KeyUp(key)]


def _wait(_: _Reader, call: Written) -> list[Action]:
    seconds = _arguments(call, "seconds").get("seconds", WAIT_SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise InvalidInput(f"{call.name} needs a number of seconds")
    return [Wait(seconds=float(seconds))]


def _terminate(_: _Reader, call: Written) -> list[Action]:
    given = _arguments(call, "status", "answer")
    status, answer = given.get("status", "success"), given.get("answer", "")
    if status not in ("success", "failure"):
        raise InvalidInput("status must be success or failure")
    return [Done(status == "success", answer if isinstance(answer, str) else str(answer))]


_CALLS: Mapping[str, Callable[[_Reader, Written], list[Action]]] = {
    "pyautogui.click": _Reader.click,
    "pyautogui.leftClick": _Reader.click,
    "pyautogui.doubleClick": lambda reader, call: reader.click(call, count=2),
    "pyautogui.tripleClick": lambda reader, call: reader.click(call, count=3),
    "pyautogui.rightClick": lambda reader, call: reader.click(call, "right"),
    "pyautogui.middleClick": lambda reader, call: reader.click(call, "middle"),
    "pyautogui.moveTo": _Reader.move,
    "pyautogui.dragTo": _Reader.drag,
    "pyautogui.scroll": _Reader.scroll,
    "pyautogui.vscroll": _Reader.scroll,
    "pyautogui.hscroll": _Reader.scroll,
    "pyautogui.mouseDown": _Reader.mouse,
    "pyautogui.mouseUp": _Reader.mouse,
    "pyautogui.write": _type,
    "pyautogui.typewrite": _type,
    "pyautogui.press": _press,
    "pyautogui.hotkey": _hotkey,
    "pyautogui.keyDown": _key_down,
    "pyautogui.keyUp": _key_down,
    "pyautogui.sleep": _wait,
    "time.sleep": _wait,
    "computer.wait": _wait,
    "computer.triple_click": lambda reader, call: reader.click(call, count=3),
    "computer.tripleClick": lambda reader, call: reader.click(call, count=3),
    "computer.terminate": _terminate,
    "computer.tool": lambda _, call: [read_tool(call)],
}


def _pair(point: Point, space: Space) -> str:
    x, y = space.to_model(point)
    return f"x={_number(x)}, y={_number(y)}"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def _write(action: Action, space: Space) -> list[str]:
    match action:
        case Click():
            return [_write_click(action, _pair(Point(action.x, action.y), space))]
        case Move():
            return [f"pyautogui.moveTo({_pair(Point(action.x, action.y), space)})"]
        case Drag():
            end = _pair(action.path[-1], space)
            start = _pair(action.path[0], space)
            return [
                f"pyautogui.moveTo({start})",
                f"pyautogui.dragTo({end}, button={quote(action.button)})",
            ]
        case Scroll():
            place = _pair(Point(action.x, action.y), space)
            lines = [f"pyautogui.scroll({-action.dy}, {place})"] if action.dy else []
            return lines + ([f"pyautogui.hscroll({action.dx}, {place})"] if action.dx else [])
        case MouseDown():
            return [f"pyautogui.mouseDown(button={quote(action.button)})"]
        case MouseUp():
            return [f"pyautogui.mouseUp(button={quote(action.button)})"]
    return [_write_other(action)]


def _write_click(action: Click, place: str) -> str:
    if action.count == 3:
        return f"computer.triple_click({place})"
    if action.button != "left" or action.count > 2:
        return f"pyautogui.click({place}, clicks={action.count}, button={quote(action.button)})"
    return f"pyautogui.{'doubleClick' if action.count == 2 else 'click'}({place})"


def _write_other(action: Action) -> str:
    match action:
        case Key() if len(action.keys) == 1:
            presses = f", presses={action.repeat}" if action.repeat > 1 else ""
            return f"pyautogui.press({quote(action.keys[0])}{presses})"
        case Key():
            return f"pyautogui.hotkey({', '.join(map(quote, action.keys))})"
        case KeyDown():
            return f"pyautogui.keyDown({quote(action.key)})"
        case KeyUp():
            return f"pyautogui.keyUp({quote(action.key)})"
        case Type():
            return f"pyautogui.write(message={quote(action.text)})"
        case Done():
            status = "success" if action.success else "failure"
            return f"computer.terminate(status='{status}', answer={quote(action.text)})"
        case CallTool():
            return f"computer.{write_tool(action)}"
    # What this family has no word for: time passed, and a picture follows.
    return "computer.wait()"
