"""`carrel up`."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import Command
from carrel.cli._machines import DEFAULT_NAME, describe, is_made, port_words, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._types import MACHINE
from carrel.cli._wish import STARTS_WITH, as_fields, new_wish, wish_options, written
from carrel.errors import AlreadyExists, NotFound, Refused, Unsupported, UsageError

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.settable import Key
    from carrel.machines.spec import Machine, MachineSpec

__all__ = ["confirm_host", "up"]

_HOST_WARNING = """\
Provider host is not a machine of its own: it is YOUR screen, YOUR files and YOUR network.
Whatever uses it sees what you see, types and clicks as you, and can read and change
everything you can. Nothing stands between it and this computer."""


@click.command(cls=Command)
@click.argument("name", type=MACHINE, default=DEFAULT_NAME)
@wish_options
@click.pass_obj
def up(out: Output, /, name: str, yes: bool, **options: Any) -> None:
    """Make a machine, or start the one there is.

    A machine that runs already is only reported. Options that differ from how it was made are
    an error that says how to change it, or to delete it. What is not written is taken from the
    environment, from your settings and from the project's: carrel config list.
    """
    from carrel.machines.lifecycle import Machines
    from carrel.machines.origins import write_origins
    from carrel.machines.spec import check_name

    check_name(name)
    machines = Machines()
    existing = next((m for m in machines.store.all() if m.name == name), None)
    given = written(options)
    origins: dict[str, str] = {}
    if existing is not None:
        spec = _same_wish(existing, as_fields(given))
    else:
        spec, origins = new_wish(out, name, given)
    if existing is None and spec.provider == "host" and not yes:
        confirm_host()
    stages = Stages(quiet=out.json)
    try:
        standing, was_running = run(_up, machines, name, spec, existing, stages)
    finally:
        # Also of one that was made and did not start.
        for machine in machines.store.all():
            if machine.name == name and origins:
                write_origins(machine, origins)
    _report(out, standing, was_running)


def _same_wish(machine: Machine, given: dict[str, Any]) -> MachineSpec:
    if given.get("provider") == "auto":
        del given["provider"]
    wish = replace(machine.spec, **given)
    other = [f.name for f in fields(wish) if getattr(wish, f.name) != getattr(machine.spec, f.name)]
    if other:
        _require_known(wish, other)
        words = [_told(machine.spec, name) for name in other]
        raise AlreadyExists(
            f"{machine.name} exists with {', '.join(words)}",
            op="machine.up",
            hint=f"carrel up {machine.name} to use it as it is, {_way(machine, wish, other)}, "
            "or choose another name",
            context={"differs": other},
        )
    return wish


def _way(machine: Machine, wish: MachineSpec, names: list[str]) -> str:
    """How an existing machine comes to be as wished, where it can."""
    from carrel.machines.changes import ANY_TIME, require_changeable
    from carrel.machines.provider import get_provider
    from carrel.machines.settings import KEYS

    name = machine.name
    keys = {key.field: key for key in KEYS.values() if key.field}
    try:
        require_changeable(machine, get_provider(machine.spec.provider), frozenset(names))
        changes = [f"{keys[each].name} {_quoted(keys[each], wish)}" for each in names]
    except (Unsupported, KeyError):
        return f"carrel delete {name}"
    first = "" if ANY_TIME.issuperset(names) else f"carrel stop {name}, then "
    if STARTS_WITH.issuperset(keys[each].name for each in names):
        return f"{first}carrel start {name} {' '.join(f'--{change}' for change in changes)}"
    return first + ", ".join(f"carrel config set {name} {change}" for change in changes)


def _quoted(key: Key, wish: MachineSpec) -> str:
    return shlex.quote(key.words(getattr(wish, key.field)))


def _require_known(wish: MachineSpec, names: list[str]) -> None:
    """Refuse what no machine could have, before one is said to have something else."""
    from carrel.machines.settings import KEYS

    for name in ("provider", "template", "image", "kind"):
        if name in names:
            KEYS[name].check(getattr(wish, name))


def _told(spec: MachineSpec, name: str) -> str:
    """A field as it would be written, or that there is nothing."""
    from carrel.machines.settings import KEYS

    value = getattr(spec, name)
    for key in KEYS.values():
        if key.field == name:
            return f"{key.name} {key.words(value) or 'none'}"
    return f"{name} {value or 'none'}"


def confirm_host() -> None:
    """Have a person agree to an agent on their own screen.

    Raises:
        UsageError: There is nobody to ask.
        Refused: The answer was not yes.
    """
    if not sys.stdin.isatty():
        raise UsageError(
            "provider host gives an agent your own screen; that must be confirmed",
            op="machine.up",
            hint="add --yes",
        )
    click.echo(_HOST_WARNING, err=True)
    answer = click.prompt("Type yes to go on", default="no", show_default=False, err=True)
    if answer.strip().lower() != "yes":
        raise Refused("not confirmed: nothing was made", op="machine.up")


async def _up(
    machines: Machines, name: str, spec: MachineSpec, existing: Machine | None, stages: Stages
) -> tuple[Standing, bool]:
    before = None
    if existing is not None:
        # Where it is deleted meanwhile, it is made again as it was.
        with suppress(NotFound):
            before = await machines.status(name)
    async with stages.running():
        standing = await machines.up(name, spec, stages)
    was_running = (
        before is not None
        and before.observed.state == "running"
        and before.machine.id == standing.machine.id
    )
    return standing, was_running


def _report(out: Output, standing: Standing, was_running: bool) -> None:
    spec, observed = standing.machine.spec, standing.observed
    name = standing.machine.name
    word = "was already running" if was_running else f"is {observed.state}"
    made = f", image {spec.image}, {spec.size}" if is_made(standing) else ""
    facts = f"provider {spec.provider}{made}, network {spec.network}"
    out.result(
        {**describe(standing), "was_running": was_running},
        f"{name} {word}: {facts}",
        *(f"port: {words}" for words in port_words(standing)),
        *(f"note: {note}" for note in observed.notes),
        f"look at it: carrel do -m {name} shot -o {name}.png",
    )
