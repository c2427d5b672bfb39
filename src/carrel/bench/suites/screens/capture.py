"""Catching screens: a desk for each size, every page and every application on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import anyio

from carrel.actions import Wait
from carrel.bench.suites.screens.catalogue import Page, available, packages
from carrel.bench.suites.screens.desktop import APPS, App, catch_app
from carrel.bench.suites.screens.shot import Shot, shot_names, write_shot
from carrel.bench.suites.screens.web import open_gallery
from carrel.computer import Computer
from carrel.errors import CarrelError, MachineLost
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.lifecycle import Machines, quiet
from carrel.machines.provider import Progress
from carrel.machines.spec import MachineSpec

__all__ = ["SIZES", "Captured", "capture", "find_kept", "open_desk", "screen_names"]

SIZES = (Size(1024, 768), Size(1920, 1080))
BOUND = 120.0
"""Seconds for one screen, from its beginning to its end."""


@dataclass(slots=True)
class Captured:
    """What was caught.

    Attributes:
        keys: Of the shots, in the order of the catalogue.
        missing: What could not be caught, by `name` or `name@size`, and why.
    """

    keys: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


async def capture(
    home: Path,
    *,
    sizes: Sequence[Size] = SIZES,
    only: Collection[str] = (),
    progress: Progress = quiet,
) -> Captured:
    """Catch every screen that is not in `home` yet.

    Args:
        home: Where the shots are kept.
        sizes: Of the desk's screen.
        only: Patterns of names; all when empty.
        progress: Told of each.
    """
    found, missing = await available()
    wanted = partial(_is_wanted, only=only)
    pages = [(page, root) for page, root in found if wanted(page.name)]
    apps = [app for app in APPS if wanted(app.name)]
    done = Captured(missing={name: why for name, why in missing.items() if wanted(name)})
    for size in sizes:
        await _capture_size(home, size, pages, apps, done, progress)
    return done


def screen_names() -> tuple[str, ...]:
    """Every screen of the catalogue: pages, then applications."""
    pages = (Page(package, path).name for package in packages() for path in package.pages)
    return (*pages, *(app.name for app in APPS))


def find_kept(home: Path, *, sizes: Sequence[Size] = (), only: Collection[str] = ()) -> Captured:
    """The shots that are in a directory, and what is missing there; nothing is caught.

    Args:
        home: Where the shots are kept.
        sizes: Of the desk's screen; those that are there when empty.
        only: Patterns of names; all when empty.
    """
    parts = {key: key.rpartition("@")[::2] for key in shot_names(home)}
    chosen = tuple(map(str, sizes)) or tuple(dict.fromkeys(size for _, size in parts.values()))
    found = Captured(
        [key for key, (name, size) in parts.items() if size in chosen and _is_wanted(name, only)]
    )
    for name in screen_names():
        keys = [f"{name}@{size}" for size in chosen if _is_wanted(name, only)]
        found.missing |= {key: f"it is not in {home}" for key in keys if key not in parts}
    return found


def _is_wanted(name: str, only: Collection[str]) -> bool:
    return not only or any(fnmatchcase(name, pattern) for pattern in only)


async def _capture_size(
    home: Path,
    size: Size,
    pages: Sequence[tuple[Page, Path]],
    apps: Sequence[App],
    done: Captured,
    progress: Progress,
) -> None:
    there = frozenset(shot_names(home))
    names = [page.name for page, _ in pages] + [app.name for app in apps]
    done.keys += [f"{name}@{size}" for name in names if f"{name}@{size}" in there]
    new_pages = [(page, root) for page, root in pages if f"{page.name}@{size}" not in there]
    new_apps = [app for app in apps if f"{app.name}@{size}" not in there]
    if not new_pages and not new_apps:
        return
    async with open_desk(size, progress) as computer:
        for app in new_apps:
            progress(f"{app.name} {size}", None)
            await _one(home, f"{app.name}@{size}", partial(catch_app, computer, app), done)
        if not new_pages:
            return
        async with open_gallery(computer) as gallery:
            for page, root in new_pages:
                progress(f"{page.name} {size}", None)
                await _one(home, f"{page.name}@{size}", partial(gallery.catch, page, root), done)


async def _one(home: Path, key: str, catch: Callable[[], Awaitable[Shot]], done: Captured) -> None:
    """Catch one screen; one that cannot be had does not keep us from the others."""
    try:
        with anyio.fail_after(BOUND):
            shot = await catch()
    except MachineLost:
        raise
    except CarrelError as error:
        done.missing[key] = str(error)
    except TimeoutError:
        done.missing[key] = f"it took more than {BOUND:g} s"
    else:
        await anyio.to_thread.run_sync(write_shot, shot, home)
        done.keys.append(key)


@asynccontextmanager
async def open_desk(size: Size, progress: Progress = quiet) -> AsyncIterator[Computer]:
    """A machine with this system's own programs, removed afterwards."""
    machines = Machines()
    name = f"screens-{new_id('x')[-10:]}"
    spec = MachineSpec(image="host", size=size, env={"ACCESSIBILITY_ENABLED": "1"})
    await machines.up(name, spec, progress)
    try:
        async with machines.computer(name) as computer:
            # Its panel comes last, and is none of the windows that are waited for.
            await computer.act(Wait(stable=1.0, timeout=15))
            yield computer
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)
