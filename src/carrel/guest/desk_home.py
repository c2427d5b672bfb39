"""The directory of a desk, and how it is known whether somebody still has it.

Whoever makes one holds a lock on a file in it while he lives, however he ends: see
`carrel.machines.desks` for who removes what was left.
"""

from __future__ import annotations

import fcntl
import os

__all__ = ["HELD", "PREFIX", "make_home", "places"]

PREFIX = "carrel-desk-"
HELD = "held"
"""The file that is locked."""

_LONGEST = 60
"""Sockets in it have names of at most 107 bytes."""
_TRIES = 10


def places() -> tuple[str, ...]:
    """Where desks of this environment may have their directories, the preferred one first."""
    wish = os.environ.get("TMPDIR", "").rstrip("/")
    usable = 0 < len(wish) <= _LONGEST and os.access(wish, os.W_OK | os.X_OK)
    return (wish, "/tmp") if usable and wish != "/tmp" else ("/tmp",)  # noqa: S108


def make_home() -> tuple[str, int]:
    """A directory of ours, and the descriptor to be kept open for as long as it is used.

    Raises:
        OSError: There is no room for it.
    """
    for _ in range(_TRIES):
        path = f"{places()[0]}/{PREFIX}{os.urandom(6).hex()}"
        os.mkdir(path, 0o700)  # noqa: PTH102
        held = _hold(f"{path}/{HELD}")
        if held is not None:
            return path, held
    raise OSError("whatever directory is made here is removed at once")


def _hold(path: str) -> int | None:
    """Lock a new file; None where somebody took its directory for one that was left."""
    try:
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(path).st_ino == os.fstat(held).st_ino:  # noqa: PTH116
            return held
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        return held  # a file system without locks: nobody else gets it either
    os.close(held)
    return None
