"""The head of a journal: which event is the last one, and its hash.

A chain of hashes cannot show that its end was changed or cut off. So the journal notes its end in
a second file, each time events have become durable, and does not wait for the disk: it may name
an earlier event, never one that a power cut could take. Of the events after it nothing is promised
unless a durable one follows them: the first that is not whole, or whose blobs are not, ends the
journal. When the run ends the head is synced and marked `final`, and nothing may follow unless the
mark was taken back first.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Head", "HeadFile", "read_head"]

# One fixed length, well within a sector: a write changes all of it or nothing.
_FORM = re.compile(rb"([ \d]{19}\d|-{20}) ([0-9a-f]{64}) (open |final)\n", re.ASCII)
_NONE = "-" * 20


@dataclass(frozen=True, slots=True)
class Head:
    """Where a journal ends; `seq` is -1 when it is empty."""

    seq: int = -1
    hash: str = "0" * 64
    final: bool = False

    def encode(self) -> bytes:
        """The content of the file."""
        number = _NONE if self.seq < 0 else f"{self.seq:20}"
        return f"{number} {self.hash} {'final' if self.final else 'open '}\n".encode()


class HeadFile:
    """The head of a journal that is being written."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, head: Head, *, sync: bool = False) -> None:
        """Replace it."""
        os.pwrite(self._handle, head.encode(), 0)
        if sync:
            os.fdatasync(self._handle)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)


def read_head(path: Path) -> Head | None:
    """The head on disk; None when there is none that can be read."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    match = _FORM.fullmatch(content)
    if match is None:
        return None
    number = match[1].decode()
    seq = -1 if number == _NONE else int(number)
    return Head(seq, match[2].decode(), match[3] == b"final")
