"""Keepers whose machine is gone: processes that nobody asks anything any more."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from anyio import to_thread

from carrel.errors import RunError
from carrel.machines.keeper import MODULE
from carrel.machines.mending.fault import Fault
from carrel.machines.sandbox.family import descendants

__all__ = ["keeper_faults"]

_BOUND_MS = 10_000


def keeper_faults(home: Path) -> Iterator[Fault]:
    """Of the machines of one store whose directory is gone; what is there is never touched.

    Args:
        home: The directory of all machines.
    """
    for pid, directory in _keepers(home):
        if not directory.exists():
            yield Fault(
                "keeper",
                str(pid),
                f"process {pid} keeps {directory.name}, of which nothing is left",
                "end it, and what runs in it",
                f"kill {pid}",
                partial(to_thread.run_sync, _end, pid, directory),
            )


def _keepers(home: Path) -> Iterator[tuple[int, Path]]:
    for name in sorted(os.listdir("/proc")):  # noqa: PTH208
        directory = _kept_by(int(name)) if name.isdecimal() else None
        if directory is None or directory.parent != home:
            continue
        # A child of a keeper carries its command line; it goes with it.
        if _kept_by(_parent(int(name))) != directory:
            yield int(name), directory


def _kept_by(pid: int) -> Path | None:
    with suppress(OSError, IndexError):
        if Path(f"/proc/{pid}").stat().st_uid != os.geteuid():
            return None
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if MODULE.encode() in words:
            return Path(os.fsdecode(words[words.index(MODULE.encode()) + 1]))
    return None


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return 0


def _end(pid: int, directory: Path) -> str:
    family = [*descendants(pid), pid]
    handles = []
    try:
        for each in family:
            with suppress(ProcessLookupError):
                handles.append(os.pidfd_open(each))
        # Now that the number cannot pass to somebody else any more.
        if _kept_by(pid) != directory:
            return "it has ended by itself"
        for handle in handles:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        _wait_for_all(handles)
    finally:
        for handle in handles:
            os.close(handle)
    return f"it was ended, with {len(family) - 1} processes below it"


def _wait_for_all(handles: list[int]) -> None:
    poller = select.poll()
    for handle in handles:
        poller.register(handle, select.POLLIN)
    left = set(handles)
    while left:
        ended = poller.poll(_BOUND_MS)
        if not ended:
            raise RunError("its processes do not end", retryable=True)
        for handle, _ in ended:
            poller.unregister(handle)
            left.discard(handle)
