"""Machines that have one line: a real guest at its end, and clients that share it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import ClassVar

import anyio
import pytest
from walls import eventually, make_machine, quiet

from carrel.computer import Computer
from carrel.errors import CarrelError, MachineLost, TimedOut
from carrel.machines.bundle import guest_bundle
from carrel.machines.keep import LINE, EnginePlan, Keep, KeeperPlan
from carrel.machines.provider import Capabilities
from carrel.machines.providers._kept import Kept
from carrel.machines.spec import Machine
from carrel.machines.state import State
from carrel.machines.switchboard import quiet_line
from carrel.stream import Connection, Line, memory_pair

pytestmark = pytest.mark.anyio

GUEST = (sys.executable, "-S", "-m", "carrel.guest", "--size", "640x480", "--home")
RELAY = """
import socket, subprocess, sys
line = socket.socket(fileno=int(sys.argv[1]))
sys.exit(subprocess.run(sys.argv[2:], stdin=line, stdout=line).returncode)
"""


class LineProvider(Kept):
    """A guest without walls that is reached by one line."""

    name: ClassVar[str] = "line"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(self, *argv: str, line: str = "stdio") -> None:
        self._argv = argv
        self._line = line

    def plan(self, machine: Machine) -> KeeperPlan:
        env = {**os.environ, "PYTHONPATH": str(guest_bundle())}
        argv = self._argv or (*GUEST, str(Keep(machine.directory).home), "--stdio")
        if self._line == "socket":
            argv = (sys.executable, "-c", RELAY, LINE, *argv)
        return KeeperPlan(machine.id, machine.spec, engine=EnginePlan(argv, env, self._line))


@asynccontextmanager
async def started(
    home: Path, provider: LineProvider | None = None
) -> AsyncIterator[tuple[LineProvider, Machine]]:
    provider = provider or LineProvider()
    machine = make_machine(home, provider="line")
    await provider.create(machine)
    try:
        await provider.start(machine, quiet)
        yield provider, machine
    finally:
        with anyio.CancelScope(shield=True):
            await provider.delete(machine)


def computer(provider: LineProvider, machine: Machine) -> Computer:
    return Computer(lambda: provider.channel(machine))


async def said(desk: Computer, command: str) -> str:
    return str((await desk.shell(command)).raise_for_error().data["stdout"])


@pytest.mark.parametrize("line", ["stdio", "socket"])
async def test_clients_share_the_one_line_of_a_real_desk(tmp_path: Path, line: str) -> None:
    with anyio.fail_after(60):
        async with (
            started(tmp_path, LineProvider(line=line)) as (provider, machine),
            computer(provider, machine) as first,
            computer(provider, machine) as second,
        ):
            await first.click(20, 30)
            found = await second.cursor()
            assert (found.x, found.y) == (20, 30)
            data = os.urandom(5_000_000)
            await first.write_bytes("big", data)
            assert await second.read_bytes("big") == data
            shot = await second.screenshot()
            assert (shot.size.width, shot.size.height) == (640, 480)


async def test_a_stopped_machine_of_one_line_leaves_nothing(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with started(tmp_path) as (provider, machine):
            async with computer(provider, machine) as desk:
                pid = int(await said(desk, "echo $PPID"))
            await provider.stop(machine, 10)
            observed = await provider.inspect(machine)
            assert (observed.state, observed.cause) == (State.STOPPED, None)
            assert not Path(f"/proc/{pid}").exists()
            await provider.start(machine, quiet)
            async with computer(provider, machine) as desk:
                assert await said(desk, "echo again") == "again\n"


async def test_a_guest_that_dies_is_told_of_with_its_cause(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with started(tmp_path) as (provider, machine):
            async with computer(provider, machine) as desk:
                with pytest.raises(MachineLost):
                    await desk.shell("kill -9 $PPID", timeout=5)
            keep = Keep(machine.directory)
            await eventually("its keeper ends", lambda: not keep.is_held())
            observed = await provider.inspect(machine)
            assert observed.state is State.ERROR
            assert "SIGKILL" in str(observed.cause)


async def test_a_killed_keeper_takes_the_machine_along(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with started(tmp_path) as (provider, machine):
            async with computer(provider, machine) as desk:
                pid = int(await said(desk, "echo $PPID"))
            record = Keep(machine.directory).read_record()
            assert record is not None
            os.kill(record.pid, 9)
            await eventually("the guest is gone", lambda: not Path(f"/proc/{pid}").exists())
            assert (await provider.inspect(machine)).state is State.ERROR


async def test_an_engine_that_carries_no_guest_does_not_start(tmp_path: Path) -> None:
    provider = LineProvider("/bin/sh", "-c", "echo no such image >&2; exit 4")
    with anyio.fail_after(60), pytest.raises(CarrelError, match="did not start"):
        async with started(tmp_path, provider):
            pass


async def test_while_the_line_is_kept_quiet_clients_wait(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with started(tmp_path) as (provider, machine):
            control = Keep(machine.directory).control
            async with anyio.create_task_group() as tasks:
                answers: list[str] = []

                async def ask() -> None:
                    async with computer(provider, machine) as desk:
                        answers.append(await said(desk, "echo here"))

                async with quiet_line(control):
                    tasks.start_soon(ask)
                    await anyio.sleep(0.3)
                    assert answers == []
            assert answers == ["here\n"]


async def test_the_line_is_quiet_until_the_last_who_wants_it_so_is_gone(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with started(tmp_path) as (provider, machine):
            control = Keep(machine.directory).control
            answers: list[str] = []

            async def ask() -> None:
                async with computer(provider, machine) as desk:
                    answers.append(await said(desk, "echo here"))

            async with anyio.create_task_group() as tasks, AsyncExitStack() as second:
                async with quiet_line(control):
                    tasks.start_soon(ask)
                    await anyio.sleep(0.1)
                    await second.enter_async_context(quiet_line(control))
                tasks.start_soon(ask)
                await anyio.sleep(0.3)
                assert answers == []
            assert answers == ["here\n"] * 2
            for _ in range(20):  # one comes as the other goes
                async with quiet_line(control):
                    pass
            await ask()


async def test_nobody_can_quiet_a_machine_that_does_not_run(tmp_path: Path) -> None:
    with pytest.raises(MachineLost):
        async with quiet_line(tmp_path / "keeper.sock"):
            pass


async def test_a_line_is_found_again_behind_what_was_meant_for_others() -> None:
    """A machine restored from a snapshot hears the middle of somebody else's talk."""
    ours, theirs = memory_pair()
    host, guest = Line(ours), Line(theirs)
    async with ours, theirs:
        await theirs.send(b"\0carrel-line\0A" + b"x" * 16 + b"half a frame \0carrel-li")
        await ours.send(b"\0carrel-line\0G" + b"y" * 16 + os.urandom(100))
        turns = []

        async def answer() -> None:
            turns.append(await guest.answer())

        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(answer)
                mine = await host.call(5)
        async with (
            Connection(mine, initiator=True) as one,
            Connection(turns[0], initiator=False, hello={"who": "guest"}),
        ):
            assert await one.ready() == {"who": "guest"}


