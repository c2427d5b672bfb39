"""Virtual machines: a kernel of their own, on a processor of their own or one that is imitated."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import anyio
from anyio import to_thread

from carrel.errors import (
    CarrelError,
    MachineLost,
    RunError,
    WrongState,
)
from carrel.guest.tasks import task_group
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.keep import EnginePlan, Keep, KeeperPlan, KeeperRecord
from carrel.machines.linelog import note
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Health, Isolation, Memory, Metrics, Progress
from carrel.machines.providers._guest import check_image_spec, prepare_image
from carrel.machines.providers._kept import Kept, with_disk
from carrel.machines.providers._spawn import Spawn
from carrel.machines.qemu.accelerator import find_accelerator, find_qemu
from carrel.machines.qemu.balloon import set_memory
from carrel.machines.qemu.command import KINDS, Place, command
from carrel.machines.qemu.disks import (
    DEFAULT_MB,
    base_disk,
    bundle_disk,
    disk_size,
    grow_layer,
    make_layer,
    snapshot_labels,
    snapshot_tags,
)
from carrel.machines.qemu.figures import look, pid_of, used_by
from carrel.machines.qemu.kernel import get_kernel
from carrel.machines.qemu.monitor import Monitor, monitor_socket
from carrel.machines.qemu.prototype import (
    find_prototype,
    keep_prototype,
    likeness,
    prune_prototypes,
)
from carrel.machines.qemu.saving import (
    forget,
    forget_aside,
    put_back,
    require_fit,
    save,
    set_aside,
)
from carrel.machines.qemu.screen import show_screen
from carrel.machines.qemu.template import Template
from carrel.machines.qemu.words import Introduction, say
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State
from carrel.machines.switchboard import quiet_line

__all__ = ["QemuProvider"]

_SLOW_BOUND = 180.0
_QUICK_BOUND = 60.0
_STOP_GRACE = 45.0
_PAUSED = frozenset({"paused", "postmigrate"})
_NO_ROOM = "io-error"


@dataclass(frozen=True, slots=True)
class _Ready:
    """What a copy waits for: its disk, the memory of all, and its turn."""

    disk: anyio.Event
    memory: anyio.Event
    turns: anyio.CapacityLimiter


class QemuProvider(Kept):
    """Machines that share nothing with this system but a program that imitates a computer.

    See docs/adr/0016-virtual-machines.md.
    """

    name: ClassVar[str] = "qemu"
    isolation: ClassVar[Isolation] = Isolation.VM
    capabilities: ClassVar[Capabilities] = Capabilities(
        snapshot="memory",
        fork=True,
        pause=True,
        disk_limit=True,
        default_disk_mb=DEFAULT_MB,
        disk_grows=True,
        kinds=KINDS,
        card=True,
        balloon=True,
        renames=True,
    )

    def __init__(self) -> None:
        self._waking: dict[str, tuple[str, tuple[str, ...]]] = {}

    @property
    def start_bound(self) -> float:  # type: ignore[override]
        """An imitated processor needs its time."""
        return _QUICK_BOUND if find_accelerator().is_hardware else _SLOW_BOUND

    async def probe(self) -> Health:
        """Run a guest of a few instructions, with the best accelerator that can."""
        try:
            found = await to_thread.run_sync(find_accelerator)
        except CarrelError as error:
            return Health(False, Isolation.VM, error.message, error.hint)
        speed = "" if found.is_hardware else ": it works, slowly"
        return Health(True, Isolation.VM, f"QEMU ran a guest's instructions with {found}{speed}")

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what a virtual machine cannot be made from."""
        check_image_spec(spec, tuple(RECIPES))

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that QEMU runs a guest; then have the image, its disk and a kernel."""
        self.check_spec(spec)
        find_qemu()
        await to_thread.run_sync(find_accelerator)
        await prepare_image(spec.image, progress)
        await to_thread.run_sync(get_kernel, progress)
        progress("disk", None)
        await to_thread.run_sync(lambda: base_disk(resolve_image(spec.image)))
        await to_thread.run_sync(bundle_disk)

    async def create(self, machine: Machine) -> None:
        """Make the pipe to its process 1. Its own disk is made, or copied, when it first starts."""
        private_directory(machine.directory)
        place = Place(machine)
        place.rest_on(base_disk(resolve_image(machine.spec.image)))
        place.fresh.touch()
        for end in ("in", "out"):
            os.mkfifo(f"{place.words}.{end}", 0o600)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Start it, or have it wake up where a snapshot or a fork was taken."""
        place = Place(machine)
        memory, more = self._waking.get(machine.id, (_fresh_memory(machine), ()))
        image = resolve_image(machine.spec.image)
        engine = EnginePlan(
            command(place, image, get_kernel(_unheard), memory, *more),
            {"PATH": os.defpath},
            line="socket",
            by_guest=True,
            tree=str(place.base.with_name("rootfs")),
        )
        return KeeperPlan(machine.id, machine.spec, engine=engine)

    def _spawn(self, spawn: Spawn, machine: Machine) -> None:
        """Make the socket of its QEMU, by which whoever may use the machine's files reaches it."""
        spawn.start(lambda: self.plan(machine), lambda: monitor_socket(Place(machine).monitor))

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Start it: the first time, where another of its kind has already come to."""
        place = Place(machine)
        # From here on it may hold what is its own, whatever becomes of this start.
        is_new = place.take_fresh()
        kind = await to_thread.run_sync(_likeness, machine) if is_new else None
        if kind is None or not await self._begin_there(machine, kind, progress):
            if machine.id not in self._waking:
                await to_thread.run_sync(_fit_disk, place)
            await super().start(machine, progress)
            place.grown.touch()
            # While it started, time went on.
            say(place.words, _clock())
            if kind is not None:
                await self._keep(machine, kind)

    async def _begin_there(self, machine: Machine, kind: str, progress: Progress) -> bool:
        """Begin as the machine of this kind that was kept; say whether there is one."""
        place = Place(machine)
        prototype = await to_thread.run_sync(find_prototype, kind)
        if prototype is None:
            return False
        introduction = Introduction(machine, place.words)

        async def wake() -> None:
            await to_thread.run_sync(prototype.wake, place.monitor, _QUICK_BOUND, introduction)
            await to_thread.run_sync(introduction.wait)

        try:
            await to_thread.run_sync(prototype.copy_disk, place.layer)
            await self._start_waking(machine, _fresh_memory(machine), wake, progress)
        except WrongState:  # somebody else was quicker, and has the disk
            raise
        except (CarrelError, OSError) as error:
            note(machine.directory, "engine", f"not begun as a machine that was kept: {error}")
            place.layer.unlink(missing_ok=True)
            return False
        finally:
            prototype.close()
        place.grown.touch()
        return True

    async def _keep(self, machine: Machine, kind: str) -> None:
        """Keep it, as it has just started, for others of its kind to begin as."""
        place = Place(machine)
        async with quiet_line(Keep(machine.directory).control) as served:
            if served:
                return  # what somebody has done there is not for others
            try:
                await to_thread.run_sync(
                    keep_prototype, kind, place.monitor, place.layer, abandon_on_cancel=False
                )
            except (CarrelError, OSError) as error:
                note(machine.directory, "engine", f"not kept for others to begin as: {error}")
            finally:
                with anyio.CancelScope(shield=True):
                    await self.resume(machine)

    async def stop(self, machine: Machine, grace: float) -> None:
        """Have it end by itself, which puts its disk in order; that takes longer than elsewhere."""
        await super().stop(machine, max(grace, _STOP_GRACE))

    async def recover(self, machine: Machine) -> None:
        """Remove the socket of a QEMU that is gone."""
        await super().recover(machine)
        if not Keep(machine.directory).is_held():
            Path(Place(machine).monitor).unlink(missing_ok=True)

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Also remove what was kept for others to begin as and no longer can be."""
        removed = await super().collect(home, known)
        return (*removed, *await to_thread.run_sync(prune_prototypes))

    async def pause(self, machine: Machine) -> None:
        """Halt its processors."""
        await self._ask(machine, "stop")

    async def resume(self, machine: Machine) -> None:
        """Let them go on, and tell it what time it is."""
        await self._ask(machine, "cont")
        say(Place(machine).words, _clock())

    async def rename(self, machine: Machine) -> None:
        """Tell process 1, which does so at once."""
        say(Place(machine).words, f"name {machine.name}")

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper; of one that runs, ask QEMU whether it is halted."""
        observed = await super().inspect(machine)
        if observed.state is not State.RUNNING:
            return observed
        try:
            told = await to_thread.run_sync(look, machine)
        except CarrelError as error:
            return replace(observed, notes=(*observed.notes, f"QEMU: {error.message}"))
        observed = replace(observed, notes=(*observed.notes, *told.notes(machine)))
        if told.status == _NO_ROOM:
            full = f"it could not write to its disk: make room, then carrel resume {machine.name}"
            return replace(observed, state=State.PAUSED, notes=(*observed.notes, full))
        return replace(observed, state=State.PAUSED) if told.status in _PAUSED else observed

    def is_halted(self, record: KeeperRecord) -> bool:
        """It has no processes here that could be stopped: QEMU knows, which is asked next."""
        return False

    async def metrics(self, machine: Machine) -> Metrics:
        """What its QEMU uses of this system, and its disk also while it has none."""
        try:
            pid = pid_of(machine)
            found = with_disk(await to_thread.run_sync(used_by, pid), [pid])
        except (MachineLost, OSError):
            found = Metrics()
        try:
            disk = disk_size(Place(machine).layer)
        except (RunError, OSError):
            return found
        return replace(found, disk_size_bytes=disk.logical, disk_used_bytes=disk.real)

    async def disk_mb(self, machine: Machine) -> int | None:
        """As its file says; it is made at the first start."""
        try:
            return disk_size(Place(machine).layer).logical >> 20
        except FileNotFoundError:
            return None

    async def balloon(self, machine: Machine, megabytes: int | None) -> Memory:
        """Leave it with so much memory, as its own kernel says it has; or only look."""
        monitor = Place(machine).monitor
        if megabytes is None:
            return (await to_thread.run_sync(look, machine)).memory
        return await to_thread.run_sync(
            set_memory, monitor, machine, megabytes, abandon_on_cancel=False
        )

    async def vnc_url(self, machine: Machine) -> str:
        """Let a viewer on this computer see the screen of a whole PC, by a new password."""
        return await to_thread.run_sync(show_screen, machine)

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Write memory and disk into the disk's own file; it goes on afterwards."""
        async with quiet_line(Keep(machine.directory).control):
            await to_thread.run_sync(save, machine, label, abandon_on_cancel=False)

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """The labels of its kept states; none of one that was never started."""
        disk = Place(machine).layer
        return await to_thread.run_sync(snapshot_labels, disk) if disk.exists() else ()

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Remove it from the disk's own file, by the QEMU that writes there if it has one."""
        await self.require_label(machine, label, "delete_snapshot")
        runs = (await self.inspect(machine)).state in (State.RUNNING, State.PAUSED)
        await _do(partial(forget, machine, label, runs=runs))

    async def restore(self, machine: Machine, label: str) -> None:
        """End what runs, and wake up where the snapshot was taken."""
        await self.require_label(machine, label, "restore")
        await to_thread.run_sync(require_fit, machine, label)
        await self.kill(machine)
        await self.recover(machine)
        await _do(partial(set_aside, machine))
        try:
            await self._go_on_from(machine, label)
        except WrongState:  # it runs already, as somebody else's
            raise
        except BaseException as error:
            with anyio.CancelScope(shield=True):
                await _do(partial(put_back, machine))
            if not isinstance(error, CarrelError):
                raise
            raise RunError(
                f"{machine.name} could not go on from {label}: {error.message}",
                op="machine.restore",
                hint=f"on its disk is what was there before: carrel up {machine.name}; "
                f"why it failed: carrel logs {machine.name}",
                context=error.context,
            ) from error
        await _do(partial(forget_aside, machine))

    async def _go_on_from(self, machine: Machine, label: str) -> None:
        introduction = Introduction(machine, Place(machine).words)
        tags = await to_thread.run_sync(snapshot_tags, Place(machine).layer)
        async with self._or_not_at_all(machine):
            with self._to_wake(machine, _fresh_memory(machine), ("-loadvm", tags[label][-1])):
                await self.start(machine, _unheard)
            introduction.send()
            await to_thread.run_sync(introduction.wait)

    async def fork(self, machine: Machine, copies: Sequence[Machine]) -> None:
        """Copy its memory once and its disk for each; every copy goes on from that moment."""
        template = Template(Place(machine).monitor, pid_of(machine), machine.spec.memory_mb)
        # As many wake up at once as there are processors: each has only so long to answer.
        turns = anyio.CapacityLimiter(os.cpu_count() or 1)
        try:
            async with task_group() as tasks, self._halted(machine, template):
                # They start while the memory is copied, and wake up when it is there.
                complete = anyio.Event()
                async with task_group() as copying:
                    for copy in copies:
                        disk = partial(_copy_disk, machine, copy)
                        copied = anyio.Event()
                        copying.start_soon(_do, disk, copied)
                        ready = _Ready(copied, complete, turns)
                        tasks.start_soon(self._start_copy, copy, template, ready)
                    await _do(template.copy_memory)
                complete.set()
        finally:
            template.close()

    @asynccontextmanager
    async def _halted(self, machine: Machine, template: Template) -> AsyncIterator[None]:
        """Have a machine halted, with nobody on its line; it goes on afterwards."""
        async with task_group() as tasks:
            tasks.start_soon(_do, template.make_room)
            async with quiet_line(Keep(machine.directory).control):
                try:
                    await _do(template.halt)
                    yield
                finally:
                    with anyio.CancelScope(shield=True):
                        await self.resume(machine)

    async def _start_copy(self, copy: Machine, template: Template, ready: _Ready) -> None:
        """Start a copy when it has its disk; it wakes up when its memory is there, too."""
        introduction = Introduction(copy, Place(copy).words)

        async def wake() -> None:
            await ready.memory.wait()
            async with ready.turns:
                monitor = Place(copy).monitor
                await to_thread.run_sync(template.wake, monitor, _QUICK_BOUND, introduction)
                await to_thread.run_sync(introduction.wait)

        await ready.disk.wait()
        await self._start_waking(copy, template.memory_of_a_copy(), wake, _unheard)

    @contextmanager
    def _to_wake(self, machine: Machine, memory: str, more: tuple[str, ...]) -> Iterator[None]:
        """Have the start within wake up in something. Only that one: no file says so."""
        self._waking[machine.id] = (memory, more)
        try:
            yield
        finally:
            self._waking.pop(machine.id, None)

    async def _start_waking(
        self,
        machine: Machine,
        memory: str,
        wake: Callable[[], Coroutine[None, None, None]],
        progress: Progress,
    ) -> None:
        """Start a machine that goes on where another was, as soon as `wake` has told it where."""
        with self._to_wake(machine, memory, ("-incoming", "defer")):
            async with self._or_not_at_all(machine), task_group() as tasks:
                tasks.start_soon(wake)
                await super().start(machine, progress)

    @asynccontextmanager
    async def _or_not_at_all(self, machine: Machine) -> AsyncIterator[None]:
        """End a machine that has woken up in something and not become one of its own."""
        try:
            yield
        except WrongState:  # it runs already, as somebody else's
            raise
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self.undo_start(machine)
            raise

    async def _ask(self, machine: Machine, command: str) -> None:
        def ask() -> None:
            with Monitor(Place(machine).monitor) as qemu:
                qemu.ask(command)

        await to_thread.run_sync(ask, abandon_on_cancel=False)


