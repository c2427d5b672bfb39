"""`carrel do shot`, `elements`, `cursor`, `screen` and `wait`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from carrel import codec
from carrel.actions import Cursor, Elements, ResizeScreen, Screen, Screenshot, Wait
from carrel.cli._machines import choose_machine, run
from carrel.cli._output import Output, one_line
from carrel.cli._types import BOX, SECONDS, SIZE
from carrel.cli.do._command import DoCommand, as_document, check_settle, do_action, send_action
from carrel.errors import RunError, UsageError
from carrel.geometry import Size

if TYPE_CHECKING:
    from carrel.frames import Element, Frame, ImageFormat

__all__ = ["cursor", "elements", "screen", "shot", "wait"]

_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


@click.command(cls=DoCommand, local_names=("output",))
@click.option("-o", "--output", metavar="FILE", help="Where to put it; - is standard output.")
@click.option("--region", type=BOX, help="Only this part of the screen.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["png", "jpeg", "webp"]),
    help="As the file's ending says, else png.",
)
@click.option("--quality", type=int, default=85, metavar="N", help="Of jpeg and webp, 1 to 100.")
@click.option("--cursor", is_flag=True, help="Draw the pointer.")
@click.pass_obj
def shot(out: Output, /, output: str | None, format_: ImageFormat | None, **options: Any) -> None:
    """Take a picture of the screen.

    Prints the path of the file.
    """
    if output == "-" and out.json:
        message = "--json prints a document where -o - prints the picture"
        raise UsageError(message, hint="-o FILE, or leave out --json")
    if output == "-" and sys.stdout.isatty():
        raise UsageError("a picture cannot go there", hint="-o FILE, or -o - into a pipe")
    kind = format_ or cast("ImageFormat", _FORMATS.get(Path(output or "").suffix.lower(), "png"))
    action = Screenshot(format=kind, **options)
    check_settle(out, action)
    name, frame = run(_shoot, out.machine or os.environ.get("CARREL_MACHINE"), action)
    if output == "-":
        sys.stdout.buffer.write(frame.image)
        return
    path = _write(Path(output) if output else _new_path(name, kind), frame.image)
    facts = codec.encode(frame_without_image(frame))
    assert isinstance(facts, dict)
    out.result({"machine": name, "path": str(path), "bytes": len(frame.image), **facts}, str(path))


async def _shoot(name: str | None, action: Screenshot) -> tuple[str, Frame]:
    from carrel.machines.lifecycle import Machines

    machines = Machines()
    name = choose_machine(name or None, machines.store)
    async with machines.computer(name) as computer:
        frame = await computer.screenshot(
            action.region, action.format, action.quality, action.cursor
        )
        return name, frame


def frame_without_image(frame: Frame) -> Frame:
    """The facts of a frame."""
    from dataclasses import replace

    return replace(frame, image=b"")


def _new_path(name: str, kind: str) -> Path:
    """A name that no file here has."""
    stem = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    ending = "jpg" if kind == "jpeg" else kind
    path, number = Path(f"{stem}.{ending}"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.{ending}")
    return path


def _write(path: Path, image: bytes) -> Path:
    try:
        path.write_bytes(image)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}", hint="-o FILE") from error
    return path.absolute()


@click.command(cls=DoCommand)
@click.option("--app", metavar="NAME", help="Only of this application.")
@click.option("--all", "everything", is_flag=True, help="Also what is not visible.")
@click.option("--limit", type=int, default=5000, metavar="N", help="At most so many.")
@click.option("--timeout", type=SECONDS, default=3.0, help="At most that long.")
@click.pass_obj
def elements(out: Output, app: str | None, everything: bool, limit: int, timeout: float) -> None:
    """List what the applications say is shown."""
    from carrel.computer import ElementTree

    action = Elements(app, not everything, limit, timeout)
    name, result = send_action(out, action)
    if out.json:
        out.document(as_document(name, action, result))
        return
    tree = codec.decode(ElementTree, dict(result.data))
    if not tree.elements:
        apps = ", ".join(tree.apps) or "no application"
        out.note(f"nothing is exposed; there is {apps}")
        return
    out.table(("id", "role", "name", "box"), [_element_row(item) for item in tree.elements])
    if not tree.complete:
        out.note("this is not all: the time bound or the limit cut it short")


def _element_row(item: Element) -> tuple[str, str, str, str]:
    label = item.name if item.value in (None, "", item.name) else f"{item.name} = {item.value}"
    box = item.box
    place = f"{box.x},{box.y} {box.width}x{box.height}" if box is not None else ""
    return item.id, item.role, one_line(label, 80), place


@click.command(cls=DoCommand)
@click.pass_obj
def cursor(out: Output) -> None:
    """Show where the pointer is."""
    name, result = send_action(out, Cursor())
    out.result(as_document(name, Cursor(), result), f"{result.data['x']},{result.data['y']}")


@click.command(cls=DoCommand)
@click.option("--resize", type=SIZE, help="Change it, where the display can.")
@click.pass_obj
def screen(out: Output, resize: Size | None) -> None:
    """Show or change the size of the screen."""
    if resize is not None:
        do_action(out, ResizeScreen(resize.width, resize.height))
        return
    name, result = send_action(out, Screen())
    words = f"{result.data['width']}x{result.data['height']}"
    out.result(as_document(name, Screen(), result), words)


@click.command(cls=DoCommand)
@click.argument("seconds", type=SECONDS, required=False)
@click.option("--stable", is_flag=True, help="Until the screen has not changed for a while.")
@click.option("--for", "still", type=SECONDS, default=0.3, help="How long that while is; 0.3.")
@click.option("--timeout", type=SECONDS, default=10.0, help="Give up after that long; 10.")
@click.pass_obj
def wait(out: Output, seconds: float | None, stable: bool, still: float, timeout: float) -> None:
    """Wait for a time, or until the screen is still."""
    if stable == (seconds is not None):
        raise UsageError("wait takes either SECONDS or --stable", hint="carrel do wait --stable")
    do_action(out, Wait(seconds, still if stable else None, timeout))
