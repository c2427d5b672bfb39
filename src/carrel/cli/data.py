"""`carrel data`."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import local_time, run
from carrel.cli._output import Output
from carrel.cli._places import Place, read_place
from carrel.cli._progress import Stages, size_words
from carrel.cli._types import MACHINE
from carrel.errors import ActionFailed, MachineLost, UsageError

if TYPE_CHECKING:
    from carrel.codec import Json
    from carrel.computer.differences import Problem, Step, Synced

__all__ = ["data"]

MAX_SHOWN = 10
REDRAWN = 0.1
"""Seconds from one look at the progress to the next."""

_MARKS = {
    "directory": "make directory",
    "new": "send new",
    "changed": "send changed",
    "link": "link",
    "mode": "set mode or time",
    "delete": "delete",
}


@click.group(cls=Group, context_settings=GROUP)
def data() -> None:
    """Keep directories here and in machines alike, and list what is there."""


@data.command("sync", local_names=("source", "dest"))
@click.argument("name", type=MACHINE)
@click.option("--source", required=True, metavar="PATH", help="What it should be like.")
@click.option("--dest", required=True, metavar="PATH", help="What is made like it.")
@click.option("--delete", is_flag=True, help="Delete there what the source does not have.")
@click.option("--checksum", is_flag=True, help="Compare files by hash, not by size and time.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.pass_obj
def sync(
    out: Output, name: str, source: str, dest: str, delete: bool, checksum: bool, dry_run: bool
) -> None:
    r"""Make a file or directory in a machine like one here, or the other way round.

    One side begins with a colon, or with the machine's name and a colon; a relative path there
    begins at its home. Only what differs crosses, of large files only the blocks that differ, and
    each file that crossed is checked by its hash. A sync that was interrupted goes on where it
    stopped when it is run again.

    \b
    carrel data sync desk --source ./site --dest :/srv/site       into the machine
    carrel data sync desk --source desk:results --dest ./results  out of it
    """
    ends = read_place(source), read_place(dest)
    into = _check_ends(name, *ends)
    flags = {"delete": delete, "checksum": checksum, "dry_run": dry_run}
    stages = Stages(quiet=out.json, passing=True)
    began = time.monotonic()
    try:
        done = run(_sync, name, ends[0].path, ends[1].path, into, flags, stages)
    except MachineLost as error:
        hint = f"carrel up {name}, and run it again: it goes on where it stopped"
        raise MachineLost(error.message, op="data.sync", hint=hint) from error
    _report(out, done, time.monotonic() - began, dry_run=dry_run)


def _check_ends(name: str, source: Place, dest: Place) -> bool:
    """Whether the data goes into the machine."""
    inside = [place for place in (source, dest) if place.machine is not None]
    if len(inside) != 1:
        raise UsageError(
            "one of --source and --dest is inside the machine, and one is here",
            op="data.sync",
            hint=f"carrel data sync {name} --source ./site --dest :/srv/site",
        )
    if inside[0].machine not in ("", name):
        raise UsageError(f"{inside[0].machine} is not {name}", op="data.sync", hint="write :PATH")
    if "" in (source.path, dest.path):
        raise UsageError("a path is missing", op="data.sync", hint="the machine's home is :.")
    return dest.machine is not None


async def _sync(
    name: str, source: str, dest: str, into: bool, flags: dict[str, bool], stages: Stages
) -> Synced:
    from carrel.machines.lifecycle import Machines

    async with Machines().computer(name) as computer, stages.running():
        stages("comparing")
        shown = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal shown
            if time.monotonic() - shown < REDRAWN and done < total:
                return
            shown = time.monotonic()
            stages(f"syncing: {size_words(done)} of {size_words(total)}", done / max(total, 1))

        if into:
            return await computer.sync_in(Path(source), dest, progress=progress, **flags)
        return await computer.sync_out(source, Path(dest), progress=progress, **flags)


def _report(out: Output, done: Synced, seconds: float, *, dry_run: bool) -> None:
    if not out.json:
        for step in done.steps if dry_run else ():
            out.line(_step_words(step))
        _tell(out, "not synced", done.refused)
        _tell(out, "failed", done.failed)
        if done.held_back:
            out.note(f"nothing was deleted: {done.held_back} deletions wait for a sync that works")
    words = _dry_words(done) if dry_run else _done_words(done, seconds)
    out.result({**_document(done), "dry_run": dry_run, "seconds": round(seconds, 3)}, words)
    if not done.complete:
        count = len(done.refused) + len(done.failed)
        raise ActionFailed(
            f"{count} of what the source has did not come about",
            op="data.sync",
            hint="run it again when the causes above are gone" if done.failed else None,
        )


def _tell(out: Output, how: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems[:MAX_SHOWN]:
        out.note(f"{how}: {problem.name or '.'}: {problem.why}")
    if len(problems) > MAX_SHOWN:
        out.note(f"{how}: and {len(problems) - MAX_SHOWN} more")


def _step_words(step: Step) -> str:
    size = f" ({size_words(step.size)})" if step.do in ("new", "changed") else ""
    return f"{_MARKS[step.do]}: {step.name or '.'}{size}"


def _dry_words(done: Synced) -> str:
    if not done.steps:
        return f"nothing to do: {_files(done.unchanged)} the same already"
    return f"would do {len(done.steps)} things; at most {size_words(done.bytes)} would cross"


def _done_words(done: Synced, seconds: float) -> str:
    deleted = _deleted(done)
    also = [f"{deleted} deleted"] if deleted else []
    also += [f"{done.unchanged} the same already"] if done.unchanged else []
    rest = f"; {', '.join(also)}" if also else ""
    if not done.steps and done.complete:
        return f"nothing to do: {_files(done.unchanged)} the same already"
    return (
        f"{_files(done.files)} synced and checked by hash: {size_words(done.crossed)} of "
        f"{size_words(done.bytes)} crossed in {seconds:.1f} s{rest}"
    )


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _deleted(done: Synced) -> int:
    return 0 if done.held_back else sum(step.do == "delete" for step in done.steps)


def _document(done: Synced) -> dict[str, object]:
    return {
        "files": done.files,
        "bytes": done.bytes,
        "crossed": done.crossed,
        "unchanged": done.unchanged,
        "deleted": _deleted(done),
        "held_back": done.held_back,
        "steps": [{"do": step.do, "name": step.name, "size": step.size} for step in done.steps],
        "refused": [asdict(problem) for problem in done.refused],
        "failed": [asdict(problem) for problem in done.failed],
    }


@data.command("list")
@click.argument("name", type=MACHINE)
@click.argument("path", default=".")
@click.option("-r", "--recursive", is_flag=True, help="Also what is in its directories.")
@click.option("--checksum", is_flag=True, help="With the SHA-256 of every file.")
@click.pass_obj
def list_data(out: Output, name: str, path: str, recursive: bool, checksum: bool) -> None:
    """List what a directory of a machine holds, with sizes; its home by default.

    The size of a directory is that of all files in it.
    """
    found = run(_list, name, path.removeprefix(f"{name}:").removeprefix(":") or ".", checksum)
    summed = _summed(found)
    entries = summed if recursive else [e for e in summed if "/" not in str(e["name"])]
    if out.json:
        out.document({"machine": name, "path": path, "entries": entries})
        return
    columns = ("name", "size", "mode", "modified", *(("sha256",) if checksum else ()))
    out.table(columns, [_row(entry, checksum) for entry in entries])


async def _list(name: str, path: str, checksum: bool) -> list[dict[str, Json]]:
    from carrel.machines.lifecycle import Machines

    async with Machines().computer(name) as computer:
        return await computer.list_tree(path, hashed=checksum)


def _summed(entries: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """The entries, each directory with the size of all that is in it."""
    found = [dict(entry) for entry in entries]
    directories = {str(each["name"]): each for each in found if each["kind"] == "directory"}
    # The deepest first: what a directory passes on, it has all of.
    for entry in sorted(found, key=lambda each: -str(each["name"]).count("/")):
        above, slash, _ = str(entry["name"]).rpartition("/")
        if slash and above in directories:
            total = int(str(directories[above]["size"])) + int(str(entry["size"]))
            directories[above]["size"] = total
    return found


def _row(entry: dict[str, Json], checksum: bool) -> list[object]:
    kind, size = entry["kind"], entry["size"]
    ending = {"directory": "/", "link": f" -> {entry.get('target')}"}.get(str(kind), "")
    assert isinstance(size, int)
    modified = entry["modified"]
    assert isinstance(modified, float)
    cells: list[object] = [
        f"{entry['name'] or '.'}{ending}",
        str(entry.get("why") or size_words(size)),
        entry["mode"],
        local_time(modified),
    ]
    return [*cells, entry.get("sha256", "")] if checksum else cells
