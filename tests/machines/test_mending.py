"""What `carrel doctor --fix` mends: nothing is lost, and every repair is looked at again."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from anyio import to_thread
from click.testing import CliRunner, Result

from carrel.cli import root
from carrel.errors import WrongState
from carrel.ids import new_id
from carrel.machines.chronicle import Chronicle
from carrel.machines.docker import api
from carrel.machines.images.cache import RECIPES, images_home, read_image, write_image
from carrel.machines.keep import Keep, KeeperPlan, KeeperRecord, Phase, boot_id
from carrel.machines.keeper import MODULE
from carrel.machines.lifecycle import Machines
from carrel.machines.mending import Fault, Outcome, find_faults, mend, system
from carrel.machines.mending.mend import _alone
from carrel.machines.pool import Pool, Pools
from carrel.machines.records import encode_wish
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes

pytestmark = pytest.mark.anyio

SURROUNDINGS = {"disk", "engine", "packages", "provider", "desk", "leftovers"}
"""Faults of the computer that the tests run on."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "home"
    monkeypatch.setenv("CARREL_HOME", str(path))
    monkeypatch.delenv("CARREL_RUNS", raising=False)
    monkeypatch.delenv("CARREL_MACHINE", raising=False)
    return path


def carrel(*args: str) -> Result:
    return CliRunner().invoke(root, list(args))


async def said_by(*args: str) -> Result:
    """A command has an event loop of its own."""
    return await to_thread.run_sync(lambda: carrel(*args))


async def faults() -> list[Fault]:
    return [fault for fault in await find_faults() if fault.kind not in SURROUNDINGS]


async def mended() -> dict[str, Outcome]:
    found = [each for each in await mend() if each.fault.kind not in SURROUNDINGS]
    return {f"{each.fault.kind} {Path(each.fault.subject).name}": each for each in found}


def add(home: Path, name: str, spec: MachineSpec | None = None) -> Machine:
    """A machine that was started once and is stopped."""
    store = Store(home)
    machine = store.add(name, spec or MachineSpec(image="host"))
    machine.directory.mkdir(parents=True, mode=0o700)
    (machine.directory / "precious").write_text(name)
    keep = Keep(machine.directory)
    keep.write_plan(KeeperPlan(machine.id, machine.spec))
    keep.write_record(KeeperRecord(0, Phase.EXITED, 1.0, boot=boot_id()))
    store.complete(machine)
    Chronicle(home).write("made", machine)
    return machine


async def test_on_a_computer_where_nothing_is_nothing_is_wrong_and_nothing_is_made(
    home: Path,
) -> None:
    assert await faults() == []
    assert await mended() == {}
    assert not home.exists()


async def test_a_sound_store_has_no_faults(home: Path) -> None:
    add(home, "desk")
    Volumes(Store(home)).create("data")
    assert await faults() == []
    assert await mended() == {}


# The store


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database, and longer than its header would be" * 400)


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = random.Random(7).randbytes(4096)
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [garbage, torn, page])
async def test_a_damaged_store_is_made_anew_with_every_machine(
    home: Path, damage: Callable[[Path], None]
) -> None:
    wishes = {
        "desk": MachineSpec(image="host", memory_mb=512, env={"KEY": "ü"}),
        "web": MachineSpec(provider="docker", network="allowlist", allow=("example.org:443",)),
    }
    made = {name: add(home, name, spec) for name, spec in wishes.items()}
    path = home / "carrel.db"
    damage(path)
    damaged = path.read_bytes()
    assert "carrel doctor --fix" in (await said_by("status")).stderr
    assert [fault.kind for fault in await faults()] == ["store"]
    assert path.read_bytes() == damaged
    done = await mended()
    assert {each.result for each in done.values()} == {"mended"}
    (backup,) = (home / "backup").glob("carrel.db-*/carrel.db")
    assert backup.read_bytes() == damaged
    assert str(backup.parent) in done["store carrel.db"].said
    found = {machine.name: machine for machine in Store(home).all()}
    for name, machine in made.items():
        assert (found[name].id, found[name].spec) == (machine.id, machine.spec)
        assert (found[name].directory / "precious").read_text() == name
    assert path.stat().st_mode & 0o077 == 0
    assert await mended() == {}


