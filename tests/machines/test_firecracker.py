"""Firecracker's machines, truly booted behind a stand-in for it that keeps to its rules."""

from __future__ import annotations

import os
import signal
import stat
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import anyio
import pytest
from engine_desks import require_conformance, said, with_a_desk
from fake_firecracker import install
from firecracker_fixtures import put_on_path, require_qemu
from walls import eventually, exists

from carrel.errors import MachineLost, NotFound, RunError, Unavailable, WrongState
from carrel.geometry import Size
from carrel.machines.firecracker.figures import PIPE
from carrel.machines.firecracker.hybrid import LINE_PORT, WORDS_PORT, dial
from carrel.machines.firecracker.log import LOG
from carrel.machines.firecracker.orders import read_orders
from carrel.machines.firecracker.place import Kept, Place
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.providers import firecracker
from carrel.machines.providers.firecracker import FirecrackerProvider
from carrel.machines.qemu.disks import base_disk
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from thorough import FULL

pytestmark = pytest.mark.anyio

SPEC = MachineSpec(provider="firecracker", size=Size(800, 600), memory_mb=512)
LISTEN = (
    "import socket\n"
    "def can(port):\n"
    "    try: socket.socket(socket.AF_VSOCK).bind((socket.VMADDR_CID_ANY, port))\n"
    "    except PermissionError: return False\n"
    "    return True\n"
    f"print(can({LINE_PORT}), can({WORDS_PORT}))"
)
at_length = pytest.mark.skipif(not FULL, reason="takes minutes under TCG: make test FULL=1")


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_qemu()
    programs = tmp_path / "bin"
    programs.mkdir()
    return put_on_path(programs, monkeypatch)


def machines(home: Path) -> AbstractAsyncContextManager[Machines]:
    return with_a_desk(home, SPEC)


def family(machine_directory: Path) -> list[int]:
    """Every process of a running machine."""
    record = Keep(machine_directory).read_record()
    assert record is not None
    return [record.pid, *descendants(record.pid)]


