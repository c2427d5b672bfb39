"""The chronicle of a store: what became of its machines, one line each, only ever added to."""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal, Self

from carrel import codec
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.machines.spec import Machine

__all__ = ["Chronicle", "Follower", "Happening", "Kind"]

Kind = Literal[
    "made",
    "started",
    "stopped",
    "crashed",
    "paused",
    "resumed",
    "kept",
    "restored",
    "discarded",
    "forked",
    "configured",
    "deleted",
    "refused",
    "hook-failed",
]

MAX_BYTES = 2 << 20
OLDER = 2
"""How many files are kept besides the one that is written."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Happening:
    """One line.

    Attributes:
        at: When, in UTC.
        id: Of the machine; empty where none was made.
        cause: Why, where there is something to say.
        facts: What else belongs to it, by the kind.
    """

    at: str
    kind: Kind
    machine: str
    id: str = ""
    cause: str | None = None
    facts: dict[str, Json] = field(default_factory=dict)


class Chronicle:
    """The happenings of one store.

    Args:
        home: The store's directory.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / "events.jsonl"
        self._lock = home / "events.lock"

    def write(
        self,
        kind: Kind,
        machine: Machine | str,
        cause: str | None = None,
        facts: dict[str, Json] | None = None,
    ) -> None:
        """Add a line. That it could not be written is told; the machine does not depend on it."""
        named = (machine, "") if isinstance(machine, str) else (machine.name, machine.id)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps(codec.encode(Happening(now, kind, *named, cause, facts or {})))
        try:
            with self._locked():
                self._rotate(len(line))
                self._append(line.encode() + b"\n")
        except OSError as error:
            logger.warning("%s %s could not be written down: %s", named[0], kind, error)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        handle = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _rotate(self, more: int) -> None:
        if not self.path.exists() or self.path.stat().st_size + more < MAX_BYTES:
            return
        names = [self.path, *(self._older(number) for number in range(1, OLDER + 1))]
        for older, newer in zip(names[:0:-1], names[-2::-1], strict=True):
            if newer.exists():
                newer.replace(older)

    def _older(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")

    def _append(self, line: bytes) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)

    def read(self) -> Iterator[Happening]:
        """All there is, oldest first; a line that was half written is left out."""
        for path in (*map(self._older, range(OLDER, 0, -1)), self.path):
            if path.exists():
                with path.open("rb") as file:
                    for line in file:
                        yield from _parse(line)


class Follower:
    """Reads what is added to a chronicle; `with`, then `fresh` again and again."""

    def __init__(self, chronicle: Chronicle) -> None:
        self._path = chronicle.path
        self._file: BinaryIO | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        self._open()
        if self._file is not None:
            self._file.seek(0, os.SEEK_END)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self) -> None:
        try:
            self._file = self._path.open("rb")
        except FileNotFoundError:
            self._file = None

    def fresh(self) -> Iterator[Happening]:
        """What was added since the last time."""
        while True:
            if self._file is None:
                self._open()
            if self._file is None:
                return
            *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
            for line in lines:
                yield from _parse(line)
            if not self._is_old():
                return
            # It was put aside when it grew too long; the one in its place goes on.
            self._file.close()
            self._file = None

    def _is_old(self) -> bool:
        assert self._file is not None
        try:
            return self._path.stat().st_ino != os.fstat(self._file.fileno()).st_ino
        except FileNotFoundError:
            return False


def _parse(line: bytes) -> Iterator[Happening]:
    try:
        yield codec.decode(Happening, json.loads(line))
    except (ValueError, RecursionError, InvalidInput):
        logger.debug("a line of the chronicle cannot be read: %r", line[:200])
