"""What is asked of OpenAI's computer tools: the items of the Responses API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, ToolSpec, Turn
from carrel.models.dialects._extras import as_function, function_tools
from carrel.models.dialects._history import (
    CONTINUE,
    FINAL,
    failed,
    final_words,
    is_whole,
    numbered,
    opening,
    pairs,
    system_text,
    told,
    zoomed,
)
from carrel.models.dialects._openai_actions import write_action
from carrel.models.dialects._openai_answers import COMPUTER, Answer
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["Speech"]

Items = list[Json]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Speech:
    """One conversation with one of the computer tools.

    Attributes:
        dialect: Name of the dialect.
        fit: Size in which a screen of some size is shown.
        batches: Whether a call may hold several actions.
    """

    dialect: str
    fit: Callable[[Size], Size]
    batches: bool

    def space(self, context: Context) -> Space:
        """The coordinates of the model."""
        return Space(context.screen, self.fit(context.screen))

    def decision(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in a response."""
        return Answer(body, context, self.space(context), self.dialect).decision()

    def body(self, model: str, context: Context, computer: dict[str, Json]) -> dict[str, Json]:
        """The request."""
        tools: list[Json] = [computer, *map(_function_tool, function_tools(context))]
        body: dict[str, Json] = {
            "model": model,
            "instructions": system_text(context),
            "input": self._input(context),
            "tools": tools,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "truncation": "auto",
        }
        options = context.options
        if options.max_tokens is not None:
            body["max_output_tokens"] = options.max_tokens
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.reasoning is not None:
            body["reasoning"] = {"effort": options.reasoning}
        return body

    def _input(self, context: Context) -> Items:
        items: Items = [self._opening(context)]
        for number, turn in numbered(context):
            told_as = (self.dialect, number, context.screen)
            if told_as not in turn.memo:
                turn.memo[told_as] = tuple(self._turn(turn, number, context))
            items.extend(turn.memo[told_as])
        last = items[-1]
        if isinstance(last, dict) and last.get("role") == "assistant":
            items.append(_said(CONTINUE))
        return items

    def _opening(self, context: Context) -> Json:
        content: list[Json] = [{"type": "input_text", "text": opening(context)}]
        if context.first is not None:
            content.append(self._image(context.first))
        return {"role": "user", "content": content}

    def _turn(self, turn: Turn, number: int, context: Context) -> Iterator[Json]:
        if turn.decision is not None:
            whole = is_whole(turn.decision, self.dialect) and all(
                call.id == FINAL or _can_answer(call, outcome) for call, outcome in pairs(turn)
            )
            yield from self._whole(turn, context) if whole else self._retold(turn, number, context)
        yield from map(_said, (*final_words(turn), *turn.said))

    def _whole(self, turn: Turn, context: Context) -> Iterator[Json]:
        assert turn.decision is not None
        items = turn.decision.raw["items"]
        yield from items if isinstance(items, list) else ()
        words = []
        for call, outcome in pairs(turn):
            if call.id == FINAL:
                continue
            if call.name == COMPUTER:
                yield self._screenshot(call.id, outcome)
                if failed(call, outcome):
                    words.append(told(call, outcome))
            else:
                yield self._result(call.id, told(call, outcome, self.space(context)), outcome)
        yield from map(_said, words)

    def _retold(self, turn: Turn, number: int, context: Context) -> Iterator[Json]:
        """A turn of another dialect, or one whose screenshots are gone, from what was meant."""
        assert turn.decision is not None
        if turn.decision.text.strip():
            yield {"role": "assistant", "content": turn.decision.text}
        answers, words = [], []
        space = self.space(context)
        for index, (call, outcome) in enumerate(pairs(turn)):
            if call.id == FINAL:
                continue
            call_id = f"call_{number}_{index}"
            actions = self._spoken(call, outcome, space)
            if actions is None:
                yield _function_call(call_id, *_as_function(call, space))
                answers.append(self._result(call_id, told(call, outcome, space), outcome))
                continue
            yield _computer_call(call_id, actions, self.batches)
            answers.append(self._screenshot(call_id, outcome))
            if failed(call, outcome):
                words.append(told(call, outcome, space))
        yield from answers
        yield from map(_said, words)

    def _spoken(self, call: Call, outcome: Outcome, space: Space) -> Items | None:
        """The actions of a call as the tool says them; None when it cannot, or not any more."""
        if call.problem or call.checks or not _is_screen(outcome.picture):
            return None
        written = [write_action(action, space) for action in call.actions]
        if not written or (len(written) > 1 and not self.batches):
            return None
        actions: Items = [wire for wire in written if wire is not None]
        return actions if len(actions) == len(written) else None

    def _screenshot(self, call_id: str, outcome: Outcome) -> Json:
        assert outcome.picture is not None
        shot: dict[str, Json] = {
            "type": "computer_screenshot",
            "image_url": outcome.picture.data_url(self._size(outcome.picture)),
        }
        item: dict[str, Json] = {
            "type": "computer_call_output",
            "call_id": call_id,
            "output": shot,
        }
        if outcome.acknowledged:
            item["acknowledged_safety_checks"] = [
                {"id": check.id, "code": check.code, "message": check.message}
                for check in outcome.acknowledged
            ]
        return item

    def _result(self, call_id: str, text: str, outcome: Outcome) -> Json:
        output: list[Json] = [{"type": "input_text", "text": text}]
        if outcome.picture is not None:
            output.append(self._image(outcome.picture))
        return {"type": "function_call_output", "call_id": call_id, "output": output}

    def _image(self, picture: Picture) -> Json:
        url = picture.data_url(self._size(picture))
        return {"type": "input_image", "image_url": url, "detail": "high"}

    def _size(self, picture: Picture) -> Size:
        shown = self.fit(picture.screen)
        return shown if picture.region is None else zoomed(picture.size, shown)


