"""Images that were not finished, and finished ones that are not whole."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from anyio import to_thread

from carrel.machines.images import RECIPES
from carrel.machines.images._finish import disk_usage
from carrel.machines.images.cache import (
    discard_image,
    images_home,
    partials,
    read_image,
    sweep_partials,
    write_image,
)
from carrel.machines.keep import Keep
from carrel.machines.mending.fault import Fault
from carrel.machines.store import Store

__all__ = ["image_faults"]

_LOCK = ".lock"


def image_faults(store: Store | None) -> Iterator[Fault]:
    """What interrupted builds left, and images without their facts or their tree."""
    home = images_home()
    if not home.is_dir():
        return
    left = partials()
    with _building(home) as free:
        idle = free
    if idle:
        for path in left:
            yield Fault(
                "image",
                path.name,
                "an interrupted build or removal left it",
                "remove it; what was downloaded is kept",
                "carrel doctor --fix",
                partial(to_thread.run_sync, _sweep, home),
            )
    for path in sorted(home.iterdir()):
        if path.is_dir() and not path.name.startswith("."):
            yield from _broken(store, path)


@contextmanager
def _building(home: Path) -> Iterator[bool]:
    """Hold the lock of builds unless one is going on; whether it is held."""
    try:
        handle = os.open(home / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def _sweep(home: Path) -> str:
    with _building(home) as free:
        if not free:
            return "another build has begun"
        sweep_partials()
    return "it is removed"


def _broken(store: Store | None, path: Path) -> Iterator[Fault]:
    image = read_image(path)
    whole = (path / "rootfs" / "usr" / "bin").is_dir()
    if image is not None and whole:
        return
    recipe = next((each for each in RECIPES.values() if each.directory_name == path.name), None)
    if whole and recipe is not None:
        yield Fault(
            "image",
            path.name,
            "it is built, and the file that says so is missing or damaged",
            "write that file anew",
            "carrel doctor --fix",
            partial(to_thread.run_sync, _write_facts, path),
        )
        return
    users = _users(store, path)
    hint = f"carrel delete {users[0]}, then carrel doctor --fix" if users else None
    yield Fault(
        "image",
        path.name,
        "its files are missing" if not whole else "nothing says what it is",
        None if users or whole else "remove what is left of it: the next start builds it",
        hint or (f"look at {path}, and remove it" if whole else "carrel doctor --fix"),
        None if users or whole else partial(to_thread.run_sync, _discard, path),
    )


def _users(store: Store | None, path: Path) -> list[str]:
    """Machines that were started from it; all, where nobody can tell."""
    if store is None:
        return ["the machines that need it"]
    machines = (*store.all(), *(each.machine for each in store.unreadable()))
    needle = str(path / "rootfs")
    return [m.name for m in machines if needle in _text(Keep(m.directory).plan)]


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _write_facts(path: Path) -> str:
    recipe = next(each for each in RECIPES.values() if each.directory_name == path.name)
    write_image(path, recipe, disk_usage(path / "rootfs"))
    return "it is an image again"


def _discard(path: Path) -> str:
    discard_image(path)
    return "it is removed"
