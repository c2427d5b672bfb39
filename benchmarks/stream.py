"""The stream against bare sockets and pipes, and what HTTP/2 (`h2`) would do in its place.

Every side that answers is a process of its own; ours and h2 use the very same transport, read
size, chunk size and windows. Rounds of all contestants alternate.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import anyio.abc
import h2.config
import h2.connection
import h2.events
import h2.settings
from anyio.abc import TaskGroup

from benchmarks.desks import Bench
from benchmarks.report import PATIENCE, Row
from carrel.stream import (
    WINDOW,
    Connection,
    FdStream,
    Stream,
    call,
    pipe_stream,
    request,
    socket_stream,
)

__all__ = ["measure"]

CHUNK = 256 << 10
READ = 256 << 10
QUESTION = {"op": "act", "id": "req_01k3", "args": {"action": {"type": "click", "x": 1, "y": 2}}}
ANSWER = {"result": {"ok": True, "effect": "confirmed", "x": 1, "y": 2}}


# Bare descriptors: the physical limit.


def serve_bare(reader: int, writer: int) -> None:
    """Answer each question; `b"get N"` asks for N chunks."""
    answer = json.dumps(ANSWER).encode()
    chunk = bytes(CHUNK)
    while data := os.read(reader, READ):
        if not data.startswith(b"get "):
            os.write(writer, answer)
            continue
        for _ in range(int(data[4:])):
            view = memoryview(chunk)
            while view:
                view = view[os.write(writer, view) :]


class Bare:
    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer

    async def trip(self) -> None:
        os.write(self._writer, json.dumps(QUESTION).encode())
        json.loads(os.read(self._reader, READ))

    async def get(self, chunks: int) -> int:
        os.write(self._writer, b"get %d" % chunks)
        left = chunks * CHUNK
        while left:
            left -= len(os.read(self._reader, READ))
        return chunks * CHUNK


# Ours.


async def serve_ours(transport: FdStream) -> None:
    chunk = bytes(CHUNK)

    async def handle(stream: Stream) -> None:
        if stream.header["op"] != "get":
            await stream.send_message(ANSWER, end=True)
            return
        count = stream.header["args"]["chunks"]  # type: ignore[index, call-overload]
        for _ in range(count):  # type: ignore[arg-type]
            await stream.send(chunk)

    async with Connection(transport, initiator=False, handler=handle) as connection:
        await connection.wait_closed()


class Ours:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def trip(self) -> None:
        await call(self._connection, "act", QUESTION["args"])  # type: ignore[arg-type]

    async def get(self, chunks: int) -> int:
        got = 0
        async with await request(self._connection, "get", {"chunks": chunks}, end=True) as stream:
            async for piece in stream.body():
                got += len(piece)
        return got


# HTTP/2, written for this one conversation: no task per stream, no dispatch.

H2_HEADERS = [(":method", "POST"), (":scheme", "http"), (":authority", "m"), (":path", "/act")]


def h2_connection(client: bool) -> h2.connection.H2Connection:
    config = h2.config.H2Configuration(
        client_side=client,
        header_encoding="utf-8",
        validate_inbound_headers=False,
        validate_outbound_headers=False,
        normalize_outbound_headers=False,
        normalize_inbound_headers=False,
    )
    connection = h2.connection.H2Connection(config)
    connection.local_settings = h2.settings.Settings(
        client=client,
        initial_values={
            h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: WINDOW,
            h2.settings.SettingCodes.MAX_FRAME_SIZE: CHUNK,
        },
    )
    connection.max_inbound_frame_size = CHUNK
    connection.initiate_connection()
    connection.increment_flow_control_window(1 << 30)
    return connection


class H2Side:
    def __init__(self, transport: FdStream, client: bool) -> None:
        self.transport = transport
        self.connection = h2_connection(client)

    async def flush(self) -> None:
        if data := self.connection.data_to_send():
            await self.transport.send(data)

    async def events(self) -> list[h2.events.Event]:
        await self.flush()
        return self.connection.receive_data(await self.transport.receive(READ))

    def take(self, event: h2.events.DataReceived, pending: int) -> int:
        """Count what was read; give credit back in halves of a window, as ours does."""
        pending += event.flow_controlled_length
        if pending >= WINDOW // 2 and event.stream_ended is None:
            self.connection.acknowledge_received_data(pending, event.stream_id)
            return 0
        return pending


class H2Server(H2Side):
    async def run(self) -> None:
        bodies: dict[int, bytes] = {}
        while True:
            for event in await self.events():
                if isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] = bodies.get(event.stream_id, b"") + event.data
                elif isinstance(event, h2.events.StreamEnded):
                    await self.answer(event.stream_id, json.loads(bodies.pop(event.stream_id)))
                elif isinstance(event, h2.events.RemoteSettingsChanged):
                    await self.flush()

    async def answer(self, stream: int, question: dict[str, int]) -> None:
        self.connection.send_headers(stream, [(":status", "200")])
        if question["op"] != "get":
            self.connection.send_data(stream, json.dumps(ANSWER).encode(), end_stream=True)
            await self.flush()
            return
        chunk = memoryview(bytes(CHUNK))
        for _ in range(question["chunks"]):
            start = 0
            while start < CHUNK:
                room = min(self.connection.local_flow_control_window(stream), CHUNK - start)
                if room <= 0:
                    await self.events()
                    continue
                self.connection.send_data(stream, chunk[start : start + room])
                start += room
                await self.flush()
        self.connection.end_stream(stream)
        await self.flush()


class H2(H2Side):
    async def ask(self, question: dict[str, object]) -> tuple[int, list[bytes]]:
        stream = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, H2_HEADERS)
        self.connection.send_data(stream, json.dumps(question).encode(), end_stream=True)
        got = pending = 0
        pieces: list[bytes] = []
        while True:
            for event in await self.events():
                if isinstance(event, h2.events.DataReceived):
                    got += len(event.data)
                    pending = self.take(event, pending)
                    pieces = [event.data]
                elif isinstance(event, h2.events.StreamEnded):
                    return got, pieces

    async def trip(self) -> None:
        _, pieces = await self.ask(QUESTION)
        json.loads(pieces[0])

    async def get(self, chunks: int) -> int:
        got, _ = await self.ask({"op": "get", "chunks": chunks})
        return got


# The run.

KINDS = ("bare socket", "ours socket", "h2 socket", "bare pipe", "ours pipe", "h2 pipe")


@dataclass
class Contestant:
    name: str
    trip: Callable[[], Awaitable[None]]
    get: Callable[[int], Awaitable[int]]
    trips: list[float] = field(default_factory=list)
    chunks: list[float] = field(default_factory=list)

    async def take_turn(self, trips: int, chunks: int) -> None:
        for _ in range(20):
            await self.trip()
        for _ in range(trips):
            started = time.perf_counter()
            await self.trip()
            self.trips.append((time.perf_counter() - started) * 1e6)
        started = time.perf_counter()
        got = await self.get(chunks)
        self.chunks.append((time.perf_counter() - started) * 1e6 / chunks)
        assert got == chunks * CHUNK


def start_server(kind: str) -> tuple[subprocess.Popen[bytes], int, int]:
    """A process that answers, and our reading and writing descriptors towards it."""
    if kind.endswith("pipe"):
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        theirs = (theirs_in, theirs_out)
        for fd in (ours_in, ours_out):
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 1 << 20)
    else:
        left, right = socket.socketpair()
        ours_in = ours_out = left.detach()
        theirs = (fd := right.detach(), fd)
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.stream", kind, *map(str, theirs)], pass_fds=set(theirs)
    )
    for fd in set(theirs):
        os.close(fd)
    return child, ours_in, ours_out


def transport_of(kind: str, reader: int, writer: int) -> FdStream:
    if kind.endswith("pipe"):
        return pipe_stream(reader, writer)
    return socket_stream(socket.socket(fileno=reader))


def serve(kind: str, reader: int, writer: int) -> None:
    if kind.startswith("bare"):
        serve_bare(reader, writer)
    elif kind.startswith("ours"):
        anyio.run(serve_ours, transport_of(kind, reader, writer))
    else:
        try:
            anyio.run(H2Server(transport_of(kind, reader, writer), client=False).run)
        except anyio.EndOfStream:
            return


async def keep_open(
    transport: FdStream,
    *,
    task_status: anyio.abc.TaskStatus[Connection] = anyio.TASK_STATUS_IGNORED,
) -> None:
    async with Connection(transport, initiator=True) as connection:
        await connection.ready()
        task_status.started(connection)
        await connection.wait_closed()


async def contestant(kind: str, reader: int, writer: int, group: TaskGroup) -> Contestant:
    side: Bare | Ours | H2
    if kind.startswith("bare"):
        side = Bare(reader, writer)
    elif kind.startswith("h2"):
        side = H2(transport_of(kind, reader, writer), client=True)
    else:
        side = Ours(await group.start(keep_open, transport_of(kind, reader, writer)))
    return Contestant(kind, side.trip, side.get)


async def run(rounds: int, trips: int, chunks: int) -> dict[str, Contestant]:
    children: list[subprocess.Popen[bytes]] = []
    found: dict[str, Contestant] = {}
    try:
        async with anyio.create_task_group() as group:
            for kind in KINDS:
                child, reader, writer = start_server(kind)
                children.append(child)
                found[kind] = await contestant(kind, reader, writer, group)
            enough = time.monotonic() + PATIENCE * 3
            with anyio.fail_after(60):
                for turn in range(rounds):
                    if turn and time.monotonic() > enough:
                        break
                    for each in found.values():
                        await each.take_turn(trips, chunks)
            group.cancel_scope.cancel()
    finally:
        for child in children:
            child.kill()
            child.wait()
    return found


async def measure(bench: Bench) -> list[Row]:
    rounds = bench.rounds(6, 2)
    found = await run(rounds, bench.rounds(300, 100), bench.rounds(300, 60))
    rows = []
    for kind in ("socket", "pipe"):
        bare = found[f"bare {kind}"]
        for name in ("ours", "h2"):
            each = found[f"{name} {kind}"]
            row = Row("stream", f"{name}, round trip, {kind}", "µs", each.trips, bare.trips)
            rows.append(row)
        for name in ("ours", "h2"):
            each = found[f"{name} {kind}"]
            row = Row("stream", f"{name}, 256 KiB chunk, {kind}", "µs", each.chunks, bare.chunks)
            row.note = f"{CHUNK / row.p50 / 1000:.2f} GB/s"
            rows.append(row)
    return rows


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
