"""Machines with a kernel of their own in user space: gVisor's runsc, without a daemon."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import anyio
from anyio import to_thread

from carrel.computer import Computer
from carrel.errors import CarrelError, RunError, Unavailable, Unsupported, WrongState
from carrel.guest.tasks import task_group
from carrel.machines.gvisor import Runsc, choose_root, find_runsc, root_of, write_bundle
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.keep import EnginePlan, Keep, KeeperPlan
from carrel.machines.luggage import bring_in, bring_out, expect, has_all, pack
from carrel.machines.naming import introduce
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Health, Isolation, Progress
from carrel.machines.providers._guest import check_image_spec, prepare_image
from carrel.machines.providers._kept import Kept
from carrel.machines.removal import discard_tree, remove_tree
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_HOME, AGENT_UID
from carrel.machines.spec import Machine, MachineSpec, parse_volume
from carrel.machines.state import Observed, State
from carrel.machines.switchboard import quiet_line

__all__ = ["GVisorProvider"]

_CHECKPOINT_SECONDS = 300.0
# Each process inside is one of this system's with a few threads, and the kernel has its own.
_TASKS_EACH = 3
_OWN_TASKS = 256
_LIMIT_NOTE = "its process limit is this system's: reaching it ends the machine"
_COPYING = "copying-"
_ANSWER_SECONDS = 10.0
# What runsc needs to start, and not the caller's secrets.
_ENV = ("PATH", "XDG_RUNTIME_DIR", "TMPDIR")

logger = logging.getLogger(__name__)


class GVisorProvider(Kept):
    """Machines whose kernel is a program of this system's: what they call is not our kernel.

    All they write is in memory, so that a snapshot or a fork holds it; the agent's home is kept
    when the machine is stopped. See docs/adr/0015-forks-of-a-live-desk.md.
    """

    name: ClassVar[str] = "gvisor"
    isolation: ClassVar[Isolation] = Isolation.USER_KERNEL
    capabilities: ClassVar[Capabilities] = Capabilities(
        snapshot="memory", fork=True, pause=True, volumes=True, renames=True, durable=False
    )

    def __init__(self) -> None:
        self._waking: dict[str, Path] = {}

    async def probe(self) -> Health:
        """Run a program in a sandbox."""
        try:
            await to_thread.run_sync(lambda: Runsc().try_out())
        except CarrelError as error:
            return Health(False, Isolation.USER_KERNEL, error.message, error.hint)
        return Health(True, Isolation.USER_KERNEL, f"{find_runsc()} ran a program in a sandbox")

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what a sandbox cannot be made from."""
        check_image_spec(spec, tuple(RECIPES), volumes=True)
        for text in spec.volumes:
            _check_volume(parse_volume(text)[1])

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that there is runsc; then build the image if it is not there."""
        self.check_spec(spec)
        await to_thread.run_sync(find_runsc)
        await prepare_image(spec.image, progress)

    async def create(self, machine: Machine) -> None:
        """Make the machine's directory, with a home to begin with."""
        keep = Keep(private_directory(machine.directory))
        image = await to_thread.run_sync(resolve_image, machine.spec.image)
        skeleton = image.rootfs / AGENT_HOME.lstrip("/")
        await to_thread.run_sync(pack, keep.home, skeleton)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Run the sandbox from its bundle, or from the snapshot that it is to wake up in."""
        image = resolve_image(machine.spec.image)
        words = ["run", f"--bundle={write_bundle(machine, image)}"]
        if (snapshot := self._waking.get(machine.id)) is not None:
            words = ["restore", f"--image-path={snapshot}", *words[1:]]
        engine = EnginePlan(
            tuple(_starting(machine).command(*words, machine.id)),
            {name: os.environ[name] for name in _ENV if name in os.environ},
            grouped=True,
            pids=machine.spec.pids * _TASKS_EACH + _OWN_TASKS,
            tree=str(image.rootfs),
        )
        return KeeperPlan(machine.id, machine.spec, engine=engine)

    def owner(self, machine: Machine) -> tuple[int, int] | None:
        """The agent's own numbers: a sandbox of root's has this system's users."""
        return (AGENT_UID, AGENT_GID) if os.geteuid() == 0 else None

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Start it, with the home that was kept unless it wakes up in a snapshot."""
        home = Keep(machine.directory).home
        if machine.id in self._waking:
            await super().start(machine, progress)
            has_all(home)
            return
        await to_thread.run_sync(expect, home)
        await super().start(machine, progress)
        try:
            await bring_in(lambda: self.channel(machine), home)
        except BaseException:
            # With half of its home it is none to work on, and none to keep a home of.
            with anyio.CancelScope(shield=True):
                await self.undo_start(machine)
            raise

    async def stop(self, machine: Machine, grace: float) -> None:
        """Keep the agent's home, then end it.

        Raises:
            RunError: Its home could not be kept. It runs on where it could be kept another time.
        """
        state = (await self.inspect(machine)).state
        if state is State.PAUSED:
            await self.resume(machine)
        lost: Exception | None = None
        if state in (State.RUNNING, State.PAUSED):
            try:
                await bring_out(lambda: self.channel(machine), Keep(machine.directory).home)
            except WrongState as error:
                lost = error  # there is none to keep
            except (CarrelError, OSError) as error:
                if await self._answers(machine):
                    raise RunError(
                        f"{machine.name} still runs: its home could not be kept: {error}",
                        op="machine.stop",
                        hint=f"mend that and try again; carrel stop -f {machine.name} stops it "
                        "without, and leaves its home as it was at the stop before",
                    ) from error
                lost = error  # a guest that does not answer must still be ended
        await super().stop(machine, grace)
        if lost is not None:
            raise RunError(
                f"{machine.name} is stopped, but its home could not be kept: {lost}",
                op="machine.stop",
                hint="its home is as it was at the stop before",
            )

    async def _answers(self, machine: Machine) -> bool:
        """Whether its guest does, so that another try is worth it."""
        try:
            with anyio.fail_after(_ANSWER_SECONDS):
                async with Computer(lambda: self.channel(machine)) as computer:
                    await computer.info()
        except (CarrelError, OSError):
            return False
        return True

    async def delete(self, machine: Machine) -> None:
        """End it, and remove its directory and what runsc knows of it."""
        forget = _forgetting(machine)  # its directory says where that is
        await super().delete(machine)
        await to_thread.run_sync(forget)

    async def recover(self, machine: Machine) -> None:
        """Have runsc forget a sandbox that has ended."""
        await super().recover(machine)
        if not Keep(machine.directory).is_held():
            await to_thread.run_sync(_forgetting(machine))

    async def pause(self, machine: Machine) -> None:
        """Halt its kernel and all, by its control group; where it has none, all that runs on it."""
        group = self.group(machine, "pause")
        if not group.can_freeze():
            await to_thread.run_sync(lambda: _runsc(machine).call("pause", machine.id))
        elif not await to_thread.run_sync(group.halt):
            await self.resume(machine)
            raise RunError(f"{machine.name} could not be brought to a halt", op="machine.pause")

    async def resume(self, machine: Machine) -> None:
        """Let it go on."""
        group = self.group(machine, "resume")
        if group.can_freeze():
            group.freeze(False)
        else:
            await to_thread.run_sync(lambda: _runsc(machine).call("resume", machine.id))

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper; where there is no control group, ask runsc whether it is halted."""
        observed = await super().inspect(machine)
        if observed.state is not State.RUNNING:
            return observed
        state: State = observed.state
        if not self.group(machine, "inspect").can_freeze():
            status = await to_thread.run_sync(lambda: _runsc(machine).status(machine.id))
            state = State.PAUSED if status == "paused" else state
        return replace(observed, state=state, notes=(*observed.notes, _LIMIT_NOTE))

    async def snapshot(self, machine: Machine, label: str) -> None:
        """Write the whole sandbox to disk, and let it go on."""
        _require_no_volumes(machine, "snapshot")
        await self._checkpoint(machine, _snapshot(machine, label))

    async def _checkpoint(self, machine: Machine, place: Path, *options: str) -> None:
        keep = Keep(machine.directory)
        draft = place.with_name(f".{place.name}.new")
        await to_thread.run_sync(remove_tree, draft)
        private_directory(draft)
        words = ("checkpoint", "--leave-running", *options, f"--image-path={draft}", machine.id)
        try:
            async with quiet_line(keep.control):
                await to_thread.run_sync(
                    lambda: _runsc(machine).call(*words, timeout=_CHECKPOINT_SECONDS),
                    abandon_on_cancel=False,
                )
        except BaseException:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(remove_tree, draft)
            raise
        # Only now: a snapshot that fails costs nobody the one of that name before.
        await to_thread.run_sync(remove_tree, place)
        draft.rename(place)

    async def _checkpoint_quickly(self, machine: Machine, place: Path) -> None:
        """For what is read at once and then removed: to make it small would take longer."""
        try:
            await self._checkpoint(machine, place, "--compression=none")
        except Unsupported:
            await self._checkpoint(machine, place)  # by a runsc that has no such option

    async def restore(self, machine: Machine, label: str) -> None:
        """End what runs, and wake up where the snapshot was taken; where that fails, go on."""
        _require_no_volumes(machine, "restore")
        await self.require_label(machine, label, "restore")
        async with self._moving(machine), self._set_aside(machine) as aside:
            await self.kill(machine)
            await self.recover(machine)
            try:
                await self._wake(machine, _snapshot(machine, label))
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await self.undo_start(machine)
                    if aside is not None:
                        await self._wake(machine, aside)
                raise

    @asynccontextmanager
    async def _moving(self, machine: Machine) -> AsyncIterator[None]:
        """Let a halted machine go on meanwhile; where this fails, it is halted again."""
        paused = (await self.inspect(machine)).state is State.PAUSED
        if paused:
            await self.resume(machine)
        try:
            yield
        except BaseException:
            with anyio.CancelScope(shield=True):
                if paused and (await self.inspect(machine)).state is State.RUNNING:
                    await self.pause(machine)
            raise

    @asynccontextmanager
    async def _set_aside(self, machine: Machine) -> AsyncIterator[Path | None]:
        """What runs, written to disk meanwhile; None where nothing does.

        Raises:
            RunError: It could not be written, and runs on.
        """
        place: Path | None = None
        if (await self.inspect(machine)).state is State.RUNNING:
            place = machine.directory / f"{_COPYING}{os.getpid()}"
            try:
                await self._checkpoint_quickly(machine, place)
            except CarrelError as error:
                raise RunError(
                    f"{machine.name} was not restored: what it does now could not be set aside, "
                    f"to go on from should that fail: {error.message}",
                    op="machine.restore",
                    hint=f"mend that and try again; or carrel stop -f {machine.name} first, which "
                    "gives up what it did since it was last stopped",
                ) from error
        try:
            yield place
        finally:
            if place is not None:
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(remove_tree, place)

    async def snapshots(self, machine: Machine) -> tuple[str, ...]:
        """The labels of its kept states."""
        home = machine.directory / "snapshots"
        if not home.is_dir():
            return ()
        return tuple(sorted(p.name for p in home.iterdir() if not p.name.startswith(".")))

    async def delete_snapshot(self, machine: Machine, label: str) -> None:
        """Remove what was written; a sandbox that woke up in it has read it, or has it open."""
        await self.require_label(machine, label, "delete_snapshot")
        place = _snapshot(machine, label)
        await to_thread.run_sync(discard_tree, place, abandon_on_cancel=False)

    async def fork(self, machine: Machine, copies: Sequence[Machine]) -> None:
        """Write the sandbox to disk once, and wake every copy up in it."""
        _require_no_volumes(machine, "fork")
        place = machine.directory / f"{_COPYING}{os.getpid()}"
        await self._checkpoint_quickly(machine, place)
        # As many at once as there are processors: each has only so long to answer.
        turns = anyio.CapacityLimiter(os.cpu_count() or 1)

        async def wake(copy: Machine) -> None:
            async with turns:
                await self._wake(copy, place)

        try:
            async with task_group() as tasks:
                for copy in copies:
                    tasks.start_soon(wake, copy)
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(remove_tree, place)

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Also remove what was written for copies by who was killed before they woke up."""
        removed = await super().collect(home, known)
        return (*removed, *await to_thread.run_sync(_abandoned, home))

    async def _wake(self, machine: Machine, snapshot: Path) -> None:
        # Only this start wakes up in it: no file says so that a later one could find.
        self._waking[machine.id] = snapshot
        try:
            await self.start(machine, lambda stage, share: None)
        finally:
            del self._waking[machine.id]
        # It still has the name that it went to sleep with.
        await introduce(self, machine)

    async def rename(self, machine: Machine) -> None:
        """Have its own root set its host name, which no other program in it may."""
        await to_thread.run_sync(lambda: _runsc(machine).call_host(machine.id, machine.name))


def _abandoned(home: Path) -> list[str]:
    removed = []
    for path in home.glob(f"mac_*/*{_COPYING}*"):
        maker = path.name.lstrip(".").removeprefix(_COPYING).partition(".")[0]
        if not Path("/proc", maker).exists():
            remove_tree(path)
            removed.append(f"an interrupted copy of the machine {path.parent.name}")
    return removed


def _snapshot(machine: Machine, label: str) -> Path:
    return private_directory(machine.directory / "snapshots") / label


def _check_volume(place: str) -> None:
    if os.geteuid() != 0:
        # Rootless, runsc knows one user of this system, and that one is not its agent.
        raise Unsupported(
            "only root's gvisor machines can write to volumes",
            op="volume.attach",
            hint="use --provider namespace",
        )
    if Path(place).is_relative_to(AGENT_HOME):
        raise Unsupported(
            f"a volume cannot be at {place}: the gvisor provider keeps the home itself",
            op="volume.attach",
            hint="such as --at /srv/data",
        )


def _require_no_volumes(machine: Machine, what: str) -> None:
    if machine.spec.volumes:
        name, _ = parse_volume(machine.spec.volumes[0])
        raise Unsupported(
            f"the gvisor provider cannot {what} a machine with volumes: they are not part of it",
            op=f"machine.{what}",
            hint=f"carrel volume detach {name} {machine.name} --restart",
        )


def _runsc(machine: Machine) -> Runsc:
    """As it was started with: another environment may say something else."""
    return Runsc(root_of(machine))


def _starting(machine: Machine) -> Runsc:
    return Runsc(choose_root(machine), shared=bool(machine.spec.volumes))


def _forgetting(machine: Machine) -> Callable[[], None]:
    """What has runsc forget a machine, also when its directory is gone by then."""
    try:
        runsc = _runsc(machine)
    except Unavailable as error:
        # No sandbox runs without it, and the machine must still be deleted.
        logger.debug("%s", error)
        return lambda: None

    def forget() -> None:
        try:
            runsc.forget(machine.id)
        except CarrelError as error:
            logger.warning("%s", error)

    return forget
