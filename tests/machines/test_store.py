from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import AlreadyExists, InvalidInput, NotFound, RunError, TimedOut
from carrel.machines.spec import MachineSpec, check_name, parse_port, parse_volume
from carrel.machines.store import FILE, Store

pytestmark = pytest.mark.anyio


def test_what_is_stored_is_found_by_another_process_of_the_owner(tmp_path: Path) -> None:
    spec = MachineSpec(network="allowlist", allow=("example.org:443",), env={"A": "ü"})
    made = Store(tmp_path).add("desk", spec)
    Store(tmp_path).complete(made)
    found = Store(tmp_path).get("desk")
    assert found == made
    assert found.spec == spec
    assert found.directory.parent == tmp_path / "machines"


def test_a_name_is_given_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add("desk", MachineSpec())
    with pytest.raises(AlreadyExists):
        store.add("desk", MachineSpec())


def test_a_machine_counts_only_when_it_is_complete(tmp_path: Path) -> None:
    store = Store(tmp_path)
    machine = store.add("desk", MachineSpec())
    assert store.all() == ()
    assert store.incomplete() == (machine,)
    store.complete(machine)
    assert store.all() == (machine,)
    store.remove(machine)
    assert store.all() == store.incomplete() == ()
    with pytest.raises(NotFound, match="no machine named desk"):
        store.get("desk")


