"""How near the stream comes to a bare socket, and how HTTP/2 (`h2`) would do in its place.

Run `python benchmarks/stream.py`; under 30 seconds. Every side that answers is a process of its
own; ours and h2 use the very same transport, read size, chunk size and windows. Rounds of all
contestants alternate and the best round of each counts, so that noisy neighbours weigh little.
The processor time of both sides together is printed too: it says most when others want the cores.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import h2.config
import h2.connection
import h2.events
import h2.settings

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

CHUNK = 256 << 10
READ = 256 << 10
QUESTION = {"op": "act", "id": "req_01k3", "args": {"action": {"type": "click", "x": 1, "y": 2}}}
ANSWER = {"result": {"ok": True, "effect": "confirmed", "x": 1, "y": 2}}


@dataclass(frozen=True)
class Sizes:
    rounds: int
    trips: int
    chunks: int


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


@dataclass
class Contestant:
    name: str
    trip: Callable[[], Awaitable[None]]
    get: Callable[[int], Awaitable[int]]
    child: int
    trips: list[float] = field(default_factory=list)
    trip_cpu: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    chunk_cpu: list[float] = field(default_factory=list)

    def cpu(self) -> float:
        """Processor seconds of the two processes so far."""
        theirs = Path(f"/proc/{self.child}/schedstat").read_text().split()[0]
        return time.process_time() + int(theirs) / 1e9


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
        [sys.executable, __file__, "--serve", kind, *map(str, theirs)], pass_fds=set(theirs)
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


async def measure_round(contestant: Contestant, sizes: Sizes) -> None:
    for _ in range(50):
        await contestant.trip()
    times = []
    cpu = contestant.cpu()
    for _ in range(sizes.trips):
        start = time.perf_counter()
        await contestant.trip()
        times.append(time.perf_counter() - start)
    contestant.trip_cpu.append((contestant.cpu() - cpu) / sizes.trips)
    contestant.trips.append(statistics.median(times))
    cpu, start = contestant.cpu(), time.perf_counter()
    got = await contestant.get(sizes.chunks)
    contestant.rates.append(got / (time.perf_counter() - start))
    contestant.chunk_cpu.append((contestant.cpu() - cpu) / sizes.chunks)
    assert got == sizes.chunks * CHUNK


async def run(sizes: Sizes) -> list[Contestant]:
    kinds = ["bare socket", "ours socket", "h2 socket", "bare pipe", "ours pipe", "h2 pipe"]
    children: list[subprocess.Popen[bytes]] = []
    contestants: list[Contestant] = []
    try:
        async with anyio.create_task_group() as group:
            for kind in kinds:
                child, reader, writer = start_server(kind)
                children.append(child)
                side: Bare | Ours | H2
                if kind.startswith("bare"):
                    side = Bare(reader, writer)
                elif kind.startswith("h2"):
                    side = H2(transport_of(kind, reader, writer), client=True)
                else:
                    transport = transport_of(kind, reader, writer)
                    side = Ours(await group.start(keep_open, transport))
                contestants.append(Contestant(kind, side.trip, side.get, child.pid))
            enough = time.monotonic() + 20
            with anyio.fail_after(60):
                for _ in range(sizes.rounds):
                    if time.monotonic() > enough:
                        break
                    for contestant in contestants:
                        await measure_round(contestant, sizes)
            group.cancel_scope.cancel()
    finally:
        for child in children:
            child.kill()
            child.wait()
    return contestants


async def keep_open(
    transport: FdStream,
    *,
    task_status: anyio.abc.TaskStatus[Connection] = anyio.TASK_STATUS_IGNORED,
) -> None:
    async with Connection(transport, initiator=True) as connection:
        await connection.ready()
        task_status.started(connection)
        await connection.wait_closed()


def report(contestants: list[Contestant]) -> list[dict[str, object]]:
    limits = {c.name.split()[1]: c for c in contestants if c.name.startswith("bare")}
    rows: list[dict[str, object]] = []
    for contestant in contestants:
        limit = limits[contestant.name.split()[1]]
        trip, rate = min(contestant.trips), max(contestant.rates)
        rows.append(
            {
                "name": contestant.name,
                "trip_us": round(trip * 1e6, 1),
                "trip_ratio": round(trip / min(limit.trips), 2),
                "mb_per_s": round(rate / 1e6),
                "rate_share": round(rate / max(limit.rates), 2),
                "trip_cpu_us": round(min(contestant.trip_cpu) * 1e6),
                "chunk_cpu_us": round(min(contestant.chunk_cpu) * 1e6),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--serve", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if options.serve:
        kind, reader, writer = options.serve
        serve(kind, int(reader), int(writer))
        return
    sizes = Sizes(1, 200, 64) if options.quick else Sizes(12, 400, 400)
    rows = report(anyio.run(run, sizes))
    if options.json:
        print(json.dumps(rows))
        return
    print("best of the rounds; a trip is the median within its round")
    print(
        f"{'':12} {'round trip p50':>14} {'× bare':>7} {'processor':>10}"
        f" {'256 KiB chunks':>16} {'of bare':>8} {'processor':>10}"
    )
    for row in rows:
        print(
            f"{row['name']:12} {row['trip_us']:>11} µs {row['trip_ratio']:>7}"
            f" {row['trip_cpu_us']:>7} µs {row['mb_per_s']:>11} MB/s {row['rate_share']:>8.0%}"
            f" {row['chunk_cpu_us']:>7} µs"
        )


if __name__ == "__main__":
    main()
