"""The address of a machine's network card."""

from __future__ import annotations

import hashlib

from carrel.machines.spec import AUTO_MAC, Machine

__all__ = ["card_address"]


def card_address(machine: Machine) -> str | None:
    """The one that was asked for, or one of the machine's own; None where it has no card.

    Its own is made of its id, and so the same at every start: one that nobody has been assigned,
    of a single card (locally administered, unicast).
    """
    if machine.spec.mac != AUTO_MAC:
        return machine.spec.mac or None
    octets = bytearray(hashlib.sha256(f"card {machine.id}".encode()).digest()[:6])
    octets[0] = octets[0] & 0xFC | 0x02
    return octets.hex(":")
