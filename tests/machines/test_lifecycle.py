"""What one command clears away, while others are at work."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from walls import StandInProvider, use_home, use_provider

from carrel.errors import (
    AlreadyExists,
    NotFound,
    RunError,
    Unavailable,
    Unsupported,
    WrongState,
)
from carrel.machines import naming
from carrel.machines.chronicle import Chronicle
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State
from carrel.machines.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.namespace]

SPEC = MachineSpec(provider="namespace", image="host")


@pytest.fixture
def home(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    use_home(tmp_path_factory.getbasetemp(), monkeypatch)
    return tmp_path


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> StandInProvider:
    found = StandInProvider()
    use_provider(monkeypatch, found)
    return found


class LateStore(Store):
    """A store in which another command finishes its machine right after the first look."""

    finish: Machine | None = None

    def incomplete(self) -> tuple[Machine, ...]:
        found = super().incomplete()
        if self.finish is not None:
            self.complete(self.finish)
            self.finish = None
        return found


async def test_a_machine_completed_by_another_command_meanwhile_is_not_cleared(
    home: Path, provider: StandInProvider
) -> None:
    store = LateStore(home)
    machine = store.add("desk", SPEC)
    await provider.create(machine)
    store.finish = machine
    with anyio.fail_after(30):
        assert await Machines(store).reconcile() == ()
    assert store.get("desk") == machine
    assert machine.directory.is_dir()


async def test_a_machine_can_be_made_and_changed_before_it_runs(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(30):
        made = await machines.create("desk", SPEC)
        assert made.observed.state is State.STOPPED
        with pytest.raises(AlreadyExists, match="already a machine named desk"):
            await machines.create("desk", SPEC)
        wish = replace(SPEC, cpus=2, memory_mb=512)
        changed = await machines.configure("desk", wish)
    assert changed.machine == replace(made.machine, spec=wish)
    assert Store(home).get("desk").spec == wish


async def test_what_a_disk_was_made_from_does_not_change(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(30):
        await machines.create("desk", SPEC)
        with pytest.raises(Unsupported, match="image of desk cannot change"):
            await machines.configure("desk", replace(SPEC, image="desktop"))
        with pytest.raises(NotFound):
            await machines.configure("nobody", SPEC)
    assert Store(home).get("desk").spec == SPEC
    assert not (home / "locks" / "nobody").exists()


async def test_only_what_holds_at_any_time_changes_while_a_machine_runs(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))

    async def running(machine: Machine) -> Observed:
        return Observed(State.RUNNING)

    with anyio.fail_after(30):
        await machines.create("desk", SPEC)
        monkeypatch.setattr(provider, "inspect", running)
        with pytest.raises(WrongState, match="cannot configure desk: it is running"):
            await machines.configure("desk", replace(SPEC, cpus=2))
        await machines.configure("desk", replace(SPEC, restart="always"))
    assert Store(home).get("desk").spec == replace(SPEC, restart="always")


async def test_copies_publish_no_ports_and_are_written_down(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))

    async def running(machine: Machine) -> Observed:
        return Observed(State.RUNNING)

    async def fork(machine: Machine, copies: Sequence[Machine]) -> None:
        assert [copy.spec.ports for copy in copies] == [(), ()]

    monkeypatch.setattr(provider, "inspect", running)
    monkeypatch.setattr(provider, "fork", fork)
    with anyio.fail_after(30):
        await machines.create("desk", replace(SPEC, ports=("18080:80",)))
        copies = await machines.fork("desk", ["one", "two"])
        assert [copy.machine.name for copy in copies] == ["one", "two"]
        told = [(each.kind, each.machine) for each in Chronicle(home).read()]
    assert told == [
        ("made", "desk"),
        *(("forked", "one"), ("started", "one")),
        *(("forked", "two"), ("started", "two")),
    ]


async def test_a_port_that_is_taken_is_told_before_anything_starts(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(30), socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        await machines.create("desk", replace(SPEC, ports=(f"{port}:80",)))
        with pytest.raises(Unavailable, match=f"port {port} of this computer cannot be listened"):
            await machines.up("desk")
        assert (await machines.status("desk")).observed.state is State.STOPPED


async def test_a_start_that_fails_records_nothing_and_one_that_works_what_it_was_given(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))

    async def fail(machine: Machine, progress: object) -> None:
        assert Store(home).get("desk").spec.memory_mb == 512
        raise RunError("its guest did not answer")

    def less(spec: MachineSpec) -> MachineSpec:
        return replace(spec, memory_mb=512, cpus=1)

    with anyio.fail_after(60):
        await machines.create("desk", SPEC)
        with monkeypatch.context() as patch:
            patch.setattr(provider, "start", fail)
            with pytest.raises(RunError, match="did not answer"):
                await machines.start("desk", less)
        assert machines.store.get("desk").spec == SPEC
        try:
            standing = await machines.start("desk", less)
            assert standing.observed.state is State.RUNNING
            assert machines.store.get("desk").spec == less(SPEC)
            with pytest.raises(WrongState, match="cannot configure desk: it is running"):
                await machines.start("desk", lambda spec: replace(spec, cpus=2))
            assert (await machines.start("desk")).observed.state is State.RUNNING
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")
    told = [each.facts for each in Chronicle(home).read() if each.kind == "configured"]
    assert told == [{"fields": ["cpus", "memory_mb"]}]


async def test_an_interrupted_start_leaves_the_record_as_what_runs_is(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is interrupted after the machine runs must not record what it was before."""
    machines = Machines(Store(home))
    with anyio.fail_after(60):
        await machines.create("desk", SPEC)

        async def interrupted(machine: Machine) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(machines._ground.teller, "started", interrupted)
        try:
            with pytest.raises(KeyboardInterrupt):
                await machines.start("desk", lambda spec: replace(spec, cpus=1))
            standing = await machines.status("desk")
            assert (standing.observed.state, standing.machine.spec.cpus) == (State.RUNNING, 1)
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")


