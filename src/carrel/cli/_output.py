"""What a command says: words for people, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence

import click

__all__ = ["Output", "clean", "one_line", "spell"]

# Escape sequences, other control characters and text-direction overrides can rewrite what a
# person sees or make the terminal act; a machine's text may hold any of them.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_BREAKS = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]+")
# JSON escapes C0 by itself; the rest of what a terminal obeys is escaped by us.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Text that cannot steer a terminal: control characters are spelled out."""
    return _UNSAFE.sub(_escape, text)


def spell(text: str) -> str:
    """A name on one line and nothing of it lost: line breaks and tabs are spelled out too."""
    return clean(_BREAKS.sub(_escape, text))


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "surrogatepass").decode()


def one_line(text: str, width: int = 0) -> str:
    """Text for one cell or line, cut to `width` characters where given."""
    flat = _BREAKS.sub(" ", text)
    if width and len(flat) > width:
        flat = flat[: width - 1] + "…"
    return flat


def to_json(value: object, *, indent: int | None = None) -> str:
    """One JSON document that is safe on a terminal and in any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Output:
    """Where a command's words go.

    Attributes:
        json: The user asked for JSON.
        debug: The user asked for tracebacks.
        machine: Given with `-m`.
        settle: Given with `--settle`.
    """

    def __init__(self) -> None:
        self.json = False
        self.debug = False
        self.machine: str | None = None
        self.settle: float | None = None

    def result(self, document: object, *lines: str) -> None:
        """The outcome: a document for a program, or lines for a person."""
        if self.json:
            self.document(document)
            return
        for text in lines:
            self.line(text)

    def document(self, value: object) -> None:
        """One JSON document."""
        click.echo(to_json(value, indent=2 if sys.stdout.isatty() else None))

    def json_line(self, value: object) -> None:
        """One document of a stream of them."""
        click.echo(to_json(value))

    def line(self, text: str = "") -> None:
        """A line on standard output."""
        click.echo(clean(text))

    def text(self, text: str, *, err: bool = False) -> None:
        """Text of the machine as it is, without adding a line end to a program's input."""
        terminal = (sys.stderr if err else sys.stdout).isatty()
        # Of colour, for otherwise escape sequences would be taken out on the way to a program.
        click.echo(clean(text) if terminal else _encodable(text), nl=False, err=err, color=True)
        if terminal and text and not text.endswith("\n"):
            click.echo(err=err)

    def note(self, text: str) -> None:
        """A remark on standard error."""
        click.echo(clean(text), err=True)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Rows under a heading: drawn on a terminal, aligned plainly elsewhere."""
        cells = [
            [clean(one_line("" if cell is None else str(cell))) for cell in row] for row in rows
        ]
        if sys.stdout.isatty():
            _draw(columns, cells)
            return
        lines = [[column.upper() for column in columns], *cells]
        widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
        for line in lines:
            padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
            self.line("  ".join(padded).rstrip())


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _draw(columns: Sequence[str], rows: list[list[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    # The first names what the row is about: it must be there to be copied.
    table.add_column(columns[0], no_wrap=True)
    for column in columns[1:-1]:
        table.add_column(column, overflow="fold")
    # The last column holds what has no bound.
    table.add_column(columns[-1], overflow="fold", ratio=1)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
