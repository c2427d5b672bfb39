"""This side's standard streams and terminal, without blocking the event loop."""

from __future__ import annotations

import codecs
import os
import select
import signal
import stat
import sys
import termios
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import anyio

from carrel.cli._output import clean
from carrel.cli._streams import STANDARD_OUTPUT
from carrel.errors import RunError

__all__ = ["FdWriter", "raw_mode", "read_fd", "resizes", "terminal_size"]

CHUNK = 64 * 1024
_NAMES = {1: STANDARD_OUTPUT, 2: "standard error"}


def _can_wait(fd: int) -> bool:
    """Whether readiness of a descriptor can be waited for: not so for files and some devices."""
    with select.epoll() as poll:
        try:
            poll.register(fd, 0)
        except PermissionError:
            return False
    return True


async def read_fd(fd: int) -> AsyncIterator[bytes]:
    """What arrives on a descriptor, until its end."""
    waits = _can_wait(fd)
    while True:
        if waits:
            await anyio.wait_readable(fd)
        else:
            await anyio.lowlevel.checkpoint()
        data = os.read(fd, CHUNK)
        if not data:
            return
        yield data


class FdWriter:
    """Writes bytes of a machine to a descriptor as fast as its reader takes them.

    The loop goes on while the reader is slow. On a terminal, what could steer it is spelled out
    unless `raw`.
    """

    def __init__(self, fd: int, *, raw: bool = False) -> None:
        self._fd = fd
        self._own = _reopen(fd)
        self._waits = _can_wait(fd)
        self._decoder = None
        if os.isatty(fd) and not raw:
            self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    async def write(self, data: bytes) -> None:
        """Write all of it."""
        if self._decoder is not None:
            data = clean(self._decoder.decode(data)).encode()
        view = memoryview(data)
        try:
            while view:
                view = view[await self._write_some(view) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            where = _NAMES.get(self._fd, f"descriptor {self._fd}")
            raise RunError(f"{where} cannot be written: {error.strerror}") from error

    async def _write_some(self, view: memoryview) -> int:
        if self._own is not None:
            try:
                return os.write(self._own, view)
            except BlockingIOError:
                await anyio.wait_writable(self._own)
                return 0
        if self._waits:
            await anyio.wait_writable(self._fd)
            # What polls as writable takes this much without blocking, and no more is promised.
            return os.write(self._fd, view[: select.PIPE_BUF])
        await anyio.lowlevel.checkpoint()
        return os.write(self._fd, view)

    def close(self) -> None:
        """Let go of what was opened here; the descriptor given stays open."""
        if self._own is not None:
            os.close(self._own)
            self._own = None


def _reopen(fd: int) -> int | None:
    """A pipe once more, without blocking: the descriptor itself is shared with other programs."""
    if not stat.S_ISFIFO(os.fstat(fd).st_mode):
        return None
    try:
        return os.open(f"/proc/self/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        # Nobody reads it any more, or it belongs to somebody else.
        return None


@contextmanager
def raw_mode(fd: int) -> Iterator[None]:
    """Every key goes through as it is; the terminal comes back as it was."""
    if not os.isatty(fd):
        yield
        return
    before = termios.tcgetattr(fd)
    # What was typed ahead is meant for the program: it is not flushed.
    tty.setraw(fd, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def terminal_size() -> tuple[int, int]:
    """Rows and columns of this terminal; 24 by 80 where there is none."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        try:
            size = os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            continue
        if size.lines and size.columns:
            return size.lines, size.columns
    return 24, 80


async def resizes() -> AsyncIterator[tuple[int, int]]:
    """The new size each time the terminal's window changes."""
    with anyio.open_signal_receiver(signal.SIGWINCH) as signals:
        async for _ in signals:
            yield terminal_size()
