"""An agent, made from the options of a command."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.cli._display import Display
from carrel.cli._types import parse_pairs
from carrel.errors import InvalidInput, NotFound, Unavailable, UsageError

if TYPE_CHECKING:
    from carrel.agent.agent import Agent
    from carrel.agent.mcp import McpServer
    from carrel.agent.tools import Tool
    from carrel.cli._person import Console
    from carrel.models.context import Context
    from carrel.models.model import Model
    from carrel.policy.limits import Limits

__all__ = ["make_agent"]


def make_agent(
    console: Console,
    display: Display,
    run: str | None,
    *,
    model: str | None,
    base_url: str | None,
    model_options: tuple[str, ...],
    budget: str | None,
    max_steps: int | None,
    max_seconds: int | None,
    policy_file: str | None,
    instructions: str | None,
    tools: tuple[str, ...],
    mcp: tuple[str, ...],
    directory: str = "",
    told: str = "",
    secrets: Mapping[str, str] | None = None,
) -> Agent:
    """An agent as the options of a command describe it.

    `run` is the one to go on with, if any; `directory` is where its tools are looked for, the
    present one when empty; `told` are the instructions it was given before; `secrets` are those
    of this command alone.
    """
    from carrel.agent.agent import Agent
    from carrel.cli._person import TerminalAsker
    from carrel.policy.secrets import Secrets

    limits = _limits(run, policy_file)
    limits = replace(
        limits,
        steps=max_steps or limits.steps,
        seconds=max_seconds or limits.seconds,
        money=_money(budget) or limits.money,
    )
    return Agent(
        model=_model(model or _model_of(run), console, display),
        base_url=base_url,
        model_options=parse_pairs(model_options),
        tools=[_tool(name, Path(directory or Path.cwd())) for name in tools],
        mcp=_servers(mcp),
        policy=None if policy_file is None else Path(policy_file),
        limits=limits,
        instructions=_read(instructions, "instructions") if instructions else told,
        secrets=Secrets.load(given=secrets),
        asker=TerminalAsker(console) if console.is_there else None,
    )


def _limits(run: str | None, policy_file: str | None) -> Limits:
    """The limits before options: of the policy, of the run to go on with, or the usual ones."""
    from carrel.policy.limits import Limits
    from carrel.policy.load import load_policy

    if policy_file is not None:
        # Read once before the run, too: a mistake in it is told before a desk is made.
        return load_policy(Path(policy_file)).limits
    if run is None:
        return Limits()
    from carrel.agent.terms import read_terms
    from carrel.journal import read_events

    return read_terms(next(read_events(run)).data).policy.limits


def _model_of(run: str | None) -> str:
    """The model the person did not name: of the run before, or of the environment."""
    if run is not None:
        from carrel.journal import load_run

        return load_run(run).model
    chosen = os.environ.get("CARREL_MODEL")
    if chosen:
        return chosen
    raise Unavailable(
        "no model is chosen",
        op="run",
        hint="--model PROVIDER:MODEL, or set CARREL_MODEL; carrel models lists them and the keys "
        "they need; --model steps needs none and carries out plain instructions",
    )


def _model(name: str, console: Console, display: Display) -> str | Model:
    kind, colon, path = name.partition(":")
    if kind == "scripted" and colon and path:
        # As it is kept in the journal, it must be found from anywhere.
        return f"{kind}:{Path(path).absolute()}"
    if name != "human":
        return name
    from carrel.models.human import HELP, HumanModel

    if not console.is_there:
        raise UsageError(
            "--model human needs a terminal to ask you on",
            hint="run it in a terminal, or name another: carrel models",
        )
    shots: list[Path] = []

    async def show(context: Context) -> None:
        display.clear()
        if not shots:
            console.say(HELP)
        turn = context.turns[-1] if context.turns else None
        for outcome in turn.outcomes if turn else ():
            console.say(outcome.text)
        if context.picture is not None:
            shots.append(_keep_picture(context.picture.original()))
            console.say(f"screen {context.screen}: {shots[-1]}")

    return HumanModel(console.ask, show)


def _keep_picture(data: bytes) -> Path:
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp")) / f"carrel-screen-{os.getpid()}.png"  # noqa: S108
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path


def _money(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        amount = Decimal(text.removeprefix("$"))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount <= 0:
        raise InvalidInput(f"{text!r} is not an amount of money", hint="--budget 0.50")
    return amount


def _read(path: str, what: str) -> str:
    try:
        return Path(path).read_text()
    except FileNotFoundError:
        raise NotFound(f"there is no file {path} with {what}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is not text") from None


def _tool(name: str, directory: Path) -> Tool:
    from importlib import import_module

    from carrel.agent.tools import FunctionTool

    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise InvalidInput(f"{name!r} is not MODULE:FUNCTION", hint="--tool mytools:look_up")
    # As `python -m` has it: what lies in that directory can be named.
    sys.path.insert(0, str(directory))
    try:
        found = getattr(import_module(module), function, None)
    except ImportError as error:
        raise NotFound(
            f"{module} cannot be imported: {error}",
            hint=f"it is looked for in {directory} and among what is installed",
        ) from error
    finally:
        sys.path.remove(str(directory))
    if not callable(found):
        raise NotFound(f"{module} has no function {function!r}")
    marked = getattr(found, "__carrel_tool__", None)
    return marked if isinstance(marked, FunctionTool) else FunctionTool(found)


def _servers(texts: tuple[str, ...]) -> list[McpServer]:
    servers = [_server(text) for text in texts]
    names = [server.name for server in servers]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"there are two MCP servers called {name!r}", hint='--mcp "NAME=COMMAND …"'
            )
    return servers


def _server(text: str) -> McpServer:
    """Read `[NAME=]COMMAND …` or `[NAME=]URL`; tools are called NAME_TOOL."""
    import shlex

    from carrel.agent.mcp import McpServer

    named = re.match(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", text, re.DOTALL)
    name, what = (named[1], named[2]) if named else ("", text)
    if what.startswith(("http://", "https://")):
        return McpServer(name or "mcp", url=what)
    try:
        words = tuple(shlex.split(what))
    except ValueError as error:
        raise InvalidInput(
            f"--mcp: the quotes do not match: {error}", hint='--mcp "NAME=COMMAND …"'
        ) from None
    if not words:
        raise InvalidInput("--mcp needs a command or a URL", hint='--mcp "NAME=COMMAND …"')
    return McpServer(name or Path(words[-1]).stem or "mcp", command=words)
