from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

from carrel import computer, sync
from carrel.machines import lifecycle


def test_the_synchronous_facade_is_up_to_date() -> None:
    script = Path(__file__).resolve().parent.parent / "scripts" / "generate_sync.py"
    subprocess.run([sys.executable, script, "--check"], check=True)


def test_every_public_coroutine_has_a_synchronous_twin() -> None:
    pairs = [
        (computer.Computer, sync.Computer),
        (computer.Process, sync.Process),
        (lifecycle.Machines, sync.Machines),
    ]
    for asynchronous, synchronous in pairs:
        for name, member in inspect.getmembers(asynchronous, inspect.isfunction):
            if name.startswith("_"):
                continue
            twin = getattr(synchronous, name)
            assert not inspect.iscoroutinefunction(twin), name
            assert inspect.getdoc(twin) == inspect.getdoc(member), name
