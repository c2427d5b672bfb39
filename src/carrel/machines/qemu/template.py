"""A running machine's state as other machines can wake up in it: the fork of a virtual machine.

Its memory is copied once, into a file without a name that every copy maps privately: a page is
copied again only when a copy writes to it. The file is gone when the last of them is. What the
devices hold is a second one, which each reads when it wakes up. A copy's own memory is such a
private mapping, which nobody else can read: when it is copied in turn, QEMU writes all of it.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from collections.abc import Iterator
from pathlib import Path

from carrel.codec import Json
from carrel.errors import RunError
from carrel.machines.qemu.monitor import Monitor

__all__ = ["Template", "fresh_memory"]

_STATE_SECONDS = 120.0
_PIECE = 4 << 20
_UNBOUNDED = 1 << 40
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
_ENDED = {"status": frozenset({"completed", "failed"})}


def fresh_memory(size_mb: int) -> str:
    """QEMU's object for memory that nobody has used yet."""
    return f"memory-backend-memfd,id=ram,share=on,size={size_mb}M"


class Template:
    """What copies wake up in: `halt`, `copy_memory` while they start, then `wake` each.

    Args:
        monitor: The socket of the QEMU whose machine is copied.
        pid: That QEMU.
        size_mb: How much memory the machine has.
    """

    def __init__(self, monitor: str, pid: int, size_mb: int) -> None:
        self._monitor = monitor
        self._size_mb = size_mb
        self._source = _shared_memory(pid)
        flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
        self._memory = os.memfd_create("carrel-template", flags)
        self._state = os.memfd_create("carrel-template-state", flags)
        os.ftruncate(self._memory, size_mb << 20)

    def halt(self) -> None:
        """Halt the machine, so that its disk can be copied, and have what its devices hold."""
        with Monitor(self._monitor) as qemu:
            qemu.ask("stop")
            qemu.ask("migrate-set-capabilities", capabilities=[self._apart()])
            qemu.ask("migrate-set-parameters", **{"max-bandwidth": _UNBOUNDED})
            qemu.give("state", self._state)
            qemu.ask("migrate", uri="fd:state")
            if qemu.wait_for("query-migrate", _ENDED, _STATE_SECONDS) != "completed":
                raise RunError("QEMU could not write the machine's state", op="qemu.fork")

    def copy_memory(self) -> None:
        """Copy what is there of a halted machine's memory; what it never used stays a hole."""
        if self._source is not None:
            size = os.fstat(self._source).st_size
            with mmap.mmap(self._source, size, prot=mmap.PROT_READ) as view:
                for start, end in _pieces(self._source, size):
                    with memoryview(view) as whole, whole[start:end] as piece:
                        os.pwrite(self._memory, piece, start)
        # A QEMU that gives memory back would punch holes into what all the others read.
        fcntl.fcntl(self._memory, fcntl.F_ADD_SEALS, _SEALS)

    def options(self) -> tuple[str, tuple[str, ...]]:
        """The memory object of a copy, and what else its QEMU is told. It may start at once."""
        size = f"size={self._size_mb}M"
        if self._source is None:
            # QEMU looks at every page that it reads as empty: only here that costs no memory.
            return f"memory-backend-ram,id=ram,{size}", ("-incoming", "defer")
        path = f"/proc/{os.getpid()}/fd/{self._memory}"
        memory = f"memory-backend-file,id=ram,share=off,mem-path={path},{size}"
        return memory, ("-incoming", "defer")

    def wake(self, monitor: str, patience: float) -> None:
        """Have a copy, which was started and waits for it, go on from here.

        Raises:
            RunError: It cannot.
        """
        with Monitor(monitor, patience) as qemu:
            qemu.ask("migrate-set-capabilities", capabilities=[self._apart()])
            # Opened anew, it is read from its beginning.
            with Path(f"/proc/self/fd/{self._state}").open("rb") as file:
                qemu.give("state", file.fileno())
            qemu.ask("migrate-incoming", uri="fd:state")
            if qemu.wait_for("query-migrate", _ENDED, patience) != "completed":
                raise RunError("QEMU could not read the state it was to wake up in", op="qemu.wake")
            status = qemu.ask("query-status")
            if isinstance(status, dict) and status.get("status") == "paused":
                qemu.ask("cont")

    def close(self) -> None:
        """Let go of it; copies that have woken up keep what they need."""
        for handle in (self._memory, self._state, self._source):
            if handle is not None:
                os.close(handle)

    def _apart(self) -> Json:
        """Whether the memory is no part of what QEMU writes."""
        return {"capability": "x-ignore-shared", "state": self._source is not None}


def _pieces(source: int, size: int) -> Iterator[tuple[int, int]]:
    """Where there is something, in pieces that a processor's cache can hold."""
    at = 0
    while at < size:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
        except OSError:  # nothing but a hole from here on
            return
        end = os.lseek(source, at, os.SEEK_HOLE)
        while at < end:
            yield at, min(at + _PIECE, end)
            at = min(at + _PIECE, end)


def _shared_memory(pid: int) -> int | None:
    """A machine's memory, opened; None where it is a private one of its QEMU."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        if str(entry.readlink()).startswith("/memfd:memory-backend-memfd"):
            return os.open(entry, os.O_RDONLY | os.O_CLOEXEC)
    return None
