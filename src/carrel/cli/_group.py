"""Commands that are loaded when they are used, each with `--json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from carrel.cli._output import Output
from carrel.errors import InvalidInput, NotFound

__all__ = ["GROUP", "Command", "Group", "Lazy", "LazyGroup"]

GROUP = {"help_option_names": ["-h", "--help"]}


class Lazy(NamedTuple):
    """Where a command is, and the line that stands for it in help.

    Attributes:
        target: `module:attribute`.
        help: Equal to the first line of the command's own help.
    """

    target: str
    help: str


def _want_json(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and isinstance(context.obj, Output):
        context.obj.json = True


def _json_option() -> click.Option:
    return click.Option(
        ["--json"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_want_json,
        help="Print JSON.",
    )


class Command(click.Command):
    """A command with `--json`, which refuses text that is not text.

    Attributes:
        local_names: Parameters that name files on this system, where any bytes are fine.
    """

    local_names: frozenset[str] = frozenset()

    def __init__(self, *args: Any, local_names: tuple[str, ...] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.local_names = frozenset(local_names)
        # A docstring with a backslash is a raw one; click knows the mark only as a character.
        self.help = self.help and self.help.replace("\\b\n", "\b\n")
        self.params.append(_json_option())

    def invoke(self, ctx: click.Context) -> Any:
        """Run it when all its text can be sent."""
        for name, value in ctx.params.items():
            for text in _texts(value):
                _check_text(name, text, any_bytes=name in self.local_names)
        return super().invoke(ctx)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)


def _check_text(name: str, text: str, *, any_bytes: bool) -> None:
    if "\0" in text:
        raise InvalidInput(f"{name} holds a NUL character")
    if any_bytes:
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} is not valid UTF-8: {text[:60]!a}") from None


class Group(click.Group):
    """A group with `--json`."""

    command_class = Command

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params.append(_json_option())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which ones are near."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            # What stands after an unknown word is not parsed, and yet meant.
            _want_json(ctx, self.params[-1], "--json" in args)
            raise _unknown(ctx, name, self.list_commands(ctx))
        return name, command, args[1:]


def _unknown(context: click.Context, name: str, known: list[str]) -> NotFound:
    from difflib import get_close_matches

    path = context.command_path
    near = get_close_matches(name, known, n=1)
    hint = f"{path} {near[0]}" if near else f"{path} --help"
    return NotFound(f"{path} has no command {name[:40]!r}", hint=hint, context={"known": known})


class LazyGroup(Group):
    """A group that knows its commands by name and loads one at a time."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order people need them."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        entry = self.lazy.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.lazy.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without loading any."""
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=entry.help)
            for name, entry in self.lazy.items()
            if name.startswith(incomplete)
        ]
