"""`carrel volume`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import local_time, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages, size_words
from carrel.cli._types import DISK, MACHINE
from carrel.errors import CarrelError, Refused

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.volumes import Volume, Volumes

    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType

__all__ = ["volume"]

_MB = 1024 * 1024


class _VolumeType(_ParamType):
    """A volume's name, completed from the store."""

    name = "VOLUME"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        import sqlite3

        from click.shell_completion import CompletionItem

        try:
            names = [found.name for found in _volumes().list()]
        except (CarrelError, OSError, sqlite3.Error):
            # A shell waits for this: no names is the only useful answer.
            return []
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


VOLUME = _VolumeType()


def _volumes() -> Volumes:
    from carrel.machines.store import Store
    from carrel.machines.volumes import Volumes

    return Volumes(Store())


@click.group(cls=Group, context_settings=GROUP)
def volume() -> None:
    """Make and delete volumes, and attach them to machines, which they outlive."""


@volume.command("create")
@click.argument("name")
@click.option("--size", type=DISK, default=0, help="How large it should get; not enforced.")
@click.pass_obj
def create(out: Output, name: str, size: int) -> None:
    """Make a volume: a directory that machines can be given, and that outlives them.

    Its size is told beside what it holds, and not enforced: a directory has no bound of its own.
    """
    made = _volumes().create(name, size)
    out.result(_describe(made), f"{name} is made: carrel volume attach {name} NAME --at /srv/data")


@volume.command("attach")
@click.argument("name", type=VOLUME, metavar="VOLUME")
@click.argument("machine", type=MACHINE)
@click.option("--at", "place", required=True, metavar="PATH", help="Where the machine has it.")
@click.option("--restart", is_flag=True, help="Restart the machine if it runs.")
@click.pass_obj
def attach(out: Output, name: str, machine: str, place: str, restart: bool) -> None:
    """Give a machine a volume, to read and write, from its next start on.

    A volume may be attached to several machines, also while one of them runs; of these one can
    run at a time.
    """
    standing, again = run(_attach, name, machine, place, restart, Stages(quiet=out.json))
    found = _volumes().get(name)
    _report(out, found, standing, again, f"{name} is attached to {machine} at {place}")
    if found.user not in (None, machine):
        out.note(f"{found.user} has it now: {machine} can be started with it when that is stopped")
    if found.size_mb and found.used() > found.size_mb * _MB:
        out.note(f"{name} holds more than the {size_words(found.size_mb * _MB)} it should")


async def _attach(
    name: str, machine: str, place: str, restart: bool, stages: Stages
) -> tuple[Standing, bool]:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.volumes import Volumes

    machines = Machines()
    volumes = Volumes(machines.store)
    if restart:
        # Before it is stopped: it could not be started again.
        volumes.require_free(name, machine)
    standing = await volumes.attach(machines, name, machine, place)
    return await _restarted(machines, standing, restart, stages)


@volume.command("detach")
@click.argument("name", type=VOLUME, metavar="VOLUME")
@click.argument("machine", type=MACHINE)
@click.option("--restart", is_flag=True, help="Restart the machine if it runs.")
@click.pass_obj
def detach(out: Output, name: str, machine: str, restart: bool) -> None:
    """Take a volume from a machine, from its next start on; what it holds stays."""
    standing, again = run(_detach, name, machine, restart, Stages(quiet=out.json))
    words = f"{name} is detached from {machine}"
    _report(out, _volumes().get(name), standing, again, words)


async def _detach(name: str, machine: str, restart: bool, stages: Stages) -> tuple[Standing, bool]:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.volumes import Volumes

    machines = Machines()
    standing = await Volumes(machines.store).detach(machines, name, machine)
    return await _restarted(machines, standing, restart, stages)


async def _restarted(
    machines: Machines, standing: Standing, restart: bool, stages: Stages
) -> tuple[Standing, bool]:
    """The machine as it is then, and whether it was started again."""
    if not restart or standing.observed.state != "running":
        return standing, False
    async with stages.running():
        return await machines.restart(standing.machine.name, progress=stages), True


def _report(out: Output, found: Volume, standing: Standing, again: bool, words: str) -> None:
    name, state = standing.machine.name, standing.observed.state
    pending = state in ("running", "paused") and not again
    if pending:
        when = f"; {name} runs: it takes effect at the next start (carrel restart {name})"
    else:
        when = f"; {name} was restarted" if again else ""
    out.result({**_describe(found), "pending": pending, "restarted": again}, words + when)


@volume.command("list")
@click.pass_obj
def list_volumes(out: Output) -> None:
    """Show the volumes, what they hold and which machines have them."""
    found = _volumes().list()
    if out.json:
        out.document({"volumes": [_describe(item) for item in found]})
    elif not found:
        out.line("There is no volume. Make one with: carrel volume create NAME")
    else:
        rows = [_row(item) for item in found]
        out.table(("name", "holds", "size", "made", "attached to"), rows)


def _row(item: Volume) -> tuple[str, ...]:
    used = item.used()
    over = item.size_mb and used > item.size_mb * _MB
    size = size_words(item.size_mb * _MB) if item.size_mb else ""
    places = [
        f"{each.machine}:{each.place}{' (runs)' if each.machine == item.user else ''}"
        for each in item.attachments
    ]
    return (
        item.name,
        size_words(used),
        f"{size}, exceeded" if over else size,
        local_time(item.created_at),
        ", ".join(places),
    )


@volume.command("delete")
@click.argument("names", type=VOLUME, nargs=-1, required=True, metavar="VOLUME...")
@click.option("--force", "-f", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(out: Output, names: tuple[str, ...], force: bool) -> None:
    """Delete volumes with all they hold; not while they are attached to a machine."""
    volumes = _volumes()
    chosen = list(dict.fromkeys(names))
    for name in chosen:
        volumes.get(name)
    if sys.stdin.isatty() and not force and not out.json:
        question = f"Delete {', '.join(chosen)} with all files inside?"
        if not click.confirm(question, err=True):
            raise Refused("nothing was deleted", op="volume.delete")
    for name in chosen:
        volumes.delete(name)
    out.result({"deleted": chosen}, *(f"{name} is deleted" for name in chosen))


def _describe(item: Volume) -> dict[str, object]:
    return {
        "name": item.name,
        "path": str(item.path),
        "used_bytes": item.used(),
        "size_mb": item.size_mb,
        "created_at": item.created_at,
        "attached": [{"machine": a.machine, "at": a.place} for a in item.attachments],
        "in_use_by": item.user,
    }
