"""Peers that misbehave: raw bytes against a real connection, real processes that die."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import ByteStream
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import CarrelError, MachineLost, ProtocolError
from carrel.stream import (
    MAX_CHUNK,
    MAX_MESSAGE,
    WINDOW,
    Connection,
    FdStream,
    Lane,
    Stream,
    call,
    memory_pair,
    socket_stream,
)
from carrel.stream.frames import FINAL, Decoder, Frame, Kind, dump_json, pack, parse_json

HELLO = dump_json({"carrel": 1, "hello": {}})


def frame(kind: int, payload: bytes = b"", stream: int = 0, lane: int = 0) -> bytes:
    return pack(kind, stream, len(payload), lane) + payload


GREETING = frame(Kind.HELLO, HELLO)
OPEN = frame(Kind.OPEN, b"{}", 1)


async def idle(_: Stream) -> None:
    await anyio.sleep_forever()


@asynccontextmanager
async def raw_client(
    keepalive: float = 15.0, greet: bool = True
) -> AsyncIterator[tuple[FdStream, Connection]]:
    """A server connection whose client is the test itself, byte by byte."""
    ours, theirs = memory_pair()
    try:
        with anyio.fail_after(40):
            async with Connection(
                theirs, initiator=False, handler=idle, keepalive=keepalive
            ) as server:
                if greet:
                    await ours.send(GREETING)
                yield ours, server
    finally:
        await ours.aclose()


async def frames_until_closed(transport: ByteStream) -> list[Frame]:
    decoder, found = Decoder(), []
    try:
        while True:
            found += list(decoder.feed(await transport.receive(1 << 16)))
    except (anyio.EndOfStream, anyio.BrokenResourceError):
        return found


BAD = {
    "random bytes": b"\x93\xff\x00garbage" * 20,
    "a web browser": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "an unknown kind": frame(77),
    "an unknown lane": frame(Kind.DATA, b"xx", 1, 9),
    "an oversized header": pack(Kind.OPEN, 1, MAX_MESSAGE + 1),
    "an oversized chunk": OPEN + pack(Kind.DATA, 1, MAX_CHUNK + 1, Lane.DATA),
    "four gigabytes": pack(Kind.DATA, 1, 2**32 - 1, Lane.DATA),
    "a second greeting": GREETING,
    "a stream of the wrong parity": frame(Kind.OPEN, b"{}", 2),
    "a stream opened twice": OPEN + OPEN,
    "a stream number that goes back": frame(Kind.OPEN, b"{}", 9) + frame(Kind.OPEN, b"{}", 3),
    "data on no stream": frame(Kind.DATA, b"x", 5, Lane.DATA),
    "data on a stream of ours": frame(Kind.DATA, b"x", 2, Lane.DATA),
    "credit on no stream": frame(Kind.CREDIT, (5).to_bytes(4), 5),
    "credit of zero": OPEN + frame(Kind.CREDIT, bytes(4), 1),
    "more credit than a window": OPEN + frame(Kind.CREDIT, (3 * WINDOW + 1).to_bytes(4), 1),
    "credit without end": OPEN + frame(Kind.CREDIT, (2**32 - 1).to_bytes(4), 1),
    "a header that is no JSON": frame(Kind.OPEN, b"nonsense", 1),
    "a header that is a list": frame(Kind.OPEN, b"[]", 1),
    "a reset that is no JSON": OPEN + frame(Kind.RESET, b"nonsense", 1),
    "data after the end": OPEN + frame(Kind.END, b"", 1) + frame(Kind.DATA, b"x", 1, Lane.DATA),
    "data after a final header": frame(Kind.OPEN, b"{}", 1, FINAL)
    + frame(Kind.DATA, b"x", 1, Lane.DATA),
    "two ends": OPEN + frame(Kind.END, b"", 1) * 2,
    "more data than credit": OPEN + frame(Kind.DATA, bytes(MAX_CHUNK), 1, Lane.DATA) * 5,
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", BAD)
async def test_nonsense_ends_the_connection_with_a_protocol_error(name: str) -> None:
    async with raw_client() as (raw, server):
        async with anyio.create_task_group() as group:

            async def talk() -> None:
                try:
                    await raw.send(BAD[name])
                except anyio.BrokenResourceError:
                    return

            group.start_soon(talk)
            await server.wait_closed()
        assert isinstance(server.error, ProtocolError)
        told = await frames_until_closed(raw)
        assert told[-1].kind == Kind.BYE
        assert parse_json(told[-1].payload)["code"] == "protocol"
        with pytest.raises(MachineLost) as caught:
            await server.open({})
        assert caught.value.__cause__ is server.error


@pytest.mark.anyio
@pytest.mark.parametrize(
    "first", [OPEN, frame(Kind.PING, bytes(8)), frame(Kind.HELLO, b'{"carrel":2,"hello":{}}')]
)
async def test_a_peer_that_does_not_greet_properly_is_refused(first: bytes) -> None:
    async with raw_client(greet=False) as (raw, server):
        await raw.send(first)
        await server.wait_closed()
        assert isinstance(server.error, ProtocolError)
        assert server.error.hint


@pytest.mark.anyio
async def test_a_message_that_is_no_json_reaches_nobody() -> None:
    seen: list[CarrelError] = []

    async def handler(stream: Stream) -> None:
        try:
            await stream.receive()
        except CarrelError as error:
            seen.append(error)
            raise

    ours, theirs = memory_pair()
    with anyio.fail_after(5):
        async with Connection(theirs, initiator=False, handler=handler) as server:
            await ours.send(GREETING + OPEN + frame(Kind.DATA, b"{nonsense", 1, Lane.MESSAGE))
            await server.wait_closed()
            assert isinstance(server.error, ProtocolError)
    assert isinstance(seen[0], ProtocolError)
    await ours.aclose()


@pytest.mark.anyio
@pytest.mark.parametrize("cut", [1, 5, 9, 11])
async def test_a_frame_cut_short_is_a_protocol_error(cut: int) -> None:
    async with raw_client() as (raw, server):
        await raw.send((OPEN + OPEN)[: len(OPEN) + cut])
        await raw.send_eof()
        await server.wait_closed()
        assert isinstance(server.error, ProtocolError)
        assert "middle of a frame" in server.error.message


@pytest.mark.anyio
async def test_an_end_without_goodbye_is_a_lost_machine() -> None:
    async with raw_client() as (raw, server):
        await raw.send_eof()
        await server.wait_closed()
        assert isinstance(server.error, MachineLost)


@pytest.mark.anyio
async def test_the_reason_of_the_other_side_is_passed_on() -> None:
    async with raw_client() as (raw, server):
        wire = ProtocolError("you talk too much", hint="be brief").to_wire()
        await raw.send(frame(Kind.BYE, dump_json(wire)))
        await server.wait_closed()
        assert isinstance(server.error, ProtocolError)
        assert "you talk too much" in str(server.error)


@pytest.mark.anyio
async def test_frames_for_a_stream_that_is_over_are_ignored() -> None:
    async with raw_client() as (raw, server):
        reset = frame(Kind.RESET, dump_json({"code": "interrupted", "message": "bye"}), 1)
        late = frame(Kind.DATA, b"late", 1, Lane.DATA) + frame(Kind.CREDIT, (1).to_bytes(4), 1)
        await raw.send(OPEN + reset + late + reset + frame(Kind.END, b"", 1))
        await raw.send(frame(Kind.PING, b"12345678"))
        decoder, seen = Decoder(), []
        while not any(item.kind == Kind.PONG for item in seen):
            seen += list(decoder.feed(await raw.receive()))
        assert seen[-1].payload == b"12345678"
        assert not server.closed


@pytest.mark.anyio
async def test_a_peer_that_asks_without_reading_the_answers_is_cut_off() -> None:
    async with raw_client() as (raw, server):
        pings = frame(Kind.PING, bytes(8)) * 10_000

        async def flood() -> None:
            try:
                while True:
                    await raw.send(pings)
            except anyio.BrokenResourceError:
                return

        async with anyio.create_task_group() as group:
            group.start_soon(flood)
            await server.wait_closed()
            group.cancel_scope.cancel()
        assert isinstance(server.error, ProtocolError)
        assert "does not read" in server.error.message


@pytest.mark.anyio
async def test_a_silent_peer_is_pinged_then_given_up() -> None:
    start = time.monotonic()
    async with raw_client(keepalive=0.2) as (raw, server):
        stream = await server.open({})
        with pytest.raises(MachineLost, match="silent"):
            await stream.receive()
        assert 0.3 < time.monotonic() - start < 5
        await server.wait_closed()
        assert isinstance(server.error, MachineLost)
        kinds = [item.kind for item in await frames_until_closed(raw)]
        assert Kind.PING in kinds


@pytest.mark.anyio
async def test_a_peer_that_never_greets_is_given_up() -> None:
    async with raw_client(keepalive=0.1, greet=False) as (_, server):
        await server.wait_closed()
        assert isinstance(server.error, MachineLost)


@pytest.mark.anyio
async def test_a_peer_that_talks_but_never_reads_is_given_up() -> None:
    async with raw_client(keepalive=0.2) as (raw, server):
        await raw.send(OPEN)
        async with anyio.create_task_group() as group:

            async def chatter() -> None:
                while True:
                    await raw.send(frame(Kind.PONG, bytes(8)))
                    await anyio.sleep(0.02)

            async def push() -> None:
                streams = [await server.open({}) for _ in range(20)]
                async with anyio.create_task_group() as senders:
                    for stream in streams:
                        senders.start_soon(send_until_lost, stream)

            group.start_soon(chatter)
            group.start_soon(push)
            await server.wait_closed()
            group.cancel_scope.cancel()
        assert isinstance(server.error, MachineLost)


async def send_until_lost(stream: Stream) -> None:
    with pytest.raises(MachineLost):
        await stream.send(bytes(2 * WINDOW))


@pytest.mark.anyio
async def test_an_idle_but_living_peer_is_kept() -> None:
    ours, theirs = memory_pair()
    with anyio.fail_after(10):
        async with (
            Connection(ours, initiator=True, keepalive=0.25) as client,
            Connection(theirs, initiator=False, keepalive=0.25) as server,
        ):
            with anyio.move_on_after(1.2):
                await client.wait_closed()
            assert not client.closed
            assert not server.closed


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.one_of(
            st.binary(min_size=1, max_size=60),
            st.builds(
                frame,
                st.integers(1, 9),
                st.sampled_from([b"", b"{}", b"[]", b"1234", b"12345678", b"xxxx" * 9, HELLO]),
                st.integers(0, 6),
                st.sampled_from([0, 1, 2, 3, FINAL, FINAL | 1]),
            ),
            st.just(OPEN),
        ),
        max_size=12,
    ),
    st.booleans(),
)
def test_no_sequence_of_frames_hangs_or_crashes_a_connection(
    script: list[bytes], greet: bool
) -> None:
    async def main() -> None:
        async with raw_client(greet=greet) as (raw, server):
            for item in script:
                try:
                    await raw.send(item)
                except anyio.BrokenResourceError:
                    break
            if not server.closed:
                try:
                    await raw.send_eof()
                except OSError:
                    assert server.closed
            await server.wait_closed()
            assert server.error is None or isinstance(server.error, ProtocolError | MachineLost)

    anyio.run(main)


CHILD = """
import sys, socket, anyio
from carrel.stream import Connection, socket_stream

