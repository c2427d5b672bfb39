from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream
from anyio.streams.stapled import StapledByteStream

from carrel.errors import AlreadyExists, InvalidInput, MachineLost, Refused, TimedOut, Unavailable
from carrel.stream import (
    Connection,
    Listener,
    Stream,
    call,
    connect_tcp,
    connect_unix,
    listen_tcp,
    listen_unix,
    memory_pair,
    pipe_stream,
)

pytestmark = pytest.mark.anyio
TOKEN = "correct horse battery staple"


async def answer(stream: Stream) -> None:
    size = 0
    async for piece in stream.body():
        size += len(piece)
    await stream.send_message({"result": {"size": size}})


async def serve_carrel(transport: ByteStream) -> None:
    async with Connection(transport, initiator=False, handler=answer) as connection:
        await connection.wait_closed()


@asynccontextmanager
async def serving(listener: Listener) -> AsyncIterator[Listener]:
    with anyio.fail_after(15):
        async with listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, serve_carrel)
            yield listener
            group.cancel_scope.cancel()


async def check(transport: ByteStream, size: int = 3_000_000) -> None:
    """A real conversation, larger than any buffer on the way."""
    async with Connection(transport, initiator=True) as client:
        assert (await call(client, "count", body=bytes(size))).result == {"size": size}


async def test_a_unix_socket_carries_a_connection(tmp_path: Path) -> None:
    path = tmp_path / "s"
    async with serving(listen_unix(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        await check(await connect_unix(path))
        await check(await connect_unix(str(path)))
    assert not path.exists()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_a_unix_path_may_be_longer_than_a_socket_address(tmp_path: Path) -> None:
    folder = tmp_path / ("d" * 120) / ("e" * 120)
    folder.mkdir(parents=True)
    path = folder / "guest.sock"
    assert len(str(path)) > 240
    before = open_descriptors()
    async with serving(listen_unix(path)) as listener:
        assert path.is_socket()
        assert listener.address == str(path)
        await check(await connect_unix(path))
    assert not path.exists()
    assert open_descriptors() == before


async def test_a_unix_socket_that_cannot_be_had_says_why(tmp_path: Path) -> None:
    with anyio.fail_after(5):
        with pytest.raises(MachineLost, match="No such file"):
            await connect_unix(tmp_path / "nothing")
        with pytest.raises(MachineLost, match="No such file"):
            await connect_unix(tmp_path / ("x" * 120) / "nothing")
        (tmp_path / "file").touch()
        with pytest.raises(MachineLost, match="refused"):
            await connect_unix(tmp_path / "file")
        with pytest.raises(AlreadyExists):
            listen_unix(tmp_path / "file")
        with pytest.raises(Unavailable, match="No such file"):
            listen_unix(tmp_path / "no" / "folder")
        with pytest.raises(InvalidInput, match="too long"):
            listen_unix(tmp_path / ("n" * 200))
        for bad in ("a\0b", "x" * 200 + "\0"):
            with pytest.raises(InvalidInput, match="NUL"):
                await connect_unix(bad)


async def test_a_unix_listener_that_never_accepts_times_out(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(tmp_path / "s"))
        sock.listen(0)
        with anyio.fail_after(5):
            waiting = await connect_unix(tmp_path / "s")
            with pytest.raises(TimedOut):
                await connect_unix(tmp_path / "s", timeout=0.1)
        await waiting.aclose()


async def test_tcp_carries_a_connection_for_who_knows_the_token() -> None:
    async with serving(await listen_tcp(TOKEN)) as listener:
        assert listener.address == ("127.0.0.1", listener.port)
        await check(await connect_tcp("127.0.0.1", listener.port, TOKEN))
        await check(await connect_tcp("localhost", listener.port, TOKEN))


@pytest.mark.parametrize("token", ["wrong", TOKEN + " ", TOKEN[:-1], "é\ud800", "x" * 100_000])
async def test_a_wrong_token_is_refused(token: str) -> None:
    async with serving(await listen_tcp(TOKEN)) as listener:
        with pytest.raises(Refused, match="token"):
            await connect_tcp("127.0.0.1", listener.port, token)
        await check(await connect_tcp("127.0.0.1", listener.port, TOKEN), 10)


async def test_an_empty_token_is_refused_on_both_sides() -> None:
    with pytest.raises(InvalidInput):
        await listen_tcp("")
    with pytest.raises(InvalidInput):
        await connect_tcp("127.0.0.1", 1, "")


async def ends_within(stream: ByteStream, seconds: float) -> bytes:
    """What comes until the other side closes."""
    data = b""
    with anyio.fail_after(seconds):
        try:
            while True:
                data += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return data


async def test_a_missing_half_or_dripping_token_is_cut_off_after_five_seconds() -> None:
    async with serving(await listen_tcp(TOKEN)) as listener, anyio.create_task_group() as group:

        async def stranger(first: bytes, drip: bytes) -> None:
            start = time.monotonic()
            async with await anyio.connect_tcp("127.0.0.1", listener.port) as stream:
                if first:
                    await stream.send(first)
                async with anyio.create_task_group() as dripping:
                    if drip:
                        dripping.start_soon(send_slowly, stream, drip)
                    assert await ends_within(stream, 20) == b""
                    dripping.cancel_scope.cancel()
            assert 4 < time.monotonic() - start < 15

        group.start_soon(stranger, b"", b"")
        group.start_soon(stranger, b"carrel/1 ", b"")
        group.start_soon(stranger, b"carrel/1 0123456789", b"")
        group.start_soon(stranger, b"", b"carrel/1 0123456789")


async def send_slowly(stream: ByteStream, data: bytes) -> None:
    for at in range(len(data)):
        await stream.send(data[at : at + 1])
        await anyio.sleep(0.3)


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 5, b"\0" * 1000])
async def test_other_protocols_are_turned_away_at_once(first: bytes) -> None:
    async with serving(await listen_tcp(TOKEN)) as listener:
        stranger = await anyio.connect_tcp("127.0.0.1", listener.port)
        await stranger.send(first)
        assert await ends_within(stranger, 2) in (b"no\n", b"")
        await stranger.aclose()


