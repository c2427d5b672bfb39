"""`carrel see`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from carrel import codec
from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output, one_line
from carrel.cli._sight import Look, look
from carrel.cli._types import MACHINE, SECONDS
from carrel.errors import RunError

if TYPE_CHECKING:
    from carrel.frames import Element

__all__ = ["see"]


@click.command(cls=Command, local_names=("marks",))
@click.option("-m", "--machine", type=MACHINE, envvar="CARREL_MACHINE", help="Which machine.")
@click.option(
    "--marks", metavar="FILE.png", help="Write the picture with a number on all that can be used."
)
@click.option("--within", type=SECONDS, default=10.0, help="At most that long; 10.")
@click.option(
    "--no-pixels", is_flag=True, help="Only what applications and the browser say; read no text."
)
@click.pass_obj
def see(
    out: Output, machine: str | None, marks: str | None, within: float, no_pixels: bool
) -> None:
    """List what can be seen on a desk: controls, texts and icons.

    From the applications' own accounts, the browser's of its page, the text in the picture, and its
    shapes. What could not be asked, or did not tell all, is named.
    """
    seen = run(look, machine, within, not no_pixels)
    path = _write_marks(Path(marks), seen) if marks is not None else None
    scene = seen.scene
    if out.json:
        out.document(
            {
                "machine": seen.machine,
                "frame": scene.frame,
                "size": str(scene.size),
                "elements": [codec.encode(element) for element in scene.elements],
                "left_out": {one.source: one.reason for one in scene.left_out},
                "seconds": {name: round(taken, 4) for name, taken in scene.seconds.items()},
                "marks": None if path is None else str(path),
            }
        )
        return
    out.table(("id", "role", "name", "box", "source"), map(_row, scene.elements))
    for one in scene.left_out:
        out.note(f"left out: {one}")
    if path is not None:
        from carrel.perception.marks import unmarked

        out.note(f"the picture with numbers is {path}")
        if more := unmarked(scene.elements, scene.size):
            out.note(f"{more} more things have no number on it")


def _row(element: Element) -> tuple[str, str, str, str, str]:
    said = element.name.strip() or element.text.strip()
    if element.value and element.value.strip() not in ("", said):
        said = f"{said} = {element.value}".strip()
    box = element.box
    place = f"{box.x},{box.y} {box.width}x{box.height}" if box is not None else ""
    sure = "" if element.confidence >= 1 else f" {element.confidence:.2f}"
    return element.id, element.role, one_line(said, 80), place, f"{element.source}{sure}"


def _write_marks(path: Path, seen: Look) -> Path:
    from carrel.perception.marks import annotate, mark_elements

    size = seen.scene.size
    picture = annotate(seen.image, mark_elements(seen.scene.elements, size), size, size)
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}", hint="--marks FILE") from error
    return path.absolute()
