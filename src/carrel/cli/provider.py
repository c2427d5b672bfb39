"""`carrel provider`."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli.up import confirm_host
from carrel.errors import Unavailable

if TYPE_CHECKING:
    from carrel.machines.check import CheckResult
    from carrel.machines.provider import Health
    from carrel.machines.spec import MachineSpec

__all__ = ["provider"]

_MARKS = {"passed": "ok  ", "failed": "FAIL", "skipped": "skip"}


@click.group(cls=Group, context_settings=GROUP)
def provider() -> None:
    """List and check the ways to have a machine."""


@provider.command("list")
@click.pass_obj
def list_providers(out: Output) -> None:
    """Show every provider, whether it works here, and what it can do."""
    found = run(_probe_all)
    if out.json:
        out.document({"providers": found})
        return
    rows = [
        (
            item["name"],
            "yes" if item["usable"] else "no",
            item["isolation"],
            _abilities(item.get("capabilities")),
            item["reason"],
            item["fix"] or "",
        )
        for item in found
    ]
    out.table(("name", "usable", "isolation", "can", "why", "to fix"), rows)


def _abilities(told: object) -> str:
    """What a provider can do beyond having a machine, in the words of the commands."""
    if not isinstance(told, dict):
        return ""
    words = ["snapshot"] if told["snapshot"] != "none" else []
    words += [each for each in ("fork", "pause", "volumes", "balloon") if told[each]]
    return " ".join(words)


async def _probe_all() -> list[dict[str, object]]:
    from carrel.machines.provider import (
        Health,
        Isolation,
        get_provider,
        provider_names,
        try_probe,
    )

    found: list[dict[str, object]] = []
    for name in provider_names():
        try:
            engine = get_provider(name)
        except Unavailable as error:
            found.append(_described(name, Health(False, Isolation.NONE, error.message, error.hint)))
            continue
        item = _described(name, await try_probe(engine))
        found.append({**item, "capabilities": asdict(engine.capabilities)})
    return found


def _described(name: str, health: Health) -> dict[str, object]:
    return {
        "name": name,
        "usable": health.usable,
        "isolation": str(health.isolation),
        "reason": health.reason,
        "fix": health.fix,
        "capabilities": None,
    }


@provider.command("check")
@click.argument("name")
@click.option("--image", metavar="I", help="What its machines start from.")
@click.option("--url", metavar="tcp://HOST:PORT", help="Provider remote: where the guest listens.")
@click.option("--token-file", metavar="F", help="Provider remote: file that holds its token.")
@click.option("--yes", is_flag=True, help="Do not ask before using provider host.")
@click.pass_context
def check(context: click.Context, /, name: str, yes: bool, **options: str | None) -> None:
    """Run the conformance suite on one provider; exit status 1 if anything fails.

    With --json, one line per check as it ends, then a line with the totals.
    """
    out: Output = context.obj
    spec = _spec(name, {key: value for key, value in options.items() if value is not None})
    if name == "host" and not yes:
        confirm_host()
    totals = run(_check, out, name, spec)
    words = ", ".join(f"{count} {outcome}" for outcome, count in totals.items())
    if out.json:
        out.json_line({"provider": name, "totals": totals})
    else:
        out.line(f"{name}: {words}")
    if totals["failed"]:
        context.exit(1)


def _spec(name: str, given: dict[str, str]) -> MachineSpec:
    from carrel.machines.provider import get_provider
    from carrel.machines.spec import MachineSpec

    contains = get_provider(name).capabilities.contains
    wish = MachineSpec(provider=name, network="none" if contains else "nat")
    return replace(wish, **given)  # type: ignore[arg-type]


async def _check(out: Output, name: str, spec: MachineSpec) -> dict[str, int]:
    from carrel.machines.check import run_checks

    totals = {"passed": 0, "failed": 0, "skipped": 0}
    stages = Stages(quiet=out.json, passing=True)
    async with stages.running():
        async for result in run_checks(name, spec, stages):
            totals[result.outcome] += 1
            stages.finish()
            _show_check(out, result)
    return totals


def _show_check(out: Output, result: CheckResult) -> None:
    if out.json:
        out.json_line(asdict(result))
        return
    detail = f": {result.detail}" if result.detail and result.outcome != "passed" else ""
    out.line(f"{_MARKS[result.outcome]} {result.seconds:6.2f} s  {result.title}{detail}")
