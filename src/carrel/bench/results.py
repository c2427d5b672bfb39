"""The results of a benchmark: one line per episode, in a file that only grows.

`results.jsonl` begins with a line of `"type": "bench"` that says what was played; every episode is
one line of `"type": "episode"`. A later line about the same episode stands in place of an earlier
one. A line that a killed process left half-written is not a result.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Self, TypeVar

from carrel import codec
from carrel.bench.plan import Plan, Trial
from carrel.codec import Json
from carrel.errors import AlreadyExists, InvalidInput, NotFound, WrongState
from carrel.journal.paths import check_run_id

__all__ = ["RESULTS", "Header", "Results", "Row", "Writer", "read_results", "write_results"]

RESULTS = "results.jsonl"
LOCK = ".lock"

_SAME = ("suite", "version", "model", "options", "base_url", "timeout", "max_steps", "machine")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Header:
    """What was played, with what, and where.

    Attributes:
        version: Of the suite.
        timeout: Seconds per episode in place of the suite's own limits.
        max_steps: Most decisions per episode.
        options: Of the model, as given; without keys.
        base_url: Where the model's server is, when it was said; without passwords.
        machine: Provider, image and screen of the desks.
    """

    suite: str
    version: str
    model: str
    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    attempts: int = 1
    timeout: float | None = None
    max_steps: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, str] = field(default_factory=dict)
    workers: int = 1
    carrel: str = ""
    started: float = 0.0
    base_url: str | None = None

    @property
    def plan(self) -> Plan:
        """The episodes that were to be played."""
        return Plan(self.tasks, self.seeds, self.attempts)

    def differs_from(self, other: Header) -> tuple[str, ...]:
        """What of the two would make their episodes different ones."""
        return tuple(name for name in _SAME if getattr(self, name) != getattr(other, name))


@dataclass(frozen=True, slots=True)
class Row:
    """How one episode went.

    Attributes:
        reason: Of the judge.
        end: Why the run ended, as `carrel.journal.ends.EndReason` has it.
        message: The end of the run in words.
        text: The task as the agent was given it.
        seconds: From the episode's beginning to its end.
        overhead: Seconds beside that: putting the desk in order, judging, writing.
        fault: What went wrong that was not the agent's doing; empty when nothing did. Such an
            episode counts as a failure.
        tries: How often it was begun: more than once after faults, which `earlier` tells.
    """

    task: str
    seed: int
    attempt: int = 0
    success: bool = False
    reward: float = 0.0
    reason: str = ""
    end: str = ""
    message: str = ""
    text: str = ""
    seconds: float = 0.0
    overhead: float = 0.0
    steps: int = 0
    cost: str | None = None
    run: str = ""
    desk: str = ""
    fault: str = ""
    tries: int = 1
    earlier: tuple[str, ...] = ()
    at: float = 0.0

    @property
    def trial(self) -> Trial:
        """Which episode it was."""
        return Trial(self.task, self.seed, self.attempt)


@dataclass(frozen=True, slots=True)
class Results:
    """All that a results file says.

    Attributes:
        rows: The last word on every episode, in the order they were first played.
    """

    header: Header
    rows: tuple[Row, ...] = ()

    @property
    def missing(self) -> tuple[Trial, ...]:
        """Episodes of the plan that were not played."""
        played = {row.trial for row in self.rows}
        return tuple(trial for trial in self.header.plan.trials() if trial not in played)

    def __add__(self, row: Row) -> Results:
        rows = {known.trial: known for known in self.rows}
        rows[row.trial] = row
        return replace(self, rows=tuple(rows.values()))


def results_path(place: Path) -> Path:
    """The results file of a directory, or the file itself."""
    return place / RESULTS if place.is_dir() else place


def read_results(place: Path) -> Results:
    """Read the results in a directory, or in a file.

    Raises:
        NotFound: There are none.
        InvalidInput: It is not a results file, or a line in it is damaged.
    """
    path = results_path(place)
    try:
        lines = _whole_lines(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        lines = []
    if not lines:
        # Also a file that whoever plays has made and not yet written to.
        raise NotFound(f"there are no results in {place}", hint="carrel bench SUITE --out …")
    header: Header | None = None
    rows: dict[Trial, Row] = {}
    for number, line in enumerate(lines, 1):
        wire = _object(line, f"{path.name}:{number}")
        kind = wire.pop("type", None)
        if kind == "bench":
            header = _decode(Header, wire, f"{path.name}:{number}")
        elif kind == "episode":
            row = _decode(Row, wire, f"{path.name}:{number}")
            _check_run(row, f"{path.name}:{number}")
            rows[row.trial] = row
    if header is None:
        raise InvalidInput(f"{path} does not begin with what was played")
    return Results(header, tuple(rows.values()))


def _whole_lines(data: bytes) -> list[bytes]:
    """Every line that was written to its end."""
    lines = data.split(b"\n")
    return [line for line in lines[:-1] if line.strip()]


def _object(line: bytes, where: str) -> dict[str, object]:
    try:
        wire = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{where}: not JSON: {error}") from None
    if not isinstance(wire, dict):
        raise InvalidInput(f"{where}: a line is an object")
    return wire


def _decode(cls: type[T], wire: dict[str, object], where: str) -> T:
    # Results are kept for years: what a later version added is left out, not an error.
    known = {item.name for item in fields(cls)}  # type: ignore[arg-type]
    try:
        return codec.decode(cls, {key: value for key, value in wire.items() if key in known})
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error.message}", hint=error.hint) from None


def _check_run(row: Row, where: str) -> None:
    """Refuse what is no id of a run: it becomes the name of a file."""
    if not row.run:
        return
    try:
        check_run_id(row.run)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error.message}") from None


class Writer:
    """Appends to a results file; each line is on the disk when `add` returns."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._cut_torn_tail()

    def _cut_torn_tail(self) -> None:
        size = os.fstat(self._handle).st_size
        data = os.pread(self._handle, size, 0)
        whole = data.rfind(b"\n") + 1
        if whole != size:
            os.ftruncate(self._handle, whole)

    def begin(self, header: Header) -> None:
        """Say what is played from here on."""
        self._write("bench", header)

    def add(self, row: Row) -> None:
        """Write how an episode went."""
        self._write("episode", row)

    def _write(self, kind: str, value: Header | Row) -> None:
        # Every field, also those at their defaults: others read this file, too.
        document: dict[str, Json] = {"type": kind}
        document |= {item.name: codec.encode(getattr(value, item.name)) for item in fields(value)}
        os.write(self._handle, json.dumps(document, ensure_ascii=True).encode() + b"\n")
        os.fsync(self._handle)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def write_results(
    place: Path, header: Header, *, resume: bool = False
) -> Iterator[tuple[Writer, Results]]:
    """Hold a directory of results, alone, and append to what is there.

    Yields:
        The writer, and what was played before.

    Raises:
        AlreadyExists: There are results, and they are not to be gone on with.
        InvalidInput: What is there was played otherwise.
        WrongState: Another process is at it.
    """
    place.mkdir(parents=True, exist_ok=True)
    with _alone(place):
        path = place / RESULTS
        before = Results(header)
        if path.exists() and _whole_lines(path.read_bytes()):
            before = _gone_on_with(place, header, resume=resume)
        with Writer(path) as writer:
            writer.begin(header)
            yield writer, replace(before, header=header)


def _gone_on_with(place: Path, header: Header, *, resume: bool) -> Results:
    if not resume:
        raise AlreadyExists(
            f"there are results in {place} already", hint="--resume to go on, or another --out"
        )
    before = read_results(place)
    different = header.differs_from(before.header)
    if header.carrel != before.header.carrel:
        # Whoever plays may be part of it, and what is done to the desk always is.
        different += ("carrel",)
    if different:
        raise InvalidInput(
            f"the results in {place} were played with another {', '.join(different)}",
            hint="give the same options as before, or another --out",
            context={name: str(getattr(before.header, name)) for name in different},
        )
    planned = set(header.plan.trials())
    strange = [row.trial for row in before.rows if row.trial not in planned]
    if strange:
        raise InvalidInput(
            f"the results in {place} hold episodes that are not asked for now: {strange[0]}",
            hint="ask for at least the same tasks, seeds and attempts, or for another --out",
        )
    return before


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    import fcntl

    handle = os.open(place / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongState(
                f"another process is playing into {place}", hint="wait for it, or another --out"
            ) from None
        yield
    finally:
        os.close(handle)
