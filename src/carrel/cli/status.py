"""`carrel status`, and what `carrel` alone says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, is_contained, run, since
from carrel.cli._output import Output, one_line
from carrel.cli._types import MACHINE

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Standing

__all__ = ["show_overview", "status"]

_UP = ("running", "paused", "stopping")
_COLUMNS = ("name", "state", "provider", "image", "size", "network", "up since")


@click.command(cls=Command)
@click.argument("name", type=MACHINE, required=False)
@click.pass_obj
def status(out: Output, name: str | None) -> None:
    """Show how the machines are."""
    if name is None:
        standings = run(_all)
        document: object = {"machines": [describe(standing) for standing in standings]}
    else:
        standings = (run(_one, name),)
        document = describe(standings[0])
    if out.json:
        out.document(document)
    else:
        show_table(out, standings)


async def _all() -> tuple[Standing, ...]:
    from carrel.machines.lifecycle import Machines

    return await Machines().list()


async def _one(name: str) -> Standing:
    from carrel.machines.lifecycle import Machines

    return await Machines().status(name)


def show_table(out: Output, standings: tuple[Standing, ...]) -> None:
    """The machines as a table with remarks below it, or a word that there are none."""
    if not standings:
        out.line("There is no machine. Make one with: carrel up")
        return
    out.table(_COLUMNS, [_row(standing) for standing in standings])
    for standing in standings:
        observed = standing.observed
        for remark in (observed.cause, *observed.notes):
            if remark:
                out.line(f"{standing.machine.name}: {one_line(remark)}")


def _row(standing: Standing) -> list[object]:
    spec, observed = standing.machine.spec, standing.observed
    ours = is_contained(standing)
    return [
        standing.machine.name,
        observed.state,
        spec.provider,
        spec.image if ours else "",
        spec.size if ours else "",
        spec.network,
        since(observed.started_at) if observed.state in _UP else "",
    ]


def show_overview(out: Output) -> None:
    """The machines there are, and three commands that lead on."""
    standings = run(_all)
    commands = _next(standings)
    if out.json:
        machines = [describe(standing) for standing in standings]
        out.document({"machines": machines, "next": [command for command, _ in commands]})
        return
    show_table(out, standings)
    out.line()
    out.line("Next:")
    width = max(len(command) for command, _ in commands)
    for command, why in commands:
        out.line(f"  {command.ljust(width)}  {why}")


def _next(standings: tuple[Standing, ...]) -> list[tuple[str, str]]:
    running = [s.machine.name for s in standings if s.observed.state == "running"]
    if running:
        name = running[0]
        which = "" if len(standings) == 1 or name == "desk" else f"-m {name} "
        return [
            (f"carrel do {which}shot -o screen.png", "look at its screen"),
            (f"carrel do {which}open xterm", "open a terminal on it"),
            (f"carrel exec {name} -- uname -a", "run a program inside it"),
        ]
    if standings:
        name = standings[0].machine.name
        return [
            (f"carrel up {name}", "start it again"),
            (f"carrel logs {name}", "see what it wrote"),
            (f"carrel delete {name}", "delete it with all it holds"),
        ]
    return [
        ("carrel doctor", "see what this computer can do"),
        ("carrel up", "make a machine and start it"),
        ("carrel --help", "see every command"),
    ]
