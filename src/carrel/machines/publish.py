"""Ports of a machine on this computer's loopback, for as long as its keeper lives."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import cast

import anyio
from anyio.abc import SocketListener, SocketStream, TaskStatus

from carrel.computer.forward import carry
from carrel.computer.link import Connect, Link
from carrel.errors import CarrelError, Unavailable
from carrel.guest.tunnels import Traffic
from carrel.machines.spec import parse_port
from carrel.machines.traffic import TrafficCount

__all__ = ["publish", "require_free"]

MOST_CLIENTS = 64
"""Connections to one port at once; whoever comes later waits."""

_LOOPBACK = "127.0.0.1"
_PASSING = (errno.ECONNABORTED, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

Serve = Callable[[SocketStream], Awaitable[None]]

logger = logging.getLogger(__name__)


def require_free(ports: Sequence[str]) -> None:
    """See that ports of this computer can be listened on.

    Raises:
        Unavailable: One is taken, or not for us.
    """
    for text in ports:
        local = parse_port(text)[0]
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((_LOOPBACK, local))
                probe.listen()
            except OSError as error:
                raise _taken(local, error) from error


def _taken(port: int, error: OSError) -> Unavailable:
    return Unavailable(
        f"port {port} of this computer cannot be listened on: {error.strerror}",
        op="machine.start",
        hint=f"choose another: -p {port + 1 if port < 65535 else 8080}:GUEST",
    )


async def publish(
    ports: Sequence[str],
    connect: Connect,
    count: TrafficCount | None = None,
    *,
    task_status: TaskStatus[None],
) -> None:
    """Carry what comes to ports of this computer into the machine, until cancelled.

    Args:
        ports: `HOST:GUEST`.
        connect: Opens a stream to the guest.
        count: Counts what is carried, as the machine's: what it answers, it has sent.
        task_status: Told when all ports are listened on.

    Raises:
        Unavailable: One cannot be.
    """
    counted = count or TrafficCount(None)
    async with AsyncExitStack() as stack:
        listeners = []
        for text in ports:
            local, inside = parse_port(text)
            listener = await stack.enter_async_context(await _listen(local))
            listeners.append((listener, inside))
        task_status.started()
        async with anyio.create_task_group() as tasks:
            for listener, inside in listeners:
                tasks.start_soon(_attend, listener, partial(_serve, connect, counted, inside))


async def _listen(port: int) -> SocketListener:
    try:
        multi = await anyio.create_tcp_listener(local_host=_LOOPBACK, local_port=port)
    except OSError as error:
        raise _taken(port, error) from error
    return cast("SocketListener", multi.listeners[0])


async def _attend(listener: SocketListener, serve: Serve) -> None:
    """Serve so many at once that no stranger can use up what the keeper itself needs."""
    room = anyio.Semaphore(MOST_CLIENTS)

    async def attend(client: SocketStream) -> None:
        try:
            await serve(client)
        finally:
            room.release()

    async with anyio.create_task_group() as tasks:
        while True:
            await room.acquire()
            tasks.start_soon(attend, await _accept(listener))


async def _accept(listener: SocketListener) -> SocketStream:
    while True:
        try:
            return await listener.accept()
        except OSError as error:
            if error.errno not in _PASSING:
                raise
            # Somebody else has all descriptors or all memory: it will not be for ever.
            await anyio.sleep(0.1)


async def _serve(connect: Connect, count: TrafficCount, inside: int, client: SocketStream) -> None:
    traffic = Traffic()
    async with client:
        try:
            async with Link(connect) as link, count.counting(traffic):
                await carry(link, client, "localhost", inside, traffic)
        except CarrelError as error:
            logger.warning("published port %d: %s", inside, error)
