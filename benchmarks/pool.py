"""A desk from the pool: until it has its name and its guest has answered, beside one made anew."""

from __future__ import annotations

import time

import anyio

from benchmarks.desks import Bench, until
from benchmarks.report import Row, limit
from carrel.machines.pool import Pool, Pools
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State

__all__ = ["measure"]

MOST = 150.0


async def measure(bench: Bench) -> list[Row]:
    spec = MachineSpec(provider="namespace")
    made = [await _up(bench, spec) for _ in range(bench.rounds(5, 2))]
    pools, pool = Pools(bench.machines), Pool("bench", spec, 2)
    pools.put(pool)
    taken = []
    try:
        await pools.fill(pool, lambda stage, share: None)
        for _ in range(bench.rounds(10, 3)):
            taken.append(await _up(bench, spec))
            await _full(bench, pools, pool)
    finally:
        with anyio.CancelScope(shield=True):
            pools.put(Pool("bench", spec, 0))
            await pools.fill(Pool("bench", spec, 0), lambda stage, share: None)
    what = "guest of a desk from the pool answers, against one made anew"
    return [Row("pool", what, "ms", taken, made, limit(MOST, "ms"))]


async def _full(bench: Bench, pools: Pools, pool: Pool) -> None:
    """Wait for the process that makes the next one."""

    async def ready() -> bool:
        standing = [await bench.machines.status(m.name) for m in pools.members(pool)]
        running = [each for each in standing if each.observed.state is State.RUNNING]
        return len(running) == pool.size

    await until("the pool is full", ready, 60)


async def _up(bench: Bench, spec: MachineSpec) -> float:
    started = time.perf_counter()
    await bench.machines.up("desk", spec)
    try:
        async with bench.machines.computer("desk") as computer:
            await computer.cursor()
        return (time.perf_counter() - started) * 1000
    finally:
        with anyio.CancelScope(shield=True):
            await bench.machines.delete("desk")
