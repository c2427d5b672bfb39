"""What would not fit on this computer is refused, with what to do about it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from walls import StandInProvider, use_home, use_provider

from carrel.errors import Refused
from carrel.machines import limits
from carrel.machines.chronicle import Chronicle
from carrel.machines.lifecycle import Machines
from carrel.machines.limits import HostLimits, load_limits
from carrel.machines.settings import user_file
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

SMALL = HostLimits(memory_mb=16 << 10, cpus=4)


def wish(gigabytes: int, cpus: int = 0) -> MachineSpec:
    return MachineSpec(memory_mb=gigabytes << 10, cpus=cpus)


def test_one_machine_is_no_larger_than_the_computer() -> None:
    SMALL.require_fit(wish(16, cpus=4))
    with pytest.raises(Refused, match="5 processors are more than the 4") as raised:
        SMALL.require_fit(wish(1, cpus=5))
    assert raised.value.hint == "--cpus 4; or carrel config set host.check false"
    with pytest.raises(Refused, match="17GB of memory are more than the 16GB"):
        SMALL.require_fit(wish(17))


def test_machines_that_were_promised_memory_must_fit_together() -> None:
    SMALL.require_room([wish(8)], [wish(8)])
    with pytest.raises(Refused, match=r"8GB of memory would not fit: .* have 9GB of 16GB"):
        SMALL.require_room([wish(8)], [wish(9)])
    with pytest.raises(Refused, match="would not fit"):
        SMALL.require_room([wish(6)] * 3, [])


def test_ordinary_desks_count_by_what_they_use() -> None:
    SMALL.require_room([wish(4)], [wish(4)] * 40)
    SMALL.require_room([wish(16)], [wish(4)] * 40)


def test_a_computer_without_memory_left_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_mb", lambda: 300)
    SMALL.require_room([wish(1)], [])
    with pytest.raises(Refused, match="300 MB of memory left"):
        SMALL.require_room([wish(1), wish(1)], [])
    monkeypatch.setattr(limits, "available_mb", lambda: None)
    SMALL.require_room([wish(1), wish(1)], [])


def test_the_check_can_be_turned_off() -> None:
    replace(SMALL, check=False).require_room([wish(99, cpus=99)], [wish(99)])
    replace(SMALL, memory_mb=None).require_room([wish(99)], [wish(99)])


def test_the_limits_are_this_computers_unless_its_user_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    found = load_limits()
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    assert found.memory_mb is not None
    assert abs(found.memory_mb - pages) <= 1
    assert (found.cpus, found.check) == (len(os.sched_getaffinity(0)), True)
    user_file().write_text('[host]\nmemory = "64GB"\ncpus = 32\n')
    assert load_limits() == HostLimits(64 << 10, 32)
    with pytest.raises(Refused, match=r"65GB .* more than the 64GB that host\.memory allows"):
        load_limits().require_fit(wish(65))
    with pytest.raises(Refused, match=r"33 .* more than the 32 that host\.cpus allows"):
        load_limits().require_fit(wish(1, cpus=33))
    monkeypatch.setenv("CARREL_HOST_CHECK", "false")
    assert load_limits() == HostLimits(64 << 10, 32, check=False)


@pytest.mark.anyio
@pytest.mark.namespace
async def test_of_two_that_start_at_once_only_what_fits_does(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(tmp_path_factory.getbasetemp(), monkeypatch)
    provider = StandInProvider()
    use_provider(monkeypatch, provider)
    spec = MachineSpec(provider="namespace", image="host", memory_mb=5 << 10, pids=256)
    names = ("one", "two", "three")
    outcomes: list[str] = []

    async def start(name: str) -> None:
        try:
            await Machines(Store(tmp_path), limits=HostLimits(11 << 10, 8)).up(name, spec)
        except Refused:
            outcomes.append("refused")
        else:
            outcomes.append("started")

    with anyio.fail_after(60):
        try:
            async with anyio.create_task_group() as tasks:
                for name in names:
                    tasks.start_soon(start, name)
        finally:
            for machine in Store(tmp_path).all():
                await Machines(Store(tmp_path)).delete(machine.name)
    assert sorted(outcomes) == ["refused", "started", "started"]


@pytest.mark.anyio
@pytest.mark.namespace
async def test_a_machine_that_would_not_fit_is_not_started_and_that_is_written_down(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(tmp_path_factory.getbasetemp(), monkeypatch)
    provider = StandInProvider()
    use_provider(monkeypatch, provider)
    spec = MachineSpec(provider="namespace", image="host", memory_mb=5 << 10, pids=256)
    machines = Machines(Store(tmp_path), limits=HostLimits(9 << 10, 8))
    with anyio.fail_after(60):
        await machines.up("one", spec)
        try:
            await machines.create("two", spec)
            with pytest.raises(Refused, match="5GB of memory would not fit"):
                await machines.up("two")
            assert (await machines.status("two")).observed.state is State.STOPPED
            # Its own place is free for it, and what would have none any more is not stopped.
            again = (await machines.restart("one")).observed
            assert again.state is State.RUNNING
            with pytest.raises(Refused, match="5GB of memory are more"):
                await Machines(machines.store, limits=HostLimits(4 << 10, 8)).restart("one")
            assert (await machines.status("one")).observed == again
            await machines.stop("one")
            assert (await machines.up("two")).observed.state is State.RUNNING
            with pytest.raises(Refused, match="10GB of memory are more"):
                await machines.create("three", replace(spec, memory_mb=10 << 10))
        finally:
            for machine in machines.store.all():
                await machines.delete(machine.name)
    told = [(each.kind, each.machine) for each in Chronicle(tmp_path).read()]
    assert ("refused", "two") in told
    assert ("refused", "three") in told
    assert ("made", "three") not in told
