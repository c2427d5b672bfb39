"""What of a machine's wish may be, and what of it may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from carrel.errors import AlreadyExists, Refused, Unsupported
from carrel.machines.amounts import amount_words
from carrel.machines.provider import Provider
from carrel.machines.spec import AUTO_MAC, Machine, MachineSpec

__all__ = [
    "ANY_TIME",
    "FIXED",
    "Change",
    "as_copied",
    "differences",
    "require_changeable",
    "require_disk",
    "require_hardware",
    "require_no_wider",
    "require_same",
]

FIXED = frozenset({"provider", "image", "template"})
"""What a machine's disk comes from."""

ANY_TIME = frozenset({"restart", "volumes"})
"""What may change while a machine runs: it holds at once, or from the next start."""

Change = Callable[[MachineSpec], MachineSpec]


def require_hardware(provider: Provider, spec: MachineSpec) -> None:
    """Refuse a kind of computer, or a card in it, that a provider does not have.

    Raises:
        Unsupported: There is such a wish.
    """
    kind, kinds = spec.kind, provider.capabilities.kinds
    if spec.mac and not provider.capabilities.card:
        raise Unsupported(
            f"machines of the {provider.name} provider have no network card to give an address",
            op="machine.create",
            hint="leave out --mac, or --provider qemu",
        )
    if kind and kind not in kinds:
        known = (
            f"it knows {' and '.join(kinds)}" if kinds else "leave out --kind, or --provider qemu"
        )
        raise Unsupported(
            f"the {provider.name} provider has no computers of kind {kind[:40]!a}",
            op="machine.create",
            hint=known,
        )


def as_copied(spec: MachineSpec) -> MachineSpec:
    """What a copy of a machine is to be: without what only one can have."""
    return replace(spec, ports=(), mac=AUTO_MAC if spec.mac else "")


def differences(before: MachineSpec, after: MachineSpec) -> frozenset[str]:
    """The names of the fields in which two wishes differ."""
    names = (field.name for field in fields(MachineSpec))
    return frozenset(name for name in names if getattr(before, name) != getattr(after, name))


def require_changeable(machine: Machine, provider: Provider, changed: frozenset[str]) -> None:
    """Refuse to change what a machine's disk comes from.

    Raises:
        Unsupported: That would change.
    """
    # A bound that holds is part of the disk itself.
    can = provider.capabilities
    bound = {"disk_mb"} if can.disk_limit and not can.disk_grows else set()
    if fixed := sorted(changed & (FIXED | bound)):
        words = " and the ".join("disk" if each == "disk_mb" else each for each in fixed)
        raise Unsupported(
            f"the {words} of {machine.name} cannot change: its disk was made so",
            op="machine.configure",
            hint=f"carrel delete {machine.name}, or make another machine",
        )


async def require_disk(machine: Machine, provider: Provider, spec: MachineSpec) -> None:
    """Refuse to make a disk smaller that can only grow.

    Raises:
        Unsupported: It would become so.
    """
    can = provider.capabilities
    if not can.disk_grows:
        return
    has = await provider.disk_mb(machine)
    if has is not None and (spec.disk_mb or can.default_disk_mb) < has:
        now = amount_words(has)
        raise Unsupported(
            f"the disk of {machine.name} cannot become smaller: it has {now}",
            op="machine.configure",
            hint=f"--disk {now} or more, or make another machine",
        )


def require_no_wider(machine: Machine, spec: MachineSpec) -> None:
    """Refuse a wish whose preset allows more than that of the machine.

    Raises:
        Refused: It does.
    """
    before = machine.spec.preset
    if not before:
        return
    from carrel.machines.presets import strictest

    if strictest([before, spec.preset]) != spec.preset:
        raise Refused(
            f"{machine.name} was made with preset {before}, which can only become stricter",
            op="machine.configure",
            hint="make another machine",
        )


def require_same(machine: Machine, spec: MachineSpec) -> None:
    """Refuse a wish for another machine than the one there is.

    Raises:
        AlreadyExists: It is one.
    """
    wish = replace(spec, provider=machine.spec.provider) if spec.provider == "auto" else spec
    if wish != machine.spec:
        raise AlreadyExists(
            f"{machine.name} exists and was made with other settings",
            hint=f"carrel delete {machine.name}, or choose another name",
        )
