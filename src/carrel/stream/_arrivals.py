"""Waiting for the next bytes of a descriptor, cheaply when that is done again and again."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator

import anyio

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio  # noqa: TID251 (its readers stay registered; elsewhere anyio's way is taken)
    from contextvars import Context

__all__ = ["Arrivals"]


class Arrivals:
    """Reads one non-blocking descriptor, which somebody else owns and closes after `close`.

    Under asyncio the event loop is told of it once, and not, as anyio does, at every wait; and the
    bytes are read as soon as it says that they are there, so that it does not say so twice. Of a
    small request that saves a tenth. Nobody waiting, the loop is told to forget the descriptor.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiter: _Arrival | None = None
        self._size = 0

    async def next(self, size: int) -> bytes:
        """The next bytes, at most `size`; none at the end.

        Raises:
            OSError: The descriptor cannot be read.
            BusyResourceError: Another task waits.
            ClosedResourceError: It was closed meanwhile.
        """
        if self._waiter is not None:
            raise anyio.BusyResourceError("reading from")
        if self._loop is None and not self._watch():
            return await self._next_elsewhere(size)
        assert self._loop is not None
        self._size = size
        self._waiter = _Arrival(self._loop)
        try:
            return await self._waiter
        finally:
            self._waiter = None

    def close(self) -> None:
        """Wake whoever waits, and let go of the descriptor."""
        anyio.notify_closing(self._fd)
        self._forget()
        if self._waiter is not None:
            self._waiter.fail(anyio.ClosedResourceError())

    def _watch(self) -> bool:
        """Have the event loop tell us; False where it is not asyncio's, or cannot."""
        from asyncio import get_running_loop  # noqa: TID251 (loaded by now, where it runs)

        try:
            loop = get_running_loop()
            loop.add_reader(self._fd, self._arrived)
        except (RuntimeError, NotImplementedError):
            return False
        self._loop = loop
        return True

    def _arrived(self) -> None:
        waiter = self._waiter
        if waiter is None:
            self._forget()
        elif not waiter.done():
            try:
                data = os.read(self._fd, self._size)
            except BlockingIOError:
                return
            except OSError as error:
                waiter.fail(error)
            else:
                waiter.come(data)

    def _forget(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.remove_reader(self._fd)

    async def _next_elsewhere(self, size: int) -> bytes:
        while True:
            await anyio.wait_readable(self._fd)
            try:
                return os.read(self._fd, size)
            except BlockingIOError:
                continue


class _Arrival:
    """What one task of asyncio waits for, in place of a future of asyncio's.

    A future wakes its task in the next turn of the event loop, which asks the kernel in between;
    this one in the turn in which the bytes are there. So nothing can come between the two, and no
    bytes are left over by a task that is cancelled.
    """

    _asyncio_future_blocking = False

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._wake: Callable[[_Arrival], None] | None = None
        self._context: Context | None = None
        self._data = b""
        self._error: BaseException | None = None

    def __await__(self) -> Generator[_Arrival, None, bytes]:
        self._asyncio_future_blocking = True
        yield self
        return self._data

    def come(self, data: bytes) -> None:
        """Let the task go on with these bytes, here and now: for the event loop only to call."""
        wake, self._wake = self._wake, None
        if wake is not None and self._context is not None:
            self._data = data
            self._context.run(wake, self)

    def fail(self, error: BaseException) -> None:
        """Have an error raised in the task, soon."""
        wake, self._wake = self._wake, None
        if wake is not None:
            self._error = error
            self._loop.call_soon(wake, self, context=self._context)

    # What a task of asyncio asks of whatever it waits for.

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop of the task."""
        return self._loop

    def done(self) -> bool:
        """Whether its task waits no more."""
        return self._wake is None

    def add_done_callback(
        self, wake: Callable[[_Arrival], None], *, context: Context | None = None
    ) -> None:
        """Take what lets the task go on."""
        self._wake, self._context = wake, context

    def result(self) -> bytes:
        """The bytes, or the error."""
        if self._error is not None:
            raise self._error
        return self._data

    def cancel(self, msg: object = None) -> bool:
        """Cancel the task's wait; False where it is over."""
        from asyncio import CancelledError  # noqa: TID251 (loaded by now, where it runs)

        if self._wake is None:
            return False
        self.fail(CancelledError() if msg is None else CancelledError(msg))
        return True
