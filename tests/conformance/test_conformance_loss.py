"""When the display dies, everybody is told quickly, and why."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import anyio
import pytest
from oracles import until
from proofs import bounded
from subjects import SIZE, bare_guest

from carrel.computer import Computer
from carrel.computer.local import local_computer
from carrel.errors import CarrelError, Interrupted, MachineLost
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

pytestmark = pytest.mark.desktop

QUICKLY = 10.0


def servers_below(pid: int) -> set[int]:
    """The X servers that a process started."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:
            continue
        if "Xvfb" in name and int(rest.split()[1]) == pid:
            found.add(int(path.parent.name))
    return found


async def move_until_lost(computer: Computer) -> None:
    """Use a computer until it says that it is lost, which must be soon."""
    started = time.monotonic()
    with pytest.raises((MachineLost, Interrupted)):
        await _move_for_ever(computer)
    assert time.monotonic() - started < QUICKLY


async def _move_for_ever(computer: Computer) -> None:
    while True:
        await computer.move(5, 5)
        await anyio.sleep(0.01)


@bounded
async def test_a_guest_whose_display_is_killed_ends_and_says_why(tmp_path: Path) -> None:
    async with bare_guest(tmp_path) as (subject, guest):
        (server,) = servers_below(guest.pid)
        os.kill(server, signal.SIGKILL)
        await move_until_lost(subject.computer)
        await until(lambda: not Path(f"/proc/{guest.pid}/exe").exists(), QUICKLY, "the guest ends")
        last = json.loads(guest.said.read_text().strip().splitlines()[-1])
        assert "Xvfb" in last["cause"]
        assert "9" in last["cause"] or "KILL" in last["cause"]


@bounded
async def test_a_guest_whose_display_is_killed_during_a_drag_says_so(tmp_path: Path) -> None:
    async with bare_guest(tmp_path) as (subject, guest):
        (server,) = servers_below(guest.pid)

        async def down() -> bool:
            return bool((await subject.peek.held())[0])

        async def kill() -> None:
            await until(down, 15, "it drags")
            os.kill(server, signal.SIGKILL)

        started = time.monotonic()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(kill)
            with pytest.raises(CarrelError):
                await subject.computer.drag([(100, 100), (300, 300)], seconds=60)
        assert time.monotonic() - started < 15 + QUICKLY


@bounded
async def test_a_computer_in_this_process_loses_its_display_loudly(tmp_path: Path) -> None:
    before = servers_below(os.getpid())
    async with local_computer(size=SIZE, home=tmp_path) as computer:
        await computer.move(5, 5)
        (server,) = servers_below(os.getpid()) - before
        os.kill(server, signal.SIGKILL)
        await move_until_lost(computer)


@pytest.mark.namespace
@pytest.mark.image
@bounded
async def test_a_machine_whose_display_is_killed_says_why(
    tmp_path: Path, machine_possible: None
) -> None:
    machines = Machines(Store(tmp_path / "state"))
    await machines.up("lost", MachineSpec(size=SIZE))
    try:
        async with machines.computer("lost") as computer:
            await computer.move(5, 5)
            await computer.start_process("pkill", "-KILL", "Xvfb")
            await move_until_lost(computer)

        async def ended() -> bool:
            return (await machines.status("lost")).observed.state is State.ERROR

        await until(ended, 15, "the machine is known to be broken")
        assert "Xvfb" in str((await machines.status("lost")).observed.cause)
        assert not Keep(machines.store.get("lost").directory).is_held()
    finally:
        await machines.delete("lost")
