"""Removing what a machine leaves on disk, whatever its agent made of it."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["discard_tree", "remove_tree"]

_DISCARDED = ".discarded-"
_DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(path: Path) -> None:
    """Remove a directory and all in it; no link is followed, what is gone already is no error.

    A directory found deeper is moved up and emptied later, so neither the depth of a hostile tree
    nor the length of its paths matters, and two who remove the same tree only help each other.

    Raises:
        OSError: Something in it cannot be removed.
    """
    with suppress(FileNotFoundError):
        while not _rmdir(str(path), None):
            with _entered(str(path), None) as root:
                _empty(root)


def discard_tree(path: Path) -> None:
    """Remove a directory that is complete or not there at all, however long the removal takes.

    What an interrupted removal has left beside it goes, too.

    Raises:
        OSError: It is not there, or something in it cannot be removed.
    """
    path.rename(path.with_name(f"{_DISCARDED}{secrets.token_hex(4)}"))
    for doomed in path.parent.glob(f"{_DISCARDED}*"):
        remove_tree(doomed)


def _empty(root: int) -> None:
    with os.scandir(root) as found:
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                _unlink(entry.name, root)
                continue
            with suppress(FileNotFoundError):
                while not _rmdir(entry.name, root):
                    with _entered(entry.name, root) as below:
                        _flatten(below, root)


def _flatten(directory: int, root: int) -> None:
    """Remove a directory's files, and move its directories to `root`."""
    with os.scandir(directory) as found:
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                _unlink(entry.name, directory)
                continue
            with suppress(FileNotFoundError):
                _own(entry.name, directory)
                place = f"removed-{secrets.token_hex(8)}"
                os.rename(entry.name, place, src_dir_fd=directory, dst_dir_fd=root)


def _unlink(name: str, parent: int) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=parent)


def _rmdir(name: str, parent: int | None) -> bool:
    """Remove an empty directory; False when there is something in it."""
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        return False
    return True


@contextmanager
def _entered(name: str, parent: int | None) -> Iterator[int]:
    _own(name, parent)
    handle = os.open(name, os.O_RDONLY | _DIRECTORY, dir_fd=parent)
    try:
        yield handle
    finally:
        os.close(handle)


def _own(name: str, parent: int | None) -> None:
    """Take back the rights in a directory that its agent, or an overlay, took from us."""
    if os.geteuid() == 0:
        return
    handle = os.open(name, os.O_PATH | _DIRECTORY, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)
    finally:
        os.close(handle)
