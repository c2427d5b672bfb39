"""Ports of a machine on this side, whatever their clients do."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import ByteStream, SocketAttribute, SocketStream

from carrel.computer import forward
from carrel.computer.link import Link
from carrel.guest.tunnels import Tunnels
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def linked() -> AsyncIterator[Link]:
    async def handle(stream: Stream) -> None:
        await Tunnels().connect(stream, stream.header["args"])  # type: ignore[arg-type]

    async with anyio.create_task_group() as tasks:

        async def serve(transport: ByteStream) -> None:
            hello = {"carrel": 1, "boot": "b"}
            connection = Connection(transport, initiator=False, handler=handle, hello=hello)
            async with connection:
                await connection.wait_closed()

        async def connect() -> ByteStream:
            ours, theirs = memory_pair()
            tasks.start_soon(serve, theirs)
            return ours

        async with Link(connect) as link:
            yield link
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def shouting() -> AsyncIterator[int]:
    """A server that sends back what it gets in capitals, and without end after `more`."""

    async def answer(client: SocketStream) -> None:
        async with client:
            try:
                async for data in client:
                    await client.send(data.upper())
                    while data == b"more":
                        await client.send(bytes(65536))
            except anyio.BrokenResourceError:
                return

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, answer)
        yield listener.extra(SocketAttribute.local_port)
        tasks.cancel_scope.cancel()


async def say(port: int, word: bytes) -> bytes:
    async with await anyio.connect_tcp("127.0.0.1", port) as client:
        await client.send(word)
        return await client.receive()


def slam(port: int, word: bytes) -> None:
    """Send a word and break the connection off instead of closing it."""
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(word)


@pytest.mark.parametrize("word", [b"hello", b"more"])
async def test_a_client_that_breaks_off_does_not_end_the_forward(word: bytes) -> None:
    with anyio.fail_after(20):
        async with (
            linked() as link,
            shouting() as port,
            forward.listen(link, "127.0.0.1", port, 0) as local,
        ):
            for _ in range(20):
                await anyio.to_thread.run_sync(slam, local, word)
            assert await say(local, b"still here") == b"STILL HERE"


async def test_a_port_nobody_listens_on_does_not_end_the_forward() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with anyio.fail_after(20):
        async with linked() as link, forward.listen(link, "127.0.0.1", port, 0) as local:
            for _ in range(2):
                with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                    await say(local, b"anyone?")
