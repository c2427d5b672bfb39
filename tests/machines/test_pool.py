"""Machines made ahead: taken by whoever wishes for the very same, made again, never left over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from walls import eventually

from carrel.errors import AlreadyExists, InvalidInput, NotFound, RunError
from carrel.geometry import Size
from carrel.machines.lifecycle import Machines
from carrel.machines.pool import Pool, Pools
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

SPEC = MachineSpec(provider="namespace", image="desktop", size=Size(640, 480))


def unheard(stage: str, share: float | None) -> None:
    pass


@asynccontextmanager
async def store(home: Path) -> AsyncIterator[Machines]:
    made = Machines(Store(home))
    try:
        yield made
    finally:
        with anyio.CancelScope(shield=True):
            await _empty(Pools(made))
            for standing in await made.list():
                await made.delete(standing.machine.name)


async def _empty(pools: Pools) -> None:
    """End the pools, and wait for who is still filling them."""
    for pool in pools.list():
        ended = replace(pool, size=0)
        pools.put(ended)
        await pools.fill(ended, unheard)


def test_pools_are_on_record_by_name_and_size_0_forgets_one(tmp_path: Path) -> None:
    pools = Pools(Machines(Store(tmp_path)))
    assert pools.list() == ()
    pools.put(Pool("web", SPEC, 2))
    pools.put(Pool("desk", replace(SPEC, memory_mb=512), 1))
    assert [pool.name for pool in pools.list()] == ["desk", "web"]
    assert pools.get("web") == Pool("web", SPEC, 2)
    pools.put(Pool("web", SPEC, 0))
    assert [pool.name for pool in pools.list()] == ["desk"]
    with pytest.raises(NotFound, match="no pool 'web'"):
        pools.get("web")
    with pytest.raises(InvalidInput):
        pools.put(Pool("../web", SPEC, 1))
    assert (tmp_path / "pools.json").stat().st_mode & 0o777 == 0o600
    (tmp_path / "pools.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        pools.list()


def test_only_the_very_same_wish_suits() -> None:
    pool = Pool("desk", SPEC, 1)
    assert pool.suits(SPEC)
    assert pool.suits(replace(SPEC, provider="auto"))
    assert not pool.suits(replace(SPEC, memory_mb=SPEC.memory_mb + 1))
    assert not pool.suits(replace(SPEC, network="nat"))
    assert not pool.suits(replace(SPEC, provider="gvisor"))


def test_a_taken_name_is_not_given_away(tmp_path: Path) -> None:
    made = Store(tmp_path)
    first, second = made.add("one", SPEC), made.add("two", SPEC)
    with pytest.raises(AlreadyExists):
        made.rename(first, "two")
    assert made.rename(second, "three").id == second.id
    assert made.get("three").id == second.id


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_two_who_ask_at_once_get_two_machines_and_the_pool_fills_again(
    tmp_path: Path,
) -> None:
    with anyio.fail_after(180):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", SPEC, 2)
            pools.put(pool)
            await pools.fill(pool, unheard)
            ready = {machine.id: machine for machine in pools.members(pool)}
            assert len(ready) == 2
            async with machines.computer(next(iter(ready.values())).name) as computer:
                before = (await computer.run("cat", "/etc/machine-id")).stdout

            async with anyio.create_task_group() as tasks:
                for name in ("mine", "yours"):
                    tasks.start_soon(machines.up, name, SPEC)
            taken = {machines.store.get(name).id for name in ("mine", "yours")}
            assert taken == set(ready)
            identities = set()
            for name in ("mine", "yours"):
                assert (await machines.status(name)).observed.state is State.RUNNING
                async with machines.computer(name) as computer:
                    identities.add((await computer.run("cat", "/etc/machine-id")).stdout)
            assert len(identities) == 2
            assert before in identities

            # Another wish is made anew, and takes none of what is made ahead meanwhile.
            other = await machines.up("other", replace(SPEC, memory_mb=2048))
            assert other.machine.id not in ready
            await eventually("a full pool", lambda: len(pools.members(pool)) == 2, 60)
            assert not {machine.id for machine in pools.members(pool)} & set(ready)

            # Whoever fills it now waits for the one that does already.
            await pools.fill(pool, unheard)
            assert len(pools.members(pool)) == 2
            gone = replace(pool, size=0)
            pools.put(gone)
            await pools.fill(gone, unheard)
            left = {standing.machine.name for standing in await machines.list()}
            assert left == {"mine", "yours", "other"}
