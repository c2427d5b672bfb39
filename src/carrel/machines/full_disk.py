"""Telling that a disk is full, whoever noticed it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.errors import RunError

__all__ = ["full_disk_told"]

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


def _full(home: Path, said: str) -> RunError:
    return RunError(
        f"the disk of {home} is full: {said}",
        op="machine.store",
        retryable=True,
        hint="make room there; carrel gc and carrel delete remove what machines hold",
        context={"home": str(home)},
    )
