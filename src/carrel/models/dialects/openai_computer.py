"""OpenAI's computer tool: batches of actions, held keys, safety checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from carrel.codec import Json
from carrel.decisions import Decision
from carrel.geometry import Size
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._openai_items import Speech
from carrel.models.space import fit_within

__all__ = ["OpenAIComputer"]


def _fit(screen: Size) -> Size:
    # Our choice, not a documented limit: a desktop's text stays legible, and no provider was asked.
    return fit_within(screen, 1600, 1600 * 900)


class OpenAIComputer:
    """The tool `computer` of the Responses API, of gpt-5.4 and later."""

    name: ClassVar[str] = "openai-computer"
    api: ClassVar[Api] = Api.OPENAI_RESPONSES
    wants_elements: ClassVar[bool] = False

    _speech: ClassVar[Speech] = Speech(name, _fit, batches=True)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        return Request(self.api, self._speech.body(model, context, {"type": "computer"}))

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        return self._speech.decision(body, context)
