"""Machines as containers, by the API of Docker or Podman."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from anyio import to_thread

from carrel.errors import (
    CarrelError,
    MachineLost,
    NotFound,
    RunError,
    Unavailable,
    WrongState,
)
from carrel.machines import interpreter
from carrel.machines.docker.api import EngineApi, engine_socket
from carrel.machines.docker.container import (
    HOME,
    KEPT,
    MACHINE,
    NEXT,
    container_name,
    container_wish,
    refit,
)
from carrel.machines.docker.figures import limits_reached, part, read_stats
from carrel.machines.docker.orphans import end_without_engine
from carrel.machines.docker.transfer import import_image
from carrel.machines.images import RECIPES, resolve_image
from carrel.machines.keep import GIVEN, EnginePlan, Keep, KeeperPlan
from carrel.machines.paths import private_directory
from carrel.machines.provider import Capabilities, Health, Isolation, Metrics, Progress
from carrel.machines.providers._guest import check_image_spec, prepare_image
from carrel.machines.providers._kept import Kept
from carrel.machines.providers._spawn import Spawn
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_UID
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State

__all__ = ["DockerProvider"]

HOLDER = "carrel.machines.docker.holder"

_TIDY_SECONDS = 3.0
_TIDY_LATER = 60.0
_left_alone: dict[Path, float] = {}
"""Until when engines that hang are not asked what there is to tidy up."""

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
        await to_thread.run_sync(refit, machine, progress)
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
            found = await to_thread.run_sync(_found, container_name(machine))
        except NotFound:
            return Observed(State.LOST, cause="its container is gone")
        except Unavailable as error:
            if observed.state is State.STOPPED:
                return observed
            # With its start, by which its end is told once.
            hint = (f"try: {error.hint}",)
            return Observed(State.ERROR, error.message, None, observed.started_at, hint)
        if observed.state is not State.RUNNING:
            return observed
        state = State.PAUSED if part(found, "State").get("Paused") else observed.state
        return replace(observed, state=state, notes=(*observed.notes, *limits_reached(found)))

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


@contextmanager
def _refusals(machine: Machine) -> Iterator[None]:
    """Tell what an engine refuses as a start that failed, after which things are put in order.

    In particular a conflict: what stands in the way is the container's state, not a keeper's.
    """
    try:
        yield
    except Unavailable:
        raise
    except CarrelError as error:
        raise RunError(
            f"{machine.name} did not start: {error.message}",
            op="machine.start",
            retryable=error.retryable,
            hint=error.hint,
            context=error.context,
        ) from error


def _forget(identity: str) -> None:
    """Remove the disk that a container was made anew from."""
    EngineApi(engine_socket()).delete(f"/images/{KEPT}:{identity}", force="true")


def _state(container: str) -> Mapping[str, object]:
    return part(_found(container), "State")


def _found(container: str) -> Mapping[str, object]:
    """What the engine tells of a container."""
    api = EngineApi(engine_socket())
    try:
        found = api.get(f"/containers/{container}/json")
    except NotFound:
        # One was being made anew when its maker was killed.
        api.post(f"/containers/{container}{NEXT}/rename", name=container)
        found = api.get(f"/containers/{container}/json")
    return found if isinstance(found, dict) else {}


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
    for name in (container, container + NEXT):
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
        labels = part(entry if isinstance(entry, dict) else {}, "Labels")
        identity = str(labels.get(MACHINE))
        if labels.get(HOME) == str(home) and identity not in known:
            if (home / identity).exists():
                continue  # its removal, or its making, is somebody's business
            _remove(f"carrel-{identity}")
            _forget(identity)
            removed.append(f"container of the deleted machine {identity}")
    return removed
