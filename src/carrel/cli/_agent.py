"""An agent, made from the options of a command."""

from __future__ import annotations

import os
import sys
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
) -> Agent:
    """An agent as the options of a command describe it; `run` is the one to go on with, if any."""
    from carrel.agent.agent import Agent
    from carrel.cli._person import TerminalAsker
    from carrel.policy.limits import Limits
    from carrel.policy.load import load_policy
    from carrel.policy.secrets import Secrets

    # Read once before the run, too: a mistake in it is told before a desk is made.
    limits = Limits() if policy_file is None else load_policy(Path(policy_file)).limits
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
        tools=[_tool(name) for name in tools],
        mcp=[_server(number, text) for number, text in enumerate(mcp)],
        policy=None if policy_file is None else Path(policy_file),
        limits=limits,
        instructions=_read(instructions, "instructions") if instructions else "",
        secrets=Secrets.load(),
        asker=TerminalAsker(console) if console.is_there else None,
    )


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
        "they need; --model human needs none",
    )


def _model(name: str, console: Console, display: Display) -> str | Model:
    if name != "human":
        return name
    from carrel.models.human import HELP, HumanModel

    if not console.is_there:
        raise UsageError("--model human needs a terminal to ask you on")
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


def _tool(name: str) -> Tool:
    from importlib import import_module

    from carrel.agent.tools import FunctionTool

    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise InvalidInput(f"{name!r} is not MODULE:FUNCTION", hint="--tool mytools:look_up")
    # As `python -m` has it: what lies in the present directory can be named.
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), function, None)
    except ImportError as error:
        raise NotFound(f"{module} cannot be imported: {error}") from error
    finally:
        sys.path.remove(str(Path.cwd()))
    if not callable(found):
        raise NotFound(f"{module} has no function {function!r}")
    marked = getattr(found, "__carrel_tool__", None)
    return marked if isinstance(marked, FunctionTool) else FunctionTool(found)


def _server(number: int, text: str) -> McpServer:
    import shlex

    from carrel.agent.mcp import McpServer

    if text.startswith(("http://", "https://")):
        return McpServer(f"mcp{number}" if number else "mcp", url=text)
    words = tuple(shlex.split(text))
    if not words:
        raise InvalidInput("--mcp needs a command or a URL")
    return McpServer(Path(words[0]).name, command=words)