async def _do(work: Callable[[], None], done: anyio.Event | None = None) -> None:
    """Do something in a thread, to its end whatever happens meanwhile."""
    await to_thread.run_sync(work, abandon_on_cancel=False)
    if done is not None:
        done.set()


def _unheard(stage: str, share: float | None) -> None:
    """Nobody wants to know."""


def _fresh_memory(machine: Machine) -> str:
    """QEMU's object for memory that nobody has used yet."""
    return f"memory-backend-memfd,id=ram,share=on,size={machine.spec.memory_mb}M"


def _clock() -> str:
    return f"clock {time.time():.0f}"


def _likeness(machine: Machine) -> str | None:
    return likeness(machine, resolve_image(machine.spec.image), get_kernel(_unheard))


def _fit_disk(place: Place) -> None:
    """Have its own disk, and as large as is wished; its file system follows as it starts."""
    size = place.machine.spec.disk_mb or DEFAULT_MB
    if not place.layer.exists():
        make_layer(place.layer, place.base, size)
    elif disk_size(place.layer).logical < size << 20:
        place.grown.unlink(missing_ok=True)
        grow_layer(place.layer, size)


def _copy_disk(machine: Machine, copy: Machine) -> None:
    source, target = Place(machine), Place(copy)
    target.take_fresh()
    target.rest_on(source.base)
    shutil.copyfile(source.layer, target.layer)
    with suppress(FileNotFoundError):  # nothing was kept
        shutil.copyfile(source.kept, target.kept)
    target.grown.touch()
