"""Looking for faults, mending them, and looking again."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anyio import to_thread

from carrel.errors import CarrelError, WrongState
from carrel.journal.paths import runs_home
from carrel.machines.desks import abandoned_desks, clear_desks
from carrel.machines.lifecycle import Machines
from carrel.machines.mending.fault import Fault
from carrel.machines.mending.files import (
    draft_faults,
    home_faults,
    is_usable,
    lock_faults,
    mode_faults,
)
from carrel.machines.mending.images import image_faults
from carrel.machines.mending.keepers import keeper_faults
from carrel.machines.mending.of_machines import leftover_faults, orphan_faults, record_faults
from carrel.machines.mending.papers import (
    index_faults,
    pool_faults,
    settings_faults,
    volume_faults,
)
from carrel.machines.mending.store_file import WORK, store_faults
from carrel.machines.mending.system import (
    disk_faults,
    engine_faults,
    package_faults,
    provider_faults,
)
from carrel.machines.paths import data_home, state_home
from carrel.machines.removal import remove_tree
from carrel.machines.store import FILE, Store

__all__ = ["Outcome", "find_faults", "mend"]

_ROUNDS = 4
"""What is mended can bring other faults to light: a sound store, machines it does not know."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault.

    Attributes:
        result: `mended` only where it was looked for again and not found; `left` where there is
            nothing that could be done without a person.
        said: What was done, or why it failed.
    """

    fault: Fault
    result: Literal["mended", "failed", "left"]
    said: str = ""


async def find_faults(*, install: bool = False) -> tuple[Fault, ...]:
    """All that is not as it should be; nothing is changed.

    Args:
        install: Whether packages may be installed to mend what is missing.
    """
    return await to_thread.run_sync(lambda: tuple(_find(state_home(), install=install)))


def _find(home: Path, *, install: bool) -> Iterator[Fault]:
    if not home.is_dir() or is_usable(home):
        yield from _at_home(home)
    else:
        yield from home_faults(home)
    yield from _desk_faults()
    yield from disk_faults()
    yield from provider_faults()
    yield from package_faults(install=install)


def _at_home(home: Path) -> Iterator[Fault]:
    damaged = tuple(store_faults(home))
    yield from damaged
    store = None if damaged or not (home / FILE).exists() else Store(home)
    if home.is_dir():
        yield from mode_faults(home)
    if store is not None:
        yield from _of_store(store)
    yield from keeper_faults(home / "machines")
    yield from draft_faults(home, data_home())
    yield from image_faults(store)
    yield from index_faults(runs_home() / "index.sqlite")
    yield from settings_faults()


def _of_store(store: Store) -> Iterator[Fault]:
    yield from orphan_faults(store)
    yield from record_faults(store)
    yield from leftover_faults(store)
    yield from lock_faults(store)
    yield from pool_faults(store)
    yield from volume_faults(store)
    yield from engine_faults(store)


def _desk_faults() -> Iterator[Fault]:
    for path in abandoned_desks():
        yield Fault(
            "desk",
            str(path),
            "the directory of a desk whose guest was killed",
            "remove it",
            remedy=_clear_desks,
        )


async def _clear_desks() -> str:
    await to_thread.run_sync(clear_desks)
    return "it is removed"


async def mend(*, install: bool = False) -> tuple[Outcome, ...]:
    """Mend what can be mended without losing anything, and tell what became of every fault.

    Args:
        install: Whether missing packages may be installed, where we are root.

    Raises:
        WrongState: Another process is at it.
    """
    async with _alone(state_home()):
        tried: dict[tuple[str, str], tuple[Fault, str, bool]] = {}
        for _ in range(_ROUNDS):
            fresh = [
                fault
                for fault in await find_faults(install=install)
                if fault.remedy is not None and fault.key not in tried
            ]
            for fault in fresh:
                tried[fault.key] = (fault, *await _try(fault))
            if not fresh:
                break
        cleared = await _collect()
        left = {fault.key: fault for fault in await find_faults(install=install)}
    outcomes = [_outcome(fault, said, done, left) for fault, said, done in tried.values()]
    outcomes += [Outcome(fault, "left") for key, fault in left.items() if key not in tried]
    return (*outcomes, *cleared)


def _outcome(fault: Fault, said: str, done: bool, left: dict[tuple[str, str], Fault]) -> Outcome:
    if fault.key not in left:
        return Outcome(fault, "mended", said)
    again = left[fault.key]
    return Outcome(again, "failed", said if not done else f"it is there again: {again.detail}")


async def _try(fault: Fault) -> tuple[str, bool]:
    assert fault.remedy is not None
    try:
        return await fault.remedy(), True
    except CarrelError as error:
        return error.message, False
    except (OSError, sqlite3.Error) as error:
        return f"{type(error).__name__}: {error}", False


async def _collect() -> list[Outcome]:
    """What engines hold of machines that are no more, which only they can find."""
    store = state_home() / FILE
    if not is_usable(state_home()) or not store.exists():
        return []
    try:
        cleared = await Machines(Store(state_home())).reconcile()
    except (CarrelError, OSError, sqlite3.Error) as error:
        fault = Fault("leftovers", str(store), "what engines hold could not be looked at")
        return [Outcome(fault, "failed", str(error))]
    return [Outcome(Fault("leftovers", each, each), "mended", "it is removed") for each in cleared]


@asynccontextmanager
async def _alone(home: Path) -> AsyncIterator[None]:
    if not home.is_dir() or not is_usable(home):
        yield
        return
    handle = os.open(home / "mending.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongState(
                "another carrel doctor --fix is at work",
                op="doctor",
                hint="wait for it, and run it again",
            ) from None
        # Of one that was killed.
        for path in home.glob(f"{WORK}*"):
            remove_tree(path)
        yield
    finally:
        os.close(handle)
