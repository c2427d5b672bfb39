"""What the providers have in common whose machines are systems that another program keeps."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

import anyio
from anyio import to_thread

from carrel.errors import CarrelError, MachineLost, RunError, Unavailable, WrongState
from carrel.machines.foreign import Condition, Tool, enter_command, run_tool
from carrel.machines.foreign.copies import original
from carrel.machines.foreign.furniture import furnish
from carrel.machines.images import resolve_image
from carrel.machines.keep import EnginePlan, Keep, KeeperPlan
from carrel.machines.paths import private_directory
from carrel.machines.provider import Health, Isolation, Metrics, Progress
from carrel.machines.providers._guest import prepare_image
from carrel.machines.providers._kept import Kept
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State

__all__ = ["Foreign", "system_name"]

_READ_SECONDS = 30.0
_TICKS = 100.0  # of the kernel's interface to programs, on every architecture
_GRACE = 30.0

T = TypeVar("T")

logger = logging.getLogger(__name__)


def system_name(identity: str) -> str:
    """What the other program calls the system of a machine."""
    return f"carrel-{identity}"


class Foreign(Kept):
    """Machines that are systems of another program's, each with one desk in it.

    The keeper holds the command that runs the guest; the system is turned on before and off
    after. See docs/adr/0021-driving-other-programs.md.
    """

    isolation: ClassVar[Isolation]
    start_bound: float = 120.0
    network: ClassVar[Literal["own", "shared"]] = "own"
    """Whether a desk has a network of its own, which is none, or that of its system."""

    def __init__(self) -> None:
        self._forced: dict[str, bool] = {}

    @abstractmethod
    def tool(self) -> Tool:
        """The other program.

        Raises:
            Unavailable: It is not here.
        """

    @abstractmethod
    def make(self, machine: Machine, tool: Tool) -> None:
        """Have the program make the machine's system."""

    def fit(self, machine: Machine, tool: Tool) -> None:
        """Have a system that is off be as its machine's wish says now."""

    @abstractmethod
    def is_ours(self, system: str, home: Path, tool: Tool) -> bool:
        """Whether a system was made for the store whose machines are in that directory."""

    def gone(self, system: str, home: Path) -> None:
        """A system was removed: so may be what says that there is one."""

    async def probe(self) -> Health:
        """Run the program."""
        try:
            said = await to_thread.run_sync(lambda: self.tool().about())
        except CarrelError as error:
            return Health(False, self.isolation, error.message, error.hint)
        return Health(True, self.isolation, said)

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that the program works, before an image is built for it; then have that."""
        self.check_spec(spec)
        await self._with_tool(lambda tool: tool.about())
        await prepare_image(spec.image, progress)

    @abstractmethod
    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what its systems cannot be made from."""

    async def create(self, machine: Machine) -> None:
        """Make the machine's directory and its system, which stays off."""
        private_directory(machine.directory)
        _mark(machine.directory.parent, self.name).touch()
        await self._with_tool(lambda tool: self.make(machine, tool))

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Turn the system on, tell it what its desk is to be, and start that."""
        if Keep(machine.directory).is_held():
            raise WrongState(f"{machine.name} is already running", op="machine.start")
        progress("turning its system on", None)
        await self._with_tool(lambda tool: self._turn_on(machine, tool))
        try:
            await super().start(machine, progress)
        except WrongState:  # somebody else was quicker, and it is theirs
            raise
        except BaseException:
            with anyio.CancelScope(shield=True), self._ending(machine, force=True):
                await self._turn_off(machine)
            raise

    def _turn_on(self, machine: Machine, tool: Tool) -> None:
        name = system_name(machine.id)
        condition = tool.systems().get(name)
        if condition is None:
            raise MachineLost(
                f"{tool.name} does not know the system of {machine.name} any more",
                op="machine.start",
                hint=f"carrel delete {machine.name}",
            )
        if condition is not Condition.ON:
            self.fit(machine, tool)
            tool.turn_on(name)
        furnish(tool, name, machine, resolve_image(machine.spec.image), self.network)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Run the guest in the system, over the command's own input and output."""
        tool = self.tool()
        argv = tool.command(system_name(machine.id), *enter_command())
        engine = EnginePlan(argv, tool.environment(), by_guest=True)
        return KeeperPlan(machine.id, machine.spec, engine=engine)

    async def stop(self, machine: Machine, grace: float) -> None:
        """Have the guest end, then the system."""
        with self._ending(machine, force=False):
            await super().stop(machine, grace)
            await self._turn_off(machine)

    async def kill(self, machine: Machine) -> None:
        """End the guest and its system at once."""
        with self._ending(machine, force=True):
            await super().kill(machine)
            await self._turn_off(machine)

    async def recover(self, machine: Machine) -> None:
        """Turn off a system whose keeper was killed."""
        with self._ending(machine, force=False):
            await super().recover(machine)
            if not Keep(machine.directory).is_held():
                await self._turn_off(machine)

    @contextmanager
    def _ending(self, machine: Machine, *, force: bool) -> Iterator[None]:
        """Say how a system is ended; a stop ends in a kill, which must not cut its power then."""
        if machine.id in self._forced:
            yield
            return
        self._forced[machine.id] = force
        try:
            yield
        finally:
            del self._forced[machine.id]

    async def _turn_off(self, machine: Machine) -> None:
        name, force = system_name(machine.id), self._forced[machine.id]

        def turn_off(tool: Tool) -> None:
            condition = tool.systems().get(name)
            if condition is None or condition is Condition.OFF:
                return
            try:
                tool.turn_off(name, force=force or condition is Condition.BROKEN)
            except RunError as error:
                if force:
                    raise
                logger.warning("%s: %s; it is ended by force", machine.name, error)
                tool.turn_off(name, force=True)

        try:
            await self._with_tool(turn_off)
        except Unavailable as error:
            # No system runs without the program, and a machine must still be deleted.
            logger.debug("%s", error)

    async def delete(self, machine: Machine) -> None:
        """End it, and remove its system, its copies and its directory."""
        if machine.directory.exists():
            await self._end(machine, Keep(machine.directory))
        name = system_name(machine.id)
        try:
            await self._with_tool(lambda tool: tool.discard(name))
        except Unavailable as error:
            logger.warning("the system of %s may be left: %s", machine.name, error)
        else:
            self.gone(name, machine.directory.parent)
        await super().delete(machine)

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper, and ask the program about the system."""
        observed = await super().inspect(machine)
        if observed.state is State.LOST:
            return observed
        try:
            systems = await self._with_tool(lambda tool: tool.systems())
        except CarrelError as error:
            if observed.state is State.STOPPED:
                return observed
            return Observed(State.ERROR, cause=error.message)
        return _seen(observed, systems.get(system_name(machine.id)), self.name)

    async def metrics(self, machine: Machine) -> Metrics:
        """The figures of the system's own kernel, which has nothing else to do."""
        if not Keep(machine.directory).is_held():
            return Metrics()
        words = ("cat", "/proc/stat", "/proc/meminfo")
        name = system_name(machine.id)

        def read(tool: Tool) -> bytes:
            return run_tool(tool.command(name, *words), tool.environment(), _READ_SECONDS)

        try:
            told = await self._with_tool(read)
        except CarrelError as error:  # it ends at this moment, or its program is gone
            logger.debug("%s", error)
            return Metrics()
        return read_figures(told.decode(errors="replace"))

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Copy its disk, for which it is stopped and started again."""
        from carrel.machines.apps import see_to

        await self.stop(machine, _GRACE)
        try:
            await self._with_tool(lambda tool: tool.keep(system_name(machine.id), label))
        finally:
            with anyio.CancelScope(shield=True):
                await self.start(machine, lambda stage, share: None)
                see_to(machine)

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """The labels of the copies of its disk."""
        return await self._with_tool(lambda tool: tool.kept(system_name(machine.id)))

    async def restore(self, machine: Machine, label: str) -> None:
        """End what runs, and start from a copy of its disk."""
        await self.require_label(machine, label, "restore")
        await self.kill(machine)
        await self.recover(machine)
        await self._with_tool(lambda tool: tool.go_back(system_name(machine.id), label))
        await self.start(machine, lambda stage, share: None)

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Remove a copy of its disk, whether it runs or not."""
        await self.require_label(machine, label, "delete_snapshot")
        await self._with_tool(lambda tool: tool.drop(system_name(machine.id), label))

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Finish interrupted removals, and remove systems of machines that are no more."""
        removed = await super().collect(home, known)
        if not _mark(home, self.name).exists():
            return removed
        try:
            more = await self._with_tool(lambda tool: self._collect(tool, home, known))
        except CarrelError as error:
            logger.debug("%s", error)
            return removed
        return (*removed, *more)

    def _collect(self, tool: Tool, home: Path, known: frozenset[str]) -> list[str]:
        removed = []
        # Of what was being replaced when all ended, only copies may be left.
        for name in sorted(set(map(original, tool.systems()))):
            identity = name.removeprefix("carrel-")
            if not identity.startswith("mac_") or identity in known:
                continue
            # What has a directory is being made, or removed, by somebody at this moment.
            if (home / identity).exists() or not self.is_ours(name, home, tool):
                continue
            tool.discard(name)
            self.gone(name, home)
            removed.append(f"{self.name} system of the deleted machine {identity}")
        return removed

    async def _with_tool(self, work: Callable[[Tool], T]) -> T:
        return await to_thread.run_sync(lambda: work(self.tool()))


def _mark(home: Path, provider: str) -> Path:
    """Says that there may be systems of this store's; other programs are not asked for nothing."""
    return home / f".{provider}"


