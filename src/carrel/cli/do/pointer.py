"""`carrel do click`, `move`, `drag`, `scroll` and the buttons."""

from __future__ import annotations

from typing import Any

import click

from carrel.actions import Button, Click, Drag, MouseDown, MouseUp, Move, Scroll
from carrel.cli._output import Output
from carrel.cli._types import BUTTON, POINT
from carrel.cli.do._command import DoCommand, do_action
from carrel.geometry import Point

__all__ = [
    "click_",
    "double_click",
    "drag",
    "mouse_down",
    "mouse_up",
    "move",
    "right_click",
    "scroll",
]

# A negative coordinate is a number, not an option.
_NUMBERS = {"ignore_unknown_options": True}

_button = click.option("--button", type=BUTTON, default="left", help="Which button.")
_hold = click.option("--hold", multiple=True, metavar="KEY", help="Held meanwhile; repeatable.")
_x = click.argument("x", type=int)
_y = click.argument("y", type=int)


@click.command("click", cls=DoCommand, context_settings=_NUMBERS)
@_x
@_y
@_button
@click.option("--count", type=int, default=1, metavar="N", help="How often.")
@_hold
@click.pass_obj
def click_(out: Output, x: int, y: int, button: Button, count: int, hold: tuple[str, ...]) -> None:
    """Click at a point."""
    do_action(out, Click(x, y, button, count, hold))


@click.command("double-click", cls=DoCommand, context_settings=_NUMBERS)
@_x
@_y
@_hold
@click.pass_obj
def double_click(out: Output, x: int, y: int, hold: tuple[str, ...]) -> None:
    """Click twice at a point."""
    do_action(out, Click(x, y, "left", 2, hold))


@click.command("right-click", cls=DoCommand, context_settings=_NUMBERS)
@_x
@_y
@_hold
@click.pass_obj
def right_click(out: Output, x: int, y: int, hold: tuple[str, ...]) -> None:
    """Click with the right button."""
    do_action(out, Click(x, y, "right", 1, hold))


@click.command(cls=DoCommand, context_settings=_NUMBERS)
@_x
@_y
@click.pass_obj
def move(out: Output, x: int, y: int) -> None:
    """Move the pointer."""
    do_action(out, Move(x, y))


@click.command(cls=DoCommand, context_settings=_NUMBERS)
@click.argument("points", type=POINT, nargs=-1, required=True, metavar="X1,Y1 X2,Y2...")
@_button
@_hold
@click.option("--seconds", type=float, default=0.2, metavar="S", help="How long it takes.")
@click.pass_obj
def drag(out: Output, /, points: tuple[Point, ...], **options: Any) -> None:
    """Press, move along points, release."""
    do_action(out, Drag(points, options["button"], options["hold"], options["seconds"]))


@click.command("mouse-down", cls=DoCommand)
@_button
@click.pass_obj
def mouse_down(out: Output, button: Button) -> None:
    """Press a button and keep it down."""
    do_action(out, MouseDown(button))


@click.command("mouse-up", cls=DoCommand)
@_button
@click.pass_obj
def mouse_up(out: Output, button: Button) -> None:
    """Release a button."""
    do_action(out, MouseUp(button))


@click.command(cls=DoCommand, context_settings=_NUMBERS)
@_x
@_y
@click.option("--dy", type=int, default=0, metavar="N", help="Notches down; negative is up.")
@click.option("--dx", type=int, default=0, metavar="N", help="Notches right; negative is left.")
@_hold
@click.pass_obj
def scroll(out: Output, x: int, y: int, dy: int, dx: int, hold: tuple[str, ...]) -> None:
    """Turn the wheel at a point."""
    do_action(out, Scroll(x, y, dx, dy, hold))