async def test_of_a_store_damaged_in_the_middle_both_ends_are_saved(home: Path) -> None:
    Store(home)
    wish = encode_wish(MachineSpec(env={"FILL": "x" * 200}))
    rows = [(new_id("mac"), f"m{number}", wish, 1.0, 1) for number in range(300)]
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.executemany("INSERT INTO machines VALUES (?, ?, ?, ?, ?)", rows)
        database.execute("INSERT INTO members VALUES (?, ?)", (rows[0][0], "web"))
    path = home / "carrel.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    assert (await mended())["store carrel.db"].result == "mended"
    saved = Store(home).names()
    assert {"m0", "m299"} <= set(saved)
    assert len(saved) > 200
    assert [member.name for member in Store(home).members("web")] == ["m0"]
    add(home, "new")


async def test_whatever_happens_to_the_file_the_machines_come_back(home: Path) -> None:
    made = [add(home, f"desk-{number}") for number in range(3)]
    path = home / "carrel.db"
    sound = path.read_bytes()
    chance = random.Random(11)
    for _ in range(15):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 40)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data)
        done = await mended()
        if "store carrel.db" in done and "another version" in done["store carrel.db"].fault.detail:
            continue  # the names of its columns were hit
        for outcome in done.values():
            assert outcome.result == "mended" or outcome.fault.kind == "record", outcome
        store = Store(home)
        assert {machine.id for machine in made} <= store.ids()
        assert all((machine.directory / "precious").exists() for machine in made)
        shutil.rmtree(home / "backup", ignore_errors=True)


async def test_a_store_of_another_version_is_left_alone(home: Path) -> None:
    home.mkdir()
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("CREATE TABLE machines (id TEXT, colour TEXT)")
    (home / "carrel.db").chmod(0o600)
    (left,) = (await mended()).values()
    assert left.result == "left"
    assert "another version" in left.fault.detail
    assert not (home / "backup").exists()


async def test_a_machine_without_a_record_is_put_back_under_its_last_name(home: Path) -> None:
    desk, other = add(home, "desk"), add(home, "other")
    store = Store(home)
    store.remove(desk)
    store.remove(other)
    add(home, "other")
    unknown = home / "machines" / ("mac_" + "z" * 26)
    unknown.mkdir(mode=0o700)
    nameless = home / "machines" / ("mac_" + "y" * 26)
    nameless.mkdir(mode=0o700)
    Keep(nameless).write_plan(KeeperPlan(nameless.name, MachineSpec()))
    newer = home / "machines" / ("mac_" + "x" * 26)
    newer.mkdir(mode=0o700)
    Keep(newer).plan.write_text('{"machine_id": "x", "spec": {"colour": "red"}}')
    Keep(newer).plan.chmod(0o600)
    done = await mended()
    assert Store(home).get("desk") == replace(desk, created_at=Store(home).get("desk").created_at)
    assert Store(home).get("other-2").id == other.id
    assert Store(home).get("found-yyyyyy").id == nameless.name
    (damaged,) = Store(home).unreadable()
    assert damaged.machine.name == "found-xxxxxx"
    # What nothing is known of stays where it is.
    assert done[f"orphan {unknown.name}"].result == "left"
    assert str(unknown) in str(done[f"orphan {unknown.name}"].fault.hint)
    assert unknown.is_dir()


async def test_a_damaged_record_is_left_for_a_person(home: Path) -> None:
    machine = add(home, "desk")
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("""UPDATE machines SET spec = '{"colour": "red"}'""")
    add(home, "acme", MachineSpec(provider="acme"))
    done = await mended()
    assert done["record desk"].result == done["record acme"].result == "left"
    assert "carrel delete -f desk" in str(done["record desk"].fault.hint)
    assert "there is no provider 'acme'" in done["record acme"].fault.detail
    assert (machine.directory / "precious").exists()
    assert len(Store(home).names()) == 2


@pytest.mark.parametrize("name", ["../carrel.db", "Desk", "", "a b", "x" * 60])
async def test_a_damaged_name_becomes_one_that_can_be_typed(home: Path, name: str) -> None:
    machine = add(home, "desk")
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("UPDATE machines SET name = ?", (name,))
    assert "unreadable" in (await said_by("status")).stdout
    assert (await mended())[f"name {machine.id}"].result == "mended"
    found = Store(home).get("desk")
    assert (found.id, found.spec) == (machine.id, machine.spec)
    assert await mended() == {}


