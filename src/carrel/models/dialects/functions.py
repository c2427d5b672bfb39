"""Function calling, for any chat model that has tools: one function for each action.

One function each, not one `computer` function with an `action` argument: every schema is then flat
and exact (servers that constrain the output to it need that, and many cannot do `oneOf`), weaker
models choose a name more reliably than they fill a union, what a model may not do is simply not
there, and several calls in one answer are what every such API knows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from carrel.actions import ACTIONS, Action
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.errors import CarrelError, InvalidInput
from carrel.intents import INTENTS, CallTool
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._functions_history import FunctionHistory, Part
from carrel.models.dialects._functions_schema import (
    Function,
    Places,
    Points,
    offered,
    read_action,
    wire_names,
    write_action,
)
from carrel.models.dialects._text import (
    MAX_ANSWER,
    Answer,
    Grid,
    call_ids,
    chat_request,
    failure_of,
    picture_parts,
    read_answer,
    split_thinking,
    text_part,
    whole,
)
from carrel.models.dialects._text_json import find_objects, read_object
from carrel.models.picture import Picture
from carrel.results import Failure

__all__ = ["Functions", "FunctionsText", "FunctionsThousand"]

MAX_CALLS = 100

_PROMPT = """\
You operate a computer through functions. After every call you are shown the screen.
- Look at the newest picture before you act, and after it check that it did what you wanted.
- {places}
- Call several functions in one answer only when the later ones do not depend on what the earlier \
ones show.
- When the task is done, or cannot be done, call `done` with your answer."""

_TEXT_FORM = """

## Functions
{functions}

