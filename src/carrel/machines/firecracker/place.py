"""The files of one machine, and what its Firecracker is told with them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.figures import PIPE
from carrel.machines.firecracker.hybrid import LINE_PORT, VSOCK, WORDS_PORT
from carrel.machines.firecracker.jail import Jail, command, is_jailed
from carrel.machines.firecracker.log import LOG
from carrel.machines.firecracker.orders import Orders, read_orders
from carrel.machines.firecracker.programs import REPORTS, find_firecracker, version_of
from carrel.machines.firecracker.vmlinux import unpacked
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.images import Image, resolve_image
from carrel.machines.layered import Layered
from carrel.machines.qemu.command import initrd
from carrel.machines.qemu.disks import bundle_disk
from carrel.machines.qemu.kernel import Kernel, get_kernel
from carrel.machines.spec import Machine

__all__ = ["Kept", "Place", "orders_for"]

_BOOT_WORDS = (
    "console=ttyS0 quiet panic=-1 reboot=k pci=off random.trust_cpu=on "
    # Nobody is at its keyboard; looking for a mouse takes half a second.
    "i8042.noaux i8042.nomux i8042.dumbkbd"
)
_MOST_PROCESSORS = 4


@dataclass(frozen=True, slots=True)
class Kept:
    """A machine's state, written down."""

    directory: Path

    @property
    def state(self) -> Path:
        """What its devices hold."""
        return self.directory / "state"

    @property
    def memory(self) -> Path:
        """Its memory, which whoever woke up in it reads from there."""
        return self.directory / "memory"

    @property
    def disk(self) -> Path:
        """Its disk at that moment."""
        return self.directory / "disk"


@dataclass(frozen=True, slots=True)
class Place(Layered):
    """Where they are."""

    @property
    def layer(self) -> Path:
        """Its own disk."""
        return self.machine.directory / "layer.ext4"

    @property
    def orders(self) -> Path:
        """What the process that holds it is told."""
        return self.machine.directory / "orders.json"

    @property
    def snapshots(self) -> Path:
        """Its kept states, by their labels."""
        return self.machine.directory / "snapshots"

    @property
    def root(self) -> Path:
        """The directory its Firecracker runs in, wherever that program is by now."""
        return Path(read_orders(self.orders).root)


def orders_for(place: Place, wake: Kept | None) -> Orders:
    """What it takes to start a machine, or to have it wake up.

    Raises:
        Unavailable: Firecracker is not here.
    """
    program = find_firecracker()
    jail = Jail.of(place.machine, program, jailed=is_jailed())
    image, kernel = resolve_image(place.machine.spec.image), get_kernel(_unheard)
    laid = {"image": place.base, "layer": place.layer, "bundle": bundle_disk()}
    if wake is None:
        _write_initrd(place, image, kernel)
        laid |= {"kernel": unpacked(kernel), "initrd": place.initrd}
        asked = boot_wishes(place.machine, reporting=version_of(program) >= REPORTS)
    else:
        laid |= {"wake.state": wake.state, "wake.memory": wake.memory}
        asked = wake_wishes()
    return Orders(
        command(jail),
        str(jail.root),
        asked,
        files={name: str(path) for name, path in laid.items()},
        own=("layer",),
        user=jail.user,
        # It has read them, or has them open.
        forget=("kernel", "initrd", "wake.state", "wake.memory"),
    )


def _unheard(stage: str, share: float | None) -> None:
    """Nobody wants to know."""


def boot_wishes(machine: Machine, *, reporting: bool) -> tuple[Wish, ...]:
    """All that Firecracker is asked for to start a machine, in this order."""
    spec = machine.spec
    processors = spec.cpus or min(os.cpu_count() or 1, _MOST_PROCESSORS)
    return (
        *_figures(),
        wishes.machine_config(processors, spec.memory_mb),
        wishes.boot_source("kernel", _BOOT_WORDS, "initrd"),
        wishes.drive("image", "image", read_only=True),
        wishes.drive("layer", "layer", read_only=False),
        wishes.drive("bundle", "bundle", read_only=True),
        wishes.vsock(VSOCK),
        wishes.balloon(reporting=reporting),
        wishes.entropy(),
        wishes.start(),
    )


def wake_wishes() -> tuple[Wish, ...]:
    """All that it is asked for to wake one up; the rest is in the snapshot."""
    return (*_figures(), wishes.load_snapshot("wake.state", "wake.memory"))


def _figures() -> tuple[Wish, ...]:
    return (wishes.logger(LOG), wishes.metrics(PIPE))


def _write_initrd(place: Place, image: Image, kernel: Kernel) -> None:
    settings = {
        "LAYERED": "1",
        "LINE_PORT": str(LINE_PORT),
        "WORDS_PORT": str(WORDS_PORT),
        "PYTHON": image.python,
    }
    hear = (files("carrel.machines.firecracker") / "hear.py").read_bytes()
    # Another file, not the same anew: somebody may be starting from that one.
    draft = place.initrd.with_name(f".{place.initrd.name}.{os.getpid()}")
    draft.write_bytes(initrd(place.machine, image, kernel, settings, {"hear": hear}))
    # Also for a user who is jailed; the directory is ours alone.
    draft.chmod(0o644)
    draft.replace(place.initrd)
