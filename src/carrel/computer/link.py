"""A connection to a guest that comes back after a break without acting twice."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

import anyio
from anyio.abc import ByteStream

from carrel.codec import Json
from carrel.errors import Interrupted, MachineLost, ProtocolError
from carrel.ids import new_id
from carrel.stream import Chunk, Connection, Message, Stream

__all__ = ["Answer", "Connect", "Link"]

Connect = Callable[[], Awaitable[ByteStream]]
"""Opens a new byte stream to the guest each time it is called."""

VERSION = 1

logger = logging.getLogger(__name__)


class Answer:
    """What a request brought back: the first message, and the bytes after it."""

    __slots__ = ("body", "message")

    def __init__(self, message: dict[str, Json], body: bytes) -> None:
        self.message = message
        self.body = body


class Link:
    """One guest, over one connection at a time.

    A request that was under way when the connection broke is sent again under its own id, so
    the guest answers what it already did; a guest that started anew in between has forgotten,
    and then the caller gets `Interrupted` instead of a second effect.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._connection: Connection | None = None
        self._stack = AsyncExitStack()
        self._lock = anyio.Lock()
        self._boot: str | None = None

    async def __aenter__(self) -> Self:
        await self._current()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection = None
        await self._stack.__aexit__(kind, error, trace)

    async def _current(self) -> Connection:
        async with self._lock:
            if self._connection is not None and not self._connection.closed:
                return self._connection
            await self._stack.aclose()
            transport = await self._connect()
            connection = Connection(transport, initiator=True, hello={"side": "client"})
            self._connection = await self._stack.enter_async_context(connection)
            self._check_peer(connection.peer)
            return connection

    def _check_peer(self, peer: Mapping[str, Json]) -> None:
        if peer.get("carrel") != VERSION:
            raise ProtocolError(
                f"the guest speaks version {peer.get('carrel')!r}, this is version {VERSION}",
                hint="stop the machine and start it again: carrel stop NAME; carrel up NAME",
            )
        boot = str(peer.get("boot"))
        if self._boot is not None and boot != self._boot:
            self._boot = boot
            raise Interrupted(
                "the machine started anew while it was working",
                hint="look at the screen before you repeat anything",
            )
        self._boot = boot

    async def open(self, op: str, args: Mapping[str, object], request: str | None = None) -> Stream:
        """Start a request and return its stream."""
        connection = await self._current()
        return await connection.open({"op": op, "id": request or new_id("req"), "args": args})

    async def ask(self, op: str, args: Mapping[str, object]) -> Answer:
        """Send a request and wait for all of its answer."""
        request = new_id("req")
        try:
            return await self._ask(op, args, request)
        except MachineLost:
            logger.info("connection lost during %s; asking again under the same id", op)
            return await self._ask(op, args, request)

    async def _ask(self, op: str, args: Mapping[str, object], request: str) -> Answer:
        async with await self.open(op, args, request) as stream:
            await stream.end()
            message = await stream.receive_message()
            body = bytearray()
            while (item := await stream.receive()) is not None:
                if isinstance(item, Message):
                    raise ProtocolError(f"a second message in the answer to {op}")
                body += item.data
            return Answer(message, bytes(body))


def read_result(answer: Answer) -> tuple[object, bytes]:
    """The JSON result and the image of an `act` answer."""
    result, rest = answer.message.get("result"), answer.body
    size = answer.message.get("json")
    if isinstance(size, int):
        result, rest = json.loads(rest[:size]), rest[size:]
    return result, rest


__all__ += ["Chunk", "read_result"]
