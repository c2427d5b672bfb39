"""The name by which a machine knows itself, where it is given another while it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread
from typing import TYPE_CHECKING

from carrel.errors import CarrelError, RunError
from carrel.machines import _uts
from carrel.machines.linelog import note

if TYPE_CHECKING:
    from carrel.machines.provider import Provider
    from carrel.machines.spec import Machine

__all__ = ["call_host", "introduce"]

_SECONDS = 10.0


async def introduce(provider: Provider, machine: Machine) -> None:
    """Tell a running machine what it is called now, where its provider can.

    One that does not take it is good for everything else: that is in its log.
    """
    if not provider.capabilities.renames:
        return
    try:
        await provider.rename(machine)
    except (CarrelError, OSError) as error:
        note(machine.directory, "engine", f"its host name stays what it was: {error}")


def call_host(pid: int, name: str) -> None:
    """Have the namespaces that a process lives in be called something else, from outside.

    Inside nobody may: a machine's programs have no privileges. Who made it has them over it.

    Raises:
        RunError: That could not be.
    """
    failure = _by_a_thread(pid, name) if os.geteuid() == 0 else _by_a_process(pid, name)
    if failure:
        raise RunError(f"the machine could not be called {name}: {failure}", op="machine.rename")


def _by_a_thread(pid: int, name: str) -> str:
    """Root may enter as it is. A thread of its own does, and is gone afterwards."""
    failures: list[str] = []

    def enter() -> None:
        try:
            _uts.call(pid, name, as_owner=False)
        except OSError as error:
            failures.append(str(error))

    thread = Thread(target=enter)
    thread.start()
    thread.join()
    return "".join(failures)


def _by_a_process(pid: int, name: str) -> str:
    words = [sys.executable, "-I", "-S", _uts.__file__, str(pid), name]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"that took more than {_SECONDS:g} s"
    return done.stderr.strip() if done.returncode else ""
