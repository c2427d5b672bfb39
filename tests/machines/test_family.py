"""Processes found in /proc, where they say of themselves what they like."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.ids import new_id
from carrel.machines.sandbox.family import descendants, end_holders

RENAMED = """
import ctypes, sys
ctypes.CDLL(None).prctl(15, b"\\xff) S 1 \\xfe", 0, 0, 0)
print("named", flush=True)
sys.stdin.read()
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
