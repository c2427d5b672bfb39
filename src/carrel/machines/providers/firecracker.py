"""Firecracker's virtual machines: small, on the processor's own virtualization, in a jail."""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import anyio
from anyio import to_thread

from carrel.errors import CarrelError, InvalidInput, MachineLost
from carrel.machines import interpreter
from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.api import FirecrackerApi
from carrel.machines.firecracker.disks import copy_sparse, make_layer
from carrel.machines.firecracker.figures import Figures, read_figures
from carrel.machines.firecracker.holder import MODULE
from carrel.machines.firecracker.hybrid import WORDS_PORT, dial
from carrel.machines.firecracker.jail import is_jailed
from carrel.machines.firecracker.orders import write_orders
from carrel.machines.firecracker.place import Kept as KeptState
from carrel.machines.firecracker.place import Place, orders_for
from carrel.machines.firecracker.programs import find_firecracker, find_jailer, version_of
from carrel.machines.firecracker.trial import run_guest
from carrel.machines.firecracker.vmlinux import unpacked
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.keep import EnginePlan, Keep, KeeperPlan
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Health, Isolation, Metrics, Progress
from carrel.machines.providers._guest import (
    check_image_spec,
    prepare_image,
    require_working,
)
from carrel.machines.providers._kept import Kept, with_disk
from carrel.machines.qemu.disks import DEFAULT_MB, base_disk, bundle_disk
from carrel.machines.qemu.kernel import get_kernel
from carrel.machines.removal import discard_tree, remove_tree
from carrel.machines.sandbox.family import descendants
from carrel.machines.sandbox.layout import machine_identity
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State
from carrel.machines.switchboard import quiet_line

__all__ = ["FirecrackerProvider"]

_STOP_GRACE = 45.0
_SAVE_SECONDS = 300.0
_LOOK_SECONDS = 2.0
_WORDS_SECONDS = 30.0
_LOOK_AGAIN = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")

logger = logging.getLogger(__name__)


