"""Machines that are started again after they died, and those that are not."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from walls import eventually

from carrel.geometry import Size
from carrel.guest.restarts import FIRST_DELAY, LONGEST_DELAY, STEADY, Restart
from carrel.machines import revival
from carrel.machines.chronicle import Chronicle
from carrel.machines.keep import Keep, Phase
from carrel.machines.lifecycle import Machines
from carrel.machines.revival import Deaths, read_deaths
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

SPEC = MachineSpec(provider="namespace", image="desktop", size=Size(640, 480))


@given(st.lists(st.floats(0, 2 * STEADY), min_size=1, max_size=30))
def test_each_death_in_a_row_waits_longer_and_a_long_life_begins_anew(lives: list[float]) -> None:
    deaths, before = Deaths(), 0.0
    for lived in lives:
        deaths = deaths.one_more(lived)
        assert FIRST_DELAY <= deaths.delay <= LONGEST_DELAY
        assert deaths.delay == FIRST_DELAY if lived >= STEADY else deaths.delay >= before
        before = deaths.delay


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"in_a_row": "x"}', "\0"])
def test_a_damaged_count_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "deaths.json").write_text(text)
    assert read_deaths(tmp_path) == Deaths()
    assert read_deaths(tmp_path / "nowhere") == Deaths()


def test_no_password_is_kept_for_a_later_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_LUME_PASSWORD", "open sesame")
    monkeypatch.setenv("CARREL_LUME_USER", "me")
    revival.prepare(tmp_path)
    kept = (tmp_path / "surroundings.json").read_text()
    assert '"CARREL_LUME_USER": "me"' in kept
    assert "open sesame" not in kept


def guest(machines: Machines, name: str) -> int:
    record = Keep(machines.store.get(name).directory).read_record()
    assert record is not None
    assert record.guest_pid is not None
    return record.guest_pid


async def state(machines: Machines, name: str) -> State:
    return (await machines.status(name)).observed.state


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
@pytest.mark.parametrize("policy", ["on-failure", "always"])
async def test_a_machine_that_died_is_started_again_with_its_files(
    tmp_path: Path, policy: Restart
) -> None:
    machines = Machines(Store(tmp_path))
    spec = replace(SPEC, restart=policy)
    with anyio.fail_after(120):
        try:
            await machines.up("desk", spec)
            async with machines.computer("desk") as computer:
                await computer.write_file("note", "kept")
            first = guest(machines, "desk")
            os.kill(first, signal.SIGKILL)
            await eventually("another guest", lambda: _lives(machines, "desk", but=first), 60)
            assert await state(machines, "desk") is State.RUNNING
            async with machines.computer("desk") as computer:
                assert await computer.read_file("note") == "kept"
            assert read_deaths(machines.store.get("desk").directory).in_a_row == 1
            # A stop that was asked for is no death.
            await machines.stop("desk")
            await anyio.sleep(2 * FIRST_DELAY)
            assert await state(machines, "desk") is State.STOPPED
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_machine_that_is_deleted_or_not_to_be_revived_stays_dead(tmp_path: Path) -> None:
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(120):
        try:
            await machines.up("desk", replace(SPEC, restart="always"))
            # What is wished when it dies counts, not when it was started.
            await machines.configure("desk", lambda spec: replace(spec, restart="never"))
            os.kill(guest(machines, "desk"), signal.SIGKILL)
            await anyio.sleep(4 * FIRST_DELAY)
            assert await state(machines, "desk") is State.ERROR
            assert read_deaths(machines.store.get("desk").directory) == Deaths()
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")
        spec = replace(SPEC, restart="always")
        await machines.up("other", spec)
        os.kill(guest(machines, "other"), signal.SIGKILL)
        identity = machines.store.get("other").id
        await machines.delete("other")
        assert await machines.revive(identity) is None
        await eventually("no reviver", lambda: not _revivers(tmp_path), 20)
        assert await machines.list() == ()


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
@pytest.mark.parametrize("force", [False, True])
async def test_a_dead_machine_that_somebody_stops_is_not_started_again(
    tmp_path: Path, force: bool
) -> None:
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(120):
        try:
            machine = (await machines.up("desk", replace(SPEC, restart="always"))).machine
            (machine.directory / "deaths.json").write_text('{"in_a_row": 3}')
            os.kill(guest(machines, "desk"), signal.SIGKILL)
            await eventually("a reviver", lambda: bool(_revivers(tmp_path)), 20)
            notes: tuple[str, ...] = ()
            while not any(note.startswith("it is started again in ") for note in notes):
                notes = (await machines.status("desk")).observed.notes
            assert any(note.endswith(" s (restart always)") for note in notes)
            observed = (await machines.stop("desk", force=force)).observed
            assert observed.state is State.STOPPED
            assert observed.notes == ("it had ended already: the machine was killed (SIGKILL)",)
            await eventually("no reviver", lambda: not _revivers(tmp_path), 20)
            assert await state(machines, "desk") is State.STOPPED
            told = [each.kind for each in Chronicle(tmp_path).read()]
            assert told == ["made", "started", "crashed"]
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_crash_that_nobody_looks_at_is_written_down(tmp_path: Path) -> None:
    machines = Machines(Store(tmp_path))
    log = Chronicle(tmp_path)
    with anyio.fail_after(120):
        try:
            await machines.up("desk", SPEC)
            os.kill(guest(machines, "desk"), signal.SIGKILL)
            await eventually("told", lambda: any(each.kind == "crashed" for each in log.read()), 20)
            assert [each.cause for each in log.read()][-1] == "the machine was killed (SIGKILL)"
            await eventually("nobody is left", lambda: not _revivers(tmp_path), 20)
            # Once: neither who looks nor who starts it tells again.
            assert await state(machines, "desk") is State.ERROR
            await machines.up("desk")
            assert [each.kind for each in log.read()] == ["made", "started", "crashed", "started"]
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_start_by_hand_begins_to_count_anew(tmp_path: Path) -> None:
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(120):
        try:
            machine = (await machines.create("desk", replace(SPEC, restart="always"))).machine
            (machine.directory / "deaths.json").write_text('{"in_a_row": 7}')
            await machines.start("desk")
            assert read_deaths(machine.directory) == Deaths()
            # One that runs is not started: it may be dying again and again.
            (machine.directory / "deaths.json").write_text('{"in_a_row": 7}')
            await machines.up("desk")
            assert read_deaths(machine.directory) == Deaths(7)
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")


def test_nobody_waits_where_the_process_is_another_one(tmp_path: Path) -> None:
    told = {"pid": os.getpid(), "at": time.time() + 60}
    (tmp_path / "revival.json").write_text(json.dumps(told))
    assert revival.seconds_to_go(tmp_path) is None
    (tmp_path / "revival.json").write_text("{")
    assert revival.seconds_to_go(tmp_path) is None


def _lives(machines: Machines, name: str, but: int) -> bool:
    record = Keep(machines.store.get(name).directory).read_record()
    return record is not None and record.phase is Phase.READY and record.guest_pid != but


def _revivers(home: Path) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if revival.MODULE in words and any(str(home) in word for word in words):
            found.append(" ".join(words))
    return found
