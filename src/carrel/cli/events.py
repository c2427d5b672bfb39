"""`carrel events`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output, one_line
from carrel.cli._types import MACHINE

if TYPE_CHECKING:
    from carrel.machines.chronicle import Chronicle, Happening

__all__ = ["events"]

_LOOK_AGAIN = 0.5
_LOOK_AT_MACHINES = 4
"""At every how many looks the machines themselves are looked at: nobody tells of a crash."""


@click.command(cls=Command)
@click.argument("name", type=MACHINE, required=False)
@click.option("--follow", "-f", is_flag=True, help="Go on with what happens, until Ctrl-C.")
@click.option(
    "--tail", "-n", type=click.IntRange(min=0), metavar="N", help="Begin with the last N only."
)
@click.pass_obj
def events(out: Output, name: str | None, follow: bool, tail: int | None) -> None:
    """Show what became of machines, and why, oldest first.

    Of NAME alone, also after it was deleted. With --json, one line each.
    """
    try:
        run(_events, out, name, follow, tail)
    except KeyboardInterrupt:
        if not follow:
            raise


async def _events(out: Output, name: str | None, follow: bool, tail: int | None) -> None:
    from carrel.machines.chronicle import Chronicle, Follower
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    await machines.reconcile()
    chronicle = Chronicle(machines.store.home)
    with Follower(chronicle) as follower:
        past = _past(chronicle, name)
        for happening in past if tail is None else past[len(past) - min(tail, len(past)) :]:
            _tell(out, happening)
        if not follow:
            if not past and not out.json:
                out.note("nothing has happened yet" if name is None else f"nothing of {name}")
            return
        await _follow(out, name, machines, follower)


def _past(chronicle: Chronicle, name: str | None) -> list[Happening]:
    return [each for each in chronicle.read() if name in (None, each.machine)]


async def _follow(out: Output, name: str | None, machines: object, follower: object) -> None:
    import anyio

    from carrel.machines.chronicle import Follower
    from carrel.machines.lifecycle import Machines

    assert isinstance(machines, Machines)
    assert isinstance(follower, Follower)
    turn = 0
    while True:
        for happening in follower.fresh():
            if name in (None, happening.machine):
                _tell(out, happening)
        # Whoever waits for a line reads a pipe.
        sys.stdout.flush()
        await anyio.sleep(_LOOK_AGAIN)
        turn += 1
        if turn % _LOOK_AT_MACHINES == 0:
            await machines.reconcile()


def _tell(out: Output, happening: Happening) -> None:
    if out.json:
        from carrel.codec import encode

        told = encode(happening)
        assert isinstance(told, dict)
        out.json_line({"cause": None, "facts": {}, **told})
        return
    facts = " ".join(f"{key}={_word(value)}" for key, value in happening.facts.items())
    rest = "  ".join(filter(None, [facts, one_line(happening.cause or "")]))
    out.line(f"{happening.at}  {happening.kind:10}  {happening.machine}  {rest}".rstrip())


def _word(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
