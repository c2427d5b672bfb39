"""The processes of a start: which they are, what they hold, and what they cannot be taken for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import anyio
import pytest
from walls import (
    StandInProvider,
    eventually,
    first_process,
    make_machine,
    python_inside,
    quiet,
    running,
    use_home,
)

from carrel.codec import decode
from carrel.errors import RunError
from carrel.guest.server_start import SERVERS
from carrel.machines import interpreter
from carrel.machines.keep import Keep, KeeperRecord, Phase
from carrel.machines.keeper import MODULE
from carrel.machines.lifecycle import Machines
from carrel.machines.providers import _kept
from carrel.machines.sandbox.child import Forked
from carrel.machines.sandbox.family import descendants
from carrel.machines.sandbox.launch import TITLE
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.namespace]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_home(tmp_path_factory.getbasetemp(), monkeypatch)


def words(pid: int) -> list[str]:
    return [word for word in Path(f"/proc/{pid}/cmdline").read_text().split("\0") if word]


def links(pid: int) -> dict[int, str]:
    return {int(path.name): str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}


async def test_the_launcher_is_never_taken_for_the_keeper(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            keep = Keep(machine.directory)
            record = keep.read_record()
            assert record is not None
            assert record.guest_pid is not None
            assert words(record.guest_pid) == [TITLE]
            assert not _kept._keeps(str(record.guest_pid), keep)
            assert not _kept._keeps(str(first_process(machine)), keep)
            # Also when the record does not help.
            keep.record.unlink()
            with ExitStack() as stack:
                found = _kept._find_keeper(keep, stack)
                assert found is not None
                assert found.pid == record.pid


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else may look into them")
async def test_no_descriptor_of_the_keeper_is_open_in_its_copies(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            record = Keep(machine.directory).read_record()
            assert record is not None
            assert record.guest_pid is not None
            for pid in (record.guest_pid, first_process(machine)):
                held = links(pid)
                assert set(held) == {0, 1, 2}, held
                assert held[0] == "/dev/null"
                assert held[1].startswith("pipe:")


async def test_process_1_shows_no_path_of_the_host(home: Path) -> None:
    code = "print(open('/proc/1/cmdline').read().replace(chr(0), ' ').strip())"
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            assert await python_inside(provider, machine, code) == TITLE


async def test_no_secret_of_the_caller_is_in_the_memory_of_process_1_or_the_keeper(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "hunter2-and-more")
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            record = Keep(machine.directory).read_record()
            assert record is not None
            assert b"hunter2" not in Path(f"/proc/{record.pid}/environ").read_bytes()
            if os.geteuid() == 0:
                for pid in (record.pid, first_process(machine)):
                    assert not _in_memory(pid, b"hunter2-and-more")


def _in_memory(pid: int, needle: bytes) -> bool:
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            start, end = (int(each, 16) for each in line.split()[0].split("-"))
            if "rw" not in line.split()[1] or "[v" in line:
                continue
            memory.seek(start)
            if needle in memory.read(end - start):
                return True
    return False


async def test_a_record_is_there_before_the_keeper_has_its_orders(home: Path) -> None:
    """So that what was made for it is found again, whoever is killed."""
    machine = make_machine(home)
    provider = StandInProvider("/bin/sleep", "60")
    await provider.create(machine)
    keep, seen = Keep(machine.directory), machine.directory / "seen"
    # It says what it finds at the moment its orders come, and dies.
    script = f"echo no interpreter >&2; head -c 1 > /dev/null; cp {keep.record} {seen}"
    with pytest.MonkeyPatch.context() as patch, anyio.fail_after(30):
        patch.setattr(interpreter, "command", lambda *_: ["/bin/sh", "-c", script])
        with pytest.raises(RunError, match="its keeper died") as refused:
            await provider.start(machine, quiet)
    assert refused.value.context["console"] == ["no interpreter"]
    record = keep.read_record()
    assert record is not None
    await eventually("it has looked", lambda: seen.exists() and seen.read_text() != "")
    assert record == decode(KeeperRecord, json.loads(seen.read_text()))
    assert record.phase is Phase.STARTING
    assert not any(Path(path).exists() for path in record.cgroups)
    assert not keep.is_held()
    assert not keep.socket.exists()
    await provider.delete(machine)


async def test_a_keeper_killed_while_it_starts_leaves_nothing(home: Path) -> None:
    provider, killed = StandInProvider(), 0
    with anyio.fail_after(120):
        for turn in range(6):
            machine = make_machine(home)
            await provider.create(machine)
            keep = Keep(machine.directory)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_kill_keeper, machine.directory, turn * 0.015)
                try:
                    await provider.start(machine, quiet)
                except RunError:
                    record = keep.read_record()
                    assert record is not None
                    assert (await provider.inspect(machine)).state is State.ERROR
                    assert not any(Path(path).exists() for path in record.cgroups)
                    assert not keep.socket.exists()
                    killed += 1
            await provider.delete(machine)
    assert killed


async def _kill_keeper(directory: Path, later: float) -> None:
    """Kill it some time after it was given the machine's lock."""
    keep = Keep(directory)
    while not (keep.is_held() and keep.socket.exists()):  # noqa: ASYNC110 (not ours)
        await anyio.sleep(0.001)
    await anyio.sleep(later)
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if MODULE.encode() in words and os.fsencode(directory) in words:
                os.kill(int(path.parent.name), signal.SIGKILL)


