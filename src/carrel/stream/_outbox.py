"""What waits to be written: frames go out at once where the transport has room for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import anyio
from anyio.abc import ByteStream

from carrel.errors import MachineLost, ProtocolError

__all__ = ["Buffer", "Direct", "Outbox"]

Buffer = bytes | bytearray | memoryview

_BATCH_PARTS = 64
_BATCH_BYTES = 512 << 10
# How much may wait in the queue without making its sender wait: while the writer sleeps until the
# transport has room, the sender prepares the next batch.
_QUEUE_AHEAD = 512 << 10
# What may wait because of the peer's doing (credit, resets, pongs): a peer that causes more
# without reading any of it is no peer.
_MAX_CONTROL = 4 << 20


@runtime_checkable
class Direct(Protocol):
    """A transport that can be tried without waiting."""

    def send_nowait(self, parts: list[Buffer]) -> int:
        """Write what fits now and say how many bytes that was; 0 when there is no room."""
        ...

    async def wait_writable(self) -> None:
        """Wait until there is room."""
        ...


def _is_constant(data: Buffer) -> bool:
    """Whether the bytes can never change, so that nobody has to wait before reusing them."""
    return isinstance(data.obj if isinstance(data, memoryview) else data, bytes)


class Entry:
    """One frame, or what is left of it, on its way out."""

    __slots__ = ("control", "done", "parts", "size")

    def __init__(self, parts: list[Buffer], size: int, control: int) -> None:
        self.parts = parts
        self.size = size
        self.control = control
        self.done: anyio.Event | None = None

    def drop(self, count: int) -> None:
        """Forget the first `count` bytes."""
        self.size -= count
        while count:
            first = self.parts[0]
            if count < len(first):
                self.parts[0] = memoryview(first)[count:]
                return
            count -= len(first)
            del self.parts[0]

    def own(self) -> None:
        """Copy the bytes: their owner stopped waiting and may change them."""
        self.parts = [bytes(part) for part in self.parts]


class Outbox:
    """The writing half of a connection.

    A frame is never cut by cancellation: once posted it is written whole by whoever can.
    """

    def __init__(self, transport: ByteStream) -> None:
        self._transport = transport
        self._direct = transport if isinstance(transport, Direct) else None
        self._queue: deque[Entry] = deque()
        self._wake = anyio.Event()
        self._control = 0
        self._queued = 0
        self.broken: OSError | anyio.BrokenResourceError | anyio.ClosedResourceError | None = None
        self.closed = False
        self.written = 0

    def __len__(self) -> int:
        return len(self._queue)

    def post(self, parts: list[Buffer], *, control: bool = True) -> Entry | None:
        """Write a frame now or queue it; the entry to wait for, or None when it is out.

        Raises:
            ProtocolError: The peer caused more answers than it reads.
        """
        if self.closed or self.broken is not None:
            return None
        size = sum(map(len, parts))
        sent = 0
        if self._direct is not None and not self._queue:
            try:
                sent = self._direct.send_nowait(parts)
            except OSError as error:
                self._break(error)
                return None
            self.written += sent
            if sent == size:
                return None
        entry = Entry(list(parts), size, size if control else 0)
        if sent:
            entry.drop(sent)
        self._control += entry.control
        if self._control > _MAX_CONTROL:
            raise ProtocolError("the other side does not read what it asks for")
        self._queue.append(entry)
        self._queued += entry.size
        self._wake.set()
        return entry

    async def send(self, parts: list[Buffer]) -> None:
        """Write a frame; returns when the transport has taken it or will soon."""
        entry = self.post(parts, control=False)
        if entry is None:
            return
        if self._queued <= _QUEUE_AHEAD and _is_constant(parts[-1]):
            return
        entry.done = anyio.Event()
        try:
            await entry.done.wait()
        except BaseException:
            entry.own()
            raise

    async def run(self) -> None:
        """Write what is queued, until cancelled or the transport breaks."""
        try:
            while self.broken is None:
                if not self._queue:
                    self._wake = anyio.Event()
                    await self._wake.wait()
                elif self._direct is not None:
                    await self._direct.wait_writable()
                    self._written(self._direct.send_nowait(self._batch()))
                else:
                    data = b"".join(self._batch())
                    await self._transport.send(data)
                    self._written(len(data))
        except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            self._break(error)

    async def drain(self) -> None:
        """Wait until nothing is queued."""
        while self._queue and self.broken is None:
            last = self._queue[-1]
            last.done = last.done or anyio.Event()
            await last.done.wait()

    def close(self) -> None:
        """Drop what is queued and let its senders go."""
        self.closed = True
        self._release(self._queue)
        self._queue.clear()

    def _batch(self) -> list[Buffer]:
        parts: list[Buffer] = []
        size = 0
        for entry in self._queue:
            parts += entry.parts
            size += entry.size
            if size >= _BATCH_BYTES or len(parts) >= _BATCH_PARTS:
                break
        return parts

    def _written(self, count: int) -> None:
        self.written += count
        self._queued -= count
        while self._queue and count >= self._queue[0].size:
            entry = self._queue.popleft()
            count -= entry.size
            self._control -= entry.control
            self._release([entry])
        if count:
            self._queue[0].drop(count)

    @staticmethod
    def _release(entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.done is not None:
                entry.done.set()

    def _break(
        self, error: OSError | anyio.BrokenResourceError | anyio.ClosedResourceError
    ) -> None:
        self.broken = error
        self._wake.set()
        self._release(self._queue)
        self._queue.clear()

    def loss(self) -> MachineLost:
        """Why nothing can be written any more."""
        return MachineLost(f"the connection broke while writing: {self.broken}")
