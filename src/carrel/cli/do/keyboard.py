"""`carrel do type`, `key`, `key-down` and `key-up`."""

from __future__ import annotations

import click

from carrel.actions import Key, KeyDown, KeyUp, Type
from carrel.cli._output import Output
from carrel.cli._types import SECONDS
from carrel.cli.do._command import DoCommand, do_action
from carrel.cli.do._input import text_or_stdin
from carrel.keys import parse_chord

__all__ = ["key", "key_down", "key_up", "type_"]


@click.command("type", cls=DoCommand)
@click.argument("text")
@click.pass_obj
def type_(out: Output, text: str) -> None:
    """Type text: any Unicode.

    Newlines are Enter, tabs are Tab; - reads standard input; -- goes before text that begins
    with a dash.
    """
    do_action(out, Type(text_or_stdin(text)))


@click.command(cls=DoCommand)
@click.argument("chord")
@click.option("--repeat", type=int, default=1, metavar="N", help="How often.")
@click.option("--hold-for", type=SECONDS, default=0.0, help="How long each press is held.")
@click.pass_obj
def key(out: Output, chord: str, repeat: int, hold_for: float) -> None:
    """Press keys together, such as ctrl+l."""
    do_action(out, Key(parse_chord(chord), repeat, hold_for))


@click.command("key-down", cls=DoCommand)
@click.argument("key")
@click.pass_obj
def key_down(out: Output, key: str) -> None:
    """Press a key and keep it down."""
    do_action(out, KeyDown(key))


@click.command("key-up", cls=DoCommand)
@click.argument("key")
@click.pass_obj
def key_up(out: Output, key: str) -> None:
    """Release a key."""
    do_action(out, KeyUp(key))
