"""How a machine is: what was asked for, beside what is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from carrel.errors import CarrelError, NotFound, Unavailable
from carrel.machines.advice import advised
from carrel.machines.attention import notes_of
from carrel.machines.provider import get_provider, observe
from carrel.machines.records import Unreadable
from carrel.machines.spec import Machine
from carrel.machines.state import Observed, State

__all__ = ["PRESENT", "Standing", "disk_bound", "is_loadable", "is_present", "look", "told"]

PRESENT = (State.CREATING, State.RUNNING, State.PAUSED, State.STOPPING)
"""A machine that has processes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One machine: what was asked for, and what is.

    Attributes:
        readable: Whether its record could be read; of another one only parts of the wish are known.
        disk_mb: Most room its disk may take, as it is or will be made; 0 is no limit.
    """

    machine: Machine
    observed: Observed
    readable: bool = True
    disk_mb: int = 0


async def look(machine: Machine) -> Standing:
    """How a machine is now."""
    observed = advised(machine, await observe(machine))
    if observed.state is State.UNREADABLE:
        return Standing(machine, observed)
    if observed.state is State.RUNNING:
        observed = replace(observed, notes=(*observed.notes, *notes_of(machine)))
    provider = get_provider(machine.spec.provider)
    disk_mb = machine.spec.disk_mb
    if disk_mb and not provider.capabilities.disk_limit:
        from carrel.machines.amounts import amount_words

        asked = amount_words(disk_mb)
        note = f"the {provider.name} provider sets no bound on its disk; {asked} is asked for"
        observed = replace(observed, notes=(*observed.notes, note))
    return Standing(machine, observed, disk_mb=await disk_bound(machine))


async def disk_bound(machine: Machine) -> int:
    """Most room a machine's disk may take, as it is or will be made; 0 is no limit."""
    provider = get_provider(machine.spec.provider)
    can = provider.capabilities
    made = None
    if can.disk_grows:
        with suppress(CarrelError):  # a damaged disk is told by whoever wants to use it
            made = await provider.disk_mb(machine)
    return made or machine.spec.disk_mb or can.default_disk_mb


async def is_present(machine: Machine) -> bool:
    """Whether a machine of ours has processes."""
    if not is_loadable(machine.spec.provider):
        return False
    owns = get_provider(machine.spec.provider).capabilities.owns
    return owns and (await observe(machine)).state in PRESENT


def told(damaged: Unreadable) -> Standing:
    """A machine whose record cannot be read."""
    observed = Observed(State.UNREADABLE, damaged.cause, notes=(f"try: {damaged.hint}",))
    return Standing(damaged.machine, observed, readable=False)


def is_loadable(provider: str) -> bool:
    """Whether there is a provider of that name that can be used at all."""
    try:
        get_provider(provider)
    except (NotFound, Unavailable):
        return False
    return True