@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
async def test_a_machine_boots_is_used_kept_restored_and_deleted(
    tmp_path: Path, stand_in: Path
) -> None:
    with anyio.fail_after(600):
        async with machines(tmp_path / "home") as made:
            machine = made.store.get("desk")
            assert "agent" in await said(made, "desk", "id; uname -r; df -h /")
            async with made.computer("desk") as computer:
                frame = await computer.screenshot()
                assert frame.size == Size(800, 600)
                await computer.start_process("sh", "-c", "while :; do sleep 0.1; done")
                await computer.write_file("note", "before")

            await made.pause("desk")
            assert (await made.status("desk")).observed.state is State.PAUSED
            await made.resume("desk")
            assert (await made.status("desk")).observed.state is State.RUNNING
            _standing, used = await made.metrics("desk")
            assert used.memory_bytes is not None
            assert used.memory_bytes > 100 << 20
            # What its disks moved is Firecracker's own figure, of this moment.
            assert used.disk_read_bytes is not None
            assert used.disk_read_bytes > 10 << 20
            await said(made, "desk", "head -c 5000000 /dev/urandom > filled; sync filled")
            _standing, more = await made.metrics("desk")
            assert (more.disk_written_bytes or 0) >= (used.disk_written_bytes or 0) + 5_000_000
            assert stat.S_ISFIFO((Place(machine).root / PIPE).stat().st_mode)

            # What Firecracker says is on the console, which is bounded, and in no file of its own.
            with (Place(machine).root / LOG).open("a") as log:
                log.write("[WARN] as it is\n")
            words = "firecracker: [WARN] as it is"
            console = Keep(machine.directory).console
            await eventually(words, lambda: words in console.read_text(errors="replace"), 60)
            assert stat.S_ISFIFO((Place(machine).root / LOG).stat().st_mode)

            # Whoever is jailed can read what it is given; its image stays what it was made from.
            orders = read_orders(Place(machine).orders)
            shared = {name: path for name, path in orders.files.items() if name not in orders.own}
            assert all(Path(path).stat().st_mode & 0o004 for path in shared.values()), shared
            assert shared["image"] == str(base_disk(resolve_image("desktop")))
            assert Keep(machine.directory).read_plan().tree == str(resolve_image("desktop").rootfs)

            # By vsock, where there is such a device: nobody but root listens where process 1 does.
            assert await said(made, "desk", f'python3 -c "{LISTEN}"') == "True False\n"

            # Of a snapshot that cannot be written nothing is left, and the machine goes on.
            (Place(machine).root / "kept.memory").symlink_to("/dev/full")
            with pytest.raises(RunError, match="Firecracker refused /snapshot/create"):
                await made.snapshot("desk", "never")
            assert await made.snapshots("desk") == ()
            assert not list(Place(machine).snapshots.iterdir())

            # A snapshot holds what runs, too, and the machine goes on behind it.
            await made.snapshot("desk", "morning")
            assert await made.snapshots("desk") == ("morning",)
            assert await said(made, "desk", "cat note; echo after > note") == "before"
            with pytest.raises(NotFound, match="no snapshot 'evening'") as none:
                await made.restore("desk", "evening")
            assert none.value.hint == "there is morning"
            before = family(machine.directory)
            await made.restore("desk", "morning")
            assert not any(map(exists, before))
            assert await said(made, "desk", "cat note") == "before"
            assert "while :" in await said(made, "desk", "ps ax -o args")
            assert abs(float(await said(made, "desk", "date +%s")) - time.time()) < 60
            assert len(await said(made, "desk", "cat /etc/machine-id")) == 33

            # What it woke up in can be deleted: it has that open, and goes on.
            await made.delete_snapshot("desk", "morning")
            assert list(Place(machine).snapshots.iterdir()) == []
            assert await made.snapshots("desk") == ()
            assert await said(made, "desk", "cat note") == "before"
            assert "while :" in await said(made, "desk", "ps ax -o args")

            # What nobody in the machine needs any more is not there for anybody.
            assert not list(Place(machine).root.glob("wake*"))
            assert not list(Place(machine).root.glob("kept*"))

            # Whoever holds it is gone, and all of it with that.
            processes = family(machine.directory)
            assert len(processes) >= 4
            os.kill(processes[0], signal.SIGKILL)
            await eventually("all ended", lambda: not any(map(exists, processes)), 60)
            assert (await made.status("desk")).observed.state is State.ERROR
            with pytest.raises(MachineLost):
                await FirecrackerProvider().pause(machine)
            with pytest.raises(WrongState):
                await made.pause("desk")
        assert not machine.directory.exists()


@at_length
@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
@pytest.mark.parametrize("jailed", [True, False])
async def test_copies_go_their_own_way_in_jails_and_without(
    tmp_path: Path, stand_in: Path, monkeypatch: pytest.MonkeyPatch, jailed: bool
) -> None:
    if jailed and os.geteuid() != 0:
        pytest.skip("only root can make a jail")
    if not jailed:
        for module in ("firecracker.place", "firecracker.trial", "providers.firecracker"):
            monkeypatch.setattr(f"carrel.machines.{module}.is_jailed", lambda: False)
    with anyio.fail_after(900):
        async with machines(tmp_path / "home") as made:
            await said(made, "desk", "echo before > note; (while :; do sleep 0.1; done) & true")
            names = ["copy-1", "copy-2"]
            forked = await made.fork("desk", names)
            assert [standing.observed.state for standing in forked] == [State.RUNNING] * 2
            every = ("desk", *names)
            for name in names:
                assert await said(made, name, f"cat note; echo {name} > note") == "before\n"
            notes = {name: await said(made, name, "cat note") for name in every}
            assert notes == {"desk": "before\n", "copy-1": "copy-1\n", "copy-2": "copy-2\n"}
            for command in ("cat /etc/machine-id", "hostname", "head -c 16 /dev/urandom | od -x"):
                assert len({await said(made, name, command) for name in every}) == 3, command
            # The memory that they woke up in is nobody's file any more.
            for name in every:
                directory = made.store.get(name).directory
                assert not list(directory.glob("fork*"))
                assert not list(Place(made.store.get(name)).root.glob("*memory*"))
            # A copy of a copy; the machine that was copied may go, and files outlive a stop.
            await made.delete("desk")
            await made.fork("copy-1", ["third"])
            assert await said(made, "third", "cat note") == "copy-1\n"
            await made.stop("copy-1")
            await made.up("copy-1")
            assert await said(made, "copy-1", "cat note") == "copy-1\n"


