"""Write docs/reference/ from the code, so that it cannot be out of date."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from pathlib import Path

import click

from carrel import errors
from carrel.actions import ACTIONS, Action
from carrel.cli import root
from carrel.errors import CarrelError
from carrel.intents import INTENTS

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference"
CONVENTIONS = """Coordinates are screen pixels, scrolling is in wheel notches (positive: down and \
right), keys are names such as `enter`, `ctrl`, `f5` or one character. Unknown and ill-typed ones \
are refused. `carrel do act '{"type": …}'` takes any action of a machine as JSON, and a script of \
`--model scripted:FILE` those of the runtime too.
"""
RUNTIME = """
# Actions of the runtime

What a model calls and no machine can carry out: not for `carrel do`.
"""
NOTE = "Generated from the code by `make docs`.\n"


def main() -> int:
    pages = {"actions.md": actions_page(), "cli.md": cli_page(), "errors.md": errors_page()}
    TARGET.mkdir(parents=True, exist_ok=True)
    stale = []
    for name, text in pages.items():
        path = TARGET / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        sys.stderr.write(f"docs/reference is stale ({', '.join(stale)}): run make docs\n")
    return 1 if stale else 0


def actions_page() -> str:
    parts = [
        "# Actions\n",
        NOTE,
        CONVENTIONS,
        "| type | effect | what it does |",
        "| --- | --- | --- |",
    ]
    parts += [
        f"| [`{cls.type}`](#{cls.type}) | {cls.effect} | {_first_line(cls)} |"
        for cls in (*ACTIONS.values(), *INTENTS.values())
    ]
    parts += [_action_section(cls) for cls in ACTIONS.values()]
    parts += [RUNTIME.rstrip(), *(_action_section(cls) for cls in INTENTS.values())]
    return "\n".join(parts) + "\n"


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0].replace("|", "\\|")


def _action_section(cls: type[Action]) -> str:
    lines = [f"\n## {cls.type}\n", inspect.getdoc(cls) or "", ""]
    fields = dataclasses.fields(cls)
    if fields:
        hints = typing.get_type_hints(cls)
        lines += ["| field | type | default |", "| --- | --- | --- |"]
        # As written where it holds any JSON, which has no end when it is resolved.
        kinds = {f.name: f.type if "Json" in str(f.type) else hints[f.name] for f in fields}
        lines += [f"| `{f.name}` | {_type(kinds[f.name])} | {_default(f)} |" for f in fields]
    return "\n".join(lines)


def _type(hint: object) -> str:
    text = hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    for noise in ("carrel.geometry.", "typing.", "collections.abc."):
        text = text.replace(noise, "")
    return "`" + text.replace("|", "\\|") + "`"


def _default(field: dataclasses.Field[object]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"`{field.default!r}`"
    return "empty" if field.default_factory is not dataclasses.MISSING else "required"


def cli_page() -> str:
    parts = ["# Commands\n", NOTE]
    context = click.Context(root, info_name="carrel")
    parts += _command_sections(root, context)
    return "\n".join(parts) + "\n"


def _command_sections(command: click.Command, context: click.Context) -> list[str]:
    formatter = click.HelpFormatter(width=88)
    command.format_help(context, formatter)
    parts = [f"## {context.command_path}\n", f"```text\n{formatter.getvalue().rstrip()}\n```\n"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            parts += _command_sections(child, click.Context(child, context, name))
    return parts


def errors_page() -> str:
    parts = [
        "# Errors\n",
        NOTE,
        "Every error has a `code`, a message, a `hint` (what to do next), `retryable` and more.\n",
        "```text",
        (inspect.getdoc(errors) or "").partition("```\n")[2].partition("\n```")[0],
        "```\n",
        "| code | class | exit status | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for name in errors.__all__:
        cls = getattr(errors, name)
        if inspect.isclass(cls) and issubclass(cls, CarrelError):
            parts.append(f"| `{cls.code}` | `{name}` | {cls.exit_status} | {_first_line(cls)} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
