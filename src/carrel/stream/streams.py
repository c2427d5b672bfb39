"""One stream of a connection: a header, then messages and bytes both ways."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Literal, NamedTuple

import anyio

from carrel.codec import Json
from carrel.errors import CarrelError, Interrupted, InvalidInput, ProtocolError, WrongState
from carrel.stream.frames import (
    FINAL,
    FRAME_COST,
    MAX_CHUNK,
    MAX_WINDOW,
    MORE,
    WINDOW,
    Kind,
    Lane,
    dump_error,
    dump_json,
    pack,
    parse_json,
)

if TYPE_CHECKING:
    from carrel.stream._outbox import Buffer
    from carrel.stream.connection import Connection

__all__ = ["Chunk", "Message", "Stream"]

_DATA = int(Kind.DATA)
_MESSAGE = int(Lane.MESSAGE)
_LANE_MASK = 0x0F


class Message(NamedTuple):
    """A JSON object from the peer."""

    lane: Literal[Lane.MESSAGE]
    data: dict[str, Json]


class Chunk(NamedTuple):
    """Bytes from the peer; one `send` may arrive as several chunks."""

    lane: Literal[Lane.DATA, Lane.ERRORS]
    data: bytes


_BYTE_LANES: dict[int, Literal[Lane.DATA, Lane.ERRORS]] = {
    Lane.DATA: Lane.DATA,
    Lane.ERRORS: Lane.ERRORS,
}


class Stream:
    """One request and its answer, or one tunnel.

    Use it as `async with stream:`; leaving the block while either side is still open resets it.
    Several tasks may send at once; one task receives.

    Attributes:
        id: Its number on this connection.
        header: The JSON object that opened it.
    """

    def __init__(self, connection: Connection, number: int, header: dict[str, Json]) -> None:
        self.id = number
        self.header = header
        self._connection = connection
        self._outbox = connection.outbox
        self._credit = WINDOW
        self._granted = WINDOW
        self._window = WINDOW
        self._consumed = 0
        self._queue: deque[tuple[int, bytes, int]] = deque()
        self._in_frame = False
        self._sent_end = False
        self._got_end = False
        self._discard = False
        self._fault: Callable[[], CarrelError] | None = None
        self._readable: anyio.Event | None = None
        self._sendable: anyio.Event | None = None
        self.scope: anyio.CancelScope | None = None

    def __repr__(self) -> str:
        return f"<Stream {self.id} {self.header.get('op', '')}>"

    @property
    def closed(self) -> bool:
        """Whether both sides have ended, or the stream was reset."""
        return self._fault is not None or (self._sent_end and self._got_end)

    @property
    def empty(self) -> bool:
        """Whether `receive` would have to wait."""
        return not self._queue and not self._got_end and self._fault is None

    async def send(
        self,
        data: bytes | bytearray | memoryview,
        lane: Lane = Lane.DATA,
        *,
        end: bool = False,
    ) -> None:
        """Send bytes, as fast as the peer takes them.

        Args:
            data: The bytes; do not change them before this returns.
            lane: `Lane.DATA` or `Lane.ERRORS`.
            end: Also half-close, as `end` does, at no further cost.

        Raises:
            CarrelError: The error with which the peer reset this stream.
            MachineLost: The connection is over.
            WrongState: This side has ended already.
        """
        if lane not in _BYTE_LANES:
            raise InvalidInput("bytes cannot go on the lane of messages", hint="use send_message")
        if isinstance(data, memoryview):
            data = data.cast("B")
        if len(data) <= MAX_CHUNK:
            if data or end:
                await self._send(data, lane, end)
            return
        view = memoryview(data)
        last = len(view) - 1
        for start in range(0, len(view), MAX_CHUNK):
            await self._send(
                view[start : start + MAX_CHUNK], lane, end and start + MAX_CHUNK > last
            )

    async def send_message(self, message: Mapping[str, object], *, end: bool = False) -> None:
        """Send one JSON object of at most `MAX_MESSAGE` bytes.

        Args:
            message: What to send.
            end: Also half-close, as `end` does, at no further cost.

        Raises:
            InvalidInput: The message has no JSON form or is too large.
            CarrelError: The error with which the peer reset this stream.
            MachineLost: The connection is over.
            WrongState: This side has ended already.
        """
        await self.send_json(dump_json(message), end=end)

    async def send_json(self, text: bytes, *, body: bytes = b"", end: bool = False) -> None:
        """As `send_message`, for an object that is JSON already: the peer checks it.

        Args:
            text: The object.
            body: Bytes to send behind it, at the price of one write where they are not many.
            end: Also half-close, behind the body.
        """
        if not body:
            await self._send(text, _MESSAGE, end)
        elif len(body) <= MAX_CHUNK and self._credit > len(text) + FRAME_COST:
            await self._send_both(text, body, end)
        else:
            await self._send(text, _MESSAGE, False)
            await self.send(body, end=end)

    async def _send_both(self, text: bytes, body: bytes, end: bool) -> None:
        self._check_sendable()
        self._credit -= len(text) + len(body) + 2 * FRAME_COST
        self._sent_end = end
        lane = Lane.DATA | FINAL if end else Lane.DATA
        head = pack(_DATA, self.id, len(text), _MESSAGE) + text
        await self._outbox.send([head + pack(_DATA, self.id, len(body), lane), body])
        self._after_send(end)

    async def _send(self, data: Buffer, lane: int, end: bool) -> None:
        self._check_sendable()
        while self._credit <= 0:
            if self._sendable is None:
                self._sendable = anyio.Event()
                self._connection.turns.wait_begins()
            await self._sendable.wait()
            self._check_sendable()
        size = len(data)
        self._credit -= size + FRAME_COST
        if end:
            lane |= FINAL
            self._sent_end = True
        head = pack(_DATA, self.id, size, lane)
        await self._outbox.send([head, data])
        self._after_send(end)

    def _after_send(self, end: bool) -> None:
        if self._fault is not None:
            raise self._fault()
        if end:
            self._connection.forget_if_closed(self)

    def _check_sendable(self) -> None:
        if self._fault is not None:
            raise self._fault()
        if self._sent_end:
            raise WrongState(f"stream {self.id} was ended by this side")

    async def end(self) -> None:
        """Half-close: nothing more comes from this side. Again, or after a reset: nothing."""
        if self._sent_end or self._fault is not None:
            return
        self._sent_end = True
        await self._outbox.send([pack(Kind.END, self.id, 0)])
        self._connection.forget_if_closed(self)

    async def reset(self, error: CarrelError) -> None:
        """Abort both directions; what the peer awaits on this stream raises `error`."""
        self.abort(error)

    def abort(self, error: CarrelError) -> None:
        """As `reset`, without waiting for anything."""
        if self.closed:
            return
        payload = dump_error(error)
        self.fail(lambda: error)
        self._connection.post([pack(Kind.RESET, self.id, len(payload)), payload])

    async def receive(self) -> Message | Chunk | None:
        """The next message or piece of bytes; None when the peer has ended.

        Raises:
            CarrelError: The error with which the peer reset this stream.
            MachineLost: The connection is over.
            ProtocolError: The peer sent a message that is not a JSON object.
        """
        while not self._queue:
            if self._fault is not None:
                raise self._fault()
            if self._got_end:
                return None
            self._readable = anyio.Event()
            self._connection.turns.wait_begins()
            try:
                await self._readable.wait()
            finally:
                self._wake_receiver()
        lane, payload, cost = self._queue.popleft()
        self._consume(cost)
        if lane != _MESSAGE:
            return Chunk(_BYTE_LANES[lane], payload)
        try:
            return Message(Lane.MESSAGE, parse_json(payload))
        except ProtocolError as error:
            self._connection.fail(error)
            raise

    async def receive_message(self) -> dict[str, Json]:
        """The next message.

        Raises:
            ProtocolError: Bytes came instead, or the peer ended.
            CarrelError: The error with which the peer reset this stream.
            MachineLost: The connection is over.
        """
        item = await self.receive()
        if isinstance(item, Message):
            return item.data
        came = "the end" if item is None else f"{len(item.data)} bytes"
        raise ProtocolError(f"expected a message on stream {self.id}, got {came}")

    async def body(self) -> AsyncIterator[bytes]:
        """The bytes on `Lane.DATA` until the peer ends.

        Raises:
            ProtocolError: Something else came.
        """
        while (item := await self.receive()) is not None:
            if item.lane is not Lane.DATA:
                raise ProtocolError(f"expected data on stream {self.id}, got {item.lane.name}")
            yield item.data

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self.closed:
            self.abort(exc if isinstance(exc, CarrelError) else Interrupted("the caller went away"))

    # What the connection calls.

    @property
    def fault(self) -> CarrelError | None:
        """The error that ended this stream early."""
        return None if self._fault is None else self._fault()

    def take(self, lane: int, payload: bytes) -> None:
        """Queue what a DATA frame, or a piece of one, brought."""
        if self._got_end:
            raise ProtocolError(f"data on stream {self.id} after its end")
        if self._granted <= 0 and not self._in_frame:
            raise ProtocolError(f"data on stream {self.id} beyond its credit")
        cost = len(payload)
        self._in_frame = bool(lane & MORE)
        if not self._in_frame:
            cost += FRAME_COST
        self._granted -= cost
        if lane & FINAL:
            self._got_end = True
        if self._discard or not payload:
            self._consume(cost)
        else:
            self._queue.append((lane & _LANE_MASK, payload, cost))
        self._wake_receiver()

    def take_end(self) -> None:
        """Note that the peer has ended."""
        if self._got_end:
            raise ProtocolError(f"stream {self.id} ended twice")
        self._got_end = True
        self._wake_receiver()

    def _wake_receiver(self) -> None:
        event, self._readable = self._readable, None
        if event is not None:
            event.set()
            self._connection.turns.wait_ends()

    def _wake_senders(self) -> None:
        event, self._sendable = self._sendable, None
        if event is not None:
            event.set()
            self._connection.turns.wait_ends()

    def sent_end(self) -> None:
        """Note that the frame which opens this stream ends our side too."""
        self._sent_end = True

    def take_credit(self, amount: int) -> None:
        """Let waiting senders go on."""
        self._credit += amount
        if not amount or self._credit > MAX_WINDOW:
            raise ProtocolError(f"too much credit for stream {self.id}")
        if self._credit > 0:
            self._wake_senders()

    def _consume(self, cost: int) -> None:
        self._consumed += cost
        # Credit goes back in halves of a window: few small frames, and never a stall.
        if self._consumed >= self._window // 2 and not self._got_end and self._fault is None:
            amount, self._consumed = self._consumed, 0
            if self._window < MAX_WINDOW:
                amount += self._window
                self._window *= 2
            self._granted += amount
            self._connection.post([pack(Kind.CREDIT, self.id, 4) + amount.to_bytes(4)])

    def discard(self) -> None:
        """Throw away what came and what still comes, so that the peer is never stuck."""
        self._discard = True
        while self._queue:
            self._consume(self._queue.popleft()[2])

    def fail(self, fault: Callable[[], CarrelError]) -> None:
        """End both directions with an error; a new one is made for every task that sees it."""
        if self.closed:
            return
        self._fault = fault
        self._queue.clear()
        self._connection.forget(self)
        self._wake_receiver()
        self._wake_senders()
        if self.scope is not None:
            self.scope.cancel()
