"""What Anthropic's computer tools answer: the content of the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage
from carrel.errors import CarrelError, InvalidInput, ProtocolError
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialects._anthropic_actions import MEMBERS, Place, read_member
from carrel.models.dialects._anthropic_blocks import TOOLSET, Tool, space_of
from carrel.models.dialects._extras import function_action
from carrel.models.dialects._history import final_call, pointer, pointer_after, problem
from carrel.models.dialects._wire import (
    arguments_of,
    check_body,
    count,
    items_of,
    object_of,
    string,
    text_of,
)

__all__ = ["Answer"]

ENDED = ("end_turn", "stop_sequence")
CUT = ("max_tokens", "model_context_window_exceeded")


@dataclass(frozen=True, slots=True)
class Answer:
    """One message, to be understood in one context."""

    body: Mapping[str, Json]
    context: Context
    tool: Tool
    prefix: str

    def decision(self) -> Decision:
        """The decision in it.

        Raises:
            ProtocolError: It is no message of the API.
        """
        body = check_body(self.body)
        blocks, reason = items_of(body, "content"), text_of(body, "stop_reason")
        calls = self._calls(blocks, reason)
        text = _texts(blocks, "text", "text")
        refusal = _refusal(body, text) if reason == "refusal" else None
        if refusal is not None:
            calls, blocks = (), []
        elif not calls and text.strip() and reason in ENDED:
            calls = (final_call(text),)
        raw: dict[str, Json] = {
            "dialect": self.tool.dialect,
            "items": list(blocks),
            "prefix": self.prefix,
        }
        return Decision(
            calls=calls,
            text=text,
            thought=_texts(blocks, "thinking", "thinking"),
            refusal=refusal,
            truncated=reason in CUT,
            usage=_usage(object_of(body, "usage")),
            model=text_of(body, "model"),
            raw=raw if calls or (blocks and text.strip()) else {},
        )

    def _calls(self, blocks: list[dict[str, Json]], reason: str) -> tuple[Call, ...]:
        calls: list[Call] = []
        where = pointer(self.context)
        for block in blocks:
            if block.get("type") != "tool_use":
                continue
            cut = reason in CUT and block is blocks[-1]
            call = self._call(block, where, cut)
            where = pointer_after(call.actions, where)
            calls.append(call)
        if len({call.id for call in calls}) < len(calls):
            raise ProtocolError("two calls of the answer have the same id")
        return tuple(calls)

    def _call(self, block: dict[str, Json], where: Point | None, cut: bool) -> Call:
        call_id, name = text_of(block, "id"), text_of(block, "name")
        if not call_id or not name:
            raise ProtocolError("a tool_use has no id or no name")
        arguments: dict[str, Json] = {}
        try:
            if cut:
                raise InvalidInput("the call was cut off at the output limit")
            arguments = arguments_of(block.get("input"))
            actions = self._actions(block, name, arguments, where)
        except CarrelError as error:
            return Call(call_id, name, (), arguments, problem(error))
        return Call(call_id, name, actions, arguments)

    def _actions(
        self, block: dict[str, Json], name: str, given: dict[str, Json], where: Point | None
    ) -> tuple[Action, ...]:
        place = Place(space_of(self.context), where)
        own = any(tool.name == name for tool in self.context.tools)
        if self.tool.toolset and block.get("toolset_name") == TOOLSET:
            return read_member(name, given, place)
        if not self.tool.toolset and name == "computer" and not own:
            return read_member(string(given, "action"), given, place)
        try:
            return (function_action(name, given, self.context, place.space),)
        except CarrelError:
            # A member that came without the name of its toolset.
            if name not in MEMBERS or own:
                raise
            return read_member(name, given, place)


def _texts(blocks: list[dict[str, Json]], kind: str, key: str) -> str:
    found = (text_of(block, key) for block in blocks if block.get("type") == kind)
    return "\n".join(text for text in found if text)


def _refusal(body: Mapping[str, Json], text: str) -> str:
    details = object_of(body, "stop_details")
    category = text_of(details, "category")
    return (
        text_of(details, "explanation")
        or text.strip()
        or (f"The provider declined: {category}." if category else "The provider declined.")
    )


def _usage(usage: Mapping[str, Json]) -> Usage:
    return Usage(
        input=count(usage, "input_tokens"),
        cached=count(usage, "cache_read_input_tokens"),
        cache_writes=count(usage, "cache_creation_input_tokens"),
        output=count(usage, "output_tokens"),
        reasoning=count(object_of(usage, "output_tokens_details"), "thinking_tokens"),
    )