async def test_a_guest_in_the_middle_of_a_connection_answers_a_new_call() -> None:
    ours, theirs = memory_pair()
    host, guest = Line(ours), Line(theirs)

    async def serve() -> None:
        while True:
            async with Connection(await guest.answer(), initiator=False, hello={"n": 1}) as turn:
                await turn.wait_closed()

    with anyio.fail_after(20):
        async with ours, theirs, anyio.create_task_group() as tasks:
            tasks.start_soon(serve)
            await host.call(5)  # and nothing more is ever said on this one
            async with Connection(await host.call(5), initiator=True) as connection:
                assert await connection.ready() == {"n": 1}
            tasks.cancel_scope.cancel()


async def test_what_the_caller_says_first_does_not_wait_for_the_other_side_to_begin() -> None:
    ours, theirs = memory_pair()
    host, guest = Line(ours), Line(theirs)
    async with ours, theirs, anyio.create_task_group() as tasks:
        with anyio.fail_after(10):
            heard: list[bytes] = []

            async def answer() -> None:
                turn = await guest.answer()
                heard.append(await turn.receive())
                await turn.send(b"answer")

            tasks.start_soon(answer)
            mine = await host.begin(await host.ring(5), 5)
            await mine.send(b"question")
            assert await mine.receive() == b"answer"
            assert heard == [b"question"]


async def test_a_connection_that_the_other_side_never_begins_breaks() -> None:
    ours, theirs = memory_pair()
    async with ours, theirs:
        turn = await Line(ours).begin(b"n" * 16, 0.3)
        await theirs.send(b"what was meant for somebody else")
        with anyio.fail_after(10), pytest.raises(anyio.BrokenResourceError):
            await turn.receive()


async def test_a_call_nobody_takes_ends_in_time() -> None:
    ours, theirs = memory_pair()
    async with ours, theirs:
        with pytest.raises(TimedOut):
            await Line(ours).call(0.3)


async def test_a_cut_line_is_told_at_both_ends() -> None:
    ours, theirs = memory_pair()
    await theirs.aclose()
    with pytest.raises(MachineLost):
        await Line(ours).call(5)
    with pytest.raises(MachineLost):
        await Line(ours).answer()
    await ours.aclose()


def test_a_guest_whose_only_line_is_cut_ends(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(guest_bundle())}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        guest = subprocess.Popen(
            [*GUEST, tmp_path, "--stdio"], stdin=theirs, stdout=theirs, env=env
        )
    assert guest.wait(30) == 0
