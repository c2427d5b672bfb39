"""The machines of one owner: made, started, stopped, deleted, and always told truly."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import AlreadyExists, WrongState
from carrel.machines.changes import (
    ANY_TIME,
    Change,
    differences,
    require_changeable,
    require_disk,
    require_no_wider,
    require_same,
)
from carrel.machines.clearing import reconcile, remove
from carrel.machines.copies import Copies
from carrel.machines.ground import Ground
from carrel.machines.making import have_running, make, make_running
from carrel.machines.provider import Memory, Metrics, Progress, get_provider, observe
from carrel.machines.records import Unreadable
from carrel.machines.spec import Machine, MachineSpec, check_name
from carrel.machines.standing import PRESENT, Standing, is_loadable, is_present, look, told
from carrel.machines.state import State, require_state
from carrel.machines.store import Store
from carrel.machines.traffic import with_network

if TYPE_CHECKING:
    # What a start waits for is loaded when it is needed.
    from carrel.machines.limits import HostLimits

__all__ = ["Machines", "Standing"]

logger = logging.getLogger(__name__)


def quiet(stage: str, share: float | None) -> None:
    """Report progress to nobody but the log."""
    logger.debug("%s %s", stage, share)


class Machines:
    """Every machine in one store.

    Each call first reconciles: what a killed process left behind is cleared, and states are read
    from the providers, never remembered.

    Args:
        store: Where they are on record; the user's own by default.
        limits: The most they may have; None takes what this computer has and its user set.
    """

    def __init__(self, store: Store | None = None, limits: HostLimits | None = None) -> None:
        self._ground = Ground(store or Store(), limits)
        self.store = self._ground.store
        self._copies = Copies(self._ground)

    @property
    def limits(self) -> HostLimits:
        """What all machines together may have; as this computer and its user set it by default."""
        return self._ground.limits

    async def up(
        self, name: str, spec: MachineSpec | None = None, progress: Progress = quiet
    ) -> Standing:
        """Make a machine if there is none of that name, and have it running.

        Args:
            name: What to call it.
            spec: The wish; None takes an existing machine as it is, or the defaults. Provider
                `auto` is replaced by the first of gvisor, namespace, docker and qemu that works.
            progress: Told of every stage.

        Raises:
            AlreadyExists: The machine is there and was made from another wish.
        """
        check_name(name)
        await self.reconcile()
        async with self._ground.changing(name):
            machine = self._find(name)
            if machine is None:
                wish = spec or MachineSpec(provider="auto")
                machine = await self._from_pool(name, wish)
                if machine is None:
                    return await look(await make_running(self._ground, name, wish, progress))
            elif spec is not None:
                require_same(machine, spec)
            await have_running(self._ground, machine, progress)
            return await look(machine)

    async def revive(self, identity: str) -> Standing | None:
        """Start a machine again that has died, if it is still dead and still to be revived.

        Args:
            identity: Its id: another one may have its name by now.
        """
        found = self._known(identity)
        if found is None:
            return None
        async with self._ground.changing(found.name):
            machine = self._known(identity)
            if machine is None or machine.spec.restart == "never":
                return None
            if (await look(machine)).observed.state is not State.ERROR:
                return None
            await have_running(self._ground, machine, quiet, again=True)
            return await look(machine)

    def _known(self, identity: str) -> Machine | None:
        return next((machine for machine in self.store.all() if machine.id == identity), None)

    async def _from_pool(self, name: str, wish: MachineSpec) -> Machine | None:
        """A machine that was made ahead, if there is one of this very wish."""
        if not (self.store.home / "pools.json").exists():
            return None
        from carrel.machines.pool import Pools

        taken = await Pools(self).take(name, wish)
        if taken is not None:
            self._ground.teller.chronicle.write("made", taken, facts={"from": "pool"})
        return taken

    async def create(
        self, name: str, spec: MachineSpec | None = None, progress: Progress = quiet
    ) -> Standing:
        """Make a machine without starting it.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name)
        await self.reconcile()
        async with self._ground.changing(name):
            if self._find(name) is not None:
                raise AlreadyExists(
                    f"there is already a machine named {name}", hint=f"carrel start {name}"
                )
            wish = spec or MachineSpec(provider="auto")
            return await look(await make(self._ground, name, wish, progress))

    async def configure(self, name: str, wish: MachineSpec | Change) -> Standing:
        """Replace what is wished of a machine; it holds from its next start.

        Args:
            name: The machine.
            wish: The new one, or what makes it of the one there is when nobody else changes it.

        Raises:
            WrongState: It runs, and what differs cannot change meanwhile.
            Unsupported: It was made by another provider, or from another image.
        """
        self.store.get(name)
        await self.reconcile()
        async with self._ground.changing(name):
            machine = self.store.get(name)
            spec = await self._agreed(machine, wish)
            if spec == machine.spec:
                return await look(machine)
            changed = self.store.update(machine, spec)
            self._tell_change(machine, spec)
            return await look(changed)

    async def start(
        self, name: str, change: Change | None = None, progress: Progress = quiet
    ) -> Standing:
        """Have a machine running that was made.

        Args:
            name: The machine.
            change: What makes a new wish of the one there is, which then holds for later starts;
                of a start that fails nothing stays on record.
            progress: Told of every stage.

        Raises:
            NotFound: There is no such machine.
            WrongState: It runs, and what differs cannot change meanwhile.
        """
        self.store.get(name)
        await self.reconcile()
        async with self._ground.changing(name):
            before = self.store.get(name)
            spec = before.spec if change is None else await self._agreed(before, change)
            if spec == before.spec:
                await have_running(self._ground, before, progress)
                return await look(before)
            machine = self.store.update(before, spec)
            try:
                await have_running(self._ground, machine, progress)
            except BaseException:
                with anyio.CancelScope(shield=True):
                    if not await is_present(machine):
                        self.store.update(machine, before.spec)
                raise
            self._tell_change(before, spec)
            return await look(machine)

    async def _agreed(self, machine: Machine, wish: MachineSpec | Change) -> MachineSpec:
        """What a machine is to be from now on, where that may be."""
        spec = wish(machine.spec) if callable(wish) else wish
        changed = differences(machine.spec, spec)
        provider = get_provider(machine.spec.provider)
        require_changeable(machine, provider, changed)
        with self._ground.teller.refusals(machine.name):
            require_no_wider(machine, spec)
            self._ground.check(provider, spec)
        if not changed <= ANY_TIME:
            require_state(machine.name, "configure", await provider.inspect(machine))
        if "disk_mb" in changed:
            await require_disk(machine, provider, spec)
        return spec

    def _tell_change(self, machine: Machine, spec: MachineSpec) -> None:
        facts: dict[str, Json] = {"fields": [*sorted(differences(machine.spec, spec))]}
        self._ground.teller.chronicle.write("configured", machine, facts=facts)

    def _find(self, name: str) -> Machine | None:
        return self.store.find(name)

    async def status(self, name: str) -> Standing:
        """How one machine is."""
        check_name(name)
        await self.reconcile()
        if (damaged := self._unreadable(name)) is not None:
            return told(damaged)
        return await look(self.store.get(name))

    def _unreadable(self, name: str) -> Unreadable | None:
        return next((each for each in self.store.unreadable() if each.machine.name == name), None)

    async def list(self) -> tuple[Standing, ...]:
        """How every machine is, also those of which nobody can tell."""
        await self.reconcile()
        standings = [await look(machine) for machine in self.store.all()]
        standings += map(told, self.store.unreadable())
        return tuple(sorted(standings, key=lambda standing: standing.machine.id))

    async def stop(self, name: str, grace: float = 5.0, *, force: bool = False) -> Standing:
        """Stop a machine; its disk stays. One that has died is not started again then.

        Args:
            name: The machine.
            grace: Seconds it has to end by itself.
            force: End it at once instead; what it has not written is lost.
        """
        check_name(name)
        await self.reconcile()
        machine = self.store.get(name)
        async with self._ground.changing_only(machine):
            await self._stop(machine, grace, force=force)
            return await look(machine)

    async def _stop(self, machine: Machine, grace: float, *, force: bool = False) -> None:
        provider = get_provider(machine.spec.provider)
        observed = await provider.inspect(machine)
        require_state(machine.name, "stop", observed)
        if observed.state is State.ERROR:
            # Nobody may have told yet, and nothing will say so any more.
            await self._ground.teller.crashed(machine, observed)
        if force:
            await provider.kill(machine)
        else:
            await provider.stop(machine, grace)
        await provider.recover(machine)
        if observed.state in PRESENT:
            await self._ground.teller.stopped(machine)

    async def restart(self, name: str, grace: float = 5.0, progress: Progress = quiet) -> Standing:
        """Stop a machine and have it running again.

        Raises:
            Refused: There would be no room for it; it runs on.
            WrongState: Another machine that runs has a volume of it; it runs on.
        """
        check_name(name)
        await self.reconcile()
        known = self.store.get(name)
        async with self._ground.changing_only(known):
            machine = self.store.get(name)
            await self._ground.require_startable(machine)
            await self._stop(machine, grace)
            await have_running(self._ground, machine, progress)
            return await look(machine)

    async def pause(self, name: str) -> Standing:
        """Halt a running machine where it is."""
        machine, provider = await self._ground.ready_to("pause", name)
        async with self._ground.changing_only(machine, "pause"):
            await provider.pause(machine)
            self._ground.teller.chronicle.write("paused", machine)
            return await look(machine)

    async def resume(self, name: str) -> Standing:
        """Let a halted machine go on."""
        machine, provider = await self._ground.ready_to("resume", name)
        async with self._ground.changing_only(machine, "resume"):
            await provider.resume(machine)
            self._ground.teller.chronicle.write("resumed", machine)
            return await look(machine)

    async def metrics(self, name: str) -> tuple[Standing, Metrics]:
        """How a machine is, and what it uses at this moment."""
        standing = await self.status(name)
        machine = standing.machine
        if standing.observed.state is State.UNREADABLE:
            return standing, Metrics()
        provider = get_provider(machine.spec.provider)
        return standing, with_network(machine, provider, await provider.metrics(machine))

    async def balloon(self, name: str, megabytes: int | None = None) -> Memory:
        """Leave a running machine with less memory, or give it back up to what it started with.

        Args:
            name: The machine.
            megabytes: How much it is to have; None only looks.

        Raises:
            Unsupported: Its provider cannot.
            TimedOut: It did not give so much; it has what it had before.
        """
        machine, provider = await self._ground.ready_to("balloon", name)
        async with self._ground.changing_only(machine, "balloon"):
            found = await provider.balloon(machine, megabytes)
            if megabytes is not None:
                facts: dict[str, Json] = {"memory_mb": found.now_mb}
                self._ground.teller.chronicle.write("configured", machine, facts=facts)
            return found

    async def snapshot(self, name: str, label: str, *, force: bool = False) -> None:
        """Keep a running machine's state under a label; it goes on.

        Args:
            name: The machine.
            label: What to call it.
            force: Take the place of what was kept under that label.

        Raises:
            Unsupported: Its provider cannot.
            AlreadyExists: Something is kept under that label, and that was not said.
        """
        await self._copies.keep(name, label, force=force)

    async def restore(self, name: str, label: str) -> Standing:
        """Have a machine go on from a kept state; what it did since is gone.

        Raises:
            NotFound: It has no such snapshot.
        """
        return await self._copies.restore(name, label)

    async def snapshots(self, name: str) -> tuple[str, ...]:
        """The labels of a machine's kept states."""
        machine = self.store.get(name)
        return await get_provider(machine.spec.provider).snapshots(machine)

    async def delete_snapshot(self, name: str, label: str) -> None:
        """Remove a kept state of a machine, running or not, with the room that it took.

        What was restored or forked from it goes on.

        Raises:
            Unsupported: Its provider keeps none.
            NotFound: It has no such snapshot.
        """
        await self._copies.discard(name, label)

    async def fork(self, name: str, names: Sequence[str]) -> tuple[Standing, ...]:
        """Make running copies of a running machine, which goes on as well.

        Args:
            name: The machine.
            names: What to call the copies.

        Raises:
            Unsupported: Its provider cannot.
            AlreadyExists: A name is taken; nothing was made.
        """
        return await self._copies.fork(name, names)

    async def vnc_url(self, name: str) -> str:
        """Where a VNC viewer sees the screen that a running machine has beside its desk.

        The address carries the password: of a PC of QEMU's a new one, and what was given out before
        opens nothing more; of Lume's machines the one that Lume chose when it started.

        Raises:
            Unsupported: It has none.
        """
        machine, provider = await self._ground.ready_to("look at", name)
        return await provider.vnc_url(machine)

    async def delete(self, name: str, *, force: bool = False) -> None:
        """Remove a machine with all it holds, running or not.

        Args:
            name: The machine.
            force: Also one whose record or provider cannot be read. What an engine of its own
                holds of it is then left to that.

        Raises:
            WrongState: It is such a one, and that was not said.
        """
        damaged = self._unreadable(name)
        machine = damaged.machine if damaged is not None else self.store.get(name)
        async with self._ground.changing(name):
            if damaged is None:
                await self._ground.require_still(machine)
            if not force and (damaged is not None or not is_loadable(machine.spec.provider)):
                cause = damaged.cause if damaged is not None else (await observe(machine)).cause
                raise WrongState(
                    f"{name} is unreadable: {cause}",
                    op="machine.delete",
                    hint=f"carrel delete -f {name} deletes it all the same",
                )
            running = await is_present(machine)
            await remove(self.store, machine, force=force)
            if running:
                await self._ground.teller.stopped(machine)
            self._ground.teller.chronicle.write("deleted", machine)

    async def reconcile(self) -> tuple[str, ...]:
        """Clear what dead processes left; returns what was cleared, in words."""
        return await reconcile(self.store)

    @asynccontextmanager
    async def computer(self, name: str, *, settle: float | None = None) -> AsyncIterator[Computer]:
        """See and act on a running machine.

        Raises:
            WrongState: It is not running.
        """
        machine = self.store.get(name)
        provider = get_provider(machine.spec.provider)
        require_state(name, "use", await provider.inspect(machine))
        async with Computer(
            lambda: provider.channel(machine),
            settle=settle,
            isolation=provider.isolation,
            name=name,
        ) as computer:
            yield computer
