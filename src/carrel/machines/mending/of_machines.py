"""Machines: what dead ones left, those that are not on record, and records that are damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from carrel.codec import encode
from carrel.errors import CarrelError, NotFound, Unavailable
from carrel.machines.chronicle import Chronicle
from carrel.machines.keep import Keep, Phase
from carrel.machines.lifecycle import Machines
from carrel.machines.mending.fault import Fault
from carrel.machines.provider import get_provider
from carrel.machines.records import Unreadable, is_id, is_name
from carrel.machines.store import Store

__all__ = ["leftover_faults", "orphan_faults", "record_faults"]


def record_faults(store: Store) -> Iterator[Fault]:
    """Machines whose record or provider cannot be read. Nothing is guessed: a person decides."""
    for damaged in store.unreadable():
        if not damaged.is_named:
            yield _nameless(store, damaged)
            continue
        detail = f"its record cannot be read: {damaged.cause}"
        yield Fault("record", damaged.machine.name, detail, hint=damaged.hint)
    for machine in store.all():
        try:
            get_provider(machine.spec.provider)
        except (NotFound, Unavailable) as error:
            hint = error.hint if isinstance(error, Unavailable) else "install what provides it"
            hint = f"{hint}; or: carrel delete -f {machine.name}"
            yield Fault("record", machine.name, error.message, hint=hint)


def _nameless(store: Store, damaged: Unreadable) -> Fault:
    name = _free_name(store, _last_name(store, damaged.machine.id))

    async def rename() -> str:
        store.name_anew(damaged, name)
        return f"it is called {name}"

    return Fault(
        "name",
        damaged.machine.id,
        f"its name is damaged: {damaged.machine.name[:40]!a}",
        f"call it {name}",
        "carrel doctor --fix",
        rename,
    )


def leftover_faults(store: Store) -> Iterator[Fault]:
    """What killed processes left of machines; `gc` clears the same."""
    reconcile = partial(_reconcile, store)
    for machine in store.incomplete():
        if not store.is_locked(machine.name):
            detail = "its making was interrupted"
            yield Fault("machine", machine.name, detail, "remove what was made", None, reconcile)
    for machine in store.all():
        if _died(Keep(machine.directory)):
            yield Fault(
                "machine",
                machine.name,
                "it is on record as running, and its keeper is gone",
                "clear what it left, and show it as failed",
                f"carrel up {machine.name}",
                reconcile,
            )
    for path in sorted(store.machines_home.glob(".deleted-mac_*")):
        yield Fault("files", str(path), "a removal was interrupted", "finish it", None, reconcile)


def _died(keep: Keep) -> bool:
    record = keep.read_record()
    if record is None or record.phase is Phase.EXITED or keep.is_held():
        return False
    return keep.socket.exists() or any(Path(group).exists() for group in record.cgroups)


async def _reconcile(store: Store) -> str:
    await Machines(store).reconcile()
    return "what it left is cleared"


def orphan_faults(store: Store) -> Iterator[Fault]:
    """Directories of machines that the store does not know."""
    home = store.machines_home
    found = sorted(path for path in home.glob("mac_*") if is_id(path.name) and path.is_dir())
    known = store.ids()
    for path in found:
        # One that was deleted this moment is no orphan.
        if path.name not in known and path.is_dir():
            yield _orphan(store, path)


def _orphan(store: Store, directory: Path) -> Fault:
    detail = "files of a machine that is not on record"
    wish = _planned_wish(directory)
    if wish is None:
        hint = f"its files are in {directory}; nothing says what it was"
        return Fault("orphan", directory.name, detail, hint=hint)
    return Fault(
        "orphan",
        directory.name,
        detail,
        "put it back on record as it was started last",
        "carrel doctor --fix",
        partial(_put_back, store, directory, wish),
    )


def _planned_wish(directory: Path) -> str | None:
    """The wish of its last start, also one that only another version can read."""
    keep = Keep(directory)
    try:
        return json.dumps(encode(keep.read_plan().spec))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError, CarrelError):
        return _raw_wish(keep.plan)


def _raw_wish(path: Path) -> str | None:
    try:
        told = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return None
    wish = told.get("spec", {}) if isinstance(told, dict) else None
    return json.dumps(wish) if isinstance(wish, dict) else None


async def _put_back(store: Store, directory: Path, wish: str) -> str:
    name = _free_name(store, _last_name(store, directory.name))
    store.put_back((directory.name, name, wish, directory.stat().st_mtime))
    return f"it is on record as {name}: carrel status {name}"


def _last_name(store: Store, identity: str) -> str:
    """What the chronicle called it last."""
    names = [each.machine for each in Chronicle(store.home).read() if each.id == identity]
    for name in filter(is_name, reversed(names)):
        return name
    ending = re.sub("[^0-9a-z]", "", identity.lower())[-6:]
    return f"found-{ending or 'machine'}"


def _free_name(store: Store, wish: str) -> str:
    taken = {*store.names(), *(machine.name for machine in store.incomplete())}
    names = (wish, *(f"{wish[:36]}-{number}" for number in range(2, 1000)))
    return next(name for name in names if name not in taken)
