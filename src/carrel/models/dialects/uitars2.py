"""UI-TARS 2 and Seed: `<seed:tool_call><function=click><parameter=point>…`.

They count in thousandths. `press` holds a key until `release`, as in bytedance's own parser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.intents import Ask, CallTool, Done
from carrel.models.context import Context, ToolSpec
from carrel.models.dialects._text import Grid, Reading, TextDialect, extras
from carrel.models.dialects._text_functions import Tagged, between, read_functions, write_function
from carrel.models.dialects._text_json import read_value
from carrel.models.dialects._text_points import (
    direction_of,
    last_pointer,
    middle,
    read_keys,
    read_point,
    scroll_by,
)
from carrel.models.space import Space

__all__ = ["UITars2"]

NOTCHES = 5
WAIT_SECONDS = 5
_START, _END = "<seed:tool_call>", "</seed:tool_call>"
_THINKING = ("think_never_used_51bce0c785ca2f68081bfa7d91973934", "seed:think", "gui_think")
"""Names of the tags that hold the reasoning, by version of the model."""

_POINT = "The format is: <point>x y</point>"
_HERE = f"If not specified, default to execute on the current mouse position. {_POINT}"
_BUTTON = "left or right. Default to left."
_BUTTONS: Mapping[str, Button] = {"left": "left", "right": "right", "middle": "middle"}

# Type of action, name, description, parameters (a name with * is required).
_FUNCTIONS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("click", "click", "Mouse left single click action.", {"point*": _POINT}),
    ("click", "left_double", "Mouse left double click action.", {"point*": _POINT}),
    ("click", "right_single", "Mouse right single click action.", {"point*": _POINT}),
    ("scroll", "scroll", "Scroll action.", {"point": _HERE, "direction*": "up, down, left, right"}),
    ("move", "move_to", "Mouse move action.", {"point*": _POINT}),
    ("drag", "drag", "Left button drag.", {"start_point*": _POINT, "end_point*": _POINT}),
    ("mouse_down", "mouse_down", "Mouse down action.", {"point": _HERE, "button": _BUTTON}),
    ("mouse_up", "mouse_up", "Mouse up action.", {"point": _HERE, "button": _BUTTON}),
    ("key", "hotkey", "Press hotkey.", {"key*": "Split keys with a space and use lowercase."}),
    ("key_down", "press", "Press a key and hold it.", {"key*": "Only one key at one time."}),
    ("key_up", "release", "Release a key.", {"key*": "Only one key at one time."}),
    ("type", "type", "Type content.", {"content*": "To submit your input, use \\n at its end."}),
    ("wait", "wait", "Wait for a while.", {"time": "Wait time in seconds."}),
    ("screenshot", "take_screenshot", "Take screenshot.", {}),
    ("ask", "call_user", "Ask the user for help.", {"content": "What the user is told."}),
    ("done", "finished", "Complete the task.", {"content": "The final answer or response."}),
)

_PROMPT = """\
You are provided with a task description, a history of previous actions, and corresponding \
screenshots. Your goal is to perform the next action to complete the task. If performing the same \
action multiple times results in a static screen with no changes, attempt a modified or \
alternative action.

## Function Definition

- You have access to the following functions:

{functions}

- To call a function, use the following structure without any suffix:

<gui_think> reasoning process </gui_think>
<seed:tool_call><function=example_function_name><parameter=example_parameter_1>value_1\
</parameter><parameter=example_parameter_2>multiline...
</parameter></function></seed:tool_call>

## Important Notes
- Function calls must begin with <function= and end with </function>.
- All required parameters must be explicitly provided.
- You can execute multiple actions within a single tool call, one <function=…> after the other.\
{extras}

