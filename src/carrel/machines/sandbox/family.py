"""All processes below one, found in /proc: what a machine is on a system without control groups."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["all_stopped", "continue_all", "descendants", "end_all", "end_holders", "stop_all"]

_PATIENCE = 5.0
_STILL = frozenset("TtZX")


def _read_stat(pid: int) -> tuple[str, int] | None:
    """The state and the parent of a process; None if it is gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0], int(fields[1])
    return None


def descendants(ancestor: int) -> list[int]:
    """Every process below `ancestor`, parents before their children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdecimal() and (stat := _read_stat(int(name))) is not None:
            children.setdefault(stat[1], []).append(int(name))
    found = [ancestor]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def stop_all(ancestor: int) -> bool:
    """Stop every process below `ancestor`; whether all stand still."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        pids = descendants(ancestor)
        # What a process started just before it was stopped shows up in the next round.
        if all(_is_still(pid) for pid in pids) and pids == descendants(ancestor):
            return True
        _signal(pids, signal.SIGSTOP)
        time.sleep(0.002)
    return False


def continue_all(ancestor: int) -> None:
    """Let them go on, children first: no shell then sees a child that is stopped."""
    _signal(descendants(ancestor)[::-1], signal.SIGCONT)


def all_stopped(ancestor: int) -> bool:
    """Whether there is something below `ancestor` and all of it stands still."""
    pids = descendants(ancestor)
    return bool(pids) and all(_is_still(pid) for pid in pids)


def _is_still(pid: int) -> bool:
    stat = _read_stat(pid)
    return stat is None or stat[0] in _STILL


def end_holders(label: str) -> bool:
    """Kill every process that sees a mount from a path with `label` in it; whether all are gone.

    A machine's mounts are in its own mount namespace, so this finds its processes and no others,
    whoever their parents are by now.
    """
    until = time.monotonic() + _PATIENCE
    while left := _holders(label):
        if time.monotonic() > until:
            return False
        _signal(left, signal.SIGKILL)
        time.sleep(0.002)
    return True


def _holders(label: str) -> list[int]:
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        # Not ours to read, or gone in between.
        with suppress(OSError):
            if name.isdecimal() and label.encode() in Path(f"/proc/{name}/mountinfo").read_bytes():
                found.append(int(name))
    return found


def end_all(ancestor: int) -> None:
    """Kill every process below `ancestor`, and reap those that are ours."""
    until = time.monotonic() + _PATIENCE
    while (left := descendants(ancestor)) and time.monotonic() < until:
        _signal(left, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)