async def test_a_damaged_id_can_be_deleted_and_takes_nothing_along(home: Path) -> None:
    machine = add(home, "desk")
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("UPDATE machines SET id = '../machines'")
    assert "unreadable" in (await said_by("status")).stdout
    assert (await said_by("delete", "-f", "desk")).exit_code == 0
    assert (machine.directory / "precious").exists()
    # What it was is on disk, and comes back under its own id.
    assert (await mended())[f"orphan {machine.id}"].result == "mended"
    assert Store(home).get("desk").id == machine.id


# What dead processes left


async def test_what_dead_machines_left_is_cleared(home: Path) -> None:
    dead, fine = add(home, "dead"), add(home, "fine")
    keep = Keep(dead.directory)
    keep.write_record(KeeperRecord(999_999_999, Phase.READY, 5.0, boot="another boot"))
    keep.listen().close()
    store = Store(home)
    half = store.add("half", MachineSpec(image="host"))
    half.directory.mkdir(mode=0o700)
    gone = home / "machines" / f".deleted-mac_{'d' * 26}"
    gone.mkdir()
    (gone / "file").touch()
    found = {f"{fault.kind} {Path(fault.subject).name}" for fault in await faults()}
    assert found == {"machine dead", "machine half", f"files {gone.name}"}
    assert keep.socket.exists()
    assert gone.exists()
    done = await mended()
    assert set(done) >= found
    assert {each.result for each in done.values()} == {"mended"}
    assert not keep.socket.exists()
    assert not gone.exists()
    assert not half.directory.exists()
    assert [machine.name for machine in store.all()] == ["dead", "fine"]
    assert (dead.directory / "precious").exists()
    kinds = [each.kind for each in Chronicle(home).read() if each.machine == "dead"]
    assert kinds == ["made", "crashed"]
    assert "this system was restarted" in (await said_by("status", "dead")).stdout
    assert await mended() == {}
    assert fine.directory.exists()


async def test_a_machine_that_is_being_made_is_left_alone(home: Path) -> None:
    store = Store(home)
    store.add("half", MachineSpec(image="host"))
    async with store.lock("half"):
        assert await faults() == []


async def test_locks_of_nobody_are_removed_and_others_are_not(home: Path) -> None:
    add(home, "desk")
    store = Store(home)
    (home / "locks").mkdir(mode=0o700, exist_ok=True)
    # As processes leave them that are killed meanwhile.
    for name in ("desk", "gone", "held"):
        (home / "locks" / name).touch(mode=0o600)
    async with store.lock("held"):
        assert set(await mended()) == {"lock gone"}
        names = {path.name for path in (home / "locks").iterdir()}
        assert names == {"desk", "held"}


async def test_half_written_files_of_dead_processes_are_removed(home: Path) -> None:
    machine = add(home, "desk")
    old = time.time() - 7200
    left = [home / ".pools.json.999999999", machine.directory / ".keeper.json.999999999"]
    stays = [
        home / ".notes.999999999",
        home / f".pools.json.{os.getpid()}",
        home / ".proven.json.999999998",
    ]
    for path in (*left, *stays):
        path.write_text("half")
        os.utime(path, (old, old))
    os.utime(stays[2])
    assert {each.fault.kind for each in (await mended()).values()} == {"draft"}
    assert [path.exists() for path in (*left, *stays)] == [False] * 2 + [True] * 3


KEEPER = "import subprocess, sys; subprocess.run(['sleep', '1000'])"


