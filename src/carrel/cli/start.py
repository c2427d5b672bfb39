"""`carrel start`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, port_words, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._types import MACHINE
from carrel.cli._wish import as_fields, resource_options, written
from carrel.errors import NotFound

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines, Standing

__all__ = ["start"]


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@resource_options
@click.pass_obj
def start(out: Output, /, name: str, **options: Any) -> None:
    """Start a machine that was made, with other resources if you like.

    What is written here is recorded once it runs, and holds for later starts too; of a start
    that fails nothing is recorded. A machine that runs already is only reported; to change it,
    stop it first.
    """
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    _require(machines, name)
    stages = Stages(quiet=out.json)
    standing = run(_start, machines, name, as_fields(written(options)), stages)
    out.result(
        describe(standing),
        f"{name} is {standing.observed.state}",
        *(f"port: {words}" for words in port_words(standing)),
        *(f"note: {note}" for note in standing.observed.notes),
    )


def _require(machines: Machines, name: str) -> None:
    try:
        machines.store.get(name)
    except NotFound as error:
        raise NotFound(error.message, op="machine.start", hint=f"carrel init {name}") from None


async def _start(
    machines: Machines, name: str, changes: dict[str, Any], stages: Stages
) -> Standing:
    from carrel.machines.origins import write_origins

    before = machines.store.get(name).spec
    async with stages.running():
        standing = await machines.start(name, lambda spec: replace(spec, **changes), stages)
    new = [field for field, value in changes.items() if getattr(before, field) != value]
    if new:
        write_origins(standing.machine, dict.fromkeys(new, "carrel start"))
    return standing
