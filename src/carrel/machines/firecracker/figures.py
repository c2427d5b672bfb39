"""What Firecracker counts: read from a pipe, and summed up, for it tells what was added each time.

It writes a line every minute and whenever it is asked to. Into a file these would be added for as
long as the machine runs; from a pipe, which its holder reads, two numbers are left of them.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["PIPE", "Figures", "follow", "make_pipe", "read_figures"]

PIPE = "firecracker.metrics"
"""Its name in the directory that Firecracker runs in."""

_FILE = "figures.json"
_PIECE = 1 << 16
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Figures:
    """All that was told since the start.

    Attributes:
        lines: How often something was told.
        read: Bytes that the machine read from its disks.
        written: Bytes that it wrote to them.
    """

    lines: int = 0
    read: int = 0
    written: int = 0

    def with_line(self, line: bytes) -> Figures:
        """After one more line; what is none counts as nothing told."""
        try:
            told = json.loads(line)
            disks = told.get("block", {})
            read, written = disks.get("read_bytes", 0), disks.get("write_bytes", 0)
            return Figures(self.lines + 1, self.read + int(read), self.written + int(written))
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            return Figures(self.lines + 1, self.read, self.written)


def make_pipe(path: Path, user: int | None) -> None:
    """Make one for Firecracker to find; where that is jailed it is its user's."""
    os.mkfifo(path, 0o600)
    if user is not None:
        os.chown(path, user, user)


def follow(pipe: int, directory: Path) -> None:
    """Read to the end of our days, and write down what it sums up to in a machine's directory."""
    figures, rest = Figures(), b""
    _write(directory, figures)
    while data := os.read(pipe, _PIECE):
        *lines, rest = (rest + data).split(b"\n")
        # It is no line any more, and nobody's memory is for it.
        rest = rest if len(rest) < _LONGEST else b""
        for line in lines:
            figures = figures.with_line(line)
        if lines:
            _write(directory, figures)


def _write(directory: Path, figures: Figures) -> None:
    draft = directory / f".{_FILE}.{os.getpid()}"
    # The disk may be full, or all of it be removed at this moment: then nobody is told.
    with suppress(OSError):
        draft.write_text(json.dumps(asdict(figures)))
        draft.replace(directory / _FILE)


def read_figures(directory: Path) -> Figures | None:
    """What was written down last; None where nothing was."""
    try:
        told = json.loads((directory / _FILE).read_text())
        return Figures(int(told["lines"]), int(told["read"]), int(told["written"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
