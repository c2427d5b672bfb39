"""Text messages of a WebSocket over any byte stream."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Self

import anyio
from anyio.abc import ByteStream
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from carrel.errors import Interrupted, ProtocolError, Refused

__all__ = ["MAX_MESSAGE", "Socket"]

MAX_MESSAGE = 256 * 1024 * 1024
"""Bytes of one message: a picture of a very long page is tens of megabytes."""

CHUNK = 256 * 1024
CLOSE_GRACE = 1.0

_BROKEN = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)


class Socket:
    """The client's end of one WebSocket; one task receives, any may send."""

    def __init__(self, stream: ByteStream, *, limit: int = MAX_MESSAGE) -> None:
        self._stream = stream
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._sending = anyio.Lock()
        self._events: deque[Event] = deque()
        self._limit = limit

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def open(self, host: str, path: str) -> None:
        """Shake hands.

        Raises:
            Refused: The other side answered with something else than a WebSocket.
            Interrupted: The connection broke.
        """
        # No Origin header: that is how a browser tells its own pages from a program.
        await self._send(Request(host=host, target=path))
        event = await self._next()
        if isinstance(event, RejectConnection):
            raise Refused(
                f"the browser refused {path[:100]} with HTTP status {event.status_code}",
                context={"status": event.status_code},
            )
        if not isinstance(event, AcceptConnection):
            raise ProtocolError(f"expected a WebSocket, got {type(event).__name__}")

    async def send(self, text: str) -> None:
        """Send one message."""
        await self._send(TextMessage(data=text))

    async def receive(self) -> str:
        """The next message.

        Raises:
            Interrupted: The other side closed, or the connection broke.
            ProtocolError: It sent what is no text, or too much of it.
        """
        parts: list[str] = []
        size = 0
        while True:
            event = await self._next()
            if isinstance(event, TextMessage):
                parts.append(event.data)
                size += len(event.data)
                if size > self._limit:
                    raise ProtocolError(f"a message of more than {self._limit} characters")
                if event.message_finished:
                    return "".join(parts)
            elif isinstance(event, Ping):
                await self._send(event.response())
            elif isinstance(event, CloseConnection):
                raise Interrupted(f"the browser closed the connection ({event.code})")
            elif isinstance(event, BytesMessage):
                raise ProtocolError("the browser sent bytes instead of text")

    async def aclose(self) -> None:
        """Say goodbye if the other side still listens, and close the stream."""
        with anyio.move_on_after(CLOSE_GRACE, shield=True):
            try:
                if self._is(ConnectionState.OPEN):
                    await self._send(CloseConnection(code=1000))
                    while not self._is(ConnectionState.CLOSED):
                        await self._next()
            except (Interrupted, ProtocolError):
                pass  # It went first: there is nobody to say goodbye to.
        with anyio.CancelScope(shield=True):
            await self._stream.aclose()

    def _is(self, state: ConnectionState) -> bool:
        return self._wire.state is state

    async def _send(self, event: Event) -> None:
        async with self._sending:
            try:
                await self._stream.send(self._wire.send(event))
            except LocalProtocolError as error:
                raise Interrupted("the connection to the browser is closed") from error
            except _BROKEN as error:
                raise _gone(error) from error

    async def _next(self) -> Event:
        while not self._events:
            try:
                data = await self._stream.receive(CHUNK)
            except _BROKEN as error:
                raise _gone(error) from error
            try:
                self._wire.receive_data(data)
                self._events.extend(self._wire.events())
            except RemoteProtocolError as error:
                raise ProtocolError(f"not a WebSocket: {error}") from error
        return self._events.popleft()


def _gone(error: BaseException) -> Interrupted:
    return Interrupted(f"the connection to the browser broke: {str(error) or type(error).__name__}")
