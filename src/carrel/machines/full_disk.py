"""Telling that a disk is full, whoever noticed it, and room to forget a machine all the same."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.errors import RunError

__all__ = ["full_disk_told", "give_up_spare", "keep_spare"]

SPARE_BYTES = 256 << 10
"""What a change of the store needs, and more."""

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def full_disk_told(home: Path) -> Iterator[None]:
    """Tell in our words that there is no room for what is done within.

    Args:
        home: What is to be written is below it.

    Raises:
        RunError: There is none.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise _full(home, str(error.strerror)) from error
    except sqlite3.OperationalError as error:
        if "full" not in str(error):
            raise
        raise _full(home, "No space left on device") from error


def _spare(home: Path) -> Path:
    return home / "spare"


def keep_spare(home: Path) -> None:
    """While there is room, keep some for when there is none: to delete takes some, too."""
    path = _spare(home)
    if path.exists():
        return
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.posix_fallocate(handle, 0, SPARE_BYTES)
    except OSError:
        path.unlink(missing_ok=True)  # who needs it later will be told
    finally:
        os.close(handle)


def give_up_spare(home: Path) -> bool:
    """Have the room that was kept; whether there was any."""
    try:
        _spare(home).unlink()
    except FileNotFoundError:
        return False
    return True


def _full(home: Path, said: str) -> RunError:
    return RunError(
        f"the disk of {home} is full: {said}",
        op="machine.store",
        retryable=True,
        hint="make room there; carrel gc and carrel delete remove what machines hold",
        context={"home": str(home)},
    )
