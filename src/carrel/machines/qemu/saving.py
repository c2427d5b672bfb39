"""A virtual machine's snapshots: QEMU's own, in the file of its disk.

One is gone on from only by a machine built as it was then. What that is like is noted beside the
disk, and what is on the disk is set aside until the machine has gone on.
"""

from __future__ import annotations

import json
import secrets
import time

from carrel.codec import Json
from carrel.errors import RunError, TimedOut, WrongState
from carrel.machines.qemu.card import card_address
from carrel.machines.qemu.command import DISK, MICROVM, Place
from carrel.machines.qemu.disks import (
    ASIDE,
    change_snapshot,
    snapshot_tag,
    snapshot_tags,
)
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.spec import Machine

__all__ = ["forget", "forget_aside", "put_back", "require_fit", "save", "set_aside"]

_SECONDS = 300.0
_LOOK_AGAIN = 0.02
_NONE = "none"


def save(machine: Machine, label: str) -> None:
    """Keep its memory and disk under a label, in the place of what was kept so."""
    place = Place(machine)
    before = snapshot_tags(place.layer).get(label, [])
    with Monitor(place.monitor, _SECONDS) as qemu:
        # All but the newest are of somebody who was ended before they had removed them.
        for tag in before[:-1]:
            _job(qemu, "snapshot-delete", tag=tag, devices=[DISK])
        tag = snapshot_tag(label, before[-1:])
        _job(qemu, "snapshot-save", tag=tag, vmstate=DISK, devices=[DISK])
        # Only now: a snapshot that fails costs nobody the one of that label before.
        for tag in before[-1:]:
            _job(qemu, "snapshot-delete", tag=tag, devices=[DISK])
    _note(place, {**_noted(place), label: _build(machine)})


def forget(machine: Machine, label: str, *, runs: bool) -> None:
    """Remove what is kept under a label, by the QEMU that has the disk or without one.

    Args:
        machine: Which.
        label: One that it has.
        runs: Whether it has a QEMU, which may be halted.
    """
    place = Place(machine)
    for tag in snapshot_tags(place.layer)[label]:
        if runs:
            with Monitor(place.monitor, _SECONDS) as qemu:
                _job(qemu, "snapshot-delete", tag=tag, devices=[DISK])
        else:
            change_snapshot(place.layer, "-d", tag)
    _note(place, {name: build for name, build in _noted(place).items() if name != label})


def require_fit(machine: Machine, label: str) -> None:
    """Refuse to go on from a state that this machine, as it is built now, cannot be in.

    Raises:
        WrongState: It was built otherwise then.
    """
    then, now = _noted(Place(machine)).get(label), _build(machine)
    if not isinstance(then, dict):
        return  # of an earlier version: QEMU finds out
    for name, had in then.items():
        if now.get(name) != had:
            raise WrongState(
                f"{machine.name} cannot go on from {label}: its {name} was {had} then, and is "
                f"{now.get(name)}",
                op="machine.restore",
                hint=f"carrel stop {machine.name}; carrel config set {machine.name} {name} "
                f"{'auto' if name == 'mac' and had != _NONE else had}, then again",
            )


def _build(machine: Machine) -> dict[str, Json]:
    spec = machine.spec
    card = "a card's" if card_address(machine) else _NONE
    return {
        "kind": spec.kind or MICROVM,
        "memory": f"{spec.memory_mb}MB",
        "cpus": spec.cpus,
        "mac": card,
    }


def _noted(place: Place) -> dict[str, Json]:
    try:
        found = json.loads(place.kept.read_text())
    except FileNotFoundError:
        return {}
    return found if isinstance(found, dict) else {}


def _note(place: Place, noted: dict[str, Json]) -> None:
    draft = place.kept.with_suffix(".begun")
    draft.write_text(json.dumps(noted))
    draft.replace(place.kept)


def set_aside(machine: Machine) -> None:
    """Keep what is on the disk of a machine that does not run, whatever becomes of it next."""
    disk = Place(machine).layer
    if ASIDE in snapshot_tags(disk):
        change_snapshot(disk, "-d", ASIDE)
    change_snapshot(disk, "-c", ASIDE)


def put_back(machine: Machine) -> None:
    """Have on the disk what was set aside."""
    disk = Place(machine).layer
    change_snapshot(disk, "-a", ASIDE)
    change_snapshot(disk, "-d", ASIDE)


def forget_aside(machine: Machine) -> None:
    """What was set aside is not needed any more, by a machine that runs."""
    with Monitor(Place(machine).monitor, _SECONDS) as qemu:
        _job(qemu, "snapshot-delete", tag=ASIDE, devices=[DISK])


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
