"""Where a machine that was made ahead comes from: what a copy of it is a copy of."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from carrel import codec
from carrel.errors import CarrelError, Unavailable
from carrel.machines.bundle import guest_bundle
from carrel.machines.changes import as_copied
from carrel.machines.images import resolve_image
from carrel.machines.provider import get_provider
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["Descent", "copies_alike"]

OLDEST = 3600.0
"""Seconds after its start in which a machine, and every copy of it, is copied for others. Beyond
it the next one is started: what programs hoard as time goes by must not be inherited for ever."""

_FILE = "descent.json"


@dataclass(frozen=True, slots=True)
class Descent:
    """Kept in the directory of a machine and of all its copies.

    Attributes:
        likeness: The image and the guest program that it was started with.
        since: When, in seconds since the epoch.
    """

    likeness: str
    since: float

    @classmethod
    def of(cls, machine: Machine) -> Descent:
        """Of a machine that was just made and started."""
        return cls(_likeness(machine.spec), machine.created_at)

    @classmethod
    def read(cls, machine: Machine) -> Descent | None:
        """Of a machine; None where nobody has written it down whole."""
        try:
            return codec.decode(cls, json.loads((machine.directory / _FILE).read_text()))
        except (OSError, ValueError, CarrelError):
            return None

    def write(self, machine: Machine) -> None:
        """Note that this is where a machine comes from."""
        (machine.directory / _FILE).write_text(json.dumps(codec.encode(self)))

    def is_as_new(self, spec: MachineSpec) -> bool:
        """Whether a copy is what a machine would be that starts now."""
        young = 0.0 <= time.time() - self.since < OLDEST
        try:
            return young and self.likeness == _likeness(spec)
        except Unavailable:  # its image is gone: a start makes it anew
            return False


def copies_alike(spec: MachineSpec) -> bool:
    """Whether copies of such a machine are what the machine is.

    Some things only one can have: a port, a volume, the address of a card.
    """
    forks = get_provider(spec.provider).capabilities.fork
    return forks and as_copied(spec) == spec and not spec.volumes


def _likeness(spec: MachineSpec) -> str:
    image = resolve_image(spec.image)
    return f"{image.rootfs} {image.built_at} {guest_bundle().name}"
