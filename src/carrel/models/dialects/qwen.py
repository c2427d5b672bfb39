"""Qwen-VL with its `computer_use` tool: JSON or tags in `<tool_call>`, or native tool calls.

Qwen2.5-VL counts in pixels of the picture as its image processor scales it, Qwen3-VL and later in
thousandths. The tool is the one of Qwen's own computer-use cookbook; scrolling is in pixels there,
positive is up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.errors import CarrelError, InvalidInput
from carrel.geometry import Point
from carrel.intents import CallTool
from carrel.models.context import Context
from carrel.models.dialect import Request
from carrel.models.dialects._text import (
    MAX_ANSWER,
    Answer,
    ChatDialect,
    Grid,
    call_ids,
    extras,
    failure_of,
    read_answer,
    split_thinking,
)
from carrel.models.dialects._text_functions import between, read_functions, write_function
from carrel.models.dialects._text_json import find_objects, read_object
from carrel.models.dialects._text_locate import locate_request, located, whole_answer
from carrel.models.dialects._text_qwen import QwenReader, named_action
from carrel.models.dialects.uitars2 import typed
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["Qwen3VL", "Qwen25VL", "Qwen35"]

_START, _END = "<tool_call>", "</tool_call>"
TOOL = "computer_use"

_ACTIONS: tuple[tuple[str, str, str], ...] = (
    ("key", "key", "Performs key down presses in order, then key releases in reverse order."),
    ("type", "type", "Type a string of text on the keyboard."),
    ("move", "mouse_move", "Move the cursor to a specified (x, y) pixel coordinate."),
    ("click", "left_click", "Click the left mouse button at a specified coordinate."),
    ("drag", "left_click_drag", "Click and drag the cursor to a specified coordinate."),
    ("click", "right_click", "Click the right mouse button at a specified coordinate."),
    ("click", "middle_click", "Click the middle mouse button at a specified coordinate."),
    ("click", "double_click", "Double-click the left mouse button at a specified coordinate."),
    ("click", "triple_click", "Triple-click the left mouse button at a specified coordinate."),
    ("scroll", "scroll", "Performs a scroll of the mouse scroll wheel."),
    ("scroll", "hscroll", "Performs a horizontal scroll."),
    ("wait", "wait", "Wait specified seconds for the change to happen."),
    ("done", "terminate", "Terminate the current task and report its completion status."),
    ("done", "answer", "Answer a question; this ends the task."),
)

_DESCRIPTION = """\
Use a mouse and keyboard to interact with a computer, and take screenshots.
* This is an interface to a desktop GUI.
* Some applications may take time to start or process actions, so you may need to wait and take \
successive screenshots to see the results of your actions.
* The screen's resolution is {width}x{height}.
* Whenever you intend to move the cursor to click on an element like an icon, you should consult a \
screenshot to determine the coordinates of the element before moving the cursor.
* Make sure to click any buttons, links, icons, etc with the cursor tip in the center of the \
element. Don't click boxes on their edges unless asked."""

_PROMPT = """\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

{form}

# Response format

Response format for every step:
1) Action: a short imperative describing what to do in the UI.
2) A single <tool_call>...</tool_call> block.
- If finishing, use action=terminate (or action=answer with the answer) in the tool call.{extras}

Please generate the next move according to the UI screenshot, instruction and previous actions.

Instruction: {task}"""

_JSON_FORM = """\
For each function call, return a json object with function name and arguments within \
<tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>"""

_TAG_FORM = """\
If you choose to call a function ONLY reply in the following format with NO suffix:

<tool_call>
<function=example_function_name>
<parameter=example_parameter_1>
value_1
</parameter>
</function>
</tool_call>"""


@dataclass(frozen=True, slots=True)
class _Written:
    """One call as the model wrote it; `problem` when it is not one at all."""

    name: str = ""
    arguments: Mapping[str, Json] | None = None
    problem: CarrelError | None = None
    id: str = ""


