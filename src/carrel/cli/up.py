"""`carrel up`."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import Command
from carrel.cli._machines import DEFAULT_NAME, describe, is_contained, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._types import MACHINE, MEMORY, NETWORKS, SIZE, parse_pairs
from carrel.errors import AlreadyExists, Refused, UsageError

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.spec import Machine, MachineSpec

__all__ = ["confirm_host", "up"]

_CONTAINED = ("image", "size", "memory_mb", "cpus", "pids")
"""What only a provider that makes the machine can give."""

_HOST_WARNING = """\
Provider host is not a machine of its own: it is YOUR screen, YOUR files and YOUR network.
Whatever uses it sees what you see, types and clicks as you, and can read and change
everything you can. Nothing stands between it and this computer."""


@click.command(cls=Command)
@click.argument("name", type=MACHINE, default=DEFAULT_NAME)
@click.option("--provider", metavar="P", help="How to have it; auto takes the strongest here.")
@click.option("--image", metavar="I", help="What it starts from: desktop (default) or host.")
@click.option("--size", type=SIZE, help="Its screen, 1280x800 by default.")
@click.option("--memory", "memory_mb", type=MEMORY, help="Most memory it may use, 4GB by default.")
@click.option("--cpus", type=int, metavar="N", help="Most processors it may use; 0 is no limit.")
@click.option("--pids", type=int, metavar="N", help="Most processes it may have.")
@click.option(
    "--network",
    type=click.Choice(NETWORKS),
    help="none (default), allowlist (what --allow names) or nat (any public address).",
)
@click.option("--allow", multiple=True, metavar="HOST:PORT", help="Let it reach this; repeatable.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="Set for all in it; repeatable.")
@click.option("--url", metavar="tcp://HOST:PORT", help="Provider remote: where the guest listens.")
@click.option("--token-file", metavar="F", help="Provider remote: file that holds its token.")
@click.option("--yes", is_flag=True, help="Do not ask before using provider host.")
@click.pass_obj
def up(out: Output, /, name: str, yes: bool, **options: Any) -> None:
    """Make a machine, or start the one there is.

    A machine that runs already is only reported. Options that differ from how it was made are
    an error: delete it, or choose another name.
    """
    from carrel.machines.lifecycle import Machines
    from carrel.machines.spec import check_name

    check_name(name)
    machines = Machines()
    existing = next((m for m in machines.store.all() if m.name == name), None)
    given = _given(options)
    spec = _same_wish(existing, given) if existing is not None else _new_wish(out, given)
    if existing is None and spec.provider == "host" and not yes:
        confirm_host()
    stages = Stages(quiet=out.json)
    standing, was_running = run(_up, machines, name, spec, existing, stages)
    _report(out, standing, was_running)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were written, as fields of a spec."""
    given = {key: value for key, value in options.items() if value not in (None, ())}
    if "env" in given:
        given["env"] = parse_pairs(given["env"])
    if "allow" in given:
        from carrel.machines.egress import Rule

        given["allow"] = tuple(str(Rule.parse(rule)) for rule in given["allow"])
        given.setdefault("network", "allowlist")
    return given


def _new_wish(out: Output, given: dict[str, Any]) -> MachineSpec:
    from carrel.machines.provider import get_provider
    from carrel.machines.spec import MachineSpec

    provider = given.setdefault("provider", "auto")
    if provider == "auto" or get_provider(provider).capabilities.contains:
        return MachineSpec(**given)
    for option in _CONTAINED:
        if option in given:
            raise UsageError(f"provider {provider} takes what is there: it has no {option}")
    if "network" not in given:
        given["network"] = "nat"
        out.note(f"network is nat: provider {provider} cannot promise less")
    return MachineSpec(**given)


def _same_wish(machine: Machine, given: dict[str, Any]) -> MachineSpec:
    if given.get("provider") == "auto":
        del given["provider"]
    wish = replace(machine.spec, **given)
    other = [f.name for f in fields(wish) if getattr(wish, f.name) != getattr(machine.spec, f.name)]
    if other:
        words = [f"{key} {_word(getattr(machine.spec, key))}" for key in other]
        raise AlreadyExists(
            f"{machine.name} exists with {', '.join(words)}",
            op="machine.up",
            hint=f"carrel up {machine.name} to use it as it is, carrel delete {machine.name}, "
            "or choose another name",
            context={"differs": other},
        )
    return wish


def _word(value: object) -> str:
    if isinstance(value, tuple | dict):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


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
    was_running = False
    if existing is not None:
        was_running = (await machines.status(name)).observed.state == "running"
    async with stages.running():
        return await machines.up(name, spec, stages), was_running


def _report(out: Output, standing: Standing, was_running: bool) -> None:
    spec, observed = standing.machine.spec, standing.observed
    name = standing.machine.name
    word = "was already running" if was_running else f"is {observed.state}"
    made = f", image {spec.image}, {spec.size}" if is_contained(standing) else ""
    facts = f"provider {spec.provider}{made}, network {spec.network}"
    out.result(
        {**describe(standing), "was_running": was_running},
        f"{name} {word}: {facts}",
        *(f"note: {note}" for note in observed.notes),
        f"look at it: carrel do -m {name} shot -o {name}.png",
    )
