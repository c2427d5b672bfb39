"""Processes found in /proc, where they say of themselves what they like."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.ids import new_id
from carrel.machines.sandbox.family import (
    all_stopped,
    continue_all,
    descendants,
    end_holders,
    stop_all,
)

RENAMED = """
import ctypes, sys
ctypes.CDLL(None).prctl(15, b"\\xff) S 1 \\xfe", 0, 0, 0)
print("named", flush=True)
sys.stdin.read()
"""

# Its child has its memory until it has opened the pipe, to which nobody ever writes.
LENDING = """
import os, subprocess, sys
keeper = "import os, sys; os.posix_spawn('/bin/true', ['true'], {}, file_actions=" \
    "[(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)])"
with subprocess.Popen([sys.executable, "-c", keeper, sys.argv[1]]):
    print("begun", flush=True)
"""


@contextmanager
def _started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_a_process_whose_name_is_no_text_is_found() -> None:
    with _started(sys.executable, "-c", RENAMED) as process:
        assert process.pid in descendants(os.getpid())


def test_who_waits_for_a_child_that_has_its_memory_stands_still_with_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with _started(sys.executable, "-c", LENDING, str(pipe)) as process:
        _wait_until(lambda: len(descendants(process.pid)) == 2)
        lender, _ = descendants(process.pid)
        _wait_until(lambda: _state(lender) == "D")
        try:
            assert not all_stopped(process.pid)
            assert stop_all(process.pid)
            assert all_stopped(process.pid)
            continue_all(process.pid)
            assert not all_stopped(process.pid)
        finally:
            pipe.open("wb").close()
        assert process.wait(20) == 0


# Nobody may look into it, as into a machine's guest, and it is nearly always at starting another.
STARTING = """
import ctypes, subprocess
assert ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0
print("begun", flush=True)
while True:
    subprocess.run(["/bin/true"])
"""

STOPPING = """
import os, subprocess, sys, time
from carrel.machines.sandbox.family import all_stopped, continue_all, stop_all
if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)
os.chdir("/")
with subprocess.Popen([sys.argv[1], "-c", sys.argv[2]], stdout=subprocess.PIPE) as process:
    process.stdout.readline()
    try:
        for _ in range(60):
            assert stop_all(os.getpid())
            assert all_stopped(os.getpid())
            continue_all(os.getpid())
            time.sleep(0.003)
    finally:
        process.kill()
"""


def test_who_may_not_look_into_a_process_stops_it_all_the_same() -> None:
    python = os.path.realpath("/usr/bin/python3")
    env = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]}
    words = [sys.executable, "-c", STOPPING, python, STARTING]
    subprocess.run(words, env=env, check=True, timeout=60)


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def _wait_until(look: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not look():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts outside a user namespace need root")
@pytest.mark.namespace
def test_whoever_looks_at_a_machine_through_a_mount_is_not_killed(tmp_path: Path) -> None:
    machine_id = new_id("mac")
    home = tmp_path / machine_id / "home"
    home.mkdir(parents=True)
    (tmp_path / "seen").mkdir()
    script = f"mount --bind {home} {tmp_path}/seen && echo mounted && cat"
    with _started("unshare", "--mount", "--propagation", "private", "sh", "-c", script) as looker:
        assert end_holders(machine_id)
        assert looker.poll() is None
