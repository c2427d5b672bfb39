"""The images this machine has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from carrel.errors import NotFound, Unavailable, WrongState
from carrel.machines.images._walls import remove_tree
from carrel.machines.images.desktop import DESKTOP
from carrel.machines.images.recipe import Recipe
from carrel.machines.images.small import MINIMAL, NODE
from carrel.machines.paths import data_home

__all__ = [
    "RECIPES",
    "Image",
    "delete_image",
    "discard_image",
    "image_names",
    "images_home",
    "list_images",
    "partial_path",
    "partials",
    "read_image",
    "resolve_image",
    "sweep_partials",
    "unknown_image",
    "write_image",
]

RECIPES: Mapping[str, Recipe] = {recipe.name: recipe for recipe in (DESKTOP, MINIMAL, NODE)}

_HOST = "host"
_FACTS = "image.json"
_PARTIAL = ".partial-"
_PYTHON_IN_IMAGE = "/usr/bin/python3"
_OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True, slots=True)
class Image:
    """A root file system a machine can start from.

    Attributes:
        name: What people call it.
        hash: Digest of the recipe it was made from; empty for `host`.
        rootfs: Its root directory.
        python: The guest's interpreter, as a path inside it.
        size: Bytes on disk; None for `host`.
        built_at: Seconds since the epoch; None for `host`.
        current: Whether today's recipe would give the same image.
    """

    name: str
    hash: str
    rootfs: Path
    python: str
    size: int | None = None
    built_at: float | None = None
    current: bool = True


def images_home() -> Path:
    """Where built images are."""
    return data_home() / "images"


def image_names() -> tuple[str, ...]:
    """Every name `resolve_image` knows."""
    return (_HOST, *RECIPES)


def unknown_image(name: str) -> NotFound:
    """What is said of a name that is no image's."""
    return NotFound(
        f"there is no image called {name[:60]!r}",
        op="image.resolve",
        hint=f"known images: {', '.join(image_names())}",
    )


def resolve_image(name: str) -> Image:
    """The image of that name, ready to use.

    Raises:
        NotFound: There is no such image.
        Unavailable: It has not been built yet, or `host` lacks an interpreter.
    """
    if name == _HOST:
        return Image(name=_HOST, hash="", rootfs=Path("/"), python=_host_python())
    recipe = RECIPES.get(name)
    if recipe is None:
        raise unknown_image(name)
    image = read_image(images_home() / recipe.directory_name)
    if image is None:
        raise Unavailable(
            f"the image {name} has not been built yet",
            op="image.resolve",
            hint=f"carrel image build {name}",
        )
    return image


def list_images() -> list[Image]:
    """Every built image, also those of older recipes, by name and age."""
    if not images_home().is_dir():
        return []
    found = (read_image(path) for path in images_home().iterdir() if _is_image(path))
    return sorted(
        (image for image in found if image is not None),
        key=lambda image: (image.name, -(image.built_at or 0.0)),
    )


def delete_image(name: str, *, users: Callable[[Image], Sequence[str]]) -> list[Image]:
    """Remove an image from disk: every version of it, or one when named `NAME-HASH`.

    Args:
        name: As shown by `list_images`, or the name of its directory.
        users: The machines that stand on an image; it is kept if there is any.

    Raises:
        NotFound: Nothing built has that name.
        WrongState: A machine stands on it; nothing was removed.
    """
    chosen = [image for image in list_images() if name in (image.name, image.rootfs.parent.name)]
    if not chosen:
        built = ", ".join(sorted({image.name for image in list_images()})) or "none"
        raise NotFound(
            f"no built image is called {name[:60]!r}",
            op="image.delete",
            hint=f"built images: {built}",
        )
    for image in chosen:
        if standing := list(users(image)):
            raise WrongState(
                f"the image {image.name} is in use by {', '.join(standing)}",
                op="image.delete",
                hint=f"carrel delete {standing[0]}",
                context={"machines": standing},
            )
    for image in chosen:
        discard_image(image.rootfs.parent)
    return chosen


def partial_path(name: str) -> Path:
    """A directory whose name says that it is not an image; builds sweep these away."""
    return images_home() / f"{_PARTIAL}{name}"


def sweep_partials() -> None:
    """Remove what interrupted builds and removals left. The caller holds the build lock."""
    for path in partials():
        remove_tree(path)


def partials() -> tuple[Path, ...]:
    """What builds and removals have not finished, or not yet."""
    return tuple(sorted(images_home().glob(f"{_PARTIAL}*")))


def write_image(directory: Path, recipe: Recipe, size: int) -> None:
    """Write down what a finished tree is; the last thing before it gets its name."""
    facts = {"name": recipe.name, "hash": recipe.hash, "size": size, "built_at": time.time()}
    (directory / _FACTS).write_text(json.dumps(facts, indent=2) + "\n")


def read_image(directory: Path) -> Image | None:
    """The finished image in a directory, if it holds one; one with damaged facts is none."""
    try:
        facts = json.loads((directory / _FACTS).read_text())
        name, made_from = str(facts["name"]), str(facts["hash"])
        size, built_at = int(facts["size"]), float(facts["built_at"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    recipe = RECIPES.get(name)
    return Image(
        name=name,
        hash=made_from,
        rootfs=directory / "rootfs",
        python=_PYTHON_IN_IMAGE,
        size=size,
        built_at=built_at,
        current=recipe is not None and recipe.hash == made_from,
    )


def _is_image(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith(".")


def discard_image(directory: Path) -> None:
    """Remove an image's directory, whatever is in it; nobody may stand on it."""
    # It stops being an image in one step, however long the removal takes.
    doomed = partial_path(f"removed-{directory.name}-{os.getpid()}")
    directory.rename(doomed)
    directory.with_name(f"{directory.name}.log").unlink(missing_ok=True)
    remove_tree(doomed)


@cache
def _host_python() -> str:
    """An interpreter that is still there when the machine hides homes and /tmp."""
    own = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    for candidate in dict.fromkeys(("/usr/bin/python3", "/usr/local/bin/python3", own)):
        hidden = Path(candidate).resolve().is_relative_to(Path.home())
        if not hidden and shutil.which(candidate) and _is_new_enough(candidate):
            return candidate
    raise Unavailable(
        "the image host needs a system-wide Python 3.11 or newer",
        op="image.resolve",
        hint="apt-get install python3, or use --image desktop",
    )


def _is_new_enough(python: str) -> bool:
    question = f"import sys; raise SystemExit(sys.version_info < {_OLDEST_PYTHON})"
    done = subprocess.run(
        [python, "-I", "-S", "-c", question], capture_output=True, timeout=30, check=False
    )
    return done.returncode == 0
