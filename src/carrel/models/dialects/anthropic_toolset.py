"""Anthropic's computer toolset: each action a tool of its own, no display size, no beta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carrel.codec import Json
from carrel.decisions import Decision
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._anthropic_actions import MEMBERS
from carrel.models.dialects._anthropic_answers import Answer
from carrel.models.dialects._anthropic_blocks import Tool, Writer

__all__ = ["AnthropicToolset"]


class AnthropicToolset:
    """The toolset `computer_toolset_20260801`, of Opus 4.8, Sonnet 5, Fable 5 and later models."""

    name: ClassVar[str] = "anthropic-toolset"
    api: ClassVar[Api] = Api.ANTHROPIC
    wants_elements: ClassVar[bool] = False

    _tool: ClassVar[Tool] = Tool(name, toolset=True, zoom=True)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        body = Writer(self._tool, context, _entry(context)).body(model)
        if context.options.reasoning is not None:
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
            body["output_config"] = {"effort": context.options.reasoning}
        return Request(self.api, body)

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        prefix = Writer(self._tool, context, _entry(context)).prefix(body)
        return Answer(body, context, self._tool, prefix).decision()


def _entry(context: Context) -> dict[str, Json]:
    """The toolset without the members that the context does not allow."""
    entry: dict[str, Json] = {"type": "computer_toolset_20260801"}
    allowed = context.actions
    if allowed is None:
        return entry
    withheld = [member for member, action in MEMBERS.items() if action not in allowed]
    configs: dict[str, Json] = {member: {"enabled": False} for member in withheld}
    return {**entry, "configs": configs} if configs else entry
