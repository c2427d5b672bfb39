"""Whether a journal is as it was written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from carrel.events import Event
from carrel.journal._head import Head, read_head
from carrel.journal._lines import BadLine, decode_line, hash_line
from carrel.journal._sync import DURABLE
from carrel.journal.paths import BLOBS, HEAD, JOURNAL, existing_run

__all__ = ["Verification", "verify"]

_MOST = 50


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found.

    Attributes:
        ok: Nothing is wrong.
        events: How many whole events there are.
        blobs: How many distinct blobs they name.
        problems: What is wrong, the first event first.
        first_bad: Position of the first event that is not as it was written.
        torn: Bytes after the last event: left by a process that died while it wrote, no problem.
        found: How many problems there are; `problems` holds the first of them.
    """

    ok: bool
    events: int
    problems: tuple[str, ...] = ()
    blobs: int = 0
    first_bad: int | None = None
    torn: int = 0
    found: int = 0


def verify(run: str, home: Path | None = None, *, blobs: bool = True) -> Verification:
    """Check the chain, the positions, the end and the blobs of a run's journal.

    Finds events that were changed, removed, put in, or moved, an end that was cut off, and blobs
    that are missing or changed.

    Args:
        run: Its id.
        home: Where runs are kept; the user's own place by default.
        blobs: Read the blobs, too. Without, a long run is checked in a moment.

    Raises:
        NotFound: There is no such run.
    """
    directory = existing_run(run, home)
    check = _Check(run, directory, read_head(directory / HEAD), blobs=blobs)
    with (directory / JOURNAL).open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                check.torn = len(line)
                break
            check.line(line[:-1])
    return check.result()


class _Check:
    def __init__(self, run: str, directory: Path, head: Head | None, *, blobs: bool) -> None:
        self._run = run
        self._with_blobs = blobs
        self._blobs_home = directory / BLOBS
        self._head = head
        self._count = 0
        self._previous = ""
        self._blobs: dict[str, bool] = {}
        self._problems: list[tuple[int, str]] = []
        self._finished = False
        self._lost: int | None = None
        self._doubted: int | None = None
        self.torn = 0

    def line(self, line: bytes) -> None:
        position = self._count
        self._count += 1
        digest = hash_line(line)
        try:
            event = decode_line(line)
        except BadLine as error:
            self._problem(position, f"it cannot be read: {error}")
            self._lose(position)
        else:
            self._settle(event.previous == self._previous)
            if event.previous != self._previous and event.seq == position > 0:
                self._doubted = position
            for what in self._wrong(event, position):
                self._problem(position, what)
            self._finished = event.kind == "run.finished"
            if event.kind in DURABLE:
                # It was synced with all before it: none of that can have been lost.
                self._lost = None
        if self._head is not None and position == self._head.seq and digest != self._head.hash:
            self._problem(position, "it is not the event that was last written")
        self._previous = digest

    def _lose(self, position: int) -> None:
        """An event that is not whole; one behind the head was never promised to be durable."""
        if self._lost is None and self._head is not None and self._head.seq < position:
            self._lost = position

    def _settle(self, confirmed: bool) -> None:
        """Say which of two events that do not fit was changed, now that the next one is known."""
        if self._doubted is None:
            return
        if confirmed:
            self._problem(self._doubted - 1, "it was changed")
        else:
            self._problem(self._doubted, "it does not follow the one before it")
        self._doubted = None

    def _wrong(self, event: Event, position: int) -> Iterator[str]:
        if event.seq != position:
            yield f"it was event {event.seq}: events were removed, put in or moved"
        elif position == 0 and event.previous:
            yield "it is the first and names one before it"
        if event.run != self._run:
            yield f"it belongs to {event.run[:80]}"
        if position == 0 and event.kind != "run.started":
            yield f"the first event is {event.kind}, not run.started"
        for sha in event.blobs if self._with_blobs else ():
            what = self._wrong_blob(sha)
            if what:
                self._lose(position)
                yield what

    def _wrong_blob(self, sha: str) -> str:
        if sha in self._blobs:
            return "" if self._blobs[sha] else f"blob {sha[:80]} is missing or was changed"
        path = self._blobs_home / sha
        self._blobs[sha] = False
        if "/" in sha or not path.is_file():
            return f"blob {sha[:80]} is missing"
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != sha:
                return f"blob {sha} was changed"
        self._blobs[sha] = True
        return ""

    def _problem(self, position: int, what: str) -> None:
        self._problems.append((position, f"event {position}: {what}"))

    def _check_end(self) -> None:
        head, last = self._head, self._count - 1
        self._settle(head is not None and (head.seq, head.hash) == (last, self._previous))
        if self._lost is not None and head is not None and not head.final:
            # Left by a power cut; the next writer cuts it off, with all that follows.
            self._problems = [(at, text) for at, text in self._problems if at < self._lost]
            self._count = self._lost
            return
        if head is None:
            if self._count:
                self._problem(last, "the note of where the journal ends is missing or was changed")
        elif head.seq > last:
            self._problem(last + 1, f"events up to {head.seq} were cut off")
        elif head.final and head.seq < last:
            self._problem(head.seq + 1, "it was added after the run had ended")
        elif head.final != self._finished and head.seq == last and last >= 0 and head.final:
            self._problem(last, "the run is said to have ended, and this event does not say so")

    def result(self) -> Verification:
        self._check_end()
        problems = sorted(self._problems, key=lambda item: item[0])
        return Verification(
            not problems,
            self._count,
            tuple(text for _, text in problems[:_MOST]),
            sum(self._blobs.values()),
            problems[0][0] if problems else None,
            self.torn,
            len(problems),
        )
