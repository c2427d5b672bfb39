"""A command that does one action and says what was observed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from carrel.cli._group import Command, Group
from carrel.cli._machines import choose_machine, run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE, SECONDS
from carrel.errors import CarrelError, RunError, UsageError

if TYPE_CHECKING:
    from carrel.actions import Action
    from carrel.results import Result

__all__ = [
    "DoCommand",
    "DoGroup",
    "add_do_options",
    "as_document",
    "check_settle",
    "do_action",
    "end_cut",
    "send_action",
]

_C = TypeVar("_C", bound=click.Command)


def _set_machine(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None and isinstance(context.obj, Output):
        context.obj.machine = value


def _set_settle(context: click.Context, parameter: click.Parameter, value: float | None) -> None:
    if value is not None and isinstance(context.obj, Output):
        context.obj.settle = value


def add_do_options(command: _C) -> _C:
    """Give a command `-m` and `--settle`, so that they may stand before or after the action."""
    command.params += [
        click.Option(
            ["-m", "--machine"],
            type=MACHINE,
            expose_value=False,
            callback=_set_machine,
            help="Which machine.",
        ),
        click.Option(
            ["--settle"],
            type=SECONDS,
            expose_value=False,
            callback=_set_settle,
            help="Watch the screen for at most that long and say what changed.",
        ),
    ]
    return command


class DoCommand(Command):
    """A command of `carrel do`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        add_do_options(self)


class DoGroup(Group):
    """A group of such commands."""

    command_class = DoCommand

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        add_do_options(self)


def send_action(out: Output, action: Action) -> tuple[str, Result]:
    """Do an action on the machine that is meant; returns its name and what was observed.

    Raises:
        CarrelError: The action was not carried out.
    """
    check_settle(out, action)
    name, result = run(_send, out.machine or os.environ.get("CARREL_MACHINE"), action, out.settle)
    try:
        return name, result.raise_for_error()
    except CarrelError as error:
        error.hint = _HINTS.get(error.hint or "", error.hint)
        raise


# What a machine answers is for programs too: their arguments are not what is typed here.
_HINTS = {
    "pass recursive to delete it with all it holds": "-r deletes it with all it holds",
    "read its bytes instead": "carrel cp takes any bytes",
    "list it, or get it as a tree": "carrel do files list; carrel cp takes whole directories",
}


def end_cut(out: Output, way: str) -> NoReturn:
    """End a command whose output lacks something that nobody asked to be left out.

    With `--json`, the document that was printed says so itself.
    """
    if out.json:
        raise click.exceptions.Exit(1)
    raise RunError("this is not all: it is longer than one answer can be", hint=way)


def check_settle(out: Output, action: Action) -> None:
    """Refuse to watch for the effect of an action that has none.

    Raises:
        UsageError: `--settle` was given, and the action only looks.
    """
    from carrel.actions import EffectClass

    if out.settle is not None and action.effect is EffectClass.OBSERVE:
        raise UsageError(
            f"--settle watches what an action changes, and {action.type} only looks",
            hint="leave it out; carrel do wait --stable waits for a still screen",
        )


async def _send(name: str | None, action: Action, settle: float | None) -> tuple[str, Result]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    name = choose_machine(name or None, machines.store)
    async with machines.computer(name) as computer:
        return name, await computer.act(action, settle=settle)


def as_document(name: str, action: Action, result: Result) -> dict[str, object]:
    """A result as JSON: every field, also those left at their default."""
    from carrel import codec
    from carrel.actions import encode_action

    document: dict[str, object] = {
        "machine": name,
        "action": encode_action(action),
        "ok": result.ok,
        "effect": str(result.effect),
        "text": result.text,
        "data": codec.encode(result.data),
        "evidence": codec.encode(result.evidence),
        "frame": result.frame,
        "duration": result.duration,
    }
    return document


def do_action(out: Output, action: Action) -> Result:
    """Do an action and say in one line what was observed."""
    from carrel.cli.do._words import sentence

    name, result = send_action(out, action)
    out.result(as_document(name, action, result), sentence(action, result))
    return result