class FirecrackerProvider(Kept):
    """Machines of Firecracker's, jailed where root starts them.

    See docs/adr/0020-firecracker.md.
    """

    name: ClassVar[str] = "firecracker"
    isolation: ClassVar[Isolation] = Isolation.VM
    capabilities: ClassVar[Capabilities] = Capabilities(
        snapshot="memory", fork=True, pause=True, disk_limit=True, default_disk_mb=DEFAULT_MB
    )
    start_bound = 120.0

    def __init__(self) -> None:
        self._waking: dict[str, KeptState] = {}

    async def probe(self) -> Health:
        """Run a guest of a few instructions in the real program."""
        try:
            reason = await to_thread.run_sync(_try)
        except CarrelError as error:
            return Health(False, Isolation.VM, error.message, error.hint)
        return Health(True, Isolation.VM, reason)

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what a virtual machine cannot be made from."""
        check_image_spec(spec, tuple(RECIPES))
        if spec.cpus > wishes.MOST_PROCESSORS:
            raise InvalidInput(
                f"{spec.cpus} processors are too many: Firecracker gives a machine at most "
                f"{wishes.MOST_PROCESSORS}",
                hint=f"--cpus {wishes.MOST_PROCESSORS}",
            )

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that Firecracker works; then have the image, its disk and a kernel."""
        self.check_spec(spec)
        await require_working(self)
        # It may have been removed since.
        await to_thread.run_sync(_find_programs)
        await prepare_image(spec.image, progress)
        kernel = await to_thread.run_sync(get_kernel, progress)
        await to_thread.run_sync(unpacked, kernel)
        progress("disk", None)
        await to_thread.run_sync(lambda: base_disk(resolve_image(spec.image)))
        await to_thread.run_sync(bundle_disk)

    async def create(self, machine: Machine) -> None:
        """Make the machine's own disk."""
        private_directory(machine.directory)
        place = Place(machine)
        place.rest_on(base_disk(resolve_image(machine.spec.image)))
        await to_thread.run_sync(make_layer, place.layer, machine.spec.disk_mb)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Have a process hold it, from its start to its end."""
        place = Place(machine)
        write_orders(place.orders, orders_for(place, self._waking.get(machine.id)))
        argv = interpreter.command(MODULE, str(place.orders))
        # As long as there is the machine, its image stays.
        tree = str(place.base.with_name("rootfs"))
        engine = EnginePlan(tuple(argv), interpreter.environment(), by_guest=True, tree=tree)
        return KeeperPlan(machine.id, machine.spec, engine=engine)

    async def stop(self, machine: Machine, grace: float) -> None:
        """Have it end by itself, which puts its disk in order; that takes longer than elsewhere."""
        await super().stop(machine, max(grace, _STOP_GRACE))

    async def pause(self, machine: Machine) -> None:
        """Halt its processors."""
        await _ask(machine, wishes.pause())

    async def resume(self, machine: Machine) -> None:
        """Let them go on, and tell it what time it is."""
        await _go_on(machine)

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper; of one that runs, ask Firecracker whether it is halted."""
        observed = await super().inspect(machine)
        if observed.state is not State.RUNNING:
            return observed
        try:
            told = await to_thread.run_sync(FirecrackerApi(_root(machine), _LOOK_SECONDS).state)
        except CarrelError as error:
            return replace(observed, notes=(*observed.notes, f"Firecracker: {error.message}"))
        return replace(observed, state=State.PAUSED) if told == "Paused" else observed

    async def metrics(self, machine: Machine) -> Metrics:
        """What its processes use of this system, and what Firecracker says of its disks."""
        found = await self._of_processes(machine)
        try:
            disk = Place(machine).layer.stat()
        except OSError:
            return found
        return replace(found, disk_size_bytes=disk.st_size, disk_used_bytes=disk.st_blocks * 512)

    async def _of_processes(self, machine: Machine) -> Metrics:
        record = Keep(machine.directory).read_record()
        if record is None or record.guest_pid is None or not Keep(machine.directory).is_held():
            return Metrics()
        used = await to_thread.run_sync(_used, record.guest_pid)
        told = await to_thread.run_sync(_counted, machine)
        if told is None or used.memory_bytes is None:
            return used
        return replace(used, disk_read_bytes=told.read, disk_written_bytes=told.written)

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Write down its memory, its devices and its disk; it goes on afterwards."""
        place = Place(machine)
        draft = KeptState(place.snapshots / f".{secrets.token_hex(4)}")
        async with _halted_for(machine, draft):
            kept = KeptState(place.snapshots / label)
            # A machine that woke up in it still reads its memory, by whatever name.
            remove_tree(kept.directory)
            draft.directory.rename(kept.directory)

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """The labels of its kept states."""
        found = [path for path in Place(machine).snapshots.glob("*") if path.name[:1] != "."]
        return tuple(path.name for path in sorted(found, key=lambda path: path.stat().st_mtime))

    async def restore(self, machine: Machine, label: str) -> None:
        """End what runs, and wake up where the snapshot was taken."""
        await self.require_label(machine, label, "restore")
        await self.kill(machine)
        await self.recover(machine)
        await self._wake(machine, KeptState(Place(machine).snapshots / label))

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Remove its files; a machine that woke up in it still reads its memory, without a name."""
        await self.require_label(machine, label, "delete_snapshot")
        place = Place(machine).snapshots / label
        await to_thread.run_sync(discard_tree, place, abandon_on_cancel=False)

    async def fork(self, machine: Machine, copies: Sequence[Machine]) -> None:
        """Write it down once; every copy goes on from there, with the same memory to read."""
        state = KeptState(machine.directory / f"fork-{secrets.token_hex(4)}")
        try:
            async with _halted_for(machine, state):
                pass
            for copy in copies:
                Place(copy).rest_on(Place(machine).base)
                await self._wake(copy, state)
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(remove_tree, state.directory)

    async def _wake(self, machine: Machine, state: KeptState) -> None:
        layer = Place(machine).layer
        await to_thread.run_sync(_replace, state.disk, layer)
        with self._to_wake(machine, state):
            await self.start(machine, _unheard)
        words = [
            _clock(),
            f"name {machine.name}",
            f"identity {machine_identity(machine.id)}",
            f"entropy {secrets.token_hex(32)}",
        ]
        await to_thread.run_sync(_say, machine, *words)

    @contextmanager
    def _to_wake(self, machine: Machine, state: KeptState) -> Iterator[None]:
        """Have the start within wake up in something. Only that one: no file says so."""
        self._waking[machine.id] = state
        try:
            yield
        finally:
            del self._waking[machine.id]