class Qwen3VL(ChatDialect):
    """Qwen3-VL: 0 to 1000, calls as JSON in `<tool_call>`."""

    name: ClassVar[str] = "qwen3-vl"
    grid: ClassVar[Grid] = Grid("thousand", factor=32)
    form: ClassVar[str] = _JSON_FORM

    def prompt(self, context: Context) -> str:
        """Tools, form and task."""
        tools = [self.tool(context), *_user_tools(context)]
        return _PROMPT.format(
            tools="\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools),
            form=self.form,
            extras=extras(context),
            task=context.task,
        )

    def tool(self, context: Context) -> dict[str, Json]:
        """The `computer_use` function with the actions the model may call."""
        space = self.grid.space(context.screen)
        wide, high = space.shown.width, space.shown.height
        size = (wide, high) if space.kind == "pixels" else (1000, 1000)
        return {
            "type": "function",
            "function": {
                "name": TOOL,
                "description": _DESCRIPTION.format(width=size[0], height=size[1]),
                "parameters": _schema(context),
            },
        }

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer: one call for each tool call, native or written."""
        answer = read_answer(body)
        content = answer.content[: MAX_ANSWER + 1]
        thought, rest = split_thinking(content)
        words, written = _native(rest, answer) if answer.tool_calls else _in_text(rest)
        calls = self._decoded(answer, written, context)
        said = words.removeprefix("Action:").strip()
        return Decision(
            calls=calls,
            text="" if calls else said,
            thought="\n".join(
                filter(None, (answer.reasoning.strip(), thought, said if calls else ""))
            ),
            refusal=answer.refusal,
            truncated=answer.truncated,
            usage=answer.usage,
            model=answer.model,
            raw={"dialect": self.name, "items": [self._item(content, written)]},
        )

    def _decoded(
        self, answer: Answer, written: Sequence[_Written], context: Context
    ) -> tuple[Call, ...]:
        reader = QwenReader(context, self.grid.space(context.screen))
        ids = call_ids(answer, len(written))
        names = {tool.name: tool.schema for tool in context.tools}
        return tuple(
            _call(id_, item, reader, names) for id_, item in zip(ids, written, strict=True)
        )

    def _item(self, content: str, written: Sequence[_Written]) -> Json:
        """The answer as text: what a server took out as native calls is written back in."""
        if any(item.id for item in written):
            calls = [self._block(w.name, dict(w.arguments or {})) for w in written]
            content = "\n".join(filter(None, (content.strip(), *calls)))
        return {"role": "assistant", "content": content[:MAX_ANSWER]}

    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer in the family's own form."""
        blocks = [
            self._block(name, arguments)
            for action in actions
            for name, arguments in named_action(action, space)
        ]
        return "\n".join([f"Action: {thought}", *blocks])

    def _block(self, name: str, arguments: Mapping[str, Json]) -> str:
        call = {"name": name, "arguments": dict(arguments)}
        return f"{_START}\n{json.dumps(call, ensure_ascii=False)}\n{_END}"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        context = Context(f"Click on: {description}", picture.screen, actions=frozenset({"click"}))
        words = self.prompt(context)
        return locate_request(model, picture, self.grid, words)

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        """The point on the screen; raises `ActionFailed` when the answer holds none."""
        answer = read_answer(body)
        text = "" if answer.tool_calls else whole_answer(body)
        return located(lambda: _coordinate(answer, text), picture, self.grid)


class Qwen25VL(Qwen3VL):
    """Qwen2.5-VL: pixels of the picture as the image processor scales it."""

    name: ClassVar[str] = "qwen2.5-vl"
    grid: ClassVar[Grid] = Grid("pixels", factor=28)


class Qwen35(Qwen3VL):
    """Qwen3.5 and later: 0 to 1000, calls in `<function=…>` tags."""

    name: ClassVar[str] = "qwen3.5"
    form: ClassVar[str] = _TAG_FORM

    def _block(self, name: str, arguments: Mapping[str, Json]) -> str:
        values = {
            key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in arguments.items()
        }
        return f"{_START}\n{write_function(name, values, lines=True)}\n{_END}"


def _schema(context: Context) -> dict[str, Json]:
    allowed = context.actions
    offered = [
        (name, words)
        for kind, name, words in _ACTIONS
        if allowed is None or kind == "done" or kind in allowed
    ]
    listed = "\n".join(f"* `{name}`: {words}" for name, words in offered)
    names: list[Json] = [name for name, _ in offered]
    number: dict[str, Json] = {"type": "number"}
    properties: dict[str, Json] = {
        "action": {
            "description": f"The action to perform:\n{listed}",
            "enum": names,
            "type": "string",
        },
        "keys": {"description": "Required only by `action=key`.", "type": "array"},
        "text": {
            "description": "Required only by `action=type` and `action=answer`.",
            "type": "string",
        },
        "coordinate": {"description": "(x, y): for the mouse actions.", "type": "array"},
        "pixels": {
            "description": "The amount of scrolling to perform. Positive values scroll up, "
            "negative values scroll down. Required only by `action=scroll` and `action=hscroll`.",
            **number,
        },
        "time": {"description": "The seconds to wait. Required only by `action=wait`.", **number},
        "status": {
            "description": "The status of the task. Required only by `action=terminate`.",
            "type": "string",
            "enum": ["success", "failure"],
        },
    }
    return {"properties": properties, "required": ["action"], "type": "object"}


