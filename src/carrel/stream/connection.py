"""Many streams over one duplex byte stream."""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from types import MappingProxyType, TracebackType
from typing import cast

import anyio
from anyio.abc import ByteStream, TaskGroup

from carrel.codec import Json
from carrel.errors import (
    CarrelError,
    MachineLost,
    ProtocolError,
    Refused,
    RunError,
    TimedOut,
    Unsupported,
    WrongState,
    error_from_wire,
)
from carrel.stream._outbox import Buffer, Direct, Outbox
from carrel.stream._turns import Turns
from carrel.stream.frames import (
    FINAL,
    VERSION,
    Decoder,
    Frame,
    Kind,
    dump_error,
    dump_json,
    pack,
    parse_json,
)
from carrel.stream.streams import Stream

__all__ = ["Connection", "Handler"]

Handler = Callable[[Stream], Awaitable[None]]

_CLOSE_GRACE = 1.0
# The keep-alive counts waits rather than reading a clock: a machine that was frozen for an hour
# must not look silent to itself when it wakes up.
_TICKS = 4
_LAST_ID = (1 << 32) - 2
_NOTHING: Mapping[str, object] = MappingProxyType({})

logger = logging.getLogger("carrel.stream")


class Connection:
    """Multiplexes streams over `transport`, which it owns and closes.

    Use it as `async with Connection(…) as connection:`, entered and left by the same task.
    Entering does not wait for the peer; `ready` does.

    Args:
        transport: Any duplex byte stream.
        initiator: True on exactly one of the two sides.
        handler: Runs in a task of its own for every stream the peer opens. A `CarrelError` it
            raises resets the stream; returning ends our side; a reset by the peer cancels it.
        hello: A greeting for the peer's `peer` attribute.
        keepalive: Seconds of silence before a ping; after as many again the peer is dead.
        max_streams: How many streams the peer may have open at once. Each can hold its header
            and an unread window: 2 MiB, or 5 when it has already moved much.

    Attributes:
        peer: The greeting of the other side; empty until `ready`.
        closed: Whether the connection is over.
        error: Why it is; None while it is not, or when it was closed properly.
    """

    def __init__(
        self,
        transport: ByteStream,
        *,
        initiator: bool,
        handler: Handler | None = None,
        hello: Mapping[str, object] = _NOTHING,
        keepalive: float = 15.0,
        max_streams: int = 1024,
    ) -> None:
        self.peer: dict[str, Json] = {}
        self.error: CarrelError | None = None
        self.closed = False
        self.outbox = Outbox(transport)
        self._transport = transport
        self._handler = handler
        self._hello = dump_json({"carrel": VERSION, "hello": dict(hello)}, "hello")
        self._keepalive = keepalive
        self._max_streams = max_streams
        self._streams: dict[int, Stream] = {}
        self._incoming = 0
        self._next_id = 1 if initiator else 2
        self._last_peer_id = 0 if initiator else -1
        self._greeted = anyio.Event()
        self._over = anyio.Event()
        self._gone = anyio.Event()
        self._received = 0
        self._decoder = Decoder()
        self._opened: list[Stream] = []
        self._spare: anyio.Event | None = None
        self.turns = Turns()
        # Requests of the peer come at any time. Other transports may not wake a reader when closed.
        self._shared = handler is None and isinstance(transport, Direct)
        self._group: TaskGroup | None = None
        self._takers: dict[int, Callable[[Frame], None]] = {
            Kind.HELLO: self._take_hello,
            Kind.OPEN: self._take_open,
            Kind.DATA: self._take_data,
            Kind.CREDIT: self._take_credit,
            Kind.END: self._take_end,
            Kind.RESET: self._take_reset,
            Kind.PING: self._take_ping,
            Kind.PONG: self._take_pong,
            Kind.BYE: self._take_bye,
        }

    async def open(self, header: Mapping[str, object], *, end: bool = False) -> Stream:
        """Open a stream.

        Args:
            header: A JSON object for the peer's handler.
            end: Nothing follows the header from our side; saves an `end`.

        Raises:
            MachineLost: The connection is over.
            InvalidInput: The header has no JSON form or is too large.
        """
        payload = dump_json(header, "header")
        if self.closed:
            raise self._loss()
        if self._group is None:
            raise WrongState("the connection is not entered", hint="async with connection: …")
        if self._next_id > _LAST_ID:
            raise WrongState("this connection has used up its stream numbers", hint="reconnect")
        stream = Stream(self, self._next_id, cast("dict[str, Json]", dict(header)))
        self._next_id += 2
        self._streams[stream.id] = stream
        if end:
            stream.sent_end()
        lane = FINAL if end else 0
        try:
            await self.outbox.send([pack(Kind.OPEN, stream.id, len(payload), lane), payload])
        except BaseException:
            stream.abort(RunError("the caller went away"))
            raise
        return stream

    async def ready(self, timeout: float = 10.0) -> dict[str, Json]:
        """Wait for the peer's greeting.

        Raises:
            MachineLost: The connection ended first.
            TimedOut: No greeting came in time.
        """
        with anyio.move_on_after(timeout):
            await self._greeted.wait()
        if self.closed:
            raise self._loss()
        if not self._greeted.is_set():
            raise TimedOut(f"the other side sent no greeting within {timeout:g} s")
        return self.peer

    async def wait_closed(self) -> None:
        """Wait until the connection is over; `error` says why."""
        await self._gone.wait()

    async def aclose(self) -> None:
        """Say goodbye and close the transport. Streams still open raise `MachineLost`."""
        if self._group is None:
            self._finish(None, None)
            await self._transport.aclose()
            self._gone.set()
            return
        self._finish(None, b"")
        with anyio.CancelScope(shield=True):
            await self._gone.wait()

    async def __aenter__(self) -> Connection:
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        self.post([pack(Kind.HELLO, 0, len(self._hello)), self._hello])
        self._group.start_soon(self._run)
        self._group.start_soon(self._work)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._group is not None
        await self.aclose()
        self._group.cancel_scope.cancel()
        # The group never sees an ordinary error of the block: it would wrap it in a group.
        if isinstance(exc, anyio.get_cancelled_exc_class()):
            await self._group.__aexit__(exc_type, exc, traceback)
        else:
            await self._group.__aexit__(None, None, None)

    # The tasks.

    async def _run(self) -> None:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._write)
                if self._keepalive > 0:
                    group.start_soon(self._watch)
                await self._over.wait()
                with anyio.move_on_after(_CLOSE_GRACE):
                    await self.outbox.drain()
                group.cancel_scope.cancel()
        finally:
            self._finish(None, b"")
            self.outbox.close()
            with anyio.move_on_after(_CLOSE_GRACE, shield=True):
                await self._transport.aclose()
            self._gone.set()

    async def _work(self) -> None:
        """Read until the peer opens a stream, let another task read on, and handle that stream.

        So a request is handled by the task that read it: no task has to be started or woken
        before it is answered. At most one task waits to read on.
        """
        while not self.closed:
            await self._read()
            if not self._opened:
                return
            mine, *others = self._opened
            self._opened = []
            self._read_on()
            for stream in others:
                self._start(self._handle, stream)
            await self._handle(mine)
            if self.closed or self._spare is not None:
                return
            self._spare = turn = anyio.Event()
            await turn.wait()

    def _read_on(self) -> None:
        turn, self._spare = self._spare, None
        if turn is not None:
            turn.set()
        else:
            self._start(self._work)

    def _start(self, work: Callable[..., Coroutine[object, object, None]], *args: object) -> None:
        if self._group is not None:
            self._group.start_soon(work, *args)

    async def _read(self) -> None:
        """Take what the peer sends, until it has opened streams or the connection is over."""
        while not self.closed and not self._opened:
            await self._read_once()
            if self._shared and not self._opened:
                await self.turns.stand_aside()

    async def lead(self, stream: Stream) -> None:
        """Read until there is something for a stream of ours, if nobody else reads.

        Only for a task that nobody but the peer, a cancellation or the end of the connection has
        to wake.
        """
        if not stream.empty or not self.turns.free:
            return
        with self.turns.lead():
            while stream.empty and not self.closed:
                await self._read_once()

    async def _read_once(self) -> None:
        decoder = self._decoder
        try:
            data = await self._transport.receive(decoder.wants())
            self._received += 1
            for frame in decoder.feed(data):
                self._take(frame)
        except anyio.EndOfStream:
            self._ended()
        except ProtocolError as error:
            self.fail(error)
        except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            self.fail(MachineLost(f"the connection broke: {error or type(error).__name__}"))

    def _ended(self) -> None:
        try:
            self._decoder.finish()
        except ProtocolError as error:
            self.fail(error)
        else:
            self.fail(MachineLost("the other side is gone without a goodbye"))

    async def _write(self) -> None:
        await self.outbox.run()
        # What the peer said before it went is still to be read, and tells more than EPIPE.
        with anyio.move_on_after(_CLOSE_GRACE):
            await self._over.wait()
        self.fail(self.outbox.loss())

    async def _watch(self) -> None:
        quiet = stuck = 0
        received, written = self._received, self.outbox.written
        while True:
            await anyio.sleep(self._keepalive / _TICKS)
            quiet = quiet + 1 if received == self._received else 0
            stuck = stuck + 1 if len(self.outbox) and written == self.outbox.written else 0
            received, written = self._received, self.outbox.written
            if quiet >= _TICKS:
                self.post([pack(Kind.PING, 0, 8), os.urandom(8)])
            if max(quiet, stuck) >= 2 * _TICKS:
                self.fail(
                    MachineLost(f"the other side was silent for {2 * self._keepalive:g} seconds")
                )

    async def _handle(self, stream: Stream) -> None:
        assert self._handler is not None
        with anyio.CancelScope() as scope:
            stream.scope = scope
            if stream.fault is not None:
                return
            try:
                await self._handler(stream)
                stream.discard()
                await stream.end()
            except CarrelError as error:
                stream.abort(error)
            except Exception as error:  # a bug in one request must not end the others
                logger.exception("the handler of %r failed", stream)
                stream.abort(RunError(f"internal error: {type(error).__name__}: {error}"))

    # Frames from the peer; nothing here waits, so no stream can hold up another.

    def _take(self, frame: Frame) -> None:
        if not self._greeted.is_set() and frame.kind not in (Kind.HELLO, Kind.BYE):
            raise ProtocolError("the other side did not greet", hint="is it a Carrel?")
        self._takers[frame.kind](frame)

    def _take_hello(self, frame: Frame) -> None:
        if self._greeted.is_set():
            raise ProtocolError("the other side greeted twice")
        hello = parse_json(frame.payload)
        version, greeting = hello.get("carrel"), hello.get("hello")
        if version != VERSION or not isinstance(greeting, dict):
            raise ProtocolError(
                f"the other side speaks version {version!r} of the stream, this one {VERSION}",
                hint="run the same version of Carrel on both sides",
            )
        self.peer = greeting
        self._greeted.set()

    def _take_open(self, frame: Frame) -> None:
        number = frame.stream
        if number % 2 == self._next_id % 2 or number <= self._last_peer_id:
            raise ProtocolError(f"stream {number} cannot be opened by the other side")
        header = parse_json(frame.payload)
        self._last_peer_id = number
        stream = Stream(self, number, header)
        self._streams[number] = stream
        if frame.lane & FINAL:
            stream.take_end()
        self._incoming += 1
        if self._handler is None:
            stream.abort(Unsupported("this side takes no requests"))
        elif self._incoming > self._max_streams:
            stream.abort(Refused(f"more than {self._max_streams} streams at once", retryable=True))
        else:
            self._opened.append(stream)

    def _find(self, number: int) -> Stream | None:
        """The live stream; None when it is over and this frame crossed our own."""
        stream = self._streams.get(number)
        if stream is None:
            ours = number % 2 == self._next_id % 2
            if number >= self._next_id if ours else number > self._last_peer_id:
                raise ProtocolError(f"stream {number} was never opened")
        return stream

    def _take_data(self, frame: Frame) -> None:
        stream = self._find(frame.stream)
        if stream is not None:
            stream.take(frame.lane, frame.payload)
            if frame.lane & FINAL:
                self.forget_if_closed(stream)

    def _take_end(self, frame: Frame) -> None:
        stream = self._find(frame.stream)
        if stream is not None:
            stream.take_end()
            self.forget_if_closed(stream)

    def _take_credit(self, frame: Frame) -> None:
        stream = self._find(frame.stream)
        if stream is not None:
            stream.take_credit(int.from_bytes(frame.payload))

    def _take_reset(self, frame: Frame) -> None:
        wire = parse_json(frame.payload)
        stream = self._find(frame.stream)
        if stream is not None:
            stream.fail(lambda: error_from_wire(wire))

    def _take_ping(self, frame: Frame) -> None:
        self.post([pack(Kind.PONG, 0, 8), frame.payload])

    def _take_pong(self, frame: Frame) -> None:
        """Any frame shows that the peer lives; this one says nothing more."""

    def _take_bye(self, frame: Frame) -> None:
        if not frame.payload:
            self._finish(None, None)
            return
        wire = parse_json(frame.payload)
        wire["message"] = f"the other side gave up: {wire.get('message')}"
        self._finish(error_from_wire(wire), None)

    # What streams call.

    def post(self, parts: list[Buffer]) -> None:
        """Write a small frame now or soon, without waiting."""
        try:
            self.outbox.post(parts)
        except ProtocolError as error:
            self.fail(error)

    def forget_if_closed(self, stream: Stream) -> None:
        """Drop a stream that has ended on both sides."""
        if stream.closed:
            self.forget(stream)

    def forget(self, stream: Stream) -> None:
        """Drop a stream; frames that still come for it are ignored."""
        if self._streams.pop(stream.id, None) is not None and stream.id % 2 != self._next_id % 2:
            self._incoming -= 1

    def fail(self, error: CarrelError) -> None:
        """End the connection with an error; the peer is told when it can still hear."""
        self._finish(error, dump_error(error))

    def _finish(self, error: CarrelError | None, goodbye: bytes | None) -> None:
        if self.closed:
            return
        self.error = error
        self.closed = True
        self._over.set()
        self._greeted.set()
        for stream in list(self._streams.values()):
            stream.fail(self._loss)
        if goodbye is not None:
            self.post([pack(Kind.BYE, 0, len(goodbye)), goodbye])

    def _loss(self) -> MachineLost:
        if self.error is None:
            return MachineLost("the connection was closed", hint="connect again")
        lost = MachineLost(
            f"the connection is lost: {self.error.message}",
            hint=self.error.hint,
            context={"cause": self.error.code},
        )
        lost.__cause__ = self.error
        return lost
