"""`carrel vnc`."""

from __future__ import annotations

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE

__all__ = ["vnc"]


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.pass_obj
def vnc(out: Output, name: str) -> None:
    """Print where a VNC viewer sees a machine's own screen.

    Whole PCs have one (provider qemu, --kind q35): what their kernel writes, also when nothing
    else answers any more. The address carries a password; one printed before opens nothing more.
    So have machines of Lume's, whose address is on the Mac's loopback and stays until they stop.
    """
    run(_vnc, out, name)


async def _vnc(out: Output, name: str) -> None:
    from carrel.machines.lifecycle import Machines

    url = await Machines().vnc_url(name)
    out.result({"machine": name, "url": url}, url)
