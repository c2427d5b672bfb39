"""A running machine's state as other machines can wake up in it: the fork of a virtual machine.

Its memory is copied once, into a file without a name that every copy maps privately: a page is
copied again only when a copy writes to it. The file is gone when the last of them is. What the
devices hold is a small file that each reads at its start.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from carrel.codec import Json
from carrel.errors import RunError
from carrel.machines.qemu.monitor import Monitor

__all__ = ["Template", "take"]

_STATE_SECONDS = 120.0
_PIECE = 64 << 20
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
_SHARED: Json = {"capability": "x-ignore-shared", "state": True}


@dataclass(frozen=True, slots=True)
class Template:
    """What copies wake up in.

    Attributes:
        memory: Descriptor of the memory, in this process.
        state: The file of what the devices hold.
    """

    memory: int
    state: Path

    def options(self, size_mb: int) -> tuple[str, tuple[str, ...]]:
        """The memory object of a copy, and what else QEMU is told."""
        path = f"/proc/{os.getpid()}/fd/{self.memory}"
        memory = f"memory-backend-file,id=ram,share=off,mem-path={path},size={size_mb}M"
        return memory, ("-incoming", "defer")

    def wake(self, monitor: str, patience: float) -> None:
        """Have a copy, which was started and waits for it, go on from here.

        Raises:
            RunError: It cannot.
        """
        with Monitor(monitor, patience) as qemu:
            qemu.ask("migrate-set-capabilities", capabilities=[_SHARED])
            with self.state.open("rb") as file:
                qemu.give("state", file.fileno())
            qemu.ask("migrate-incoming", uri="fd:state")
            ended = qemu.wait_for(
                "query-migrate", {"status": frozenset({"completed", "failed"})}, patience
            )
            if ended != "completed":
                raise RunError("QEMU could not read the state it was to wake up in", op="qemu.wake")
            status = qemu.ask("query-status")
            if isinstance(status, dict) and status.get("status") == "paused":
                qemu.ask("cont")

    def close(self) -> None:
        """Let go of it; copies that have woken up keep what they need."""
        self.state.unlink(missing_ok=True)
        os.close(self.memory)


def take(monitor: str, pid: int, state: Path) -> Template:
    """Take the template of a running machine, and leave it halted: its disk can be copied, too.

    Args:
        monitor: The socket of its QEMU.
        pid: That QEMU.
        state: Where to write what its devices hold.
    """
    memory = os.memfd_create("carrel-template", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    template = Template(memory, state)
    try:
        with Monitor(monitor) as qemu:
            _write(qemu, pid, memory, state)
        # A QEMU that gives memory back would punch holes into what all the others read.
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, _SEALS)
    except BaseException:
        template.close()
        raise
    return template


def _write(qemu: Monitor, pid: int, memory: int, state: Path) -> None:
    qemu.ask("stop")
    qemu.ask("migrate-set-capabilities", capabilities=[_SHARED])
    with state.open("wb") as file:
        qemu.give("state", file.fileno())
    qemu.ask("migrate", uri="fd:state")
    ended = qemu.wait_for(
        "query-migrate", {"status": frozenset({"completed", "failed"})}, _STATE_SECONDS
    )
    if ended != "completed":
        raise RunError("QEMU could not write the machine's state", op="qemu.fork")
    _copy_memory(pid, memory)


def _copy_memory(pid: int, target: int) -> None:
    """Copy what is there of a machine's memory; what it never used stays a hole."""
    source = _memory_of(pid)
    try:
        size = os.fstat(source).st_size
        os.ftruncate(target, size)
        at = 0
        while at < size:
            try:
                at = os.lseek(source, at, os.SEEK_DATA)
            except OSError:  # nothing but a hole from here on
                return
            end = os.lseek(source, at, os.SEEK_HOLE)
            while at < end:
                piece = os.pread(source, min(_PIECE, end - at), at)
                os.pwrite(target, piece, at)
                at += len(piece)
    finally:
        os.close(source)


def _memory_of(pid: int) -> int:
    home = Path(f"/proc/{pid}/fd")
    for entry in home.iterdir():
        if str(entry.readlink()).startswith("/memfd:memory-backend-memfd"):
            return os.open(entry, os.O_RDONLY | os.O_CLOEXEC)
    raise RunError("the machine's memory cannot be found", op="qemu.fork")
