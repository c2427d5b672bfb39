"""A model whose requests are told to callbacks, and are repeated no more often than was asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from carrel.decisions import Decision
from carrel.errors import ModelError
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.model import Model, OnText
from carrel.models.picture import Picture

__all__ = ["WatchedModel"]

Before = Callable[[], Awaitable[None]]
After = Callable[[Decision], Awaitable[None]]


class WatchedModel:
    """A model with somebody looking over its shoulder.

    Args:
        model: The model.
        retries: How often a failed request may be repeated.
        before: Called before every new decision, not before its retries.
        after: Called with every decision.
    """

    def __init__(self, model: Model, retries: int, before: Before, after: After) -> None:
        self._model = model
        self._retries = retries
        self._before = before
        self._after = after
        self._failed = 0
        self.name = model.name
        self.dialect = model.dialect
        self.wants_elements = model.wants_elements
        self.reads_pixels: bool = getattr(model, "reads_pixels", False)

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._model.__aexit__(kind, error, trace)

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The next decision of the model."""
        if not self._failed:
            await self._before()
        try:
            decision = await self._model.decide(context, on_text)
        except ModelError as error:
            self._failed += 1
            if self._failed > self._retries:
                error.retryable = False
            raise
        self._failed = 0
        await self._after(decision)
        return decision

    async def locate(self, picture: Picture, description: str) -> Point:
        """Where something is, as the model sees it."""
        return await self._model.locate(picture, description)
