"""How cost grows with the number of desks: memory of each, and the start of one more.

Draws what it found: `growth.svg` in the current directory.
"""

from __future__ import annotations

import time
from pathlib import Path

import anyio

from benchmarks.desks import Bench
from benchmarks.memory import weight
from benchmarks.report import Row
from benchmarks.start import SIZE
from carrel.machines.spec import MachineSpec

__all__ = ["measure"]

COUNTS = (1, 4, 16, 32)
PICTURE = Path("growth.svg")
_SETTLE = 3.0
_WIDE, _HIGH, _EDGE = 640, 300, 60


async def measure(bench: Bench) -> list[Row]:
    counts = COUNTS[:2] if bench.quick else COUNTS
    spec = MachineSpec(provider="namespace", image="desktop", size=SIZE)
    starts: list[float] = []
    megabytes: dict[int, float] = {}
    try:
        for number in range(1, counts[-1] + 1):
            began = time.perf_counter()
            await bench.machines.up(f"desk-{number}", spec)
            starts.append((time.perf_counter() - began) * 1000)
            if number in counts:
                await anyio.sleep(_SETTLE)
                megabytes[number] = _all(bench) / number
    finally:
        with anyio.CancelScope(shield=True):
            for standing in await bench.machines.list():
                await bench.machines.delete(standing.machine.name)
    begun = {count: _around(starts, count) for count in counts}
    PICTURE.write_text(_drawing(megabytes, begun))
    rows = [
        Row("growth", f"PSS of each of {count} idle desks", "MB", [megabytes[count]])
        for count in counts
    ]
    return rows + [
        Row("growth", f"start of the last of {count}, until ready", "ms", begun[count])
        for count in counts
    ]


def _all(bench: Bench) -> float:
    return sum(sum(weight(machine.directory).values()) for machine in bench.store.all())


def _around(starts: list[float], count: int) -> list[float]:
    """The last few starts that came to a number of desks."""
    return starts[max(0, count - 4) : count]


def _drawing(megabytes: dict[int, float], starts: dict[int, list[float]]) -> str:
    milliseconds = {count: sum(taken) / len(taken) for count, taken in starts.items()}
    size = f'width="{_WIDE}" height="{_HIGH}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        *_line(megabytes, "#2a6", "MB of each desk (PSS)", _EDGE - 40),
        *_line(milliseconds, "#26a", "ms to start one more", _EDGE - 20),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _line(values: dict[int, float], colour: str, name: str, label: int) -> list[str]:
    most, last = max(values.values()) * 1.1, max(values)
    points = []
    for count, value in values.items():
        x = _EDGE + (_WIDE - 2 * _EDGE) * count / last
        y = _HIGH - _EDGE - (_HIGH - 2 * _EDGE) * value / most
        points.append((count, value, x, y))
    path = " ".join(f"{x:.0f},{y:.0f}" for _, _, x, y in points)
    drawn = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    drawn.append(f'<text x="{_EDGE}" y="{label}" fill="{colour}">{name}</text>')
    for count, value, x, y in points:
        drawn.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3" fill="{colour}"/>')
        drawn.append(f'<text x="{x:.0f}" y="{y - 8:.0f}" fill="{colour}">{value:.0f}</text>')
        drawn.append(f'<text x="{x:.0f}" y="{_HIGH - _EDGE + 20}">{count}</text>')
    return drawn
