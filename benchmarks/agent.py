"""The agent loop against a scripted provider, beside cua-agent and a bare loop."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from anyio import to_thread

from benchmarks._agent_contest import Arena, Ran, arena
from benchmarks._agent_install import RIVAL, weigh_ours, weigh_theirs
from benchmarks._rivals import environment, rival_environment, rival_python
from benchmarks.desks import Bench
from benchmarks.report import Row, Target, limit, percentile

__all__ = ["measure"]

WIRES = {"responses": "OpenAI", "messages": "Anthropic"}
STEPS = (10, 50, 200, 500)
MEMORY = "print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1])"


async def measure(bench: Bench) -> list[Row]:
    return await to_thread.run_sync(_measure, bench)


def _measure(bench: Bench) -> list[Row]:
    rival, why = rival_python(RIVAL)
    rows = [*_imports(bench, rival), *_weights(rival)]
    last = 50 if bench.quick else STEPS[-1]
    with arena(bench.store.home, last + 5, rival) as place:
        for wire in WIRES:
            rows += _steps(bench, place, wire, last)
        rows += _whole_runs(bench, place)
        rows += _disk(place, min(200, last))
    if rival is None:
        rows[0].note = f"cua-agent could not be installed: {why}"
    return rows


# Import and installation


def _imports(bench: Bench, rival: Path | None) -> Iterator[Row]:
    contestants = {
        "bare": ([sys.executable, "-c", MEMORY], environment()),
        "ours": ([sys.executable, "-c", f"from carrel import Agent; Agent; {MEMORY}"], None),
    }
    if rival is not None:
        code = f"import cua_agent; {MEMORY}"
        contestants["theirs"] = ([str(rival), "-c", code], rival_environment())
    processor: dict[str, list[float]] = {name: [] for name in contestants}
    memory: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(-1, bench.rounds(7, 2)):
        for name, (command, env) in contestants.items():
            milliseconds, megabytes = _start(command, env or environment())
            # The first is not counted: it may find no bytecode.
            if turn >= 0:
                processor[name].append(milliseconds)
                memory[name].append(megabytes)
    whose = {"ours": "ours, `from carrel import Agent`", "theirs": "cua-agent"}
    for name, what in whose.items():
        if name in contestants:
            mine = name == "ours"
            yield Row(
                *("agent", f"import, processor time: {what}", "ms"),
                *(processor[name], processor["bare"], limit(150, "ms") if mine else None),
            )
            yield Row(
                *("agent", f"import, RSS: {what}", "MB"),
                *(memory[name], memory["bare"], limit(45, "MB") if mine else None),
            )


def _start(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    said = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"benchmarks: {' '.join(command)} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000, int(said.split()[-1]) / 1024


def _weights(rival: Path | None) -> Iterator[Row]:
    weights = {
        "ours, base": weigh_ours(),
        "ours, with OpenAI's and Anthropic's SDK": weigh_ours("openai", "anthropic"),
    }
    if rival is not None:
        weights["cua-agent"] = weigh_theirs(rival)
    for name, (count, megabytes) in weights.items():
        base = name == "ours, base"
        yield Row(
            *("agent", f"distributions: {name}", "", [count], ()), limit(40, "") if base else None
        )
        yield Row(
            *("agent", f"installed: {name}", "MB", [megabytes], ()),
            limit(70, "MB") if base else None,
        )


# Steps


def _steps(bench: Bench, place: Arena, wire: str, last: int) -> Iterator[Row]:
    """Rounds in turns; only in the first is cua-agent led further than fifty steps."""
    ours: list[Ran] = []
    floor: list[Ran] = []
    plain: list[Ran] = []
    saving: list[Ran] = []
    for turn in range(bench.rounds(3, 1)):
        ours.append(place.ours(wire, last + 2))
        floor.append(place.floor(wire, min(120, last)))
        if place.rival is not None:
            goal, seconds = (last + 2, bench.rounds(40, 10)) if turn == 0 else (52, 15)
            plain.append(place.theirs(wire, goal, save=False, seconds=seconds))
            saving.append(place.theirs(wire, goal, save=True, seconds=seconds))
    bare = [value for ran in floor for value in ran.walls]
    name = WIRES[wire]
    steps = [step for step in STEPS if step <= last]
    whose = {"ours": ours, "cua-agent": plain, "cua-agent with trajectory": saving}
    for who, runs in whose.items():
        target = limit(8, "ms") if who == "ours" else None
        for step in steps:
            walls = [value for ran in runs for value in ran.at(step)]
            if walls:
                yield Row("agent", f"step {step}, {name}: {who}", "ms", walls, bare, target)
        middle = min(200, last)
        processor = [value for ran in runs for value in ran.processor_at(middle)]
        if processor:
            bare_processor = [value for ran in floor for value in ran.processor]
            what = f"step {middle}, {name}, processor time: {who}"
            yield Row("agent", what, "ms", processor, bare_processor)
    yield _growth(ours, name, last)


def _growth(runs: list[Ran], name: str, last: int) -> Row:
    early = [value for ran in runs for value in ran.at(STEPS[0])]
    late = [value for ran in runs for value in ran.at(last)]
    grown = [percentile(late, 0.5) / percentile(early, 0.5)]
    target = Target("≤ 1.2", 1.2, "p50")
    return Row(
        "agent", f"step {last} against step {STEPS[0]}, {name}: ours", "×", grown, (), target
    )


def _whole_runs(bench: Bench, place: Arena) -> Iterator[Row]:
    """Fifty steps from the start of the process to its end, all on the disk."""
    ours: list[float] = []
    theirs: list[float] = []
    floor: list[float] = []
    enough = time.monotonic() + 60
    for turn in range(bench.rounds(5, 1)):
        if turn and time.monotonic() > enough:
            break
        ours.append(place.ours("responses", 50).seconds)
        floor.append(place.floor("responses", 50).seconds)
        if place.rival is not None:
            theirs.append(place.theirs("responses", 50, save=True, seconds=60).seconds)
    yield Row("agent", "50 steps, the whole process, OpenAI: ours", "s", ours, floor)
    if theirs:
        yield Row(
            "agent",
            "50 steps, the whole process, OpenAI: cua-agent with trajectory",
            "s",
            theirs,
            floor,
        )


def _disk(place: Arena, steps: int) -> Iterator[Row]:
    """Bytes that a run leaves, against the sum of the frames it has seen, each once."""
    seen = sum(path.stat().st_size for path in place.frames[: steps + 1]) / 1e6
    what = f"{steps} steps on the disk, against the frames"
    stored = place.ours("responses", steps).stored / 1e6
    yield Row("agent", f"{what}: ours", "MB", [stored], [seen], Target("≤ 1.2 × frames", 1.2))
    if place.rival is not None:
        left = place.theirs("responses", steps, save=True, seconds=60)
        if len(left.walls) >= steps:
            yield Row(
                "agent", f"{what}: cua-agent with trajectory", "MB", [left.stored / 1e6], [seen]
            )
