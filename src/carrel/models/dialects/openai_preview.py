"""OpenAI's first computer tool: one action at a time, on a display whose size it is told."""

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

__all__ = ["OpenAIPreview"]


def _fit(screen: Size) -> Size:
    # Our choice, not a documented limit.
    return fit_within(screen, 1366, 1366 * 768)


class OpenAIPreview:
    """The tool `computer_use_preview` of the model `computer-use-preview`."""

    name: ClassVar[str] = "openai-preview"
    api: ClassVar[Api] = Api.OPENAI_RESPONSES
    wants_elements: ClassVar[bool] = False

    _speech: ClassVar[Speech] = Speech(name, _fit, batches=False)

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        shown = _fit(context.screen)
        tool: dict[str, Json] = {
            "type": "computer_use_preview",
            "display_width": shown.width,
            "display_height": shown.height,
            "environment": "linux",
        }
        return Request(self.api, self._speech.body(model, context, tool))

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer to the request for this very context."""
        return self._speech.decision(body, context)
