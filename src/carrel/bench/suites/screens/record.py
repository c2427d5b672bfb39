"""Marks as rows of a results file: `carrel bench compare` sets two against each other."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import carrel
from carrel import codec
from carrel.bench.results import RESULTS, Header, Row
from carrel.bench.suites.screens.tally import Judged

__all__ = ["VERSION", "counts_overall", "header_of", "question_of", "rows_of", "write_rows"]

VERSION = "1"
"""Changes when the same screen would be marked otherwise."""

# The others ask about what was claimed, which is not the same from one time to the next.
PAIRED = frozenset({"text", "boxes", "locate"})
MERGED = "merged"


def rows_of(judged: Iterable[Judged]) -> Iterator[Row]:
    """One row for each question that is the same whoever answers it."""
    seen: Counter[tuple[str, int]] = Counter()
    for one in judged:
        for mark in one.marks:
            if mark.measure not in PAIRED:
                continue
            task = f"{mark.measure} {mark.source} {one.size}"
            seed = _number(one.key, mark.kind, mark.subject)
            attempt = seen[task, seed]
            seen[task, seed] += 1
            yield Row(
                task,
                seed,
                attempt,
                success=mark.right,
                reward=float(mark.right),
                reason=mark.why,
                text=mark.subject,
                desk=one.key,
            )


def question_of(row: Row) -> tuple[str, str]:
    """What a row asks, of which screen: the same at every size, and for every way to look."""
    name, _, _ = row.desk.rpartition("@")
    return name, row.text


def counts_overall(row: Row) -> bool:
    """Whether it is about all sources together: what each says alone is most of that again."""
    return row.task.split()[1:2] == [MERGED]


def _number(*words: str) -> int:
    """The same number for the same words, always."""
    return int.from_bytes(sha256("\0".join(words).encode()).digest()[:4]) >> 1


def header_of(rows: Sequence[Row]) -> Header:
    """What was asked."""
    return Header(
        suite="screens",
        version=VERSION,
        model="perception",
        tasks=tuple(dict.fromkeys(row.task for row in rows)),
        # Every screen has questions of its own: there is no plan of tasks and seeds.
        seeds=(),
        machine={"provider": "namespace", "image": "host"},
        carrel=carrel.__version__,
        started=round(time.time(), 3),
    )


def write_rows(place: Path, header: Header, rows: Sequence[Row]) -> Path:
    """Write a results file as a whole, in place of any that was there."""
    path = place / RESULTS
    passing = path.with_suffix(".new")
    with passing.open("w", encoding="utf-8") as file:
        for kind, value in [("bench", header), *(("episode", row) for row in rows)]:
            wire = codec.encode(value)
            assert isinstance(wire, dict)
            file.write(json.dumps({"type": kind, **wire}) + "\n")
    passing.replace(path)
    return path
