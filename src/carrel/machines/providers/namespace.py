"""The embedded default on Linux: namespaces, an overlay, no capabilities, no daemon."""

from __future__ import annotations

import os
import pwd
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from carrel.errors import MachineLost, RunError
from carrel.machines.bundle import guest_bundle
from carrel.machines.images import Image, resolve_image
from carrel.machines.images.desktop import DESKTOP
from carrel.machines.keep import Keep, KeeperPlan, KeeperRecord
from carrel.machines.keeper import LISTEN
from carrel.machines.lending import make_place, volume_places
from carrel.machines.naming import call_host
from carrel.machines.paths import data_home, machines_home, private_directory, state_home
from carrel.machines.provider import Capabilities, Health, Isolation, Progress
from carrel.machines.providers._guest import (
    check_image_spec,
    guest_argv,
    prepare_image,
    require_working,
)
from carrel.machines.providers._kept import Kept
from carrel.machines.sandbox.cgroups import Group, stray_groups
from carrel.machines.sandbox.family import continue_all, stop_all
from carrel.machines.sandbox.layout import (
    Layout,
    agent_env,
    host_layout,
    image_layout,
    machine_uid,
    scratch,
    write_identity,
    write_settings,
)
from carrel.machines.sandbox.plan import AGENT_HOME, GUEST_BUNDLE, Bind, SandboxPlan
from carrel.machines.sandbox.probe import probe
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["NamespaceProvider"]

_HOST = "host"
_INDOORS = ("chromium", "chromium.d", "gtk-2.0")


class NamespaceProvider(Kept):
    """Machines that share this kernel, and nothing else.

    Works the same for root and for anybody else. See docs/adr/0004-namespaces-without-a-daemon.md.
    """

    name: ClassVar[str] = "namespace"
    isolation: ClassVar[Isolation] = Isolation.PROCESS
    capabilities: ClassVar[Capabilities] = Capabilities(pause=True, volumes=True, renames=True)

    async def probe(self) -> Health:
        """Make a sandbox and run a program in it."""
        home = private_directory(machines_home())
        finding = await to_thread.run_sync(probe, home)
        if finding is None:
            return Health(True, Isolation.PROCESS, "a sandbox was made and ran a program")
        return Health(False, Isolation.PROCESS, finding.reason, finding.fix)

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse an unknown image, an ill-formed rule and what only other providers have."""
        check_image_spec(spec, volumes=True)

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that a sandbox can be made; then build the image if it is not there."""
        self.check_spec(spec)
        await require_working(self)
        await prepare_image(spec.image, progress)

    def plan(self, machine: Machine) -> KeeperPlan:
        """The walls of this machine."""
        spec, keep = machine.spec, Keep(machine.directory)
        image = _Root(spec.image)
        root = os.geteuid() == 0
        uid, gid = self.owner(machine) or (os.geteuid(), os.getegid())
        identity = write_identity(keep.etc, machine.id, machine.name, image.etc)
        settings = write_settings(keep.etc, image.etc, image.settings)
        layout = image.layout
        volumes = _volumes(machine, layout.lower, (uid, gid))
        sandbox = SandboxPlan(
            name=machine.name,
            uid=uid,
            gid=gid,
            drop=root,
            parent=0,
            disk=str(keep.disk),
            home=str(keep.home),
            argv=guest_argv(layout.python, spec, "--listen-fd", LISTEN),
            env=agent_env(extra=spec.env),
            lower=layout.lower,
            links=layout.links,
            binds=layout.binds,
            tmpfs=scratch(spec.memory_mb),
            masks=layout.masks,
            late_binds=(*identity, *settings, *volumes, Bind(str(guest_bundle()), GUEST_BUNDLE)),
            processes=spec.pids,
            shm_megabytes=max(spec.memory_mb // 2, 32),
            desk=True,
        )
        return KeeperPlan(machine.id, spec, sandbox)

    def owner(self, machine: Machine) -> tuple[int, int] | None:
        """Nobody else's user where we are root."""
        uid = machine_uid(machine.id)
        return (uid, uid) if os.geteuid() == 0 else None

    async def pause(self, machine: Machine) -> None:
        """Freeze its control group, or else stop each of its processes."""
        record = _live_record(machine)
        group = Group(tuple(map(Path, record.cgroups)))
        done = await to_thread.run_sync(_pause, group, record.guest_pid)
        if not done:
            await self.resume(machine)  # half of it at a halt is neither running nor paused
            raise RunError(
                f"{machine.name} could not be brought to a halt",
                op="machine.pause",
                retryable=True,
                hint=f"it goes on; try again, or carrel stop {machine.name}",
            )

    async def resume(self, machine: Machine) -> None:
        """Let it go on."""
        record = _live_record(machine)
        Group(tuple(map(Path, record.cgroups))).freeze(False)
        if record.guest_pid is not None:
            await to_thread.run_sync(continue_all, record.guest_pid)

    async def rename(self, machine: Machine) -> None:
        """Set its host name, and write it into the files that it sees."""
        record = _live_record(machine)
        if record.guest_pid is None:
            raise MachineLost(f"{machine.name} is not running", op="machine.rename")
        await to_thread.run_sync(call_host, record.guest_pid, machine.name)
        etc = _Root(machine.spec.image).etc
        write_identity(Keep(machine.directory).etc, machine.id, machine.name, etc)

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Finish interrupted removals, and remove control groups that nobody is in."""
        removed = list(await super().collect(home, known))
        for group in await to_thread.run_sync(stray_groups, known):
            removed += [f"control group {path}" for path in group.directories if group.discard()]
        return tuple(removed)


class _Root:
    """Where a machine's file system comes from."""

    def __init__(self, image: str) -> None:
        if image == _HOST:
            self.etc = Path("/etc")
            self.layout: Layout = host_layout(_private_places())
            self.settings = _indoor_settings()
        else:
            self.settings = {}
            found: Image = resolve_image(image)
            self.etc = found.rootfs / "etc"
            self.layout = image_layout(found.rootfs, found.python)


def _volumes(machine: Machine, lower: str | None, owner: tuple[int, int]) -> list[Bind]:
    binds = [Bind(str(path), at, writable=True) for path, at in volume_places(machine)]
    if lower is not None and os.geteuid() == 0:
        # Inside, nobody may make anything in a directory of root's.
        layer = Keep(machine.directory).disk / "upper"
        for bind in binds:
            if not bind.target.startswith(f"{AGENT_HOME}/"):
                make_place(layer, Path(lower), bind.target, owner)
    return binds


def _indoor_settings() -> dict[str, str]:
    """What lets this system's own programs run within walls and be seen, by path below `/etc`."""
    files = {file.path.removeprefix("/etc/"): file.text for file in DESKTOP.files}
    return {path: text for path, text in files.items() if path.split("/")[0] in _INDOORS}


def _private_places() -> list[Path]:
    """Where the caller's own files are, by their environment and by the system's accounts."""
    places = [state_home(), data_home()]
    if home := os.environ.get("HOME"):
        places.append(Path(home))
    with suppress(KeyError):
        places.append(Path(pwd.getpwuid(os.geteuid()).pw_dir))
    return places


def _live_record(machine: Machine) -> KeeperRecord:
    keep = Keep(machine.directory)
    record = keep.read_record()
    if record is None or not keep.is_held():
        message, hint = f"{machine.name} is not running", f"carrel up {machine.name}"
        raise MachineLost(message, op="machine.pause", hint=hint)
    return record


def _pause(group: Group, guest_pid: int | None) -> bool:
    if group.can_freeze():
        return group.halt()
    return guest_pid is not None and stop_all(guest_pid)
