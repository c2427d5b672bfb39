"""A suite as somebody else would write it: put a word on the clipboard of a desk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from carrel.bench.suite import Task, Verdict
from carrel.computer import Computer
from carrel.errors import Unavailable
from carrel.geometry import Size
from carrel.machines.spec import MachineSpec

WORD = "alpha"


class ClipEpisode:
    time_limit: float | None

    def __init__(self, computer: Computer, task: str, seed: int, time_limit: float | None) -> None:
        self.text = f'Put "{WORD}" on the clipboard, for the {seed}th time.'
        self.time_limit = time_limit or 10.0
        self._computer = computer
        self._task = task
        self._last: Verdict | None = None

    async def over(self) -> None:
        while not (await self.judge()).done:  # noqa: ASYNC110 (a clipboard has no event)
            await anyio.sleep(0.02)

    async def judge(self) -> Verdict:
        if self._last is None:
            found = await self._computer.get_clipboard()
            verdict = self._weigh(found)
            if not verdict.done:
                return verdict
            self._last = verdict
        return self._last

    def _weigh(self, found: str) -> Verdict:
        if self._task == "never" or not found:
            return Verdict(reason="nothing was copied")
        if self._task == "halves":
            return Verdict(0.5, False, True, "half of it")
        right = found == WORD
        return Verdict(float(right), right, True, "it is there" if right else f"not {found}")


class ClipStage:
    def __init__(self, computer: Computer) -> None:
        self._computer = computer

    async def begin(self, task: str, seed: int, time_limit: float | None = None) -> ClipEpisode:
        if task == "fragile" and ClipSuite.breaks.get(seed, 0) > 0:
            ClipSuite.breaks[seed] -= 1
            # For real: the machine ends, and with it every connection.
            await self._computer.shutdown()
        await self._computer.set_clipboard("")
        return ClipEpisode(self._computer, task, seed, time_limit)


class ClipSuite:
    name = "clip"
    version = "1"
    desk = MachineSpec(image="desktop", size=Size(640, 480))
    actions: frozenset[str] | None = None
    breaks: dict[int, int] = {}  # noqa: RUF012 (the faults a test asks for)

    def tasks(self) -> tuple[Task, ...]:
        return tuple(Task(name) for name in ("copy", "fragile", "halves", "never"))

    @asynccontextmanager
    async def stage(self, computer: Computer) -> AsyncIterator[ClipStage]:
        yield ClipStage(computer)


class StuckSuite(ClipSuite):
    """Whose desks are made, and never become ready: or, seen from elsewhere, half made."""

    name = "stuck"

    @asynccontextmanager
    async def stage(self, computer: Computer) -> AsyncIterator[ClipStage]:
        await anyio.sleep_forever()
        yield ClipStage(computer)


class SpoiltSuite(ClipSuite):
    """Whose desks cannot be made ready."""

    name = "spoilt"

    @asynccontextmanager
    async def stage(self, computer: Computer) -> AsyncIterator[ClipStage]:
        raise Unavailable("there is no stage")
        yield ClipStage(computer)
