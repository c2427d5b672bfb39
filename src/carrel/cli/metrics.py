"""`carrel metrics`: what machines use, for people and for Prometheus."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._progress import size_words
from carrel.cli._types import MACHINE

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Standing
    from carrel.machines.provider import Metrics
    from carrel.machines.state import State

    Measured = tuple[Standing, Metrics]

__all__ = ["metrics"]

_COLUMNS = (
    *("name", "state", "memory", "processor", "processes"),
    *("disk size", "disk", "network", "up"),
)
_FAMILIES = {
    "memory_bytes": ("gauge", "Memory in use."),
    "cpu_seconds": ("counter", "Processor time used since the start."),
    "processes": ("gauge", "Processes and threads."),
    "disk_read_bytes": ("counter", "Bytes read from disks since the start."),
    "disk_written_bytes": ("counter", "Bytes written to disks since the start."),
    "network_received_bytes": ("counter", "Bytes received from the network since the start."),
    "network_sent_bytes": ("counter", "Bytes sent to the network since the start."),
    "disk_size_bytes": ("gauge", "How large the machine's own disk is for it."),
    "disk_used_bytes": ("gauge", "What the machine's own disk takes of this computer's."),
    "uptime_seconds": ("gauge", "Seconds since the start."),
}


@click.command(cls=Command)
@click.argument("names", type=MACHINE, nargs=-1, metavar="[NAME]...")
@click.option("--prometheus", is_flag=True, help="Print Prometheus's text format.")
@click.pass_obj
def metrics(out: Output, names: tuple[str, ...], prometheus: bool) -> None:
    """Show what machines use at this moment; what cannot be known is left out.

    The network is what goes out through a machine's way out and comes in through its published
    ports, with the answers. Its disk is told where it is a file of its own: what that takes here,
    and how large it is inside.
    """
    measured = run(_measure, names)
    figures = {standing.machine.name: _figures(standing, found) for standing, found in measured}
    if prometheus:
        states = {standing.machine.name: standing.observed.state for standing, _ in measured}
        out.text(_exposition(figures, states))
    elif out.json:
        out.document({"machines": [{"name": name, **each} for name, each in figures.items()]})
    elif not figures:
        out.line("There is no machine. Make one with: carrel up")
    else:
        out.table(_COLUMNS, [_row(standing, found) for standing, found in measured])


async def _measure(names: tuple[str, ...]) -> list[Measured]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    chosen = names or machines.store.names()
    return [await machines.metrics(name) for name in dict.fromkeys(chosen)]


def _uptime(standing: Standing) -> float | None:
    observed = standing.observed
    if observed.state not in ("running", "paused") or observed.started_at is None:
        return None
    return max(0.0, time.time() - observed.started_at)


def _figures(standing: Standing, found: Metrics) -> dict[str, float | int | None]:
    return {**asdict(found), "uptime_seconds": _uptime(standing)}


def _row(standing: Standing, found: Metrics) -> list[object]:
    up = _uptime(standing)
    return [
        standing.machine.name,
        standing.observed.state,
        "" if found.memory_bytes is None else size_words(found.memory_bytes),
        "" if found.cpu_seconds is None else f"{found.cpu_seconds:.1f} s",
        "" if found.processes is None else found.processes,
        _part(found.disk_used_bytes, found.disk_size_bytes),
        _both_ways(found.disk_read_bytes, found.disk_written_bytes),
        _both_ways(found.network_received_bytes, found.network_sent_bytes),
        "" if up is None else f"{up:.0f} s",
    ]


def _part(used: int | None, size: int | None) -> str:
    if used is None or size is None:
        return ""
    return f"{size_words(used)} of {size_words(size)}"


def _both_ways(inward: int | None, outward: int | None) -> str:
    if inward is None or outward is None:
        return ""
    return f"{size_words(inward)} in, {size_words(outward)} out"


def _exposition(figures: dict[str, dict[str, float | int | None]], states: dict[str, State]) -> str:
    """Unknown figures are absent: a 0 would be a measurement."""
    from carrel.machines.state import State

    name = "carrel_machine_state"
    lines = [f"# HELP {name} 1 for the state that a machine is in.", f"# TYPE {name} gauge"]
    lines += [
        f'{name}{{machine="{machine}",state="{state}"}} {int(state == now)}'
        for machine, now in states.items()
        for state in State
    ]
    for family, (kind, words) in _FAMILIES.items():
        name = f"carrel_machine_{family}{'_total' if kind == 'counter' else ''}"
        lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
        for machine, each in figures.items():
            if (value := each[family]) is not None:
                lines.append(f'{name}{{machine="{machine}"}} {value}')
    return "\n".join(lines) + "\n"
