"""Reading a journal, also while it is being written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from carrel.errors import RunError
from carrel.events import Event
from carrel.journal._lines import BadLine, decode_line
from carrel.journal.paths import JOURNAL, existing_run

__all__ = ["Reader", "read_events"]


class Reader:
    """Reads a run's events in order, and later those that were added since.

    Takes no lock and keeps no file open. What is half written is not there yet.

    Args:
        run: The run's id.
        home: Where runs are kept; the user's own place by default.
    """

    def __init__(self, run: str, home: Path | None = None) -> None:
        self.run = run
        self._path = existing_run(run, home) / JOURNAL
        self._offset = 0
        self._count = 0

    def read(self) -> Iterator[Event]:
        """Events that were not read yet.

        Raises:
            RunError: The journal is damaged in its midst.
        """
        with self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                try:
                    event = decode_line(line[:-1])
                except BadLine as error:
                    if not file.read(1):
                        # Left by a power cut; the next writer cuts it off.
                        return
                    raise self._damaged(str(error)) from error
                self._offset += len(line)
                self._count += 1
                yield event

    def _damaged(self, why: str) -> RunError:
        return RunError(
            f"event {self._count} of {self.run} cannot be read: {why}",
            hint=f"carrel verify {self.run}",
            context={"run": self.run, "event": self._count},
        )


def read_events(run: str, home: Path | None = None, after: int = -1) -> Iterator[Event]:
    """Every event of a run that is later than `after`, oldest first.

    Raises:
        NotFound: There is no such run.
        RunError: The journal is damaged in its midst.
    """
    reader = Reader(run, home)
    return (event for event in reader.read() if event.seq > after)
