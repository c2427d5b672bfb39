"""The keeper: what it says of a machine is true, also when somebody is killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio import from_thread
from walls import (
    StandInProvider,
    eventually,
    exists,
    first_process,
    make_machine,
    quiet,
    run_inside,
    running,
    use_home,
)

from carrel.errors import MachineLost, RunError, TimedOut, WrongState
from carrel.machines import watch
from carrel.machines.keep import Keep, KeeperPlan, Phase
from carrel.machines.keeper import LISTEN, MODULE
from carrel.machines.linelog import older, unstamped
from carrel.machines.providers import _kept
from carrel.machines.providers._spawn import Spawn
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import Machine
from carrel.machines.state import State
from carrel.stream import Connection, call

pytestmark = [pytest.mark.anyio, pytest.mark.namespace]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_home(tmp_path_factory.getbasetemp(), monkeypatch)


def _record(directory: Path):
    record = Keep(directory).read_record()
    assert record is not None
    return record


async def test_a_started_machine_answers_and_a_stopped_one_leaves_nothing(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            observed = await provider.inspect(machine)
            assert observed.state is State.RUNNING
            assert observed.pid == _record(machine.directory).pid
            inside = first_process(machine)
            groups = [Path(path) for path in _record(machine.directory).cgroups]
            done = await run_inside(provider, machine, "echo", "hello")
            assert done["out"] == "hello\n"
            await provider.stop(machine, grace=5)
            assert not exists(inside)
            assert not any(group.exists() for group in groups)
            assert not Keep(machine.directory).socket.exists()
            stopped = await provider.inspect(machine)
            assert (stopped.state, stopped.cause) == (State.STOPPED, None)


async def test_files_in_the_home_survive_a_stop_and_the_socket_is_private(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            await run_inside(provider, machine, "sh", "-c", "echo kept > ~/file")
            assert Keep(machine.directory).socket.stat().st_mode & 0o777 == 0o600
            assert machine.directory.stat().st_mode & 0o777 == 0o700
            await provider.stop(machine, grace=5)
            await provider.start(machine, quiet)
            done = await run_inside(provider, machine, "cat", "/home/agent/file")
            assert done["out"] == "kept\n"


async def test_starting_twice_is_refused(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            with pytest.raises(WrongState, match="already running"):
                await provider.start(machine, quiet)


async def test_a_killed_keeper_takes_everything_along_and_is_told(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            record = _record(machine.directory)
            below = descendants(record.pid)
            assert len(below) >= 3
            os.kill(record.pid, signal.SIGKILL)
            await eventually("all are gone", lambda: not any(map(exists, below)))
            observed = await provider.inspect(machine)
            assert (observed.state, observed.cause) == (State.ERROR, "the keeper was killed")
            await provider.recover(machine)
            assert not any(Path(path).exists() for path in record.cgroups)
            assert not Keep(machine.directory).socket.exists()
            # Recovering keeps the disk, and the machine starts again.
            await provider.start(machine, quiet)
            assert (await provider.inspect(machine)).state is State.RUNNING


async def test_a_killed_first_process_is_told_and_cleaned_up_after(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            record = _record(machine.directory)
            os.kill(first_process(machine), signal.SIGKILL)
            await eventually("the keeper ends", lambda: not exists(record.pid))
            observed = await provider.inspect(machine)
            assert observed.state is State.ERROR
            assert observed.cause is not None
            assert "SIGKILL" in observed.cause
            assert not any(Path(path).exists() for path in record.cgroups)


async def test_the_cause_a_guest_gives_is_kept(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            transport = await provider.channel(machine)
            async with Connection(transport, initiator=True) as connection:
                with pytest.raises(MachineLost):
                    await call(connection, "die")
            pid = _record(machine.directory).pid
            await eventually("the keeper ends", lambda: not exists(pid))
            observed = await provider.inspect(machine)
            assert (observed.state, observed.cause) == (State.ERROR, "the display died")


async def test_a_guest_that_fails_to_start_is_told_with_its_last_words(home: Path) -> None:
    machine = make_machine(home)
    provider = StandInProvider("/bin/sh", "-c", "echo no display here >&2; exit 4")
    await provider.create(machine)
    with anyio.fail_after(30):
        with pytest.raises(RunError, match="status 4: no display here") as caught:
            await provider.start(machine, quiet)
        assert caught.value.context["console"] == ["no display here"]
        assert caught.value.hint is not None
        assert (await provider.inspect(machine)).state is State.ERROR
        await provider.delete(machine)
    assert not machine.directory.exists()


async def test_a_program_that_is_not_there_is_told(home: Path) -> None:
    machine = make_machine(home)
    provider = StandInProvider("/no/such/program")
    await provider.create(machine)
    with anyio.fail_after(30):
        with pytest.raises(RunError, match="No such file"):
            await provider.start(machine, quiet)
        await provider.delete(machine)


async def test_a_guest_that_never_answers_is_given_up_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_kept.Kept, "start_bound", 1.0)
    machine = make_machine(home)
    provider = StandInProvider("/bin/sleep", "60")
    await provider.create(machine)
    with anyio.fail_after(30):
        with pytest.raises(TimedOut):
            await provider.start(machine, quiet)
        assert (await provider.inspect(machine)).state is State.STOPPED
        assert not any(Path(path).exists() for path in _record(machine.directory).cgroups)
        await provider.delete(machine)


class Planless(StandInProvider):
    def plan(self, machine: Machine) -> KeeperPlan:
        raise RunError("there is no plan")


async def test_a_keeper_that_is_never_told_what_to_do_ends(home: Path) -> None:
    provider, machine = Planless(), make_machine(home)
    await provider.create(machine)
    with anyio.fail_after(30):
        with pytest.raises(RunError, match="there is no plan"):
            await provider.start(machine, quiet)
        await eventually("nobody is left", lambda: not _named(machine.directory))
        assert (await provider.inspect(machine)).state is State.STOPPED
        await provider.delete(machine)


def _named(directory: Path) -> list[str]:
    """Processes with that directory in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended since
            if os.fsencode(directory) in path.read_bytes():
                found.append(path.parent.name)
    return found


