"""What to do about a machine that is not well, beside why it is so."""

from __future__ import annotations

from dataclasses import replace

from carrel.machines.amounts import amount_words
from carrel.machines.spec import Machine
from carrel.machines.state import TRY, Observed, State, way_on

__all__ = ["advised"]


def advised(machine: Machine, observed: Observed) -> Observed:
    """What was observed, with a way on where a machine has failed or is lost."""
    if observed.state not in (State.ERROR, State.LOST):
        return observed
    if way_on(observed) is not None:
        return observed
    return replace(observed, notes=(*observed.notes, TRY + _way_on(machine, observed)))


def _way_on(machine: Machine, observed: Observed) -> str:
    name, cause = machine.name, observed.cause or ""
    if observed.state is State.LOST:
        return f"carrel delete {name}, and make it again"
    if "No space left" in cause:
        return f"make room on the disk of {machine.directory.parent}, then: carrel up {name}"
    if "memory limit reached" in cause or "out of memory" in cause:
        more = amount_words(2 * machine.spec.memory_mb)
        return f"carrel start {name} --memory {more}"
    return f"carrel logs {name}, then: carrel up {name}"
