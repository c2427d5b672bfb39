"""`carrel do files`."""

from __future__ import annotations

import click

from carrel import actions
from carrel.cli._group import GROUP
from carrel.cli._machines import local_time
from carrel.cli._output import Output, spell
from carrel.cli.do._command import DoGroup, as_document, do_action, end_cut, send_action
from carrel.cli.do._input import text_or_stdin
from carrel.codec import Json

__all__ = ["files"]

_path = click.argument("path")


@click.group(cls=DoGroup, context_settings=GROUP)
def files() -> None:
    """Read, write, list, move and delete files.

    Text only, in one answer; carrel cp takes any bytes and whole directories.
    """


@files.command("list")
@click.argument("path", default="~")
@click.pass_obj
def list_(out: Output, path: str) -> None:
    """List a directory; the home by default.

    Exit status 1 when it holds more than one answer can.
    """
    action = actions.ListFiles(path)
    name, result = send_action(out, action)
    if out.json:
        out.document(as_document(name, action, result))
    else:
        entries = result.data["entries"]
        assert isinstance(entries, list)
        rows = [_row(entry) for entry in entries if isinstance(entry, dict)]
        if rows:
            out.table(("kind", "size", "modified", "name"), rows)
    if result.data.get("truncated"):
        end_cut(out, f"carrel exec {name} -- ls lists directories of any size")


def _row(entry: dict[str, Json]) -> tuple[object, ...]:
    moment = _moment(entry.get("modified"))
    return entry.get("kind"), entry.get("size"), moment, spell(str(entry.get("name")))


def _moment(value: Json) -> str:
    return local_time(value) if isinstance(value, int | float) else ""


@files.command("stat")
@_path
@click.pass_obj
def stat(out: Output, path: str) -> None:
    """Describe a file."""
    action = actions.StatFile(path)
    name, result = send_action(out, action)
    facts = dict(result.data)
    if not out.json:
        facts["modified"] = _moment(facts.get("modified"))
    lines = [f"{key}: {spell(str(value))}" for key, value in facts.items()]
    out.result(as_document(name, action, result), *lines)


@files.command("read")
@_path
@click.option("--limit", type=int, metavar="N", help="Only so many characters of it.")
@click.pass_obj
def read(out: Output, path: str, limit: int | None) -> None:
    """Print a text file.

    Exit status 1 when it is longer than one answer can be, and no --limit asked for less.
    """
    action = actions.ReadFile(path, actions.MAX_TEXT if limit is None else limit)
    name, result = send_action(out, action)
    if out.json:
        out.document(as_document(name, action, result))
    else:
        out.text(str(result.data["text"]))
    if result.data.get("truncated") and limit is None:
        end_cut(out, f"carrel cp {name}:{path} . takes files of any size")


@files.command("write")
@_path
@click.argument("text")
@click.pass_obj
def write(out: Output, path: str, text: str) -> None:
    """Write a text file in one step; - reads standard input."""
    do_action(out, actions.WriteFile(path, text_or_stdin(text)))


@files.command("append")
@_path
@click.argument("text")
@click.pass_obj
def append(out: Output, path: str, text: str) -> None:
    """Add text to the end of a file; - reads standard input."""
    do_action(out, actions.AppendFile(path, text_or_stdin(text)))


@files.command("mkdir")
@_path
@click.pass_obj
def mkdir(out: Output, path: str) -> None:
    """Make a directory and its parents."""
    do_action(out, actions.MakeDirectory(path))


@files.command("move")
@_path
@click.argument("to")
@click.pass_obj
def move(out: Output, path: str, to: str) -> None:
    """Rename a file or directory."""
    do_action(out, actions.MoveFile(path, to))


@files.command("delete")
@_path
@click.option("-r", "--recursive", is_flag=True, help="A directory with all it holds.")
@click.pass_obj
def delete(out: Output, path: str, recursive: bool) -> None:
    """Delete a file or directory."""
    do_action(out, actions.DeleteFile(path, recursive))