To call a function, write a JSON object in a fence and nothing after it:
```json
{{"name": "FUNCTION", "arguments": {{…}}}}
```"""


class Functions:
    """Pixels of the picture as it is shown, which no provider scales down again."""

    name: ClassVar[str] = "functions"
    api: ClassVar[Api] = Api.OPENAI_CHAT
    wants_elements: ClassVar[bool] = False
    grid: ClassVar[Grid] = Grid("pixels", factor=1)
    native: ClassVar[bool] = True
    """Whether the API is told of the functions; otherwise the prompt tells the model."""

    def places(self, context: Context) -> Places:
        """How this dialect names places."""
        return Points(self.grid.space(context.screen))

    def place_words(self, context: Context) -> str:
        """The same, told to the model."""
        space = self.grid.space(context.screen)
        if space.kind == "pixels":
            size = space.shown
            return (
                f"Pictures of the screen are {size.width} x {size.height} pixels. x and y are "
                f"pixels of the picture: x from 0 to {size.width - 1}, y from 0 to "
                f"{size.height - 1}, from the top left corner."
            )
        return (
            "x and y are whole numbers from 0 to 1000: thousandths of the picture's width and "
            "height, from the top left corner."
        )

    def picture(self, picture: Picture, newest: bool) -> list[Part]:
        """A picture as parts of a message."""
        return picture_parts(picture, self.grid)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        functions = self.functions(context)
        messages: list[Part] = [
            {"role": "system", "content": self._system(context, functions)},
            *FunctionHistory(self, context).messages(),
        ]
        tools: list[Json] = [function.to_wire() for function in functions]
        return chat_request(model, context, messages, {"tools": tools} if self.native else None)

    def functions(self, context: Context) -> list[Function]:
        """Every function: of actions, then the user's own."""
        own = [
            Function(name, tool.description, tool.schema)
            for name, tool in wire_names(context).items()
        ]
        return offered(context, self.places(context)) + own

    def _system(self, context: Context, functions: Sequence[Function]) -> str:
        words = _PROMPT.format(places=self.place_words(context))
        if not self.native:
            listed = "\n".join(
                f"- {f.name}: {f.description} Arguments: {json.dumps(dict(f.parameters))}"
                for f in functions
            )
            words += _TEXT_FORM.format(functions=listed)
        return "\n\n".join(filter(None, (words, context.instructions.strip())))

    def opening(self, context: Context) -> list[Part]:
        """The task, as the first message of the person's side."""
        words = context.task
        if context.summary:
            words += f"\n\nWhat happened so far:\n{context.summary}"
        return [text_part(words)]

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer: native calls, or JSON in fences where there are none."""
        answer = read_answer(body)
        thought, text = split_thinking(answer.content[: MAX_ANSWER + 1])
        wanted, problem = _native(answer), None
        if not wanted:
            text, wanted, problem = _in_text(text)
        ids = _ids(answer, wanted, 1 if problem else 0)
        calls = tuple(
            self._call(id_, item, context) for id_, item in zip(ids, wanted, strict=False)
        )
        if problem is not None:
            calls = (*calls, Call(ids[-1], problem=problem))
        return Decision(
            calls=calls,
            text=text.strip(),
            thought="\n".join(filter(None, (answer.reasoning.strip(), thought))),
            refusal=answer.refusal,
            truncated=answer.truncated,
            usage=answer.usage,
            model=answer.model,
            raw={"dialect": self.name, "items": [_item(answer, calls)]},
        )

    def _call(self, id_: str, item: _Wanted, context: Context) -> Call:
        name, arguments = item
        if isinstance(arguments, CarrelError):
            return Call(id_, name, problem=failure_of(arguments))
        try:
            action = self.action(name, arguments, context)
        except CarrelError as error:
            return Call(id_, name, (), arguments, failure_of(error))
        return Call(id_, name, (action,), arguments)

    def action(self, name: str, arguments: Mapping[str, Json], context: Context) -> Action:
        """What a call means.

        Raises:
            InvalidInput: It means nothing.
        """
        tool = wire_names(context).get(name)
        if tool is not None:
            return CallTool(tool.name, dict(arguments))
        if name not in ACTIONS and name not in INTENTS:
            known = ", ".join(function.name for function in self.functions(context))
            raise InvalidInput(f"there is no function {name[:40]!r}", hint=f"known: {known}")
        space = self.grid.space(context.screen)
        return read_action(name, arguments, self.places(context), space)

    def written(self, action: Action, context: Context) -> tuple[str, dict[str, Json]]:
        """The call that means an action another dialect decoded."""
        if isinstance(action, CallTool):
            names = {tool.name: name for name, tool in wire_names(context).items()}
            return names.get(action.name, action.name), dict(action.arguments)
        space = self.grid.space(context.screen)
        return action.type, write_action(action, self.places(context), space)


class FunctionsThousand(Functions):
    """Thousandths instead of pixels, for models that were trained on them."""

    name: ClassVar[str] = "functions-thousand"
    grid: ClassVar[Grid] = Grid("thousand", factor=1)


class FunctionsText(Functions):
    """For servers without tool calling: functions in the prompt, calls as JSON in fences."""

    name: ClassVar[str] = "functions-text"
    native: ClassVar[bool] = False


_Wanted = tuple[str, Mapping[str, Json] | CarrelError]


def _native(answer: Answer) -> list[_Wanted]:
    return [_native_call(item) for item in answer.tool_calls[:MAX_CALLS]]


def _native_call(item: Mapping[str, Json]) -> _Wanted:
    function = item.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    given = function.get("arguments") if isinstance(function, dict) else None
    if not isinstance(name, str) or not name:
        return "unknown", InvalidInput("the call has no function name")
    try:
        # Servers that give an object instead of its text are held to the same rules.
        written = given if isinstance(given, str) else json.dumps(given or {})
        return whole(name)[:100], read_object(written)
    except (InvalidInput, ValueError, RecursionError) as error:
        problem = error if isinstance(error, InvalidInput) else InvalidInput("not valid JSON")
        return whole(name)[:100], problem


def _in_text(text: str) -> tuple[str, list[_Wanted], Failure | None]:
    """Words, calls, and what is wrong with JSON that is not a call."""
    if len(text) > MAX_ANSWER:
        return "", [], Failure("invalid_input", f"longer than {MAX_ANSWER} characters")
    fence = text.find("```")
    start = fence if fence >= 0 and "{" in text[fence : fence + 40] else -1
    start = 0 if text.lstrip().startswith("{") else start
    if start < 0:
        return text, [], None
    try:
        wanted = [_from_object(item) for item in find_objects(text[start:].lstrip())]
    except InvalidInput as error:
        return text[:start], [], failure_of(error)
    if not any(name for name, _ in wanted):
        return text, [], None
    return text[:start], wanted, None


def _from_object(item: Mapping[str, Json]) -> _Wanted:
    inner = item.get("function")
    if isinstance(inner, dict):
        item = inner
    name = item.get("name", item.get("function", item.get("action")))
    given = item.get("arguments", item.get("parameters"))
    if not isinstance(name, str):
        return "", InvalidInput("the JSON object names no function")
    if given is None:
        names = ("name", "function", "action")
        return name, {key: value for key, value in item.items() if key not in names}
    if isinstance(given, dict):
        return name, given
    return name, InvalidInput("arguments must be an object")


def _ids(answer: Answer, wanted: Sequence[_Wanted], more: int) -> list[str]:
    """The provider's ids where they are there and differ, else ours."""
    ours = call_ids(answer, len(wanted) + more)
    if not answer.tool_calls:
        return ours
    theirs = [item.get("id") for item in answer.tool_calls[:MAX_CALLS]]
    unique = len({id_ for id_ in theirs if isinstance(id_, str) and id_}) == len(theirs)
    return [whole(str(id_)) for id_ in theirs] if unique else ours


def _item(answer: Answer, calls: Sequence[Call]) -> dict[str, Json]:
    """The assistant's message to send back, with ids and arguments every server accepts."""
    content = answer.content[:MAX_ANSWER]
    if not answer.tool_calls:
        return {"role": "assistant", "content": content}
    return {
        "role": "assistant",
        "content": content,
        "tool_calls": [wire_call(call.id, call.name, call.arguments) for call in calls],
    }


def wire_call(id_: str, name: str, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """One entry of `tool_calls`."""
    return {
        "id": id_,
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(dict(arguments), ensure_ascii=False)},
    }
