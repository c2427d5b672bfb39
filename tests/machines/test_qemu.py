"""Virtual machines: the suite, what a stop keeps, and machines kept and copied while they live."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import anyio
import pytest
from anyio import to_thread
from engine_desks import require_passed
from vnc_viewer import Rejected, look
from walls import eventually

from carrel.errors import (
    CarrelError,
    MachineLost,
    NotFound,
    RunError,
    Unavailable,
    Unsupported,
)
from carrel.geometry import Size
from carrel.machines.check import run_checks
from carrel.machines.check.subject import CHECKS
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines, Standing
from carrel.machines.paths import data_home
from carrel.machines.providers.qemu import QemuProvider
from carrel.machines.qemu.accelerator import find_accelerator
from carrel.machines.qemu.attune import program
from carrel.machines.qemu.command import Place
from carrel.machines.qemu.disks import base_disk, disk_size
from carrel.machines.qemu.kernel import Kernel, get_kernel
from carrel.machines.qemu.monitor import Monitor, monitor_socket
from carrel.machines.qemu.prototype import likeness
from carrel.machines.qemu.template import Template, is_copy
from carrel.machines.qemu.waking import parts, write_state
from carrel.machines.qemu.words import Introduction
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image]

DRAW = "head -c 16 /dev/urandom | od -x"
SPEC = MachineSpec(provider="qemu", size=Size(1024, 768), memory_mb=1024)


@pytest.fixture(autouse=True, scope="module")
def qemu() -> None:
    try:
        find_accelerator()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


@asynccontextmanager
async def machines(home: Path, spec: MachineSpec = SPEC) -> AsyncIterator[Machines]:
    """A store of its own, with one running machine called `desk`."""
    made = Machines(Store(home))
    try:
        await made.up("desk", spec)
        yield made
    finally:
        with anyio.CancelScope(shield=True):
            for standing in await made.list():
                await made.delete(standing.machine.name)


async def said(made: Machines, name: str, command: str) -> str:
    async with made.computer(name) as computer:
        return str((await computer.shell(command)).raise_for_error().data["stdout"])


MANY_STARTS = {
    "a_stopped_machine_cannot_be_used",
    "a_killed_machine_is_told_truly",
    "a_deleted_snapshot_is_gone_and_no_other",
    "delete_leaves_nothing",
    "a_name_can_be_used_again",
    "two_makers_make_one",
}


@pytest.mark.parametrize("again_and_again", [False, True])
async def test_qemu_passes_the_conformance_suite(
    monkeypatch: pytest.MonkeyPatch, again_and_again: bool
) -> None:
    if again_and_again and not FULL:
        pytest.skip(f"{len(MANY_STARTS)} checks take two minutes under TCG: make test FULL=1")
    these = [check for check in CHECKS if (check.id in MANY_STARTS) is again_and_again]
    monkeypatch.setattr("carrel.machines.check.run.CHECKS", these)
    with anyio.fail_after(900):
        results = [result async for result in run_checks("qemu", SPEC)]
    for result in results:
        print(f"{result.outcome:8}{result.seconds:6.2f} s  {result.title}  {result.detail}")
    require_passed("qemu", results)
    assert len(results) >= (len(MANY_STARTS) if again_and_again else 35)


async def test_kept_and_copied_each_goes_its_own_way(tmp_path: Path) -> None:
    with anyio.fail_after(400):
        async with machines(tmp_path) as made:
            machine = made.store.get("desk")
            assert "20G" in await said(made, "desk", "df -h / | tail -1")
            sizes = disk_size(Place(machine).layer)
            assert sizes.logical == 20 << 30
            assert sizes.real < 1 << 30, "what is not written takes no room"

            # A snapshot holds what runs, too.
            async with made.computer("desk") as computer:
                await computer.start_process("sh", "-c", "while :; do sleep 0.1; done")
                await computer.write_file("note", "before")
            await to_thread.run_sync(_fail_to_write_its_state, Place(machine).monitor)
            await made.snapshot("desk", "morning")
            assert await said(made, "desk", "cat note; echo after > note") == "before"
            assert await made.snapshots("desk") == ("morning",)
            with pytest.raises(NotFound, match="no snapshot 'evening'"):
                await made.restore("desk", "evening")
            assert await said(made, "desk", "cat note") == "after\n"
            await made.restore("desk", "morning")
            assert await said(made, "desk", "cat note") == "before"
            drawn = await said(made, "desk", DRAW)
            await made.restore("desk", "morning")
            assert await said(made, "desk", DRAW) != drawn, "chance is not repeated"
            # Only that start woke up in it.
            await said(made, "desk", "echo later > later; sync")
            assert not list(machine.directory.glob("wake*"))
            assert "while :" in await said(made, "desk", "ps ax -o args")

            # A copy that cannot be made leaves none, and the machine as it was.
            with pytest.raises(CarrelError), _no_room_for_the_last_disk():
                await made.fork("desk", ["copy-1", "copy-2"])
            assert [standing.machine.name for standing in await made.list()] == ["desk"]
            assert await said(made, "desk", "cat note") == "before"

            # Copies begin as the machine is, and are machines of their own from then on.
            names = ["copy-1", "copy-2"]
            forked = await _fork_while_others_tidy_up(made, "desk", names)
            assert [standing.observed.state for standing in forked] == [State.RUNNING] * 2
            for name in names:
                assert "while :" in await said(made, name, "ps ax -o args")
                assert await said(made, name, f"cat note; echo {name} > note") == "before"
            # What one gives back is not taken from another.
            await said(made, "copy-1", "head -c 200M /dev/zero > /tmp/big; rm /tmp/big; sleep 3")
            assert "while :" in await said(made, "copy-2", "ps ax -o args")
            every = ("desk", *names)
            notes = {name: await said(made, name, "cat note") for name in every}
            assert notes == {"desk": "before", "copy-1": "copy-1\n", "copy-2": "copy-2\n"}
            for command in ("cat /etc/machine-id", "hostname", DRAW):
                assert len({await said(made, name, command) for name in every}) == 3, command
            clock = "cat /sys/devices/system/clocksource/clocksource0/current_clocksource"
            assert await said(made, "copy-1", clock) in ("tsc\n", "kvm-clock\n"), "no lost ticks"
            for name in every:
                behind = anyio.current_time()
                now = float(await said(made, name, "date +%s"))
                assert abs(now - _now()) < 30 + anyio.current_time() - behind

            # The machine that was copied may go; a copy can be copied in turn.
            await made.delete("desk")
            await made.fork("copy-2", ["copy-3"])
            assert await said(made, "copy-3", "cat note; echo copy-3 > note") == "copy-2\n"
            assert "while :" in await said(made, "copy-3", "ps ax -o args")
            assert await said(made, "copy-2", "cat note") == "copy-2\n"

            # Of one that was copied, a snapshot holds everything, too.
            await made.snapshot("copy-1", "noon")
            await said(made, "copy-1", "echo lost > note")
            await made.restore("copy-1", "noon")
            assert "while :" in await said(made, "copy-1", "ps ax -o args")

            # It keeps its files over a stop.
            await made.stop("copy-1")
            await made.up("copy-1")
            assert await said(made, "copy-1", "cat note") == "copy-1\n"


@contextmanager
def _no_room_for_the_last_disk() -> Iterator[None]:
    from carrel.machines.providers import qemu as provider

    copy_disk, copied = provider._copy_disk, []

    def copy(machine: Machine, target: Machine) -> None:
        copied.append(target)
        if len(copied) > 1:
            raise OSError(errno.ENOSPC, "No space left on device", str(target.directory))
        copy_disk(machine, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provider, "_copy_disk", copy)
        yield


async def _fork_while_others_tidy_up(
    made: Machines, name: str, names: list[str]
) -> tuple[Standing, ...]:
    """Fork, while another command clears away what nobody finishes."""
    async with anyio.create_task_group() as tasks:

        async def tidy() -> None:
            while True:
                assert await Machines(Store(made.store.home)).reconcile() == ()
                await anyio.sleep(0.05)

        tasks.start_soon(tidy)
        forked = await made.fork(name, names)
        tasks.cancel_scope.cancel()
    return forked


def _fail_to_write_its_state(monitor: str) -> None:
    """What is kept later must not be the less for it."""
    with Monitor(monitor) as qemu, Path("/dev/full").open("wb") as full:
        with pytest.raises(RunError, match="could not write"):
            write_state(qemu, full.fileno(), memory=False)
        qemu.ask("cont")


def _now() -> float:
    import time

    return time.time()


async def test_a_machine_begins_where_the_last_of_its_kind_had_come_to(tmp_path: Path) -> None:
    with anyio.fail_after(400):
        async with machines(tmp_path) as made:
            await made.up("next", SPEC)
            every = ("desk", "next")
            for command in ("cat /etc/machine-id", "hostname", DRAW):
                assert len({await said(made, name, command) for name in every}) == 2, command
            assert abs(float(await said(made, "next", "date +%s")) - _now()) < 30
            # Its programs have not started anew: they lie where they lay.
            started = "grep stack /proc/$(pgrep -o Xvfb)/maps"
            assert await said(made, "next", started) == await said(made, "desk", started)


@pytest.mark.skipif(not FULL, reason="three starts from the beginning: make test FULL=1")
async def test_only_new_machines_begin_elsewhere_and_only_where_one_can(tmp_path: Path) -> None:
    with anyio.fail_after(400):
        async with machines(tmp_path) as made:
            await made.up("next", SPEC)
            await made.delete("desk")
            started = "grep stack /proc/$(pgrep -o Xvfb)/maps"

            # One that was started before keeps what it has, however its first start ended.
            await said(made, "next", "echo mine > note")
            await made.stop("next")
            Place(made.store.get("next")).grown.unlink()
            await made.up("next")
            assert await said(made, "next", "cat note") == "mine\n"

            # What cannot be woken up in is not used again.
            kind = likeness(made.store.get("next"), resolve_image("desktop"), _kernel())
            kept = data_home() / "prototypes" / str(kind)
            (kept / "state").write_bytes(b"nothing")
            await made.up("other", SPEC)
            assert await said(made, "other", "hostname") == "other\n"
            assert await said(made, "other", started) != await said(made, "next", started)
            assert (kept / "state").read_bytes() != b"nothing"


def _kernel() -> Kernel:
    return get_kernel(lambda stage, share: None)


async def test_a_whole_pc_shows_its_own_screen_to_who_knows_the_password(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        async with machines(tmp_path, replace(SPEC, kind="q35")) as made:
            assert await said(made, "desk", "hostname") == "desk\n"
            first, url = await made.vnc_url("desk"), await made.vnc_url("desk")
            assert urlsplit(url).hostname == "127.0.0.1"
            picture = await to_thread.run_sync(look, url)
            assert not picture.is_blank
            with pytest.raises(Rejected):
                await to_thread.run_sync(look, first)


async def test_kinds_of_computers_are_refused_by_who_does_not_know_them(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    with pytest.raises(Unsupported, match="no computers of kind 'q36'") as refused:
        await made.up("desk", replace(SPEC, kind="q36"))
    assert refused.value.hint == "it knows microvm and q35"
    with pytest.raises(Unsupported, match="namespace provider has no computers of kind"):
        await made.up("desk", MachineSpec(kind="q35"))
    assert await made.list() == ()


async def test_what_a_machine_was_told_is_not_for_others(tmp_path: Path) -> None:
    machine = Store(tmp_path).add("desk", replace(SPEC, env={"KEY": "value"}))
    image, kernel = resolve_image("desktop"), _kernel()
    assert likeness(machine, image, kernel) is None
    specs = (SPEC, replace(SPEC, memory_mb=2048))
    kinds = {likeness(replace(machine, spec=spec), image, kernel) for spec in specs}
    assert len(kinds) == 2


async def test_a_killed_keeper_takes_its_virtual_machine_along(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        async with machines(tmp_path) as made:
            machine = made.store.get("desk")
            await made.pause("desk")
            assert (await made.status("desk")).observed.state is State.PAUSED
            await made.resume("desk")
            _, used = await made.metrics("desk")
            assert used.memory_bytes is not None
            assert used.memory_bytes > 100 << 20
            assert (await made.balloon("desk", 800)).now_mb == 800
            (note,) = (await made.status("desk")).observed.notes
            assert note.startswith("it has 800 MB of its 1024 MB of memory")
            assert (await made.balloon("desk", 1024)).now_mb == 1024
            record = Keep(machine.directory).read_record()
            assert record is not None
            os.kill(record.pid, 9)
            assert record.guest_pid is not None
            engine = Path(f"/proc/{record.guest_pid}")
            await eventually("no QEMU", lambda: not engine.exists(), 20)
            assert (await made.status("desk")).observed.state is State.ERROR
            assert not Path(Place(machine).monitor).exists()


async def test_a_machine_is_reached_from_any_environment_and_wherever_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Commas mean something to QEMU, and a socket's address is shorter than this path.
    home = tmp_path / f"a,b={'long' * 20}"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with anyio.fail_after(300):
        async with machines(home) as made:
            monkeypatch.delenv("XDG_RUNTIME_DIR")
            monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
            await made.pause("desk")
            assert (await made.status("desk")).observed.state is State.PAUSED
            await made.resume("desk")
            await made.snapshot("desk", "noon")
            await said(made, "desk", "echo note > note")
            await made.restore("desk", "noon")
            await made.fork("desk", ["copy"])
            assert await said(made, "copy", "cat note 2> /dev/null || echo none") == "none\n"


def test_only_root_has_the_kernel_draw_new_chance(tmp_path: Path) -> None:
    attune = tmp_path / "attune"
    attune.write_bytes(program())
    attune.chmod(0o755)
    with subprocess.Popen([attune], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):  # it stays until there is nobody to tell it anything
            process.stdin.write(b"0\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"%d\n" % (os.geteuid() != 0)
        process.stdin.close()
        assert process.wait(60) == 0


def test_an_image_becomes_a_disk_once() -> None:
    image = resolve_image("desktop")
    disk = base_disk(image)
    made = disk.stat().st_mtime_ns
    assert base_disk(image) == disk
    assert disk.stat().st_mtime_ns == made


def test_a_monitor_tells_what_qemu_refuses(tmp_path: Path) -> None:
    import subprocess

    from carrel.machines.qemu.accelerator import find_qemu

    words = [find_qemu(), "-M", "none", "-nodefaults", "-display", "none", "-S"]
    where = tmp_path / "qmp"
    with subprocess.Popen([*words, "-qmp", f"unix:{where},server=on,wait=off"]) as process:
        try:
            with Monitor(str(where)) as qemu:
                assert qemu.ask("query-status") == {
                    "running": False,
                    "singlestep": False,
                    "status": "prelaunch",
                }
                with pytest.raises(RunError, match="has not been found"):
                    qemu.ask("make-coffee")
                qemu.ask("quit")
        finally:
            process.kill()


async def test_a_machine_without_an_engine_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find_accelerator.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        health = await QemuProvider().probe()
    finally:
        find_accelerator.cache_clear()
    assert not health.usable
    assert "apt-get install qemu-system-x86" in str(health.fix)


async def test_an_accelerator_that_runs_nothing_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It opens its device and starts, as many do in a container, and then runs no instruction.
    real = find_accelerator()
    from carrel.machines.qemu import accelerator

    fake = tmp_path / "qemu-system-x86_64"
    fake.write_text(
        f'#!/bin/sh\ncase "$*" in *"-accel kvm"*) echo "failed to set MSR" >&2; exit 1;; esac\n'
        f'exec {accelerator.find_qemu()} "$@"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setattr(accelerator, "find_qemu", lambda: str(fake))
    find_accelerator.cache_clear()
    try:
        assert find_accelerator() == "tcg"
    finally:
        find_accelerator.cache_clear()
    assert real in ("kvm", "tcg")


def test_whether_a_machine_is_a_copy_is_told_whatever_its_qemu_opens_and_closes() -> None:
    busy = "import os\nwhile True:\n [os.close(h) for h in [os.dup(0) for _ in range(50)]]"
    with subprocess.Popen([sys.executable, "-c", busy]) as process:
        try:
            assert not any(is_copy(process.pid) for _ in range(300))
        finally:
            process.kill()


@pytest.fixture
def memory() -> Iterator[int]:
    """What a machine's memory looks like in its QEMU, as which we pass; little of it is used."""
    handle = os.memfd_create("memory-backend-memfd")
    try:
        os.ftruncate(handle, 16 << 20)
        for at in (0, 5 << 20, 9 << 20):
            os.pwrite(handle, f"at {at}".encode() * 1000, at)
        yield handle
    finally:
        os.close(handle)


