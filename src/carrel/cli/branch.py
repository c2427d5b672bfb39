"""`carrel snapshot`, `carrel restore` and `carrel fork`: a running machine kept, and copied."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, run
from carrel.cli._output import Output
from carrel.cli._types import LABEL, MACHINE
from carrel.errors import CarrelError, Refused, UsageError

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines

__all__ = ["fork", "restore", "snapshot"]

_MOST_COPIES = 64


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("label", type=LABEL, required=False)
@click.option("--delete", "-d", "gone", is_flag=True, help="Delete what is kept under that label.")
@click.option(
    "--force",
    "-f",
    is_flag=True,
    help="Replace what is kept under that label; with --delete, do not ask.",
)
@click.pass_obj
def snapshot(out: Output, name: str, label: str | None, gone: bool, force: bool) -> None:
    """Keep a running machine's state under a label, list what is kept, or delete it.

    It goes on meanwhile. Without LABEL, the kept states of NAME are listed. What is kept under
    that label already is replaced with --force only. With --delete, which also takes a machine
    that is stopped, it is removed with the room that it took; on a terminal it asks first.
    """
    if gone:
        _discard(out, name, label, ask=not force)
        return
    if label is None:
        labels = run(_labels, name)
        none = f"{name} has no snapshot; make one with: carrel snapshot {name} LABEL"
        out.result({"machine": name, "snapshots": labels}, *(labels or [none]))
        return
    run(_snapshot, name, label, force)
    out.result({"machine": name, "snapshot": label}, f"{name} is kept as {label}")


def _discard(out: Output, name: str, label: str | None, *, ask: bool) -> None:
    if label is None:
        raise UsageError(
            "which snapshot is to be deleted?",
            op="machine.delete_snapshot",
            hint=f"carrel snapshot {name} lists them; carrel snapshot {name} LABEL --delete",
        )
    if ask and sys.stdin.isatty() and not out.json and label in run(_labels, name):
        question = f"Delete the snapshot {label} of {name}?"
        if not click.confirm(question, err=True):
            raise Refused("nothing was deleted", op="machine.delete_snapshot")
    run(_delete, name, label)
    out.result({"machine": name, "deleted": [label]}, f"the snapshot {label} of {name} is deleted")


async def _delete(name: str, label: str) -> None:
    from carrel.machines.lifecycle import Machines

    await Machines().delete_snapshot(name, label)


async def _labels(name: str) -> list[str]:
    from carrel.machines.lifecycle import Machines

    return list(await Machines().snapshots(name))


async def _snapshot(name: str, label: str, force: bool) -> None:
    from carrel.machines.lifecycle import Machines

    await Machines().snapshot(name, label, force=force)


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("label", type=LABEL)
@click.pass_obj
def restore(out: Output, name: str, label: str) -> None:
    """Have a machine go on from a snapshot; what it did since is gone.

    Also what `carrel balloon` did since: it has as much memory as it had then.
    """
    item, before, now = run(_restore, name, label)
    words = f"{name} is {item['state']}, as it was at {label}"
    if now != before:
        words += f", and has {now} MB of memory again, not {before} MB"
    out.result({"machine": item, "memory_mb": now}, words)


async def _restore(name: str, label: str) -> tuple[dict[str, object], int | None, int | None]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    before = await _memory(machines, name)
    item = describe(await machines.restore(name, label))
    now = await _memory(machines, name)
    return item, now if before is None else before, now


async def _memory(machines: Machines, name: str) -> int | None:
    """The megabytes that a machine with a balloon has; None where nobody can tell."""
    from carrel.machines.provider import get_provider

    try:
        can = get_provider(machines.store.get(name).spec.provider).capabilities
        return (await machines.balloon(name)).now_mb if can.balloon else None
    except CarrelError:
        # One that is stopped, or hangs, is restored all the same; what else is wrong, that tells.
        return None


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.option("--count", "-n", type=click.IntRange(1, _MOST_COPIES), help="How many; 1 by default.")
@click.option("--as", "names", multiple=True, metavar="NAME", help="What to call a copy.")
@click.pass_obj
def fork(out: Output, name: str, count: int | None, names: tuple[str, ...]) -> None:
    """Make running copies of a running machine, which goes on as well.

    Programs, windows and files are there in each of them. Copies are called NAME-1, NAME-2, …
    unless --as says otherwise.
    """
    if names and count is not None and count != len(names):
        raise UsageError(
            f"--count {count} and {len(names)} names do not agree",
            op="machine.fork",
            hint="leave out --count: there is a copy for each --as",
        )
    made = run(_fork, name, names, count or 1)
    words = [f"{item['name']} is {item['state']}, a copy of {name}" for item in made]
    out.result({"machines": made}, *words)


async def _fork(name: str, names: tuple[str, ...], count: int) -> list[dict[str, object]]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    taken = set(machines.store.names())
    free = (f"{name}-{number}" for number in range(1, 10_000))
    chosen = names or tuple(each for each in free if each not in taken)[:count]
    return [describe(standing) for standing in await machines.fork(name, chosen)]
