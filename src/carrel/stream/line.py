"""One byte stream that connections follow each other on: a console, a pair of pipes.

Such a line cannot be hung up and dialled again as a socket can, and what is on it when one side
starts anew (another keeper, a machine restored from a snapshot) was meant for somebody else. So a
connection begins with a call that both sides answer, and all that comes before is dropped:

    host   CALL n, again until it is answered
    guest  ANSWER n
    host   GO n; from here on its bytes are the connection's
    guest  READY n; and now the guest's are

What the host has to say first need not wait for the READY: a machine that has just woken up on an
imitated processor takes long for every word it hears.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import anyio
from anyio.abc import ByteStream

from carrel.errors import CarrelError, MachineLost, TimedOut, Unsupported
from carrel.stream._outbox import Buffer
from carrel.stream.streams import Chunk, Stream
from carrel.stream.transports import FdStream

__all__ = ["Line", "Nested"]

_MARK = b"\0carrel-line\0"
_CALL, _ANSWER, _GO, _READY = b"C", b"A", b"G", b"R"
_NONCE = 16
_SIGN = len(_MARK) + 1 + _NONCE
_AGAIN = 0.5
_MOST = 65536


class _Begun(NamedTuple):
    """A connection that the other side has still to begin."""

    nonce: bytes
    timeout: float


class Line:
    """A byte stream for one connection after the other. It owns the stream."""

    def __init__(self, transport: FdStream) -> None:
        self.transport = transport
        self._rest = b""

    async def call(self, timeout: float) -> ByteStream:
        """Reach the other side: the stream for one connection.

        Raises:
            TimedOut: It did not answer.
            MachineLost: The line is cut.
        """
        return await self.begin(await self.ring(timeout), timeout)

    async def ring(self, timeout: float) -> bytes:
        """Have the other side wait for a connection.

        Returns:
            What the connection is begun with.

        Raises:
            TimedOut: It did not answer.
            MachineLost: The line is cut.
        """
        nonce = os.urandom(_NONCE)
        try:
            with _told(), anyio.fail_after(timeout):
                await self._ring(nonce)
        except TimeoutError:
            raise TimedOut(f"the guest did not answer within {timeout:g} s", op="connect") from None
        return nonce

    async def begin(self, nonce: bytes, timeout: float) -> ByteStream:
        """The stream for one connection, with an other side that waits for it.

        It breaks when the other side does not begin within `timeout`, too.

        Raises:
            MachineLost: The line is cut.
        """
        with _told():
            await self._say(_GO, nonce)
        return _Turn(self, _Begun(nonce, timeout))

    async def answer(self) -> ByteStream:
        """Wait to be called: the stream for one connection.

        Raises:
            MachineLost: The line is cut.
        """
        called = b""
        with _told():
            while True:
                kind, nonce = await self._next_sign()
                if kind == _CALL:
                    called = nonce
                    await self._say(_ANSWER, nonce)
                elif kind == _GO and nonce == called:
                    await self._say(_READY, nonce)
                    return _Turn(self)

    async def _ring(self, nonce: bytes) -> None:
        while True:
            await self._say(_CALL, nonce)
            with anyio.move_on_after(_AGAIN):
                await self._hear(_ANSWER, nonce)
                return

    async def _say(self, kind: bytes, nonce: bytes) -> None:
        await self.transport.send(_MARK + kind + nonce)

    async def _hear(self, kind: bytes, nonce: bytes) -> None:
        while await self._next_sign() != (kind, nonce):
            pass

    async def _next_sign(self) -> tuple[bytes, bytes]:
        """The next sign on the line; whatever is in between was for nobody here."""
        while True:
            at = self._rest.find(_MARK)
            # The end may be the beginning of one.
            self._rest = self._rest[at if at >= 0 else -(len(_MARK) - 1) :]
            if at >= 0 and len(self._rest) >= _SIGN:
                sign, self._rest = self._rest[len(_MARK) : _SIGN], self._rest[_SIGN:]
                return sign[:1], sign[1:]
            self._rest += await self.transport.receive(_MOST)

    async def hear_begin(self, begun: _Begun) -> None:
        """Wait until the other side's bytes are the connection's.

        Raises:
            BrokenResourceError: They never are.
        """
        try:
            with anyio.fail_after(begun.timeout):
                await self._hear(_READY, begun.nonce)
        except TimeoutError:
            raise anyio.BrokenResourceError("the guest did not begin") from None

    async def receive(self, most: int) -> bytes:
        """What is there, and first what came along with the last sign."""
        if self._rest:
            data, self._rest = self._rest[:most], self._rest[most:]
            return data
        return await self.transport.receive(most)

    def put_back(self, last: bytes) -> None:
        """Look for a sign in what a connection received last: a call may have been its end."""
        at = last.find(_MARK)
        if at >= 0:
            self._rest = last[at:] + self._rest

    async def aclose(self) -> None:
        """Cut it."""
        await self.transport.aclose()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
        raise MachineLost("the line to the machine is cut", op="connect") from error


class _Turn(ByteStream):
    """A line as one connection sees it: closing it leaves the line as it is."""

    def __init__(self, line: Line, begun: _Begun | None = None) -> None:
        self._line = line
        self._begun = begun
        self._closed = False
        self._last = b""

    def _check_open(self) -> None:
        if self._closed:
            raise anyio.ClosedResourceError

    async def receive(self, max_bytes: int = _MOST) -> bytes:
        self._check_open()
        if self._begun is not None:
            await self._line.hear_begin(self._begun)
            self._begun = None
        self._last = await self._line.receive(max_bytes)
        return self._last

    async def send(self, item: bytes) -> None:
        self._check_open()
        await self._line.transport.send(item)

    def send_nowait(self, parts: list[Buffer]) -> int:
        if self._closed:
            raise OSError(errno.EBADF, "the transport is closed")
        return self._line.transport.send_nowait(parts)

    async def wait_writable(self) -> None:
        self._check_open()
        await self._line.transport.wait_writable()

    async def send_eof(self) -> None:
        raise Unsupported("a line has no half that could be closed")

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            self._line.put_back(self._last)


class Nested(ByteStream):
    """A stream of one connection as the byte stream of another."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._rest = b""

    async def receive(self, max_bytes: int = _MOST) -> bytes:
        """What is there, at most `max_bytes`."""
        while not self._rest:
            with _broken():
                item = await self._stream.receive()
            if item is None:
                raise anyio.EndOfStream
            if not isinstance(item, Chunk):
                raise anyio.BrokenResourceError("a message among the bytes")
            self._rest = item.data
        data, self._rest = self._rest[:max_bytes], self._rest[max_bytes:]
        return data

    async def send(self, item: bytes) -> None:
        """Write all of it."""
        with _broken():
            await self._stream.send(item)

    async def send_eof(self) -> None:
        """End our side."""
        await self._stream.end()

    async def aclose(self) -> None:
        """End our side, and hear no more."""
        self._stream.discard()
        await self._stream.end()


@contextmanager
def _broken() -> Iterator[None]:
    """What is wrong with a stream, as whoever uses byte streams expects to be told."""
    try:
        yield
    except CarrelError as error:
        raise anyio.BrokenResourceError(error.message) from error