@contextlib.contextmanager
def keeper(directory: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with a keeper's command line."""
    with subprocess.Popen([sys.executable, "-c", KEEPER, MODULE, str(directory), "3"]) as process:
        try:
            yield process
        finally:
            process.kill()


async def test_a_keeper_whose_machine_is_gone_is_ended_and_no_other(home: Path) -> None:
    machine = add(home, "desk")
    gone = home / "machines" / ("mac_" + "g" * 26)
    elsewhere = home.parent / "other" / "machines" / gone.name
    with keeper(gone) as stray, keeper(machine.directory) as own, keeper(elsewhere) as foreign:
        done = await mended()
        assert set(done) == {f"keeper {stray.pid}"}
        assert stray.wait(60) == -9
        assert own.poll() is None
        assert foreign.poll() is None


# Files


async def test_what_others_may_read_is_made_private(home: Path) -> None:
    machine = add(home, "desk")
    (machine.directory / "mcp.token").write_text("secret")
    for path in (home / "carrel.db", machine.directory, machine.directory / "mcp.token"):
        path.chmod(0o755)
    (home / "config.toml").touch(0o644)
    home.chmod(0o777)
    found = await faults()
    assert {fault.kind for fault in found} == {"permissions"}
    done = await mended()
    assert len(done) == 4
    assert (machine.directory / "mcp.token").stat().st_mode & 0o777 == 0o700
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600
    # A directory that a person named: who may look at it is theirs to say.
    assert home.stat().st_mode & 0o777 == 0o755
    assert await mended() == {}


async def test_what_belongs_to_somebody_else_is_told(home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    add(home, "desk")
    os.chown(home / "events.jsonl", 65534, 65534)
    (left,) = (await mended()).values()
    assert left.result == "left"
    assert "sudo chown -R 0" in str(left.fault.hint)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may use everything")
@pytest.mark.parametrize("mode", [0o000, 0o500, 0o600])
async def test_a_home_that_its_owner_cannot_use_is_opened(home: Path, mode: int) -> None:
    machine = add(home, "desk")
    (machine.directory / "mcp.token").touch(0o644)
    home.chmod(mode)
    assert [fault.kind for fault in await faults()] == ["permissions"]
    assert (await said_by("doctor")).exit_code in (0, 3)
    done = await mended()
    assert home.stat().st_mode & 0o777 == 0o700
    # What it had hidden is mended as well.
    assert done["permissions mcp.token"].result == "mended"
    assert await mended() == {}


# Images


def image(home: Path, name: str = "minimal") -> Path:
    recipe = RECIPES[name]
    path = images_home() / recipe.directory_name
    (path / "rootfs" / "usr" / "bin").mkdir(parents=True)
    write_image(path, recipe, 7)
    return path


async def test_what_interrupted_builds_left_is_removed_unless_one_goes_on(home: Path) -> None:
    image(home)
    partial = images_home() / ".partial-desktop-0"
    (partial / "rootfs").mkdir(parents=True)
    with (images_home() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert await faults() == []
    assert (await mended())[f"image {partial.name}"].result == "mended"
    assert not partial.exists()
    assert await mended() == {}


@pytest.mark.parametrize("facts", [None, "{", "{}", "[]", '{"name": "minimal"}'])
async def test_an_image_without_its_facts_gets_them_back(home: Path, facts: str | None) -> None:
    path = image(home)
    if facts is None:
        (path / "image.json").unlink()
    else:
        (path / "image.json").write_text(facts)
    assert "No image is built" in carrel("image", "list").stdout
    assert (await mended())[f"image {path.name}"].result == "mended"
    found = read_image(path)
    assert found is not None
    assert found.current


async def test_an_image_without_its_files_is_removed_unless_a_machine_needs_it(home: Path) -> None:
    path = image(home)
    machine = add(home, "desk", MachineSpec(image="minimal"))
    keep = Keep(machine.directory)
    keep.plan.write_text(keep.plan.read_text()[:-1] + f', "tree": "{path / "rootfs"}"}}')
    shutil.rmtree(path / "rootfs")
    left = (await mended())[f"image {path.name}"]
    assert left.result == "left"
    assert "carrel delete desk" in str(left.fault.hint)
    assert path.exists()
    Store(home).remove(machine)
    shutil.rmtree(machine.directory)
    assert (await mended())[f"image {path.name}"].result == "mended"
    assert not path.exists()


# Small files


async def test_pools_that_cannot_be_read_are_put_aside(home: Path) -> None:
    add(home, "desk")
    store = Store(home)
    Pools(Machines(store)).put(Pool("web", MachineSpec(), 1))
    assert await faults() == []
    (home / "pools.json").write_text("{")
    assert (await mended())["pools pools.json"].result == "mended"
    assert Pools(Machines(store)).list() == ()
    (backup,) = (home / "backup").glob("pools.json-*/pools.json")
    assert backup.read_text() == "{"


@pytest.mark.parametrize("about", [None, "{", '{"size_mb": "big", "created_at": 1}'])
async def test_a_volume_without_its_description_can_be_used_again(
    home: Path, about: str | None
) -> None:
    volumes = Volumes(Store(home))
    content = volumes.create("data", 100).path
    (content / "precious").touch()
    path = content.parent / "about.json"
    if about is None:
        path.unlink()
    else:
        path.write_text(about)
    assert (await mended())["volume data"].result == "mended"
    assert volumes.get("data").size_mb == 0
    assert (content / "precious").exists()
    kept = [each.read_text() for each in content.parent.glob("about.json.damaged-*")]
    assert kept == ([] if about is None else [about])


async def test_settings_that_cannot_be_read_are_left_to_their_writer(home: Path) -> None:
    home.mkdir()
    path = home / "config.toml"
    path.touch(0o600)
    path.write_text("[host]\nmemory = 'much'\n")
    (left,) = (await mended()).values()
    assert (left.fault.kind, left.result) == ("settings", "left")
    assert left.fault.hint
    assert path.read_text() == "[host]\nmemory = 'much'\n"


async def test_a_damaged_index_of_runs_is_put_aside(home: Path) -> None:
    home.mkdir()
    garbage(home / "index.sqlite")
    assert (await mended())["index index.sqlite"].result == "mended"
    assert not (home / "index.sqlite").exists()
    assert len(list((home / "backup").glob("index.sqlite-*/index.sqlite"))) == 1
    assert carrel("runs").exit_code == 0


# The system


@pytest.fixture
def bare(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system without any program; what is put into the directory is installed."""
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setattr(system, "_LIBRARIES", {})
    monkeypatch.setattr(api, "_SBIN", "")
    return path


def program(path: Path, code: str = "exit 0") -> None:
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)


INSTALL = """
echo "$@" > "{place}/asked"
for each in Xvfb dbus-daemon openbox tint2; do
    /bin/ln -s /bin/true "{place}/$each"
done
"""


async def test_missing_packages_are_named_and_installed_only_where_that_was_said(
    bare: Path,
) -> None:
    program(bare / "apt-get", INSTALL.format(place=bare))
    (fault,) = [each for each in await find_faults() if each.kind == "packages"]
    assert fault.remedy is None
    assert str(fault.hint).endswith("apt-get install dbus openbox tint2 xvfb")
    assert not (bare / "asked").exists()
    if os.geteuid() != 0:
        return
    (done,) = [each for each in await mend(install=True) if each.fault.kind == "packages"]
    assert done.result == "mended"
    assert (bare / "asked").read_text() == "install --yes dbus openbox tint2 xvfb\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")
async def test_packages_that_could_not_be_installed_are_told(bare: Path) -> None:
    program(bare / "apt-get", "echo 'E: Unable to locate package tint2' >&2; exit 100")
    (done,) = [each for each in await mend(install=True) if each.fault.kind == "packages"]
    assert done.result == "failed"
    assert "Unable to locate package tint2" in done.said


async def test_an_engine_that_machines_need_and_that_does_not_run_is_told_and_not_started(
    bare: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{bare}/docker.sock")
    program(bare / "dockerd", f"/bin/touch {bare}/started")
    add(home, "desk")
    assert [each for each in await find_faults() if each.kind == "engine"] == [], "nobody needs it"
    add(home, "boxed", MachineSpec(provider="docker"))
    (left,) = [each for each in await mend() if each.fault.kind == "engine"]
    assert left.result == "left"
    assert "no engine listens" in left.fault.detail
    assert f"dockerd -H unix://{bare}/docker.sock &" in str(left.fault.hint)
    assert not (bare / "started").exists()


@pytest.mark.parametrize("systemd", [True, False])
def test_doctor_says_one_thing_of_an_engine_that_does_not_run(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, systemd: bool
) -> None:
    def told() -> tuple[str, str]:
        """What is said of Docker, and the fix."""
        checks = json.loads(carrel("doctor", "--json").stdout)["checks"]
        (found,) = [
            each
            for each in checks
            if "engine listens" in each["detail"] or "docker" in (each["fix"] or "")
        ]
        assert found["name"] == "provider docker"
        return found["detail"], found["fix"].removeprefix("sudo ")

    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setattr(api, "engine_socket", lambda: tmp_path / "docker.sock")
    monkeypatch.setattr("carrel.machines.providers.docker.engine_socket", api.engine_socket)
    monkeypatch.setattr(system, "engine_socket", api.engine_socket)
    monkeypatch.setattr(api, "_SYSTEMD", tmp_path if systemd else tmp_path / "none")
    detail, fix = told()
    assert "is installed" not in detail
    assert fix.startswith("apt-get install docker.io")
    program(bare / "dockerd")
    detail, fix = told()
    assert "Docker is installed, and does not run" in detail
    assert fix == ("systemctl start docker" if systemd else "dockerd &")


async def test_a_full_disk_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(home.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=5_000_000))
    (left,) = [each for each in await mend() if each.fault.kind == "disk"]
    assert left.result == "left"
    assert left.fault.detail == "5 MB are left on its disk"


async def test_a_store_that_cannot_be_backed_up_is_not_touched(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(home, "desk")
    garbage(home / "carrel.db")
    damaged = (home / "carrel.db").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    done = (await mended())["store carrel.db"]
    assert done.result == "failed"
    assert "No space left on device" in done.said
    assert (home / "carrel.db").read_bytes() == damaged
    assert list((home / "backup").iterdir()) == []


# The command


def told(result: Result) -> list[str]:
    """What it says of anything but this computer."""
    words = (line.split() for line in result.stdout.splitlines())
    return [" ".join(line) for line in words if len(line) < 2 or line[1] not in SURROUNDINGS]


def test_a_rehearsal_changes_nothing(home: Path) -> None:
    machine = add(home, "desk")
    (machine.directory / "mcp.token").touch(0o644)
    done = carrel("doctor", "--dry-run")
    assert done.exit_code == 1
    assert any("mcp.token: others may use it: its mode is 644" in line for line in told(done))
    assert "to mend it: make it 600" in done.stdout
    assert (machine.directory / "mcp.token").stat().st_mode & 0o777 == 0o644
    document = json.loads(carrel("doctor", "--fix", "--dry-run", "--json").stdout)
    assert document["dry_run"] is True
    assert document["outcomes"] == []
    kinds = {each["kind"]: each for each in document["found"]}
    assert kinds["permissions"]["plan"] == "make it 600"


def test_every_fault_is_told_before_and_after(home: Path) -> None:
    machine = add(home, "desk")
    (machine.directory / "mcp.token").touch(0o644)
    done = told(carrel("doctor", "--fix"))
    assert any(line.startswith("found permissions") for line in done)
    assert any(line.startswith("mended permissions") for line in done)
    (machine.directory / "mcp.token").chmod(0o644)
    document = json.loads(carrel("doctor", "--fix", "--json").stdout)
    results = {each["kind"]: each["result"] for each in document["outcomes"]}
    assert results["permissions"] == "mended"


def test_what_remains_is_told_with_its_hint_and_an_exit_status(home: Path) -> None:
    (home / "machines" / ("mac_" + "z" * 26)).mkdir(parents=True, mode=0o700)
    Store(home)
    done = carrel("doctor", "--fix")
    assert done.exit_code == 1
    assert "try: its files are in" in done.stdout
    assert "left." in done.stdout


def test_a_repair_that_did_not_help_is_told_as_failed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = add(home, "desk")
    (machine.directory / "mcp.token").touch(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", refuse)
    done = carrel("doctor", "--fix")
    assert done.exit_code == 1
    assert "failed  permissions" in done.stdout
    assert "Operation not permitted" in done.stdout
    assert "try: chmod 600" in done.stdout


def test_the_doctor_tells_of_faults_without_being_asked_to_mend_them(home: Path) -> None:
    add(home, "desk")
    garbage(home / "carrel.db")
    done = carrel("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["store"]["fix"] == "carrel doctor --fix"
    assert "damaged" in checks["store"]["detail"]


def test_yes_without_fix_is_a_mistake(home: Path) -> None:
    assert carrel("doctor", "--yes").exit_code == 2


async def test_two_do_not_mend_at_once(home: Path) -> None:
    Store(home)
    async with _alone(home):
        with pytest.raises(WrongState, match="another carrel doctor --fix"):
            await mend()
