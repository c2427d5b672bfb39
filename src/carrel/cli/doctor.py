"""`carrel doctor`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Literal

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._progress import size_words
from carrel.errors import CarrelError, PrerequisiteError, RunError, Unavailable, UsageError

__all__ = ["Finding", "doctor", "examine"]

Level = Literal["ok", "warn", "fail"]

_IMAGE_ROOM = 3e9
_TOLD = ("disk", "engine", "packages", "provider")
"""Faults that other findings tell, with more about them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        fix: The command that changes it.
    """

    name: str
    level: Level
    detail: str
    fix: str | None = None


@click.command(cls=Command)
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything.")
@click.option("--dry-run", is_flag=True, help="Only say what --fix would do.")
@click.option("--yes", is_flag=True, help="With --fix, as root: install missing packages, too.")
@click.pass_context
def doctor(context: click.Context, fix: bool, dry_run: bool, yes: bool) -> None:
    """Check what this computer can do, and how to fix it.

    Exit status 3 when no machine can be had here at all. With --fix or --dry-run only what is not
    as it should be is told, and the exit status is 1 when something of it remains.
    """
    out: Output = context.obj
    if yes and not (fix or dry_run):
        raise UsageError("--yes says that --fix may install packages", hint="carrel doctor --fix")
    if fix or dry_run:
        from carrel.cli._mending import show_mending

        remain = show_mending(out, dry_run=dry_run, install=yes)
        context.exit(RunError.exit_status if remain else 0)
    findings, usable = run(examine)
    if out.json:
        out.document({"usable": usable, "checks": [asdict(finding) for finding in findings]})
    else:
        _show(out, findings)
    if not usable:
        context.exit(PrerequisiteError.exit_status)


def _show(out: Output, findings: list[Finding]) -> None:
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark = finding.level.ljust(4)
        if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
            colour = {"ok": "green", "warn": "yellow", "fail": "red"}[finding.level]
            mark = click.style(mark, fg=colour)
        # The mark is ours; the rest may hold what other programs said.
        click.echo(f"{mark}  ", nl=False)
        out.line(f"{finding.name.ljust(width)}  {finding.detail}")
        if finding.fix:
            out.line(f"      {' ' * width}  fix: {finding.fix}")


async def examine() -> tuple[list[Finding], bool]:
    """Everything that was found, and whether a machine can be had here."""
    providers, usable = await _providers()
    findings = [_python(), *providers, _image(), *_disk(), _limits()]
    return [*findings, *_own_system(), *await _faults()], usable


async def _faults() -> list[Finding]:
    from carrel.machines.mending import find_faults

    return [
        Finding(
            fault.kind,
            "warn",
            f"{fault.subject}: {fault.detail}",
            "carrel doctor --fix" if fault.remedy is not None else fault.hint,
        )
        for fault in await find_faults()
        if fault.kind not in _TOLD
    ]


def _python() -> Finding:
    return Finding("python", "ok", f"{sys.version.split()[0]} at {sys.executable}")


async def _providers() -> tuple[list[Finding], bool]:
    from carrel.machines.auto import AUTO_ORDER
    from carrel.machines.provider import get_provider, provider_names, try_probe

    findings, usable = list[Finding](), False
    for name in provider_names():
        try:
            provider = get_provider(name)
        except Unavailable as error:
            findings.append(Finding(f"provider {name}", "warn", error.message, error.hint))
            continue
        health = await try_probe(provider)
        level: Level = "ok" if health.usable else "warn"
        # A provider that only connects elsewhere gives no machine here.
        usable = usable or (health.usable and provider.capabilities.owns)
        detail = f"{health.reason} (isolation: {health.isolation})"
        findings.append(Finding(f"provider {name}", level, detail, health.fix))
    if not usable:
        needed = {f"provider {name}" for name in AUTO_ORDER}
        findings = [replace(f, level="fail") if f.name in needed else f for f in findings]
    return findings, usable


def _image() -> Finding:
    from carrel.machines.images import check_build, resolve_image

    try:
        image = resolve_image("desktop")
    except Unavailable as error:
        try:
            check_build()
        except Unavailable as obstacle:
            detail = f"it is not built, and cannot be: {obstacle.message}"
            return Finding("image desktop", "warn", detail, obstacle.hint)
        return Finding("image desktop", "warn", f"{error.message}; carrel up does it", error.hint)
    except OSError as error:
        detail = f"nobody can tell: {error.strerror}: {error.filename}"
        return Finding("image desktop", "warn", detail)
    return Finding("image desktop", "ok", f"{size_words(image.size or 0)} in {image.rootfs.parent}")


def _disk() -> Iterator[Finding]:
    from carrel.machines.mending.system import LEAST_ROOM
    from carrel.machines.paths import data_home, state_home

    places = dict.fromkeys((data_home(), state_home()))
    for path in places:
        there = next(parent for parent in (path, *path.parents) if parent.exists())
        free = shutil.disk_usage(there).free
        level: Level = "ok" if free >= _IMAGE_ROOM else "warn" if free >= LEAST_ROOM else "fail"
        fix = None if level == "ok" else "free some space, or set CARREL_HOME to another disk"
        writable = os.access(there, os.W_OK)
        if not writable:
            level, fix = "fail", "set CARREL_HOME to a directory you may write to"
        detail = f"{size_words(free)} free in {path}{'' if writable else ', not writable'}"
        yield Finding("disk", level, detail, fix)


def _limits() -> Finding:
    from carrel.ids import new_id
    from carrel.machines.sandbox.cgroups import Group, Limits

    group = Group.make(new_id("mac"), Limits(memory_mb=64, pids=16, cpus=1))
    try:
        if not group.notes:
            return Finding("limits", "ok", "memory, processes and processors can be limited")
        detail = "; ".join(group.notes)
        # Version 1 cannot be delegated: there the detail says all there is to say.
        fix = "systemd-run --user --scope -p Delegate=yes carrel …"
        helps = os.geteuid() != 0 and "version 1" not in detail
        return Finding("limits", "warn", detail, fix if helps else None)
    finally:
        group.remove()


def _own_system() -> Iterator[Finding]:
    """What image host and provider host take from this system."""
    from carrel.machines.mending.system import X_SERVER, missing_parts

    yield _x_server()
    missing = [part for part in missing_parts() if part[0] != X_SERVER]
    for name, package, loss in missing:
        yield Finding(name, "warn", f"missing for image host: {loss}", f"apt-get install {package}")
    if not missing:
        yield Finding("image host", "ok", "every program and library of a desk is installed")


def _x_server() -> Finding:
    from carrel.guest.xserver import find_server

    try:
        found = find_server("auto")
    except CarrelError as error:
        return Finding("x server", "warn", f"missing for image host: {error.message}", error.hint)
    return Finding("x server", "ok", found)
