"""What was measured, as rows: ours beside the floor of the same run, and the target."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field

__all__ = ["Row", "Target", "alternate", "limit", "percentile", "ratio", "table"]


@dataclass(frozen=True)
class Target:
    """A bound from the project's figures: on the p50 or p95 itself, or on its ratio."""

    text: str
    bound: float
    of: str = "ratio"
    at_least: bool = False

    def met(self, row: Row) -> bool | None:
        value = getattr(row, self.of)
        if value is None:
            return None
        return bool(value >= self.bound if self.at_least else value <= self.bound)


def ratio(bound: float) -> Target:
    return Target(f"≤ {bound:g} × floor", bound)


def limit(bound: float, unit: str, of: str = "p50") -> Target:
    return Target(f"{of} ≤ {bound:g} {unit}", bound, of)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: always one of the values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass
class Row:
    """One line. `ours` and `floor` hold every sample taken; none is dropped."""

    section: str
    name: str
    unit: str
    ours: Sequence[float]
    floor: Sequence[float] = ()
    target: Target | None = None
    note: str = ""
    p50: float = field(init=False)
    p95: float = field(init=False)
    floor_p50: float | None = field(init=False)
    floor_p95: float | None = field(init=False)
    ratio: float | None = field(init=False)
    met: bool | None = field(init=False)

    def __post_init__(self) -> None:
        self.p50, self.p95 = percentile(self.ours, 0.5), percentile(self.ours, 0.95)
        self.floor_p50 = percentile(self.floor, 0.5) if self.floor else None
        self.floor_p95 = percentile(self.floor, 0.95) if self.floor else None
        self.ratio = self.p50 / self.floor_p50 if self.floor_p50 else None
        self.met = self.target.met(self) if self.target else None

    def as_json(self) -> dict[str, object]:
        facts = {k: v for k, v in asdict(self).items() if k not in ("ours", "floor", "target")}
        target = self.target.text if self.target else None
        return {**facts, "target": target, "samples": len(self.ours)}


def _number(value: float | None) -> str:
    if value is None:
        return ""
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 10 else 3
    return f"{value:.{digits}f}"


_HEAD = ("", "n", "unit", "p50", "p95", "floor p50", "floor p95", "ratio", "target", "")
_VERDICT = {True: "met", False: "MISSED", None: ""}


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text, sections apart."""
    cells = [
        (
            *(f"{row.section}: {row.name}", str(len(row.ours)), row.unit),
            *(_number(row.p50), _number(row.p95)),
            *(_number(row.floor_p50), _number(row.floor_p95)),
            *(f"{row.ratio:.2f}" if row.ratio else "", row.target.text if row.target else ""),
            _VERDICT[row.met] + (f"  {row.note}" if row.note else ""),
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in (_HEAD, *cells)) for column in range(9)]
    lines = []
    section = None
    for row, line in zip((None, *rows), (_HEAD, *cells), strict=True):
        if row is not None and row.section != section:
            section = row.section
            lines.append("")
        left = f"{line[0]:<{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:<{widths[2]}}"
        middle = "  ".join(f"{line[i]:>{widths[i]}}" for i in range(3, 8))
        lines.append(f"{left}  {middle}  {line[8]:<{widths[8]}}  {line[9]}".rstrip())
    return "\n".join(lines)


Work = Callable[[], Awaitable[object]]


PATIENCE = 6.0
"""Seconds one row may take; on a busy machine it then has fewer samples, and says so."""

_LEAST = 10


async def alternate(
    rounds: int, contestants: Sequence[Work], before: Work | None = None, warmup: int = 5
) -> list[list[float]]:
    """Time each in turn, so that noise of the machine hits all alike; milliseconds, in order.

    Args:
        rounds: Samples of each, where there is time for them.
        contestants: What to time; the one who goes first changes from round to round.
        before: Done before each sample and not timed.
        warmup: Rounds before those that count.
    """
    times: list[list[float]] = [[] for _ in contestants]
    enough = time.monotonic() + PATIENCE
    for turn in range(-warmup, rounds):
        if turn >= min(rounds, _LEAST) and time.monotonic() > enough:
            break
        order = range(len(contestants))
        for index in order if turn % 2 else reversed(order):
            if before is not None:
                await before()
            started = time.perf_counter()
            await contestants[index]()
            elapsed = time.perf_counter() - started
            if turn >= 0:
                times[index].append(elapsed * 1000)
    return times
