"""A running machine's state as other machines can wake up in it: the fork of a virtual machine.

Its memory is copied once, into a file without a name that every copy maps privately: a page is
copied again only when a copy writes to it. The file is gone when the last of them is. What the
devices hold is a second one, which each reads when it wakes up. A copy's own memory is such a
private mapping, which nobody else can read: when it is copied in turn, QEMU writes all of it.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path

from carrel.machines.qemu.monitor import Monitor
from carrel.machines.qemu.waking import (
    copy_memory,
    parts,
    read_state,
    shared_memory,
    write_state,
)
from carrel.machines.qemu.words import Introduction

__all__ = ["Template", "is_copy"]

_MEMORY = "carrel-template"
_STEP = 4 << 20
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


def is_copy(pid: int) -> bool:
    """Whether a QEMU's machine has its memory from such a file, in which others have theirs."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since we looked
            if str(entry.readlink()).startswith(f"/memfd:{_MEMORY}"):
                return True
    return False


class Template:
    """What copies wake up in: `halt`, `copy_memory` while they start, then `wake` each.

    `make_room` may go on beside what comes before `halt`.

    Args:
        monitor: The socket of the QEMU whose machine is copied.
        pid: That QEMU.
        size_mb: How much memory the machine has.
    """

    def __init__(self, monitor: str, pid: int, size_mb: int) -> None:
        self._monitor = monitor
        self._size_mb = size_mb
        self._source = shared_memory(pid)
        flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
        self._memory = os.memfd_create(_MEMORY, flags)
        self._state = os.memfd_create(f"{_MEMORY}-state", flags)
        os.ftruncate(self._memory, size_mb << 20)
        self._halted = threading.Event()

    def make_room(self) -> None:
        """Have memory for the copy, as far as there is time before the machine is halted.

        To be given a page by this system takes longer than to copy it.
        """
        if self._source is None:
            return
        for start, end in parts(self._source):
            for at in range(start, end, _STEP):
                if self._halted.is_set():
                    return
                os.posix_fallocate(self._memory, at, min(_STEP, end - at))

    def halt(self) -> None:
        """Halt the machine, so that its disk can be copied, and have what its devices hold."""
        try:
            with Monitor(self._monitor) as qemu:
                write_state(qemu, self._state, memory=self._source is None)
        finally:
            self._halted.set()

    def copy_memory(self) -> None:
        """Copy its memory, now that it is halted."""
        if self._source is not None:
            copy_memory(self._source, self._memory)
        # A QEMU that gives memory back would punch holes into what all the others read.
        fcntl.fcntl(self._memory, fcntl.F_ADD_SEALS, _SEALS)

    def memory_of_a_copy(self) -> str:
        """QEMU's object for it. A copy may be started before the memory is there."""
        size = f"size={self._size_mb}M"
        if self._source is None:
            # QEMU looks at every page that it reads as empty: only here that costs no memory.
            return f"memory-backend-ram,id=ram,{size}"
        path = f"/proc/{os.getpid()}/fd/{self._memory}"
        return f"memory-backend-file,id=ram,share=off,mem-path={path},{size}"

    def wake(self, monitor: str, patience: float, introduction: Introduction) -> None:
        """Have a copy, which was started and waits for it, go on from here."""
        with Monitor(monitor, patience) as qemu:
            introduction.send()
            read_state(qemu, self._state, memory=self._source is None)

    def close(self) -> None:
        """Let go of it; copies that have woken up keep what they need."""
        for handle in (self._memory, self._state, self._source):
            if handle is not None:
                os.close(handle)
