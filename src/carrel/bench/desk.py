"""The desks of a benchmark: made for a worker, written down while they are there, removed."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from carrel.bench.suite import Stage, Suite
from carrel.computer import Computer
from carrel.errors import (
    ActionFailed,
    Interrupted,
    MachineLost,
    NotFound,
    ProtocolError,
    TimedOut,
)
from carrel.ids import new_id
from carrel.machines.lifecycle import Machines, quiet
from carrel.machines.provider import Progress

__all__ = ["LOST", "TRIES", "Desks", "StagedDesk", "clear_desks", "new_name"]

LOST = (MachineLost, TimedOut, Interrupted, ProtocolError, ActionFailed)
"""What a desk raises that is gone, or cannot be made ready: another one may do better."""
TRIES = 3
"""How often something is begun at most, when the fault is the desk's."""

LEDGER = "desks"
PREFIX = "bench-"

logger = logging.getLogger(__name__)


def new_name() -> str:
    """A name that no desk had before."""
    return f"{PREFIX}{new_id('x')[-10:]}"


@dataclass(frozen=True, slots=True)
class StagedDesk:
    """A machine with a suite's stage on it."""

    name: str
    computer: Computer
    stage: Stage


class Desks:
    """Makes desks for one benchmark, and knows those that a killed process left behind.

    Args:
        suite: What they are made for.
        place: The benchmark's directory; each desk's name is kept there while it exists.
        keep: Leave them when the work is done.
    """

    def __init__(
        self, suite: Suite, place: Path, *, keep: bool = False, progress: Progress = quiet
    ) -> None:
        self._suite = suite
        self._ledger = place / LEDGER
        self._keep = keep
        self._progress = progress
        self._machines = Machines()

    @asynccontextmanager
    async def open(self, name: str = "") -> AsyncIterator[StagedDesk]:
        """A fresh desk with the suite's stage on it.

        Args:
            name: What it is called; a new name by default.
        """
        name = name or new_name()
        self._note(name)
        try:
            await self._machines.up(name, self._suite.desk, self._progress)
            async with (
                self._machines.computer(name) as computer,
                self._suite.stage(computer) as stage,
            ):
                yield StagedDesk(name, computer, stage)
        finally:
            if not self._keep:
                with anyio.CancelScope(shield=True):
                    await _remove(self._machines, self._ledger, name)

    async def clear(self) -> tuple[str, ...]:
        """Remove the desks of a benchmark that was killed; nobody else may be at it."""
        return await clear_desks(self._ledger.parent, self._machines)

    def _note(self, name: str) -> None:
        # First on paper, then for real: a desk that nobody knows of would stay for ever.
        self._ledger.mkdir(parents=True, exist_ok=True)
        (self._ledger / name).touch()


async def clear_desks(place: Path, machines: Machines | None = None) -> tuple[str, ...]:
    """Remove the desks that are written down in a benchmark's directory; what they were called."""
    ledger = place / LEDGER
    left = sorted(path.name for path in ledger.glob(f"{PREFIX}*"))
    for name in left:
        await _remove(machines or Machines(), ledger, name)
    return tuple(left)


async def _remove(machines: Machines, ledger: Path, name: str) -> None:
    try:
        await machines.delete(name)
    except NotFound:
        logger.debug("%s was gone already", name)
    (ledger / name).unlink(missing_ok=True)