def test_room_is_made_for_what_a_machine_uses_before_it_is_copied(
    memory: int, tmp_path: Path
) -> None:
    used = list(parts(memory))
    assert len(used) == 3
    template = Template(str(tmp_path / "monitor"), os.getpid(), 16)
    try:
        copied = os.open(_path_in(template.memory_of_a_copy()), os.O_RDONLY)
        assert os.fstat(copied).st_blocks == 0
        template.make_room()
        assert os.fstat(copied).st_blocks == os.fstat(memory).st_blocks
        template.copy_memory()
        assert os.pread(copied, 16 << 20, 0) == os.pread(memory, 16 << 20, 0)
        assert list(parts(copied)) == used
        os.close(copied)
    finally:
        template.close()


def test_no_more_room_is_made_once_a_machine_could_not_be_halted(
    memory: int, tmp_path: Path
) -> None:
    path = str(tmp_path / "monitor")
    template = Template(path, os.getpid(), 16)
    with monitor_socket(path) as listener:
        listener.listen()

        def hang_up() -> None:
            listener.accept()[0].close()

        hanging_up = Thread(target=hang_up)
        hanging_up.start()
        try:
            with pytest.raises(MachineLost, match="QEMU has ended"):
                template.halt()
            template.make_room()
            copied = os.open(_path_in(template.memory_of_a_copy()), os.O_RDONLY)
            assert os.fstat(copied).st_blocks == 0
            os.close(copied)
        finally:
            hanging_up.join()
            template.close()


