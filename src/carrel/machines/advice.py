"""What to do about a machine that is not well, beside why it is so."""

from __future__ import annotations

from dataclasses import replace

from carrel.machines.amounts import amount_words
from carrel.machines.spec import Machine
from carrel.machines.state import TRY, Observed, State, way_on

__all__ = ["MEMBER", "advised"]

MEMBER = "pool-"
"""Begins the names of machines that a pool keeps ready."""


def advised(machine: Machine, observed: Observed) -> Observed:
    """What was observed, with a way on where a machine has failed or is lost."""
    if observed.state not in (State.ERROR, State.LOST):
        return observed
    notes = (*observed.notes, *_next_life(machine))
    if way_on(observed) is None:
        notes = (*notes, TRY + _way_on(machine, observed))
    return replace(observed, notes=notes)


def _next_life(machine: Machine) -> tuple[str, ...]:
    """That a machine is started again by itself, and when."""
    if machine.spec.restart == "never":
        return ()
    from carrel.machines.revival import seconds_to_go

    left = seconds_to_go(machine.directory)
    if left is None:
        return ()
    return (f"it is started again in {left:.0f} s (restart {machine.spec.restart})",)


def _way_on(machine: Machine, observed: Observed) -> str:
    name, cause = machine.name, observed.cause or ""
    if (pool := _pool(machine)) is not None:
        return f"carrel pool list, which has another one made for the pool {pool}"
    if observed.state is State.LOST:
        return f"carrel delete {name}, and make it again"
    if "No space left" in cause:
        return f"make room on the disk of {machine.directory.parent}, then: carrel up {name}"
    if "memory limit reached" in cause or "out of memory" in cause:
        more = amount_words(2 * machine.spec.memory_mb)
        return f"carrel start {name} --memory {more}"
    return f"carrel logs {name}, then: carrel up {name}"


def _pool(machine: Machine) -> str | None:
    """The pool that an unused machine is kept ready by."""
    if not machine.name.startswith(MEMBER):
        return None
    from carrel.machines.store import Store

    return Store(machine.directory.parents[1]).pool_of(machine)