async def test_a_keeper_is_as_urgent_as_others_soon_after_its_start(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            record = Keep(machine.directory).read_record()
            assert record is not None
            urgency = Path(f"/proc/{record.pid}/autogroup")
            if not urgency.exists():
                pytest.skip("this kernel does not share out processors by sessions")
            await eventually("it is", lambda: urgency.read_text().endswith("nice 0\n"))


REFUSED = """
import os, sys, anyio
from pathlib import Path
from carrel.machines.sandbox._libc import Namespace, unshare

uid, gid = os.geteuid(), os.getegid()
unshare(Namespace.USER)
Path('/proc/self/setgroups').write_text('deny')
Path('/proc/self/uid_map').write_text(f'1000 {uid} 1')
Path('/proc/self/gid_map').write_text(f'1000 {gid} 1')
Path('/proc/sys/user/max_user_namespaces').write_text('0')

from walls import StandInProvider, make_machine, quiet
from carrel.errors import RunError
from carrel.guest.server_start import SERVERS

async def main():
    provider = StandInProvider()
    health = await provider.probe()
    machine = make_machine(Path(sys.argv[1]))
    await provider.create(machine)
    try:
        await provider.start(machine, quiet)
    except RunError as error:
        print(health.reason in error.message, health.fix == error.hint, error.hint)

anyio.run(main)
"""


def test_a_start_that_fails_is_diagnosed_as_the_probe_does(tmp_path: Path) -> None:
    """A real refusal: a user namespace that may have no more of them below."""
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-P", "-c", REFUSED, str(tmp_path)],
        env={**os.environ, "CARREL_HOME": str(tmp_path), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
    )
    told = "True True sudo sysctl user.max_user_namespaces=65536\n"
    assert done.stdout == told, done.stdout + done.stderr


async def test_a_keeper_that_cannot_even_load_is_told(home: Path) -> None:
    machine = make_machine(home)
    provider = StandInProvider()
    await provider.create(machine)
    with pytest.MonkeyPatch.context() as patch, anyio.fail_after(30):
        broken = [sys.executable, "-c", "raise SystemExit(3)"]
        patch.setattr(interpreter, "command", lambda *_: broken)
        with pytest.raises(RunError, match="its keeper died"):
            await provider.start(machine, quiet)
    assert not Keep(machine.directory).is_held()
    await provider.delete(machine)


def test_what_a_machines_start_waits_for_is_light() -> None:
    heavy = "{'typing', 'collections', 'enum', 're', 'json', 'dataclasses', 'socket', 'subprocess'}"
    code = f"import sys, carrel.machines.keeper; print(sorted({heavy} & set(sys.modules)))"
    command = interpreter.command("carrel.machines.keeper")
    start = command[command.index("-c") + 1].partition("; from ")[0]
    done = subprocess.run(
        [*command[: command.index("-c")], "-c", f"{start}; {code}"],
        env=interpreter.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_forked_child_is_reaped_once_and_never_signalled_after() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    child = Forked(pid)
    assert child.wait() == 7
    assert child.poll() == 7
    child.send_signal(9)
    child.kill()
    assert child.returncode == 7


@pytest.mark.desktop
@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else may look into them")
async def test_the_x_server_of_a_desk_is_started_ahead_and_has_nothing_of_the_guests(
    home: Path, tmp_path: Path
) -> None:
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(120):
        made = await machines.up("desk", MachineSpec(provider="namespace", image="host"))
        try:
            first = first_process(made.machine)
            (guest,) = (pid for pid in descendants(first) if "--listen-fd" in words(pid))
            told = words(guest)
            number, _, _, program, _ = told[told.index("--started") + 1].split(":", 4)
            assert program in SERVERS
            (server,) = (pid for pid in descendants(guest) if words(pid)[:1] == [program])
            status = Path(f"/proc/{server}/status").read_text().splitlines()
            assert next(each for each in status if each.startswith("NSpid:")).split()[-1] == number
            listening = links(guest)[int(told[told.index("--listen-fd") + 1])]
            assert listening not in links(server).values()
        finally:
            with anyio.CancelScope(shield=True):
                await machines.delete("desk")