async def test_strangers_do_not_keep_a_friend_out_for_good() -> None:
    async with serving(await listen_tcp(TOKEN)) as listener:
        strangers = [await anyio.connect_tcp("127.0.0.1", listener.port) for _ in range(70)]
        friend = await connect_tcp("127.0.0.1", listener.port, TOKEN, timeout=12)
        await check(friend, 10)
        for stranger in strangers:
            await stranger.aclose()


async def test_a_tcp_address_that_cannot_be_had_says_why() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with anyio.fail_after(10):
            with pytest.raises(MachineLost, match="refused"):
                await connect_tcp("127.0.0.1", port, TOKEN)
            taken.listen()
            with pytest.raises(Unavailable, match="in use"):
                await listen_tcp(TOKEN, port=port)
            with pytest.raises(TimedOut):
                await connect_tcp("127.0.0.1", port, TOKEN, timeout=0.2)
            with pytest.raises(InvalidInput, match="not a port"):
                await connect_tcp("127.0.0.1", 65536, TOKEN)
            with pytest.raises(InvalidInput, match="not a port"):
                await listen_tcp(TOKEN, port=-1)
            for host in ("a..b", "x" * 300, "é" * 300, "a\0b"):
                with pytest.raises((InvalidInput, MachineLost)):
                    await connect_tcp(host, 1, TOKEN)


async def test_a_server_that_is_no_carrel_is_named_so() -> None:
    async def web(client: ByteStream) -> None:
        await client.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await client.aclose()

    with anyio.fail_after(10):
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, web)
            with pytest.raises(MachineLost):
                await connect_tcp("127.0.0.1", port, TOKEN)
            group.cancel_scope.cancel()


