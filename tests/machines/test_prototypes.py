"""Machines that others begin as: for whom one is good, which are kept, and which never."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest
from test_switchboard import computer, said, started
from walls import make_machine

from carrel.geometry import Size
from carrel.machines.images import Image
from carrel.machines.keep import boot_id
from carrel.machines.paths import data_home
from carrel.machines.providers import qemu as provider_module
from carrel.machines.providers.qemu import QemuProvider
from carrel.machines.qemu import prototype
from carrel.machines.qemu.command import Place
from carrel.machines.qemu.kernel import Kernel
from carrel.machines.qemu.prototype import find_prototype, likeness, prune_prototypes
from carrel.machines.spec import Machine

THIS_BOOT = boot_id().replace("-", "")[:12]


@dataclass
class World:
    """All that a machine's first start depends on, as files."""

    place: Path
    machine: Machine
    image: Image
    kernel: Kernel
    disk: Path

    def word(self) -> str:
        found = likeness(self.machine, self.image, self.kernel)
        assert found is not None
        return found

    def file(self, name: str) -> Path:
        path = self.place / name
        path.write_bytes(os.urandom(8))
        return path

    def wish(self, **changes: object) -> None:
        spec = replace(self.machine.spec, **changes)  # type: ignore[arg-type]
        self.machine = replace(self.machine, spec=spec)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))
    files = {name: tmp_path / name for name in ("qemu", "disk", "bundle", "vmlinuz", "initrd")}
    for path in files.values():
        path.write_bytes(b"as it was")
    image = Image("desktop", "0" * 64, tmp_path / "rootfs", "/usr/bin/python3")
    kernel = Kernel(files["vmlinuz"], files["initrd"])
    found = World(tmp_path, make_machine(tmp_path, provider="qemu"), image, kernel, files["disk"])
    monkeypatch.setattr(prototype, "find_qemu", lambda: files["qemu"])
    monkeypatch.setattr(prototype, "find_accelerator", lambda: "tcg")
    monkeypatch.setattr(prototype, "base_disk", lambda image: found.disk)
    monkeypatch.setattr(prototype, "bundle_disk", lambda: files["bundle"])
    return found


def newer(path: Path) -> None:
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


