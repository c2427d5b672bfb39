"""One episode: begun, played by an agent, broken off when it is over, and judged."""

from __future__ import annotations

import time
from dataclasses import dataclass

import anyio

from carrel.agent.agent import Agent
from carrel.agent.running import Running
from carrel.bench.desk import StagedDesk
from carrel.bench.plan import Trial
from carrel.bench.results import Row
from carrel.bench.suite import Episode, Verdict
from carrel.errors import CarrelError
from carrel.guest.tasks import task_group
from carrel.journal.ends import EndReason
from carrel.journal.run import Run

__all__ = ["DeskFault", "play"]

JUDGE = "the judge"
"""Who ends a run whose episode is over."""
LATE = 5.0
"""Seconds beyond an episode's limit after which it is ended from here, whatever its stage says."""
AFTERWARDS = 0.1
"""Seconds for the effect of an agent's last action to be judged, when it stops by itself."""

_MODEL = frozenset(
    {
        EndReason.AUTH,
        EndReason.MODEL_TIMEOUT,
        EndReason.PROVIDER_ERROR,
        EndReason.RATE_LIMITED,
        EndReason.PRICE_UNKNOWN,
    }
)
"""Ends that say nothing about what the agent can do."""


class DeskFault(Exception):
    """The desk or its stage failed: the episode does not count, and the desk is not used again."""


@dataclass(slots=True)
class _Clock:
    began: float
    ready: float = 0.0
    ended: float = 0.0

    def seconds(self) -> float:
        return round(self.ended - self.ready, 3)

    def overhead(self) -> float:
        return round(time.monotonic() - self.began - self.seconds(), 3)


async def play(
    trial: Trial, desk: StagedDesk, agent: Agent, *, timeout: float | None = None
) -> Row:
    """Play an episode on a desk.

    Args:
        trial: Which.
        desk: Where; it is put in order before.
        agent: Who.
        timeout: Seconds in place of the suite's own limit.

    Raises:
        DeskFault: It could not be begun, carried through or judged.
    """
    clock = _Clock(time.monotonic())
    try:
        episode = await desk.stage.begin(trial.task, trial.seed, timeout)
        clock.ready = time.monotonic()
        run = await _drive(trial, desk, agent, episode)
        clock.ended = time.monotonic()
        verdict = await _judge(episode)
    except CarrelError as error:
        raise DeskFault(f"{error.code}: {error.message}") from error
    if run.end is EndReason.MACHINE_LOST and not verdict.success:
        raise DeskFault(f"{EndReason.MACHINE_LOST}: {run.message}")
    return _row(trial, desk, episode, run, verdict, clock)


async def _drive(trial: Trial, desk: StagedDesk, agent: Agent, episode: Episode) -> Run:
    """Have the agent at it until it stops, or until the episode is over."""
    running = agent.run(episode.text or trial.task, desk.computer, origin=trial.origin)
    limit = None if episode.time_limit is None else episode.time_limit + LATE
    async with task_group() as tasks:
        tasks.start_soon(_end_when_over, episode, running)
        with anyio.move_on_after(limit):
            await running.result()
        await running.aclose()
        tasks.cancel_scope.cancel()
    return running.run


async def _end_when_over(episode: Episode, running: Running) -> None:
    await episode.over()
    running.cancel(JUDGE)


async def _judge(episode: Episode) -> Verdict:
    verdict = await episode.judge()
    if not verdict.done:
        with anyio.move_on_after(AFTERWARDS):
            await episode.over()
        verdict = await episode.judge()
    return verdict


def _row(
    trial: Trial, desk: StagedDesk, episode: Episode, run: Run, verdict: Verdict, clock: _Clock
) -> Row:
    success = verdict.done and verdict.success
    fault = f"model: {run.message}" if run.end in _MODEL and not success else ""
    return Row(
        task=trial.task,
        seed=trial.seed,
        attempt=trial.attempt,
        success=success,
        reward=verdict.reward,
        reason=verdict.reason,
        end=run.reason,
        message=run.message or run.reason,
        text=episode.text,
        seconds=clock.seconds(),
        overhead=clock.overhead(),
        steps=run.steps,
        cost=None if run.cost is None else str(run.cost),
        run=run.id,
        desk=desk.name,
        fault=fault,
        at=round(time.time(), 3),
    )
