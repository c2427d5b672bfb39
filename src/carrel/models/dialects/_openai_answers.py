"""What OpenAI's computer tools answer: the output of the Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision, SafetyCheck, Usage
from carrel.errors import CarrelError, InvalidInput, ProtocolError
from carrel.models.context import Context
from carrel.models.dialects._extras import function_action
from carrel.models.dialects._history import final_call, problem, problem_call
from carrel.models.dialects._openai_actions import read_action
from carrel.models.dialects._wire import (
    check_body,
    count,
    dicts_of,
    items_of,
    object_of,
    parse_arguments,
    text_of,
)
from carrel.models.space import Space

__all__ = ["COMPUTER", "Answer"]

COMPUTER = "computer"
"""Name of the calls of the computer tool."""

CUT_OFF = "the call was cut off at the output limit"


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, to be understood in one context."""

    body: Mapping[str, Json]
    context: Context
    space: Space
    dialect: str

    def decision(self) -> Decision:
        """The decision in it.

        Raises:
            ProtocolError: It is no response of the API.
        """
        body = check_body(self.body)
        items = items_of(body, "output")
        if text_of(body, "status") == "failed":
            fault = text_of(object_of(body, "error"), "message")
            raise ProtocolError(f"the response failed: {fault[:500]}")
        calls = [call for item in items for call in self._call(item)]
        if len({call.id for call in calls}) < len(calls):
            raise ProtocolError("two calls of the answer have the same id")
        reason = text_of(object_of(body, "incomplete_details"), "reason")
        text, refusal = _spoken_text(items), _refusal(items, reason)
        if refusal is not None:
            calls, items = [], []
        elif not calls and text.strip() and not reason:
            calls = [final_call(text)]
        return Decision(
            calls=tuple(calls),
            text=text,
            thought=_thought(items),
            refusal=refusal,
            truncated=reason in ("max_output_tokens", "max_messages"),
            usage=_usage(object_of(body, "usage")),
            model=text_of(body, "model"),
            raw={"dialect": self.dialect, "items": list(items)}
            if calls or (items and text.strip())
            else {},
        )

    def _call(self, item: dict[str, Json]) -> Iterator[Call]:
        kind = item.get("type")
        if kind not in ("computer_call", "function_call"):
            return
        call_id, name = text_of(item, "call_id"), text_of(item, "name")
        if not call_id:
            raise ProtocolError(f"a {kind} has no call_id")
        if kind == "computer_call":
            yield self._computer_call(call_id, item)
        elif item.get("status") == "incomplete":
            yield problem_call(call_id, _function_name(name), CUT_OFF)
        else:
            yield self._function_call(call_id, name, item)

    def _computer_call(self, call_id: str, item: dict[str, Json]) -> Call:
        wires, checks = _wires(item), _checks(item)
        kept: dict[str, Json] = {"actions": wires}
        try:
            if item.get("status") == "incomplete":
                raise InvalidInput(CUT_OFF)
            actions = _read_all(wires, self.space)
        except CarrelError as error:
            return Call(call_id, COMPUTER, (), kept, problem(error), checks)
        return Call(call_id, COMPUTER, actions, kept, None, checks)

    def _function_call(self, call_id: str, name: str, item: dict[str, Json]) -> Call:
        arguments: dict[str, Json] = {}
        try:
            arguments = parse_arguments(item.get("arguments"))
            actions = self._function_actions(name, arguments)
        except CarrelError as error:
            return Call(call_id, _function_name(name), (), arguments, problem(error))
        return Call(call_id, _function_name(name), actions, arguments)

    def _function_actions(self, name: str, arguments: dict[str, Json]) -> tuple[Action, ...]:
        if name == COMPUTER and all(tool.name != COMPUTER for tool in self.context.tools):
            # Some models call the computer tool as if it were a function.
            return _read_all(_wires(arguments), self.space)
        return (function_action(name, arguments, self.context, self.space),)


def _function_name(name: str) -> str:
    """A function that is called like the computer tool is told apart by its name."""
    return "computer_function" if name == COMPUTER else name


def _wires(item: Mapping[str, Json]) -> list[Json]:
    """The actions of a call: the batch, or the only one."""
    batch = item.get("actions")
    if isinstance(batch, list) and batch:
        return batch
    single = item.get("action")
    return [single] if single is not None else []


def _read_all(wires: list[Json], space: Space) -> tuple[Action, ...]:
    actions = tuple(action for wire in wires for action in read_action(wire, space))
    if not actions:
        raise InvalidInput("the call holds no action")
    return actions


def _checks(item: Mapping[str, Json]) -> tuple[SafetyCheck, ...]:
    return tuple(
        SafetyCheck(text_of(check, "id"), text_of(check, "code"), text_of(check, "message"))
        for check in dicts_of(item, "pending_safety_checks")
    )


def _contents(items: list[dict[str, Json]], kind: str, field: str) -> list[str]:
    return [
        text_of(part, field)
        for item in items
        if item.get("type") == "message"
        for part in dicts_of(item, "content")
        if part.get("type") == kind
    ]


def _spoken_text(items: list[dict[str, Json]]) -> str:
    return "\n".join(filter(None, _contents(items, "output_text", "text")))


def _refusal(items: list[dict[str, Json]], reason: str) -> str | None:
    refusals = _contents(items, "refusal", "refusal")
    if refusals:
        return "\n".join(refusals) or "The model declined."
    return (
        "The provider's content filter stopped the answer." if reason == "content_filter" else None
    )


def _thought(items: list[dict[str, Json]]) -> str:
    return "\n".join(
        text_of(part, "text")
        for item in items
        if item.get("type") == "reasoning"
        for part in dicts_of(item, "summary")
    )


def _usage(usage: Mapping[str, Json]) -> Usage:
    details = object_of(usage, "input_tokens_details")
    cached, written = count(details, "cached_tokens"), count(details, "cache_write_tokens")
    return Usage(
        # Their total holds the cached and the written ones.
        input=max(0, count(usage, "input_tokens") - cached - written),
        cached=cached,
        cache_writes=written,
        output=count(usage, "output_tokens"),
        reasoning=count(object_of(usage, "output_tokens_details"), "reasoning_tokens"),
    )
