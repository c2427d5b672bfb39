"""Small files of the store that cannot be read: put aside, and written anew where that is safe."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from anyio import to_thread

from carrel.errors import CarrelError, RunError
from carrel.machines.lifecycle import Machines
from carrel.machines.mending.fault import Fault
from carrel.machines.mending.store_file import back_up, check_database
from carrel.machines.paths import USER_FILE, config_home
from carrel.machines.pool import Pools
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes

__all__ = ["index_faults", "pool_faults", "settings_faults", "volume_faults"]


def pool_faults(store: Store) -> Iterator[Fault]:
    """A file of pools that cannot be read stops every start."""
    try:
        Pools(Machines(store)).list()
    except RunError as error:
        path = store.home / "pools.json"
        yield Fault(
            "pools",
            str(path),
            error.message,
            "put it aside: there are no pools then, and their machines stay",
            "carrel doctor --fix, then carrel pool set",
            partial(_put_aside, path, "there are no pools any more: carrel pool set makes them"),
        )


async def _put_aside(path: Path, said: str) -> str:
    place = await to_thread.run_sync(back_up, path)
    path.unlink()
    return f"{said}; the file is in {place}"


def volume_faults(store: Store) -> Iterator[Fault]:
    """Volumes whose description is gone; their files are all there."""
    volumes = Volumes(store)
    for name in volumes.names():
        try:
            volumes.get(name)
        except CarrelError as error:
            yield Fault(
                "volume",
                name,
                error.message,
                "describe it anew; its files stay as they are",
                error.hint,
                partial(_describe, volumes, name),
            )


async def _describe(volumes: Volumes, name: str) -> str:
    volumes.describe_anew(name)
    return "it can be used again; how large it was meant to be is forgotten"


def settings_faults() -> Iterator[Fault]:
    """Settings that cannot be read; they are a person's own words, and stay."""
    from carrel.machines.settings import load_host

    path = config_home() / USER_FILE
    try:
        load_host()
    except CarrelError as error:
        yield Fault("settings", str(path), error.message, hint=error.hint or f"mend {path}")


def index_faults(path: Path) -> Iterator[Fault]:
    """An index of runs that cannot be read; it is made anew from the journals when asked for."""
    wrong = check_database(path)
    if wrong is not None and wrong[1]:
        yield Fault(
            "index",
            str(path),
            f"the index of runs is damaged: {wrong[0]}",
            "put it aside: the next look at the runs makes it anew",
            "carrel doctor --fix",
            partial(_put_index_aside, path),
        )


async def _put_index_aside(path: Path) -> str:
    place = await to_thread.run_sync(back_up, path)
    for each in path.parent.glob(f"{path.name}*"):
        if each.is_file():
            each.unlink()
    return f"carrel runs makes it anew; the damaged one is in {place}"
