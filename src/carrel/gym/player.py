"""A model whose decisions are made outside: by whoever steps the environment."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import anyio

from carrel.actions import Action
from carrel.agent.asking import Question
from carrel.agent.control import Answer
from carrel.decisions import Call, Decision
from carrel.errors import Unsupported, WrongState
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.picture import Picture

__all__ = ["Persistent", "Player"]


class Persistent:
    """Whoever learns repeats itself: a run is not stopped for that. Nothing else is agreed to."""

    async def ask(self, question: Question) -> Answer | None:
        """Go on when it is only stuck."""
        choice = "continue" if question.kind == "stuck" else "deny"
        return Answer(choice, by="the environment")


class Player:
    """Hands each look at the screen out, and waits for what to do.

    So whatever is done in an environment passes the same gate, and is in the same journal, as what
    any other model does.
    """

    name = "gym"
    dialect = "gym"

    def __init__(self, *, elements: bool = False) -> None:
        self.wants_elements = elements
        self._looks, self._looked = anyio.create_memory_object_stream[Context](1)
        self._moves, self._moved = anyio.create_memory_object_stream[tuple[Action, ...]](1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Whoever waits for the next look learns that there is none.
        self._looks.close()

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """Show what there is, and do what is said then."""
        await self._looks.send(context)
        actions = await self._moved.receive()
        return Decision(calls=(Call(f"move_{context.decided}", "move", actions),))

    async def locate(self, picture: Picture, description: str) -> Point:
        """Nobody is asked."""
        raise Unsupported("an environment does not say where things are")

    async def look(self) -> Context | None:
        """The next look; None when the run is over."""
        try:
            return await self._looked.receive()
        except anyio.EndOfStream:
            return None

    def move(self, actions: Sequence[Action]) -> None:
        """Say what to do after a look.

        Raises:
            WrongState: Nobody waits for it.
        """
        try:
            self._moves.send_nowait(tuple(actions))
        except (anyio.WouldBlock, anyio.BrokenResourceError):
            raise WrongState("the episode is over", hint="reset the environment") from None

    def close(self) -> None:
        """Let go of the channels."""
        for end in (self._looks, self._looked, self._moves, self._moved):
            end.close()
