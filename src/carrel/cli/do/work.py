"""`carrel do open`, `shell`, `clipboard` and `act`."""

from __future__ import annotations

import json

import click

from carrel import actions
from carrel.cli._group import GROUP
from carrel.cli._output import Output
from carrel.cli._types import SECONDS, parse_pairs
from carrel.cli.do._command import (
    DoCommand,
    DoGroup,
    as_document,
    do_action,
    end_cut,
    send_action,
)
from carrel.cli.do._input import text_or_stdin
from carrel.errors import InvalidInput
from carrel.results import Result

__all__ = ["act", "clipboard", "open_", "shell"]


@click.command("open", cls=DoCommand)
@click.argument("what")
@click.argument("arguments", nargs=-1)
@click.pass_obj
def open_(out: Output, what: str, arguments: tuple[str, ...]) -> None:
    """Open an application, a URL or a file.

    Arguments that begin with a dash go after --.
    """
    do_action(out, actions.Open(what, arguments))


@click.command(cls=DoCommand)
@click.argument("command")
@click.option("--cwd", metavar="DIR", help="Where it runs; the home by default.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="Add to its environment.")
@click.option("--stdin", metavar="TEXT", help="What it reads; - is our standard input.")
@click.option("--timeout", type=SECONDS, default=60.0, help="End it after that long; 60.")
@click.pass_context
def shell(
    context: click.Context,
    command: str,
    cwd: str | None,
    env: tuple[str, ...],
    stdin: str | None,
    timeout: float,
) -> None:
    """Run a shell command and wait for it.

    Exit status 1 when it fails, whatever its own, and when it writes more than one answer can
    hold; carrel exec passes both through.
    """
    out: Output = context.obj
    text = text_or_stdin(stdin) if stdin is not None else None
    action = actions.Shell(command, cwd, parse_pairs(env), text, timeout)
    name, result = send_action(out, action)
    if out.json:
        out.document(as_document(name, action, result))
    else:
        _show_output(out, result)
    if result.data.get("truncated"):
        end_cut(out, f"carrel exec {name} -- sh -c '…' gives output of any length")
    if result.data.get("exit") != 0:
        context.exit(1)


def _show_output(out: Output, result: Result) -> None:
    out.text(str(result.data.get("stdout", "")))
    errors = str(result.data.get("stderr", "")).rstrip("\n")
    if errors:
        out.text(f"{errors}\n", err=True)
    if result.data.get("exit") is None:
        out.note(f"ended by signal {result.data.get('signal')}")
    elif result.data.get("exit") != 0:
        out.note(f"exit {result.data.get('exit')}")


@click.group(cls=DoGroup, context_settings=GROUP, invoke_without_command=True)
@click.pass_context
def clipboard(context: click.Context) -> None:
    """Read or set the clipboard."""
    if context.invoked_subcommand is None:
        _get_clipboard(context.obj)


def _get_clipboard(out: Output) -> None:
    name, result = send_action(out, actions.GetClipboard())
    if out.json:
        out.document(as_document(name, actions.GetClipboard(), result))
    else:
        out.text(str(result.data["text"]))


@clipboard.command("get")
@click.pass_obj
def get(out: Output) -> None:
    """Print the text on the clipboard."""
    _get_clipboard(out)


@clipboard.command("set")
@click.argument("text")
@click.pass_obj
def set_(out: Output, text: str) -> None:
    """Put text on the clipboard; - reads standard input."""
    do_action(out, actions.SetClipboard(text_or_stdin(text)))


@click.command(cls=DoCommand)
@click.argument("text", metavar="JSON")
@click.pass_obj
def act(out: Output, text: str) -> None:
    """Do an action written as JSON.

    Such as '{"type": "click", "x": 10, "y": 20}'; - reads standard input. Always answers with
    the result as JSON.
    """
    try:
        wire = json.loads(text_or_stdin(text), object_pairs_hook=_fields)
    except (ValueError, RecursionError):
        raise InvalidInput("that is not JSON", hint='such as {"type": "cursor"}') from None
    action = actions.decode_action(wire)
    name, result = send_action(out, action)
    out.document(as_document(name, action, result))


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The fields of an object; which of two with one name is meant, nobody can know."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"{double!r} is in one JSON object twice", hint="leave out one of them")
    return found