async def test_a_bound_on_the_disk_that_is_not_kept_is_told(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(30):
        made = await machines.create("desk", replace(SPEC, disk_mb=20480))
    assert made.observed.notes == (
        "the namespace provider sets no bound on its disk; 20GB is asked for",
    )


async def test_a_disk_whose_bound_holds_keeps_its_size(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds = replace(provider.capabilities, disk_limit=True)
    monkeypatch.setattr(StandInProvider, "capabilities", holds)
    machines = Machines(Store(home))
    with anyio.fail_after(30):
        made = await machines.create("desk", replace(SPEC, disk_mb=20480))
        assert made.observed.notes == ()
        with pytest.raises(Unsupported, match="the disk of desk cannot change"):
            await machines.configure("desk", replace(SPEC, disk_mb=40960))


async def test_nothing_is_recovered_while_another_command_starts_it(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recovering kills what is in the control group, which has the same name at every start."""
    machines = Machines(Store(home))
    machine = machines.store.add("desk", SPEC)
    await provider.create(machine)
    machines.store.complete(machine)
    recovered: list[str] = []

    async def note(machine: Machine) -> None:
        recovered.append(machine.name)
        assert machines.store.is_locked(machine.name)

    monkeypatch.setattr(provider, "recover", note)
    with anyio.fail_after(30):
        async with Store(home).lock("desk"):
            await machines.reconcile()
        assert recovered == []
        await machines.reconcile()
    assert recovered == ["desk"]


async def test_a_tree_too_deep_for_a_path_stops_no_command(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(60):
        standing = await machines.up("desk", SPEC)
        assert standing.observed.state is State.RUNNING
        await machines.stop("desk")
        here = Keep(standing.machine.directory).home
        script = "cd $0; i=0; while [ $i -lt 1500 ]; do mkdir d; cd -P d; i=$((i+1)); done"
        await anyio.run_process(["sh", "-c", script, str(here)])
        await machines.delete("desk")
        assert await machines.list() == ()
        assert not standing.machine.directory.exists()


@pytest.fixture
def small(home: Path) -> Iterator[Path]:
    """A place that is soon full."""
    place = home / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def _fill(folder: Path) -> None:
    with (folder / "fill").open("wb", 0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting outside a user namespace needs root")
async def test_a_machine_that_filled_the_disk_can_be_stopped_and_deleted(
    small: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(small))
    with anyio.fail_after(60):
        standing = await machines.up("desk", SPEC)
        await machines.up("other", SPEC)
        _fill(Keep(standing.machine.directory).home)
        assert (await machines.status("desk")).observed.state is State.RUNNING
        assert (await machines.stop("desk")).observed.state is State.STOPPED
        await machines.delete("other")
        _fill(Keep(standing.machine.directory).home)
        await machines.delete("desk")
        assert await machines.list() == ()


async def test_what_a_killed_probe_left_goes_and_a_probe_at_work_stays(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    old, new = home / "machines" / ".probe-old", home / "machines" / ".probe-new"
    for place in (old, new):
        (place / "disk").mkdir(parents=True)
    os.utime(old, (1, 1))
    with anyio.fail_after(30):
        await machines.reconcile()
    assert not old.exists()
    assert new.is_dir()


async def test_a_machine_that_is_deleted_while_it_restarts_is_restarted_first(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))
    stop = provider.stop
    with anyio.fail_after(60):
        await machines.up("desk", SPEC)
        async with anyio.create_task_group() as tasks:

            async def stop_slowly(machine: Machine, grace: float) -> None:
                await stop(machine, grace)
                tasks.start_soon(machines.delete, "desk")
                await anyio.sleep(0.3)  # by now it waits for its turn

            monkeypatch.setattr(provider, "stop", stop_slowly)
            assert (await machines.restart("desk")).observed.state is State.RUNNING
        assert await machines.list() == ()


async def test_a_change_is_told_only_once_it_is_on_record(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))

    def fail(machine: Machine, spec: MachineSpec) -> Machine:
        raise sqlite3.OperationalError("database or disk is full")

    def more(spec: MachineSpec) -> MachineSpec:
        return replace(spec, memory_mb=2048)

    with anyio.fail_after(60):
        await machines.create("desk", SPEC)
        with monkeypatch.context() as patch:
            patch.setattr(machines.store, "update", fail)
            with pytest.raises(RunError):
                await machines.configure("desk", more)
        await machines.configure("desk", lambda spec: spec)
        assert [each.kind for each in Chronicle(home).read()] == ["made"]
        await machines.configure("desk", more)
        assert [each.kind for each in Chronicle(home).read()] == ["made", "configured"]


async def test_what_was_halted_before_it_is_ones_turn_stays_halted(
    home: Path, provider: StandInProvider
) -> None:
    machines = Machines(Store(home))
    refused: list[str] = []

    async def try_to(work: Callable[[], Awaitable[object]]) -> None:
        with pytest.raises(WrongState, match="it is paused") as told:
            await work()
        refused.append(told.value.op)

    with anyio.fail_after(60):
        machine = (await machines.up("desk", SPEC)).machine
        try:
            async with anyio.create_task_group() as tasks, machines.store.lock("desk"):
                tasks.start_soon(try_to, lambda: machines.fork("desk", ["copy"]))
                tasks.start_soon(try_to, lambda: machines.snapshot("desk", "noon"))
                await anyio.sleep(0.3)  # all have looked, and wait for their turn
                await provider.pause(machine)
            assert sorted(refused) == ["machine.fork", "machine.snapshot"]
            assert (await machines.status("desk")).observed.state is State.PAUSED
            assert [each.machine.name for each in await machines.list()] == ["desk"]
        finally:
            await machines.delete("desk")


async def test_a_name_that_takes_too_long_to_give_is_told_and_no_more(
    home: Path, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = Machines(Store(home))
    with anyio.fail_after(60):
        machine = (await machines.up("desk", SPEC)).machine
        try:
            # As for who is not root: by a process, which has no time at all.
            with monkeypatch.context() as patch:
                patch.setattr(naming.os, "geteuid", lambda: 1000)
                patch.setattr(naming, "_SECONDS", 0.0)
                await naming.introduce(provider, machine)
            log = "".join(path.read_text() for path in machine.directory.glob("*.log*"))
            assert "its host name stays what it was" in log
            assert "took more than 0 s" in log
        finally:
            await machines.delete("desk")
