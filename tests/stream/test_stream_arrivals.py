"""The next bytes of a descriptor: none lost, none twice, in their order."""

from __future__ import annotations

import asyncio  # noqa: TID251 (what is tested speaks to it)
import os
from collections.abc import Iterator

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
    # The loop reads in one turn and wakes the reader in the next: we come between the two.
    waiter = arrivals._waiter
    while waiter is not None and not waiter.done():
        await lowlevel.checkpoint()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    os.write(writer, b"ghi")
    assert await arrivals.next(4) == b"abcd"
    assert await arrivals.next(4) == b"ef"
    assert await arrivals.next(4) == b"ghi"
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
