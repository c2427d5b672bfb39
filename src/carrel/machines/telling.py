"""What follows when a machine starts or ends: a line in the chronicle, and hooks are called."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.codec import Json
from carrel.errors import Refused
from carrel.machines.chronicle import Chronicle
from carrel.machines.hooks import Moment, run_hooks
from carrel.machines.spec import Machine
from carrel.machines.state import Observed

__all__ = ["Teller"]

_TOLD = "end-told"
"""Holds when the start was whose end was told last."""

logger = logging.getLogger(__name__)


class Teller:
    """Tells of the machines of one store.

    Args:
        home: The store's directory.
    """

    def __init__(self, home: Path) -> None:
        self.chronicle = Chronicle(home)

    async def started(self, machine: Machine, facts: dict[str, Json] | None = None) -> None:
        """It runs now."""
        self.chronicle.write("started", machine, facts=facts)
        await self._call("on_machine_start", machine)

    async def stopped(self, machine: Machine) -> None:
        """Somebody has stopped it."""
        self.chronicle.write("stopped", machine)
        await self._call("on_machine_stop", machine)

    async def crashed(self, machine: Machine, observed: Observed) -> None:
        """It has ended by itself; told once for each of its starts."""
        path = machine.directory / _TOLD
        start = str(observed.started_at)
        if not machine.directory.is_dir() or (path.exists() and path.read_text() == start):
            return
        cause = observed.cause or "it is not known why"
        self.chronicle.write("crashed", machine, cause)
        try:
            path.write_text(start)
        except OSError as error:  # the disk may be full: it is then told more than once
            logger.warning("%s: %s", machine.name, error)
        await self._call("on_machine_stop", machine, cause)

    async def _call(self, moment: Moment, machine: Machine, cause: str | None = None) -> None:
        for problem in await run_hooks(moment, machine, cause):
            logger.warning("%s: %s", machine.name, problem)
            self.chronicle.write("hook-failed", machine, problem, {"moment": moment})

    @contextmanager
    def refusals(self, name: str) -> Iterator[None]:
        """Write down what is refused within."""
        try:
            yield
        except Refused as error:
            self.chronicle.write("refused", name, error.message)
            raise
