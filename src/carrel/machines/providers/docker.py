"""Machines as containers, by the API of Docker or Podman."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, cast

from anyio import to_thread

from carrel import codec
from carrel.errors import (
    CarrelError,
    MachineLost,
    NotFound,
    RunError,
    Unavailable,
    WrongState,
)
from carrel.machines import interpreter
from carrel.machines.bundle import guest_bundle
from carrel.machines.docker.api import EngineApi, engine_socket
from carrel.machines.docker.orphans import end_without_engine
from carrel.machines.docker.transfer import engine_image, import_image
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.keep import GIVEN, EnginePlan, Keep, KeeperPlan
from carrel.machines.lending import volume_places
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Health, Isolation, Metrics, Progress
from carrel.machines.providers._guest import check_image_spec, guest_argv, prepare_image
from carrel.machines.providers._kept import Kept
from carrel.machines.providers._spawn import Spawn
from carrel.machines.sandbox.layout import agent_env, machine_identity
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_HOME, AGENT_UID, GUEST_BUNDLE
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State

__all__ = ["DockerProvider"]

HOLDER = "carrel.machines.docker.holder"
MACHINE, HOME, FIT = "org.carrel.machine", "org.carrel.home", "org.carrel.fit"
"""Labels: whose container it is, in which directory of machines that one is, and for what wish."""

_TIDY_SECONDS = 3.0
_TIDY_LATER = 60.0
_left_alone: dict[Path, float] = {}
"""Until when engines that hang are not asked what there is to tidy up."""
_KEPT = "carrel/kept"
# Said, because an engine that may not raise its own limits fails at the defaults of some.
_LIMITS = [
    {"Name": "nofile", "Soft": 4096, "Hard": 4096},
    {"Name": "nproc", "Soft": 16384, "Hard": 16384},
]
_NEXT = "-next"
_COMMIT_SECONDS = 600.0

_MB = 1 << 20

logger = logging.getLogger(__name__)


class DockerProvider(Kept):
    """Machines that share this kernel, walled off by a container engine.

    See docs/adr/0014-machines-of-one-line.md.
    """

    name: ClassVar[str] = "docker"
    isolation: ClassVar[Isolation] = Isolation.CONTAINER
    capabilities: ClassVar[Capabilities] = Capabilities(pause=True, volumes=True)

    async def probe(self) -> Health:
        """Ask the engine what it is; a container is not run, for that needs an image."""
        try:
            api = EngineApi(engine_socket())
            found = await to_thread.run_sync(api.get, "/info")
        except CarrelError as error:
            return Health(False, Isolation.CONTAINER, error.message, error.hint)
        name = found.get("ServerVersion") if isinstance(found, dict) else None
        return Health(True, Isolation.CONTAINER, f"the engine {name} answers on {api.path}")

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse what a container cannot be made from."""
        check_image_spec(spec, tuple(RECIPES), volumes=True)

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """See that the engine answers; build the image if it is not there, and give it to that."""
        self.check_spec(spec)
        api = EngineApi(engine_socket())
        await to_thread.run_sync(api.get, "/version")
        await prepare_image(spec.image, progress)
        image = resolve_image(spec.image)
        await to_thread.run_sync(import_image, api, image, progress)

    async def create(self, machine: Machine) -> None:
        """Make the container; nothing runs in it yet."""
        private_directory(machine.directory)
        await to_thread.run_sync(self._create, machine)

    def _create(self, machine: Machine) -> None:
        api = EngineApi(engine_socket())
        api.post("/containers/create", container_wish(machine), name=container_name(machine))

    def owner(self, machine: Machine) -> tuple[int, int] | None:
        """The agent's own numbers: a container of root's has this system's users."""
        return (AGENT_UID, AGENT_GID) if os.geteuid() == 0 else None

    async def start(self, machine: Machine, progress: Progress) -> None:
        """Start it, in a new container on the same disk where the wish has changed."""
        await to_thread.run_sync(_refit, machine, progress)
        try:
            await super().start(machine, progress)
        except RunError:
            # Of a container that ended while its engine was away, an engine has the input at its
            # end for one more start: its guest then takes its leave at once.
            if not await to_thread.run_sync(_took_leave, container_name(machine)):
                await self.recover(machine)  # it may run although its holder has ended
                raise
            await super().start(machine, progress)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Hold the container, from its start to its end."""
        argv = interpreter.command(HOLDER, str(engine_socket()), container_name(machine), GIVEN)
        engine = EnginePlan(tuple(argv), interpreter.environment())
        return KeeperPlan(machine.id, machine.spec, engine=engine)

    def _spawn(self, spawn: Spawn, machine: Machine) -> None:
        """Start the container here, where all is loaded, while its keeper and holder load."""
        api, name = EngineApi(engine_socket()), container_name(machine)

        def attach() -> socket.socket:
            with _refusals(machine):
                return api.attach(name, self.start_bound)

        # Its input ends with the last who has this line, whichever of us is killed.
        spawn.start(lambda: self.plan(machine), attach)
        with _refusals(machine):
            api.post(f"/containers/{name}/start", timeout=self.start_bound)

    async def delete(self, machine: Machine) -> None:
        """End it, and remove the container and the machine's directory.

        Of an engine that is gone, what runs is ended all the same, and what it has on its disk is
        removed when it is back; see `collect`.
        """
        await super().delete(machine)
        try:
            await to_thread.run_sync(_remove, container_name(machine))
            await to_thread.run_sync(_forget, machine.id)
        except Unavailable as error:
            await to_thread.run_sync(end_without_engine, machine)
            logger.warning("the disk of %s is left to its engine: %s", machine.name, error)

    async def pause(self, machine: Machine) -> None:
        """Have the engine freeze it."""
        await self._tell(machine, "pause")

    async def resume(self, machine: Machine) -> None:
        """Have the engine thaw it."""
        await self._tell(machine, "unpause")

    async def _tell(self, machine: Machine, what: str) -> None:
        if not Keep(machine.directory).is_held():
            raise MachineLost(f"{machine.name} is not running", op=f"machine.{what}")
        api = EngineApi(engine_socket())
        path = f"/containers/{container_name(machine)}/{what}"
        await to_thread.run_sync(api.post, path)

    async def inspect(self, machine: Machine) -> Observed:
        """Look at the keeper, and ask the engine about the container."""
        observed = await super().inspect(machine)
        if observed.state is State.LOST:
            return observed
        try:
            state = await to_thread.run_sync(_state, container_name(machine))
        except NotFound:
            return Observed(State.LOST, cause="its container is gone")
        except Unavailable as error:
            if observed.state is State.STOPPED:
                return observed
            # With its start, by which its end is told once.
            hint = (f"try: {error.hint}",)
            return Observed(State.ERROR, error.message, None, observed.started_at, hint)
        if observed.state is State.RUNNING and state.get("Paused"):
            return Observed(State.PAUSED, None, observed.pid, observed.started_at, observed.notes)
        return observed

    async def recover(self, machine: Machine) -> None:
        """End a container whose keeper was killed."""
        await super().recover(machine)
        if not Keep(machine.directory).is_held():
            await to_thread.run_sync(_kill, machine)

    async def metrics(self, machine: Machine) -> Metrics:
        """The engine's own figures; unknown while it does not run."""
        if not Keep(machine.directory).is_held():
            return Metrics()
        api = EngineApi(engine_socket())
        path = f"/containers/{container_name(machine)}/stats"
        found = await to_thread.run_sync(lambda: api.get(path, stream="false"))
        return read_stats(found if isinstance(found, dict) else {})

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Finish interrupted removals, and remove containers of machines that are no more."""
        removed = list(await super().collect(home, known))
        removed += await to_thread.run_sync(_collect, home, known)
        return tuple(removed)


def container_name(machine: Machine) -> str:
    """What the engine calls a machine."""
    return f"carrel-{machine.id}"


def container_wish(machine: Machine) -> dict[str, object]:
    """The body of the request that makes a machine's container."""
    spec = machine.spec
    image = resolve_image(spec.image)
    memory = spec.memory_mb * _MB
    half = max(spec.memory_mb // 2, 32)
    wish: dict[str, object] = {
        "Image": engine_image(image),
        "Hostname": machine.name,
        "User": f"{AGENT_UID}:{AGENT_GID}",
        "WorkingDir": AGENT_HOME,
        "Env": [f"{name}={value}" for name, value in agent_env(extra=spec.env).items()],
        "Cmd": list(guest_argv(image.python, spec, "--first", "--stdio")),
        "Entrypoint": [],
        # Its input ends with whoever holds it, and the guest with its input.
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "Tty": False,
        "NetworkDisabled": True,
        "Labels": {
            MACHINE: machine.id,
            HOME: str(machine.directory.parent),
            FIT: fit(spec),
        },
        "HostConfig": {
            "NetworkMode": "none",
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges"],
            "IpcMode": "private",
            "PidsLimit": spec.pids,
            "Memory": memory,
            "MemorySwap": memory,
            "NanoCpus": spec.cpus * 1_000_000_000,
            "ShmSize": half * _MB,
            "Tmpfs": {
                "/tmp": f"rw,nosuid,nodev,exec,size={half}m,mode=1777",  # noqa: S108
                "/run": "rw,nosuid,nodev,size=64m,mode=755",
            },
            "Binds": [
                f"{guest_bundle()}:{GUEST_BUNDLE}:ro",
                *_identity(machine),
                *(f"{path}:{place}:rw" for path, place in volume_places(machine)),
            ],
            "Ulimits": _LIMITS,
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
        },
    }
    return wish


def fit(spec: MachineSpec) -> str:
    """Tells whether a container was made for the same wish, as far as that is fixed with it."""
    fixed = (spec.size, spec.memory_mb, spec.pids, spec.cpus, dict(spec.env), spec.volumes)
    return hashlib.sha256(json.dumps(codec.encode(fixed), sort_keys=True).encode()).hexdigest()[:16]


@contextmanager
def _refusals(machine: Machine) -> Iterator[None]:
    """Tell what an engine refuses as a start that failed, after which things are put in order.

    In particular a conflict: what stands in the way is the container's state, not a keeper's.
    """
    try:
        yield
    except CarrelError as error:
        words = f"{machine.name} did not start: {error.message}"
        raise RunError(words, op="machine.start", hint=error.hint) from error


def _refit(machine: Machine, progress: Progress) -> None:
    """Give a machine whose wish has changed another container, with all that was written."""
    api, name = EngineApi(engine_socket()), container_name(machine)
    told = api.get(f"/containers/{name}/json")
    found = told if isinstance(told, dict) else {}
    labels = _part(_part(found, "Config"), "Labels")
    if labels.get(FIT) == fit(machine.spec):
        return
    progress("making its container anew", None)
    api.post("/commit", {}, _COMMIT_SECONDS, container=name, repo=_KEPT, tag=machine.id)
    wish = {**container_wish(machine), "Image": f"{_KEPT}:{machine.id}"}
    # The disk remembers what was set before, and an engine would set it again.
    gone = _names(_part(found, "Config").get("Env")) - _names(wish["Env"])
    unset = [word for each in sorted(gone) for word in ("-u", each)]
    wish["Cmd"] = ["/usr/bin/env", *unset, *cast("list[str]", wish["Cmd"])]
    api.delete(f"/containers/{name}{_NEXT}", force="true")
    api.post("/containers/create", wish, name=name + _NEXT)
    api.delete(f"/containers/{name}", force="true")
    api.post(f"/containers/{name}{_NEXT}/rename", name=name)


def _names(variables: object) -> set[str]:
    texts = variables if isinstance(variables, list) else []
    return {str(text).partition("=")[0] for text in texts}


def _forget(identity: str) -> None:
    """Remove the disk that a container was made anew from."""
    EngineApi(engine_socket()).delete(f"/images/{_KEPT}:{identity}", force="true")


def _identity(machine: Machine) -> list[str]:
    """A machine id of its own, which D-Bus and others ask for, and what `localhost` is.

    An engine leaves a container without a network without any names.
    """
    texts = {
        "machine-id": machine_identity(machine.id) + "\n",
        "hosts": f"127.0.0.1 localhost {machine.name}\n::1 localhost\n",
    }
    for name, text in texts.items():
        path = machine.directory / name
        path.write_text(text)
        path.chmod(0o644)
    return [f"{machine.directory / name}:/etc/{name}:ro" for name in texts]


def read_stats(found: Mapping[str, object]) -> Metrics:
    """What the engine's statistics say; None is unknown."""
    memory, cpu, pids = (_part(found, name) for name in ("memory_stats", "cpu_stats", "pids_stats"))
    spent = _number(_part(cpu, "cpu_usage").get("total_usage"))
    moved = _part(found, "blkio_stats").get("io_service_bytes_recursive")
    return Metrics(
        _number(memory.get("usage")),
        spent / 1e9 if spent is not None else None,
        _number(pids.get("current")),
        _moved(moved, "read"),
        _moved(moved, "write"),
    )


def _moved(moved: object, which: str) -> int | None:
    """Bytes read or written, on all disks; the engine says nothing where it cannot know."""
    if not isinstance(moved, list) or not moved:
        return None
    entries = [entry for entry in moved if isinstance(entry, dict)]
    return sum(
        _number(entry.get("value")) or 0
        for entry in entries
        if str(entry.get("op")).lower() == which
    )


def _part(found: Mapping[str, object], name: str) -> Mapping[str, object]:
    part = found.get(name)
    return part if isinstance(part, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _state(container: str) -> Mapping[str, object]:
    api = EngineApi(engine_socket())
    try:
        found = api.get(f"/containers/{container}/json")
    except NotFound:
        # One was being made anew when its maker was killed.
        api.post(f"/containers/{container}{_NEXT}/rename", name=container)
        found = api.get(f"/containers/{container}/json")
    return _part(found if isinstance(found, dict) else {}, "State")


def _took_leave(container: str) -> bool:
    """Whether its guest has ended in good order."""
    state = _state(container)
    return state.get("Status") == "exited" and state.get("ExitCode") == 0


def _kill(machine: Machine) -> None:
    container = container_name(machine)
    try:
        if _state(container).get("Running"):
            EngineApi(engine_socket()).post(f"/containers/{container}/kill")
    except (NotFound, WrongState):
        return  # it has ended by itself
    except Unavailable:
        # What an engine ran does not end with it.
        end_without_engine(machine)


def _remove(container: str) -> None:
    for name in (container, container + _NEXT):
        EngineApi(engine_socket()).delete(f"/containers/{name}", force="true", v="true")


def _collect(home: Path, known: frozenset[str]) -> list[str]:
    """Containers labelled as this store's whose machine it does not know any more."""
    api = EngineApi(engine_socket())
    if not api.path.exists():
        return []
    wanted = f'{{"label":["{HOME}={home}"]}}'
    began = time.monotonic()
    if began < _left_alone.get(api.path, 0.0):
        return []
    try:
        # This is done before most commands: an engine that hangs must not hold them all up.
        found = api.get("/containers/json", timeout=_TIDY_SECONDS, all="true", filters=wanted)
    except Unavailable:
        if time.monotonic() - began >= _TIDY_SECONDS:
            _left_alone[api.path] = time.monotonic() + _TIDY_LATER
        return []
    removed = []
    for entry in found if isinstance(found, list) else []:
        labels = _part(entry if isinstance(entry, dict) else {}, "Labels")
        identity = str(labels.get(MACHINE))
        if labels.get(HOME) == str(home) and identity not in known:
            if (home / identity).exists():
                continue  # its removal, or its making, is somebody's business
            _remove(f"carrel-{identity}")
            _forget(identity)
            removed.append(f"container of the deleted machine {identity}")
    return removed
