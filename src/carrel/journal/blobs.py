"""Files by the hash of what they hold: the pictures of a run, each stored once."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from carrel.errors import InvalidInput, NotFound, RunError
from carrel.journal._disk import refused, write_all
from carrel.journal.paths import BLOBS, existing_run, sync_directory

__all__ = ["Blobs", "read_blob"]

_SHA = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Blobs:
    """The blobs of one run.

    What `put` returns is on disk as soon as `sync` has returned; the journal calls that before it
    writes an event, so no event ever names a blob that a crash could take away.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory / BLOBS
        self._known: set[str] = set()
        self._unsynced = False

    def put(self, data: bytes) -> str:
        """Store bytes, once however often they come; their SHA-256.

        Raises:
            Unavailable: The disk is full or cannot be written.
        """
        sha = hashlib.sha256(data).hexdigest()
        if sha in self._known or self._is_stored(sha, len(data)):
            self._known.add(sha)
            return sha
        try:
            self._write(sha, data)
        except OSError as error:
            raise refused(error, self.directory / sha) from error
        self._known.add(sha)
        return sha

    def has(self, sha: str) -> bool:
        """Whether it is stored."""
        if sha not in self._known and (_SHA.fullmatch(sha) and (self.directory / sha).is_file()):
            self._known.add(sha)
        return sha in self._known

    def sync(self) -> None:
        """Return when the names of all blobs are as durable as their bytes."""
        if self._unsynced:
            sync_directory(self.directory)
            self._unsynced = False

    def get(self, sha: str) -> bytes:
        """The bytes, checked against their name.

        Raises:
            NotFound: There is no such blob.
            RunError: The file does not hold what its name says.
        """
        if _SHA.fullmatch(sha) is None:
            raise InvalidInput(f"{sha[:80]!a} is not the SHA-256 of anything")
        try:
            data = (self.directory / sha).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"blob {sha} is missing from {self.directory}") from None
        if hashlib.sha256(data).hexdigest() != sha:
            raise RunError(f"blob {sha} has been changed", context={"blob": sha})
        return data

    def sweep(self) -> None:
        """Delete what processes that died were writing; for the only writer of the run."""
        for path in self.directory.glob(".*"):
            path.unlink(missing_ok=True)

    def _is_stored(self, sha: str, size: int) -> bool:
        try:
            found = (self.directory / sha).stat().st_size == size
        except FileNotFoundError:
            return False
        # A process that died may have left the name unsynced.
        self._unsynced = self._unsynced or found
        return found

    def _write(self, sha: str, data: bytes) -> None:
        self.directory.mkdir(mode=0o700, exist_ok=True)
        passing = self.directory / f".{sha}.{os.getpid()}"
        handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            try:
                write_all(handle, data)
                os.fdatasync(handle)
            finally:
                os.close(handle)
            passing.rename(self.directory / sha)
        except BaseException:
            passing.unlink(missing_ok=True)
            raise
        self._unsynced = True


def read_blob(run: str, sha: str, home: Path | None = None) -> bytes:
    """One blob of a run, checked against its name.

    Raises:
        NotFound: There is no such run or blob.
        RunError: The file does not hold what its name says.
    """
    return Blobs(existing_run(run, home)).get(sha)
