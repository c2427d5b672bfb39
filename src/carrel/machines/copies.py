"""Copies of machines: states kept under a label, and machines that go on from one that runs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import anyio

from carrel.errors import AlreadyExists, NotFound, WrongState
from carrel.machines.apps import Apps, see_to
from carrel.machines.attention import wait_until_published
from carrel.machines.changes import as_copied
from carrel.machines.clearing import reconcile, remove
from carrel.machines.ground import Ground
from carrel.machines.provider import Provider, get_provider
from carrel.machines.spares import inherit, prune
from carrel.machines.spec import Machine, check_name
from carrel.machines.standing import Standing, look

__all__ = ["Copies"]


class Copies:
    """Keeps, restores and forks the machines of one store.

    Args:
        ground: What changes of machines rest on.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    async def keep(self, name: str, label: str, *, force: bool) -> None:
        """See `Machines.snapshot`."""
        check_name(label, "a label for a snapshot")
        machine, provider = await self._ground.ready_to("snapshot", name)
        async with self._ground.changing_only(machine, "snapshot"):
            if not force and label in await provider.snapshots(machine):
                raise AlreadyExists(
                    f"{name} has a snapshot {label} already",
                    op="machine.snapshot",
                    hint=f"another label, or carrel snapshot {name} {label} --force replaces it",
                )
            apps = Apps(machine)
            with apps.deploying():
                await provider.snapshot(machine, label)
                apps.keep(label)
                prune(machine)
            self._ground.teller.chronicle.write("kept", machine, facts={"label": label})

    async def restore(self, name: str, label: str) -> Standing:
        """See `Machines.restore`."""
        check_name(label, "a label for a snapshot")
        await reconcile(self._store)
        machine = self._store.get(name)
        async with self._ground.changing_only(machine):
            provider = get_provider(machine.spec.provider)
            if provider.capabilities.snapshot != "none":
                make = f"make one with: carrel snapshot {name} {label}"
                known = await provider.snapshots(machine)
                _require_kept(name, label, known, "restore", make)
            apps = Apps(machine)
            with apps.deploying():
                await provider.restore(machine, label)
                apps.go_back(label)
                prune(machine)
            see_to(machine)
            await wait_until_published(machine)
            self._ground.teller.chronicle.write("restored", machine, facts={"label": label})
            return await look(machine)

    async def discard(self, name: str, label: str) -> None:
        """See `Machines.delete_snapshot`."""
        check_name(label, "a label for a snapshot")
        await reconcile(self._store)
        self._store.get(name)
        async with self._ground.changing(name):
            machine = self._store.get(name)
            provider = get_provider(machine.spec.provider)
            if provider.capabilities.snapshot != "none":
                known = await provider.snapshots(machine)
                _require_kept(name, label, known, "delete_snapshot", "nothing of it is kept")
            await provider.delete_snapshot(machine, label)
            apps = Apps(machine)
            apps.discard(label)
            # Whoever deploys right now does it, too.
            with suppress(WrongState), apps.deploying():
                prune(machine)
            self._ground.teller.chronicle.write("discarded", machine, facts={"label": label})

    async def fork(self, name: str, names: Sequence[str], pool: str = "") -> tuple[Standing, ...]:
        """See `Machines.fork`; the copies may be made for a pool."""
        machine, provider = await self._ground.ready_to("fork", name)
        self._require_free(name, names)
        spec = as_copied(machine.spec)
        # Theirs, too: what nobody holds and is not complete, others clear away.
        async with (
            self._ground.changing(name, *sorted(names)),
            self._ground.room(name, [spec] * len(names), provider),
        ):
            await self._ground.require_still(machine, "fork")
            copies = [self._store.add(each, spec, pool) for each in names]
            await self._make(machine, provider, copies)
            for copy in copies:
                self._store.complete(copy)
                inherit(machine, copy)
                self._ground.teller.chronicle.write("forked", copy, facts={"origin": name})
                await self._ground.teller.started(copy)
            for copy in copies:
                await wait_until_published(copy)
        return tuple([await look(copy) for copy in copies])

    def _require_free(self, name: str, names: Sequence[str]) -> None:
        for number, each in enumerate(names):
            if self._store.find(check_name(each)) is not None or each in names[:number]:
                raise AlreadyExists(
                    f"there is already a machine named {each}",
                    op="machine.fork",
                    hint=f"carrel fork {name} --as NAME, or: carrel delete {each}",
                )

    async def _make(self, machine: Machine, provider: Provider, copies: Sequence[Machine]) -> None:
        """Have copies that run, all of them or none."""
        try:
            for copy in copies:
                await provider.create(copy)
            await provider.fork(machine, copies)
        except BaseException:
            with anyio.CancelScope(shield=True):
                for copy in copies:
                    await remove(self._store, copy)
            raise


def _require_kept(name: str, label: str, known: Sequence[str], what: str, otherwise: str) -> None:
    if label not in known:
        raise NotFound(
            f"{name} has no snapshot {label!r}",
            op=f"machine.{what}",
            hint=f"there is {', '.join(known)}" if known else otherwise,
        )
