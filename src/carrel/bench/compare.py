"""Two results set against each other, episode by episode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from carrel.bench.results import Results, Row
from carrel.bench.stats import sign_test, wilson
from carrel.errors import InvalidInput

__all__ = ["Comparison", "Difference", "compare"]

LIKELY = 0.05
"""A difference that chance alone makes at least this often is not told as one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How the second fared against the first, over the same episodes.

    Attributes:
        first: Successes of the first.
        gained: Episodes that only the second carried out.
        lost: Episodes that only the first carried out.
        questions: How many different things the episodes ask: mostly as many as there are.
        better: Questions at which the second was right more often.
        worse: Questions at which the first was.
        p: How likely a difference like that of the questions is by chance alone.
    """

    name: str
    episodes: int
    first: int
    second: int
    gained: int
    lost: int
    questions: int
    better: int
    worse: int
    p: float

    @property
    def change(self) -> float:
        """Of the success rate."""
        return (self.second - self.first) / self.episodes

    @property
    def intervals(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the two true rates lie, at 95 %."""
        return wilson(self.first, self.episodes), wilson(self.second, self.episodes)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two results.

    Attributes:
        overall: All episodes that both have, or those that count for the suite as a whole.
        tasks: Each task that both have, in the order of the first.
        clear: Names of the tasks whose difference is more than noise, all of them taken together.
        only_first: Episodes that only one of them has: they are left out.
        differs: What else than the agent is different between the two.
    """

    overall: Difference
    tasks: tuple[Difference, ...]
    clear: frozenset[str]
    only_first: int
    only_second: int
    differs: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """In words: better, worse, or no difference that is more than noise."""
        if self.overall.p >= LIKELY:
            return "no difference that chance would not make"
        return "better" if self.overall.better > self.overall.worse else "worse"


@dataclass(frozen=True, slots=True)
class _Counting:
    """What the test takes for one throw of the coin: episodes that hang together are no proof.

    Attributes:
        question: The same for episodes that ask the same thing.
        overall: Whether an episode counts for the suite as a whole.
    """

    question: Callable[[Row], Hashable] = lambda row: row.trial
    overall: Callable[[Row], bool] = lambda row: True


def _counting(suite: str) -> _Counting:
    if suite != "screens":
        return _Counting()
    from carrel.bench.suites.screens.record import counts_overall, question_of

    return _Counting(question_of, counts_overall)


_COMPARED = ("model", "options", "base_url")
"""In what two results may differ: it is what they are compared for."""


def compare(first: Results, second: Results) -> Comparison:
    """Set two results against each other over the episodes that both have.

    Raises:
        InvalidInput: They are of different suites, or have no episode in common.
    """
    if first.header.suite != second.header.suite:
        raise InvalidInput(
            f"{first.header.suite} and {second.header.suite} cannot be compared",
            hint="give two results of the same suite",
        )
    before = {row.trial: row for row in first.rows}
    after = {row.trial: row for row in second.rows}
    both = [(before[trial], after[trial]) for trial in before if trial in after]
    if not both:
        raise InvalidInput("the two results have no episode in common")
    by_task: dict[str, list[tuple[Row, Row]]] = {}
    for pair in both:
        by_task.setdefault(pair[0].task, []).append(pair)
    how = _counting(first.header.suite)
    tasks = tuple(_difference(task, pairs, how) for task, pairs in by_task.items())
    different = first.header.differs_from(second.header)
    counted = [pair for pair in both if how.overall(pair[0])]
    return Comparison(
        overall=_difference("all", counted or both, how),
        tasks=tasks,
        clear=_clear(tasks),
        only_first=len(before) - len(both),
        only_second=len(after) - len(both),
        differs=tuple(name for name in different if name not in _COMPARED),
    )


def _difference(name: str, pairs: list[tuple[Row, Row]], how: _Counting) -> Difference:
    gained = sum(after.success and not before.success for before, after in pairs)
    lost = sum(before.success and not after.success for before, after in pairs)
    balance: Counter[Hashable] = Counter()
    for before, after in pairs:
        balance[how.question(before)] += after.success - before.success
    better = sum(value > 0 for value in balance.values())
    worse = sum(value < 0 for value in balance.values())
    return Difference(
        name=name,
        episodes=len(pairs),
        first=sum(before.success for before, _ in pairs),
        second=sum(after.success for _, after in pairs),
        gained=gained,
        lost=lost,
        questions=len(balance),
        better=better,
        worse=worse,
        p=sign_test(better, worse),
    )


def _clear(tasks: tuple[Difference, ...]) -> frozenset[str]:
    """The tasks that differ for sure, by Holm's correction.

    Of a hundred tasks in which nothing changed, a few would seem to differ.
    """
    found: set[str] = set()
    for number, task in enumerate(sorted(tasks, key=lambda each: each.p)):
        if task.p * (len(tasks) - number) >= LIKELY:
            break
        found.add(task.name)
    return frozenset(found)