def test_nobody_else_may_look(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    assert store.home.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name",
    ["", "a/b", "../x", "a\nb", "a b", "A", "-a", "a-", "a;rm", "$(id)", "é", "a" * 41, ".", "\0"],
)
def test_a_name_that_could_harm_is_refused(name: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(InvalidInput, match="not a machine name"):
        store.add(name, MachineSpec())
    with pytest.raises(InvalidInput):
        store.get(name)


@given(st.text(max_size=50))
def test_a_name_is_safe_as_a_file_and_a_host_name(name: str) -> None:
    try:
        check_name(name)
    except InvalidInput:
        return
    assert name.isascii()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert Path("/x", name).resolve() == Path("/x") / name


async def test_one_process_at_a_time_changes_a_machine(tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with store.lock("desk"):
        assert store.is_locked("desk")
        assert not store.is_locked("other")
        with pytest.raises(TimedOut, match="another command"):
            async with Store(tmp_path).lock("desk", timeout=0.1):
                pass
    assert not store.is_locked("desk")


async def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    order: list[str] = []

    async def hold(name: str) -> None:
        async with Store(tmp_path).lock("desk"):
            order.append(f"{name} in")
            await anyio.sleep(0.1)
            order.append(f"{name} out")

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(hold, "one")
            tasks.start_soon(hold, "two")
    assert [word.split()[1] for word in order] == ["in", "out", "in", "out"]


HOLDER = """
import anyio, sys
from pathlib import Path
from carrel.machines.store import FILE, Store
async def main():
    async with Store(Path(sys.argv[1])).lock("desk"):
        print("locked", flush=True)
        await anyio.sleep_forever()
anyio.run(main)
"""


async def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        assert Store(tmp_path).is_locked("desk")
        os.kill(holder.pid, signal.SIGKILL)
    async with Store(tmp_path).lock("desk", timeout=5):
        pass


async def test_a_lock_on_a_deleted_machine_is_not_mistaken_for_a_new_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    machine = store.add("desk", MachineSpec())
    async with store.lock("desk"):
        store.remove(machine)
        async with Store(tmp_path).lock("desk", timeout=5):
            assert Store(tmp_path).is_locked("desk")


async def test_the_lock_of_a_name_that_is_no_machines_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    locks = tmp_path / "locks"
    async with store.lock("desk"):
        assert [path.name for path in locks.iterdir()] == ["desk"]
    assert not list(locks.iterdir())
    assert not store.is_locked("desk")
    assert not list(locks.iterdir())
    # What is on record keeps its own, complete or not; whoever waited for it has that one.
    machine = store.add("desk", MachineSpec())
    async with store.lock("desk"):
        pass
    assert [path.name for path in locks.iterdir()] == ["desk"]
    store.remove(machine)
    assert not list(locks.iterdir())


async def test_who_waits_for_a_lock_that_goes_has_the_next_one(tmp_path: Path) -> None:
    inside = 0

    async def hold() -> None:
        nonlocal inside
        for _ in range(20):
            async with Store(tmp_path).lock("desk"):
                inside += 1
                assert inside == 1
                await anyio.lowlevel.checkpoint()
                assert Store(tmp_path).is_locked("desk")
                inside -= 1

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(hold)
    assert not list((tmp_path / "locks").iterdir())


WRITER = """
import sys
from pathlib import Path
from carrel.machines.spec import MachineSpec
from carrel.machines.store import FILE, Store
store = Store(Path(sys.argv[1]))
for number in range(10_000):
    store.complete(store.add(f"m{number}", MachineSpec()))
    print(number, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_sound_store(tmp_path: Path) -> None:
    for _ in range(5):
        home = tmp_path / "home"
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(home)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(5)]
            writer.kill()
            said += writer.stdout.readlines()
        promised = len([line for line in said if line.endswith("\n")])
        store = Store(home)
        assert len(store.all()) >= promised
        assert len(store.incomplete()) <= 1
        for machine in (*store.all(), *store.incomplete()):
            store.remove(machine)


@pytest.mark.parametrize(
    "changes",
    [
        {"memory_mb": 0},
        {"memory_mb": 10**9},
        {"pids": 0},
        {"cpus": -1},
        {"network": "allowlist"},
        {"allow": ("example.org",)},
        {"disk_mb": -1},
        {"ports": ("8080",)},
        {"ports": ("8080:80", "8080:81")},
        {"ports": ("0:80",)},
        {"ports": ("80:65536",)},
        {"volumes": ("data",)},
        {"volumes": ("data:relative",)},
        {"volumes": ("data:/a/../b",)},
        {"volumes": ("a:/x", "b:/x")},
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        MachineSpec(**changes)  # type: ignore[arg-type]


def test_a_record_of_an_older_version_gets_the_defaults(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made = store.add("desk", MachineSpec(cpus=2))
    with contextlib.closing(sqlite3.connect(tmp_path / "carrel.db")) as held, held:
        held.execute("""UPDATE machines SET spec = '{"cpus": 2}'""")
    store.complete(made)
    found = store.get("desk").spec
    assert (found.disk_mb, found.template, found.ports) == (0, "", ())
    assert (found.restart, found.volumes) == ("never", ())


def test_a_wish_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made = store.add("desk", MachineSpec())
    store.complete(made)
    other = store.add("other", MachineSpec())
    wish = MachineSpec(memory_mb=512, ports=("8080:80",), volumes=("data:/srv/data",))
    changed = store.update(made, wish)
    assert changed == replace(made, spec=wish)
    assert Store(tmp_path).get("desk") == changed
    assert store.incomplete() == (other,)
    store.remove(changed)
    with pytest.raises(NotFound):
        store.update(changed, MachineSpec())


@given(st.text(max_size=12) | st.from_regex(r"\d{1,6}:\d{1,6}", fullmatch=True))
def test_a_published_port_is_two_ports(text: str) -> None:
    try:
        ours, theirs = parse_port(text)
    except InvalidInput:
        return
    assert 1 <= ours <= 65535
    assert 1 <= theirs <= 65535
    assert [int(part) for part in text.split(":")] == [ours, theirs]


@given(st.text(max_size=20) | st.from_regex(r"[a-z-]{1,5}:[/a.]{1,9}", fullmatch=True))
def test_a_volume_is_a_name_and_one_plain_place(text: str) -> None:
    try:
        name, place = parse_volume(text)
    except InvalidInput:
        return
    assert check_name(name) == name
    assert place.startswith("/")
    assert os.path.normpath(place) == place != "/"
    assert f"{name}:{place}" == text


def test_the_store_is_its_owners_alone_also_in_a_directory_that_others_see(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "carrel.db").touch(0o644)
    store = Store(tmp_path)
    store.add("desk", MachineSpec(env={"KEY": "secret"}))
    with contextlib.closing(sqlite3.connect(tmp_path / "carrel.db")) as held:
        held.execute("SELECT * FROM machines").fetchall()
        modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.glob("carrel.db*")}
    assert set(modes.values()) == {0}, modes


def spoil(home: Path, name: str, spec: str) -> None:
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("UPDATE machines SET spec = ? WHERE name = ?", (spec, name))


def test_a_record_that_cannot_be_read_names_its_machine_and_hides_no_other(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made = [store.add(name, MachineSpec()) for name in ("desk", "other")]
    for machine in made:
        store.complete(machine)
    spoil(tmp_path, "desk", '{"colour": "red", "provider": "docker", "volumes": ["data:/srv"]}')
    assert store.all() == (made[1],)
    assert store.names() == ("desk", "other")
    assert store.ids() == {machine.id for machine in made}
    (damaged,) = store.unreadable()
    assert "colour" in damaged.cause
    assert damaged.machine.id == made[0].id
    assert damaged.machine.directory == made[0].directory
    assert (damaged.machine.spec.provider, damaged.machine.spec.volumes) == (
        "docker",
        ("data:/srv",),
    )
    for look in (store.get, store.find):
        with pytest.raises(RunError, match=r"the record of desk cannot be read.*colour") as caught:
            look("desk")
        assert "carrel delete -f desk" in str(caught.value.hint)
    with pytest.raises(AlreadyExists):
        store.add("desk", MachineSpec())
    store.remove(damaged.machine)
    assert store.unreadable() == ()


def test_only_complete_machines_are_found(tmp_path: Path) -> None:
    store = Store(tmp_path)
    machine = store.add("desk", MachineSpec())
    assert store.find("desk") is None
    store.complete(machine)
    assert store.find("desk") == machine
    assert store.find("other") is None


async def test_a_store_that_cannot_be_read_at_the_end_does_not_hide_what_went_wrong(
    tmp_path: Path,
) -> None:
    async def fail() -> None:
        async with Store(tmp_path).lock("desk"):
            (tmp_path / FILE).write_bytes(b"no database" * 100)
            raise RuntimeError("the real cause")

    with pytest.raises(RuntimeError, match="the real cause"):
        await fail()
