"""Plays a benchmark: workers with a desk each take episodes until none is left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import carrel
from carrel.agent.agent import Agent
from carrel.bench.desk import LOST, TRIES, Desks
from carrel.bench.plan import Plan, Trial
from carrel.bench.play import DeskFault
from carrel.bench.results import Header, Results, Row, Writer, write_results
from carrel.bench.seats import LocalSeats, Seat, Seats
from carrel.bench.suite import Suite
from carrel.errors import InvalidInput, Unavailable
from carrel.guest.tasks import task_group
from carrel.journal.ends import EndReason
from carrel.journal.redact import Redactor
from carrel.machines.lifecycle import quiet
from carrel.machines.provider import Progress
from carrel.policy.limits import Limits

__all__ = ["Bench", "OnRow"]

MOST_WORKERS = 64

OnRow = Callable[[Row, Results], None]
"""Told of every episode as soon as it is written, with all results so far."""


def ignore(row: Row, results: Results) -> None:
    """Tell nobody."""


@dataclass(kw_only=True)
class Bench:
    """A benchmark to be played.

    ```python
    suite = get_suite("miniwob")
    plan = Plan(choose_tasks(suite, ["click-*"]), seeds=(0, 1, 2))
    results = await Bench(suite=suite, agent=Agent(model="steps"), plan=plan, out=out).play()
    ```

    Attributes:
        agent: Who plays; its journals are kept in `out`, and its actions are those of the suite.
        out: The directory of the results.
        workers: How many desks at a time.
        timeout: Seconds per episode, in place of the suite's own limits.
        max_steps: Most decisions per episode.
        resume: Go on with what is in `out`: what was played is not played again, unless a fault
            that was not the agent's spoilt it.
        keep: Leave the desks.
        make_seats: Where it is played; on desks of this computer unless told otherwise.
    """

    suite: Suite
    agent: Agent
    plan: Plan
    out: Path
    workers: int = 1
    timeout: float | None = None
    max_steps: int | None = None
    resume: bool = False
    keep: bool = False
    on_row: OnRow = ignore
    progress: Progress = quiet
    make_seats: Callable[[Bench], Seats] = field(default=lambda bench: bench.local_seats())

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InvalidInput(f"between 1 and {MOST_WORKERS} workers, not {self.workers}")
        if not len(self.plan):
            raise InvalidInput("there is no episode to play")
        self.out = self.out.absolute()

    def header(self) -> Header:
        """What is about to be played."""
        agent, suite, plan = self.agent, self.suite, self.plan
        desk, hide = suite.desk, Redactor()
        steps = None if agent.limits is None else agent.limits.steps
        return Header(
            suite=suite.name,
            version=suite.version,
            model=agent.model if isinstance(agent.model, str) else agent.model.name,
            tasks=plan.tasks,
            seeds=plan.seeds,
            attempts=plan.attempts,
            timeout=self.timeout,
            max_steps=steps if self.max_steps is None else self.max_steps,
            # Results are shown around: a key in an option is no business of theirs.
            options={name: str(value) for name, value in hide.data(agent.model_options).items()},
            base_url=_without_password(agent.base_url, hide),
            machine={"provider": desk.provider, "image": desk.image, "screen": str(desk.size)},
            workers=self.workers,
            carrel=carrel.__version__,
            started=round(time.time(), 3),
        )

    async def play(self) -> Results:
        """Play every episode that was not played yet; all results, old and new.

        Raises:
            Unavailable: The model cannot be asked.
            AlreadyExists: There are results in `out`, and `resume` is not set.
            MachineLost: Desks cannot be had any more; what was played is kept.
        """
        # Before a desk is made for nothing.
        await self.agent.check_model()
        with write_results(self.out, self.header(), resume=self.resume) as (writer, before):
            seats = self.make_seats(self)
            await seats.clear()
            played = {row.trial for row in before.rows if not row.fault}
            left = deque(trial for trial in self.plan.trials() if trial not in played)
            work = _Work(seats, self.on_row, writer, before, left)
            async with task_group() as tasks:
                for _ in range(min(self.workers, len(left))):
                    tasks.start_soon(work.go_on)
            return work.results

    def player(self) -> Agent:
        """The agent as it plays: within the suite's bounds, journals in the results' directory."""
        limits = self.agent.limits or Limits()
        if self.max_steps is not None:
            limits = replace(limits, steps=self.max_steps)
        return replace(
            self.agent, home=self.out, actions=self.suite.actions, limits=limits, asker=None
        )

    def local_seats(self) -> Seats:
        """Desks on this computer."""
        desks = Desks(self.suite, self.out, keep=self.keep, progress=self.progress)
        return LocalSeats(desks, self.player(), self.timeout)


def _without_password(address: str | None, hide: Redactor) -> str | None:
    if address is None:
        return None
    parts = urlsplit(address)
    return hide.text(urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])))


class _Work:
    """What is left to be played, shared by the workers."""

    def __init__(
        self, seats: Seats, on_row: OnRow, writer: Writer, results: Results, left: deque[Trial]
    ) -> None:
        self._seats = seats
        self._on_row = on_row
        self._writer = writer
        self._left = left
        self._faults: dict[Trial, list[str]] = {}
        self._in_a_row = 0
        self.results = results

    async def go_on(self) -> None:
        """One worker: play on a seat while it lasts, then on another."""
        while self._left:
            try:
                async with self._seats.open() as seat:
                    await self._play_on(seat)
            except LOST:
                # A desk that could not be made ready, or whose end could not be seen to.
                self._in_a_row += 1
                if self._in_a_row >= TRIES:
                    raise

    async def _play_on(self, seat: Seat) -> None:
        while self._left:
            trial = self._left.popleft()
            try:
                row = await seat.play(trial)
            except DeskFault as fault:
                self._try_again(trial, seat.name, str(fault))
                return
            self._in_a_row = 0
            self._keep(row)
            if row.end == EndReason.AUTH and row.fault:
                raise Unavailable(row.message, hint="see to the key, then go on with --resume")

    def _try_again(self, trial: Trial, seat: str, fault: str) -> None:
        """Have it played again on another desk, a bounded number of times."""
        known = self._faults.setdefault(trial, [])
        known.append(fault)
        if len(known) < TRIES:
            self._left.appendleft(trial)
            return
        lost = Row(trial.task, trial.seed, trial.attempt, reason="not judged")
        self._keep(replace(lost, fault=known.pop(), desk=seat, at=round(time.time(), 3)))

    def _keep(self, row: Row) -> None:
        earlier = tuple(self._faults.pop(row.trial, ()))
        row = replace(row, tries=len(earlier) + 1, earlier=earlier)
        self._writer.add(row)
        self.results += row
        self._on_row(row, self.results)
