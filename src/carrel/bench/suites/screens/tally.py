"""The figures: marks and times summed up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from carrel.bench.suites.screens.asking import UNSURE
from carrel.bench.suites.screens.score import Mark
from carrel.geometry import Size

__all__ = ["Count", "Judged", "Tally", "tally"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One shot and all marks it got.

    Attributes:
        key: Of the shot.
        web: Whether it is a page; else an application.
    """

    key: str
    size: Size
    web: bool
    marks: tuple[Mark, ...]
    seconds: Mapping[str, float]


@dataclass(slots=True)
class Count:
    """How many of how many; `unsure` of those that are not right said so themselves."""

    right: int = 0
    of: int = 0
    unsure: int = 0

    @property
    def rate(self) -> float | None:
        """None when nothing was asked."""
        return self.right / self.of if self.of else None

    @property
    def wrong(self) -> int:
        """Answers that were given and were not right."""
        return self.of - self.right - self.unsure

    def add(self, mark: Mark) -> None:
        """Count one more."""
        self.of += 1
        self.right += mark.right
        self.unsure += not mark.right and mark.why.startswith(UNSURE)


@dataclass(slots=True)
class Tally:
    """Sums over all shots.

    Attributes:
        counts: By (pages or apps, size, measure, source, kind); kind `all` is all of them.
        times: Median seconds by (size, what).
    """

    counts: dict[tuple[str, str, str, str, str], Count] = field(default_factory=dict)
    times: dict[tuple[str, str], float] = field(default_factory=dict)
    shots: int = 0

    def count(self, where: str, size: str, measure: str, source: str, kind: str = "all") -> Count:
        """One of the sums; empty where nothing was asked."""
        return self.counts.get((where, size, measure, source, kind), Count())

    def total(self, measure: str, source: str, kind: str = "all") -> Count:
        """Over pages, applications and sizes."""
        found = Count()
        for (_, _, m, s, k), count in self.counts.items():
            if (m, s, k) == (measure, source, kind):
                found.right += count.right
                found.of += count.of
                found.unsure += count.unsure
        return found

    @property
    def sizes(self) -> tuple[str, ...]:
        """The screens, small ones first."""
        found = {size for _, size, *_ in self.counts}
        return tuple(sorted(found, key=lambda size: Size.parse(size).width))

    def kinds(self, measure: str) -> tuple[str, ...]:
        """The kinds of marks of a measure."""
        found = {kind for _, _, m, _, kind in self.counts if m == measure}
        return tuple(sorted(found))


def tally(judged: Sequence[Judged]) -> Tally:
    """Sum up."""
    total = Tally(shots=len(judged))
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in judged:
        where = "pages" if one.web else "apps"
        for mark in one.marks:
            for kind in ("all", mark.kind):
                key = (where, str(one.size), mark.measure, mark.source, kind)
                total.counts.setdefault(key, Count()).add(mark)
        for what, seconds in one.seconds.items():
            times[str(one.size), what].append(seconds)
    total.times = {key: median(values) for key, values in times.items()}
    return total


def misses(judged: Iterable[Judged], measure: str, source: str) -> list[tuple[str, Mark]]:
    """What was not right, with the shot it is on."""
    return [
        (one.key, mark)
        for one in judged
        for mark in one.marks
        if not mark.right and (mark.measure, mark.source) == (measure, source)
    ]
