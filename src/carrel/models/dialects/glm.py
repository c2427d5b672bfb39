"""GLM-4.xV: one call between `<|begin_of_box|>` and `<|end_of_box|>`, counted 0 to 999.

The family is asked in a single turn: the history is words in the prompt, the newest picture comes
first and older ones follow in half size. The forms are those of `examples/gui-agent` in
zai-org/GLM-V.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from carrel.actions import Action, Button, Click, Drag, Key, Move, Screenshot, Scroll, Type, Wait
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point, Size
from carrel.intents import CallTool, Done
from carrel.models.context import Context, Turn
from carrel.models.dialect import Request
from carrel.models.dialects._text import (
    Grid,
    Lines,
    Part,
    Reading,
    TextDialect,
    chat_request,
    extras,
    image_part,
    split_thinking,
    text_part,
    tool_words,
    user,
)
from carrel.models.dialects._text_calls import Literal, Written, quote, read_calls
from carrel.models.dialects._text_points import direction_of, read_keys, read_point, scroll_by
from carrel.models.dialects.uitars import read_tool, write_tool
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["GLMV"]

NOTCHES = 5
WAIT_SECONDS = 5.0
MAX_OLD_PICTURES = 4

_START, _END = "<|begin_of_box|>", "<|end_of_box|>"
_CALL = re.compile(
    r"^[ \t]*(?:Action:[ \t]*)?(?=(?:(?:left|right|middle|left_double)_click|click|hover|left_drag"
    r"|key|type|scroll|screenshot|tool|WAIT|DONE|FAIL)\()",
    re.MULTILINE,
)
_MEMORY = re.compile(r"^[ \t]*Memory:", re.MULTILINE)
_BUTTONS: dict[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "left_double_click": ("left", 2),
}

_LINES = Lines(
    r"""
click: left_click(start_box='[x,y]', element_info='')
click: right_click(start_box='[x,y]', element_info='')
click: middle_click(start_box='[x,y]', element_info='')
move: hover(start_box='[x,y]', element_info='')
click: left_double_click(start_box='[x,y]', element_info='')
drag: left_drag(start_box='[x1,y1]', end_box='[x2,y2]', element_info='')
key: key(keys='') # a key or a combination such as key(keys='ctrl+c')
type: type(content='') # into the active element: click at it first
scroll: scroll(start_box='[x,y]', direction='down/up', step=k, element_info='') # k notches
wait: WAIT() # sleep for 5 seconds
done: DONE() # when the task is fully completed
done: FAIL() # when the task can not be performed at all
"""
)

_PROMPT = """\
You are a GUI operation agent. You will be given a task and your action history, with recent \
screenshots. You should help me control the computer, output the best action step by step to \
accomplish the task.
The actions you output must be in the following action space:
{actions}{tools}

The output rules are as follows:
1. The start/end box parameter of the action should be in the format of [x, y] normalized to \
0-999, which usually should be the center of a specific target element.
2. The element_info parameter is optional, it should be a string that describes the element you \
want to operate with.
3. Take actions step by step. *NEVER output multiple actions at once*.
4. The current state is the first image with complete size; the other images show earlier states, \
oldest first, shrunk.
5. Put the key information you *have to remember* in a separate memory part, a JSON list, and \
I'll give it to you in the next round.
6. You can give a brief explanation before the action. What you say before DONE() is your answer.

Output Format:
Plain text explanation with action(param='...')
Memory:
[{{"user_email": "x@gmail.com", ...}}]{extras}

Now please help me to solve the following task:
{task}
History actions:{history}
Memory:
{memory}"""


class GLMV(TextDialect):
    """GLM-4.1V, 4.5V and 4.6V."""

    name: ClassVar[str] = "glm-v"
    grid: ClassVar[Grid] = Grid("thousand_minus", factor=28)
    # The box markers are special tokens; vLLM leaves them out of the text unless asked.
    body: ClassVar[Mapping[str, Json]] = {"skip_special_tokens": False}

    def prompt(self, context: Context) -> str:
        """The official prompt: action space, rules, task, history and memory."""
        space = self.grid.space(context.screen)
        return _PROMPT.format(
            actions="\n".join(_LINES.offered(context)),
            tools=tool_words(context, "tool(name='NAME', arguments='{…JSON…}')"),
            extras=extras(context),
            task=context.task,
            history=self._history(context.turns, space) or "\nnone",
            memory=_memory(context.turns),
        )

    def encode(self, model: str, context: Context) -> Request:
        """One message: the prompt, the newest picture, older ones in half size."""
        pictures = _pictures(context)
        parts: list[Part] = []
        if pictures:
            newest = pictures.pop()
            parts.append(image_part(newest.data_url(self.grid.shown_picture(newest))))
        parts += [image_part(old.data_url(_half(self.grid.shown_picture(old)))) for old in pictures]
        parts.append(text_part(self.prompt(context)))
        return chat_request(model, context, [user(parts)], self.body)

    def read(self, text: str, context: Context) -> Reading:
        """The boxed call of an answer, or the first line that is one."""
        thought, rest = split_thinking(text)
        rest = rest.replace("<answer>", "").replace("</answer>", "")
        before, written = _boxed(rest)
        if written is None:
            return Reading(thought, _without_memory(rest))
        words = _without_memory(before).removesuffix("Action:").strip()
        reader = _Reader(self.grid.space(context.screen), words)
        actions = tuple(reader.action(call) for call in read_calls(written))
        if not actions:
            raise InvalidInput("there is nothing in the box", hint="name one action")
        return Reading("\n".join(filter(None, (thought, words))), "", actions)

    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer in the family's own form."""
        calls = "\n".join(_write(action, space) for action in actions)
        return f"{thought}\n{_START}{calls}{_END}".strip()

    def _history(self, turns: Sequence[Turn], space: Space) -> str:
        lines: list[str] = []
        for turn in turns:
            if turn.decision is not None:
                actions = [action for call in turn.decision.calls for action in call.actions]
                words = turn.decision.thought or turn.decision.text
                calls = "\n".join(_write(action, space) for action in actions)
                lines.append(f"step {len(lines) + 1}: {words}\n{calls}".rstrip())
            told = [outcome.text for outcome in turn.outcomes if outcome.text]
            lines += [f"(result: {words})" for words in told]
            lines += [f"(the user says: {words})" for words in turn.said]
        return "".join(f"\n{line}" for line in lines)


