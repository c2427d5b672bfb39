"""Which episodes are to be played: tasks, seeds and attempts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.codec import Json
from carrel.errors import InvalidInput

__all__ = ["Plan", "Trial", "parse_seeds"]

MOST_SEEDS = 100_000
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Trial:
    """One episode to be played: an attempt at a task with a seed."""

    task: str
    seed: int
    attempt: int = 0

    @property
    def origin(self) -> dict[str, Json]:
        """What the first event of its run says about where that came from."""
        return {"bench": f"{self.task} seed {self.seed}", "attempt": self.attempt}

    def __str__(self) -> str:
        again = f" attempt {self.attempt + 1}" if self.attempt else ""
        return f"{self.task} seed {self.seed}{again}"


@dataclass(frozen=True, slots=True)
class Plan:
    """All episodes of a benchmark.

    Attributes:
        attempts: How often each is tried, from the same seed: for pass@k.
    """

    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    attempts: int = 1

    def __len__(self) -> int:
        return len(self.tasks) * len(self.seeds) * self.attempts

    def trials(self) -> Iterator[Trial]:
        """Every task with the first seed, then with the next: cut short, it is still a sample."""
        for attempt in range(self.attempts):
            for seed in self.seeds:
                for task in self.tasks:
                    yield Trial(task, seed, attempt)


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read `10` (the first ten, from 0), or `0,3,5` or `20-29` (exactly those).

    Raises:
        InvalidInput: It is none of these.
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        count = int(text[:12])
        if not 1 <= count <= MOST_SEEDS:
            raise InvalidInput(f"--seeds {text[:12]}: between 1 and {MOST_SEEDS}")
        return tuple(range(count))
    seeds: list[int] = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part.strip())
        if found is None:
            raise InvalidInput(
                f"{text[:60]!r} are no seeds", hint="--seeds 10, --seeds 0,3,5 or --seeds 20-29"
            )
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first or last - first >= MOST_SEEDS:
            raise InvalidInput(f"{part.strip()!r} is no range of seeds")
        seeds += range(first, last + 1)
    return tuple(dict.fromkeys(seeds))
