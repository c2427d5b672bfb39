"""`carrel mcp-config`: what an MCP client needs to reach the servers in a machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE
from carrel.errors import NotFound, RunError, UsageError

if TYPE_CHECKING:
    from carrel.machines.apps import App
    from carrel.machines.spec import Machine
    from carrel.mcp.endpoint import Endpoint
    from carrel.mcp.look import Found

__all__ = ["Published", "find_published", "mcp_config", "tell_published"]

_LOOK = 0.05
_BOUND = 20.0


@click.command("mcp-config", cls=Command)
@click.argument("name", type=MACHINE)
@click.option("--app", "apps", multiple=True, metavar="APP", help="Only this one; repeatable.")
@click.pass_obj
def mcp_config(out: Output, name: str, apps: tuple[str, ...]) -> None:
    """Print what an MCP client needs to reach the servers deployed in a machine.

    It holds a token: whoever has it can use the servers while the machine runs.
    """
    from carrel.machines.apps import Apps
    from carrel.machines.store import Store

    machine = Store().get(name)
    running = run(_see_to, machine)
    found = [app for app in Apps(machine).all() if app.kind != "program"]
    chosen = [app for app in found if not apps or app.name in apps]
    if not chosen or set(apps) - {app.name for app in chosen}:
        known = ", ".join(app.name for app in found)
        raise NotFound(
            f"there is no such MCP server in {name}",
            op="mcp-config",
            hint=f"there is {known}" if known else f'carrel deploy {name} --mcp "COMMAND"',
        )
    out.document({"mcpServers": {f"{name}-{app.name}": _snippet(machine, app) for app in chosen}})
    if not running:
        out.note(f"{name} does not run, and nobody listens there: carrel up {name}")


async def _see_to(machine: Machine) -> bool:
    """Publish them again where whoever did so was killed; whether the machine runs."""
    from carrel.machines.apps import see_to
    from carrel.machines.attention import wait_until_published
    from carrel.machines.provider import get_provider

    if (await get_provider(machine.spec.provider).inspect(machine)).state != "running":
        return False
    see_to(machine)
    await wait_until_published(machine)
    return True


def _snippet(machine: Machine, app: App) -> dict[str, object]:
    from carrel.mcp.endpoint import endpoint

    found = endpoint(machine, app)
    if found is None:
        raise UsageError(
            f"{app.name} was not published yet", hint=f"start its machine: carrel up {machine.name}"
        )
    return {"type": "http", "url": found.url, "headers": found.headers}


@dataclass(frozen=True, slots=True)
class Published:
    """A server that answers, and where."""

    app: str
    url: str
    found: Found


async def find_published(machine: Machine, app: App) -> Published:
    """See that a server which was just deployed answers.

    Raises:
        RunError: It does not.
    """
    from carrel.mcp.look import look

    place = await _published(machine, app)
    try:
        return Published(app.name, place.url, await look(place))
    except RunError as error:
        raise RunError(
            f"{app.name} does not answer as an MCP server: {error.message}",
            op="deploy",
            hint=f"carrel logs {machine.name} --app {app.name} has its words; then --restart",
        ) from error


def tell_published(
    out: Output, machine: Machine, published: Published, described: dict[str, object]
) -> None:
    """Say where a server is published, and what it offers."""
    found, tools = published.found, list(published.found.tools)
    out.result(
        {
            "machine": machine.name,
            **described,
            "url": published.url,
            "server": {"name": found.name, "version": found.version},
            "tools": tools,
        },
        f"{published.app} is published at {published.url}",
        f"{found.name} {found.version} offers {len(tools)} tools: {', '.join(tools)}",
        f"for a client: carrel mcp-config {machine.name}",
    )


async def _published(machine: Machine, app: App) -> Endpoint:
    """Where it is, as soon as there is a place."""
    import anyio

    from carrel.mcp.endpoint import endpoint

    with anyio.move_on_after(_BOUND):
        while (found := endpoint(machine, app)) is None:  # noqa: ASYNC110 (another process)
            await anyio.sleep(_LOOK)
        return found
    raise RunError("the gateway did not start", op="deploy", hint=f"carrel logs {machine.name}")
