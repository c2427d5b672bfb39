"""What one `carrel do click` costs as a command, against a bare Python."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from anyio import to_thread

from benchmarks.desks import Bench, machine
from benchmarks.report import Row
from carrel.machines.spec import MachineSpec

__all__ = ["measure"]

CLICK = ("-m", "carrel", "do", "-m", "command", "click", "300", "200")


async def measure(bench: Bench) -> list[Row]:
    walls: tuple[list[float], list[float]] = ([], [])
    processors: tuple[list[float], list[float]] = ([], [])
    # The command finds its image beside its machines: it takes this system's own, which has one.
    spec = MachineSpec(provider="namespace", image="host")
    async with machine(bench, "command", spec):
        await to_thread.run_sync(_run, bench, CLICK)
        for _ in range(bench.rounds(10, 4)):
            for index, command in enumerate((("-c", "pass"), CLICK)):
                wall, processor = await to_thread.run_sync(_run, bench, command)
                walls[index].append(wall)
                processors[index].append(processor)
    return [
        Row("command", "carrel do click, against a bare Python", "ms", walls[1], walls[0]),
        Row("command", "the same, processor time", "ms", processors[1], processors[0]),
    ]


def _run(bench: Bench, command: tuple[str, ...]) -> tuple[float, float]:
    env = {**os.environ, "CARREL_HOME": str(bench.store.home)}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"benchmarks: {' '.join(command)} ended with {process.returncode}")
    return elapsed * 1000, (usage.ru_utime + usage.ru_stime) * 1000