def _user_tools(context: Context) -> list[dict[str, Json]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.schema),
            },
        }
        for tool in context.tools
    ]


def _native(text: str, answer: Answer) -> tuple[str, list[_Written]]:
    written = [_native_call(str(number), item) for number, item in enumerate(answer.tool_calls, 1)]
    return text.partition(_START)[0].strip(), written


def _native_call(id_: str, item: Mapping[str, Json]) -> _Written:
    function = item.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    given = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(given, str):
        try:
            given = read_object(given)
        except InvalidInput as error:
            return _Written(str(name or ""), problem=error, id=id_)
    if not isinstance(name, str) or not isinstance(given, dict):
        return _Written(problem=InvalidInput("the tool call has no name or arguments"), id=id_)
    return _Written(name, given, id=id_)


def _in_text(text: str) -> tuple[str, list[_Written]]:
    if len(text) > MAX_ANSWER:
        problem = InvalidInput(f"the answer is longer than {MAX_ANSWER} characters")
        return "", [_Written(problem=problem)]
    blocks = list(between(text, _START, _END))[:101]
    if len(blocks) > 100:
        return "", [_Written(problem=InvalidInput("more than 100 calls in one answer"))]
    if not blocks:
        # Some servers strip the tags; a call is then all there is.
        blocks = [text] if text.lstrip().startswith(("{", "<function=")) else []
        return (text if not blocks else ""), _blocks(blocks)
    return text.partition(_START)[0].strip(), _blocks(blocks)


def _blocks(blocks: Sequence[str]) -> list[_Written]:
    written: list[_Written] = []
    for block in blocks:
        try:
            written += _block_calls(block)
        except InvalidInput as error:
            written.append(_Written(problem=error))
    return written


def _block_calls(block: str) -> list[_Written]:
    if "<function=" in block:
        return [
            _Written(function.name, {k: _untagged(k, v) for k, v in function.parameters.items()})
            for function in read_functions(block)
        ]
    found = find_objects(block.strip())
    if not found:
        raise InvalidInput("the tool call holds no JSON object", hint=_JSON_FORM)
    return [_from_object(item) for item in found]


def _from_object(item: Mapping[str, Json]) -> _Written:
    name, arguments = item.get("name"), item.get("arguments", item.get("parameters"))
    if name is None and "action" in item:
        return _Written(TOOL, item)
    if isinstance(arguments, str):
        arguments = read_object(arguments)
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise InvalidInput("a tool call needs a name and an object of arguments")
    return _Written(name, arguments)


def _untagged(name: str, value: str) -> Json:
    """A parameter in tags: one newline on each side belongs to the tags."""
    text = value.removeprefix("\n").removesuffix("\n")
    return text if name in ("text", "action", "status") else typed(text, None)


def _call(
    id_: str,
    item: _Written,
    reader: QwenReader,
    tools: Mapping[str, Mapping[str, Json]],
) -> Call:
    arguments = dict(item.arguments or {})
    if item.problem is not None:
        return Call(id_, item.name or TOOL, problem=failure_of(item.problem))
    if item.name in tools:
        return Call(id_, item.name, (CallTool(item.name, arguments),), arguments)
    try:
        if item.name != TOOL:
            raise InvalidInput(
                f"there is no function {item.name[:40]!r}",
                hint=f"known functions: {', '.join((TOOL, *tools))}",
            )
        return Call(id_, item.name, tuple(reader.actions(arguments)), arguments)
    except CarrelError as error:
        return Call(id_, item.name, (), arguments, failure_of(error))


def _coordinate(answer: Answer, text: str) -> Json:
    _, written = _native(text, answer) if answer.tool_calls else _in_text(text)
    for item in written:
        if item.problem is not None:
            raise item.problem
        if item.arguments and "coordinate" in item.arguments:
            return item.arguments["coordinate"]
    raise InvalidInput("the answer holds no coordinate")