def _unheard(stage: str, share: float | None) -> None:
    """Nobody wants to know."""


def _try() -> str:
    program = find_firecracker()
    run_guest(program)
    version = ".".join(map(str, version_of(program)))
    return f"Firecracker {version} ran a guest's instructions{', in a jail' if is_jailed() else ''}"


def _find_programs() -> None:
    """See that those are here that a machine is started with.

    Raises:
        Unavailable: They are not.
    """
    program = find_firecracker()
    if is_jailed():
        find_jailer(program)


def _root(machine: Machine) -> Path:
    """Where its Firecracker runs.

    Raises:
        MachineLost: It does not.
    """
    if not Keep(machine.directory).is_held():
        message, hint = f"{machine.name} is not running", f"carrel up {machine.name}"
        raise MachineLost(message, op="firecracker", hint=hint)
    return Place(machine).root


async def _ask(machine: Machine, *asked: Wish) -> None:
    def ask() -> None:
        api = FirecrackerApi(_root(machine), _SAVE_SECONDS)
        for wish in asked:
            api.ask(wish)

    await to_thread.run_sync(ask, abandon_on_cancel=False)


async def _go_on(machine: Machine) -> None:
    """Let its processors go on, and tell it what time it is: its clock stood still."""
    await _ask(machine, wishes.resume())
    await to_thread.run_sync(_say, machine, _clock())


def _counted(machine: Machine) -> Figures | None:
    """What Firecracker has counted up to now; None where it does not say."""
    before = read_figures(machine.directory)
    try:
        FirecrackerApi(_root(machine), _LOOK_SECONDS).ask(wishes.flush_metrics())
    except CarrelError as error:  # it ends at this moment
        logger.debug("%s", error)
        return None
    until = time.monotonic() + _LOOK_SECONDS
    while (told := read_figures(machine.directory)) == before and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN)
    return told


@asynccontextmanager
async def _halted_for(machine: Machine, state: KeptState) -> AsyncIterator[None]:
    """Write a machine's state down; within, that is done, and afterwards it goes on."""
    control = Keep(machine.directory).control
    async with quiet_line(control):
        await _ask(machine, wishes.pause())
        try:
            await to_thread.run_sync(_write, machine, state, abandon_on_cancel=False)
            yield
        finally:
            with anyio.CancelScope(shield=True):
                await _go_on(machine)
        # Its line was lost with the snapshot: nobody has it before it was called anew.
        async with quiet_line(control):
            pass


def _write(machine: Machine, state: KeptState) -> None:
    root = _root(machine)
    private_directory(state.directory)
    written = {root / "kept.state": state.state, root / "kept.memory": state.memory}
    try:
        FirecrackerApi(root, _SAVE_SECONDS).ask(wishes.snapshot("kept.state", "kept.memory"))
        for path, target in written.items():
            path.rename(target)
            # Whoever wakes up in it may be another user; the directory is ours alone.
            target.chmod(0o644)
        copy_sparse(Place(machine).layer, state.disk)
    except BaseException:
        # The disk may be full, and half of a snapshot is of no use.
        for path in written:
            path.unlink(missing_ok=True)
        remove_tree(state.directory)
        raise


def _replace(source: Path, target: Path) -> None:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        copy_sparse(source, draft)
        draft.chmod(0o600)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _clock() -> str:
    return f"clock {time.time():.0f}"


def _say(machine: Machine, *words: str) -> None:
    """Tell its process 1 something.

    Raises:
        MachineLost: It does not listen.
    """
    until = time.monotonic() + _WORDS_SECONDS
    while True:
        try:
            with dial(_root(machine), WORDS_PORT, _LOOK_SECONDS) as line:
                line.sendall("".join(f"{word}\n" for word in words).encode())
                return
        except MachineLost:
            if time.monotonic() > until:
                raise
            time.sleep(_LOOK_AGAIN)


def _used(holder: int) -> Metrics:
    """The sum over all processes below the one that holds the machine."""
    memory, seconds = 0, 0.0
    pids = descendants(holder)
    for pid in pids:
        with suppress(OSError):
            home = Path(f"/proc/{pid}")
            # Its name, in brackets, may hold anything.
            fields = (home / "stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / _TICKS
            memory += int((home / "statm").read_text().split()[1]) * _PAGE
    return with_disk(Metrics(memory, seconds, None), pids) if memory else Metrics()
