"""What every change of a machine rests on: its record and lock, room for it, and who is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from carrel.errors import NotFound, Unsupported, WrongState
from carrel.machines.changes import require_hardware
from carrel.machines.clearing import reconcile
from carrel.machines.full_disk import full_disk_told
from carrel.machines.lending import refuse_volumes, require_lendable
from carrel.machines.provider import Provider, get_provider, unable
from carrel.machines.spec import Machine, MachineSpec, check_name
from carrel.machines.standing import is_present
from carrel.machines.state import require_state
from carrel.machines.store import Store

if TYPE_CHECKING:
    # What a start waits for is loaded when it is needed.
    from carrel.machines.limits import HostLimits
    from carrel.machines.telling import Teller

__all__ = ["Ground"]


class Ground:
    """A store, what this computer allows its machines, and their chronicle.

    Args:
        store: Where they are on record.
        limits: The most they may have; None takes what this computer has and its user set.
    """

    def __init__(self, store: Store, limits: HostLimits | None) -> None:
        self.store = store
        self._limits = limits

    @cached_property
    def teller(self) -> Teller:
        """Whom to tell what becomes of them."""
        from carrel.machines.telling import Teller

        return Teller(self.store.home)

    @property
    def limits(self) -> HostLimits:
        """What all machines together may have."""
        from carrel.machines.limits import load_limits

        return self._limits or load_limits()

    @asynccontextmanager
    async def changing(self, *names: str) -> AsyncIterator[None]:
        """Let nobody else change machines meanwhile, and tell of a disk without room."""
        with full_disk_told(self.store.home):
            async with AsyncExitStack() as stack:
                for name in names:
                    await stack.enter_async_context(self.store.lock(name))
                yield

    @asynccontextmanager
    async def changing_only(self, machine: Machine, what: str | None = None) -> AsyncIterator[None]:
        """The same, for this very machine: another may have had its name given by now.

        Args:
            machine: Which.
            what: What is to be done with it; None where any state is right.

        Raises:
            NotFound: It has.
            WrongState: Somebody has brought it into another state before it was our turn.
        """
        async with self.changing(machine.name):
            await self.require_still(machine, what)
            yield

    async def require_still(self, machine: Machine, what: str | None = None) -> None:
        """Refuse to go on with one that was given another name before it was ours alone.

        It is somebody's by then: what they do with it is not for others. Nor with one that is in
        another state by now than what is to be done needs: who halted it wants it halted.
        """
        if self.store.get(machine.name).id != machine.id:
            raise NotFound(f"there is another machine named {machine.name} by now", op="machine")
        if what is not None:
            provider = get_provider(machine.spec.provider)
            require_state(machine.name, what, await provider.inspect(machine))

    async def ready_to(self, what: str, name: str) -> tuple[Machine, Provider]:
        """A machine with which something can be done in the state it is in.

        Raises:
            NotFound: There is no such machine.
            WrongState: Not in this state.
            Unsupported: Not in this state, and its provider cannot in any.
        """
        check_name(name)
        await reconcile(self.store)
        machine = self.store.get(name)
        provider = get_provider(machine.spec.provider)
        try:
            require_state(name, what, await provider.inspect(machine))
        except WrongState:
            if not provider.capabilities.allow(what):
                raise unable(provider.name, what) from None
            raise
        return machine, provider

    @asynccontextmanager
    async def room(
        self, name: str, new: Sequence[MachineSpec], provider: Provider
    ) -> AsyncIterator[None]:
        """Refuse what would not fit, and hold what others must not count on until it runs."""
        from carrel.machines.limits import is_promised

        async with AsyncExitStack() as stack:
            running: list[MachineSpec] = []
            if provider.capabilities.contains and any(map(is_promised, new)):
                await stack.enter_async_context(self.store.lock_room())
                running = await self._large_ones()
            if provider.capabilities.contains:
                with self.teller.refusals(name):
                    self.limits.require_room(new, running)
            yield

    async def _large_ones(self, but: str = "") -> list[MachineSpec]:
        """The wishes of those that run and whose memory counts in full, without one by its id."""
        from carrel.machines.limits import is_promised

        beside = [each for each in self.store.all() if is_promised(each.spec) and each.id != but]
        return [each.spec for each in beside if await is_present(each)]

    async def require_startable(self, machine: Machine) -> None:
        """Refuse what a start of a machine would be refused for, before it is stopped for one."""
        require_lendable(machine)
        provider = get_provider(machine.spec.provider)
        if provider.capabilities.contains:
            with self.teller.refusals(machine.name):
                beside = await self._large_ones(but=machine.id)
                self.limits.require_promise([machine.spec], beside)

    def check(self, provider: Provider, spec: MachineSpec) -> None:
        """Refuse what the provider, the wish's own preset or this computer does not allow."""
        provider.check_spec(spec)
        require_hardware(provider, spec)
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
