"""Which runs there are: an index that can be thrown away at any time.

The journals are the truth. A row is used while the journal has the size and the time it had when
the row was made; otherwise the journal is read again.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from carrel import codec
from carrel.errors import CarrelError, InvalidInput, NotFound
from carrel.journal.ends import Status
from carrel.journal.journal import is_being_written
from carrel.journal.paths import JOURNAL, check_run_id, runs_home
from carrel.journal.run import Run, load_run

__all__ = ["Runs", "Summary"]

_logger = logging.getLogger(__name__)

_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    summary TEXT NOT NULL
) STRICT
"""


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in one row.

    Attributes:
        cost: US dollars as a decimal number in text; None when unknown.
        open_asks: Questions that wait for a person.
        problem: Set when the journal cannot be read.
    """

    id: str
    status: Status = Status.QUEUED
    reason: str = ""
    task: str = ""
    model: str = ""
    steps: int = 0
    cost: str | None = None
    seconds: float = 0.0
    started: float | None = None
    ended: float | None = None
    updated: float | None = None
    open_asks: int = 0
    problem: str = ""

    @property
    def money(self) -> Decimal | None:
        """The cost as a number; None when unknown."""
        return None if self.cost is None else Decimal(self.cost)


Row = tuple[int, int, str]


class Runs:
    """All runs of one home.

    Args:
        home: Where runs are kept; the user's own place by default.
    """

    def __init__(self, home: Path | None = None) -> None:
        self.home = home or runs_home()
        self._path = self.home / "index.sqlite"

    def ids(self) -> list[str]:
        """The id of every run, oldest first as far as ids tell."""
        return sorted(name for name, _, _ in self._on_disk())

    def list(self, limit: int | None = None) -> list[Summary]:
        """The runs there are, the newest first."""
        known = self._rows()
        fresh: dict[str, Row] = {}
        found = []
        for run, size, changed in self._on_disk():
            row = known.pop(run, None)
            summary = _decode(row[2]) if row is not None and row[:2] == (size, changed) else None
            if summary is None:
                summary = self._summary(run)
                fresh[run] = (size, changed, json.dumps(codec.encode(summary)))
            found.append(summary)
        if fresh or known:
            self._store(fresh, gone=known.keys())
        found.sort(key=lambda summary: (summary.started or 0, summary.id), reverse=True)
        return found[:limit]

    def find(self, text: str) -> str:
        """The id of the run that is meant by an id, the beginning of one, or `latest`.

        Raises:
            NotFound: There is none.
            InvalidInput: There are several.
        """
        if text == "latest":
            newest = self.list(1)
            if not newest:
                raise NotFound("there is no run yet", hint='carrel run "TASK"')
            return newest[0].id
        ids = self.ids()
        if check_run_id(text) in ids:
            return text
        fitting = [run for run in ids if run.startswith((text, f"run_{text}"))]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise NotFound(f"there is no run {text}", hint="carrel runs lists the runs there are")
        raise InvalidInput(
            f"{text} is the beginning of {len(fitting)} runs",
            hint=f"write more of it, such as {fitting[-1]}",
            context={"runs": list(fitting[:20])},
        )

    def is_live(self, run: str) -> bool:
        """Whether a process is working on it at this moment."""
        return is_being_written(run, self.home)

    def _on_disk(self) -> Iterator[tuple[str, int, int]]:
        try:
            entries = list((self.home / "runs").iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        for entry in entries:
            try:
                facts = (entry / JOURNAL).stat()
                check_run_id(entry.name)
            except (FileNotFoundError, NotADirectoryError, InvalidInput):
                continue
            # A run of which nothing was written yet is none.
            if facts.st_size:
                yield entry.name, facts.st_size, facts.st_mtime_ns

    def _summary(self, run: str) -> Summary:
        try:
            return _summarise(load_run(run, self.home))
        except CarrelError as error:
            return Summary(run, Status.FAILED, "damaged", problem=error.message)

    def _rows(self) -> dict[str, Row]:
        if not self._path.exists():
            return {}
        try:
            with self._open() as database:
                rows = database.execute("SELECT id, size, changed, summary FROM runs").fetchall()
        except (sqlite3.OperationalError, OSError) as error:
            _logger.info("the index of runs cannot be used: %s", error)
            return {}
        except sqlite3.DatabaseError as error:
            _logger.info("the index of runs is made anew: %s", error)
            with suppress(OSError):
                self._path.unlink()
            return {}
        return {run: (size, changed, summary) for run, size, changed, summary in rows}

    def _store(self, fresh: dict[str, Row], gone: Iterable[str]) -> None:
        try:
            with self._open() as database:
                database.executemany(
                    "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)",
                    [(run, *row) for run, row in fresh.items()],
                )
                database.executemany("DELETE FROM runs WHERE id = ?", [(run,) for run in gone])
        except (sqlite3.Error, OSError) as error:
            # Only quickness is lost: a full or read-only disk must not hide the runs.
            _logger.info("the index of runs could not be written: %s", error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self._path.exists():
            self._path.touch(mode=0o600)
        with closing(sqlite3.connect(self._path, timeout=5)) as database, database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version != _VERSION:
                database.execute("DROP TABLE IF EXISTS runs")
                database.execute(f"PRAGMA user_version = {_VERSION}")
            database.execute(_SCHEMA)
            yield database


def _decode(text: str) -> Summary | None:
    try:
        return codec.decode(Summary, json.loads(text))
    except (ValueError, CarrelError):
        return None


def _summarise(run: Run) -> Summary:
    return Summary(
        run.id,
        run.status,
        run.reason,
        run.task,
        run.model,
        run.steps,
        None if run.cost is None else format(run.cost, "f"),
        run.seconds,
        run.started,
        run.ended,
        run.updated,
        len(run.asks),
    )
