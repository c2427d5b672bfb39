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

    What `put` has stored can be read at once, and outlives this process. It outlives a power cut
    as soon as `sync` has returned: the journal calls that before it syncs an event, so no event
    that was promised to be durable names a blob that is not.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory / BLOBS
        self._known: set[str] = set()
        self._unsynced: list[int] = []
        self._unnamed = False

    def put(self, data: bytes) -> str:
        """Store bytes, once however often they come; their SHA-256.

        Raises:
            Unavailable: The disk is full or cannot be written.
        """
        sha = hashlib.sha256(data).hexdigest()
        try:
            if not self.has(sha):
                self._write(sha, data)
        except OSError as error:
            raise refused(error, self.directory / sha) from error
        self._known.add(sha)
        return sha

    def has(self, sha: str) -> bool:
        """Whether it is stored, by this process or by one before it."""
        if sha not in self._known and _SHA.fullmatch(sha) and self._take_over(sha):
            self._known.add(sha)
        return sha in self._known

    @property
    def unsynced(self) -> int:
        """How many blobs wait for `sync`; each keeps a file open."""
        return len(self._unsynced)

    def sync(self) -> None:
        """Return when all blobs and their names are durable; may be called by another thread.

        Raises:
            OSError: The disk does not take them.
        """
        while self._unsynced:
            handle = self._unsynced[0]
            os.fdatasync(handle)
            # Only now, and not before: a sync that failed must not look as if it had been done.
            del self._unsynced[0]
            os.close(handle)
        if self._unnamed:
            self._unnamed = False
            try:
                sync_directory(self.directory)
            except OSError:
                self._unnamed = True
                raise

    def close(self) -> None:
        """Let go of what was never synced."""
        while self._unsynced:
            os.close(self._unsynced.pop())

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

    def _take_over(self, sha: str) -> bool:
        """Take up a blob that an earlier process left, if it is whole; it may not be synced."""
        try:
            handle = os.open(self.directory / sha, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        with os.fdopen(os.dup(handle), "rb") as file:
            whole = hashlib.file_digest(file, "sha256").hexdigest() == sha
        if not whole:
            # What a power cut left, or somebody's doing; the same bytes are written again.
            os.close(handle)
            return False
        self._unnamed = True
        self._unsynced.append(handle)
        return True

    def _write(self, sha: str, data: bytes) -> None:
        self.directory.mkdir(mode=0o700, exist_ok=True)
        passing = self.directory / f".{sha}.{os.getpid()}"
        handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            write_all(handle, data)
            passing.rename(self.directory / sha)
        except BaseException:
            os.close(handle)
            passing.unlink(missing_ok=True)
            raise
        self._unnamed = True
        self._unsynced.append(handle)


def read_blob(run: str, sha: str, home: Path | None = None) -> bytes:
    """One blob of a run, checked against its name.

    Raises:
        NotFound: There is no such run or blob.
        RunError: The file does not hold what its name says.
    """
    return Blobs(existing_run(run, home)).get(sha)
