"""The next bytes of a descriptor: none lost, none twice, in their order."""

from __future__ import annotations

import asyncio  # noqa: TID251 (what is tested speaks to it)
import os
import select
import socket
from collections.abc import Iterator
from contextvars import ContextVar

import anyio
import pytest
from anyio import lowlevel

from carrel.stream._arrivals import Arrivals
from carrel.stream.transports import memory_pair

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    for fd in (reader, writer):
        try:
            os.close(fd)
        except OSError:
            assert fd == writer, "only a test closes, and only the end it writes to"


async def test_bytes_come_in_order_and_then_the_end(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    arrivals = Arrivals(reader)
    for piece in (b"one", b"two"):
        asyncio.get_running_loop().call_later(0.01, os.write, writer, piece)
        assert await arrivals.next(100) == piece
    os.close(writer)
    assert await arrivals.next(100) == b""
    arrivals.close()


async def test_what_came_when_its_reader_was_cancelled_is_for_the_next(
    pipe: tuple[int, int],
) -> None:
    reader, writer = pipe
    arrivals = Arrivals(reader)
    first = asyncio.ensure_future(arrivals.next(100))
    await lowlevel.checkpoint()
    os.write(writer, b"abcdef")
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    os.write(writer, b"ghi")
    assert await arrivals.next(4) == b"abcd"
    assert await arrivals.next(4) == b"efgh"
    assert await arrivals.next(4) == b"i"
    arrivals.close()


async def test_a_reader_has_the_bytes_before_anything_can_come_between(
    pipe: tuple[int, int],
) -> None:
    reader, writer = pipe
    arrivals = Arrivals(reader)
    got: list[bytes] = []

    async def read() -> None:
        got.append(await arrivals.next(100))

    reading = asyncio.ensure_future(read())
    await lowlevel.checkpoint()
    os.write(writer, b"x")
    while not select.select([reader], [], [], 0)[0]:
        await lowlevel.checkpoint()
    while select.select([reader], [], [], 0)[0]:
        assert not got
        await lowlevel.checkpoint()
    # In the turn in which the bytes were taken, their reader went on.
    assert got == [b"x"]
    assert not reading.cancel()
    arrivals.close()


async def test_variables_of_the_reader_are_its_own(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    arrivals, mine = Arrivals(reader), ContextVar("mine", default="nobody's")

    async def read() -> tuple[bytes, str]:
        mine.set("the reader's")
        return await arrivals.next(100), mine.get()

    reading = asyncio.ensure_future(read())
    await lowlevel.checkpoint()
    os.write(writer, b"x")
    assert await reading == (b"x", "the reader's")
    assert mine.get() == "nobody's"
    arrivals.close()


async def test_an_error_of_the_descriptor_reaches_the_reader() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        arrivals = Arrivals(ours.fileno())
        reading = asyncio.ensure_future(arrivals.next(10))
        await lowlevel.checkpoint()
        ours.send(b"unread")
        theirs.close()
        with pytest.raises(ConnectionResetError):
            await reading
        arrivals.close()


async def test_nothing_overtakes_what_a_cancelled_reader_left() -> None:
    ours, theirs = memory_pair()
    async with ours, theirs:
        for turn in range(50):
            with anyio.move_on_after(0.0005 * (turn % 4)):
                assert await ours.receive(1) == b"", "nobody has written"
            await theirs.send(b"%02d" % turn)
            got = b""
            while len(got) < 2:
                with anyio.move_on_after(0.0002 * (turn % 3)):
                    got += await ours.receive(1)
            assert got == b"%02d" % turn


async def test_closing_wakes_who_waits(pipe: tuple[int, int]) -> None:
    arrivals = Arrivals(pipe[0])
    waiting = asyncio.ensure_future(arrivals.next(1))
    await lowlevel.checkpoint()
    with pytest.raises(anyio.BusyResourceError):
        await arrivals.next(1)
    arrivals.close()
    with pytest.raises(anyio.ClosedResourceError):
        await waiting


async def test_a_descriptor_nobody_reads_keeps_no_loop_busy(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    arrivals = Arrivals(reader)
    os.write(writer, b"x")
    assert await arrivals.next(1) == b"x"
    os.write(writer, b"y")
    for _ in range(3):
        await anyio.sleep(0.001)
    assert not asyncio.get_running_loop().remove_reader(reader), "it was forgotten already"
    assert await arrivals.next(1) == b"y"
    arrivals.close()
