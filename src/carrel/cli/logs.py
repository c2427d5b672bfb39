"""`carrel logs`: what was written about a machine and in it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output, one_line
from carrel.cli._types import MACHINE
from carrel.errors import UsageError

if TYPE_CHECKING:
    from carrel.machines.collector import Collector, LogLine, Source
    from carrel.machines.spec import Machine

__all__ = ["logs"]

_SOURCES: tuple[Source, ...] = ("app", "system", "engine", "carrel")
_LOOK = 0.2


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.option("-f", "--follow", is_flag=True, help="Go on with what comes, until Ctrl-C.")
@click.option("--tail", type=click.IntRange(0), metavar="N", help="Only the last N lines.")
@click.option("--since", metavar="T", help="Only since then: 10m, 2h, 2026-01-31T12:00.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Choice(_SOURCES),
    help="app (deployed programs), system (guest and desk), engine, or carrel; repeatable.",
)
@click.option("--app", "apps", multiple=True, metavar="APP", help="Only this app; repeatable.")
@click.option("--egress", is_flag=True, help="What it asked of the network, and what was answered.")
@click.pass_obj
def logs(
    out: Output,
    name: str,
    follow: bool,
    tail: int | None,
    since: str | None,
    sources: tuple[Source, ...],
    apps: tuple[str, ...],
    egress: bool,
) -> None:
    """Show what a machine's programs wrote, and what was done with it.

    Every line has its moment and its source. With --json, one document per line.
    """
    from carrel.machines.collector import Collector, parse_since
    from carrel.machines.store import Store

    machine = Store().get(name)
    if egress:
        if follow or tail is not None or since or sources or apps:
            raise UsageError(
                "--egress shows all decisions, and goes with no other option",
                hint=f"carrel logs {name} --source carrel",
            )
        return _show_decisions(out, machine.directory)
    foreign = _foreign_console(machine, sources)
    after = parse_since(since) if since is not None else 0.0
    collector = Collector(machine.directory, sources or (("app",) if apps else _SOURCES))
    try:
        lines = collector.read()
        if not follow:
            _require_apps(machine, apps, lines)
        chosen = [*foreign, *_wanted(lines, apps, after)]
        for line in chosen if tail is None else chosen[max(len(chosen) - tail, 0) :]:
            _show(out, line)
        if follow:
            run(_follow, out, machine, collector, apps)
    finally:
        collector.close()


def _foreign_console(machine: Machine, sources: tuple[str, ...]) -> list[LogLine]:
    """What a provider says that keeps its machines' words elsewhere; without their moments."""
    from carrel.machines.collector import LogLine
    from carrel.machines.keep import Keep
    from carrel.machines.provider import get_provider

    if Keep(machine.directory).console.exists() or (sources and "engine" not in sources):
        return []
    text = run(get_provider(machine.spec.provider).console, machine)
    return [LogLine(time.time(), "engine", line) for line in text.splitlines()]


def _require_apps(machine: Machine, apps: tuple[str, ...], lines: list[LogLine]) -> None:
    """Refuse an app that neither is there nor ever wrote anything."""
    from carrel.machines.apps import Apps

    for app in set(apps) - {line.who for line in lines}:
        Apps(machine).get(app)


def _wanted(lines: list[LogLine], apps: tuple[str, ...], after: float) -> list[LogLine]:
    return [line for line in lines if line.at >= after and (not apps or line.who in apps)]


async def _follow(
    out: Output, machine: Machine, collector: Collector, apps: tuple[str, ...]
) -> None:
    """Until somebody has enough of it, or the machine is deleted."""
    import anyio

    from carrel.machines.apps import see_to
    from carrel.machines.lifecycle import Machines

    if (await Machines().status(machine.name)).observed.state == "running":
        # Whoever killed it did not mean to go without its apps' words.
        see_to(machine)
    while machine.directory.is_dir():
        for line in _wanted(collector.read(), apps, 0.0):
            _show(out, line)
        sys.stdout.flush()
        await anyio.sleep(_LOOK)


def _show(out: Output, line: LogLine) -> None:
    from carrel.machines.linelog import stamp

    moment = stamp(line.at)
    if out.json:
        entry = {"at": moment, "source": line.source, "who": line.who, "stream": line.stream}
        out.json_line({**entry, "text": line.text})
        return
    mark = {"err": " !", "ends": " ="}.get(line.stream, "")
    where = f"{line.source}/{line.who}" if line.who else line.source
    local = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.at)) + moment[19:23]
    out.line(f"{local}  {where}{mark}  {one_line(line.text)}")


def _show_decisions(out: Output, directory: Path) -> None:
    for entry in _decisions(directory):
        if out.json:
            out.json_line(entry)
        else:
            out.line(_decision_words(entry))


def _decisions(directory: Path) -> Iterator[dict[str, object]]:
    """The decision log, oldest first: the file it was before it grew too long, then this one."""
    from carrel.machines.keep import Keep
    from carrel.machines.linelog import lines_of

    for line in lines_of([Keep(directory).decisions]):
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
