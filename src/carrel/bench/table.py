"""Results summed up: by task, and over all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from carrel.bench.results import Results, Row
from carrel.bench.stats import pass_at_k, wilson

__all__ = ["GOOD", "Line", "Summary", "summarise"]

GOOD = 0.8
"""The share of its episodes at which a task counts as mastered."""


@dataclass(frozen=True, slots=True)
class Line:
    """One task.

    Attributes:
        faults: Episodes spoilt by what was not the agent's doing; they count as failures.
        seconds: Mean per episode.
        steps: Mean per episode.
        pass_at: By k, over the task's seeds.
    """

    task: str
    episodes: int
    successes: int
    faults: int
    seconds: float
    steps: float
    reward: float
    pass_at: dict[int, float]

    @property
    def rate(self) -> float:
        """Successes over all episodes."""
        return self.successes / self.episodes

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, at 95 %."""
        return wilson(self.successes, self.episodes)


@dataclass(frozen=True, slots=True)
class Summary:
    """All of it.

    Attributes:
        missing: Episodes of the plan that were not played.
        seconds: Mean per episode, and `overhead` beside it.
        good: Tasks with at least 80 % of their episodes carried out.
        perfect: Tasks with all of them.
    """

    lines: tuple[Line, ...]
    episodes: int
    successes: int
    faults: int
    missing: int
    seconds: float
    overhead: float
    good: int
    perfect: int
    pass_at: dict[int, float]

    @property
    def rate(self) -> float:
        """Successes over all episodes played."""
        return self.successes / self.episodes if self.episodes else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, at 95 %."""
        return wilson(self.successes, self.episodes)


def summarise(results: Results) -> Summary:
    """Sum results up; faults are failures, and what is missing is told apart."""
    by_task: dict[str, list[Row]] = defaultdict(list)
    for row in results.rows:
        by_task[row.task].append(row)
    order = {task: number for number, task in enumerate(results.header.tasks)}
    names = sorted(by_task, key=lambda task: (order.get(task, len(order)), task))
    lines = tuple(_line(task, by_task[task]) for task in names)
    rows = results.rows
    return Summary(
        lines=lines,
        episodes=len(rows),
        successes=sum(row.success for row in rows),
        faults=sum(bool(row.fault) for row in rows),
        missing=len(results.missing),
        seconds=_mean(row.seconds for row in rows),
        overhead=_mean(row.overhead for row in rows),
        good=sum(line.rate >= GOOD for line in lines),
        perfect=sum(line.successes == line.episodes for line in lines),
        pass_at=_pass_at(rows),
    )


def _line(task: str, rows: list[Row]) -> Line:
    return Line(
        task=task,
        episodes=len(rows),
        successes=sum(row.success for row in rows),
        faults=sum(bool(row.fault) for row in rows),
        seconds=_mean(row.seconds for row in rows),
        steps=_mean(row.steps for row in rows),
        reward=_mean(row.reward for row in rows),
        pass_at=_pass_at(rows),
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def _pass_at(rows: Iterable[Row]) -> dict[int, float]:
    """pass@k for every k that all episodes have the attempts for; empty for single attempts."""
    tries: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for row in rows:
        tries[row.task, row.seed].append(row.success)
    most = min((len(each) for each in tries.values()), default=0)
    if most < 2:
        return {}
    return {
        k: fmean(pass_at_k(sum(each), len(each), k) for each in tries.values())
        for k in range(1, most + 1)
    }