def _seen(observed: Observed, condition: Condition | None, provider: str) -> Observed:
    """What there is, of what the keeper and what the program say."""
    if condition is None:
        return Observed(State.LOST, cause=f"its {provider} system is gone")
    if observed.state is State.RUNNING and condition is not Condition.ON:
        cause = f"its {provider} system is {condition}"
        return replace(observed, state=State.ERROR, cause=cause)
    if observed.state is State.STOPPED and condition is Condition.ON:
        note = f"its {provider} system is still on"
        return replace(observed, notes=(*observed.notes, note))
    return observed


def read_figures(text: str) -> Metrics:
    """What `/proc/stat` and `/proc/meminfo` of a system say; None is unknown."""
    total: int | None = None
    free: int | None = None
    seconds: float | None = None
    for line in text.splitlines():
        word, *rest = line.split() or [""]
        values = [int(each) for each in rest if each.isascii() and each.isdecimal()]
        if word == "cpu" and len(values) >= 7:
            user, nice, system, _, _, irq, softirq = values[:7]
            seconds = (user + nice + system + irq + softirq) / _TICKS
        elif word == "MemTotal:" and values:
            total = values[0] << 10
        elif word == "MemAvailable:" and values:
            free = values[0] << 10
    used = total - free if total is not None and free is not None else None
    return Metrics(used, seconds, None)
