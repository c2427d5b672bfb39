"""All processes below one, found in /proc: what a machine is on a system without control groups."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from carrel.machines.sandbox._libc import share_memory
from carrel.machines.sandbox.plan import AGENT_HOME, STAGED_HOME

__all__ = [
    "all_stopped",
    "continue_all",
    "descendants",
    "disk_bytes",
    "end_all",
    "end_holders",
    "stop_all",
]

# A process that waits for a busy disk stops, or ends, only when the disk has answered.
_PATIENCE = 30.0
_FIRST_TURN = 0.2
_LET_GO = 0.01
_STILL = frozenset("TtZX")
_STOP_ASKED = 1 << (signal.SIGSTOP - 1)


def _read_stat(pid: int) -> tuple[str, int] | None:
    """The state and the parent of a process; None if it is gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        # The name in front is whatever the process calls itself: any bytes, brackets too.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[0].decode(), int(fields[1])
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


def disk_bytes(pids: list[int]) -> tuple[int, int] | None:
    """Bytes that processes, and all their children that have ended, read from and wrote to disks.

    None where the system does not say so, or not to us.
    """
    read = written = 0
    for pid in pids:
        try:
            text = Path(f"/proc/{pid}/io").read_text()
        except (FileNotFoundError, ProcessLookupError):  # it has ended: its parent has its figures
            continue
        except PermissionError:
            return None
        told = dict(line.split(": ") for line in text.splitlines())
        read += int(told["read_bytes"])
        written += int(told["write_bytes"])
    return (read, written) if pids else None


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def stop_all(ancestor: int) -> bool:
    """Stop every process below `ancestor`; whether all stand still.

    One that is caught while it starts another (`vfork`) waits for a child that is stopped. Where
    the kernel does not tell us that it does, both are let go for a moment, then stopped again.
    """
    turn, now = _FIRST_TURN, time.monotonic()
    until, let_go = now + _PATIENCE, now + turn
    while (now := time.monotonic()) < until:
        pids = descendants(ancestor)
        # What a process started just before it was stopped shows up in the next round.
        if all(_is_still(pid) for pid in pids) and pids == descendants(ancestor):
            return True
        if now > let_go:
            continue_all(ancestor)
            time.sleep(_LET_GO)
            turn *= 2
            let_go = time.monotonic() + turn
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
    if stat is None or stat[0] in _STILL:
        return True
    # One that has lent its memory to a child (`vfork`) waits for it, even if that is stopped.
    return stat[0] == "D" and _is_asked_to_stop(pid) and _waits_for_a_stopped_child(pid)


def _waits_for_a_stopped_child(pid: int) -> bool:
    for child in descendants(pid):
        stat = _read_stat(child)
        # Who may not be told whether they share it goes on waiting for them.
        with suppress(OSError):
            if stat == ("T", pid) and share_memory(pid, child):
                return True
    return False


def _is_asked_to_stop(pid: int) -> bool:
    """Whether it stops as soon as it is let go by what it waits for."""
    with suppress(FileNotFoundError, ProcessLookupError):
        status = Path(f"/proc/{pid}/status").read_text()
        pending = re.findall(r"^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)", status, re.MULTILINE)
        return any(int(mask, 16) & _STOP_ASKED for mask in pending)
    return False


def end_holders(machine_id: str) -> bool:
    """Kill every process that lives in a machine's mounts; whether all are gone.

    A machine's mounts are in its own mount namespace, so this finds its processes and no others,
    whoever their parents are by now.
    """
    until = time.monotonic() + _PATIENCE
    while left := _holders(machine_id):
        if time.monotonic() > until:
            return False
        _signal(left, signal.SIGKILL)
        time.sleep(0.002)
    return True


def _holders(machine_id: str) -> list[int]:
    # Somebody may look at a machine's directory through a mount of their own: only the places
    # where a sandbox has its home count, and never what this process sees, too.
    pattern = rf"^\S+ \S+ \S+ \S*/{re.escape(machine_id)}/home ({STAGED_HOME}|{AGENT_HOME}) "
    inside = re.compile(pattern.encode(), re.MULTILINE)
    ours = Path("/proc/self/mountinfo").read_bytes()
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        # Not ours to read, or gone in between.
        with suppress(OSError):
            if name.isdecimal() and inside.search(seen := _mounts(name)) and seen != ours:
                found.append(int(name))
    return found


def _mounts(pid: str) -> bytes:
    return Path(f"/proc/{pid}/mountinfo").read_bytes()


def end_all(ancestor: int) -> None:
    """Kill every process below `ancestor`, and reap those that are ours."""
    until = time.monotonic() + _PATIENCE
    while (left := descendants(ancestor)) and time.monotonic() < until:
        _signal(left, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)
