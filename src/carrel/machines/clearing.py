"""Clearing what dead processes left of the machines of a store."""

from __future__ import annotations

import logging
import sqlite3

from carrel.errors import CarrelError, Unavailable
from carrel.machines.apps import see_to
from carrel.machines.attention import is_abandoned
from carrel.machines.full_disk import give_up_spare
from carrel.machines.provider import get_provider, provider_names
from carrel.machines.spec import Machine
from carrel.machines.standing import is_loadable, look
from carrel.machines.state import State
from carrel.machines.store import Store

__all__ = ["reconcile", "remove", "tell_end"]

logger = logging.getLogger(__name__)


async def reconcile(store: Store) -> tuple[str, ...]:
    """Clear what dead processes left; returns what was cleared, in words."""
    cleared: list[str] = []
    for machine in store.incomplete():
        # Its maker holds the lock while it lives, and may have finished since we looked.
        with store.lock_if_free(machine.name) as free:
            if free and machine in store.incomplete():
                try:
                    await remove(store, machine)
                except CarrelError as error:  # its engine may be gone; others have theirs
                    logger.warning("%s: %s", machine.name, error)
                    continue
                cleared.append(f"{machine.name}: its making was interrupted")
    for machine in store.all():
        if await _has_ended(machine):
            with store.lock_if_free(machine.name) as free:
                # Again, now that nobody can be starting it.
                if free and await _has_ended(machine):
                    await _recover(machine)
                    await _tell_crash(store, machine)
        elif is_abandoned(machine):
            await _attend_again(store, machine)
    return (*cleared, *await _collect(store))


async def _attend_again(store: Store, machine: Machine) -> None:
    with store.lock_if_free(machine.name) as free:
        # Whoever starts it sees to its apps when all else is done.
        if free and (await look(machine)).observed.state is State.RUNNING:
            see_to(machine)


async def _collect(store: Store) -> tuple[str, ...]:
    known = store.ids()
    cleared: list[str] = []
    for name in provider_names():
        try:
            cleared += await get_provider(name).collect(store.machines_home, known)
        except Unavailable as error:  # another package's, and no machine of ours may need it
            logger.debug("%s", error)
        except Exception as error:  # noqa: BLE001 (one provider must not stop the others)
            logger.warning("provider %s could not clear up: %s", name, error)
    return tuple(cleared)


async def remove(store: Store, machine: Machine, *, force: bool = False) -> None:
    """Delete a machine and forget it.

    Args:
        store: Where it is on record.
        machine: The machine.
        force: Also where its provider cannot be loaded.
    """
    if force and not is_loadable(machine.spec.provider):
        from carrel.machines.providers._missing import MissingProvider

        await MissingProvider().delete(machine)
    else:
        await get_provider(machine.spec.provider).delete(machine)
    _forget(store, machine)


def _forget(store: Store, machine: Machine) -> None:
    try:
        store.remove(machine)
    except sqlite3.OperationalError:
        # What it held may be too little for that on a full disk, or be on another one.
        if not give_up_spare(store.home):
            raise
        store.remove(machine)


async def tell_end(store: Store, identity: str) -> None:
    """Tell of one machine that it has ended by itself, when nobody else is at it.

    Args:
        store: Where it is on record.
        identity: Its id: it may be given another name.
    """
    found = next((machine for machine in store.all() if machine.id == identity), None)
    if found is None:
        return
    async with store.lock(found.name):
        if any(each.id == identity and each.name == found.name for each in store.all()):
            await _tell_crash(store, found)


async def _tell_crash(store: Store, machine: Machine) -> None:
    """Tell that a machine has ended by itself, if it has."""
    observed = (await look(machine)).observed
    if observed.state is State.ERROR:
        from carrel.machines.telling import Teller

        await Teller(store.home).crashed(machine, observed)


async def _has_ended(machine: Machine) -> bool:
    return (await look(machine)).observed.state in (State.ERROR, State.STOPPED)


async def _recover(machine: Machine) -> None:
    try:
        await get_provider(machine.spec.provider).recover(machine)
    except Exception as error:  # noqa: BLE001 (one machine's provider must not stop the others)
        logger.warning("%s: %s", machine.name, error)
