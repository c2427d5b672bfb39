"""`carrel deploy`: programs and MCP servers put into machines, and kept running there."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output, one_line
from carrel.cli._progress import Stages
from carrel.cli._types import MACHINE, SECONDS, parse_pairs
from carrel.errors import RunError, UsageError

if TYPE_CHECKING:
    from carrel.codec import Json
    from carrel.computer import Computer
    from carrel.guest.restarts import Restart
    from carrel.machines.apps import App
    from carrel.machines.deploy import Deployment

__all__ = ["deploy"]

_POLICIES = ("never", "on-failure", "always")
_COLUMNS = ("app", "state", "kind", "restarts", "command")
_LOOK = 0.1
_MOST_WORDS = 300
_MCP_FORM = '--mcp "COMMAND …"'


@click.command(cls=Command)
@click.argument("name", type=MACHINE)
@click.argument("command", nargs=-1, metavar="[-- COMMAND...]")
@click.option(
    "--image-path",
    type=click.Path(path_type=Path),
    metavar="P",
    help="A directory or tar archive, such as a Python or Node project.",
)
@click.option("--app", metavar="APP", help="What to call it; P's own name by default.")
@click.option("--restart", is_flag=True, help="Replace the one that has the name.")
@click.option(
    "--restart-policy",
    "policy",
    type=click.Choice(_POLICIES),
    default="on-failure",
    help="When it ends: on-failure (default; with a growing delay), always or never.",
)
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="Set for it; repeatable.")
@click.option("--mcp", metavar="COMMAND", help="It is an MCP server: publish it on this computer.")
@click.option(
    "--mcp-port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="The MCP server speaks HTTP on that port inside, not on standard input and output.",
)
@click.option("--mcp-path", metavar="PATH", default="/mcp", help="And at that path; /mcp.")
@click.option("--remove", metavar="APP", help="End an app and delete it.")
@click.option(
    "--wait", type=SECONDS, default=2.0, help="Show what it writes for that long; 2 by default."
)
@click.pass_obj
def deploy(
    out: Output,
    name: str,
    command: tuple[str, ...],
    image_path: Path | None,
    app: str | None,
    restart: bool,
    policy: Restart,
    env: tuple[str, ...],
    mcp: str | None,
    mcp_port: int | None,
    mcp_path: str,
    remove: str | None,
    wait: float,
) -> None:
    """Put a program into a machine and keep it running there; it starts with the machine.

    It lies in apps/APP of the machine's home. Its command is the one after --, or what
    package.json, pyproject.toml, main.py or run.sh say. Without options, what is deployed is
    listed.
    """
    if remove is not None:
        run(_remove, name, remove)
        out.result({"machine": name, "removed": remove}, f"{remove} is removed from {name}")
        return
    if image_path is None and not command and mcp is None:
        _list(out, name)
        return
    from carrel.machines.deploy import Deployment

    _check_mcp(mcp, mcp_port, mcp_path)
    words = command if mcp is None else _mcp_words(mcp, command)
    wish = Deployment(
        _name(app, image_path, words),
        image_path,
        words,
        policy,
        parse_pairs(env),
        "program" if mcp is None else "mcp-stdio" if mcp_port is None else "mcp-http",
        mcp_port or 0,
        mcp_path,
        restart,
    )
    run(_deploy, out, name, wish, wait)


def _check_mcp(mcp: str | None, port: int | None, path: str) -> None:
    if mcp is None and port is not None:
        raise UsageError("--mcp-port says where an MCP server listens", hint="add --mcp COMMAND")
    if not path.startswith("/") or not path.isascii() or not path.isprintable() or " " in path:
        raise UsageError(f"--mcp-path {path[:60]!a} is not a path", hint="such as /mcp")


def _mcp_words(mcp: str, command: tuple[str, ...]) -> tuple[str, ...]:
    if command:
        raise UsageError(
            "--mcp and a command after -- exclude each other", hint="leave out one of them"
        )
    try:
        words = tuple(shlex.split(mcp))
    except ValueError as error:
        raise UsageError(f"--mcp {mcp[:60]!a} is not a command: {error}", hint=_MCP_FORM) from error
    if not words:
        raise UsageError("--mcp needs the command that starts the server", hint=_MCP_FORM)
    return words


def _name(app: str | None, source: Path | None, words: tuple[str, ...]) -> str:
    from carrel.machines.deploy import app_name
    from carrel.machines.spec import check_name

    if app is not None:
        return check_name(app, "a name for an app")
    if source is None:
        return app_name(Path(words[0]).name)
    stem = source.resolve().name
    for ending in (".gz", ".xz", ".bz2", ".zst", ".tar", ".tgz"):
        stem = stem.removesuffix(ending)
    return app_name(stem)


async def _remove(name: str, app: str) -> None:
    from carrel.machines.apps import Apps
    from carrel.machines.deploy import remove
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    standing = await machines.status(name)
    Apps(standing.machine).get(app)
    if standing.observed.state != "running":
        await remove(None, standing.machine, app)
        return
    async with machines.computer(name) as computer:
        await remove(computer, standing.machine, app)


def _list(out: Output, name: str) -> None:
    found = run(_listed, name)
    if out.json:
        out.document({"machine": name, "apps": found})
    elif found:
        out.table(_COLUMNS, [[item[key] for key in _COLUMNS] for item in found])
    else:
        out.line(f"Nothing is deployed in {name}. See: carrel deploy --help")


async def _listed(name: str) -> list[dict[str, object]]:
    from carrel.machines.apps import Apps, see_to
    from carrel.machines.attention import faults_of
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    standing = await machines.status(name)
    apps = Apps(standing.machine).all()
    if standing.observed.state != "running" or not apps:
        return [_described(app, None) for app in apps]
    see_to(standing.machine)
    async with machines.computer(name) as computer:
        entries = {str(entry.get("name")): entry for entry in await computer.list_processes()}
    faults = faults_of(standing.machine)
    return [_described(app, entries.get(app.process), faults.get(app.name)) for app in apps]


def _described(
    app: App, process: dict[str, Json] | None, cause: str | None = None
) -> dict[str, object]:
    return {
        "app": app.name,
        "state": _state(app, process, cause),
        "kind": app.kind,
        "restarts": process.get("restarts") if process else 0,
        "command": shlex.join(app.argv),
        "pid": process.get("pid") if process and process.get("running") else None,
        "exit": process.get("exit") if process else None,
        "signal": process.get("signal") if process else None,
        "directory": app.cwd,
        "restart_policy": app.restart,
        "how": app.how,
        "deployed_at": app.deployed_at,
    }


def _state(app: App, process: dict[str, Json] | None, cause: str | None) -> str:
    if process is None and cause is not None:
        return f"not started: {cause}"
    if not app.lasting:
        return "per session"
    if process is None:
        return "not started"
    if process.get("running"):
        return "running"
    return "waits to be started again" if process.get("next") is not None else _end_words(process)


def _end_words(process: dict[str, Json]) -> str:
    from carrel.machines.attendant import ending_words

    last = process.get("next") is None
    return ending_words(process.get("exit"), process.get("signal"), last)


async def _deploy(out: Output, name: str, wish: Deployment, wait: float) -> None:
    from carrel.machines.deploy import deploy as put
    from carrel.machines.lifecycle import Machines

    if wish.kind != "program":
        from carrel.mcp.endpoint import require_sdk

        require_sdk()
    machines = Machines()
    machine = machines.store.get(name)
    stages = Stages(quiet=out.json)
    async with machines.computer(name) as computer:
        async with stages.running():
            app = await put(computer, machine, wish, stages, lambda line: _installed(out, line))
        if not out.json:
            out.line(f"{app.name} is deployed in {name}: {one_line(shlex.join(app.argv), 100)}")
            out.line(f"its command: {app.how}")
        process = await _watch(out, computer, name, app, wait) if app.lasting else None
    described = _described(app, process)
    if wish.kind != "program":
        from carrel.cli.mcp import find_published, tell_published

        async with stages.running():
            stages("waiting for its answer")
            published = await find_published(machine, app)
        tell_published(out, machine, published, described)
    elif out.json:
        out.document({"machine": name, **described})
    else:
        out.line(f"{app.name}: {described['state']}")
        out.line(f"its output: carrel logs {name} --app {app.name} -f")


def _installed(out: Output, line: str) -> None:
    if not out.json:
        out.note(f"  {line}")


async def _watch(
    out: Output, computer: Computer, machine: str, app: App, wait: float
) -> dict[str, Json] | None:
    """Show what it writes for a while.

    Raises:
        RunError: It failed within that time.
    """
    import anyio

    from carrel.machines.deploy import latest_process

    position = [0, 0]
    until = anyio.current_time() + wait
    while True:
        over = anyio.current_time() >= until
        process = await latest_process(computer, app.name)
        if process is None:
            return None
        words = await _show_more(out, computer, str(process["id"]), position)
        if not process["running"] or process["restarts"]:
            failed = process["signal"] is not None or process["exit"] not in (0, None)
            if failed or process["restarts"]:
                raise _failed(machine, app, process, words)
            return process
        if over:
            return process
        await anyio.sleep(_LOOK)


def _failed(machine: str, app: App, process: dict[str, Json], words: str) -> RunError:
    again = "" if process.get("next") is None else f" (policy {app.restart})"
    last = f"; its last words: {_last(words)}" if words else ""
    return RunError(
        f"{app.name} {_end_words(process)}{again}{last}",
        op="deploy",
        hint="mend it and deploy it again with --restart; "
        f"carrel logs {machine} --app {app.name} has more",
        context={"exit": process["exit"], "signal": process["signal"]},
    )


def _last(words: str) -> str:
    """The end of a text, from the beginning of a word on."""
    if len(words) <= _MOST_WORDS:
        return words
    end = words[-_MOST_WORDS:]
    _, space, rest = end.partition(" ")
    return f"… {rest if space else end}"


async def _show_more(out: Output, computer: Computer, process: str, position: list[int]) -> str:
    more = await computer.read_process(process, *position)
    position[:] = more.offset, more.errors_offset
    text = (more.stdout + more.stderr).decode(errors="replace")
    if text and not out.json:
        for line in text.splitlines():
            out.line(f"  {line}")
    return more.stderr.decode(errors="replace").strip()
