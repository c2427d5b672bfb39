"""Lima's machines by contract: a `limactl` that takes only what Lima's does, over real systems."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path

import anyio
import fake_limactl
import pytest
from engine_desks import boxed, new_machine, require_conformance
from engine_desks import said_in as said
from hypothesis import given
from hypothesis import strategies as st
from light import IMAGE, light_home, quick_place

from carrel.computer import Computer
from carrel.errors import InvalidInput, NotFound, RunError, Unavailable, Unsupported
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.foreign import Condition
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import quiet
from carrel.machines.lima import CloudImage, Instance, Limactl, expression, read_list, template
from carrel.machines.providers.lima import LimaProvider, base_name
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.image, pytest.mark.desktop]

SPEC = MachineSpec(provider="lima", image=IMAGE, size=Size(800, 600), memory_mb=1024, pids=300)
BOUND = 180


class Lima:
    """The program and what it keeps, asked by somebody else than our code."""

    def __init__(self, home: Path, program: Path) -> None:
        self.home = home
        self.program = program

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *words], capture_output=True, text=True, timeout=60, check=False
        )

    def told(self) -> dict[str, dict[str, object]]:
        lines = self.ask("list", "--json").stdout.splitlines()
        return {told["name"]: told for told in map(json.loads, lines)}

    def asked(self, command: str, name: str) -> list[str]:
        """How it was asked to do something with an instance."""
        lines = (self.home / "log").read_text().splitlines()
        return [line for line in lines if line.startswith(f"{command} ") and line.endswith(name)]

    def machines(self) -> list[str]:
        return [name for name in self.told() if name.startswith("carrel-mac_")]


@pytest.fixture(scope="module")
def lima() -> Iterator[Lima]:
    with quick_place() as place, pytest.MonkeyPatch.context() as patch:
        light_home(place / "carrel")
        (place / "cloud.img").write_bytes(b"a cloud image")
        found = Lima(place / "lima", fake_limactl.install(place))
        patch.setenv("CARREL_HOME", str(place / "carrel"))
        patch.setenv("LIMA_HOME", str(found.home))
        patch.setenv("CARREL_LIMACTL", str(found.program))
        patch.setenv("CARREL_LIMA_IMAGE", str(place / "cloud.img"))
        patch.delenv("CARREL_LIMA_DIGEST", raising=False)
        yield found
        fake_limactl.remove_all(found.home)


def desk(
    home: Path, spec: MachineSpec = SPEC
) -> AbstractAsyncContextManager[tuple[LimaProvider, Machine]]:
    return boxed(LimaProvider(), home, spec)


async def test_a_desk_in_an_instance_is_seen_used_kept_and_missed(
    lima: Lima, tmp_path: Path
) -> None:
    with anyio.fail_after(BOUND):
        async with desk(tmp_path) as (provider, made):
            machine = made
            async with Computer(lambda: provider.channel(machine)) as computer:
                shot = await computer.screenshot()
                assert shot.size == Size(800, 600)
                await computer.write_file("note.txt", "in the instance")
                assert await computer.read_file("note.txt") == "in the instance"
            facts = await said(provider, machine, "id -u; hostname; ls /sys/class/net; ls /mnt")
            assert facts.split() == ["1000", "boxed", "lo"]
            status = await said(provider, machine, "cat /proc/self/status /proc/self/limits")
            assert "CapBnd:\t0000000000000000" in status
            assert "NoNewPrivs:\t1" in status
            assert re.search(r"Max processes +300 +300", status)
            # What somebody else sees: one instance, of the wished size, that shares nothing.
            (name,) = lima.machines()
            told = lima.told()[name]
            assert told["status"] == "Running"
            assert told["memory"] == 1024 << 20
            config = told["config"]
            assert isinstance(config, dict)
            assert (config["plain"], config["mounts"]) == (True, [])
            assert str(tmp_path / "machines") in str(told["message"])
            figures = await provider.metrics(machine)
            assert (figures.memory_bytes or 0) > 1 << 20
            # The disk is copied while it is off, and a wish that has changed holds from then on.
            machine = replace(machine, spec=replace(SPEC, memory_mb=1536, disk_mb=30720))
            await provider.snapshot(machine, "one")
            assert await provider.snapshots(machine) == ("one",)
            # It was shut down in order, or the copy would lack what was not yet on its disk.
            assert lima.asked("stop", name) == [f"stop tty {name}"]
            assert lima.told()[name]["memory"] == 1536 << 20
            assert lima.told()[name]["disk"] == 30720 << 20
            await said(provider, machine, "echo after > note.txt")
            with pytest.raises(NotFound, match="no snapshot 'two'"):
                await provider.restore(machine, "two")
            await provider.restore(machine, "one")
            assert await said(provider, machine, "cat note.txt") == "in the instance"
            # A copy is removed while the instance that was cloned from it runs.
            await provider.delete_snapshot(machine, "one")
            assert (lima.machines(), await provider.snapshots(machine)) == ([name], ())
            with pytest.raises(NotFound, match="no snapshot 'one'"):
                await provider.delete_snapshot(machine, "one")
            assert await said(provider, machine, "cat note.txt") == "in the instance"
            # What is thrown away needs no order.
            assert lima.asked("stop", name)[1:] == [f"stop force tty {name}"]
            for refused in (provider.pause(machine), provider.fork(machine, [])):
                with pytest.raises(Unsupported):
                    await refused
            # The power is cut.
            assert lima.ask("stop", "--force", name).returncode == 0
            while (await provider.inspect(machine)).state is not State.ERROR:  # noqa: ASYNC110
                await anyio.sleep(0.1)
            await provider.recover(machine)
            assert Keep(machine.directory).socket.exists() is False
        assert lima.machines() == []
        assert not machine.directory.exists()


@pytest.mark.parametrize("at", ["{name}.next", "{name}"])
async def test_a_restore_that_fails_leaves_the_copies_and_can_be_done_again(
    lima: Lima, tmp_path: Path, at: str
) -> None:
    provider = LimaProvider()
    machine = new_machine(tmp_path, SPEC)
    name, full = f"carrel-{machine.id}", lima.home / "full-for"
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.create(machine)
        (lima.home / name / "etc/when").write_text("first")
        Limactl().keep(name, "one")
        Limactl().keep(name, "two")
        (lima.home / name / "etc/when").write_text("second")
        owner = lima.told()[name]["message"]
        full.write_text(at.format(name=name))
        try:
            with pytest.raises(RunError, match="no space left"):
                Limactl().go_back(name, "one")
        finally:
            full.unlink()
        assert await provider.snapshots(machine) == ("one", "two")
        if at != "{name}":  # what it was to replace is as it was
            assert (lima.home / name / "etc/when").read_text() == "second"
        Limactl().go_back(name, "one")
        assert (lima.home / name / "etc/when").read_text() == "first"
        assert lima.told()[name]["message"] == owner
        assert await provider.snapshots(machine) == ("one", "two")
        assert lima.machines() == [name, f"{name}-kept-one", f"{name}-kept-two"]
        await provider.delete(machine)
        assert lima.machines() == []


@pytest.mark.parametrize("at", ["-kept-one.next", "-kept-one"])
async def test_a_copy_is_not_lost_to_one_that_fails(lima: Lima, tmp_path: Path, at: str) -> None:
    provider = LimaProvider()
    machine = new_machine(tmp_path, SPEC)
    name, full = f"carrel-{machine.id}", lima.home / "full-for"
    when = lima.home / name / "etc/when"
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.create(machine)
        when.write_text("first")
        Limactl().keep(name, "one")
        when.write_text("second")
        full.write_text(f"{name}{at}")
        try:
            with pytest.raises(RunError, match="no space left"):
                Limactl().keep(name, "one")
        finally:
            full.unlink()
        assert await provider.snapshots(machine) == ("one",)
        when.write_text("third")
        Limactl().go_back(name, "one")
        assert when.read_text() == ("first" if at.endswith(".next") else "second")
        Limactl().keep(name, "one")
        assert lima.machines() == [name, f"{name}-kept-one"]
        # What is deleted is gone with all that was to take its place.
        full.write_text(f"{name}{at}")
        with pytest.raises(RunError, match="no space left"):
            Limactl().keep(name, "one")
        full.unlink()
        await provider.delete_snapshot(machine, "one")
        assert lima.machines() == [name]
        await provider.delete(machine)
        assert lima.machines() == []


async def test_an_instance_of_nobody_is_collected_and_one_of_others_is_not(
    lima: Lima, tmp_path: Path
) -> None:
    provider = LimaProvider()
    home = tmp_path / "machines"
    home.mkdir()
    made = []
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        base = base_name(resolve_image(IMAGE), CloudImage.chosen())
        for place in (home, tmp_path / "others"):
            identity = new_id("mac")
            machine = Machine(identity, "it", SPEC, place / identity, 0.0)
            await provider.create(machine)
            made.append(machine)
        ours, theirs = made
        Limactl().keep(f"carrel-{ours.id}", "one")
        Limactl().keep(f"carrel-{theirs.id}", "one")
        assert await provider.collect(home, frozenset({ours.id})) == ()
        ours.directory.rmdir()
        # Also where a restore has come to its end half-way.
        Limactl().remove(f"carrel-{ours.id}")
        removed = await provider.collect(home, frozenset())
        assert removed == (f"lima system of the deleted machine {ours.id}",)
        assert lima.machines() == [f"carrel-{theirs.id}", f"carrel-{theirs.id}-kept-one"]
        assert (await provider.inspect(ours)).state is State.LOST
        assert await provider.collect(tmp_path / "unused", frozenset()) == ()
        await provider.delete(theirs)
        assert list(lima.told()) == [base]


async def test_what_machines_are_cloned_from_is_made_once_and_made_anew_when_unfinished(
    lima: Lima, tmp_path: Path
) -> None:
    stages: list[str] = []
    provider = LimaProvider()
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.prepare(SPEC, lambda stage, _: stages.append(stage))
        assert stages == [f"image {IMAGE}"]
        (base,) = (name for name in lima.told() if name.startswith("carrel-base-"))
        Limactl().edit(base, {"message": "unfinished"})
        await provider.prepare(SPEC, lambda stage, _: stages.append(stage))
        assert "Lima: starting it for the first time" in stages
        assert lima.told()[base]["status"] == "Stopped"
        tree = lima.home / base / "disk/image"
        assert (tree / "usr/bin/python3").is_symlink()
        assert (tree / "home/agent").stat().st_uid == 1000
        assert (tree / "etc/passwd").stat().st_uid == 0


async def test_an_instance_that_does_not_start_is_told_of_in_limas_words(
    lima: Lima, tmp_path: Path
) -> None:
    provider = LimaProvider()
    machine = new_machine(tmp_path, SPEC)
    broken = lima.home / "broken"
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.create(machine)
        broken.touch()
        try:
            with pytest.raises(RunError, match="could not open the disk"):
                await provider.start(machine, quiet)
        finally:
            broken.unlink()
        assert not Keep(machine.directory).is_held()
        assert (await provider.inspect(machine)).state is State.STOPPED
        # One that was left on is told of and turned off, by force where it does not listen.
        name = f"carrel-{machine.id}"
        Limactl().turn_on(name)
        left = await provider.inspect(machine)
        assert (left.state, left.notes) == (State.STOPPED, ("its lima system is still on",))
        (lima.home / "stuck").touch()
        try:
            await provider.recover(machine)
        finally:
            (lima.home / "stuck").unlink()
        assert lima.asked("stop", name) == [f"stop tty {name}", f"stop force tty {name}"]
        assert lima.told()[name]["status"] == "Stopped"
        await provider.delete(machine)
        await provider.delete(machine)


async def test_the_probe_says_what_is_missing_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CARREL_LIMACTL", raising=False)
    monkeypatch.delenv("CARREL_LIMA_IMAGE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    provider = LimaProvider()
    absent = await provider.probe()
    assert (absent.usable, absent.reason) == (False, "limactl is not installed")
    assert "lima-vm.io" in (absent.fix or "")
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.setenv("CARREL_LIMACTL", str(fake_limactl.install(tmp_path)))
    monkeypatch.setenv("LIMA_HOME", str(tmp_path / "lima"))
    unnamed = await provider.probe()
    assert not unnamed.usable
    assert "CARREL_LIMA_IMAGE" in (unnamed.fix or "")
    monkeypatch.setenv("CARREL_LIMA_IMAGE", "cloud.img")
    assert (await provider.probe()).usable
    (tmp_path / "lima").mkdir(exist_ok=True)
    (tmp_path / "lima/version").write_text("1.0.4")
    old = await provider.probe()
    assert (old.usable, old.reason) == (False, "limactl version 1.0.4 is too old")
    (tmp_path / "lima/version").unlink()
    (tmp_path / "lima/as-root").touch()
    refused = await provider.probe()
    assert not refused.usable
    assert "must not run as the root user" in refused.reason


def test_what_lima_cannot_promise_is_refused() -> None:
    check = LimaProvider().check_spec
    with pytest.raises(NotFound, match="lima provider has no image called 'host'"):
        check(replace(SPEC, image="host"))
    with pytest.raises(InvalidInput, match="too small"):
        check(replace(SPEC, disk_mb=4096))
    with pytest.raises(Unsupported, match="volumes"):
        check(replace(SPEC, volumes=("data:/srv/data",)))
    with pytest.raises(InvalidInput, match="elsewhere"):
        check(replace(SPEC, url="tcp://127.0.0.1:1"))
    check(replace(SPEC, network="allowlist", allow=("example.org:443",), disk_mb=8192))


def test_a_template_shares_nothing_and_names_the_image_of_its_user() -> None:
    digest = "sha256:" + "0" * 64
    wish = json.loads(template(CloudImage("https://example.org/cloud.img", digest), 8192, "mine"))
    fake_limactl.check(wish)
    assert wish["images"] == [{"location": "https://example.org/cloud.img", "digest": digest}]
    assert wish["plain"] is True
    assert wish["mounts"] == wish["portForwards"] == []
    assert not any(wish["ssh"].values())
    assert not any(wish["containerd"].values())


def test_a_digest_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_LIMA_IMAGE", "cloud.img")
    monkeypatch.setenv("CARREL_LIMA_DIGEST", "sha256:short")
    with pytest.raises(InvalidInput, match="CARREL_LIMA_DIGEST"):
        CloudImage.chosen()


VALUES = st.one_of(st.text(), st.integers(), st.booleans())


@given(st.text(), st.integers(1, 64), st.integers(1, 1 << 20))
def test_changes_are_assignments_that_yq_reads_as_they_are_meant(
    message: str, cpus: int, size: int
) -> None:
    changes = {"message": message, "cpus": cpus, "memory": f"{size}MiB"}
    before = {"images": [{"location": "cloud.img"}], "plain": True}
    assert fake_limactl.evaluate(expression(changes), dict(before)) == {**before, **changes}


@given(st.lists(st.tuples(st.text(), st.sampled_from(["Running", "Stopped", "Broken", ""]))))
def test_a_list_is_read_line_by_line(told: list[tuple[str, str]]) -> None:
    lines = [json.dumps({"name": name, "status": status, "cpus": 2}) for name, status in told]
    conditions = {"Running": Condition.ON, "Stopped": Condition.OFF}
    expected = [
        Instance(name, conditions.get(status, Condition.BROKEN), cpus=2) for name, status in told
    ]
    assert read_list("\n".join(lines)) == expected


@given(st.text())
def test_a_list_that_is_none_is_an_error_of_the_tools(text: str) -> None:
    with suppress(RunError):
        assert read_list(text) == []


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["shell", "--no-such", "it"], "unknown flag: --no-such"),
        (["launch"], 'unknown command \\"launch\\" for \\"limactl\\"'),
        (["stop", "it"], 'instance \\"it\\" does not exist'),
        (["list", "--set=.x = 1"], "unknown flag: --set"),
        (["clone", "it"], "accepts 2 arg(s), received 1"),
    ],
)
def test_the_fake_takes_what_lima_takes_and_nothing_else(
    words: list[str], answer: str, tmp_path: Path
) -> None:
    program = fake_limactl.install(tmp_path)
    env = {"LIMA_HOME": str(tmp_path / "lima"), "PATH": os.defpath}
    done = subprocess.run([program, *words], capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert "level=fatal" in done.stderr
    assert answer in done.stderr


@pytest.mark.skipif(not FULL, reason="takes two minutes: make test FULL=1")
async def test_lima_passes_the_conformance_suite(
    lima: Lima, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARREL_HOME")  # with a whole desk, of the real image
    # What others here were cloned from is called the same, and has none.
    LimaProvider().tool().discard(base_name(resolve_image("desktop"), CloudImage.chosen()))
    with anyio.fail_after(900):
        wish = replace(SPEC, image="desktop", size=Size(1024, 768), pids=400)
        await require_conformance("lima", wish)
    assert lima.machines() == []


def test_lima_that_is_not_there_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CARREL_LIMACTL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="limactl is not installed"):
        Limactl()