async def test_a_failing_client_does_not_end_the_service(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def moody(transport: ByteStream) -> None:
        if await transport.receive(1) == b"!":
            raise RuntimeError("moody")
        await transport.send(b"fine")

    with anyio.fail_after(5):
        async with listen_unix(tmp_path / "s") as listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, moody)
            for first, expected in ((b"!", b""), (b"?", b"fine")):
                client = await connect_unix(tmp_path / "s")
                await client.send(first)
                assert await ends_within(client, 2) == expected
                await client.aclose()
            await listener.aclose()
    assert "moody" in caplog.text


async def test_closing_a_listener_lets_its_clients_finish(tmp_path: Path) -> None:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            listener = listen_unix(tmp_path / "s")
            group.start_soon(listener.serve, serve_carrel)
            transport = await connect_unix(tmp_path / "s")
            async with Connection(transport, initiator=True) as client:
                await client.ready()
                await listener.aclose()
                assert (await call(client, "count", body=b"abc")).result == {"size": 3}
        with pytest.raises(MachineLost):
            await connect_unix(tmp_path / "s")


async def test_a_pair_of_pipes_carries_a_connection() -> None:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(serve_carrel, pipe_stream(theirs_in, theirs_out))
            await check(pipe_stream(ours_in, ours_out))


CHILD = """
import anyio
from carrel.stream import Connection, take_stdio

async def handler(stream):
    print("a stray print")
    await stream.send_message({"result": {"input": input_is_empty()}})

def input_is_empty():
    import sys
    return sys.stdin.read() == ""

async def main():
    async with Connection(take_stdio(), initiator=False, handler=handler) as connection:
        await connection.wait_closed()

anyio.run(main)
"""


async def test_a_process_serves_on_its_standard_streams_and_may_print() -> None:
    with anyio.fail_after(15):
        child = subprocess.Popen(
            [sys.executable, "-u", "-c", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        reader, writer = os.dup(child.stdout.fileno()), os.dup(child.stdin.fileno())
        child.stdin.close()
        child.stdout.close()
        async with Connection(pipe_stream(reader, writer), initiator=True) as client:
            assert (await call(client, "x")).result == {"input": True}
            assert (await call(client, "x")).result == {"input": True}
        assert child.stderr is not None
        assert await anyio.to_thread.run_sync(child.stderr.read) == b"a stray print\n" * 2
        child.stderr.close()
        assert await anyio.to_thread.run_sync(child.wait) == 0


async def test_any_byte_stream_of_anyio_will_do(tmp_path: Path) -> None:
    with anyio.fail_after(15):
        listener = await anyio.create_unix_listener(tmp_path / "s")
        async with listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, serve_carrel)
            for _ in range(2):
                stream = await anyio.connect_unix(tmp_path / "s")
                await check(StapledByteStream(stream, stream))
            group.cancel_scope.cancel()


async def test_a_transport_behaves_as_a_byte_stream() -> None:
    ours, theirs = memory_pair()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(ours.send, b"x" * 2_000_000)
            left = 2_000_000
            while left:
                left -= len(await theirs.receive(100_000))
        await ours.send_eof()
        with pytest.raises(anyio.EndOfStream):
            await theirs.receive()
        await theirs.send(b"still")
        assert await ours.receive() == b"still"
        async with anyio.create_task_group() as group:

            async def wait() -> None:
                with pytest.raises(anyio.ClosedResourceError):
                    await ours.receive()

            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            await ours.aclose()
        await ours.aclose()
        with pytest.raises(anyio.ClosedResourceError):
            await ours.send(b"x")
        with pytest.raises(anyio.BrokenResourceError):
            await theirs.send(b"x")
        await theirs.aclose()


async def test_closing_the_writing_pipe_is_an_end_of_stream() -> None:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    ours, theirs = pipe_stream(ours_in, ours_out), pipe_stream(theirs_in, theirs_out)
    with anyio.fail_after(5):
        await ours.send(b"last words")
        await ours.send_eof()
        assert await theirs.receive() == b"last words"
        with pytest.raises(anyio.EndOfStream):
            await theirs.receive()
        await theirs.send(b"reply")
        assert await ours.receive() == b"reply"
        with pytest.raises(anyio.BrokenResourceError):
            await ours.send(b"more")
        await ours.aclose()
        await theirs.aclose()
