"""What is said of a machine that is not well, of a full disk, and who outlives an engine."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from carrel.errors import RunError, WrongState
from carrel.ids import new_id
from carrel.machines.advice import advised
from carrel.machines.docker import orphans
from carrel.machines.docker.orphans import Left, end_orphans, end_without_engine
from carrel.machines.full_disk import SPARE_BYTES, full_disk_told, give_up_spare, keep_spare
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State, require_state


def machine(home: Path) -> Machine:
    return Machine("mac_x", "desk", MachineSpec(memory_mb=1024), home / "mac_x", 0.0)


@pytest.mark.parametrize(
    ("state", "cause", "way"),
    [
        (State.ERROR, "the keeper was killed", "carrel logs desk, then: carrel up desk"),
        (State.ERROR, None, "carrel logs desk, then: carrel up desk"),
        (State.ERROR, "memory limit reached: 3 times", "carrel start desk --memory 2GB"),
        (State.ERROR, "it ran out of memory", "carrel start desk --memory 2GB"),
        (State.LOST, "its files are gone", "carrel delete desk, and make it again"),
    ],
)
def test_a_machine_that_is_not_well_has_a_way_on(
    tmp_path: Path, state: State, cause: str | None, way: str
) -> None:
    found = advised(machine(tmp_path), Observed(state, cause, notes=("as it is",)))
    assert found == Observed(state, cause, notes=("as it is", f"try: {way}"))


def test_one_that_runs_need_not_be_stopped_to_go_on() -> None:
    with pytest.raises(WrongState) as told:
        require_state("desk", "resume", Observed(State.RUNNING))
    assert told.value.hint == "it goes on already; carrel pause desk halts it"


def test_room_is_asked_for_where_the_machine_is(tmp_path: Path) -> None:
    full = Observed(State.ERROR, "[Errno 28] No space left on device")
    assert str(tmp_path) in advised(machine(tmp_path), full).notes[0]


@pytest.mark.parametrize("state", [State.RUNNING, State.STOPPED, State.PAUSED])
def test_a_machine_that_is_well_needs_no_advice(tmp_path: Path, state: State) -> None:
    assert advised(machine(tmp_path), Observed(state)) == Observed(state)


def test_a_provider_that_knows_better_is_not_talked_over(tmp_path: Path) -> None:
    told = Observed(State.ERROR, "no engine", notes=("try: start it",))
    assert advised(machine(tmp_path), told) == told


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        sqlite3.OperationalError("database or disk is full"),
    ],
)
def test_a_full_disk_is_told_with_what_to_do(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(RunError, match="is full") as caught, full_disk_told(tmp_path):
        raise error
    assert str(tmp_path) in caught.value.message
    assert "make room" in str(caught.value.hint)


@pytest.mark.parametrize(
    "error", [PermissionError(errno.EACCES, "no"), sqlite3.OperationalError("locked")]
)
def test_another_error_stays_what_it_is(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error)) as caught, full_disk_told(tmp_path):
        raise error
    assert caught.value is error


def test_room_is_kept_and_had_once(tmp_path: Path) -> None:
    assert not give_up_spare(tmp_path)
    keep_spare(tmp_path)
    keep_spare(tmp_path)
    (spare,) = tmp_path.iterdir()
    assert spare.stat().st_blocks * 512 >= SPARE_BYTES
    assert spare.stat().st_mode & 0o077 == 0
    assert give_up_spare(tmp_path)
    assert not give_up_spare(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_who_has_a_machines_identity_is_ended_and_nobody_else(tmp_path: Path) -> None:
    def begin(identity: str, target: str) -> subprocess.Popen[bytes]:
        path = tmp_path / identity / "machine-id"
        path.parent.mkdir(exist_ok=True)
        path.write_text("0" * 32)
        script = f"mount --bind {path} {target} && exec sleep 600"
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]
        process = subprocess.Popen(words)
        deadline = time.monotonic() + 60
        while b"sleep" not in Path(f"/proc/{process.pid}/cmdline").read_bytes()[:6]:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return process

    if shutil.which("unshare") is None or not Path("/etc/machine-id").exists():
        pytest.skip("there is no unshare, or nothing to mount over")
    mine, other = new_id("mac"), new_id("mac")
    elsewhere = tmp_path / "looked-at"
    elsewhere.touch()
    started = [
        begin(mine, "/etc/machine-id"),
        begin(other, "/etc/machine-id"),
        begin(mine, str(elsewhere)),
    ]
    try:
        assert end_orphans(mine) is Left.NOTHING
        assert started[0].wait(60) == -9
        assert [process.poll() for process in started[1:]] == [None, None]
        assert end_orphans(mine) is Left.NOTHING
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_nobody_is_ended_for_a_machine_that_has_nobody() -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert end_orphans(new_id("mac")) is not Left.SOME
        assert bystander.poll() is None
    finally:
        bystander.communicate(b"\n", timeout=60)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount and become another user")
@pytest.mark.parametrize(("hidden", "left"), [(0, "nothing"), (1, "unseen"), (2, "unseen")])
def test_who_may_not_look_does_not_say_that_nothing_is_left(hidden: int, left: str) -> None:
    words = "import logging, os; from carrel.machines.docker.orphans import *\n"
    words += "from carrel.machines.spec import Machine, MachineSpec; from pathlib import Path\n"
    words += "os.setgroups([]); os.setgid(65534); os.setuid(65534); logging.basicConfig()\n"
    words += "gone = Machine('mac_0', 'desk', MachineSpec(), Path('/'), 0.0)\n"
    words += "end_without_engine(gone); print(end_orphans('mac_0'))"
    mount = f'mount -t proc -o hidepid={hidden} proc /proc || exit 9; exec "$@"'
    apart = ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh"]
    done = subprocess.run(
        [*apart, sys.executable, "-c", words], capture_output=True, text=True, timeout=120
    )
    if done.returncode == 9:
        pytest.skip(f"no processes can be hidden here: {done.stderr}")
    assert (done.stdout, done.returncode) == (f"{left}\n", 0), done.stderr
    assert ("whether desk still runs cannot be seen" in done.stderr) == (left == "unseen")


def test_what_cannot_be_ended_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphans, "end_orphans", lambda _: Left.SOME)
    with pytest.raises(RunError, match="processes of desk still run") as caught:
        end_without_engine(machine(Path("/")))
    assert "engine" in (caught.value.hint or "")
