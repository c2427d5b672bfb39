"""`carrel stop`, `carrel restart`, `carrel delete`, `carrel logs` and `carrel gc`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE, SECONDS
from carrel.errors import Refused

__all__ = ["delete", "gc", "logs", "restart", "stop"]


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
@click.pass_obj
def gc(out: Output) -> None:
    """Clear what killed processes and interrupted commands left behind."""
    cleared = run(_reconcile)
    words = cleared or ["there was nothing to clear"]
    out.result({"cleared": cleared}, *words)


async def _reconcile() -> list[str]:
    from carrel.machines.lifecycle import Machines

    return list(await Machines().reconcile())


@click.command(cls=Command)
@click.argument("names", type=MACHINE, nargs=-1, required=True, metavar="NAME...")
@click.option("--force", "-f", "--yes", "yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(out: Output, names: tuple[str, ...], yes: bool) -> None:
    """Delete machines with all they hold."""
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    chosen = _unique(names)
    for name in chosen:
        machines.store.get(name)
    if sys.stdin.isatty() and not yes and not out.json:
        question = f"Delete {', '.join(chosen)} with all files inside?"
        if not click.confirm(question, err=True):
            raise Refused("nothing was deleted", op="machine.delete")
    run(_delete, machines, chosen)
    out.result({"deleted": chosen}, *(f"{name} is deleted" for name in chosen))


async def _delete(machines: object, names: list[str]) -> None:
    from carrel.machines.lifecycle import Machines

    assert isinstance(machines, Machines)
    for name in names:
        await machines.delete(name)


def _unique(names: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(names))


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.option("--egress", is_flag=True, help="What it asked of the network, and what was answered.")
@click.pass_obj
def logs(out: Output, name: str, egress: bool) -> None:
    """Show what a machine wrote, or what it asked the network."""
    from carrel.machines.store import Store

    machine = Store().get(name)
    if egress:
        for entry in _decisions(machine.directory):
            if out.json:
                out.json_line(entry)
            else:
                out.line(_decision_words(entry))
        return
    text = run(_console, name)
    if out.json:
        out.document({"name": name, "console": text})
    else:
        out.text(text)


async def _console(name: str) -> str:
    from carrel.machines.provider import get_provider
    from carrel.machines.store import Store

    machine = Store().get(name)
    return await get_provider(machine.spec.provider).console(machine)


def _decisions(directory: Path) -> Iterator[dict[str, object]]:
    """The decision log, oldest first: the file it was before it grew too long, then this one."""
    from carrel.machines.keep import Keep

    current = Keep(directory).decisions
    for path in (current.with_name(f"{current.name}.1"), current):
        if not path.exists():
            continue
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    # The last line may be half written.
                    continue


def _decision_words(entry: dict[str, object]) -> str:
    carried = f", {entry.get('bytes_out')} bytes out, {entry.get('bytes_in')} in"
    return (
        f"{entry.get('at')}  {entry.get('verdict')!s:6}  {entry.get('host')}:{entry.get('port')}"
        f"  {entry.get('reason')}{carried if entry.get('verdict') == 'closed' else ''}"
    )
