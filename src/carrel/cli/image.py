"""`carrel image`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import local_time, run
from carrel.cli._output import Output
from carrel.cli._progress import Stages, size_words
from carrel.errors import CarrelError, NotFound

if TYPE_CHECKING:
    from carrel.machines.images import Image, Progress
    from carrel.machines.spec import Machine

__all__ = ["image"]


@click.group(cls=Group, context_settings=GROUP)
def image() -> None:
    """Build, list and delete images."""


@image.command("build")
@click.argument("name", default="desktop")
@click.pass_obj
def build(out: Output, name: str) -> None:
    """Build an image; what is there already is only reported."""
    from carrel.machines.images import RECIPES

    if name not in RECIPES:
        known = ", ".join(RECIPES)
        raise NotFound(f"there is no recipe {name[:60]!a}", hint=f"known images: {known}")
    built = run(_build, name, Stages(quiet=out.json))
    out.result(_describe(built), f"{built.name} is ready: {_words(built)}")


async def _build(name: str, stages: Stages) -> Image:
    from carrel.machines import images

    def report(progress: Progress) -> None:
        stages(progress.detail, progress.fraction)

    async with stages.running():
        return await images.build(images.RECIPES[name], progress=report)


@image.command("list")
@click.pass_obj
def list_built(out: Output) -> None:
    """Show the images built here."""
    from carrel.machines.images import list_images

    found = list_images()
    if out.json:
        out.document({"images": [_describe(item) for item in found]})
    elif not found:
        out.line("No image is built. Build one with: carrel image build")
    else:
        rows = [
            (
                item.name,
                item.hash[:12],
                size_words(item.size or 0),
                local_time(item.built_at),
                "yes" if item.current else "no",
            )
            for item in found
        ]
        out.table(("name", "recipe", "size", "built", "current"), rows)


@image.command("delete")
@click.argument("name")
@click.pass_obj
def delete(out: Output, name: str) -> None:
    """Delete an image: every version, or one when named NAME-HASH."""
    from carrel.machines.images import delete_image
    from carrel.machines.store import Store

    store = Store()
    machines = (*store.all(), *(each.machine for each in store.unreadable()))

    def users(candidate: Image) -> list[str]:
        return [machine.name for machine in machines if _stands_on(machine, candidate)]

    gone = delete_image(name, users=users)
    out.result(
        {"deleted": [_describe(item) for item in gone]},
        *(f"{item.name} {item.hash[:12]} is deleted" for item in gone),
    )


def _stands_on(machine: Machine, candidate: Image) -> bool:
    """Whether a machine starts from an image, or was started from an older version of it."""
    from carrel.machines.keep import Keep

    if machine.spec.image != candidate.name:
        return False
    if candidate.current:
        return True
    try:
        return Keep(machine.directory).read_plan().tree == str(candidate.rootfs)
    except FileNotFoundError:
        return False
    except (ValueError, CarrelError):
        return True  # nobody knows; it is kept


def _describe(item: Image) -> dict[str, object]:
    return {
        "name": item.name,
        "hash": item.hash,
        "rootfs": str(item.rootfs),
        "size": item.size,
        "built_at": item.built_at,
        "current": item.current,
    }


def _words(item: Image) -> str:
    return f"{size_words(item.size or 0)}, {item.rootfs}"
