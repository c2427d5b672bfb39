"""Two models as one: a thinker that says what to do, a grounder that says where it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage
from carrel.errors import ActionFailed, CarrelError, InvalidInput
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._functions_described import Described, Unlocated
from carrel.models.dialects._text import read_answer
from carrel.models.model import Model, OnText
from carrel.models.picture import Picture
from carrel.models.transports.transport import Transport
from carrel.results import Failure

__all__ = ["ComposedModel", "Meter"]


class Meter:
    """A transport that counts the tokens of what passes through it, of chat completions."""

    def __init__(self, transport: Transport) -> None:
        self.apis: tuple[Api, ...] = transport.apis
        self.spent = Usage()
        self._transport = transport

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

    async def send(
        self, model: str, request: Request, on_text: OnText | None = None
    ) -> Mapping[str, Json]:
        """Send a request, and count what the answer says it took."""
        body = await self._transport.send(model, request, on_text)
        self.spent += read_answer(body).usage
        return body


class ComposedModel:
    """`grounder+thinker`.

    Args:
        grounder: Is asked with `locate`, for every description on the newest picture anew: what it
            found before says nothing about the screen of now.
        thinker: A model in the dialect `described`.
        meter: Counts what the grounder takes; without one only the thinker is counted.
    """

    dialect = "described"
    wants_elements = False

    def __init__(
        self, name: str, grounder: Model, thinker: Model, *, meter: Meter | None = None
    ) -> None:
        self.name = name
        self._grounder, self._thinker, self._meter = grounder, thinker, meter
        self._words = Described()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._grounder)
            await stack.enter_async_context(self._thinker)
            self._open = stack.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._open.__aexit__(kind, error, trace)

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The thinker's decision, with every described place found by the grounder."""
        before = self._meter.spent if self._meter else Usage()
        decision = await self._thinker.decide(context, on_text)
        calls = [await self._located(call, context) for call in decision.calls]
        after = self._meter.spent if self._meter else Usage()
        found = _since(before, after)
        # Each has its own price.
        shares = {self._thinker.name: decision.usage}
        shares[self._grounder.name] = shares.get(self._grounder.name, Usage()) + found
        return replace(decision, calls=tuple(calls), usage=decision.usage + found, shares=shares)

    async def locate(self, picture: Picture, description: str) -> Point:
        """Where something is, as the grounder sees it."""
        return await self._grounder.locate(picture, description)

    async def _located(self, call: Call, context: Context) -> Call:
        if call.problem is None or call.problem.code != Unlocated.code:
            return call
        try:
            points = await self._points(call, context)
            action = self._words.located(call.name, call.arguments, points, context)
        except (ActionFailed, InvalidInput) as error:
            return replace(call, problem=_failure(error))
        return replace(call, actions=(action,), problem=None)

    async def _points(self, call: Call, context: Context) -> list[Point]:
        if context.picture is None:
            raise ActionFailed("there is no picture to look for it on", hint="take a screenshot")
        targets = self._words.targets(call.arguments)
        return [await self._grounder.locate(context.picture, target) for target in targets]


def _failure(error: CarrelError) -> Failure:
    return Failure(error.code, error.message, error.retryable, error.hint)


def _since(before: Usage, after: Usage) -> Usage:
    return Usage(
        after.input - before.input,
        after.cached - before.cached,
        after.cache_writes - before.cache_writes,
        after.output - before.output,
        after.reasoning - before.reasoning,
    )
