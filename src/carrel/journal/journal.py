"""The journal of a run: every event, in order, written before anything else happens.

One JSON object per line, each naming the SHA-256 of the line before it. Only whole lines count:
what a process that died left behind after the last newline is cut off when the journal is opened
again. Nothing is ever rewritten, and adding an event costs the same at step 10 and at step 1000.

What is promised when `append` returns:

- Of every event: it is in the file. The death of this process takes nothing away.
- Of `run.started`, `act`, `ask`, `answer` and `run.finished`: it is on the disk, with every event
  before it and every blob they name. A power cut takes nothing of that away.
- Other events become durable with the next of these, and meanwhile as soon as the disk can. A
  power cut may take the last of them, from one of them to the end: then an `act` has no result,
  which is what resuming a run deals with.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from carrel.codec import Json
from carrel.errors import AlreadyExists, CarrelError, InvalidInput, NotFound, RunError, WrongState
from carrel.events import EVENT_TYPES, Event, EventType
from carrel.journal._disk import refused, write_all
from carrel.journal._head import Head, HeadFile, read_head
from carrel.journal._lines import BadLine, decode_line, encode_line, hash_line
from carrel.journal._sync import DURABLE, Syncing
from carrel.journal.blobs import Blobs
from carrel.journal.paths import (
    BLOBS,
    HEAD,
    JOURNAL,
    MAILBOX,
    existing_run,
    run_directory,
    sync_directory,
)
from carrel.journal.reader import read_events
from carrel.journal.redact import Redactor

__all__ = ["Journal", "is_being_written"]

_logger = logging.getLogger(__name__)

# A decision is followed at once by an act or an ask, which would only wait for its sync.
_PATIENT = frozenset(("decision",))
_MOST_UNSYNCED = 16
_CHUNK = 1 << 16
# Whoever asks whether a run is being written holds its lock for a few microseconds.
_TRIES = 10
_PAUSE = 0.005


class Journal:
    """The journal of one run, open for adding events; one at a time in all processes.

    Made with `create` or `open`. All calls block for as long as the disk takes and no longer. Not
    for use by several threads at once.

    Attributes:
        run: The run's id.
        directory: Where the run is kept.
        seq: Position of the last event; -1 when there is none.
    """

    def __init__(self, run: str, directory: Path, handle: int, redact: Redactor | None) -> None:
        self.run = run
        self.directory = directory
        self.blobs = Blobs(directory)
        self._home = directory.parent.parent
        self._redact = redact or Redactor()
        self._handle = handle
        self._broken: str | None = None
        self._syncing = Syncing(self._sync)
        self._length = 0
        self._synced = 0
        self._final = False
        self.seq = -1
        self._previous = ""
        try:
            self._find_end()
            self._head = HeadFile(directory / HEAD)
        except OSError as error:
            self.blobs.close()
            os.close(handle)
            raise refused(error, directory) from error
        except CarrelError:
            self.blobs.close()
            os.close(handle)
            raise

    @classmethod
    def create(
        cls, run: str, *, home: Path | None = None, redact: Redactor | None = None
    ) -> Journal:
        """Begin the journal of a new run.

        Raises:
            AlreadyExists: There is a run with that id.
            Unavailable: The disk is full or cannot be written.
        """
        directory = run_directory(run, home)
        try:
            directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path in (directory, directory / BLOBS, directory / MAILBOX):
                path.mkdir(mode=0o700, exist_ok=True)
            handle = _open(directory / JOURNAL, os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            raise AlreadyExists(
                f"there is already a run {run}", hint=f"carrel show {run}"
            ) from None
        except OSError as error:
            raise refused(error, directory) from error
        _lock(handle, run)
        journal = cls(run, directory, handle, redact)
        try:
            journal._head.write(Head(), sync=True)
            sync_directory(directory)
            sync_directory(directory.parent)
        except OSError as error:
            journal.close()
            raise refused(error, directory) from error
        return journal

    @classmethod
    def open(cls, run: str, *, home: Path | None = None, redact: Redactor | None = None) -> Journal:
        """Continue a run's journal after its last whole event.

        Raises:
            NotFound: There is no such run.
            WrongState: Another process writes it.
            RunError: The end of the journal is damaged.
        """
        directory = existing_run(run, home)
        try:
            handle = _open(directory / JOURNAL)
        except OSError as error:
            raise refused(error, directory / JOURNAL) from error
        _lock(handle, run)
        journal = cls(run, directory, handle, redact)
        journal.blobs.sweep()
        try:
            # The process before may have died with events unsynced, which this one builds upon.
            journal.sync()
        except CarrelError:
            journal.close()
            raise
        return journal

    def append(
        self, kind: EventType, data: Mapping[str, Json], blobs: tuple[str, ...] = ()
    ) -> Event:
        """Add an event, written when this returns, and on the disk too if its kind is `DURABLE`.

        Secrets are taken out of `data` first.

        Raises:
            InvalidInput: There is no such kind of event, or the data has no JSON form.
            NotFound: A blob was not stored.
            Unavailable: The disk is full or cannot be written; nothing was added. Or it did not
                take what was written before.
            WrongState: The journal is closed, or an earlier write has failed for good.
        """
        self._check(kind, blobs)
        event = Event(
            self.run,
            self.seq + 1,
            round(time.time(), 6),
            kind,
            self._without_secrets(kind, data),
            tuple(blobs),
            self._previous,
        )
        line = encode_line(event)
        self._write(line, durable=kind in DURABLE)
        self.seq, self._previous = event.seq, hash_line(line)
        self._final = kind == "run.finished"
        if kind in DURABLE:
            self._write_head(Head(self.seq, self._previous, self._final))
        elif kind not in _PATIENT:
            self._syncing.soon()
        return event

    def sync(self) -> None:
        """Return when every event so far is on the disk.

        Raises:
            Unavailable: The disk does not take them.
        """
        try:
            self._syncing.now()
        except OSError as error:
            self._break(error)
            raise refused(error, self.directory / JOURNAL) from error

    def put_blob(self, data: bytes) -> str:
        """Store a file for an event to name; its SHA-256. The same bytes are stored once.

        Raises:
            Unavailable: The disk is full or cannot be written.
        """
        sha = self.blobs.put(data)
        if self.blobs.unsynced > _MOST_UNSYNCED:
            self.sync()
        return sha

    def read_blob(self, sha: str) -> bytes:
        """The bytes of a blob, checked against its name."""
        return self.blobs.get(sha)

    @property
    def events(self) -> Iterator[Event]:
        """Every event on disk, oldest first."""
        return read_events(self.run, self._home)

    def close(self) -> None:
        """Wait until everything is on the disk, and let go of the run; closing twice is fine.

        Raises:
            Unavailable: The disk did not take all that was written.
        """
        if self._handle < 0:
            return
        self._syncing.close()
        try:
            if self._broken is None:
                self.sync()
        finally:
            self.blobs.close()
            os.close(self._handle)
            self._head.close()
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _check(self, kind: str, blobs: tuple[str, ...]) -> None:
        if self._handle < 0:
            raise WrongState(f"the journal of {self.run} is closed")
        if self._broken is not None:
            raise WrongState(self._broken, hint="open the run again to continue it")
        if self._syncing.failure is not None:
            self.sync()
        if kind not in EVENT_TYPES:
            raise InvalidInput(
                f"there is no event {kind!r}", hint=f"known: {', '.join(EVENT_TYPES)}"
            )
        missing = next((sha for sha in blobs if not self.blobs.has(sha)), None)
        if missing is not None:
            raise NotFound(f"no blob {missing[:80]!a} was stored in this run")

    def _without_secrets(self, kind: str, data: Mapping[str, Json]) -> dict[str, Json]:
        try:
            return self._redact.data(data)
        except (RecursionError, TypeError, AttributeError) as error:
            raise InvalidInput(f"the data of a {kind} event has no JSON form: {error}") from error

    def _write(self, line: bytes, *, durable: bool) -> None:
        try:
            if self._final:
                self._head.write(Head(self.seq, self._previous), sync=True)
                self._final = False
        except OSError as error:
            raise refused(error, self.directory) from error
        before, clean = self._length, self._length == self._synced and not self.blobs.unsynced
        try:
            write_all(self._handle, line + b"\n")
        except OSError as error:
            self._take_back(before)
            raise refused(error, self.directory / JOURNAL) from error
        self._length += len(line) + 1
        try:
            if durable:
                self._syncing.now()
        except OSError as error:
            if not clean:
                # The kernel may now take for written what was to be synced with this event.
                self._break(error)
            self._take_back(before)
            raise refused(error, self.directory / JOURNAL) from error

    def _sync(self) -> None:
        """Make everything written so far durable, blobs before the events that name them."""
        end = self._length
        head = Head(self.seq, self._previous, self._final) if self.seq >= 0 else Head()
        self.blobs.sync()
        if end > self._synced:
            os.fdatasync(self._handle)
            self._synced = end
            self._write_head(head)

    def _write_head(self, head: Head) -> None:
        # The events are durable already: a head that could not be written is behind, not wrong.
        with suppress(OSError):
            self._head.write(head, sync=head.final)

    def _take_back(self, length: int) -> None:
        """Cut off what a failed write left, so that the next one starts on a line of its own."""
        self._length, self._synced = length, min(length, self._synced)
        try:
            os.ftruncate(self._handle, length)
            os.fdatasync(self._handle)
        except OSError as error:
            # What the disk holds now is not known; only reading it afresh can tell.
            self._break(error)

    def _break(self, error: OSError) -> None:
        self._broken = f"the journal of {self.run} could not be written: {error.strerror}"

    def _find_end(self) -> None:
        size = os.fstat(self._handle).st_size
        head = read_head(self.directory / HEAD)
        end, base, later = _tail(self._handle, size, None if head is None else head.seq)
        if base is not None:
            self.seq, self._previous = base.event.seq, base.hash
        whole = list(takewhile(self._is_whole, later))
        promised = head is None or head.seq > self.seq
        rest = later[len(whole) :]
        if (promised and len(rest) > 1) or any(map(_is_durable, rest)):
            raise RunError(
                f"the journal of {self.run} is damaged", hint=f"carrel verify {self.run}"
            )
        for line in whole:
            assert line is not None
            self.seq, self._previous = line.event.seq, line.hash
            end += line.length
        if end < size:
            os.ftruncate(self._handle, end)
            os.fdatasync(self._handle)
        self._length = end
        self._final = head is not None and head.final
        if head is not None and head.seq > self.seq:
            _logger.warning("events %d to %d of %s were lost", self.seq + 1, head.seq, self.run)

    def _is_whole(self, line: _Line | None) -> bool:
        return line is not None and all(map(self.blobs.has, line.event.blobs))


class _Line(NamedTuple):
    event: Event
    hash: str
    length: int


def _is_durable(line: _Line | None) -> bool:
    return line is not None and line.event.kind in DURABLE


def _tail(
    handle: int, size: int, promised: int | None
) -> tuple[int, _Line | None, list[_Line | None]]:
    """The last event that was promised to be durable, where it ends, and all lines after it.

    A line that is no event is None. Where nothing is known of promises, only the last can be that.
    """
    later: list[_Line | None] = []
    while True:
        end, line = _last_line(handle, size)
        if line is None:
            return 0, None, later
        event = _decode_last(line)
        found = None if event is None else _Line(event, hash_line(line), len(line) + 1)
        if found is not None and (promised is None or found.event.seq <= promised):
            return end, found, later
        later.insert(0, found)
        size = end - len(line) - 1


def _open(path: Path, flags: int = 0) -> int:
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | flags, 0o600)


def _lock(handle: int, run: str) -> None:
    for attempt in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt == _TRIES - 1:
                break
            time.sleep(_PAUSE)
        else:
            return
    os.close(handle)
    raise WrongState(
        f"another process is working on {run}",
        hint="wait for it, or stop it first",
        context={"run": run},
    )


def is_being_written(run: str, home: Path | None = None) -> bool:
    """Whether a process is working on the run at this moment."""
    handle = os.open(existing_run(run, home) / JOURNAL, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _last_line(handle: int, size: int) -> tuple[int, bytes | None]:
    """The last whole line before `size`, and where the next one begins; reads no more than that."""
    if size <= 0:
        return 0, None
    tail, start = b"", size
    while start > 0:
        begin = max(0, start - _CHUNK)
        tail = os.pread(handle, start - begin, begin) + tail
        start = begin
        last = tail.rfind(b"\n")
        if last < 0:
            continue
        before = tail.rfind(b"\n", 0, last)
        if before >= 0 or start == 0:
            return start + last + 1, tail[before + 1 : last]
    return 0, None


def _decode_last(line: bytes) -> Event | None:
    try:
        return decode_line(line)
    except BadLine:
        return None
