"""What an idle desk weighs, and what a guest costs from its start to its first answer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio

from benchmarks.desks import Bench, machine
from benchmarks.report import Row, Target, limit
from benchmarks.start import SERVER, SIZE, by_hand
from carrel.computer import Computer
from carrel.machines.bundle import guest_bundle
from carrel.machines.keep import Keep
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import MachineSpec
from carrel.stream import connect_unix

__all__ = ["measure", "weight"]

BY_HAND_MB = 83
"""A desk of the same kind, in namespaces by hand, as it was measured elsewhere."""


async def measure(bench: Bench) -> list[Row]:
    return [*await _idle(bench), *await _cold_start(bench)]


def _kilobytes(path: str, field: str) -> int:
    for line in Path(path).read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise SystemExit(f"benchmarks: {path} has no {field}")


def _megabytes(pid: int, field: str) -> float:
    return _kilobytes(f"/proc/{pid}/smaps_rollup", field) / 1024


def _label(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    for word in words:
        if "carrel.guest" in word:
            return "guest"
        if word.startswith("carrel."):
            return word.removeprefix("carrel.")
    return Path(words[0].split()[0]).name


def _processes(directory: Path) -> list[int]:
    record = Keep(directory).read_record()
    assert record is not None
    return [record.pid, *descendants(record.pid)]


def weight(directory: Path) -> dict[str, float]:
    """Megabytes (PSS) of every program of a machine, with its keeper."""
    parts: dict[str, float] = {}
    for pid in _processes(directory):
        parts[_label(pid)] = parts.get(_label(pid), 0.0) + _megabytes(pid, "Pss:")
    return parts


async def _idle(bench: Bench) -> list[Row]:
    spec = MachineSpec(provider="namespace", image="desktop", size=SIZE)
    async with machine(bench, "idle", spec) as made:
        async with bench.machines.computer("idle") as computer:
            await computer.wait_stable(0.5, 20)
        parts = weight(made.directory)
        guests = (pid for pid in _processes(made.directory) if _label(pid) == "guest")
        resident = _megabytes(next(guests), "Rss:")
    own = {"machines.keeper", "machines.sandbox.launch", "guest"}
    desktop = [sum(value for name, value in parts.items() if name not in own)]
    total = [sum(parts.values())]
    target = limit(round(1.3 * BY_HAND_MB), "MB")
    rows = [
        Row("memory", "idle desk, PSS, against its desktop alone", "MB", total, desktop, target),
        Row("memory", "guest in an idle desk, RSS", "MB", [resident], (), limit(40, "MB")),
    ]
    ordered = sorted(parts.items(), key=lambda part: -part[1])
    return rows + [Row("memory", f"  of it {name}", "MB", [value]) for name, value in ordered]


async def _cold_start(bench: Bench) -> list[Row]:
    """A guest for a display that is there, from its start to the answer to an action."""
    starts: list[float] = []
    sizes: list[float] = []
    bare_starts: list[float] = []
    bare_sizes: list[float] = []
    bundle = guest_bundle()
    with by_hand(list(SERVER)) as (display, _):
        for _ in range(bench.rounds(5, 3)):
            milliseconds, megabytes = await _start_guest(display, bundle)
            starts.append(milliseconds)
            sizes.append(megabytes)
            milliseconds, megabytes = _start_python()
            bare_starts.append(milliseconds)
            bare_sizes.append(megabytes)
    target = Target("p50 ≤ 300 ms", 300, "p50")
    weight = limit(40, "MB")
    name = "guest, cold start to first action, against a bare Python"
    return [
        Row("guest", name, "ms", starts, bare_starts, target),
        Row("guest", "RSS after it, against a bare Python", "MB", sizes, bare_sizes, weight),
    ]


async def _start_guest(display: str, bundle: Path) -> tuple[float, float]:
    with (
        tempfile.TemporaryDirectory(prefix="carrel-bench-") as home,
        socket.socket(socket.AF_UNIX) as listener,
    ):
        path = f"{home}/guest.sock"
        listener.bind(path)
        listener.listen(8)
        number = listener.fileno()
        command = [sys.executable, "-S", "-m", "carrel.guest", "--listen-fd", str(number)]
        env = {**os.environ, "PYTHONPATH": str(bundle), "HOME": home}
        # The bundle brings its own bytecode.
        del env["PYTHONPYCACHEPREFIX"]
        started = time.perf_counter()
        guest = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs meanwhile
            [*command, "--display", display, "--home", home],
            pass_fds=[number],
            env=env,
            stderr=subprocess.DEVNULL,
        )
        try:
            with anyio.fail_after(30):
                async with Computer(lambda: connect_unix(path)) as computer:
                    await computer.cursor()
                    elapsed = (time.perf_counter() - started) * 1000
                    resident = _megabytes(guest.pid, "Rss:")
                    await computer.shutdown()
        finally:
            guest.terminate()
            guest.wait(20)
        return elapsed, resident


def _start_python() -> tuple[float, float]:
    started = time.perf_counter()
    command = [sys.executable, "-S", "-c", "print(flush=True); input()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    elapsed = (time.perf_counter() - started) * 1000
    resident = _megabytes(process.pid, "Rss:")
    process.communicate(b"\n")
    return elapsed, resident
