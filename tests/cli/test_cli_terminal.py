"""This side's streams and terminal."""

from __future__ import annotations

import os
import pty
import termios
import threading
from pathlib import Path

import anyio
import pytest

from carrel.cli._terminal import FdWriter, raw_mode, read_fd

pytestmark = pytest.mark.anyio


async def read_all(fd: int) -> bytes:
    with anyio.fail_after(10):
        return b"".join([data async for data in read_fd(fd)])


async def test_input_is_read_from_a_pipe_a_file_and_nothing(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"through a pipe")
    os.close(writer)
    assert await read_all(reader) == b"through a pipe"
    os.close(reader)
    path = tmp_path / "file"
    path.write_bytes(b"x" * 300_000)
    for name, content in ((path, b"x" * 300_000), (Path(os.devnull), b"")):
        fd = os.open(name, os.O_RDONLY)
        assert await read_all(fd) == content
        os.close(fd)


async def test_waiting_for_input_can_be_cancelled() -> None:
    reader, writer = os.pipe()
    with anyio.move_on_after(0.05) as scope:
        await read_all(reader)
    assert scope.cancelled_caught
    os.close(reader)
    os.close(writer)


async def test_a_slow_reader_does_not_hold_up_the_loop() -> None:
    reader, writer = os.pipe()
    sink = FdWriter(writer)
    data = os.urandom(1 << 20)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await anyio.sleep(0.005)
            ticks += 1

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tick)
            tasks.start_soon(sink.write, data)
            # Nobody reads: the pipe is full, and the loop turns.
            while ticks < 20:  # noqa: ASYNC110 - that it turns is what is tested
                await anyio.sleep(0.005)
            tasks.cancel_scope.cancel()
    sink.close()
    os.close(reader)
    os.close(writer)


async def test_all_bytes_arrive_as_they_are() -> None:
    reader, writer = os.pipe()
    data = os.urandom(3 << 20)
    got = bytearray()

    def drain() -> None:
        while part := os.read(reader, 65536):
            got.extend(part)

    thread = threading.Thread(target=drain)
    thread.start()
    sink = FdWriter(writer)
    with anyio.fail_after(20):
        await sink.write(data)
    sink.close()
    assert os.get_blocking(writer)
    os.close(writer)
    thread.join(10)
    os.close(reader)
    assert bytes(got) == data


async def test_on_a_terminal_escape_sequences_are_spelled_out() -> None:
    master, slave = pty.openpty()
    sink = FdWriter(slave)
    text = "é\x1b]0;title\x07"
    for byte in text.encode():
        await sink.write(bytes([byte]))
    await FdWriter(slave, raw=True).write(b"\x1b[31m")
    shown = "é\\x1b]0;title\\x07\x1b[31m".encode()
    seen = b""
    while len(seen) < len(shown):
        seen += os.read(master, 1000)
    assert seen == shown
    os.close(master)
    os.close(slave)


async def test_the_terminal_comes_back_as_it_was() -> None:
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    with raw_mode(slave):
        assert termios.tcgetattr(slave) != before
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