## Task
{task}"""


class UITars2(TextDialect):
    """UI-TARS 2 and the Seed models that speak its form."""

    name: ClassVar[str] = "ui-tars-2"
    grid: ClassVar[Grid] = Grid("thousand")

    def prompt(self, context: Context) -> str:
        """The official prompt with the functions of the context."""
        allowed = context.actions
        offered = [
            _schema(name, words, parameters)
            for kind, name, words, parameters in _FUNCTIONS
            if allowed is None or kind == "done" or kind in allowed
        ]
        offered += [_tool_schema(tool) for tool in context.tools]
        functions = "\n\n".join(json.dumps(schema, ensure_ascii=False) for schema in offered)
        return _PROMPT.format(functions=functions, extras=extras(context), task=context.task)

    def read(self, text: str, context: Context) -> Reading:
        """Reasoning and functions of an answer."""
        thought, rest = _split(text)
        blocks = list(between(rest, _START, _END))
        if not blocks and "<function=" not in rest:
            return Reading(thought, rest.strip())
        functions = [f for block in blocks or [rest] for f in read_functions(block)]
        if not functions:
            raise InvalidInput("the tool call holds no function", hint="write <function=NAME>…")
        reader = _Reader(context, self.grid.space(context.screen))
        actions = [action for function in functions for action in reader.actions(function)]
        words = rest.partition(_START)[0] if blocks else ""
        return Reading("\n".join(filter(None, (thought, words.strip()))), "", tuple(actions))

    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer in the family's own form."""
        think = f"<gui_think> {thought} </gui_think>\n" if thought else ""
        calls = "".join(_write(action, space) for action in actions)
        return f"{think}{_START}{calls}{_END}"


def _schema(name: str, words: str, parameters: Mapping[str, str]) -> dict[str, Json]:
    properties: dict[str, Json] = {
        key.rstrip("*"): {"type": "string", "description": text} for key, text in parameters.items()
    }
    required: list[Json] = [key[:-1] for key in parameters if key.endswith("*")]
    return {
        "type": "function",
        "name": name,
        "parameters": {"type": "object", "properties": properties, "required": required},
        "description": words,
    }


def _tool_schema(tool: ToolSpec) -> dict[str, Json]:
    return {
        "type": "function",
        "name": tool.name,
        "parameters": dict(tool.schema),
        "description": tool.description,
    }


def _split(text: str) -> tuple[str, str]:
    """Separate the reasoning tags of every version from the rest."""
    thoughts = []
    for tag in _THINKING:
        head, opened, inner = text.partition(f"<{tag}>")
        if not opened:
            continue
        thought, closed, rest = inner.partition(f"</{tag}>")
        thoughts.append(thought.strip())
        text = head + rest if closed else head
    return "\n".join(thoughts), text.strip()


class _Reader:
    def __init__(self, context: Context, space: Space) -> None:
        self.space = space
        self.pointer = last_pointer(context)
        self.tools = {tool.name: tool for tool in context.tools}

    def actions(self, function: Tagged) -> list[Action]:
        name, given = function.name, function.parameters
        if name in self.tools:
            return [CallTool(name, _arguments(given, self.tools[name]))]
        if name in ("mouse_down", "mouse_up"):
            return self.button(name, given)
        if name in ("click", "left_double", "right_single", "move_to", "drag", "scroll"):
            return [self.pointed(name, given)]
        return [_other(name, given)]

    def point(self, given: Mapping[str, str], name: str = "point") -> Point:
        if name not in given:
            raise InvalidInput(f"the parameter {name!r} is missing", hint=_POINT)
        self.pointer = read_point(given[name], self.space)
        return self.pointer

    def button(self, name: str, given: Mapping[str, str]) -> list[Action]:
        button = _BUTTONS.get(given.get("button", "").strip() or "left")
        if button is None:
            raise InvalidInput(f"there is no button {given['button'][:20]!r}", hint=_BUTTON)
        actions: list[Action] = []
        if given.get("point", "").strip():
            point = self.point(given)
            actions.append(Move(point.x, point.y))
        actions.append(MouseDown(button) if name == "mouse_down" else MouseUp(button))
        return actions

    def pointed(self, name: str, given: Mapping[str, str]) -> Action:
        if name == "drag":
            return Drag((self.point(given, "start_point"), self.point(given, "end_point")))
        if name == "scroll":
            here = self.pointer or middle(self.space.screen)
            place = self.point(given) if given.get("point", "").strip() else here
            return scroll_by(place, given.get("direction"), NOTCHES)
        point = self.point(given)
        if name == "move_to":
            return Move(point.x, point.y)
        button: Button = "right" if name == "right_single" else "left"
        return Click(point.x, point.y, button, 2 if name == "left_double" else 1)