def _path_in(memory: str) -> str:
    """Where QEMU is told that a copy's memory is."""
    return dict(part.split("=", 1) for part in memory.split(",")[1:])["mem-path"]


async def test_nothing_is_kept_of_a_machine_that_was_never_started(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    await made.create("desk", SPEC)
    try:
        assert await made.snapshots("desk") == ()
        with pytest.raises(NotFound, match="no snapshot 'morning'"):
            await made.restore("desk", "morning")
    finally:
        await made.delete("desk")


def test_of_what_a_machine_says_without_end_little_is_kept(tmp_path: Path) -> None:
    pipe = tmp_path / "init"
    for end in ("in", "out"):
        os.mkfifo(f"{pipe}.{end}")
    heard = os.open(f"{pipe}.in", os.O_RDWR)
    answer = os.open(f"{pipe}.out", os.O_RDWR)
    introduction = Introduction(Store(tmp_path).add("desk", SPEC), pipe)
    introduction.send()
    words = os.read(heard, 4096).split()
    # Before all else: the guest has questions to answer as soon as it wakes up.
    assert words[0] == b"urgent"
    token = words[-1]

    def babble() -> None:
        for _ in range(200):
            os.write(answer, b"x" * 65536)
        os.write(answer, b"\n" + token + b" \n")

    talker = Thread(target=babble)
    talker.start()
    tracemalloc.start()
    try:
        introduction.wait()
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
        talker.join()
        os.close(heard)
        os.close(answer)