async def test_a_cancelled_start_leaves_no_process(home: Path) -> None:
    machine = make_machine(home)
    provider = StandInProvider("/bin/sleep", "60")
    await provider.create(machine)
    keep = Keep(machine.directory)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(provider.start, machine, quiet)
            await eventually("the keeper runs", lambda: keep.record.exists() and keep.is_held())
            tasks.cancel_scope.cancel()
        assert not keep.is_held()
        await provider.delete(machine)


async def test_a_guest_that_ignores_the_request_is_ended_after_the_grace(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            inside = first_process(machine)
            os.kill(descendants(inside)[0], signal.SIGSTOP)
            with anyio.fail_after(5):
                await provider.stop(machine, grace=0.2)
            assert not exists(inside)
            assert (await provider.inspect(machine)).state is State.STOPPED


async def test_stop_kill_and_delete_can_be_repeated(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            await provider.stop(machine, grace=5)
            await provider.stop(machine, grace=5)
            await provider.kill(machine)
            await provider.delete(machine)
            assert not machine.directory.exists()
            await provider.delete(machine)
            await provider.kill(machine)
            assert (await provider.inspect(machine)).state is State.LOST


async def test_a_paused_machine_does_nothing_until_it_is_resumed(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            command = "while :; do date +%N > ~/ticks; done & echo started"
            await run_inside(provider, machine, "sh", "-c", f"({command}) > /dev/null 2>&1")
            ticks = Keep(machine.directory).home / "ticks"
            await eventually("it ticks", lambda: ticks.exists() and ticks.read_text() != "")
            await provider.pause(machine)
            assert (await provider.inspect(machine)).state is State.PAUSED
            before = ticks.stat().st_mtime_ns
            await anyio.sleep(0.2)
            assert ticks.stat().st_mtime_ns == before
            await provider.resume(machine)
            assert (await provider.inspect(machine)).state is State.RUNNING
            await eventually("it goes on", lambda: ticks.stat().st_mtime_ns != before)


async def test_a_paused_machine_can_be_stopped_and_deleted(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            await provider.pause(machine)
            await provider.stop(machine, grace=5)
            assert (await provider.inspect(machine)).state is State.STOPPED
            await provider.start(machine, quiet)
            inside = first_process(machine)
            await provider.pause(machine)
            await provider.delete(machine)
            assert not exists(inside)


async def test_an_interrupted_removal_is_finished_and_strangers_stay(home: Path) -> None:
    provider = StandInProvider()
    machine = make_machine(home)
    await provider.create(machine)
    machines = machine.directory.parent
    stranger = machines / "mac_of_somebody"
    stranger.mkdir()
    doomed = machines / f".deleted-{machine.id}"
    machine.directory.rename(doomed)
    (doomed / "disk" / "work" / "work").mkdir(mode=0)
    other = make_machine(home)
    await provider.create(other)
    removed = await provider.collect(machines, frozenset())
    assert [text for text in removed if machine.id in text]
    assert not doomed.exists()
    assert stranger.is_dir()
    assert other.directory.is_dir()


async def test_a_record_of_another_boot_is_told_as_a_restart(home: Path) -> None:
    provider = StandInProvider()
    machine = make_machine(home)
    await provider.create(machine)
    record = {"pid": 1, "phase": Phase.READY, "started_at": 1.0, "boot": "another"}
    Keep(machine.directory).record.write_text(json.dumps(record))
    observed = await provider.inspect(machine)
    assert (observed.state, observed.cause) == (State.ERROR, "this system was restarted")


async def test_a_damaged_record_is_an_error_with_a_way_out(home: Path) -> None:
    provider = StandInProvider()
    machine = make_machine(home)
    await provider.create(machine)
    Keep(machine.directory).record.write_text('{"pid": ')
    observed = await provider.inspect(machine)
    assert observed.state is State.ERROR
    assert "damaged" in str(observed.cause)
    await provider.delete(machine)
    assert not machine.directory.exists()


async def test_the_console_stays_bounded(home: Path) -> None:
    with anyio.fail_after(60):
        async with running(home) as (provider, machine):
            transport = await provider.channel(machine)
            async with Connection(transport, initiator=True) as connection:
                await call(connection, "say", {"text": "x" * 1000, "times": 9000})
                await call(connection, "say", {"text": "the end", "times": 1})
            console = Keep(machine.directory).console
            await eventually("the end shows", lambda: b"the end" in console.read_bytes()[-100:])
            assert console.stat().st_size < 5 << 20
            assert len(await provider.console(machine)) <= 256 << 10


async def test_a_line_without_an_end_is_cut(home: Path) -> None:
    with anyio.fail_after(60):
        async with running(home) as (provider, machine):
            transport = await provider.channel(machine)
            async with Connection(transport, initiator=True) as connection:
                await call(connection, "say", {"text": "x" * 1000, "times": 9000, "end": ""})
            console = Keep(machine.directory).console
            await eventually("it is cut", lambda: older(console).exists())
            assert all(path.stat().st_size < 5 << 20 for path in (console, older(console)))


async def test_a_long_path_is_no_obstacle(home: Path) -> None:
    deep = home / ("d" * 60) / ("e" * 60)
    with anyio.fail_after(30):
        async with running(deep) as (provider, machine):
            assert len(str(Keep(machine.directory).socket)) > 108
            done = await run_inside(provider, machine, "true")
            assert done["code"] == 0


async def test_metrics_come_from_the_control_groups_and_the_processes(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            before = await provider.metrics(machine)
            if not _record(machine.directory).cgroups:
                assert before.memory_bytes is None
                return
            assert before.memory_bytes is not None
            assert before.memory_bytes > 1_000_000
            assert before.processes is not None
            assert before.processes >= 3
            await run_inside(provider, machine, "python3", "-c", "sum(range(3_000_000))")
            after = await provider.metrics(machine)
            assert after.cpu_seconds is not None
            assert before.cpu_seconds is not None
            assert after.cpu_seconds > before.cpu_seconds
            write = (
                "import os; f = open('big', 'wb'); f.write(bytes(1 << 22)); os.fsync(f.fileno())"
            )
            await run_inside(provider, machine, "python3", "-c", write)
            written = (await provider.metrics(machine)).disk_written_bytes
            assert written is not None
            assert written >= 1 << 22, "also what processes wrote that have ended"
            await provider.stop(machine, 5)
            assert (await provider.metrics(machine)).memory_bytes is None


async def test_nobody_answers_where_no_keeper_is(home: Path) -> None:
    provider = StandInProvider()
    machine = make_machine(home)
    await provider.create(machine)
    assert (await provider.inspect(machine)).state is State.STOPPED
    with pytest.raises(MachineLost):
        await provider.channel(machine)
    assert await provider.console(machine) == ""
    with socket.socket(socket.AF_UNIX) as stale:
        os.chdir(machine.directory)
        stale.bind("guest.sock")
    await provider.recover(machine)
    assert not Keep(machine.directory).socket.exists()


async def test_a_machine_whose_record_is_damaged_is_ended_all_the_same(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            inside = first_process(machine)
            Keep(machine.directory).record.write_text("{ what")
            await provider.kill(machine)
            assert not Keep(machine.directory).is_held()
            assert not exists(inside)


async def test_the_number_of_an_earlier_keeper_is_never_signalled(home: Path) -> None:
    """A keeper holds its lock for an instant before it has written who it is."""
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            keep = Keep(machine.directory)
            async with await anyio.open_process(["sleep", "60"]) as stranger:
                keep.write_record(replace(_record(machine.directory), pid=stranger.pid))
                await provider.kill(machine)
                assert not keep.is_held()
                assert stranger.returncode is None
                assert exists(stranger.pid)
                stranger.kill()


async def test_a_process_that_is_only_called_like_the_keeper_is_not_ended_for_it(
    home: Path,
) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            keep = Keep(machine.directory)
            called = [MODULE, str(machine.directory)]
            words = [sys.executable, "-c", "import time; time.sleep(60)", *called]
            async with await anyio.open_process(words) as stranger:
                # As at its start, when a keeper has not written yet who it is.
                keep.write_record(replace(_record(machine.directory), pid=stranger.pid))
                inside = first_process(machine)
                await provider.kill(machine)
                assert not keep.is_held()
                assert not exists(inside)
                assert stranger.returncode is None
                assert exists(stranger.pid)
                stranger.kill()


class Hesitant(StandInProvider):
    """Has somebody look at a machine when nobody else can start it, and nothing else is done."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False
        self.seen: list[State] = []

    def _spawn(self, spawn: Spawn, machine: Machine) -> None:
        def look() -> socket.socket:
            self.seen.append(from_thread.run(self.inspect, machine).state)
            if self.fails:
                raise RunError("not today")
            return socket.socket(socket.AF_UNIX)

        spawn.start(lambda: self.plan(machine), look)


async def test_a_machine_that_starts_again_is_not_told_as_what_it_was(home: Path) -> None:
    with anyio.fail_after(60):
        async with running(home, provider := Hesitant()) as (_, machine):
            os.kill(_record(machine.directory).pid, signal.SIGKILL)
            held = Keep(machine.directory).is_held
            await eventually("nobody keeps it", lambda: not held())
            await provider.recover(machine)
            # Its record still says that it runs.
            await provider.start(machine, quiet)
            await provider.stop(machine, grace=5)
            await provider.start(machine, quiet)
            assert provider.seen == [State.CREATING] * 3
            await provider.stop(machine, grace=5)
            provider.fails = True
            with pytest.raises(RunError, match="not today"):
                await provider.start(machine, quiet)
            assert (await provider.inspect(machine)).state is State.STOPPED


async def test_a_keeper_holds_no_directory_of_its_caller(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            keeper = _record(machine.directory).pid
            assert Path(f"/proc/{keeper}/cwd").readlink() == Path("/")
            for pid in descendants(keeper):
                with suppress(PermissionError):  # only root may look into all of them
                    assert Path(f"/proc/{pid}/cwd").readlink() != tmp_path


MOODY = """
import anyio, os, socket, sys
from carrel.errors import InvalidInput, Refused, Unsupported
from carrel.stream import Connection
from carrel.stream.transports import socket_stream

answers = [Refused("no"), Unsupported("never heard of it"), InvalidInput("what?"), {"result": {}}]

async def handle(stream):
    answer = answers.pop(0) if len(answers) > 1 else answers[0]
    if isinstance(answer, dict):
        await stream.send_message(answer)
    else:
        raise answer

async def main():
    listener = socket.socket(fileno=int(sys.argv[1]))
    listener.setblocking(False)
    async with anyio.create_task_group() as tasks:
        while True:
            await anyio.wait_readable(listener)
            sock, _ = listener.accept()
            sock.setblocking(False)
            tasks.start_soon(serve, sock)

async def serve(sock):
    async with Connection(socket_stream(sock), initiator=False, handler=handle) as connection:
        await connection.wait_closed()

anyio.run(main)
"""


async def test_a_guest_may_answer_its_keeper_with_any_error(home: Path) -> None:
    provider = StandInProvider("/usr/bin/python3", "-c", MOODY, LISTEN)
    with anyio.fail_after(30):
        async with running(home, provider) as (_, machine):
            assert (await provider.inspect(machine)).state is State.RUNNING
            await provider.stop(machine, grace=5)
            assert (await provider.inspect(machine)).cause is None


async def test_last_words_nested_without_end_are_no_cause_and_no_harm(home: Path) -> None:
    words = "import sys; print('[' * 15000, file=sys.stderr); sys.exit(3)"
    provider = StandInProvider("/usr/bin/python3", "-c", words)
    machine = make_machine(home)
    await provider.create(machine)
    with anyio.fail_after(30):
        try:
            with pytest.raises(RunError, match="ended by itself with status 3"):
                await provider.start(machine, quiet)
            assert "status 3" in str((await provider.inspect(machine)).cause)
        finally:
            await provider.delete(machine)


def test_words_that_cannot_be_written_are_counted_and_do_not_end_the_keeper(tmp_path: Path) -> None:
    console = watch._Console(Path("/dev/full"))
    console.write(b"lost\n")
    console.write(b'{"cause": "no room"}\n')
    assert console.last_words() == "no room"
    console._path = tmp_path / "console.log"
    console.write(b"more\n")
    said = unstamped(console._path.read_bytes())
    assert said == b"keeper: 26 bytes could not be written\nmore\n"
