"""Machines under gVisor: the suite, and desks that are kept and copied while they live."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from engine_desks import require_conformance, said, with_a_desk
from half_filled_form import fill_in_half, fork_and_go_on
from walls import eventually

from carrel.errors import (
    AlreadyExists,
    CarrelError,
    NotFound,
    RunError,
    Unavailable,
    Unsupported,
    WrongState,
)
from carrel.geometry import Size
from carrel.machines import gvisor
from carrel.machines.chronicle import Chronicle
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.luggage import recover_home
from carrel.machines.provider import get_provider
from carrel.machines.providers.gvisor import GVisorProvider
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image]

SPEC = MachineSpec(provider="gvisor", size=Size(1024, 768), memory_mb=2048)
FETCHED = Path(__file__).parents[2] / ".venv/gvisor/runsc"


@pytest.fixture(autouse=True, scope="module")
def runsc() -> None:
    if "CARREL_RUNSC" not in os.environ and FETCHED.exists():
        os.environ["CARREL_RUNSC"] = str(FETCHED)
    try:
        gvisor.find_runsc()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


def machines(home: Path) -> AbstractAsyncContextManager[Machines]:
    return with_a_desk(home, SPEC)


async def test_gvisor_passes_the_conformance_suite() -> None:
    with anyio.fail_after(500):
        await require_conformance("gvisor", SPEC, unkept=frozenset({"a_fork_bomb_stays_inside"}))


async def test_forks_of_a_desk_with_a_half_filled_form_go_their_own_ways(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        async with machines(tmp_path) as made:
            before = await fill_in_half(made, 1)
            await fork_and_go_on(made, before, 20)


async def test_a_restored_machine_goes_on_where_it_was_kept(tmp_path: Path) -> None:
    with anyio.fail_after(200):
        async with machines(tmp_path) as made:
            async with made.computer("desk") as computer:
                await computer.start_process("sh", "-c", "while :; do sleep 0.1; done")
                await computer.write_file("note", "before")
            await made.snapshot("desk", "morning")
            assert await said(made, "desk", "cat note; echo after > note") == "before"
            assert await made.snapshots("desk") == ("morning",)
            # What is kept is not replaced unasked.
            with pytest.raises(AlreadyExists, match="desk has a snapshot morning already") as told:
                await made.snapshot("desk", "morning")
            assert "carrel snapshot desk morning --force" in str(told.value.hint)
            await made.restore("desk", "morning")
            assert await said(made, "desk", "cat note") == "before"
            assert "while :" in await said(made, "desk", "ps ax -o args")
            with pytest.raises(NotFound, match="no snapshot 'evening'") as none:
                await made.restore("desk", "evening")
            assert none.value.hint == "there is morning"
            # What failed has changed nothing.
            assert await said(made, "desk", "cat note; echo later > note") == "before"
            await made.snapshot("desk", "morning", force=True)
            await said(made, "desk", "rm note")
            await made.restore("desk", "morning")
            assert await said(made, "desk", "cat note") == "later\n"

            # What is deleted takes no room, and neither what woke up in it nor a copy needs it.
            await made.fork("desk", ["copy"])
            place = made.store.get("desk").directory / "snapshots"
            assert [path.name for path in place.iterdir()] == ["morning"]
            await made.delete_snapshot("desk", "morning")
            assert list(place.iterdir()) == []
            assert await made.snapshots("desk") == ()
            with pytest.raises(NotFound, match="no snapshot 'morning'") as none:
                await made.delete_snapshot("desk", "morning")
            assert none.value.hint == "nothing of it is kept"
            for name in ("desk", "copy"):
                assert await said(made, name, "cat note") == "later\n"
                assert "while :" in await said(made, name, "ps ax -o args")
            (told,) = [each for each in Chronicle(tmp_path).read() if each.kind == "discarded"]
            assert (told.machine, told.facts) == ("desk", {"label": "morning"})


async def test_a_machine_is_reached_from_any_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        anyio.fail_after(120),
        tempfile.TemporaryDirectory(prefix="r-") as here,
        tempfile.TemporaryDirectory(prefix="r-") as there,
    ):
        monkeypatch.setenv("XDG_RUNTIME_DIR", here)
        async with machines(tmp_path) as made:
            monkeypatch.setenv("XDG_RUNTIME_DIR", there)
            await made.snapshot("desk", "noon")
            await made.fork("desk", ["copy"])
            identity = made.store.get("desk").id
            assert list(Path(here).rglob(f"*{identity}*"))
            await made.delete("desk")
            assert list(Path(here).rglob(f"*{identity}*")) == []
            assert await said(made, "copy", "echo here") == "here\n"


async def test_the_home_is_kept_when_the_machine_is_stopped(tmp_path: Path) -> None:
    with anyio.fail_after(120):
        async with machines(tmp_path) as made:
            await said(made, "desk", "mkdir -p a/b; echo deep > a/b/c; ln -s a/b link; chmod 700 a")
            await made.stop("desk", 10)
            await made.up("desk")
            assert await said(made, "desk", "cat link/c; stat -c %a a") == "deep\n700\n"


def _without_the_option(place: Path) -> str:
    """A runsc that compresses whatever it writes, as the first of 2024 did."""
    warning = "*** Warning: sandbox network is not supported ***"
    refusal = f'echo "{warning}"; echo "flag provided but not defined: -compression"'
    older = place / "runsc"
    older.write_text(
        f'#!/bin/sh\ncase "$*" in *--compression*) {{ {refusal}; }} >&2; exit 2 ;; esac\n'
        f'exec {gvisor.find_runsc()} "$@"\n'
    )
    older.chmod(0o755)
    return str(older)


async def test_half_a_home_is_never_kept(tmp_path: Path) -> None:
    with anyio.fail_after(200):
        async with machines(tmp_path) as made:
            await said(made, "desk", "head -c 200M /dev/zero > big; echo 1 > work")
            await made.stop("desk", 10)
            home = Keep(made.store.get("desk").directory).home
            # It does not fit in, and what was started for it is ended.
            with pytest.raises(CarrelError):
                await made.start("desk", lambda spec: replace(spec, memory_mb=256))
            assert (await made.status("desk")).observed.state is not State.RUNNING
            assert (home / "big").stat().st_size == 200 << 20
            await made.up("desk")
            assert await said(made, "desk", "stat -c %s big; echo 2 > work") == f"{200 << 20}\n"

            # It does not fit out: nothing was lost, and it runs on.
            most = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, most[1]))
            try:
                with pytest.raises(RunError, match="desk still runs") as full:
                    await made.stop("desk", 10)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, most)
            assert "carrel stop -f desk" in str(full.value.hint)
            assert not home.with_name("home.new").exists()
            assert await said(made, "desk", "cat work") == "2\n"
            await made.stop("desk", 10)
            assert (home / "work").read_text() == "2\n"

            # Whoever is killed while a home is brought in leaves no machine to keep one of.
            await made.up("desk")
            home.with_name("home.partial").touch()
            await said(made, "desk", "rm big work")
            with pytest.raises(RunError, match="never got all"):
                await made.stop("desk", 10)
            assert (home / "work").read_text() == "2\n"


def test_a_home_is_found_again_whenever_its_keeping_was_broken_off(tmp_path: Path) -> None:
    home = tmp_path / "home"
    kept = {name: tmp_path / name for name in ("home", "home.new", "home.old")}

    def left(*names: str) -> str:
        for name in names:
            kept[name].mkdir()
            (kept[name] / "whose").write_text(name)
        recover_home(home)
        found = (home / "whose").read_text()
        assert [path.name for path in tmp_path.iterdir()] == ["home"]
        shutil.rmtree(home)
        return found

    assert left("home", "home.new") == "home"
    assert left("home.new", "home.old") == "home.new"
    assert left("home", "home.old") == "home"


@pytest.mark.parametrize("halted", [False, True], ids=["running", "paused"])
async def test_a_restore_that_fails_leaves_what_ran(tmp_path: Path, halted: bool) -> None:
    with anyio.fail_after(120):
        async with machines(tmp_path) as made:
            await made.snapshot("desk", "morning")
            await said(made, "desk", "echo afternoon > work")
            if halted:
                await made.pause("desk")
            place = made.store.get("desk").directory
            for image in (place / "snapshots" / "morning").iterdir():
                os.truncate(image, image.stat().st_size // 2)
            with pytest.raises(CarrelError):
                await made.restore("desk", "morning")
            if halted:
                assert (await made.status("desk")).observed.state is State.PAUSED
                await made.resume("desk")
            assert await said(made, "desk", "cat work") == "afternoon\n"
            assert not list(place.glob("*copying*"))


async def test_nothing_is_restored_where_what_runs_cannot_be_set_aside(small: Path) -> None:
    with anyio.fail_after(120):
        async with machines(small / "store") as made:
            await made.snapshot("desk", "morning")
            await said(made, "desk", "echo afternoon > work")
            room = shutil.disk_usage(small).free - (4 << 20)
            with (small / "full").open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, room)
            with pytest.raises(RunError, match="desk was not restored") as told:
                await made.restore("desk", "morning")
            assert "carrel stop -f desk" in str(told.value.hint)
            assert (await made.status("desk")).observed.state is State.RUNNING
            assert await said(made, "desk", "cat work") == "afternoon\n"
            assert not list(made.store.get("desk").directory.glob("*copying*"))
            # As that says.
            await made.stop("desk", force=True)
            (small / "full").unlink()
            await made.restore("desk", "morning")
            assert await said(made, "desk", "cat work || echo none") == "none\n"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk that is soon full."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700m", "tmpfs", tmp_path], check=True)
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", tmp_path], check=True)


async def test_a_fork_that_cannot_be_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with anyio.fail_after(120):
        async with machines(tmp_path) as made:
            with pytest.raises(AlreadyExists):
                await made.fork("desk", ["other", "desk"])
            with pytest.raises(AlreadyExists):
                await made.fork("desk", ["other", "other"])
            assert [standing.machine.name for standing in await made.list()] == ["desk"]

            # One that needs an option that is not there can be without it.
            with monkeypatch.context() as patch:
                patch.setenv("CARREL_RUNSC", _without_the_option(tmp_path))
                await made.fork("desk", ["copy"])
            assert await said(made, "copy", "echo here") == "here\n"

            await made.stop("desk", 10)
            with pytest.raises(WrongState, match="cannot fork desk: it is stopped"):
                await made.fork("desk", ["other"])


async def test_what_a_killed_command_wrote_for_copies_is_removed(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    directory = (await made.create("desk", SPEC)).machine.directory
    dead = (await anyio.run_process([sys.executable, "-c", "import os; print(os.getpid())"])).stdout
    left = [directory / f"copying-{int(dead)}", directory / f".copying-{int(dead)}.new"]
    used = directory / f"copying-{os.getpid()}"
    for path in (*left, used):
        path.mkdir()
        (path / "pages.img").write_text("all it knew")
    assert await made.reconcile() == (f"an interrupted copy of the machine {directory.name}",) * 2
    assert [path.exists() for path in (*left, used)] == [False, False, True]
    await made.delete("desk")


async def test_a_killed_keeper_takes_its_sandbox_along(tmp_path: Path) -> None:
    with anyio.fail_after(120):
        async with machines(tmp_path) as made:
            machine = made.store.get("desk")
            record = Keep(machine.directory).read_record()
            assert record is not None
            os.kill(record.pid, 9)
            await eventually("no sandbox", lambda: not _processes(machine.id), 20)
            assert (await made.status("desk")).observed.state is State.ERROR
            await made.up("desk")
            assert await said(made, "desk", "echo again") == "again\n"


def _processes(word: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if word in text:
            found.append(text)
    return found


async def test_what_other_providers_cannot_do_is_said(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    machine = made.store.add("plain", MachineSpec())
    with pytest.raises(Unsupported):
        await get_provider("namespace").snapshot(machine, "x")
    with pytest.raises(Unsupported, match="have no snapshots to delete"):
        await get_provider("namespace").delete_snapshot(machine, "x")
    assert await get_provider("namespace").snapshots(machine) == ()


def test_an_old_runsc_is_refused_with_where_to_get_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "runsc"
    old.write_text("#!/bin/sh\necho runsc version 0.0~20221219.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("CARREL_RUNSC", str(old))
    with pytest.raises(Unavailable, match="of 2022, which is too old") as caught:
        gvisor.find_runsc()
    assert "Debian 13" in str(caught.value.hint)


async def test_no_runsc_is_said_with_where_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_RUNSC", str(tmp_path / "none"))
    health = await GVisorProvider().probe()
    assert not health.usable
    assert "not installed" in health.reason


async def test_a_runsc_that_cannot_run_anything_is_told_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "runsc"
    words = "echo 'WARNING: no such platform'; echo 'cannot set up user namespace'"
    broken.write_text(f"#!/bin/sh\n{{ {words}; }} >&2\nexit 128\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CARREL_RUNSC", str(broken))
    health = await GVisorProvider().probe()
    assert not health.usable
    assert health.reason == "runsc do failed: cannot set up user namespace"


async def test_a_volume_outlives_the_machine_and_takes_what_it_writes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made, volumes = Machines(store), Volumes(store)
    content = volumes.create("data").path
    (content / "given").write_text("from outside\n")
    with anyio.fail_after(120):
        try:
            await made.create("desk", SPEC)
            await volumes.attach(made, "data", "desk", "/srv/data")
            await made.up("desk")
            assert await said(made, "desk", "cat /srv/data/given") == "from outside\n"
            await said(made, "desk", "mkdir /srv/data/d; echo mine > /srv/data/d/note; echo h > h")
            assert (content / "d/note").read_text() == "mine\n"
            assert await said(made, "desk", "stat -c %U /srv/data /srv/data/d") == "agent\nagent\n"
            for forbidden in (made.snapshot("desk", "kept"), made.fork("desk", ["copy"])):
                with pytest.raises(Unsupported, match="they are not part of it"):
                    await forbidden
            await made.restart("desk")
            assert await said(made, "desk", "cat /srv/data/d/note h") == "mine\nh\n"
            # Only what was lent is written outside: the root's changes stay in its memory.
            image = resolve_image("desktop").rootfs
            await said(made, "desk", "echo x > /srv/beside || true")
            assert not (image / "srv/beside").exists()
            assert not (image / "srv/data").exists()
            await volumes.detach(made, "data", "desk")
            await made.restart("desk")
            assert await said(made, "desk", "ls /srv/data || true") == ""
            await made.snapshot("desk", "kept")
        finally:
            with anyio.CancelScope(shield=True):
                for machine in store.all():
                    await made.delete(machine.name)
    assert (content / "d/note").read_text() == "mine\n"


async def test_a_machine_whose_engine_is_gone_can_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Machines(Store(tmp_path))
    await made.create("desk", SPEC)
    begun = made.store.add("begun", SPEC)
    begun.directory.mkdir()
    monkeypatch.setenv("CARREL_RUNSC", str(tmp_path / "none"))
    # The one that was never finished is cleared away, and hinders nobody.
    assert [standing.machine.name for standing in await made.list()] == ["desk"]
    assert made.store.incomplete() == ()
    await made.delete("desk")
    assert await made.list() == ()
