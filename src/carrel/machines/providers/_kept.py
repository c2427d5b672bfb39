"""What the providers have in common whose machines are held by a keeper process on this system."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, NamedTuple

import anyio
from anyio import to_thread
from anyio.abc import ByteStream

from carrel.errors import CarrelError, MachineLost, NotFound, RunError, WrongState
from carrel.machines.keep import Keep, KeeperPlan, KeeperRecord, Phase, boot_id
from carrel.machines.keeper import LOCK, MODULE
from carrel.machines.lending import lent
from carrel.machines.linelog import unstamped
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Metrics, Progress, RefusesTheRest
from carrel.machines.providers._spawn import Spawn
from carrel.machines.removal import remove_tree
from carrel.machines.revival import prepare
from carrel.machines.sandbox.cgroups import Group
from carrel.machines.sandbox.family import all_stopped, descendants, disk_bytes, end_holders
from carrel.machines.sandbox.probe import PROBES
from carrel.machines.spec import Machine
from carrel.machines.state import Observed, State
from carrel.stream import connect_unix

__all__ = ["Kept"]

_END_BOUND = 10.0
_LOOK_AGAIN = 0.005
_MOST_HANDLES = 200
_CONSOLE_SHOWN = 256 << 10
_DELETED = ".deleted-"
_PROBE_AGE = 300.0
_ID = re.compile(r"mac_[0-9a-z]{26}")

_PHASES = {
    Phase.STARTING: State.CREATING,
    Phase.READY: State.RUNNING,
    Phase.STOPPING: State.STOPPING,
    Phase.EXITED: State.STOPPING,
}


class Kept(RefusesTheRest, ABC):
    """A provider whose machines each have a keeper. See `carrel.machines.keeper`."""

    name: ClassVar[str]
    capabilities: ClassVar[Capabilities]
    start_bound: float = 20.0
    """Seconds a guest has to answer."""

    @abstractmethod
    def plan(self, machine: Machine) -> KeeperPlan:
        """What the keeper of this machine has to do; may read and write files."""

    async def create(self, machine: Machine) -> None:
        """Make the machine's directories."""
        keep = Keep(private_directory(machine.directory))
        for path in (keep.disk / "upper", keep.disk / "work", keep.home):
            path.mkdir(parents=True, exist_ok=True)
        # The root of the machine and the home in it are entered by its agent alone.
        (keep.disk / "upper").chmod(0o755)
        keep.home.chmod(0o700)

    def owner(self, machine: Machine) -> tuple[int, int] | None:
        """Which user and group of this system its agent is, where that is not our own."""
        return None

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Start a keeper, and return when the guest has answered it."""
        with ExitStack() as stack:
            volumes = lent(machine, self.owner(machine))
            await to_thread.run_sync(stack.enter_context, volumes)
            await self._start(machine, progress)

    async def _start(self, machine: Machine, progress: Progress) -> None:
        keep = Keep(machine.directory)
        if not keep.directory.is_dir():
            raise MachineLost(
                f"the files of {machine.name} are gone", hint=f"carrel delete {machine.name}"
            )
        if keep.is_held():
            raise WrongState(f"{machine.name} is already running", op="machine.start")
        progress("starting", None)
        prepare(machine.directory)
        spawn = Spawn(keep)
        try:
            await to_thread.run_sync(self._spawn, spawn, machine)
            told = await spawn.answer(self.start_bound)
        except WrongState:  # somebody else was quicker
            raise
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self.undo_start(machine)
            raise
        finally:
            await spawn.close()
        if told:
            failure = await self._not_started(machine, told)
            # One that was killed has left what was made for it, and may still hold its lock.
            try:
                await self._end(machine, keep)
                await self.recover(machine)
            except CarrelError as error:
                raise failure from error
            raise failure

    def _spawn(self, spawn: Spawn, machine: Machine) -> None:
        spawn.start(lambda: self.plan(machine))

    async def _not_started(self, machine: Machine, told: dict[str, str | None]) -> RunError:
        tail = (await self.console(machine)).splitlines()[-20:]
        return RunError(
            f"{machine.name} did not start: {told.get('cause') or 'its keeper died'}",
            op="machine.start",
            hint=told.get("hint") or f"its last words: carrel logs {machine.name}",
            context={"console": tail},
        )

    async def stop(self, machine: Machine, grace: float) -> None:
        """Ask the guest to end; end it after `grace` seconds."""
        keep = Keep(machine.directory)
        if (await self.inspect(machine)).state is State.PAUSED:
            await self.resume(machine)
        with _keeper(keep) as keeper:
            if keeper is not None:
                signal.pidfd_send_signal(keeper.handle, signal.SIGTERM)
                with anyio.move_on_after(grace):
                    await anyio.wait_readable(keeper.handle)
        await self.kill(machine)

    async def kill(self, machine: Machine) -> None:
        """End the keeper, and everything with it; one that has ended by itself is stopped now.

        Raises:
            RunError: It is still there.
        """
        keep = Keep(machine.directory)
        if held := keep.is_held():
            await self._end(machine, keep)
        record = keep.read_record()
        await self.recover(machine)
        if record is not None and _ended(record).state is State.ERROR:
            keep.write_record(_stopped(record, None if held else _ended(record).cause))

    async def undo_start(self, machine: Machine) -> None:
        """End what a start that failed has left; why it ended by itself stays on record."""
        if Keep(machine.directory).is_held():
            await self.kill(machine)
        await self.recover(machine)

    async def _end(self, machine: Machine, keep: Keep) -> None:
        until = anyio.current_time() + _END_BOUND
        while keep.is_held():
            if anyio.current_time() > until:
                raise RunError(f"the keeper of {machine.name} could not be ended", retryable=True)
            with _keeper(keep) as keeper:
                if keeper is not None:
                    await to_thread.run_sync(_end_family, keeper, keep.read_record())
            await anyio.sleep(_LOOK_AGAIN)

    async def delete(self, machine: Machine) -> None:
        """End it and remove its directory."""
        if not machine.directory.exists():
            return
        # Nothing is written before there is room again: the machine may have filled the disk.
        await self._end(machine, Keep(machine.directory))
        await self.recover(machine)
        doomed = machine.directory.with_name(f"{_DELETED}{machine.id}")
        # In one step it is no machine any more, however long the removal takes.
        machine.directory.rename(doomed)
        await to_thread.run_sync(remove_tree, doomed)

    async def require_label(self, machine: Machine, label: str, what: str) -> None:
        """Refuse a label under which nothing of a machine is kept."""
        if label not in await self.snapshots(machine):
            raise NotFound(f"{machine.name} has no snapshot {label!r}", op=f"machine.{what}")

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper's lock, then at what it wrote."""
        keep = Keep(machine.directory)
        if not keep.directory.is_dir():
            return Observed(State.LOST, cause="its files are gone")
        # In this order: a keeper that ends in between has written its record before.
        held = keep.is_held()
        record = keep.read_record()
        if record is None:
            return Observed(State.CREATING if held else State.STOPPED)
        if not held:
            return _ended(record)
        notes = record.notes + _group(record).reached()
        state = _PHASES[record.phase]
        if state is State.RUNNING and self.is_halted(record):
            state = State.PAUSED
        return Observed(state, None, record.pid or None, record.started_at, notes)

    def is_halted(self, record: KeeperRecord) -> bool:
        """Whether the processes of a machine stand still, as this system sees them."""
        return _is_paused(record)

    async def recover(self, machine: Machine) -> None:
        """Remove the control groups and the socket of a keeper that was killed.

        Raises:
            RunError: Processes of the machine are still there.
        """
        keep = Keep(machine.directory)
        if not keep.directory.is_dir() or keep.is_held():
            return
        record = keep.read_record()
        if record is not None and record.boot == boot_id():
            await to_thread.run_sync(_clear, record, machine)
        keep.socket.unlink(missing_ok=True)

    def group(self, machine: Machine, what: str) -> Group:
        """The control groups of a machine that is running.

        Raises:
            MachineLost: It is not.
        """
        keep = Keep(machine.directory)
        record = keep.read_record()
        if record is None or not keep.is_held():
            raise MachineLost(f"{machine.name} is not running", op=f"machine.{what}")
        return _group(record)

    async def channel(self, machine: Machine) -> ByteStream:
        """Connect straight to the guest."""
        return await connect_unix(Keep(machine.directory).socket)

    async def metrics(self, machine: Machine) -> Metrics:
        """Read the control groups; unknown where there are none."""
        record = Keep(machine.directory).read_record()
        if record is None:
            return Metrics()
        group = _group(record)
        found = Metrics(group.memory_bytes(), group.cpu_seconds(), group.processes())
        if not Keep(machine.directory).is_held():
            return found
        return with_disk(found, await to_thread.run_sync(descendants, record.pid))

    async def console(self, machine: Machine) -> str:
        """The end of what keeper and guest wrote since the last start."""
        try:
            data = await anyio.Path(Keep(machine.directory).console).read_bytes()
        except FileNotFoundError:
            return ""
        return unstamped(data[-_CONSOLE_SHOWN:]).decode(errors="replace")

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Finish removals that were interrupted.

        A machine's directory that the store does not know stays: it may be the disk of another
        store's machine.
        """
        return await to_thread.run_sync(_finish_removals, home)


def with_disk(found: Metrics, pids: list[int]) -> Metrics:
    """Figures, and what those processes of the machine moved from and to disks."""
    read, written = disk_bytes(pids) or (None, None)
    return replace(found, disk_read_bytes=read, disk_written_bytes=written)


def _group(record: KeeperRecord) -> Group:
    return Group(tuple(map(Path, record.cgroups)))


def _is_paused(record: KeeperRecord) -> bool:
    group = _group(record)
    if group.can_freeze():
        return group.frozen()
    return record.guest_pid is not None and all_stopped(record.guest_pid)


def _ended(record: KeeperRecord) -> Observed:
    if record.phase is Phase.EXITED:
        state = State.STOPPED if record.cause is None else State.ERROR
        return Observed(state, record.cause, None, record.started_at, record.notes)
    restarted = record.boot != boot_id()
    cause = "this system was restarted" if restarted else "the keeper was killed"
    return Observed(State.ERROR, cause, None, record.started_at, record.notes)


def _stopped(record: KeeperRecord, before: str | None) -> KeeperRecord:
    """Of a machine that somebody stopped, and why it had ended already, where it had."""
    notes = (*record.notes, f"it had ended already: {before}") if before else record.notes
    return replace(record, phase=Phase.EXITED, cause=None, notes=notes)


def _clear(record: KeeperRecord, machine: Machine) -> None:
    """Wait for the last process of a machine whose keeper is dead, and remove its groups."""
    _group(record).remove()
    if record.phase is not Phase.EXITED and not end_holders(machine.id):
        raise RunError(f"processes of {machine.name} do not end", retryable=True)


class _Keeper(NamedTuple):
    """A live keeper: its number, and a handle that can never mean another process."""

    pid: int
    handle: int


def _end_family(keeper: _Keeper, record: KeeperRecord | None) -> None:
    """Kill a keeper and all below it. They would die with it, but not quite as soon."""
    handles = [keeper.handle]
    try:
        for pid in descendants(keeper.pid)[:_MOST_HANDLES]:
            with suppress(ProcessLookupError):
                handles.append(os.pidfd_open(pid))
        for handle in handles:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        if record is not None:
            # Frozen processes die only when they are let go.
            _group(record).freeze(False)
        _wait_for_all(tuple(handles), time.monotonic() + _END_BOUND)
    finally:
        for handle in handles[1:]:
            os.close(handle)


def _wait_for_all(handles: tuple[int, ...], deadline: float) -> None:
    poller = select.poll()
    for handle in handles:
        poller.register(handle, select.POLLIN)
    left = set(handles)
    while left and time.monotonic() < deadline:
        for handle, _ in poller.poll(100):
            poller.unregister(handle)
            left.discard(handle)


@contextmanager
def _keeper(keep: Keep) -> Iterator[_Keeper | None]:
    """The live keeper; None if there is none."""
    with ExitStack() as stack:
        yield _find_keeper(keep, stack) if keep.is_held() else None


def _find_keeper(keep: Keep, stack: ExitStack) -> _Keeper | None:
    """Whose command line says so, and who has its lock open.

    A record may be damaged, or of an earlier keeper: the number in it is then nobody's, or by now a
    stranger's. And anybody may be called anything.
    """
    record = keep.read_record()
    likely = [] if record is None else [str(record.pid)]
    for name in (*likely, *os.listdir("/proc")):  # noqa: PTH208
        if not name.isdecimal() or not _keeps(name, keep):
            continue
        with suppress(ProcessLookupError):
            handle = os.pidfd_open(int(name))
            stack.callback(os.close, handle)
            # Again with the handle open: the number cannot pass to somebody else any more.
            if _keeps(name, keep):
                return _Keeper(int(name), handle)
    return None


def _keeps(pid: str, keep: Keep) -> bool:
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if MODULE.encode() in words:
            named = Path(os.fsdecode(words[words.index(MODULE.encode()) + 1]))
            if named.samefile(keep.directory):
                return Path(f"/proc/{pid}/fd/{LOCK}").samefile(keep.lock_file)
    return False


def _is_abandoned(probe: Path) -> bool:
    """Whether a probe's directory was left by a process that was killed."""
    maker = probe.name.removeprefix(PROBES).partition("-")[0]
    if maker.isdecimal() and not Path("/proc", maker).exists():
        return True
    # Its maker's number may be somebody else's by now; but a probe takes seconds.
    return time.time() - probe.stat().st_mtime > _PROBE_AGE


def _finish_removals(home: Path) -> tuple[str, ...]:
    if not home.is_dir():
        return ()
    removed = []
    for path in home.glob(f"{_DELETED}*"):
        if _ID.fullmatch(path.name.removeprefix(_DELETED)) is not None and path.is_dir():
            remove_tree(path)
            removed.append(f"files of the deleted machine {path.name.removeprefix(_DELETED)}")
    for path in home.glob(f"{PROBES}*"):
        if path.is_dir() and _is_abandoned(path):
            remove_tree(path)
            removed.append(f"files of the interrupted probe {path.name}")
    return tuple(removed)
