"""`carrel status`, and what `carrel` alone says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import card, describe, is_made, port_words, run, since
from carrel.cli._output import Output, one_line
from carrel.cli._progress import size_words
from carrel.cli._types import MACHINE

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Standing

__all__ = ["show_overview", "status"]

_LOOK_AGAIN = 1.0
_LEAST_ROOM = 64e6
_UP = ("running", "paused", "stopping")
_COLUMNS = ("name", "state", "provider", "image", "size", "network", "up since")


@click.command(cls=Command)
@click.argument("name", type=MACHINE, required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "yaml"]),
    default="table",
    help="How to print it; --json is --format json.",
)
@click.option("--watch", "-w", is_flag=True, help="Show it again whenever it changes, to Ctrl-C.")
@click.pass_obj
def status(out: Output, name: str | None, form: str, watch: bool) -> None:
    """Show how the machines are."""
    out.json = out.json or form == "json"
    if watch:
        _watch(out, name, yaml=form == "yaml")
    else:
        _show(out, name, run(_look, name), yaml=form == "yaml")


def _watch(out: Output, name: str | None, *, yaml: bool) -> None:
    try:
        run(_keep_showing, out, name, yaml)
    except KeyboardInterrupt:
        return  # how one ends it


async def _keep_showing(out: Output, name: str | None, yaml: bool) -> None:
    import anyio

    before = None
    while True:
        standings = await _look(name)
        # How long it has been up changes all the time: only a person at a terminal wants that.
        if sys.stdout.isatty() or standings != before:
            if sys.stdout.isatty():
                click.clear()
            elif yaml:
                out.line("---")
            _show(out, name, standings, yaml=yaml, line=True)
            sys.stdout.flush()
        before = standings
        await anyio.sleep(_LOOK_AGAIN)


def _show(
    out: Output,
    name: str | None,
    standings: tuple[Standing, ...],
    *,
    yaml: bool,
    line: bool = False,
) -> None:
    described = [describe(standing) for standing in standings]
    document: object = {"machines": described} if name is None else described[0]
    if out.json:
        out.json_line(document) if line else out.document(document)
    elif yaml:
        from carrel.cli._yaml import to_yaml

        out.text(to_yaml(document))
    else:
        show_table(out, standings)


async def _look(name: str | None) -> tuple[Standing, ...]:
    return await _all() if name is None else (await _one(name),)


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
        address = card(standing)
        has = f"its network card is {address}" if address else None
        for remark in (observed.cause, has, *port_words(standing), *observed.notes):
            if remark:
                out.line(f"{standing.machine.name}: {one_line(remark)}")
    if (room := _little_room()) is not None:
        out.line(f"disk: {room}")


def _little_room() -> str | None:
    """What every machine here will soon suffer from."""
    import shutil

    from carrel.machines.paths import state_home

    free = shutil.disk_usage(state_home()).free
    if free >= _LEAST_ROOM:
        return None
    return f"{size_words(free)} are left in {state_home()}: delete files or machines"


def _row(standing: Standing) -> list[object]:
    spec, observed = standing.machine.spec, standing.observed
    ours = is_made(standing)
    return [
        standing.machine.name,
        observed.state,
        spec.provider if standing.readable else "",
        spec.image if ours else "",
        spec.size if ours else "",
        spec.network if standing.readable else "",
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
    readable = [s.machine.name for s in standings if s.observed.state != "unreadable"]
    if readable:
        name = readable[0]
        return [
            (f"carrel up {name}", "start it again"),
            (f"carrel logs {name}", "see what it wrote"),
            (f"carrel delete {name}", "delete it with all it holds"),
        ]
    if standings:
        return [
            ("carrel doctor", "see what is wrong"),
            ("carrel up other", "make another machine and start it"),
            (f"carrel delete -f {standings[0].machine.name}", "delete it with all it holds"),
        ]
    return [
        ("carrel doctor", "see what this computer can do"),
        ("carrel up", "make a machine and start it"),
        ("carrel --help", "see every command"),
    ]
