"""Ports of the machine: on this side's loopback, or as a stream of one's own."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketStream

from carrel.computer.link import Link
from carrel.errors import CarrelError, Unavailable
from carrel.guest.tunnels import Traffic, splice
from carrel.stream import Chunk, Stream

__all__ = ["Dial", "Tunnel", "carry", "dial", "listen"]

Dial = Callable[[int], Awaitable[ByteStream]]
"""Connects to a port inside the machine."""

logger = logging.getLogger(__name__)


@asynccontextmanager
async def listen(link: Link, host: str, port: int, local_port: int) -> AsyncIterator[int]:
    """Accept on loopback while the block runs; yields the local port."""

    async def serve(client: SocketStream) -> None:
        async with client:
            try:
                await carry(link, client, host, port)
            except CarrelError as error:
                logger.warning("forward to %s:%d: %s", host, port, error)

    try:
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=local_port)
    except OSError as error:
        raise Unavailable(
            f"port {local_port} cannot be listened on: {error.strerror}",
            hint="choose another port, or 0 for any free one",
        ) from error
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        yield listener.extra(SocketAttribute.local_port)  # noqa: S610 (not Django's)
        tasks.cancel_scope.cancel()


async def carry(
    link: Link, client: ByteStream, host: str, port: int, traffic: Traffic | None = None
) -> None:
    """Carry one connection into the machine, both ways, to its end; counted in `traffic`."""
    async with await link.open("connect", {"host": host, "port": port}) as stream:
        await stream.receive_message()
        await splice(stream, client, traffic)


class Tunnel(ByteStream):
    """A connection to a port inside the machine that nothing else on this system can use."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._rest = b""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """The next bytes.

        Raises:
            anyio.EndOfStream: The other side has ended.
            anyio.BrokenResourceError: The connection broke.
        """
        if not self._rest:
            try:
                item = await self._stream.receive()
            except CarrelError as error:
                raise anyio.BrokenResourceError from error
            if not isinstance(item, Chunk):
                raise anyio.EndOfStream
            self._rest = item.data
        data, self._rest = self._rest[:max_bytes], self._rest[max_bytes:]
        return data

    async def send(self, item: bytes) -> None:
        """Send bytes, as fast as they are taken.

        Raises:
            anyio.BrokenResourceError: The connection broke.
        """
        try:
            await self._stream.send(item)
        except CarrelError as error:
            raise anyio.BrokenResourceError from error

    async def send_eof(self) -> None:
        """Say that nothing more comes."""
        await self._stream.end()

    async def aclose(self) -> None:
        """End both directions."""
        await self._stream.__aexit__(None, None, None)


async def dial(link: Link, port: int) -> Tunnel:
    """Connect to a port on the machine's loopback.

    Raises:
        ActionFailed: Nothing listens there.
    """
    stream = await link.open("connect", {"port": port})
    try:
        await stream.receive_message()
    except BaseException:
        await stream.__aexit__(None, None, None)
        raise
    return Tunnel(stream)
