"""Anthropic's earlier computer tools: one tool with an `action`, behind beta headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carrel.codec import Json
from carrel.decisions import Decision
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._anthropic_answers import Answer
from carrel.models.dialects._anthropic_blocks import MAX_TOKENS, Tool, Writer, shown_size

__all__ = ["Anthropic20250124", "Anthropic20251124"]

_BUDGETS = {"low": 1024, "medium": 4096}
_LARGE_BUDGET = 8192


class Anthropic20251124:
    """The tool `computer_20251124`, of Opus 4.5 to 5, Sonnet 4.6 and 5, and on Bedrock."""

    name: ClassVar[str] = "anthropic-20251124"
    api: ClassVar[Api] = Api.ANTHROPIC
    wants_elements: ClassVar[bool] = False

    _tool: ClassVar[Tool] = Tool(name, toolset=False, zoom=True)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        body = Writer(self._tool, context, self._entry(context)).body(model)
        if context.options.reasoning is not None:
            body["output_config"] = {"effort": context.options.reasoning}
        return Request(self.api, body, ("computer-use-2025-11-24",))

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        prefix = Writer(self._tool, context, self._entry(context)).prefix(body)
        return Answer(body, context, self._tool, prefix).decision()

    def _entry(self, context: Context) -> dict[str, Json]:
        return {**_display("computer_20251124", context), "enable_zoom": True}


class Anthropic20250124:
    """The tool `computer_20250124`, of Sonnet 4.5, Haiku 4.5 and before; it cannot zoom."""

    name: ClassVar[str] = "anthropic-20250124"
    api: ClassVar[Api] = Api.ANTHROPIC
    wants_elements: ClassVar[bool] = False

    _tool: ClassVar[Tool] = Tool(name, toolset=False, zoom=False)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        entry = _display("computer_20250124", context)
        body = Writer(self._tool, context, entry).body(model)
        options = context.options
        if options.reasoning is not None:
            budget = _BUDGETS.get(options.reasoning, _LARGE_BUDGET)
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
            # Thinking counts towards the limit, which has to be larger than its budget.
            body["max_tokens"] = budget + (options.max_tokens or MAX_TOKENS - _LARGE_BUDGET)
        return Request(self.api, body, ("computer-use-2025-01-24",))

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        prefix = Writer(self._tool, context, _display("computer_20250124", context)).prefix(body)
        return Answer(body, context, self._tool, prefix).decision()


def _display(kind: str, context: Context) -> dict[str, Json]:
    shown = shown_size(context.screen)
    return {
        "type": kind,
        "name": "computer",
        "display_width_px": shown.width,
        "display_height_px": shown.height,
    }
