"""What Firecracker has to say itself: read from a pipe, and told on the console with the rest.

In a file it would grow for as long as the machine runs; the console is bounded.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from contextlib import suppress
from pathlib import Path

__all__ = ["LOG", "Log"]

LOG = "firecracker.log"
"""Its name in the directory that Firecracker runs in."""

_PIECE = 1 << 16
_LONGEST = 4096


class Log:
    """The pipe.

    Args:
        root: The directory that Firecracker runs in.
    """

    def __init__(self, root: Path) -> None:
        # Both of its ends: Firecracker finds a reader, and whoever reads no end.
        self._pipe = os.open(root / LOG, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._alone = threading.Lock()
        self._rest = b""

    def follow(self) -> None:
        """Tell all that comes, to the end of our days."""
        while True:
            select.select([self._pipe], [], [])
            self.tell()

    def tell(self) -> None:
        """Tell what has come up to now."""
        with self._alone, suppress(BlockingIOError):
            while data := os.read(self._pipe, _PIECE):
                *lines, rest = (self._rest + data).split(b"\n")
                # What is longer is no line any more, and nobody's memory is for it.
                self._rest = rest[-_LONGEST:]
                _write(lines)

    def finish(self) -> None:
        """Tell all that has come, also a line that was never ended."""
        self.tell()
        with self._alone:
            _write([self._rest] if self._rest else [])
            self._rest = b""


def _write(lines: list[bytes]) -> None:
    for line in lines:
        sys.stderr.write(f"firecracker: {line[-_LONGEST:].decode(errors='replace')}\n")
    sys.stderr.flush()
