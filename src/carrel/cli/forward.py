"""`carrel forward`."""

from __future__ import annotations

import re
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE
from carrel.errors import InvalidInput, MachineLost, Unavailable

if TYPE_CHECKING:
    from carrel.computer import Computer

__all__ = ["forward"]

_CHECK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class _Ports:
    inside: int
    local: int | None


def _ports(text: str) -> _Ports:
    match = re.fullmatch(r"(\d{1,5})(?::(\d{1,5}))?", text, re.ASCII)
    numbers = [int(group) for group in match.groups() if group] if match else []
    if not numbers or numbers[0] < 1 or max(numbers) > 65535:
        raise InvalidInput(
            f"{text[:40]!a} is not a port", hint="write 8080, or 8080:9000 to listen on 9000 here"
        )
    return _Ports(numbers[0], numbers[1] if len(numbers) > 1 else None)


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("ports", nargs=-1, required=True, metavar="PORT[:LOCAL]...")
@click.pass_obj
def forward(out: Output, name: str, ports: tuple[str, ...]) -> None:
    """Reach ports of a machine from here.

    Listens on this computer's loopback until Ctrl-C. Without LOCAL the same number is taken
    here when it is free, else any; 0 is any. With --json, one line per port.
    """
    run(_forward, out, name, [_ports(text) for text in ports])


async def _forward(out: Output, name: str, ports: list[_Ports]) -> None:
    import anyio

    from carrel.machines.lifecycle import Machines

    machines = Machines()
    async with machines.computer(name) as computer, AsyncExitStack() as stack:
        for wish in ports:
            local = await _listen(stack, computer, wish)
            _tell(out, name, wish.inside, local)
        while True:
            await anyio.sleep(_CHECK_SECONDS)
            # Nobody would learn of the machine's end otherwise.
            observed = (await machines.status(name)).observed
            if observed.state != "running":
                cause = observed.cause or "its ports are gone"
                raise MachineLost(f"{name} is {observed.state}: {cause}", hint=f"carrel up {name}")


async def _listen(stack: AsyncExitStack, computer: Computer, wish: _Ports) -> int:
    if wish.local is None:
        try:
            same = computer.forward(wish.inside, local_port=wish.inside)
            return await stack.enter_async_context(same)
        except Unavailable:
            pass
    chosen = computer.forward(wish.inside, local_port=wish.local or 0)
    return await stack.enter_async_context(chosen)


def _tell(out: Output, name: str, inside: int, local: int) -> None:
    address = f"127.0.0.1:{local}"
    if out.json:
        out.json_line({"machine": name, "port": inside, "address": address, "local_port": local})
    else:
        out.line(f"{address} -> {name}:{inside}")
    # Whoever waits for this line reads a pipe.
    sys.stdout.flush()