def _other(name: str, given: Mapping[str, str]) -> Action:
    match name:
        case "hotkey":
            return Key(read_keys(given.get("key", "").strip()))
        case "press":
            return KeyDown(_single(given))
        case "release":
            return KeyUp(_single(given))
        case "type":
            return Type(_content(given))
        case "wait":
            return Wait(seconds=_seconds(given.get("time", "")))
        case "take_screenshot" | "open_computer":
            return Screenshot()
        case "call_user":
            return Ask(given.get("content", "").strip() or "The model asks for your help.")
        case "finished":
            return Done(text=given.get("content", "").strip())
    raise InvalidInput(f"there is no function {name[:40]!r}", hint="use the given functions")


def _content(given: Mapping[str, str]) -> str:
    if "content" not in given:
        raise InvalidInput("the parameter 'content' is missing")
    # The prompt asks for a written \n to submit; other backslashes are the text's own.
    return given["content"].replace("\\n", "\n")


def _single(given: Mapping[str, str]) -> str:
    keys = read_keys(given.get("key", "").strip())
    if len(keys) != 1:
        raise InvalidInput("only one key can be pressed or released at one time")
    return keys[0]


def _seconds(written: str) -> float:
    text = written.strip()
    if not text:
        return float(WAIT_SECONDS)
    value = read_value(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{text[:20]!r} is not a number of seconds")
    return float(value) if abs(value) < 1e9 else 1e9


def _arguments(given: Mapping[str, str], tool: ToolSpec) -> dict[str, Json]:
    """Parameters of a user's tool: text where its schema says so, else JSON where it is JSON."""
    properties = tool.schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    return {name: typed(value, known.get(name)) for name, value in given.items()}


def typed(written: str, schema: Json) -> Json:
    """A parameter written as text, as its schema says."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return written
    try:
        return read_value(written.strip())
    except InvalidInput:
        return written


def _tag(point: Point, space: Space) -> str:
    x, y = space.to_model(point)
    return f"<point>{x:g} {y:g}</point>"


def _write(action: Action, space: Space) -> str:
    name, parameters = _named(action, space)
    return write_function(name, parameters)


def _named(action: Action, space: Space) -> tuple[str, dict[str, str]]:
    match action:
        case Click():
            verb = "left_double" if action.count > 1 else "click"
            verb = "right_single" if action.button == "right" else verb
            return verb, {"point": _tag(Point(action.x, action.y), space)}
        case Move():
            return "move_to", {"point": _tag(Point(action.x, action.y), space)}
        case Drag():
            ends = _tag(action.path[0], space), _tag(action.path[-1], space)
            return "drag", {"start_point": ends[0], "end_point": ends[1]}
        case Scroll():
            place = _tag(Point(action.x, action.y), space)
            return "scroll", {"point": place, "direction": direction_of(action)}
        case MouseDown():
            return "mouse_down", {"button": action.button}
        case MouseUp():
            return "mouse_up", {"button": action.button}
    return _named_other(action)


def _named_other(action: Action) -> tuple[str, dict[str, str]]:
    match action:
        case Key():
            return "hotkey", {"key": " ".join(action.keys)}
        case KeyDown():
            return "press", {"key": action.key}
        case KeyUp():
            return "release", {"key": action.key}
        case Type():
            return "type", {"content": action.text}
        case Wait() if action.seconds is not None:
            return "wait", {"time": f"{action.seconds:g}"}
        case Ask():
            return "call_user", {"content": action.question}
        case Done():
            return "finished", {"content": action.text}
        case CallTool():
            values = {
                k: v if isinstance(v, str) else json.dumps(v) for k, v in action.arguments.items()
            }
            return action.name, values
    # What this family has no word for: a picture follows all the same.
    return "take_screenshot", {}


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
