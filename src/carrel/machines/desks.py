"""Desks whose guest was killed: their directories, and what of their programs goes on."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.guest.desk_home import HELD, PREFIX, places
from carrel.guest.server_start import MARK
from carrel.machines.removal import remove_tree

__all__ = ["abandoned_desks", "clear_desks"]


def abandoned_desks() -> tuple[Path, ...]:
    """Directories of desks that are ours and that nobody has any more."""
    found = []
    for path in _candidates():
        with _taken(path) as dead:
            if dead:
                found.append(path)
    return tuple(found)


def clear_desks() -> tuple[str, ...]:
    """End what is left of desks whose guest is dead, and remove their directories.

    Returns:
        What was removed, in words.
    """
    cleared = []
    for path in _candidates():
        with _taken(path) as dead:
            if dead:
                from carrel.guest.parts import sweep

                sweep(path.name)
                remove_tree(path)
                cleared.append(f"{path}: the directory of a desk whose guest was killed")
    return tuple(cleared)


def _candidates() -> Iterator[Path]:
    for place in places():
        with os.scandir(place) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(PREFIX)]
        for name in sorted(names):
            yield Path(place, name)


@contextmanager
def _taken(path: Path) -> Iterator[bool]:
    """Hold a desk's directory unless its owner lives; whether it is held."""
    handle = _take(path)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _take(path: Path) -> int | None:
    try:
        about = path.lstat()
        # Anybody may make a name in a directory for temporary files.
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
            return None
        # Nor can we end the programs of a desk while we are one of them.
        if os.environ.get(MARK) == path.name:
            return None
        handle = os.open(path / HELD, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None  # without a mark nobody can tell whether it is in use
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
