"""Bounded logs of lines: written by several processes, read while they grow."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = [
    "CARREL_LOG",
    "LineLog",
    "Tail",
    "lines_of",
    "note",
    "older",
    "split_stamp",
    "stamp",
    "unstamped",
]

CARREL_LOG = "carrel.log"
"""In a machine's directory: what was done with the machine, by whichever process of ours."""

LIMIT = 4 << 20
_STAMP = re.compile(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ")
_STAMPS = re.compile(rb"^" + _STAMP.pattern, re.MULTILINE)


def stamp(at: float | None = None) -> str:
    """A moment, as every line of our logs begins: `2026-01-31T12:00:00.000Z`."""
    moment = time.time() if at is None else at
    thousandths = int(moment * 1000)
    seconds = time.gmtime(thousandths // 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", seconds) + f".{thousandths % 1000:03d}Z"


def split_stamp(line: bytes) -> tuple[float | None, bytes]:
    """When a line was written, where it says so, and the rest of it."""
    found = _STAMP.match(line)
    if found is None:
        return None, line
    from datetime import datetime

    try:
        return datetime.fromisoformat(found[1].decode()).timestamp(), line[found.end() :]
    except ValueError:  # such as a thirteenth month, in the words of a machine
        return None, line


def unstamped(text: bytes) -> bytes:
    """Lines without their moments."""
    return _STAMPS.sub(b"", text)


class LineLog:
    """Appends lines to a file; at half of `limit` bytes it becomes `NAME.1` and a new one begins.

    Several processes may write to the same one.
    """

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self._path = path
        self._half = limit // 2

    def write(self, *lines: bytes) -> None:
        """Append lines, none of which holds a line end.

        Raises:
            OSError: They cannot be written.
        """
        data = b"".join(line + b"\n" for line in lines)
        with self._open() as handle:
            os.write(handle, data)

    @contextmanager
    def _open(self) -> Iterator[int]:
        """The file, with room in it, for us alone."""
        while True:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            handle = os.open(self._path, flags, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if self._is_current(handle) and not self._is_full(handle):
                    yield handle
                    return
            finally:
                os.close(handle)

    def _is_current(self, handle: int) -> bool:
        with suppress(FileNotFoundError):
            return self._path.stat().st_ino == os.fstat(handle).st_ino
        return False

    def _is_full(self, handle: int) -> bool:
        if os.fstat(handle).st_size < self._half:
            return False
        self._path.replace(older(self._path))
        return True


def older(path: Path) -> Path:
    """Where a log's earlier part is."""
    return path.with_name(f"{path.name}.1")


def note(directory: Path, who: str, text: str) -> None:
    """Write down what was done with a machine."""
    line = f"{stamp()} {who}: {' '.join(text.split())}"
    # Words must not cost what they tell of: a full disk, or a machine deleted meanwhile.
    with suppress(OSError):
        LineLog(directory / CARREL_LOG).write(line.encode(errors="backslashreplace"))


class Tail:
    """Reads a log from its oldest line, then what was added: each line once, and only whole ones.

    Attributes:
        missed: Whether lines went before they were read, since this was last set to False.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._rest = b""
        self.missed = False

    def read(self) -> list[bytes]:
        """The lines that came since the last call."""
        if self._file is None:
            return self._begin()
        lines = self._more(self._file)
        try:
            fresh = self._path.open("rb")
        except FileNotFoundError:
            return lines  # ours was put aside, and nobody has begun the next one yet
        if _number(fresh) == _number(self._file):
            fresh.close()
            return lines
        # Nothing is added to one that was put aside: this is all of it.
        lines += self._more(self._file)
        aside = self._aside()
        if aside != _number(self._file):
            self.missed = True
            lines += self._whole(older(self._path)) if aside != _number(fresh) else []
        self.close()
        self._file = fresh
        return lines + self._more(fresh)

    def _begin(self) -> list[bytes]:
        while True:
            try:
                self._file = self._path.open("rb")
            except FileNotFoundError:
                return []
            # Put aside in between, it would be read twice.
            if self._aside() != _number(self._file):
                break
            self.close()
        return self._whole(older(self._path)) + self._more(self._file)

    def _aside(self) -> int | None:
        with suppress(FileNotFoundError):
            return older(self._path).stat().st_ino
        return None

    def _whole(self, path: Path) -> list[bytes]:
        with suppress(FileNotFoundError):
            return path.read_bytes().split(b"\n")[:-1]
        return []

    def _more(self, file: BinaryIO) -> list[bytes]:
        *lines, self._rest = (self._rest + file.read()).split(b"\n")
        return lines

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
        self._file, self._rest = None, b""


def _number(file: BinaryIO) -> int:
    """Which file it is, for as long as it is open."""
    return os.fstat(file.fileno()).st_ino


def lines_of(paths: Iterable[Path]) -> Iterator[bytes]:
    """All that logs hold now, one after the other."""
    for path in paths:
        tail = Tail(path)
        try:
            yield from tail.read()
        finally:
            tail.close()
