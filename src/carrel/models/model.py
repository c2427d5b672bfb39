"""A model: context in, decision out."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from carrel.decisions import Decision
from carrel.errors import UsageError
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.picture import Picture

__all__ = ["Model", "OnText", "require_decisions"]

OnText = Callable[[str], None]
"""Told of pieces of the answer's text as they arrive."""


class Model(Protocol):
    """Decides what to do next. Used with `async with`; knows nothing of gates and journals.

    `decide` raises `carrel.errors.ModelError` (or a subclass) when no answer could be had; what a
    model answered is always a `Decision`, however odd.
    """

    name: str
    """As the person wrote it: `anthropic:claude-…`, `human`."""
    dialect: str
    wants_elements: bool

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The next decision."""
        ...

    async def locate(self, picture: Picture, description: str) -> Point:
        """Where something is on the screen.

        Raises:
            Unsupported: This model cannot say.
            ActionFailed: It did not find it.
        """
        ...


def require_decisions(model: Model) -> Model:
    """The model, unless it only points: then it can locate things, and work on no task.

    Raises:
        UsageError: It does; the hint says what to write instead.
    """
    if getattr(model, "points_only", False):
        raise UsageError(
            f"{model.name} only says where things are; it cannot work on a task",
            hint=f"let another model think: {model.name}+PROVIDER:MODEL",
        )
    return model
