"""UI-TARS 1 and 1.5: `Thought: …` and `Action: click(start_box='(x,y)')`.

The first generation (Qwen2-VL) counts in thousandths, 1.5 (Qwen2.5-VL) in pixels of the picture as
its image processor scales it. The formats are those of `codes/ui_tars` in bytedance/UI-TARS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from carrel.actions import Action, Click, Drag, Key, KeyDown, KeyUp, Move, Scroll, Type, Wait
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.intents import Ask, CallTool, Done
from carrel.models.context import Context
from carrel.models.dialect import Request
from carrel.models.dialects._text import Grid, Lines, Reading, TextDialect, extras, tool_words
from carrel.models.dialects._text_calls import Literal, Written, quote, read_calls
from carrel.models.dialects._text_json import read_object
from carrel.models.dialects._text_locate import locate_request, located, whole_answer
from carrel.models.dialects._text_points import (
    direction_of,
    last_pointer,
    middle,
    read_keys,
    read_point,
    scroll_by,
)
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["UITars", "UITars15"]

NOTCHES = 5
WAIT_SECONDS = 5.0

_ACTION = re.compile(r"^[ \t]*(?:\*\*)?Action(?:\*\*)?:", re.MULTILINE)
_THOUGHT = re.compile(r"\A\s*(?:\*\*)?(?:Thought|Reflection|Action_Summary)(?:\*\*)?:")

_LINES = Lines(
    r"""
click: click(start_box='(x1,y1)')
click: left_double(start_box='(x1,y1)')
click: right_single(start_box='(x1,y1)')
drag: drag(start_box='(x1,y1)', end_box='(x3,y3)')
key: hotkey(key='ctrl c') # Split keys with a space and use lowercase, at most 3 keys.
type: type(content='xxx') # Escape \', \" and \n in content. To submit your input, end it with \n.
scroll: scroll(start_box='(x1,y1)', direction='down or up or right or left') # Show more there.
wait: wait() # Sleep for 5s and take a screenshot to check for any changes.
done: finished(content='xxx') # Escape \', \" and \n in content.
ask: call_user(content='xxx') # When the task cannot be solved without the user's help.
"""
)

_PROMPT = """\
You are a GUI agent. You are given a task and your action history, with screenshots. \
You need to perform the next action to complete the task.

## Output Format
```
Thought: ...
Action: ...
```

## Action Space
{actions}{tools}

## Note
- Use English in the `Thought` part.
- Write a small plan and finally summarize your next action (with its target element) in one \
sentence in the `Thought` part.{extras}

## User Instruction
{task}"""

_LOCATE = """\
You are a GUI agent. You are given a task and a screenshot. \
You need to perform the next action to complete the task.

## Output Format
```
Action: ...
```

## Action Space
click(start_box='(x1,y1)')

## User Instruction
{task}"""


class UITars(TextDialect):
    """The first generation, and the models served as `doubao-…-ui-tars`: 0 to 1000."""

    name: ClassVar[str] = "ui-tars"
    grid: ClassVar[Grid] = Grid("thousand", min_pixels=100 * 28 * 28)

    def prompt(self, context: Context) -> str:
        """The official prompt for computers, with what the context adds."""
        return _PROMPT.format(
            actions="\n".join(_LINES.offered(context)),
            tools=tool_words(context, "tool(name='NAME', arguments='{…JSON…}')"),
            extras=extras(context),
            task=context.task,
        )

    def read(self, text: str, context: Context) -> Reading:
        """Thought and actions of an answer; plain words when there is no `Action:`."""
        found = _ACTION.search(text)
        if found is None:
            return Reading(text=_THOUGHT.sub("", text).strip())
        reader = _Reader(context, self.grid.space(context.screen))
        actions = tuple(reader.action(call) for call in read_calls(_unfenced(text[found.end() :])))
        if not actions:
            raise InvalidInput("there is nothing after Action:", hint="name one action")
        return Reading(_THOUGHT.sub("", text[: found.start()]).strip(), "", actions)

    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer in the family's own form."""
        calls = "\n\n".join(_write(action, space) for action in actions)
        return f"Thought: {thought}\nAction: {calls}"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        task = f"Click on: {description}"
        return locate_request(model, picture, self.grid, _LOCATE.format(task=task))

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        """The point on the screen; raises `ActionFailed` when the answer holds none."""
        text = whole_answer(body)
        found = _ACTION.search(text)
        return located(lambda: _clicked(text[found.end() if found else 0 :]), picture, self.grid)


class UITars15(UITars):
    """Version 1.5: pixels of the picture as the image processor scales it."""

    name: ClassVar[str] = "ui-tars-1.5"
    grid: ClassVar[Grid] = Grid("pixels", min_pixels=100 * 28 * 28)


def _unfenced(text: str) -> str:
    return text.strip().removeprefix("```").removesuffix("```").strip()


def _clicked(text: str) -> object:
    for call in read_calls(_unfenced(text)):
        return _box(call, "start")
    raise InvalidInput("there is no action")


