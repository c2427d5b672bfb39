"""A connection to a guest that comes back after a break without acting twice."""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

import anyio
from anyio.abc import ByteStream, TaskGroup, TaskStatus

from carrel.codec import Json
from carrel.errors import Interrupted, MachineLost, ProtocolError, WrongState
from carrel.guest.tasks import task_group
from carrel.ids import new_id
from carrel.stream import Connection, Reply, Stream, call, request

__all__ = ["Connect", "Link"]

Connect = Callable[[], Awaitable[ByteStream]]
"""Opens a new byte stream to the guest each time it is called."""

VERSION = 1

logger = logging.getLogger(__name__)


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
        self._tasks: TaskGroup | None = None
        self._lock = anyio.Lock()
        self._boot: str | None = None

    async def __aenter__(self) -> Self:
        self._tasks = await self._stack.enter_async_context(task_group())
        try:
            await self._current()
        except BaseException:
            await self._close(*sys.exc_info())
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._close(kind, error, trace)

    async def _close(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        tasks, self._tasks = self._tasks, None
        assert tasks is not None
        if self._connection is not None:
            await self._connection.aclose()
        tasks.cancel_scope.cancel()
        await self._stack.__aexit__(kind, error, trace)

    async def _current(self) -> Connection:
        connection = self._connection
        if connection is not None and not connection.closed:
            return connection
        async with self._lock:
            if self._connection is not None and not self._connection.closed:
                return self._connection
            if self._tasks is None:
                raise WrongState("the computer is not connected", hint="async with computer: …")
            self._connection = await self._tasks.start(self._hold)
            return self._connection

    async def _hold(self, *, task_status: TaskStatus[Connection]) -> None:
        """Keep one connection for its whole life, whichever task asked for it."""
        transport = await self._connect()
        async with Connection(transport, initiator=True, hello={"side": "client"}) as connection:
            self._check_peer(await connection.ready())
            task_status.started(connection)
            await connection.wait_closed()

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

    async def open(self, op: str, args: Mapping[str, object], *, end: bool = False) -> Stream:
        """Start a request and return its stream; `end` says that nothing more goes there."""
        return await request(await self._current(), op, args, end=end)

    @property
    def boot(self) -> str:
        """Which start of the guest this is; empty before the first connection."""
        return self._boot or ""

    async def ask(
        self,
        op: str,
        args: Mapping[str, object],
        *,
        body: bytes | None = None,
        id: str | None = None,  # noqa: A002
    ) -> Reply:
        """Send a request and wait for all of its answer; `id` asks again under an earlier id."""
        request_id = id or new_id("req")
        try:
            return await call(await self._current(), op, args, id=request_id, body=body)
        except MachineLost:
            logger.info("connection lost during %s; asking again under the same id", op)
            return await call(await self._current(), op, args, id=request_id, body=body)
