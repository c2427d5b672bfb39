"""What a machine's QEMU tells of it, and what it uses of this system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import MachineLost
from carrel.machines.keep import Keep
from carrel.machines.provider import Memory, Metrics
from carrel.machines.qemu.balloon import memory_of
from carrel.machines.qemu.command import Place
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.spec import Machine

__all__ = ["Told", "look", "pid_of", "used_by"]

_PATIENCE = 2.0
_TICKS = os.sysconf("SC_CLK_TCK")


def pid_of(machine: Machine) -> int:
    """Its QEMU.

    Raises:
        MachineLost: There is none.
    """
    keep = Keep(machine.directory)
    record = keep.read_record()
    if record is None or record.guest_pid is None or not keep.is_held():
        raise MachineLost(f"{machine.name} is not running", op="qemu")
    return record.guest_pid


@dataclass(frozen=True, slots=True)
class Told:
    """What a machine's QEMU says of it.

    Attributes:
        status: Whether it runs, in QEMU's words.
        processors: How many it has.
    """

    status: str
    memory: Memory
    processors: int

    def notes(self, machine: Machine) -> Iterator[str]:
        """What a machine has less of than was asked for."""
        memory, asked = self.memory, machine.spec.cpus
        if memory.now_mb < memory.most_mb:
            yield (
                f"it has {memory.now_mb} MB of its {memory.most_mb} MB of memory; all of it: "
                f"carrel balloon {machine.name} {memory.most_mb}MB"
            )
        if self.processors < asked:
            have = "1 processor" if self.processors == 1 else f"{self.processors} processors"
            yield f"it has {have}, not {asked}: without KVM more of them are slower"


def look(machine: Machine) -> Told:
    """Ask the QEMU of a machine that runs."""
    with Monitor(Place(machine).monitor, _PATIENCE) as qemu:
        told = qemu.ask("query-status")
        memory = memory_of(qemu, machine)
        found = qemu.ask("query-cpus-fast")
    assert isinstance(told, dict)
    assert isinstance(found, list)
    return Told(str(told.get("status")), memory, len(found))


def used_by(pid: int) -> Metrics:
    """Memory and processor time of a QEMU."""
    home = Path(f"/proc/{pid}")
    # Its name, in brackets, may hold anything.
    fields = (home / "stat").read_text().rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / _TICKS
    resident = int((home / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Metrics(resident, seconds, None)
