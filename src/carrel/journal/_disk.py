"""Writing so that it either happened or did not."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from carrel.errors import Unavailable

__all__ = ["refused", "replace_file", "write_all"]

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_all(handle: int, data: bytes) -> None:
    """Write every byte; a full disk may take only some of them at first."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def refused(error: OSError, path: Path) -> Unavailable:
    """What to tell when the disk does not take a write."""
    if error.errno in _FULL:
        message, hint = "there is no room left to record the run", "free some space on that disk"
    else:
        message, hint = "the run cannot be recorded", "see that this directory can be written"
    return Unavailable(
        f"{message}: {path}: {error.strerror or error}",
        op="journal.write",
        hint=hint,
        context={"errno": error.errno, "path": str(path)},
    )


def replace_file(path: Path, data: bytes) -> None:
    """Put a private file in place in one step, durable when this returns but for its name."""
    passing = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        try:
            write_all(handle, data)
            os.fdatasync(handle)
        finally:
            os.close(handle)
        passing.rename(path)
    except BaseException:
        passing.unlink(missing_ok=True)
        raise
