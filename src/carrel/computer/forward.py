"""Ports of the machine on this side's loopback."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketStream

from carrel.computer.link import Link
from carrel.errors import CarrelError, Unavailable
from carrel.guest.tunnels import splice

__all__ = ["listen"]

logger = logging.getLogger(__name__)


@asynccontextmanager
async def listen(link: Link, host: str, port: int, local_port: int) -> AsyncIterator[int]:
    """Accept on loopback while the block runs; yields the local port."""

    async def carry(client: SocketStream) -> None:
        async with client:
            try:
                await _carry(link, client, host, port)
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
        tasks.start_soon(listener.serve, carry)
        yield listener.extra(SocketAttribute.local_port)  # noqa: S610 (not Django's)
        tasks.cancel_scope.cancel()


async def _carry(link: Link, client: ByteStream, host: str, port: int) -> None:
    async with await link.open("connect", {"host": host, "port": port}) as stream:
        await stream.receive_message()
        await splice(stream, client)