def _can_answer(call: Call, outcome: Outcome) -> bool:
    """Whether the answer that the API wants can be given: a screenshot, every check confirmed."""
    if call.name != COMPUTER:
        return True
    confirmed = {check.id for check in outcome.acknowledged}
    return _is_screen(outcome.picture) and all(check.id in confirmed for check in call.checks)


def _is_screen(picture: Picture | None) -> bool:
    return picture is not None and picture.region is None


def _said(text: str) -> Json:
    return {"role": "user", "content": [{"type": "input_text", "text": text}]}


def _function_tool(tool: ToolSpec) -> Json:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.schema),
        "strict": False,
    }


def _computer_call(call_id: str, actions: Items, batches: bool) -> Json:
    call: dict[str, Json] = {
        "type": "computer_call",
        "id": f"cu_{call_id}",
        "call_id": call_id,
        "pending_safety_checks": [],
        "status": "completed",
    }
    return {**call, "actions": actions} if batches else {**call, "action": actions[0]}


def _function_call(call_id: str, name: str, arguments: Mapping[str, Json]) -> Json:
    return {
        "type": "function_call",
        "call_id": call_id,
        "name": name if _NAME.fullmatch(name) else "call",
        "arguments": json.dumps(arguments, ensure_ascii=False),
    }


def _as_function(call: Call, space: Space) -> tuple[str, Mapping[str, Json]]:
    """A call that the computer tool cannot tell, as the call of a function."""
    if call.problem is not None or not call.actions:
        return call.name, call.arguments
    written = [write_action(action, space) for action in call.actions]
    if all(wire is not None for wire in written):
        return COMPUTER, {"actions": list(written)}
    if len(call.actions) == 1:
        return as_function(call.actions[0], space)
    named = [as_function(action, space) for action in call.actions]
    return COMPUTER, {"actions": [{"type": name, **arguments} for name, arguments in named]}
