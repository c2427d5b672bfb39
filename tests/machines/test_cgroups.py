"""Control groups: the real ones of this system, and the layout of version 2 as files."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.ids import new_id
from carrel.machines.sandbox import cgroups
from carrel.machines.sandbox.cgroups import Group, Limits, stray_groups

ROOT = os.geteuid() == 0
UNIFIED = next(
    (h.mount for h in cgroups._hierarchies(cgroups._read_mounts()) if not h.controllers), None
)


@pytest.fixture
def group() -> Iterator[Group]:
    made = Group.make(new_id("mac"), Limits(memory_mb=64, pids=16, cpus=1))
    yield made
    assert made.remove()


def _join(group: Group, *argv: str) -> subprocess.Popen[bytes]:
    """Start a program in the group."""
    script = 'for d in $GROUPS_; do echo 0 > "$d/cgroup.procs"; done; exec "$@"'
    env = {**os.environ, "GROUPS_": " ".join(map(str, group.directories))}
    return subprocess.Popen(["sh", "-c", script, "sh", *argv], env=env)


def _until(condition, bound: float = 20.0) -> None:
    until = time.monotonic() + bound
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


needs_groups = pytest.mark.skipif(not ROOT, reason="control groups here are root's")


@needs_groups
def test_limits_are_set_and_figures_are_read(group: Group) -> None:
    assert group.notes == ()
    assert group.counts_processes()
    with _join(group, "sleep", "60") as process:
        _until(lambda: group.processes() == 1)
        assert process.pid in group.members()
        assert group.memory_bytes() is not None
        assert group.cpu_seconds() is not None
        group.kill()
        assert process.wait(20) == -9
    assert group.reached() == ()


@needs_groups
def test_what_exceeds_the_memory_is_killed_and_counted(group: Group) -> None:
    code = "x = bytearray(200 << 20)"
    with _join(group, "/usr/bin/python3", "-I", "-c", code) as process:
        assert process.wait(20) == -9
    assert any(text.startswith("memory limit reached") for text in group.reached())


@needs_groups
def test_frozen_processes_stand_still_and_can_be_killed(group: Group) -> None:
    with _join(group, "sh", "-c", "while :; do :; done") as process:
        _until(lambda: (group.cpu_seconds() or 0) > 0.02)
        assert not group.frozen()
        assert group.halt()
        before = group.cpu_seconds()
        time.sleep(0.1)
        assert group.cpu_seconds() == before
        group.freeze(False)
        _until(lambda: (group.cpu_seconds() or 0) > (before or 0))
        group.freeze(True)
        assert group.remove()
        assert process.wait(20) == -9


@needs_groups
def test_who_starts_one_process_after_another_is_halted_as_well(group: Group) -> None:
    """Caught between the two halves of a `vfork`, some kernels would wait for ever."""
    with _join(group, "sh", "-c", "while :; do /bin/true; done") as process:
        _until(lambda: (group.cpu_seconds() or 0) > 0.02)
        for _ in range(300):
            assert group.halt(5)
            group.freeze(False)
        process.kill()


@needs_groups
def test_a_group_with_somebody_in_it_is_not_discarded(group: Group) -> None:
    with _join(group, "sleep", "60") as process:
        _until(lambda: group.processes() == 1)
        assert not group.discard()
        process.kill()
    _until(group.discard)
    assert not any(path.exists() for path in group.directories)


@needs_groups
def test_strays_are_old_unknown_and_named_like_ours(group: Group) -> None:
    identity = group.directories[0].name.removeprefix("carrel-")

    def mine(known: frozenset[str], age: float) -> set[Path]:
        return {p for s in stray_groups(known, age) for p in s.directories if identity in p.name}

    assert mine(frozenset(), age=0) == set(group.directories)
    assert mine(frozenset({identity}), age=0) == set()
    assert mine(frozenset(), age=60) == set()


@needs_groups
@pytest.mark.skipif(UNIFIED is None, reason="no version 2 hierarchy is mounted")
def test_version_2_freezes_and_kills_by_itself() -> None:
    assert UNIFIED is not None
    directory = UNIFIED / f"carrel-{new_id('mac')}"
    directory.mkdir()
    group = Group((directory,))
    try:
        with _join(group, "sh", "-c", "sleep 60 & sleep 60") as process:
            _until(lambda: len(group.members()) == 3)
            assert group.halt()
            group.kill()
            assert process.wait(20) == -9
    finally:
        assert group.remove()
    assert not directory.exists()


@pytest.mark.skipif(ROOT, reason="root may")
def test_without_rights_a_note_says_what_is_not_enforced() -> None:
    group = Group.make(new_id("mac"), Limits(memory_mb=64, pids=16, cpus=2))
    if group.directories:
        assert group.remove()
        pytest.skip("this user has control groups")
    assert [note.split(":")[0] for note in group.notes] == [
        "memory limit not enforced",
        "processor limit not enforced",
    ]


# A version 2 tree as files: which directory is chosen and what is written.


def _tree(root: Path, name: str, *, enabled: str, writable: bool = True) -> Path:
    place = root / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (place / "cgroup.subtree_control").write_text(f"{enabled}\n")
    (place / "cgroup.procs").write_text("")
    if not writable:
        (place / "cgroup.procs").unlink()
    return place


def _use(monkeypatch: pytest.MonkeyPatch, root: Path, own: str, uid: int = 1000) -> None:
    line = f"30 24 0:26 / {root} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    monkeypatch.setattr(cgroups, "_read_mounts", lambda: line)
    monkeypatch.setattr(cgroups, "_own_group", lambda: own)
    monkeypatch.setattr("os.geteuid", lambda: uid)


def test_a_user_gets_the_nearest_delegated_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "", enabled="cpu memory pids", writable=False)
    _tree(tmp_path, "user.slice", enabled="cpu memory pids", writable=False)
    app = _tree(tmp_path, "user.slice/app.slice", enabled="memory pids")
    _tree(tmp_path, "user.slice/app.slice/terminal.scope", enabled="", writable=False)
    _use(monkeypatch, tmp_path, "/user.slice/app.slice/terminal.scope")
    group = Group.make("mac_1", Limits(64, 16))
    assert group.directories == (app / "carrel-mac_1",)
    assert (app / "cgroup.subtree_control").read_text() == "+cpu"
    # These are files, not the kernel: no limit appeared in the new directory, and that is told.
    assert group.notes == ("memory limit not enforced: the kernel offers no such controller here",)


def test_limits_of_version_2_are_written_where_they_belong(tmp_path: Path) -> None:
    names = ("memory.max", "memory.swap.max", "pids.max", "cpu.max")
    for name in names:
        (tmp_path / name).write_text("max")
    group = Group((tmp_path,))
    assert group._set_limits(Limits(64, 16, 2), "") == ()
    written = [(tmp_path / name).read_text() for name in names]
    assert written == [str(64 << 20), "0", "16", "200000 100000"]
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\n")
    (tmp_path / "pids.events").write_text("max 3\n")
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    assert group.reached() == (
        "memory limit reached: 2 process(es) killed by the kernel",
        "process limit reached: 3 refused",
    )
    assert group.cpu_seconds() == 1.5


@pytest.mark.parametrize(
    ("groups", "mounts", "found"),
    [
        ("0::/system.slice/docker-abc.scope\n", "cgroup2 c rw", ["system.slice/docker-abc.scope"]),
        # Podman has a container's processes in a group below the container's own.
        ("0::/user/libpod-abc.scope/container\n", "cgroup2 c rw", ["user/libpod-abc.scope"]),
        ("4:memory:/docker/abc\n0::/docker/abc\n", "cgroup c rw,memory", ["docker/abc"]),
        ("4:memory:/docker/abc\n", "cgroup c rw,pids", []),
        ("0::/user.slice/session.scope\n", "cgroup2 c rw", []),
    ],
)
def test_the_group_that_an_engine_made_is_found(groups: str, mounts: str, found: list[str]) -> None:
    mounted = cgroups._hierarchies(f"30 20 0:1 / /fs rw shared:1 - {mounts}\n")
    places = cgroups._places(groups, mounted, "abc")
    assert [str(path) for path in places] == [f"/fs/{each}" for each in found]


def test_the_group_of_a_process_is_found_by_its_name_alone(group: Group) -> None:
    if not group.directories:
        pytest.skip("no control group can be made here")
    with _join(group, "sleep", "30") as member:
        name, all_of_it = group.directories[0].name, set(group.directories)
        _until(lambda: set(Group.of(member.pid, name).directories) == all_of_it)
        assert Group.of(member.pid, "carrel-somebody-else") == Group()
        member.kill()
    assert Group.of(member.pid, name) == Group()


def test_a_user_without_a_delegated_part_is_told_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "", enabled="memory pids", writable=False)
    _tree(tmp_path, "session.scope", enabled="", writable=False)
    _use(monkeypatch, tmp_path, "/session.scope")
    group = Group.make("mac_1", Limits(64, 16))
    assert group.directories == ()
    assert len(group.notes) == 1
    assert "systemd-run --user --scope" in group.notes[0]


def test_root_goes_to_the_top_of_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path, "", enabled="cpu memory pids")
    _tree(tmp_path, "system.slice/x.service", enabled="")
    _use(monkeypatch, tmp_path, "/system.slice/x.service", uid=0)
    assert Group.make("mac_1", Limits(64, 16)).directories == (tmp_path / "carrel-mac_1",)


def test_a_stray_group_that_vanishes_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "", enabled="cpu memory pids")
    _use(monkeypatch, tmp_path, "/", uid=0)
    (tmp_path / "carrel-mac_2").mkdir()
    # Listed, and not there when it is looked at.
    (tmp_path / "carrel-mac_1").symlink_to(tmp_path / "gone")
    found = cgroups.stray_groups(frozenset(), age=0.0)
    assert found == (Group((tmp_path / "carrel-mac_2",)),)


def test_no_control_groups_at_all_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "_read_mounts", lambda: "1 1 8:1 / / rw - ext4 /dev/sda1 rw\n")
    group = Group.make("mac_1", Limits(64, 16))
    assert group == Group((), ("memory limit not enforced: no control groups are mounted",))
    assert not group.freeze(True)
    assert group.remove()
