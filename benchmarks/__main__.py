"""One command for every figure; see docs/benchmarks.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import anyio

from benchmarks import (
    agent,
    command,
    crowd,
    engines,
    growth,
    memory,
    perception,
    pool,
    screen,
    start,
    stream,
    touch,
)
from benchmarks.desks import LARGE, SMALL, Bench, bench, desk
from benchmarks.report import Row, table

SECTIONS: dict[str, Callable[[Bench], Awaitable[list[Row]]]] = {
    "screenshot": screen.measure,
    "input": touch.measure,
    "stream": stream.measure,
    "start": start.measure,
    "memory": memory.measure,
    "crowd": crowd.measure,
    "command": command.measure,
    "engines": engines.measure,
    "growth": growth.measure,
    "perception": perception.measure,
    "pool": pool.measure,
    "agent": agent.measure,
}
LONG = {
    "agent": 1200.0,
    "engines": 1500.0,
    "growth": 600.0,
    "input": 900.0,
    "perception": 600.0,
    "screenshot": 900.0,
}
"""Seconds for a part that takes more than two minutes; the first run installs what others made."""
ON_A_DESK = {"screenshot", "input", "crowd"}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Carrel's figures beside the physical limit, measured in turns.",
    )
    parser.add_argument("--quick", action="store_true", help="few rounds: a look, not a figure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows there")
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, metavar="NAME", help=", ".join(SECTIONS)
    )
    return parser.parse_args()


def surroundings() -> dict[str, object]:
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


async def measure(quick: bool, names: list[str]) -> list[Row]:
    found: dict[str, list[Row]] = {}

    async def take(name: str) -> None:
        started = time.monotonic()
        with anyio.fail_after(LONG.get(name, 120)):
            found[name] = await SECTIONS[name](run)
        took, load = time.monotonic() - started, os.getloadavg()[0]
        print(f"{name}: {took:.1f} s, load {load:.1f}", file=sys.stderr, flush=True)

    with bench(quick) as run:
        # First what must be alone: another desk would share, and so halve, its memory.
        for name in [name for name in names if name not in ON_A_DESK]:
            await take(name)
        async with AsyncExitStack() as stack:
            for size in (SMALL, LARGE) if ON_A_DESK & set(names) else ():
                run.desks[size] = await stack.enter_async_context(desk(run, size))
            for name in [name for name in names if name in ON_A_DESK]:
                await take(name)
    return [row for name in names for row in found[name]]


def main() -> None:
    chosen = options()
    names = [name for name in SECTIONS if not chosen.only or name in chosen.only]
    before = surroundings()
    rows = anyio.run(measure, chosen.quick, names)
    print(table(rows))
    load = f"load {before['load']} before, {surroundings()['load']} after"
    print(f"\n{before['system']}, Python {before['python']}, {before['cores']} cores; {load}")
    missed = [f"{row.section}: {row.name}" for row in rows if row.met is False]
    print("targets missed: " + ("; ".join(missed) if missed else "none"))
    if chosen.json:
        facts = {"before": before, "after": surroundings(), "quick": chosen.quick}
        text = json.dumps({**facts, "rows": [row.as_json() for row in rows]}, indent=1)
        chosen.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
