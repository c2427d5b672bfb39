"""`carrel balloon`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._progress import size_words
from carrel.cli._types import MACHINE, MEMORY

if TYPE_CHECKING:
    from carrel.machines.provider import Memory, Metrics

__all__ = ["balloon"]


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("amount", type=MEMORY, required=False)
@click.pass_obj
def balloon(out: Output, name: str, amount: int | None) -> None:
    """Show or change how much memory a running machine has, up to what it started with.

    What it gives, this computer has back. What it has is what its kernel tells, what this computer
    has in use for it is seen here. A machine that does not give so much is an error, and has again
    what it had. The next start gives it all.
    """
    memory, used = run(_balloon, name, amount)
    held = used.memory_bytes
    out.result(
        {
            "machine": name,
            "asked_mb": amount,
            "memory_mb": memory.now_mb,
            "most_mb": memory.most_mb,
            "held_bytes": held,
        },
        f"{name} has {memory.now_mb} MB of its {memory.most_mb} MB of memory"
        + ("" if held is None else f"; {size_words(held)} of this computer's are in use for it"),
    )


async def _balloon(name: str, amount: int | None) -> tuple[Memory, Metrics]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    memory = await machines.balloon(name, amount)
    _, used = await machines.metrics(name)
    return memory, used