def _box(call: Written, side: str) -> Literal:
    """The start or end of an action in any spelling of the family's versions."""
    names = [f"{side}_box", f"{side}_point"]
    names += ["point", "box"] if side == "start" else []
    for name in names:
        if name in call.keywords:
            return call.keywords[name]
    if side == "start" and call.positional:
        return call.positional[0]
    raise InvalidInput(f"{call.name} needs {side}_box", hint="write it as '(x,y)'")


def _content(call: Written) -> str:
    value = call.keywords.get("content", call.positional[0] if call.positional else "")
    if not isinstance(value, str):
        raise InvalidInput(f"{call.name} needs a quoted content")
    return value


class _Reader:
    """Turns written calls into actions of the screen."""

    def __init__(self, context: Context, space: Space) -> None:
        self.context = context
        self.space = space

    def point(self, call: Written, side: str = "start") -> Point:
        return read_point(_box(call, side), self.space)

    def action(self, call: Written) -> Action:
        match call.name:
            case "click" | "left_single":
                return self.click(call)
            case "left_double" | "double_click":
                return self.click(call, count=2)
            case "right_single" | "right_click":
                return self.click(call, right=True)
            case "hover" | "move_to":
                point = self.point(call)
                return Move(point.x, point.y)
            case "drag" | "select":
                return Drag((self.point(call), self.point(call, "end")))
            case "scroll":
                return self.scroll(call)
            case _:
                return _other(call)

    def click(self, call: Written, *, count: int = 1, right: bool = False) -> Click:
        point = self.point(call)
        return Click(point.x, point.y, "right" if right else "left", count)

    def scroll(self, call: Written) -> Scroll:
        given = {"start_box", "start_point", "point", "box"} & call.keywords.keys()
        place = last_pointer(self.context) or middle(self.space.screen)
        if given and call.keywords[min(given)] not in ("", None):
            place = self.point(call)
        return scroll_by(place, call.keywords.get("direction"), NOTCHES)


def _other(call: Written) -> Action:
    match call.name:
        case "hotkey":
            return Key(read_keys(_key(call)))
        case "press" | "keydown":
            return KeyDown(_single(call))
        case "release" | "keyup":
            return KeyUp(_single(call))
        case "type":
            return Type(_content(call))
        case "wait":
            return Wait(seconds=WAIT_SECONDS)
        case "finished":
            return Done(text=_content(call))
        case "call_user":
            return Ask(_content(call) or "The model asks for your help.")
        case "tool":
            return read_tool(call)
    raise InvalidInput(f"there is no action {call.name!r}", hint="use the given action space")


def _key(call: Written) -> Literal:
    for name in ("key", "hotkey", "press", "keys"):
        if name in call.keywords:
            return call.keywords[name]
    if call.positional:
        return call.positional[0] if len(call.positional) == 1 else list(call.positional)
    raise InvalidInput(f"{call.name} needs key")


def _single(call: Written) -> str:
    keys = read_keys(_key(call))
    if len(keys) != 1:
        raise InvalidInput(f"{call.name} takes one key")
    return keys[0]


def read_tool(call: Written) -> CallTool:
    """A call of a user's tool, its arguments as a JSON text.

    Raises:
        InvalidInput: It has no name, or its arguments are not a JSON object.
    """
    name, written = call.keywords.get("name"), call.keywords.get("arguments", "{}")
    if not isinstance(name, str) or not isinstance(written, str):
        raise InvalidInput("a tool needs name='…' and arguments='{…}'")
    return CallTool(name, read_object(written))


def _pair(point: Point, space: Space) -> str:
    x, y = space.to_model(point)
    return f"'({x:g},{y:g})'"


def _write(action: Action, space: Space) -> str:
    match action:
        case Click() | Move() | Drag() | Scroll():
            return _write_pointer(action, space)
        case Key():
            return f"hotkey(key={quote(' '.join(action.keys))})"
        case KeyDown():
            return f"press(key={quote(action.key)})"
        case KeyUp():
            return f"release(key={quote(action.key)})"
        case Type():
            return f"type(content={quote(action.text)})"
        case Done():
            return f"finished(content={quote(action.text)})"
        case Ask():
            return f"call_user(content={quote(action.question)})"
        case CallTool():
            return write_tool(action)
    # Looking, waiting and what this family has no word for: time passed, and a picture follows.
    return "wait()"


def write_tool(action: CallTool) -> str:
    """A call of a user's tool as `read_tool` reads it."""
    arguments = json.dumps(dict(action.arguments), ensure_ascii=False)
    return f"tool(name={quote(action.name)}, arguments={quote(arguments)})"


def _write_pointer(action: Click | Move | Drag | Scroll, space: Space) -> str:
    match action:
        case Drag():
            start, end = _pair(action.path[0], space), _pair(action.path[-1], space)
            return f"drag(start_box={start}, end_box={end})"
        case Scroll():
            place = _pair(Point(action.x, action.y), space)
            return f"scroll(start_box={place}, direction='{direction_of(action)}')"
        case Move():
            return f"hover(start_box={_pair(Point(action.x, action.y), space)})"
    verb = "left_double" if action.count > 1 else "click"
    verb = "right_single" if action.button == "right" else verb
    return f"{verb}(start_box={_pair(Point(action.x, action.y), space)})"
