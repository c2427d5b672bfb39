"""Hooks: what other packages do when a machine starts or stops.

An entry point of the group `carrel.hooks` names an object, often a module, that has a function
`on_machine_start(machine)`, a function `on_machine_stop(machine, cause)`, or both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal

import anyio

from carrel.machines.spec import Machine

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Moment", "run_hooks"]

GROUP = "carrel.hooks"
PATIENCE = 10.0
"""Seconds that all hooks of one moment have together; what takes longer goes on unwatched."""

_LOOK_AGAIN = 0.01

Moment = Literal["on_machine_start", "on_machine_stop"]


async def run_hooks(moment: Moment, machine: Machine, cause: str | None = None) -> tuple[str, ...]:
    """Call every hook of a moment; returns what went wrong, in words.

    Args:
        moment: Which function of each hook.
        machine: The machine.
        cause: Why it stopped by itself; None where somebody asked for it.
    """
    problems: list[str] = []
    deadline = anyio.current_time() + PATIENCE
    for point in _hooks():
        problems += await _run(point, moment, machine, cause, deadline)
    return tuple(problems)


@cache
def _hooks() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


async def _run(
    point: EntryPoint, moment: Moment, machine: Machine, cause: str | None, deadline: float
) -> list[str]:
    who = f"hook {point.name} of {point.dist.name if point.dist else point.value}"
    failed: list[str] = []

    def work() -> None:
        try:
            function: Callable[..., object] | None = getattr(point.load(), moment, None)
            if function is not None:
                function(machine) if moment == "on_machine_start" else function(machine, cause)
        except BaseException as error:  # noqa: BLE001 (another package's code: it is told)
            failed.append(f"{who} failed: {type(error).__name__}: {error}")

    # Not one of anyio's threads: a hook that never ends must not keep this process from ending.
    thread = threading.Thread(target=work, daemon=True, name=who)
    thread.start()
    while thread.is_alive() and anyio.current_time() < deadline:  # noqa: ASYNC110 (a thread)
        await anyio.sleep(_LOOK_AGAIN)
    if thread.is_alive():
        return [f"{who} took longer than {PATIENCE:g} s and is not waited for"]
    return failed
