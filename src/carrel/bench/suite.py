"""What a benchmark is: a suite of tasks, the stage they are played on, and the judge of each.

A suite is a plug-in: a class that fulfils `Suite`, named by an entry point of the group
`carrel.suites`. The runner gives it a desk of its own, the agent is given the episode's text, and
only the episode says how it went.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from carrel.computer import Computer
from carrel.errors import InvalidInput, NotFound, Unavailable
from carrel.machines.spec import MachineSpec

__all__ = [
    "Episode",
    "Stage",
    "Suite",
    "Task",
    "Verdict",
    "choose_tasks",
    "get_suite",
    "suite_names",
]

GROUP = "carrel.suites"
# Part of this distribution: there also where it was installed without its entry points.
_OWN = {"miniwob": "carrel.bench.suites.miniwob:MiniWob"}


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a suite; a seed makes an episode of it."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an episode went, or how it stands.

    Attributes:
        reward: As the suite reckons, without any discount for time.
        success: Whether the task was carried out, all of it.
        done: Whether the episode is over; while it is not, nothing is won or lost yet.
        reason: In the suite's words.
    """

    reward: float = 0.0
    success: bool = False
    done: bool = False
    reason: str = ""


class Episode(Protocol):
    """One task with one seed, under way.

    Attributes:
        text: The task as the agent is given it.
        time_limit: Seconds the agent has; None is no limit of the suite's own.
    """

    text: str
    time_limit: float | None

    async def over(self) -> None:
        """Return as soon as the episode is over by itself; may never return."""
        ...

    async def judge(self) -> Verdict:
        """How it stands. What was judged done once is never judged anew."""
        ...


class Stage(Protocol):
    """A desk made ready for the tasks of a suite; one episode at a time."""

    async def begin(self, task: str, seed: int, time_limit: float | None = None) -> Episode:
        """Put the desk in order and begin an episode; the one before it, if any, is over.

        Args:
            task: A name of the suite's.
            seed: The same seed makes the same episode.
            time_limit: Seconds in place of the suite's own limit.
        """
        ...


class Suite(Protocol):
    """A named set of tasks.

    Attributes:
        version: It changes when the same episode would go or be judged otherwise. Results of
            another one are not gone on with, and a comparison tells that it differs.
        desk: The machine that every worker makes for itself.
        actions: What an agent may do in it, by the actions' types; None for all there is.
    """

    name: str
    version: str
    desk: MachineSpec
    actions: frozenset[str] | None

    def tasks(self) -> tuple[Task, ...]:
        """Every task, in a fixed order."""
        ...

    def stage(self, computer: Computer) -> AbstractAsyncContextManager[Stage]:
        """Make a fresh desk ready: copy what is needed, open what is needed."""
        ...


@cache
def _points() -> dict[str, EntryPoint]:
    own = {name: EntryPoint(name, value, GROUP) for name, value in _OWN.items()}
    return {**own, **{point.name: point for point in entry_points(group=GROUP)}}


def suite_names() -> tuple[str, ...]:
    """The suites there are, in the order of their names."""
    return tuple(sorted(_points()))


def get_suite(name: str) -> Suite:
    """The suite of that name.

    Raises:
        NotFound: There is none; the hint names those there are.
        Unavailable: It needs a package that is not installed.
    """
    point = _points().get(name)
    if point is None:
        raise NotFound(
            f"there is no suite {name!r}",
            hint=f"known: {', '.join(suite_names())}; others come with packages that declare an "
            f"entry point in the group {GROUP}",
        )
    try:
        suite: Suite = point.load()()
    except (ImportError, AttributeError) as error:
        raise Unavailable(
            f"the suite {name} cannot be loaded: {error}",
            hint="pip install 'carrel[bench]', or repair the package that provides it",
        ) from error
    return suite


def choose_tasks(suite: Suite, patterns: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of the tasks that any pattern fits (`click-*`), in the suite's order.

    Raises:
        InvalidInput: A pattern fits none.
    """
    names = [task.name for task in suite.tasks()]
    wanted = tuple(patterns)
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InvalidInput(
                f"{suite.name} has no task {pattern!r}",
                hint=f"carrel bench list {suite.name} shows them",
            )
    if not wanted:
        return tuple(names)
    return tuple(n for n in names if any(fnmatchcase(n, pattern) for pattern in wanted))
