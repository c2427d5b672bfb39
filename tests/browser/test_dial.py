"""A byte stream to a port of a machine: whole, in order, and with both ends told."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import ByteStream, SocketAttribute, SocketStream

from carrel.computer import Computer
from carrel.errors import ActionFailed, CarrelError
from carrel.guest.tunnels import Tunnels
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Computer, Callable[[], Awaitable[None]]]]:
    """A computer whose guest knows tunnels only, and a way to lose it."""

    async def handle(stream: Stream) -> None:
        await Tunnels().connect(stream, stream.header["args"])  # type: ignore[arg-type]

    live: list[Connection] = []
    async with anyio.create_task_group() as tasks:

        async def serve(transport: ByteStream) -> None:
            hello = {"carrel": 1, "boot": "b"}
            connection = Connection(transport, initiator=False, handler=handle, hello=hello)
            async with connection:
                live.append(connection)
                await connection.wait_closed()

        async def connect() -> ByteStream:
            ours, theirs = memory_pair()
            tasks.start_soon(serve, theirs)
            return ours

        async def lose() -> None:
            await live[-1].aclose()

        async with Computer(connect) as computer:
            yield computer, lose
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def dialled(
    serve: Callable[[SocketStream], Awaitable[None]],
) -> AsyncIterator[tuple[ByteStream, Callable[[], Awaitable[None]]]]:
    """A stream to a server, and a way to lose the machine."""
    async with (
        linked() as (computer, lose),
        listening(serve) as port,
        await computer.dial(port) as stream,
    ):
        yield stream, lose


@asynccontextmanager
async def listening(serve: Callable[[SocketStream], Awaitable[None]]) -> AsyncIterator[int]:
    async def answer(client: SocketStream) -> None:
        async with client:
            try:
                await serve(client)
            except anyio.BrokenResourceError:
                return

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, answer)
        yield listener.extra(SocketAttribute.local_port)
        tasks.cancel_scope.cancel()


async def echo(client: SocketStream) -> None:
    async for data in client:
        await client.send(data)
    await client.send(b" bye")


async def test_bytes_go_there_and_back_and_each_end_is_told() -> None:
    with anyio.fail_after(20):
        async with dialled(echo) as (stream, _):
            await stream.send(b"hello")
            assert await stream.receive() == b"hello"
            await stream.send_eof()
            assert await stream.receive() == b" bye"
            with pytest.raises(anyio.EndOfStream):
                await stream.receive()


async def test_no_more_bytes_come_than_were_asked_for() -> None:
    with anyio.fail_after(20):
        async with dialled(echo) as (stream, _):
            await stream.send(b"abcdefgh")
            got = b""
            while len(got) < 8:
                part = await stream.receive(3)
                assert 0 < len(part) <= 3
                got += part
            assert got == b"abcdefgh"


async def test_megabytes_cross_in_order_while_both_sides_send() -> None:
    block = bytes(range(256)) * 256
    count = 100
    sent, got = hashlib.sha256(), hashlib.sha256()

    with anyio.fail_after(60):
        async with dialled(echo) as (stream, _), anyio.create_task_group() as tasks:

            async def send() -> None:
                for _ in range(count):
                    sent.update(block)
                    await stream.send(block)
                await stream.send_eof()

            tasks.start_soon(send)
            async for data in stream:
                got.update(data)
    sent.update(b" bye")
    assert got.digest() == sent.digest()


async def test_a_port_nobody_listens_on_fails_at_once() -> None:
    with anyio.fail_after(20):
        async with linked() as (computer, _):
            with pytest.raises(ActionFailed, match="nothing listens"):
                await computer.dial(1)


async def test_a_lost_machine_breaks_the_stream() -> None:
    with anyio.fail_after(20):
        async with dialled(echo) as (stream, lose):
            await lose()
            with pytest.raises(anyio.BrokenResourceError):
                await stream.receive()
            with pytest.raises(anyio.BrokenResourceError):
                await stream.send(b"x")


async def test_closing_lets_the_other_side_go() -> None:
    gone = anyio.Event()

    async def wait(client: SocketStream) -> None:
        try:
            await client.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            gone.set()

    with anyio.fail_after(20):
        async with linked() as (computer, _), listening(wait) as port:
            stream = await computer.dial(port)
            await stream.aclose()
            await gone.wait()


async def test_a_computer_that_is_closed_dials_nothing() -> None:
    with anyio.fail_after(20):
        async with linked() as (computer, _):
            dial = computer.dial
        with pytest.raises(CarrelError):
            await dial(1)
