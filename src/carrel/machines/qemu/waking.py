"""Halting a virtual machine, and having another go on from there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from carrel.codec import Json
from carrel.errors import CarrelError, RunError
from carrel.machines.qemu.monitor import Monitor

__all__ = ["copy_memory", "parts", "read_state", "shared_memory", "write_state"]

_STATE_SECONDS = 120.0
_UNBOUNDED = 1 << 40
_ENDED = {"status": frozenset({"completed", "failed"})}
_OVER = {"status": frozenset({"completed", "failed", "cancelled", "None"})}


def write_state(qemu: Monitor, target: int, *, memory: bool) -> None:
    """Halt a machine, and have what its devices hold.

    Args:
        qemu: Its QEMU.
        target: Descriptor of the file to write to.
        memory: Whether to write its memory, too.

    Raises:
        RunError: QEMU could not.
    """
    qemu.ask("stop")
    qemu.ask("migrate-set-parameters", **{"max-bandwidth": _UNBOUNDED})
    with _memory_apart(qemu, wanted=not memory):
        qemu.give("state", target)
        qemu.ask("migrate", uri="fd:state")
        if qemu.wait_for("query-migrate", _ENDED, _STATE_SECONDS) != "completed":
            raise RunError("QEMU could not write the machine's state", op="qemu.halt")


def read_state(qemu: Monitor, source: int, *, memory: bool) -> None:
    """Have a machine, which was started and waits for it, go on from such a state.

    Args:
        qemu: Its QEMU.
        source: Descriptor of the file that was written.
        memory: Whether its memory is in there.

    Raises:
        RunError: QEMU could not.
    """
    # Opened anew, it is read from its beginning, whoever else reads it.
    with Path(f"/proc/self/fd/{source}").open("rb") as file:
        qemu.give("state", file.fileno())
    with _memory_apart(qemu, wanted=not memory):
        qemu.ask("migrate-incoming", uri="fd:state")
        if qemu.wait_for("query-migrate", _ENDED, _STATE_SECONDS) != "completed":
            raise RunError("QEMU could not read the state it was to wake up in", op="qemu.wake")
    status = qemu.ask("query-status")
    if isinstance(status, dict) and status.get("status") == "paused":
        qemu.ask("cont")


@contextmanager
def _memory_apart(qemu: Monitor, *, wanted: bool) -> Iterator[None]:
    """Have no memory in what is written or read, here and not in the snapshots that follow."""

    def switch(*, on: bool) -> None:
        wish: Json = {"capability": "x-ignore-shared", "state": on}
        qemu.ask("migrate-set-capabilities", capabilities=[wish])

    switch(on=wanted)
    try:
        yield
    except BaseException:
        with suppress(CarrelError):  # one that is gone writes no snapshots either
            qemu.ask("migrate_cancel")
            qemu.wait_for("query-migrate", _OVER, _STATE_SECONDS)
            switch(on=False)
        raise
    switch(on=False)


def shared_memory(pid: int, mode: int = os.O_RDONLY) -> int | None:
    """The memory of a QEMU's machine, opened; None where it is a private one of that process."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # another of its files, closed meanwhile
            if str(entry.readlink()).startswith("/memfd:memory-backend-memfd"):
                return os.open(entry, mode | os.O_CLOEXEC)
    return None


def copy_memory(source: int, target: int) -> None:
    """Copy what is there of a halted machine's memory; what it never used stays a hole."""
    for start, end in parts(source):
        at = os.lseek(target, start, os.SEEK_SET)
        while at < end:
            # Within the kernel: mapped here, every page of it would first be looked up.
            copied = os.sendfile(target, source, at, end - at)
            if copied == 0:
                raise RunError("a machine's memory ended while it was copied", op="qemu.copy")
            at += copied


def parts(memory: int) -> Iterator[tuple[int, int]]:
    """Where there is something in a machine's memory."""
    at, size = 0, os.fstat(memory).st_size
    while at < size:
        try:
            at = os.lseek(memory, at, os.SEEK_DATA)
        except OSError:  # nothing but a hole from here on
            return
        end = os.lseek(memory, at, os.SEEK_HOLE)
        yield at, end
        at = end
