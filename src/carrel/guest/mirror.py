"""A tree that is made like another: reached only from its root, each file in place as a whole.

Used on both sides of the stream, so neither trusts the other. Every directory on the way is opened
without following links, so nothing outside the root is reached whatever the names say.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from carrel.errors import ActionFailed, InvalidInput, WrongState
from carrel.guest.digests import BLOCK, partial_name, whole_digest
from carrel.guest.tar import printable
from carrel.guest.trees import stays_inside

__all__ = ["Anchor", "Draft", "Mirror", "open_file"]

MAX_PATH = 4096

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DRAFT = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Anchor:
    """A root, and the way to what is below it. For one thread at a time.

    Args:
        path: The root: a directory, or a single file.
        single: It is a single file, there already or not, whose name below the root is empty.
        make: Make the directory, with its parents, where it is not there.
    """

    def __init__(self, path: str, *, single: bool = False, make: bool = False) -> None:
        self._leaf = ""
        if single:
            path, self._leaf = os.path.split(os.path.abspath(path))  # noqa: PTH100
        if make:
            os.makedirs(path, exist_ok=True)  # noqa: PTH103
        self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._at: tuple[str, ...] = ()
        self._fd = os.dup(self._root)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._fd)
        os.close(self._root)

    def locate(self, name: str) -> tuple[int, str]:
        """The directory that holds something, and what it is called there.

        The descriptor is ours, until another name is asked for.

        Raises:
            InvalidInput: The name leads out of the tree, or through something that is no
                directory.
        """
        if self._leaf and name in ("", partial_name("")):
            return self._root, partial_name(self._leaf) if name else self._leaf
        parts = self._parts(name)
        return self._open(parts[:-1], name), parts[-1]

    def _parts(self, name: str) -> tuple[str, ...]:
        parts = tuple(name.split("/"))
        outside = any(part in ("", ".", "..") for part in parts)
        if self._leaf or outside or "\0" in name or len(name) > MAX_PATH:
            raise InvalidInput(f"{printable(name[:200])!r} leads out of the tree")
        return parts

    def _open(self, parts: tuple[str, ...], name: str) -> int:
        if parts == self._at:
            return self._fd
        fd = os.dup(self._root)
        try:
            for part in parts:
                below = _open_below(fd, part, name)
                os.close(fd)
                fd = below
        except BaseException:
            os.close(fd)
            raise
        os.close(self._fd)
        self._fd, self._at = fd, parts
        return fd


def _open_below(parent: int, part: str, name: str) -> int:
    try:
        return os.open(part, _DIRECTORY, dir_fd=parent)
    except OSError as error:
        # A link is not a directory, or one link too many: systems differ.
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise InvalidInput(
                f"{printable(name)} goes through something that is no directory"
            ) from error
        raise OSError(error.errno, error.strerror, printable(name)) from error


@contextmanager
def open_file(anchor: Anchor, name: str) -> Iterator[int]:
    """Open a file of a tree for reading, and nothing that is not a file."""
    parent, leaf = anchor.locate(name)
    with _opened(parent, leaf, name) as fd:
        yield fd


@contextmanager
def _opened(parent: int, leaf: str, name: str) -> Iterator[int]:
    try:
        fd = os.open(leaf, _READ, dir_fd=parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, printable(name)) from error
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise InvalidInput(f"{printable(name)} is not a file")
        yield fd
    finally:
        os.close(fd)


class Mirror(Anchor):
    """The tree that is made; `locate` and all that follows may change it."""

    def make_directory(self, name: str, mode: int) -> None:
        """Make a directory; what is there and is none goes."""
        parent, leaf = self.locate(name)
        if _kind(parent, leaf) not in (stat.S_IFDIR, None):
            os.unlink(leaf, dir_fd=parent)
        if _kind(parent, leaf) is None:
            os.mkdir(leaf, 0o700, dir_fd=parent)
        fd = _open_below(parent, leaf, name)
        try:
            os.fchmod(fd, mode & 0o777)
        finally:
            os.close(fd)

    def make_link(self, name: str, target: str) -> None:
        """Make a symbolic link in place of what is there."""
        if not stays_inside(name, target):
            raise InvalidInput(f"link {printable(name)!r} leaves the tree: {printable(target)!r}")
        parent, leaf = self.locate(name)
        if _kind(parent, leaf) is not None:
            os.unlink(leaf, dir_fd=parent)
        os.symlink(target, leaf, dir_fd=parent)

    def adjust(self, name: str, mode: int, mtime_ns: int | None) -> None:
        """Set the mode of a file or directory, and the time where one is given."""
        parent, leaf = self.locate(name)
        fd = os.open(leaf, _READ, dir_fd=parent)
        try:
            os.fchmod(fd, mode & 0o777)
            if mtime_ns is not None:
                os.utime(fd, ns=(mtime_ns, mtime_ns))
        finally:
            os.close(fd)

    def remove(self, name: str) -> None:
        """Delete a file, a link or an empty directory, if it is there."""
        parent, leaf = self.locate(name)
        kind = _kind(parent, leaf)
        if kind == stat.S_IFDIR:
            os.rmdir(leaf, dir_fd=parent)
        elif kind is not None:
            os.unlink(leaf, dir_fd=parent)

    @contextmanager
    def basis(self, name: str) -> Iterator[int | None]:
        """What a new version of a file can begin from: an unfinished one, or the present one."""
        parent, leaf = self.locate(name)
        for candidate in (partial_name(leaf), leaf):
            if _kind(parent, candidate) == stat.S_IFREG:
                with _opened(parent, candidate, name) as fd:
                    yield fd
                return
        yield None

    def draft(self, name: str, *, basis: bool) -> Draft:
        """Begin a new version of a file, beside it.

        Args:
            name: The file.
            basis: Start from what `basis` showed, instead of nothing.
        """
        parent, leaf = self.locate(name)
        return Draft(parent, leaf, name, basis=basis)


class Draft:
    """A file that is not yet in its place. What was written of it outlives us.

    Attributes:
        basis: How many bytes it began with.
    """

    def __init__(self, parent: int, leaf: str, name: str, *, basis: bool) -> None:
        self._name, self._leaf, self._partial = name, leaf, partial_name(leaf)
        self._fd = -1
        self._parent = os.dup(parent)
        try:
            begun = _kind(parent, self._partial) is not None
            self._fd = os.open(self._partial, _DRAFT, 0o600, dir_fd=parent)
            self._claim()
            if not basis:
                os.ftruncate(self._fd, 0)
            elif not begun:
                self._copy()
            self.basis = os.fstat(self._fd).st_size
        except BaseException:
            self.close()
            raise

    def _claim(self) -> None:
        info = os.fstat(self._fd)
        ours = info.st_nlink <= 1 and info.st_uid == os.geteuid()
        if not stat.S_ISREG(info.st_mode) or not ours:
            raise InvalidInput(f"the unfinished copy of {printable(self._name)} is not ours")
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongState(
                f"another sync is writing {printable(self._name)}", hint="wait for its end"
            ) from None
        # One that came to its end meanwhile has put what we opened in place, or removed it.
        if not self._has_name():
            raise WrongState(
                f"another sync has just written {printable(self._name)}", hint="run it again"
            )

    def _has_name(self) -> bool:
        try:
            there = os.stat(self._partial, dir_fd=self._parent, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._fd))

    def _copy(self) -> None:
        with _opened(self._parent, self._leaf, self._name) as source:
            at = 0
            while data := os.pread(source, BLOCK, at):
                self.write(at, data)
                at += len(data)

    def write(self, at: int, data: bytes | bytearray) -> None:
        """Write all of `data` at an offset."""
        rest = memoryview(data)
        while rest:
            written = os.pwrite(self._fd, rest, at)
            rest = rest[written:]
            at += written

    def commit(self, size: int, digest: str, mode: int, mtime_ns: int) -> None:
        """Read it back, and put it in place when it is what was sent.

        Raises:
            ActionFailed: It is not.
        """
        os.ftruncate(self._fd, size)
        if whole_digest(self._fd) != digest:
            self.discard()
            raise ActionFailed(
                f"{printable(self._name)} did not arrive as it was sent",
                hint="run it again",
                retryable=True,
            )
        os.fchmod(self._fd, mode & 0o777)
        os.utime(self._fd, ns=(mtime_ns, mtime_ns))
        if size >= BLOCK:
            os.fsync(self._fd)
        os.rename(self._partial, self._leaf, src_dir_fd=self._parent, dst_dir_fd=self._parent)

    def discard(self) -> None:
        """Remove what was written."""
        try:
            os.unlink(self._partial, dir_fd=self._parent)
        except FileNotFoundError:
            return  # somebody cleared it away

    def close(self) -> None:
        """Let go of it; what was written stays for the next attempt."""
        for fd in (self._fd, self._parent):
            if fd >= 0:
                os.close(fd)
        self._fd = self._parent = -1


def _kind(parent: int, name: str) -> int | None:
    try:
        return stat.S_IFMT(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return None
