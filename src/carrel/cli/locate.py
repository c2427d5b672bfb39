"""`carrel locate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel import codec
from carrel.cli._group import Command
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._sight import Look, look
from carrel.cli._types import MACHINE, SECONDS, parse_pairs

if TYPE_CHECKING:
    from carrel.models.model import Model
    from carrel.perception.find import Match
    from carrel.perception.locate import Located

__all__ = ["locate"]


@click.command(cls=Command)
@click.argument("description")
@click.option("-m", "--machine", type=MACHINE, envvar="CARREL_MACHINE", help="Which machine.")
@click.option("--model", metavar="PROVIDER:MODEL", help="Ask this one when the rules are not sure.")
@click.option("--base-url", metavar="URL", help="Where the model's server is.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="For the model.")
@click.option("--within", type=SECONDS, default=10.0, help="Look at most that long; 10.")
@click.option(
    "--no-pixels", is_flag=True, help="Only what applications and the browser say; read no text."
)
@click.pass_obj
def locate(
    out: Output,
    description: str,
    machine: str | None,
    model: str | None,
    base_url: str | None,
    options: tuple[str, ...],
    within: float,
    no_pixels: bool,
) -> None:
    r"""Say where something is, by a person's words for it.

    \b
      carrel locate "the second Save button"
      carrel locate "the field labelled Email"
      carrel locate "搜索框右边的按钮"

    Prints X,Y. Exit status 1 when it is not there, or when several fit equally well.
    """
    seen = run(look, machine, within, not no_pixels)
    if not out.json:
        for one in seen.scene.left_out:
            out.note(f"left out: {one}")
    found = run(_find, seen, description, model, base_url, parse_pairs(options))
    out.result(_document(seen, description, found), f"{found.point.x},{found.point.y}")


async def _find(
    seen: Look,
    description: str,
    model: str | None,
    base_url: str | None,
    options: dict[str, str],
) -> Located:
    from carrel.models.picture import Picture
    from carrel.perception.locate import locate as find_place

    scene = seen.scene
    picture = Picture(scene.frame, scene.size, lambda: seen.image, elements=scene.elements)

    async def found(pointer: Model | None) -> Located:
        return await find_place(
            picture,
            description,
            elements=scene.elements,
            model=pointer,
            view=picture.view,
            size=scene.size,
        )

    if model is None:
        return await found(None)
    from carrel.models.registry import open_model

    async with open_model(model, base_url=base_url, options=options) as pointer:
        return await found(pointer)


def _document(seen: Look, description: str, found: Located) -> dict[str, object]:
    return {
        "machine": seen.machine,
        "frame": seen.scene.frame,
        "description": description,
        "x": found.point.x,
        "y": found.point.y,
        "confidence": found.confidence,
        "source": found.source,
        "why": found.why,
        "element": None if found.element is None else codec.encode(found.element),
        "alternatives": [_alternative(match) for match in found.alternatives],
        "left_out": {one.source: one.reason for one in seen.scene.left_out},
    }


def _alternative(match: Match) -> dict[str, object]:
    return {
        "x": match.point.x,
        "y": match.point.y,
        "confidence": match.confidence,
        "element": codec.encode(match.element),
    }