CHANGES: dict[str, Callable[[World], object]] = {
    "a recipe, which makes another disk": lambda w: setattr(w, "disk", w.file("other-disk")),
    "an image built anew": lambda w: newer(w.disk),
    "the guest program": lambda w: newer(w.place / "bundle"),
    "another kernel": lambda w: setattr(w, "kernel", replace(w.kernel, image=w.file("newer"))),
    "a kernel made anew": lambda w: newer(w.kernel.image),
    "what a kernel unpacks": lambda w: w.file("initrd"),
    "QEMU": lambda w: newer(w.place / "qemu"),
    "an interpreter": lambda w: setattr(w, "image", replace(w.image, python="/usr/bin/pypy3")),
    "a screen": lambda w: w.wish(size=Size(1024, 768)),
    "memory": lambda w: w.wish(memory_mb=2048),
    "processors": lambda w: w.wish(cpus=2),
    "a disk's size": lambda w: w.wish(disk_mb=9000),
    "processes": lambda w: w.wish(pids=300),
    "a kind of computer": lambda w: w.wish(kind="q35"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_start_depends_on_makes_another_kind(world: World, what: str) -> None:
    kept = world.word()
    keep(kept)
    CHANGES[what](world)
    found = find_prototype(kept)
    assert found is not None
    found.close()
    assert world.word() != kept
    assert find_prototype(world.word()) is None


def test_another_accelerator_makes_another_kind(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.word()
    monkeypatch.setattr(prototype, "find_accelerator", lambda: "kvm")
    assert world.word() != before


def test_a_machine_of_another_name_and_network_begins_there_too(world: World) -> None:
    before = world.word()
    world.machine = make_machine(world.place / "elsewhere", provider="qemu")
    world.machine = replace(world.machine, name="another")
    world.wish(network="nat", ports=("8080:80",), restart="always")
    assert world.word() == before
    world.wish(env={"KEY": "its own"})
    assert likeness(world.machine, world.image, world.kernel) is None


def keep(kind: str, at: float | None = None) -> Path:
    directory = data_home() / "prototypes" / kind
    directory.mkdir(parents=True)
    for name in ("memory", "state", "disk.qcow2"):
        (directory / name).write_bytes(b"x")
    if at is not None:
        os.utime(directory, (at, at))
    return directory


def test_those_used_last_are_kept_and_of_an_earlier_boot_none(world: World) -> None:
    now = time.time()
    ours = [keep(f"{THIS_BOOT}-{number}", now - 100 * number) for number in range(4)]
    earlier = keep("0123456789ab-5", now)
    # To be found is to be used.
    found = find_prototype(ours[3].name)
    assert found is not None
    removed = prune_prototypes(2)
    assert sorted(removed) == sorted(map(str, (ours[1], ours[2], earlier)))
    assert sorted(path.name for path in (data_home() / "prototypes").iterdir()) == [
        *(ours[0].name, ours[3].name)
    ]
    assert find_prototype(earlier.name) is None
    found.close()


def test_what_a_dead_process_began_goes_and_what_a_live_one_writes_stays(world: World) -> None:
    dead, alive, half = (keep(name) for name in (".draft-dead", ".draft-alive", ".gone-half"))
    handle = os.open(alive, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert sorted(prune_prototypes()) == sorted(map(str, (dead, half)))
        assert [path.name for path in (data_home() / "prototypes").iterdir()] == [".draft-alive"]
    finally:
        os.close(handle)
    assert prune_prototypes() == (str(alive),)


def test_all_of_them_go_when_that_is_asked_for(world: World) -> None:
    from click.testing import CliRunner

    from carrel.cli import root

    ours = keep(f"{THIS_BOOT}-1")
    assert str(ours) not in CliRunner().invoke(root, ["gc"]).stdout
    assert ours.exists()
    done = CliRunner().invoke(root, ["gc", "--all"])
    assert (done.exit_code, str(ours) in done.stdout.splitlines()) == (0, True)
    assert [*(data_home() / "prototypes").iterdir()] == []


def test_an_opened_one_stays_whole_when_it_is_removed(world: World) -> None:
    keep(f"{THIS_BOOT}-1")
    found = find_prototype(f"{THIS_BOOT}-1")
    assert found is not None
    prune_prototypes(0)
    found.copy_disk(world.place / "layer.qcow2")
    assert (world.place / "layer.qcow2").read_bytes() == b"x"
    found.close()


class Asked(QemuProvider):
    """Asks no QEMU, and notes what it would have asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def _ask(self, machine: Machine, *commands: str) -> None:
        self.asked += commands


def heard(machine: Machine) -> int:
    """What process 1 of a machine hears."""
    machine.directory.mkdir(parents=True, exist_ok=True)
    path = f"{Place(machine).words}.in"
    os.mkfifo(path)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)


@pytest.mark.anyio
async def test_a_machine_that_was_halted_is_told_the_time(tmp_path: Path) -> None:
    machine, provider = make_machine(tmp_path, provider="qemu"), Asked()
    pipe = heard(machine)
    try:
        await provider.pause(machine)
        with pytest.raises(BlockingIOError):
            os.read(pipe, 100)
        await provider.resume(machine)
        word, moment = os.read(pipe, 100).split()
    finally:
        os.close(pipe)
    assert provider.asked == ["stop", "cont"]
    assert word == b"clock"
    assert abs(int(moment) - time.time()) < 60


@pytest.mark.anyio
@pytest.mark.desktop
async def test_a_machine_that_somebody_has_used_is_not_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    monkeypatch.setattr(provider_module, "keep_prototype", lambda kind, *_: kept.append(kind))
    keeping = Asked()
    with anyio.fail_after(120):
        async with started(tmp_path) as (provider, machine):
            pipe = heard(machine)
            try:
                await keeping._keep(machine, "unused")
                assert (kept, keeping.asked) == (["unused"], ["cont"])
                async with computer(provider, machine) as desk:
                    assert await said(desk, "echo mine") == "mine\n"
                await keeping._keep(machine, "used")
                assert (kept, keeping.asked) == (["unused"], ["cont"])
            finally:
                os.close(pipe)
