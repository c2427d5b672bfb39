"""`carrel snapshot`, `carrel restore` and `carrel fork`: a running machine kept, and copied."""

from __future__ import annotations

import click

from carrel.cli._group import Command
from carrel.cli._machines import describe, run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE
from carrel.errors import UsageError

__all__ = ["fork", "restore", "snapshot"]

_MOST_COPIES = 64


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("label", required=False)
@click.option("--force", "-f", is_flag=True, help="Replace what is kept under that label.")
@click.pass_obj
def snapshot(out: Output, name: str, label: str | None, force: bool) -> None:
    """Keep a running machine's state under a label, or list what is kept.

    It goes on meanwhile. Without LABEL, the kept states of NAME are listed. What is kept under
    that label already is replaced with --force only.
    """
    if label is None:
        labels = run(_labels, name)
        none = f"{name} has no snapshot; make one with: carrel snapshot {name} LABEL"
        out.result({"machine": name, "snapshots": labels}, *(labels or [none]))
        return
    run(_snapshot, name, label, force)
    out.result({"machine": name, "snapshot": label}, f"{name} is kept as {label}")


async def _labels(name: str) -> list[str]:
    from carrel.machines.lifecycle import Machines

    return list(await Machines().snapshots(name))


async def _snapshot(name: str, label: str, force: bool) -> None:
    from carrel.machines.lifecycle import Machines

    await Machines().snapshot(name, label, force=force)


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("label")
@click.pass_obj
def restore(out: Output, name: str, label: str) -> None:
    """Have a machine go on from a snapshot; what it did since is gone."""
    item = run(_restore, name, label)
    out.result({"machine": item}, f"{name} is {item['state']}, as it was at {label}")


async def _restore(name: str, label: str) -> dict[str, object]:
    from carrel.machines.lifecycle import Machines

    return describe(await Machines().restore(name, label))


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
