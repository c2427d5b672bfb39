"""Machines made ahead: taken by whoever wishes for the very same, made again, never left over."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
from engine_desks import said
from walls import eventually

from carrel.errors import AlreadyExists, InvalidInput, NotFound, RunError, Unavailable
from carrel.geometry import Size
from carrel.machines import descent, gvisor
from carrel.machines import pool as pool_module
from carrel.machines.descent import Descent, copies_alike
from carrel.machines.images import Image
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.pool import Pool, Pools
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from thorough import FULL

SPEC = MachineSpec(provider="namespace", image="desktop", size=Size(640, 480))
FETCHED = Path(__file__).parents[2] / ".venv/gvisor/runsc"


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


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_nobody_is_given_a_member_of_the_wish_before(tmp_path: Path) -> None:
    wide, tight = replace(SPEC, network="nat"), SPEC
    async with store(tmp_path) as machines:
        pools = Pools(machines)
        pools.put(Pool("desk", wide, 1))
        await pools.fill(pools.get("desk"), unheard)
        pools.put(Pool("desk", tight, 1))  # and whoever was to fill it is killed
        made = await machines.up("box", tight)
        assert made.machine.spec.network == "none"


def test_only_what_is_chosen_by_itself_is_given_to_who_leaves_the_choice() -> None:
    wish = replace(SPEC, provider="auto")
    assert Pool("desk", SPEC, 1).suits(wish)
    assert not Pool("desk", replace(SPEC, provider="host"), 1).suits(wish)


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_what_was_given_away_meanwhile_is_not_deleted(tmp_path: Path) -> None:
    async with store(tmp_path) as machines:
        await machines.up("pool-desk-0a1b", SPEC)
        member = machines.store.get("pool-desk-0a1b")
        async with anyio.create_task_group() as tasks, machines.store.lock(member.name):

            async def delete() -> None:
                with pytest.raises(NotFound):
                    await machines.delete(member.name)

            tasks.start_soon(delete)
            await anyio.sleep(0.2)  # it waits for the lock by now
            machines.store.rename(member, "box")
        assert (await machines.status("box")).observed.state is State.RUNNING


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_an_owners_machine_that_is_called_like_a_member_stays_theirs(tmp_path: Path) -> None:
    with anyio.fail_after(120):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", SPEC, 1)
            own = (await machines.up("pool-desk-mine", SPEC)).machine
            pools.put(pool)
            await pools.fill(pool, unheard)
            (member,) = pools.members(pool)
            assert member.id != own.id
            # Whoever asks for the same is given the pool's, and not this one.
            assert (await machines.up("box", SPEC)).machine.id == member.id
            pools.put(replace(pool, size=0))
            await pools.fill(replace(pool, size=0), unheard)
            assert machines.store.get("pool-desk-mine").id == own.id
            assert (await machines.status("pool-desk-mine")).observed.state is State.RUNNING
            assert {s.machine.name for s in await machines.list()} == {"pool-desk-mine", "box"}


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_machine_called_like_a_pool_is_not_held_up_while_that_fills(
    tmp_path: Path,
) -> None:
    with anyio.fail_after(60):
        async with store(tmp_path) as machines, machines.store.lock_pool("desk"):
            await machines.up("pool-desk", SPEC)
            await machines.delete("pool-desk")
    assert list(tmp_path.glob("pool-*.lock")) == []


def test_members_are_those_on_record_as_such_until_they_are_given_a_name(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name, pool in (("pool-web-0a1b", ""), ("pool-web-1c2d", "web"), ("other", "web-2")):
        store.complete(store.add(name, SPEC, pool))
    pools = Pools(Machines(store))
    (member,) = pools.members(Pool("web", SPEC, 1))
    assert member.name == "pool-web-1c2d"
    assert [m.name for m in pools.members(Pool("web-2", SPEC, 1))] == ["other"]
    store.rename(member, "box")
    assert pools.members(Pool("web", SPEC, 1)) == ()
    store.remove(store.get("other"))
    assert pools.members(Pool("web-2", SPEC, 1)) == ()


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_member_is_called_what_no_machine_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["0a1b", "0a1b", "2c3d"])
    drawing = SimpleNamespace(token_hex=lambda size: next(drawn))
    monkeypatch.setattr(pool_module, "secrets", drawing)
    name = "a-pool-with-the-longest-name-there-can-b"
    async with store(tmp_path) as machines:
        pools, pool = Pools(machines), Pool(name, SPEC, 1)
        pools.put(pool)
        short = f"pool-{name[:30]}"
        machines.store.complete(machines.store.add(f"{short}-0a1b", SPEC))
        await pools.fill(pool, unheard)
        assert [member.name for member in pools.members(pool)] == [f"{short}-2c3d"]


async def require_called(machines: Machines, name: str) -> None:
    """Have a machine know its name, and its programs find their display by it."""
    asked = 'uname -n; grep -qaF "$(uname -n)" "$XAUTHORITY" && echo found'
    assert await said(machines, name, asked) == f"{name}\nfound\n"


def test_pools_are_on_record_by_name_and_size_0_forgets_one(tmp_path: Path) -> None:
    pools = Pools(Machines(Store(tmp_path)))
    assert pools.list() == ()
    pools.put(Pool("web", SPEC, 2))
    pools.put(Pool("desk", replace(SPEC, memory_mb=512), 1))
    assert [pool.name for pool in pools.list()] == ["desk", "web"]
    assert pools.get("web") == Pool("web", SPEC, 2)
    pools.put(Pool("web", SPEC, 0))
    assert [pool.name for pool in pools.list()] == ["desk"]
    with pytest.raises(NotFound, match="no pool 'web'") as raised:
        pools.get("web")
    assert raised.value.hint == "known pools: desk"
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
            before = await said(machines, next(iter(ready.values())).name, "cat /etc/machine-id")

            async with anyio.create_task_group() as tasks:
                for name in ("mine", "yours"):
                    tasks.start_soon(machines.up, name, SPEC)
            taken = {machines.store.get(name).id for name in ("mine", "yours")}
            assert taken == set(ready)
            identities = set()
            for name in ("mine", "yours"):
                assert (await machines.status(name)).observed.state is State.RUNNING
                identities.add(await said(machines, name, "cat /etc/machine-id"))
                await require_called(machines, name)
                told = await said(machines, name, "cat /etc/hostname /etc/hosts")
                assert told.splitlines()[:2] == [name, f"127.0.0.1 localhost {name}"]
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


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_dead_member_does_not_count_as_ready_and_is_replaced(tmp_path: Path) -> None:
    with anyio.fail_after(40):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", SPEC, 2)
            pools.put(pool)
            await pools.fill(pool, unheard)
            assert (await pools.ready(pool), await pools.replace_dead(pool)) == (2, 0)
            dead, _ = pools.members(pool)
            record = Keep(dead.directory).read_record()
            assert record is not None
            os.kill(record.guest_pid or 0, signal.SIGKILL)
            await eventually("its end", lambda: not Keep(dead.directory).is_held())
            way = "try: carrel pool list, which has another one made for the pool desk"
            assert way in (await machines.status(dead.name)).observed.notes
            # Whoever is at it does not keep it for long.
            while not await pools.replace_dead(pool):  # noqa: ASYNC110 (a process)
                await anyio.sleep(0.05)
            assert await pools.ready(pool) == 1
            while await pools.ready(pool) < 2:  # noqa: ASYNC110 (a process)
                await anyio.sleep(0.05)
            assert dead.id not in machines.store.ids()


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_pool_whose_machines_have_died_gives_none_away_and_is_filled_again(
    tmp_path: Path,
) -> None:
    with anyio.fail_after(180):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", SPEC, 1)
            pools.put(pool)
            await pools.fill(pool, unheard)
            (dead,) = pools.members(pool)
            await machines.stop(dead.name, force=True)
            assert (await machines.up("mine", SPEC)).machine.id != dead.id

            def renewed() -> bool:
                return [dead.id] != [member.id for member in pools.members(pool)] != []

            await eventually("another member", renewed, 60)


@pytest.fixture
def runsc(monkeypatch: pytest.MonkeyPatch) -> None:
    if "CARREL_RUNSC" not in os.environ and FETCHED.exists():
        monkeypatch.setenv("CARREL_RUNSC", str(FETCHED))
    try:
        gvisor.find_runsc()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


# What a copy could share with another: who it is, and what it draws by chance.
SELF = """uname -n; cat /etc/machine-id; head -c 32 /dev/urandom | base64
python3 -c 'import random, uuid; print(uuid.uuid4(), random.random())'"""


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
@pytest.mark.usefixtures("runsc")
async def test_members_that_are_copies_are_as_new_as_what_is_started(tmp_path: Path) -> None:
    spec = replace(SPEC, provider="gvisor", env={"GREETING": "hello"}, memory_mb=1024)
    with anyio.fail_after(180):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", spec, 2)
            pools.put(pool)
            stages: list[str] = []
            await pools.fill(pool, lambda stage, share: stages.append(stage))
            members = pools.members(pool)
            # One was started, and the other is its copy.
            assert [stage for stage in stages if stage.startswith("copying")] == [
                f"copying {members[0].name}"
            ]
            assert [member.spec for member in members] == [spec] * 2

            seen: set[str] = set()
            for name in (member.name for member in members):
                await require_called(machines, name)
                own = (await said(machines, name, SELF)).split()
                assert len({*own} - seen) == len(own)
                seen |= {*own}
                assert abs(float(await said(machines, name, "date +%s.%N")) - time.time()) < 5
                assert await said(machines, name, "echo $GREETING") == "hello\n"

            assert (await machines.up("mine", spec)).machine.id in {each.id for each in members}
            await require_called(machines, "mine")
            await said(machines, "mine", "echo note > mine")
            await pools.fill(pool, unheard)
            for name in (member.name for member in pools.members(pool)):
                assert await said(machines, name, "ls | grep mine || true") == ""
            if not FULL:
                return
            # It keeps its home over a stop as any other does, and has its name then.
            await machines.restart("mine")
            assert await said(machines, "mine", "cat mine") == "note\n"
            await require_called(machines, "mine")


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
@pytest.mark.usefixtures("runsc")
async def test_a_member_that_was_given_away_is_never_copied(tmp_path: Path) -> None:
    spec = replace(SPEC, provider="gvisor", memory_mb=1024)
    with anyio.fail_after(120):
        async with store(tmp_path) as machines:
            pools, pool = Pools(machines), Pool("desk", spec, 1)
            pools.put(pool)
            await pools.fill(pool, unheard)
            (member,) = pools.members(pool)
            async with machines.store.lock(member.name), anyio.create_task_group() as tasks:
                # It waits for us, and finds that the machine is somebody's by now.
                failures: list[Exception] = []

                async def copy() -> None:
                    try:
                        await machines.fork(member.name, ["copy"])
                    except NotFound as error:
                        failures.append(error)

                tasks.start_soon(copy)
                await anyio.sleep(0.3)
                machines.store.rename(member, "mine")
            assert [str(error) for error in failures] == [
                f"there is no machine named {member.name}"
            ]
            assert {standing.machine.name for standing in await machines.list()} == {"mine"}


def test_a_copy_is_as_new_for_an_hour_and_while_image_and_guest_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descent, "resolve_image", lambda name: Image(name, "", tmp_path, "", 1, 7))
    monkeypatch.setattr(descent, "guest_bundle", lambda: tmp_path / "bundle-1")
    machine = Store(tmp_path).add("one", SPEC)
    machine.directory.mkdir(parents=True)
    assert Descent.read(machine) is None
    begun = Descent.of(machine)
    begun.write(machine)
    assert Descent.read(machine) == begun
    assert begun.is_as_new(SPEC)
    assert not replace(begun, since=begun.since - descent.OLDEST).is_as_new(SPEC)
    assert not replace(begun, since=begun.since + 60).is_as_new(SPEC)
    monkeypatch.setattr(descent, "guest_bundle", lambda: tmp_path / "bundle-2")
    assert not begun.is_as_new(SPEC)

    def gone(name: str) -> Image:
        raise Unavailable("the image has not been built yet")

    monkeypatch.setattr(descent, "resolve_image", gone)
    assert not begun.is_as_new(SPEC)
    (machine.directory / "descent.json").write_text("{")
    assert Descent.read(machine) is None


def test_only_what_a_copy_can_have_as_well_is_copied() -> None:
    spec = replace(SPEC, provider="gvisor")
    assert copies_alike(spec)
    assert copies_alike(replace(spec, restart="always", env={"A": "b"}))
    assert not copies_alike(SPEC)
    assert not copies_alike(replace(spec, ports=("8080:80",)))
    assert not copies_alike(replace(spec, volumes=("data:/srv/data",)))
    assert not copies_alike(replace(spec, provider="qemu", mac="02:00:5e:10:00:01"))
