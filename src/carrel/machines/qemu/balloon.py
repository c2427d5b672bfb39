"""How much of its memory a running machine has: the rest is in its balloon, which gives it back.

The machine's own kernel fills the balloon, page by page, as far as it can do without; and it tells
how far it has come. Only that counts.
"""

from __future__ import annotations

import time

from carrel.errors import InvalidInput, RunError, TimedOut, Unsupported
from carrel.machines.amounts import amount_words
from carrel.machines.provider import Memory
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.qemu.template import is_copy
from carrel.machines.spec import Machine

__all__ = ["memory_of", "set_memory"]

_MB = 1 << 20
_BACK = 15.0
_LEAST_MB = 64
_LOOK_AGAIN = 0.1
_STANDSTILL = 10.0
"""Seconds without a page given or taken, after which no more is to come."""

_BOUND = 40.0
"""Seconds to come there; with those to come back, less than others wait for a machine."""


def memory_of(qemu: Monitor, machine: Machine) -> Memory:
    """What it has now, as its kernel has told."""
    most = machine.spec.memory_mb
    # Its kernel may tell anything.
    return Memory(min(max(_present(qemu) // _MB, 0), most), most)


def set_memory(monitor: str, machine: Machine, megabytes: int) -> Memory:
    """Have a machine keep so much memory, and wait until it does.

    Args:
        monitor: The socket of its QEMU; it is free for others between looks.
        machine: Which.
        megabytes: What it is to have.

    Raises:
        InvalidInput: It cannot have that.
        Unsupported: It is a copy, from which nothing could be had back.
        TimedOut: It did not come so far, and has what it had before.
    """
    most = machine.spec.memory_mb
    if not _LEAST_MB <= megabytes <= most:
        raise InvalidInput(
            f"{machine.name} started with {amount_words(most)} of memory: while it runs it can "
            f"have {_LEAST_MB}MB to {amount_words(most)}, not {amount_words(megabytes)}",
            op="machine.balloon",
            hint=f"carrel stop {machine.name}, then carrel start {machine.name} --memory AMOUNT",
        )
    _require_own(monitor, machine, megabytes)
    before = _wish(monitor, megabytes * _MB)
    reached = _reached(monitor, megabytes * _MB)
    if reached != megabytes * _MB:
        # At the brim it could hardly go on.
        _wish(monitor, before)
        again = _reached(monitor, before, _BACK)
        raise TimedOut(
            f"{machine.name} was to have {megabytes} MB of memory and came to "
            f"{_up(reached)} MB: the rest is in use. It has {_up(again)} MB again",
            op="machine.balloon",
            hint=f"ask for more than {_up(reached)} MB, or end programs in it",
            context={"asked_mb": megabytes, "reached_mb": _up(reached), "now_mb": _up(again)},
        )
    return Memory(megabytes, most)


def _require_own(monitor: str, machine: Machine, megabytes: int) -> None:
    """Refuse to take memory from a copy: the others read in the same file."""
    with Monitor(monitor) as qemu:
        less = megabytes * _MB < _present(qemu)
        if less and is_copy(qemu.pid):
            raise Unsupported(
                f"{machine.name} is a copy, and shares its memory with the others: this computer "
                "would have nothing back",
                op="machine.balloon",
                hint=f"carrel restart {machine.name} gives it memory of its own",
            )


def _wish(monitor: str, size: int) -> int:
    """Say what it is to have; returns what it has."""
    with Monitor(monitor) as qemu:
        before = _present(qemu)
        qemu.ask("balloon", value=size)
    return before


def _reached(monitor: str, wanted: int, bound: float = _BOUND) -> int:
    """What it has once it has come to what is wanted, or come to a standstill."""
    now = moved = time.monotonic()
    until = now + bound
    nearest = None
    while True:
        with Monitor(monitor) as qemu:
            found = _present(qemu)
        now = time.monotonic()
        if nearest is None or abs(found - wanted) < abs(nearest - wanted):
            nearest, moved = found, now
        if found == wanted or now > until or now - moved > _STANDSTILL:
            return nearest
        time.sleep(_LOOK_AGAIN)


def _present(qemu: Monitor) -> int:
    told = qemu.ask("query-balloon")
    actual = told.get("actual") if isinstance(told, dict) else None
    if not isinstance(actual, int):
        raise RunError(f"QEMU tells nothing of the machine's memory: {told}", op="qemu.balloon")
    return actual


def _up(size: int) -> int:
    return -(-size // _MB)
