"""The machines of one owner: made, started, stopped, deleted, and always told truly."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import anyio

from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import (
    AlreadyExists,
    CarrelError,
    NotFound,
    Unavailable,
    Unsupported,
    WrongState,
)
from carrel.machines import proof
from carrel.machines.apps import inherit, see_to
from carrel.machines.auto import choose_provider
from carrel.machines.changes import (
    ANY_TIME,
    Change,
    differences,
    require_changeable,
    require_kind,
    require_no_wider,
    require_same,
)
from carrel.machines.clearing import reconcile, remove, tell_crash
from carrel.machines.full_disk import full_disk_told, keep_spare
from carrel.machines.lending import refuse_volumes
from carrel.machines.provider import (
    Metrics,
    Progress,
    Provider,
    get_provider,
    observe,
)
from carrel.machines.records import Unreadable
from carrel.machines.spec import Machine, MachineSpec, check_name
from carrel.machines.standing import PRESENT, Standing, is_loadable, is_present, look, told
from carrel.machines.state import Observed, State, require_state
from carrel.machines.store import Store
from carrel.machines.traffic import with_network

if TYPE_CHECKING:
    # What a start waits for is loaded when it is needed.
    from carrel.machines.limits import HostLimits
    from carrel.machines.telling import Teller

__all__ = ["Machines", "Standing"]

SETTLE = 30.0
"""Seconds to wait for a machine that is starting or stopping by itself."""

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
        self.store = store or Store()
        self._limits = limits

    @cached_property
    def _teller(self) -> Teller:
        from carrel.machines.telling import Teller

        return Teller(self.store.home)

    @asynccontextmanager
    async def _changing(self, name: str) -> AsyncIterator[None]:
        """Let nobody else change a machine meanwhile, and tell of a disk without room."""
        with full_disk_told(self.store.home):
            async with self.store.lock(name):
                yield

    @property
    def limits(self) -> HostLimits:
        """What all machines together may have; as this computer and its user set it by default."""
        from carrel.machines.limits import load_limits

        return self._limits or load_limits()

    async def up(
        self, name: str, spec: MachineSpec | None = None, progress: Progress = quiet
    ) -> Standing:
        """Make a machine if there is none of that name, and have it running.

        Args:
            name: What to call it.
            spec: The wish; None takes an existing machine as it is, or the defaults. Provider
                `auto` is replaced by the strongest one that works here.
            progress: Told of every stage.

        Raises:
            AlreadyExists: The machine is there and was made from another wish.
        """
        check_name(name)
        await self.reconcile()
        async with self._changing(name):
            machine = self._find(name)
            if machine is None:
                wish = spec or MachineSpec(provider="auto")
                machine = await self._from_pool(name, wish)
                machine = machine or await self._create(name, wish, progress)
            elif spec is not None:
                require_same(machine, spec)
            await self._run(machine, progress)
            return await look(machine)

    async def revive(self, identity: str) -> Standing | None:
        """Start a machine again that has died, if it is still dead and still to be revived.

        Args:
            identity: Its id: another one may have its name by now.
        """
        found = self._known(identity)
        if found is None:
            return None
        async with self._changing(found.name):
            machine = self._known(identity)
            if machine is None or machine.spec.restart == "never":
                return None
            if (await look(machine)).observed.state is not State.ERROR:
                return None
            await tell_crash(self.store, machine)
            await self._run(machine, quiet)
            return await look(machine)

    def _known(self, identity: str) -> Machine | None:
        return next((machine for machine in self.store.all() if machine.id == identity), None)

    async def _from_pool(self, name: str, wish: MachineSpec) -> Machine | None:
        """A machine that was made ahead, if there is one of this very wish."""
        if not (self.store.home / "pools.json").exists() or name.startswith("pool-"):
            return None
        from carrel.machines.pool import Pools

        taken = await Pools(self).take(name, wish)
        if taken is not None:
            self._teller.chronicle.write("made", taken, facts={"from": "pool"})
        return taken

    async def _run(self, machine: Machine, progress: Progress) -> None:
        """Have a machine running that is on record."""
        provider = get_provider(machine.spec.provider)
        observed = await _settled(provider, machine)
        if observed.state is State.RUNNING:
            see_to(machine)
            return
        require_state(machine.name, "start", observed)
        if machine.spec.ports:
            from carrel.machines.publish import require_free

            require_free(machine.spec.ports)
        async with self._room(machine.name, [machine.spec], provider):
            await provider.recover(machine)
            await _start(provider, machine, progress)
        await self._teller.started(machine)

    @asynccontextmanager
    async def _room(
        self, name: str, new: Sequence[MachineSpec], provider: Provider
    ) -> AsyncIterator[None]:
        """Refuse what would not fit, and hold what others must not count on until it runs."""
        from carrel.machines.limits import is_promised

        async with AsyncExitStack() as stack:
            running: list[MachineSpec] = []
            if provider.capabilities.contains and any(map(is_promised, new)):
                await stack.enter_async_context(self.store.lock_room())
                beside = [machine for machine in self.store.all() if is_promised(machine.spec)]
                running = [each.spec for each in beside if await is_present(each)]
            if provider.capabilities.contains:
                with self._teller.refusals(name):
                    self.limits.require_room(new, running)
            yield

    async def create(
        self, name: str, spec: MachineSpec | None = None, progress: Progress = quiet
    ) -> Standing:
        """Make a machine without starting it.

        Raises:
            AlreadyExists: The name is taken.
        """
        check_name(name)
        await self.reconcile()
        async with self._changing(name):
            if self._find(name) is not None:
                raise AlreadyExists(
                    f"there is already a machine named {name}", hint=f"carrel start {name}"
                )
            wish = spec or MachineSpec(provider="auto")
            return await look(await self._create(name, wish, progress))

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
        async with self._changing(name):
            machine = self.store.get(name)
            spec = await self._agreed(machine, wish)
            self._tell_change(machine, spec)
            return await look(self.store.update(machine, spec))

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
        async with self._changing(name):
            before = self.store.get(name)
            spec = before.spec if change is None else await self._agreed(before, change)
            if spec == before.spec:
                await self._run(before, progress)
                return await look(before)
            machine = self.store.update(before, spec)
            try:
                await self._run(machine, progress)
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
        with self._teller.refusals(machine.name):
            require_no_wider(machine, spec)
            self._check(provider, spec)
        if not changed <= ANY_TIME:
            require_state(machine.name, "configure", await provider.inspect(machine))
        return spec

    def _tell_change(self, machine: Machine, spec: MachineSpec) -> None:
        facts: dict[str, Json] = {"fields": [*sorted(differences(machine.spec, spec))]}
        self._teller.chronicle.write("configured", machine, facts=facts)

    async def _create(self, name: str, spec: MachineSpec, progress: Progress) -> Machine:
        if spec.provider == "auto":
            chosen, reason = await choose_provider(spec)
            progress(f"provider {chosen}: {reason}", None)
            spec = replace(spec, provider=chosen)
        provider = get_provider(spec.provider)
        with self._teller.refusals(name):
            self._check(provider, spec)
        try:
            await provider.prepare(spec, progress)
        except Unavailable:
            # It has worked, and is gone: the next choice is made by trying.
            proof.forget(provider.name)
            raise
        keep_spare(self.store.home)
        machine = self.store.add(name, spec)
        try:
            await provider.create(machine)
        except (CarrelError, OSError):
            await provider.delete(machine)
            self.store.remove(machine)
            raise
        self.store.complete(machine)
        facts: dict[str, Json] = {"provider": spec.provider, "image": spec.image}
        self._teller.chronicle.write("made", machine, facts=facts)
        return machine

    def _check(self, provider: Provider, spec: MachineSpec) -> None:
        """Refuse what the provider, the wish's own preset or this computer does not allow."""
        provider.check_spec(spec)
        require_kind(provider, spec.kind)
        if not provider.capabilities.volumes:
            refuse_volumes(spec, provider.name)
        if spec.preset:
            from carrel.machines.presets import check_preset

            check_preset(spec, contains=provider.capabilities.contains)
        if provider.capabilities.contains:
            self.limits.require_fit(spec)
        if spec.ports and not provider.capabilities.owns:
            raise Unsupported(
                f"the {provider.name} provider publishes no ports",
                op="machine.create",
                hint="carrel forward NAME PORT",
            )

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
        """Stop a machine; its disk stays.

        Args:
            name: The machine.
            grace: Seconds it has to end by itself.
            force: End it at once instead; what it has not written is lost.
        """
        check_name(name)
        await self.reconcile()
        machine = self.store.get(name)
        async with self._changing(name):
            provider = get_provider(machine.spec.provider)
            observed = await provider.inspect(machine)
            require_state(name, "stop", observed)
            if force:
                await provider.kill(machine)
            else:
                await provider.stop(machine, grace)
            await provider.recover(machine)
            if observed.state in PRESENT:
                await self._teller.stopped(machine)
            return await look(machine)

    async def restart(self, name: str, grace: float = 5.0, progress: Progress = quiet) -> Standing:
        """Stop a machine and have it running again."""
        await self.stop(name, grace)
        return await self.up(name, progress=progress)

    async def pause(self, name: str) -> Standing:
        """Halt a running machine where it is."""
        machine, provider = await self._ready_to("pause", name)
        async with self._changing(name):
            await provider.pause(machine)
            self._teller.chronicle.write("paused", machine)
            return await look(machine)

    async def resume(self, name: str) -> Standing:
        """Let a halted machine go on."""
        machine, provider = await self._ready_to("resume", name)
        async with self._changing(name):
            await provider.resume(machine)
            self._teller.chronicle.write("resumed", machine)
            return await look(machine)

    async def metrics(self, name: str) -> tuple[Standing, Metrics]:
        """How a machine is, and what it uses at this moment."""
        standing = await self.status(name)
        machine = standing.machine
        if standing.observed.state is State.UNREADABLE:
            return standing, Metrics()
        provider = get_provider(machine.spec.provider)
        return standing, with_network(machine, provider, await provider.metrics(machine))

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
        check_name(label)
        machine, provider = await self._ready_to("snapshot", name)
        async with self._changing(name):
            if not force and label in await provider.snapshots(machine):
                raise AlreadyExists(
                    f"{name} has a snapshot {label} already",
                    op="machine.snapshot",
                    hint=f"another label, or carrel snapshot {name} {label} --force replaces it",
                )
            await provider.snapshot(machine, label)
            self._teller.chronicle.write("kept", machine, facts={"label": label})

    async def restore(self, name: str, label: str) -> Standing:
        """Have a machine go on from a kept state; what it did since is gone.

        Raises:
            NotFound: It has no such snapshot.
        """
        check_name(label)
        await self.reconcile()
        machine = self.store.get(name)
        async with self._changing(name):
            provider = get_provider(machine.spec.provider)
            if provider.capabilities.snapshot != "none":
                self._require_kept(name, label, await provider.snapshots(machine))
            await provider.restore(machine, label)
            see_to(machine)
            self._teller.chronicle.write("restored", machine, facts={"label": label})
            return await look(machine)

    def _require_kept(self, name: str, label: str, known: Sequence[str]) -> None:
        if label not in known:
            make = f"make one with: carrel snapshot {name} {label}"
            raise NotFound(
                f"{name} has no snapshot {label!r}",
                op="machine.restore",
                hint=f"there is {', '.join(known)}" if known else make,
            )

    async def snapshots(self, name: str) -> tuple[str, ...]:
        """The labels of a machine's kept states."""
        machine = self.store.get(name)
        return await get_provider(machine.spec.provider).snapshots(machine)

    async def fork(self, name: str, names: Sequence[str]) -> tuple[Standing, ...]:
        """Make running copies of a running machine, which goes on as well.

        Args:
            name: The machine.
            names: What to call the copies.

        Raises:
            Unsupported: Its provider cannot.
            AlreadyExists: A name is taken; nothing was made.
        """
        machine, provider = await self._ready_to("fork", name)
        for number, each in enumerate(names):
            if self._find(check_name(each)) is not None or each in names[:number]:
                raise AlreadyExists(
                    f"there is already a machine named {each}",
                    op="machine.fork",
                    hint=f"carrel fork {name} --as NAME, or: carrel delete {each}",
                )
        # A port can be published once.
        spec = replace(machine.spec, ports=())
        async with AsyncExitStack() as stack:
            stack.enter_context(full_disk_told(self.store.home))
            # Theirs, too: what nobody holds and is not complete, others clear away.
            for each in (name, *sorted(names)):
                await stack.enter_async_context(self.store.lock(each))
            await stack.enter_async_context(self._room(name, [spec] * len(names), provider))
            copies = [self.store.add(each, spec) for each in names]
            try:
                for copy in copies:
                    await provider.create(copy)
                await provider.fork(machine, copies)
            except BaseException:
                with anyio.CancelScope(shield=True):
                    for copy in copies:
                        await remove(self.store, copy)
                raise
            for copy in copies:
                self.store.complete(copy)
                inherit(machine, copy)
                self._teller.chronicle.write("forked", copy, facts={"origin": name})
                await self._teller.started(copy)
        return tuple([await look(copy) for copy in copies])

    async def vnc_url(self, name: str) -> str:
        """Where a VNC viewer sees the screen that a running machine has beside its desk.

        The address carries the password: of a PC of QEMU's a new one, and what was given out before
        opens nothing more; of Lume's machines the one that Lume chose when it started.

        Raises:
            Unsupported: It has none.
        """
        machine, provider = await self._ready_to("look at", name)
        return await provider.vnc_url(machine)

    async def _ready_to(self, what: str, name: str) -> tuple[Machine, Provider]:
        check_name(name)
        await self.reconcile()
        machine = self.store.get(name)
        provider = get_provider(machine.spec.provider)
        require_state(name, what, await provider.inspect(machine))
        return machine, provider

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
        async with self._changing(name):
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
                await self._teller.stopped(machine)
            self._teller.chronicle.write("deleted", machine)

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


async def _start(provider: Provider, machine: Machine, progress: Progress) -> None:
    try:
        await provider.start(machine, progress)
    except (CarrelError, OSError):
        # Whatever it was, the next choice is made by trying.
        proof.forget(provider.name)
        raise
    see_to(machine)


async def _settled(provider: Provider, machine: Machine) -> Observed:
    """How a machine is once it is no longer on its way somewhere.

    A command that was killed leaves its machine starting or stopping: wait for the end of it.
    """
    passing = (State.CREATING, State.STOPPING)
    with anyio.move_on_after(SETTLE):
        while (await provider.inspect(machine)).state in passing:  # noqa: ASYNC110 (not ours)
            await anyio.sleep(0.1)
    return await provider.inspect(machine)
