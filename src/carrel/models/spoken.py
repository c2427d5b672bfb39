"""A model that is spoken to: a dialect for the words, a transport to carry them."""

from __future__ import annotations

from types import TracebackType
from typing import Self, cast

from carrel.actions import Click, Move
from carrel.decisions import Decision
from carrel.errors import ActionFailed, Unsupported
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialect import Dialect, Locator
from carrel.models.model import OnText
from carrel.models.picture import Picture
from carrel.models.transports.transport import Transport

__all__ = ["SpokenModel"]


class SpokenModel:
    """Asks a provider's model in its dialect.

    Args:
        name: As the person wrote it: `openai:gpt-…`. What follows the first colon is the
            provider's name for the model.
        dialect: How it is asked, and how its answers are read.
        transport: What carries them.
        stream: Whether to stream answers; for servers that cannot, or do it badly.
        model: The provider's name for the model, where it is not in `name`.
    """

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        transport: Transport,
        *,
        stream: bool = True,
        model: str | None = None,
    ) -> None:
        if dialect.api not in transport.apis:
            spoken = ", ".join(transport.apis)
            raise Unsupported(
                f"{name}: the dialect {dialect.name} needs {dialect.api}, and its provider speaks "
                f"{spoken}",
                hint="take another dialect or another provider",
            )
        self.name = name
        self.dialect = dialect.name
        self.wants_elements = dialect.wants_elements
        self.reads_pixels: bool = getattr(dialect, "reads_pixels", False)
        """Whether pictures should come with what can be read from their pixels."""
        self.points_only: bool = getattr(dialect, "points_only", False)
        """Whether it can only be asked where things are."""
        self._model = model or name.partition(":")[2] or name
        self._dialect, self._transport, self._stream = dialect, transport, stream

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._transport.__aexit__(kind, error, trace)

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The next decision."""
        request = self._dialect.encode(self._model, context)
        heard = on_text if self._stream else None
        body = await self._transport.send(self._model, request, heard)
        return self._dialect.decode(body, context)

    async def locate(self, picture: Picture, description: str) -> Point:
        """Where something is on the screen.

        Raises:
            Unsupported: The dialect cannot ask for it.
            ActionFailed: It was not found.
        """
        if not hasattr(self._dialect, "encode_locate"):
            return await self._locate_by_click(picture, description)
        locator = cast("Locator", self._dialect)
        request = locator.encode_locate(self._model, picture, description)
        body = await self._transport.send(self._model, request)
        return locator.decode_locate(body, picture)

    async def _locate_by_click(self, picture: Picture, description: str) -> Point:
        """Ask where it would click: models that use computers point by clicking."""
        task = f"Click on this, once, and do nothing else: {description}"
        decision = await self.decide(Context(task, picture.screen, first=picture), lambda _: None)
        for call in decision.calls:
            for action in call.actions:
                if isinstance(action, Click | Move):
                    return Point(action.x, action.y)
        said = decision.refusal or decision.text or "it did not point anywhere"
        raise ActionFailed(f"{self.name} did not find {description!r}: {said[:200]}")