@at_length
@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.image
async def test_firecracker_passes_the_conformance_suite(stand_in: Path) -> None:
    with anyio.fail_after(1800):
        await require_conformance("firecracker", SPEC)


async def test_the_probe_runs_a_guest_of_a_few_instructions(stand_in: Path) -> None:
    with anyio.fail_after(120):
        health = await FirecrackerProvider().probe()
    assert health.usable, health
    assert "Firecracker 1.16 ran a guest's instructions" in health.reason


async def test_without_firecracker_the_probe_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CARREL_FIRECRACKER", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    health = await FirecrackerProvider().probe()
    assert not health.usable
    assert health.reason == "firecracker is not installed"
    assert "github.com/firecracker-microvm/firecracker" in str(health.fix)


async def test_a_firecracker_that_runs_nothing_makes_no_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))
    program = tmp_path / "firecracker"
    program.write_text("#!/bin/sh\n[ $1 = --version ] && echo Firecracker v1.14.0\n")
    for name in ("firecracker", "jailer"):
        (tmp_path / name).write_text(program.read_text())
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("CARREL_FIRECRACKER", str(program))
    made = Machines(Store(tmp_path / "home"))
    with anyio.fail_after(120):
        with pytest.raises(Unavailable, match="Firecracker ran no guest"):
            await made.up("desk", SPEC)
        assert await made.list() == ()
    assert not list((tmp_path / "home/machines").glob("mac_*"))


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("exit 1", "ended at once with status 1"),
        # As where the processor's virtualization cannot be used: it starts, and then does not.
        ('"$real" "$@" | sed /carrel/d', "its guest did not speak"),
    ],
)
async def test_a_firecracker_that_runs_nothing_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, reason: str
) -> None:
    require_qemu()
    (install(tmp_path) / "firecracker").rename(tmp_path / "firecracker.real")
    program = tmp_path / "firecracker"
    script = f'real={program}.real\n[ "$1" != --version ] || exec "$real" --version\n{broken}\n'
    program.write_text(f"#!/bin/sh\n{script}")
    program.chmod(0o755)
    monkeypatch.setenv("CARREL_FIRECRACKER", str(program))
    with anyio.fail_after(120):
        health = await FirecrackerProvider().probe()
    assert not health.usable
    assert reason in health.reason
    assert "--provider qemu" in str(health.fix) or "/dev/kvm" in str(health.fix)


async def test_a_machine_is_told_the_time_after_it_was_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []

    @asynccontextmanager
    async def quiet(_: Path) -> AsyncIterator[None]:
        yield

    async def ask(_: Machine, wish: Wish) -> None:
        happened.append(str(wish.body["state"]))

    def say(_: Machine, *words: str) -> None:
        happened.extend(word.split()[0] for word in words)

    monkeypatch.setattr(firecracker, "quiet_line", quiet)
    monkeypatch.setattr(firecracker, "_ask", ask)
    monkeypatch.setattr(firecracker, "_say", say)
    monkeypatch.setattr(firecracker, "_write", lambda *_: happened.append("written"))
    machine = Machine("mac_0", "desk", SPEC, tmp_path, 0.0)
    async with firecracker._halted_for(machine, Kept(tmp_path / "kept")):
        happened.append("still halted")
    assert happened == ["Paused", "written", "still halted", "Resumed", "clock"]


@pytest.mark.image
async def test_a_machine_that_does_not_run_cannot_be_asked_anything(tmp_path: Path) -> None:
    made = Store(tmp_path)
    provider = FirecrackerProvider()
    machine = made.add("desk", SPEC)
    await provider.create(machine)
    assert (await provider.metrics(machine)).memory_bytes is None
    assert (await provider.inspect(machine)).state is State.STOPPED
    assert await provider.snapshots(machine) == ()
    for wish in (provider.pause, provider.resume):
        with pytest.raises(MachineLost, match="not running"):
            await wish(machine)
    with pytest.raises(RunError):
        await provider.snapshot(machine, "label")
    with pytest.raises(MachineLost):
        dial(tmp_path, WORDS_PORT, 1)
    await provider.delete(machine)
    await provider.delete(machine)
    assert not machine.directory.exists()