def _boxed(text: str) -> tuple[str, str | None]:
    """What stands before the call, and the call; None when there is none."""
    before, start, rest = text.partition(_START)
    if start:
        return before, rest.partition(_END)[0].strip()
    found = _CALL.search(text)
    if found is None:
        return text, None
    written = text[found.end() :]
    memory = _MEMORY.search(written)
    return text[: found.start()], written[: memory.start() if memory else None].strip()


def _without_memory(text: str) -> str:
    found = _MEMORY.search(text)
    return (text[: found.start()] if found else text).strip()


def _memory(turns: Sequence[Turn]) -> str:
    """The memory part of the newest answer that has one."""
    for turn in reversed(turns):
        for call in turn.decision.calls if turn.decision else ():
            written = call.arguments.get("text")
            found = _MEMORY.search(written) if isinstance(written, str) else None
            if found and isinstance(written, str):
                return written[found.end() :].replace("</answer>", "").strip()[:10_000]
    return "[]"


def _pictures(context: Context) -> list[Picture]:
    """The last pictures, the newest last."""
    found = [context.first] if context.first else []
    for turn in context.turns:
        found += [outcome.picture for outcome in turn.outcomes if outcome.picture]
    return found[-(MAX_OLD_PICTURES + 1) :]


def _half(size: Size) -> Size:
    return Size(max(1, size.width // 2), max(1, size.height // 2))


class _Reader:
    def __init__(self, space: Space, words: str) -> None:
        self.space = space
        self.words = words

    def point(self, call: Written, name: str = "start_box") -> Point:
        if name not in call.keywords:
            raise InvalidInput(f"{call.name} needs {name}", hint="write it as '[x,y]'")
        return read_point(call.keywords[name], self.space)

    def action(self, call: Written) -> Action:
        if call.name in _BUTTONS:
            point = self.point(call)
            return Click(point.x, point.y, *_BUTTONS[call.name])
        match call.name:
            case "hover":
                point = self.point(call)
                return Move(point.x, point.y)
            case "left_drag":
                return Drag((self.point(call), self.point(call, "end_box")))
            case "scroll":
                notches = _step(call.keywords.get("step", NOTCHES))
                return scroll_by(self.point(call), call.keywords.get("direction"), notches)
            case "DONE":
                return Done(text=self.words)
            case "FAIL":
                return Done(success=False, text=self.words)
        return _other(call)


def _other(call: Written) -> Action:
    match call.name:
        case "key":
            return Key(read_keys(call.keywords.get("keys", call.keywords.get("key"))))
        case "type":
            content = call.keywords.get("content")
            if not isinstance(content, str):
                raise InvalidInput("type needs content='…'")
            return Type(content)
        case "WAIT":
            return Wait(seconds=WAIT_SECONDS)
        case "screenshot":
            return Screenshot()
        case "tool":
            return read_tool(call)
    raise InvalidInput(f"there is no action {call.name!r}", hint="use the given action space")


def _step(value: Literal) -> int:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        value = int(value)
    if type(value) is not int or not 1 <= value <= 1000:
        raise InvalidInput(f"step must be a whole number from 1 to 1000, not {str(value)[:20]!r}")
    return value


def _pair(point: Point, space: Space) -> str:
    x, y = space.to_model(point)
    return f"'[{x:g},{y:g}]'"


def _write(action: Action, space: Space) -> str:
    match action:
        case Click():
            verb = "left_double_click" if action.count > 1 else f"{action.button}_click"
            return f"{verb}(start_box={_pair(Point(action.x, action.y), space)})"
        case Move():
            return f"hover(start_box={_pair(Point(action.x, action.y), space)})"
        case Drag():
            start, end = _pair(action.path[0], space), _pair(action.path[-1], space)
            return f"left_drag(start_box={start}, end_box={end})"
        case Scroll():
            place, step = (
                _pair(Point(action.x, action.y), space),
                max(abs(action.dx), abs(action.dy)),
            )
            return f"scroll(start_box={place}, direction='{direction_of(action)}', step={step})"
        case Key():
            return f"key(keys={quote('+'.join(action.keys))})"
        case Type():
            return f"type(content={quote(action.text)})"
        case CallTool():
            return write_tool(action)
        case Done():
            return "DONE()" if action.success else "FAIL()"
    # What this family has no word for: time passed, and a picture follows.
    return "WAIT()"
