"""`carrel init`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._types import MACHINE
from carrel.cli._wish import new_wish, wish_options, written

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.spec import MachineSpec

__all__ = ["init"]


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@wish_options
@click.pass_obj
def init(out: Output, /, name: str, yes: bool, **options: Any) -> None:
    """Make a machine without starting it.

    A template says what it starts from, a profile how much it may use, a preset the most it may
    be given. What is not written is taken from the environment, from your settings and from the
    project's: carrel config list.
    """
    from carrel.cli.up import confirm_host
    from carrel.machines.lifecycle import Machines
    from carrel.machines.origins import write_origins
    from carrel.machines.spec import check_name

    check_name(name)
    spec, origins = new_wish(out, name, written(options))
    if spec.provider == "host" and not yes:
        confirm_host()
    standing = run(_init, Machines(), name, spec, Stages(quiet=out.json))
    write_origins(standing.machine, origins)
    _report(out, standing)


async def _init(machines: Machines, name: str, spec: MachineSpec, stages: Stages) -> Standing:
    async with stages.running():
        return await machines.create(name, spec, stages)


def _report(out: Output, standing: Standing) -> None:
    from carrel.machines.templates import get_template

    spec, name = standing.machine.spec, standing.machine.name
    made = f"template {spec.template}, " if spec.template else ""
    notes = get_template(spec.template).notes if spec.template else ()
    out.result(
        describe(standing),
        f"{name} is made: {made}provider {spec.provider}, image {spec.image}, "
        f"network {spec.network}",
        *(f"note: {note}" for note in (*notes, *standing.observed.notes)),
        f"start it: carrel start {name}",
    )
