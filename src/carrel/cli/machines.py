"""`carrel stop`, `carrel restart`, `carrel delete` and `carrel gc`."""

from __future__ import annotations

import sys

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE, SECONDS
from carrel.errors import Refused

__all__ = ["delete", "gc", "restart", "stop"]


@click.command(cls=Command)
@click.argument("names", type=MACHINE, nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--grace", type=SECONDS, default=5.0, help="Let it end by itself for that long; 5 by default."
)
@click.option("--force", "-f", is_flag=True, help="End it at once; what it has not saved is lost.")
@click.pass_obj
def stop(out: Output, names: tuple[str, ...], grace: float, force: bool) -> None:
    """Stop machines; their disks stay."""
    stopped = run(_stop, _unique(names), grace, force)
    out.result({"machines": stopped}, *map(_stopped_words, stopped))


def _stopped_words(item: dict[str, object]) -> str:
    if item["state"] == "error":
        return f"{item['name']} was not running: {item['cause'] or 'it had failed'}"
    return f"{item['name']} is {item['state']}"


async def _stop(names: list[str], grace: float, force: bool) -> list[dict[str, object]]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    for name in names:
        machines.store.get(name)
    return [describe(await machines.stop(name, grace, force=force)) for name in names]


@click.command(cls=Command)
@click.argument("names", type=MACHINE, nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--grace", type=SECONDS, default=5.0, help="Let it end by itself for that long; 5 by default."
)
@click.pass_obj
def restart(out: Output, names: tuple[str, ...], grace: float) -> None:
    """Stop machines and start them again; their disks stay."""
    made = run(_restart, _unique(names), grace)
    out.result({"machines": made}, *(f"{item['name']} is {item['state']}" for item in made))


async def _restart(names: list[str], grace: float) -> list[dict[str, object]]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    for name in names:
        machines.store.get(name)
    return [describe(await machines.restart(name, grace)) for name in names]


@click.command(cls=Command)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also the first starts that machines of provider qemu begin from: the next takes longer.",
)
@click.pass_obj
def gc(out: Output, everything: bool) -> None:
    """Clear what killed processes and interrupted commands left behind."""
    cleared = run(_reconcile)
    if everything:
        from carrel.machines.qemu.prototype import prune_prototypes

        cleared += prune_prototypes(0)
    words = cleared or ["there was nothing to clear"]
    out.result({"cleared": cleared}, *words)


async def _reconcile() -> list[str]:
    from carrel.machines.lifecycle import Machines

    return list(await Machines().reconcile())


@click.command(cls=Command)
@click.argument("names", type=MACHINE, nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--force", "-f", "--yes", "yes", is_flag=True, help="Do not ask; also one that is unreadable."
)
@click.pass_obj
def delete(out: Output, names: tuple[str, ...], yes: bool) -> None:
    """Delete machines with all they hold.

    On a terminal it asks first; a script is not asked.
    """
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    chosen = _unique(names)
    damaged = {each.machine.name for each in machines.store.unreadable()} if yes else set()
    for name in chosen:
        if name not in damaged:
            machines.store.get(name)
    if sys.stdin.isatty() and not yes and not out.json:
        question = f"Delete {', '.join(chosen)} with all files inside?"
        if not click.confirm(question, err=True):
            raise Refused("nothing was deleted", op="machine.delete")
    run(_delete, machines, chosen, yes)
    out.result({"deleted": chosen}, *(f"{name} is deleted" for name in chosen))


async def _delete(machines: object, names: list[str], force: bool) -> None:
    from carrel.machines.lifecycle import Machines

    assert isinstance(machines, Machines)
    for name in names:
        await machines.delete(name, force=force)


def _unique(names: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(names))
