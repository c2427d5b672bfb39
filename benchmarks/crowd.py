"""Many clients at once, each a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from anyio import to_thread

from benchmarks.desks import SMALL, BareClient, Bench, Desk
from benchmarks.report import PATIENCE, Row, alternate, limit, ratio
from carrel.computer import Computer
from carrel.stream import connect_unix

__all__ = ["measure"]

CLIENTS = 16
BUSY = 3
# Text that scrolls by in a terminal, some two hundred lines a second.
TICKER = "import time\nwhile True: print(time.time_ns(), '·' * 60, flush=True); time.sleep(0.005)"


async def measure(bench: Bench) -> list[Row]:
    subject = bench.desks[SMALL]
    rows = [await _ask_together(bench, subject, "still screen", "cached png")]
    ticker = ("xterm", "-geometry", "80x20+300+300", "-e", "python3", "-c", TICKER)
    process = await subject.computer.start_process(*ticker)
    rows.append(await _ask_together(bench, subject, "moving screen", "shot png"))
    await subject.computer.kill_process(process)
    rows += [await _move_meanwhile(bench, each, str(size)) for size, each in bench.desks.items()]
    return rows


async def _ask_together(bench: Bench, subject: Desk, name: str, line: str) -> Row:
    """Every client asks again as soon as it has its answer."""
    ours: list[float] = []
    floor: list[float] = []
    requests = bench.rounds(20, 5)
    enough = time.monotonic() + PATIENCE
    for turn in range(bench.rounds(3, 1)):
        if turn and time.monotonic() > enough:
            break
        floor += await to_thread.run_sync(together, str(subject.floor_socket), requests, line)
        ours += await to_thread.run_sync(together, str(subject.socket), requests, "")
    what = f"screenshots of {CLIENTS} clients, {name}"
    return Row("crowd", what, "ms", ours, floor, ratio(1.5))


def together(path: str, requests: int, line: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.crowd", path, str(CLIENTS), str(requests), line],
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    return list(json.loads(done.stdout))


async def _move_meanwhile(bench: Bench, subject: Desk, name: str) -> Row:
    """A mouse move while others take screenshots of a changing screen as fast as they can."""
    turn = 0

    async def move() -> None:
        nonlocal turn
        turn += 1
        await subject.computer.move(200 + turn % 100, 300 + turn % 50)

    rounds = bench.rounds(200, 30)
    bare = subject.floor.work("move 200 300")
    with busy(str(subject.socket)):
        # Changed before each, so that every screenshot meanwhile has to be made anew.
        floor, ours = await alternate(rounds, [bare, move], before=subject.floor.work("paint"))
    what = f"mouse move while {BUSY} clients take screenshots, {name}"
    return Row("crowd", what, "ms", ours, floor, limit(5, "ms", "p95"))


@contextmanager
def busy(path: str) -> Iterator[None]:
    """Clients that take screenshots without a pause until the block ends."""
    command = [sys.executable, "-m", "benchmarks.crowd", path, str(BUSY), "0", ""]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        if process.stdout.readline() != b"started\n":
            raise SystemExit("benchmarks: the busy clients did not start")
        yield
    finally:
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


# The process of the clients.


def ask_bare(path: str, requests: int, line: str) -> list[float]:
    client = BareClient(Path(path))
    times = []
    for _ in range(requests):
        started = time.perf_counter()
        client.ask(line)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def ask_ours(path: str, requests: int) -> list[float]:
    times = []
    async with Computer(lambda: connect_unix(path)) as computer:
        for _ in range(requests):
            started = time.perf_counter()
            await computer.screenshot()
            times.append((time.perf_counter() - started) * 1000)
    return times


async def keep_asking(path: str) -> None:
    async with Computer(lambda: connect_unix(path)) as computer:
        while True:
            await computer.screenshot()


def client(path: str, requests: int, line: str, results: int) -> None:
    if line:
        times = ask_bare(path, requests, line)
    elif requests:
        times = anyio.run(ask_ours, path, requests)
    else:
        anyio.run(keep_asking, path)
        return
    with os.fdopen(results, "w") as file:
        json.dump(times, file)


def start_client(path: str, requests: int, line: str) -> tuple[int, int]:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        client(path, requests, line, writer)
        os._exit(0)
    os.close(writer)
    return child, reader


def main() -> None:
    path, count, requests, line = sys.argv[1:]
    children = [start_client(path, int(requests), line) for _ in range(int(count))]
    if not int(requests):
        print("started", flush=True)
        sys.stdin.read()
        for child, _ in children:
            os.kill(child, 9)
    times: list[float] = []
    failed = 0
    for child, reader in children:
        with os.fdopen(reader) as file:
            text = file.read()
        failed += os.waitpid(child, 0)[1] != 0
        times += json.loads(text) if text else []
    if int(requests):
        print(json.dumps(times))
        sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
