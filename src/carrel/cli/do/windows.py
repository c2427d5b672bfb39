"""`carrel do windows` and `carrel do window`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from carrel import actions
from carrel.cli._group import GROUP
from carrel.cli._output import Output
from carrel.cli._types import SIZE, WINDOW
from carrel.cli.do._command import DoCommand, DoGroup, as_document, do_action, send_action
from carrel.geometry import Size

__all__ = ["window", "windows"]

_id = click.argument("id", type=WINDOW)


@click.command(cls=DoCommand)
@click.pass_obj
def windows(out: Output) -> None:
    """List the windows, the topmost last."""
    name, result = send_action(out, actions.Windows())
    if out.json:
        out.document(as_document(name, actions.Windows(), result))
        return
    found = result.data["windows"]
    assert isinstance(found, list)
    rows = [_row(item) for item in found if isinstance(item, dict)]
    if not rows:
        out.note("there is no window")
        return
    out.table(("id", "box", "state", "app", "pid", "title"), rows)


def _row(item: Mapping[str, object]) -> tuple[object, ...]:
    box = item["box"]
    assert isinstance(box, dict)
    assert isinstance(item["id"], int)
    place = f"{box['x']},{box['y']} {box['width']}x{box['height']}"
    states = [word for word in ("focused", "minimized", "maximized") if item.get(word)]
    title = item.get("title", "")
    return hex(item["id"]), place, " ".join(states), item.get("app"), item.get("pid"), title


@click.group(cls=DoGroup, context_settings=GROUP)
def window() -> None:
    """Focus, move, resize or close a window."""


@window.command("focus")
@_id
@click.pass_obj
def focus(out: Output, id: int) -> None:  # noqa: A002 (the argument's name in help)
    """Raise a window and give it the keyboard."""
    do_action(out, actions.FocusWindow(id))


@window.command("move", context_settings={"ignore_unknown_options": True})
@_id
@click.argument("x", type=int)
@click.argument("y", type=int)
@click.pass_obj
def move(out: Output, id: int, x: int, y: int) -> None:  # noqa: A002
    """Move a window's top left corner to a point."""
    do_action(out, actions.MoveWindow(id, x, y))


@window.command("resize")
@_id
@click.argument("size", type=SIZE)
@click.pass_obj
def resize(out: Output, id: int, size: Size) -> None:  # noqa: A002
    """Give a window a new size."""
    do_action(out, actions.ResizeWindow(id, size.width, size.height))


@window.command("minimize")
@_id
@click.pass_obj
def minimize(out: Output, id: int) -> None:  # noqa: A002
    """Minimise a window; focus it to bring it back."""
    do_action(out, actions.MinimizeWindow(id))


@window.command("maximize")
@_id
@click.option("--off", is_flag=True, help="Restore it instead.")
@click.pass_obj
def maximize(out: Output, id: int, off: bool) -> None:  # noqa: A002
    """Maximise or restore a window."""
    do_action(out, actions.MaximizeWindow(id, not off))


@window.command("close")
@_id
@click.pass_obj
def close(out: Output, id: int) -> None:  # noqa: A002
    """Ask a window to close."""
    do_action(out, actions.CloseWindow(id))
