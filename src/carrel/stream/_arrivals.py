"""Waiting for the next bytes of a descriptor, cheaply when that is done again and again."""

from __future__ import annotations

import os

import anyio

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio  # noqa: TID251 (its readers stay registered; elsewhere anyio's way is taken)

__all__ = ["Arrivals"]


class Arrivals:
    """Reads one non-blocking descriptor, which somebody else owns and closes after `close`.

    Under asyncio the event loop is told of it once, and not, as anyio does, at every wait; and the
    bytes are read as soon as it says that they are there, so that it does not say so twice. Of a
    small request that saves a tenth. Nobody waiting, the loop is told to forget the descriptor.

    Attributes:
        left: What came for a reader that was cancelled, and goes to the next.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiter: asyncio.Future[bytes] | None = None
        self._size = 0
        self.left = b""

    async def next(self, size: int) -> bytes:
        """The next bytes, at most `size`; none at the end.

        Raises:
            OSError: The descriptor cannot be read.
            BusyResourceError: Another task waits.
            ClosedResourceError: It was closed meanwhile.
        """
        if self.left:
            left, self.left = self.left[:size], self.left[size:]
            return left
        if self._waiter is not None:
            raise anyio.BusyResourceError("reading from")
        if self._loop is None and not self._watch():
            return await self._next_elsewhere(size)
        assert self._loop is not None
        self._size = size
        waiter: asyncio.Future[bytes] = self._loop.create_future()
        self._waiter = waiter
        try:
            data = await waiter
        except BaseException:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                # We were cancelled when they had come: whoever reads next gets them.
                self.left = waiter.result()
            raise
        finally:
            self._waiter = None
        return data

    def close(self) -> None:
        """Wake whoever waits, and let go of the descriptor."""
        anyio.notify_closing(self._fd)
        self._forget()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(anyio.ClosedResourceError())

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
                waiter.set_result(os.read(self._fd, self._size))
            except BlockingIOError:
                return
            except OSError as error:
                waiter.set_exception(error)

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
