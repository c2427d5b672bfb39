"""Where episodes are played: a seat is a desk with an agent at it, wherever that is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from carrel.agent.agent import Agent
from carrel.bench.desk import Desks, StagedDesk
from carrel.bench.plan import Trial
from carrel.bench.play import play
from carrel.bench.results import Row

__all__ = ["LocalSeat", "LocalSeats", "Seat", "Seats"]


class Seat(Protocol):
    """Plays one episode at a time."""

    name: str

    async def play(self, trial: Trial) -> Row:
        """Play it.

        Raises:
            DeskFault: The seat failed, not the agent: it must not be used again.
        """
        ...


class Seats(Protocol):
    """Makes seats: on this computer, or on others."""

    def open(self) -> AbstractAsyncContextManager[Seat]:
        """A fresh one, for one worker."""
        ...

    async def clear(self) -> tuple[str, ...]:
        """Remove what a benchmark that was killed left behind; what it was called."""
        ...


class LocalSeat:
    """A desk on this computer, with the agent in this process."""

    def __init__(self, desk: StagedDesk, agent: Agent, timeout: float | None) -> None:
        self.name = desk.name
        self._desk = desk
        self._agent = agent
        self._timeout = timeout

    async def play(self, trial: Trial) -> Row:
        """Play it here."""
        return await play(trial, self._desk, self._agent, timeout=self._timeout)


class LocalSeats:
    """Desks on this computer, with all agents in this process."""

    def __init__(self, desks: Desks, agent: Agent, timeout: float | None) -> None:
        self._desks = desks
        self._agent = agent
        self._timeout = timeout

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Seat]:
        """A fresh desk."""
        async with self._desks.open() as desk:
            yield LocalSeat(desk, self._agent, self._timeout)

    async def clear(self) -> tuple[str, ...]:
        """Remove desks that were left behind."""
        return await self._desks.clear()
