"""The log of what machines wanted from the outside and what became of it."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from carrel.errors import Refused

__all__ = ["Decision", "DecisionLog"]

MAX_LOG = 5 * 1024 * 1024

Verdict = Literal["allow", "deny", "fail", "closed"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the log.

    Attributes:
        id: The same for all lines about one connection.
        verdict: `allow` and `deny` are written before a byte flows, `fail` when what was allowed
            did not come about, `closed` at the end with the bytes carried.
        bytes_in: Into the machine.
        bytes_out: Out of the machine.
    """

    id: str
    host: str
    port: int
    at: str = ""
    verdict: Verdict = "deny"
    reason: str = ""
    address: str | None = None
    bytes_in: int = 0
    bytes_out: int = 0

    def made(self, verdict: Verdict, reason: str, address: str | None = None) -> Decision:
        """The decision, now."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return replace(self, at=now, verdict=verdict, reason=reason, address=address)

    def carried(self, bytes_in: int, bytes_out: int) -> Decision:
        """With what was carried."""
        return replace(self, bytes_in=bytes_in, bytes_out=bytes_out)


class DecisionLog:
    """Appends lines to a file; at 5 MiB it becomes `NAME.1` and a new one begins."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()

    def write(self, decision: Decision) -> None:
        """Write one line.

        Raises:
            Refused: It cannot be written; what is not logged does not happen.
        """
        if self._path is None:
            return
        line = json.dumps(asdict(decision), ensure_ascii=True).encode() + b"\n"
        try:
            with self._lock:
                self._append(self._path, line)
        except OSError as error:
            raise Refused(
                f"the decision cannot be logged: {error.strerror}",
                hint=f"make {self._path} writable",
            ) from error

    def _append(self, path: Path, line: bytes) -> None:
        if path.exists() and path.stat().st_size + len(line) > MAX_LOG:
            path.replace(path.with_name(f"{path.name}.1"))
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, line)
        finally:
            os.close(fd)
