"""The last bytes of an endless output, on disk, addressed by their offset from its beginning."""

from __future__ import annotations

import tempfile
import threading
from typing import BinaryIO, cast

__all__ = ["Spool"]


class Spool:
    """Keeps at least the last `limit // 2` bytes and at most the last `limit`.

    The files have no name, so nothing is left behind however the process ends. One thread may
    append while others read.
    """

    def __init__(self, limit: int) -> None:
        self._half = max(limit // 2, 1)
        self._lock = threading.Lock()
        self._old: BinaryIO | None = None
        self._new: BinaryIO | None = None
        self._old_size = 0
        self._new_size = 0
        self._start = 0

    @property
    def start(self) -> int:
        """Offset of the first byte still kept."""
        return self._start

    @property
    def end(self) -> int:
        """Offset after the last byte: how much was ever written."""
        with self._lock:
            return self._start + self._old_size + self._new_size

    def append(self, data: bytes) -> None:
        """Add bytes at the end, letting the oldest go."""
        rest = memoryview(data)
        with self._lock:
            while rest:
                if self._new_size >= self._half:
                    self._rotate()
                if self._new is None:
                    self._new = _new_file()
                self._new.seek(self._new_size)
                written = self._new.write(rest[: self._half - self._new_size])
                self._new_size += written
                rest = rest[written:]

    def _rotate(self) -> None:
        if self._old is not None:
            self._old.close()
        self._start += self._old_size
        self._old, self._old_size = self._new, self._new_size
        self._new, self._new_size = None, 0

    def read(self, offset: int, size: int) -> tuple[int, bytes]:
        """At most `size` bytes at `offset`, and where they really begin.

        Bytes that are gone are skipped; past the end there are none.
        """
        with self._lock:
            offset = max(offset, self._start)
            inside = offset - self._start
            if inside < self._old_size and self._old is not None:
                self._old.seek(inside)
                return offset, self._old.read(min(size, self._old_size - inside))
            inside -= self._old_size
            if inside >= self._new_size or self._new is None:
                return offset, b""
            self._new.seek(inside)
            return offset, self._new.read(min(size, self._new_size - inside))

    def close(self) -> None:
        """Free the disk space."""
        with self._lock:
            for file in (self._old, self._new):
                if file is not None:
                    file.close()


def _new_file() -> BinaryIO:
    return cast("BinaryIO", tempfile.TemporaryFile(buffering=0))
