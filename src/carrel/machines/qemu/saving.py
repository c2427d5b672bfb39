"""A virtual machine's snapshots: QEMU's own, in the file of its disk."""

from __future__ import annotations

import secrets
import time

from carrel.codec import Json
from carrel.errors import RunError, TimedOut
from carrel.machines.qemu.command import DISK, Place
from carrel.machines.qemu.disks import snapshot_labels
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.spec import Machine

__all__ = ["save"]

_SECONDS = 300.0
_LOOK_AGAIN = 0.02


def save(machine: Machine, label: str) -> None:
    """Keep its memory and disk under a label, in the place of what was kept so."""
    place = Place(machine)
    with Monitor(place.monitor, _SECONDS) as qemu:
        if label in snapshot_labels(place.layer):
            _job(qemu, "snapshot-delete", tag=label, devices=[DISK])
        _job(qemu, "snapshot-save", tag=label, vmstate=DISK, devices=[DISK])


def _job(qemu: Monitor, command: str, **arguments: Json) -> None:
    """Have QEMU do what takes a while, to its end.

    Raises:
        RunError: It failed, with its words.
    """
    name = f"job-{secrets.token_hex(4)}"
    qemu.ask(command, **{"job-id": name}, **arguments)
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until:
        jobs = qemu.ask("query-jobs")
        assert isinstance(jobs, list)
        mine = next((job for job in jobs if isinstance(job, dict) and job["id"] == name), {})
        if mine.get("status") == "concluded":
            qemu.ask("job-dismiss", id=name)
            if mine.get("error"):
                raise RunError(f"QEMU failed at {command}: {mine['error']}", op="qemu")
            return
        time.sleep(_LOOK_AGAIN)
    raise TimedOut(f"QEMU did not end {command}", op="qemu")
