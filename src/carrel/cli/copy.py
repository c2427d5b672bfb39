"""`carrel cp`."""

from __future__ import annotations

import time
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import choose_machine, run
from carrel.cli._output import Output
from carrel.cli._places import Place, read_place
from carrel.cli._progress import Stages, size_words
from carrel.cli._types import MACHINE
from carrel.errors import NotFound, UsageError

if TYPE_CHECKING:
    from carrel.computer import Computer
    from carrel.computer.transfer import Copied

__all__ = ["copy"]

_STANDARD = Place(None, "-")


@click.command("cp", cls=Command, local_names=("source", "target"))
@click.option("-m", "--machine", type=MACHINE, envvar="CARREL_MACHINE", help="What :PATH means.")
@click.argument("source")
@click.argument("target")
@click.pass_obj
def copy(out: Output, machine: str | None, source: str, target: str) -> None:
    r"""Copy files into or out of a machine.

    \b
    carrel cp report.txt desk:/tmp/    into a machine, a file or a whole directory
    carrel cp desk:Downloads .         out of it; a relative path begins at its home
    carrel cp :notes.txt .             of the only machine, or the one of -m
    """
    ends = read_place(source), read_place(target)
    into = _check_ends(*ends)
    inside, local = (ends[1], ends[0]) if into else ends
    began = time.monotonic()
    stages = Stages(quiet=out.json, passing=True)
    name, done = run(_copy, inside.machine or machine, inside.path, local.path, into, stages)
    seconds = time.monotonic() - began
    rate = f"{size_words(done.bytes / max(seconds, 1e-3))}/s"
    arrived = f"{name}:{done.to}" if into else done.to
    out.result(
        {
            "machine": name,
            "to": arrived,
            "bytes": done.bytes,
            "seconds": round(seconds, 3),
            "left_out": list(done.left_out),
            "left_out_total": done.left_out_total,
        },
        f"copied {size_words(done.bytes)} to {arrived} in {seconds:.1f} s ({rate})",
    )


def _check_ends(source: Place, target: Place) -> bool:
    """Whether the copy goes into a machine."""
    if source.machine is None and target.machine is None:
        raise UsageError(
            "neither side is inside a machine", op="cp", hint="carrel cp FILE desk:/tmp/"
        )
    if source.machine is not None and target.machine is not None:
        raise UsageError(
            "both sides are inside machines",
            op="cp",
            hint="copy to this computer first, then into the other machine",
        )
    if not (source.path if source.machine is None else target.path) and source.machine is None:
        raise UsageError("there is no source", op="cp", hint="carrel cp FILE desk:/tmp/")
    if source == _STANDARD or target == _STANDARD:
        way = "carrel exec NAME -- cat FILE"
        if source == _STANDARD:
            way = "carrel exec NAME -- sh -c 'cat > FILE'"
        raise UsageError(
            "cp copies from file to file, not standard input or output",
            op="cp",
            hint=f"{way}; ./- is a file of that name",
        )
    return target.machine is not None


async def _copy(
    name: str | None, path: str, local: str, into: bool, stages: Stages
) -> tuple[str, Copied]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    name = choose_machine(name or None, machines.store)
    async with machines.computer(name) as computer, stages.running():
        stages("copying")

        def progress(moved: int) -> None:
            stages.note(f"copying: {size_words(moved)}")

        if into:
            target = await _target(computer, Path(local), path or ".")
            return name, await computer.upload(Path(local), target, progress)
        await _check_directory(computer, path or ".", local)
        return name, await computer.download(path or ".", Path(local), progress)


async def _check_directory(computer: Computer, path: str, local: str) -> None:
    """A file goes into a directory only where there is one; a tree makes its own."""
    if not local.endswith("/") or Path(local).is_dir():
        return
    if (await computer.stat_file(path))["kind"] != "directory":
        raise NotFound(f"there is no directory {local}", op="cp", hint="make its directory first")


async def _target(computer: Computer, source: Path, path: str) -> str:
    """Where a copy lands: inside `path` when that is a directory there, else at it."""
    name = source.resolve().name
    if path.endswith("/"):
        return path + name
    try:
        facts = await computer.stat_file(path)
    except NotFound:
        return path
    return str(PurePosixPath(path) / name) if facts["kind"] == "directory" else path