async def handler(stream):
    await stream.send_message({"started": True})
    if stream.header.get("op") == "flood":
        while True:
            await stream.send(bytes(1 << 18))
    await anyio.sleep_forever()

async def main():
    transport = socket_stream(socket.socket(fileno=int(sys.argv[1])))
    print("ready", flush=True)
    async with Connection(transport, initiator=False, handler=handler) as connection:
        await connection.wait_closed()

anyio.run(main)
"""


@asynccontextmanager
async def child_process() -> AsyncIterator[tuple[subprocess.Popen[bytes], FdStream]]:
    ours, theirs = socket.socketpair()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdout=subprocess.PIPE,
    )
    theirs.close()
    try:
        assert child.stdout is not None
        assert await anyio.to_thread.run_sync(child.stdout.readline) == b"ready\n"
        child.stdout.close()
        yield child, socket_stream(ours)
    finally:
        child.kill()
        child.wait()


async def drink(stream: Stream) -> None:
    while await stream.receive() is not None:
        pass


@pytest.mark.anyio
@pytest.mark.parametrize("op", ["wait", "flood"])
async def test_every_pending_call_on_a_killed_machine_raises_machine_lost(op: str) -> None:
    lost = 0
    with anyio.fail_after(20):
        async with (
            child_process() as (child, transport),
            Connection(transport, initiator=True) as client,
        ):
            async with anyio.create_task_group() as group:
                started = anyio.Semaphore(0)

                async def pending() -> None:
                    nonlocal lost
                    stream = await client.open({"op": op})
                    assert await stream.receive_message() == {"started": True}
                    started.release()
                    with pytest.raises(MachineLost):
                        await drink(stream)
                    lost += 1

                async def sending() -> None:
                    nonlocal lost
                    stream = await client.open({"op": "wait"})
                    await stream.receive_message()
                    started.release()
                    with pytest.raises(MachineLost):
                        await stream.send(bytes(3 * WINDOW))
                    lost += 1

                for _ in range(20):
                    group.start_soon(pending)
                    group.start_soon(sending)
                for _ in range(40):
                    await started.acquire()
                os.kill(child.pid, signal.SIGKILL)
            assert lost == 40
            assert client.error is not None
            with pytest.raises(MachineLost):
                await call(client, "info")


@pytest.mark.anyio
async def test_a_stopped_machine_is_noticed() -> None:
    with anyio.fail_after(20):
        async with (
            child_process() as (child, transport),
            Connection(transport, initiator=True, keepalive=0.5) as client,
        ):
            stream = await client.open({"op": "wait"})
            await stream.receive_message()
            os.kill(child.pid, signal.SIGSTOP)
            with pytest.raises(MachineLost, match="silent"):
                await stream.receive()
