"""Seats on the nodes of a Ray cluster: the same episodes, spread over many computers.

An actor on some node holds a desk and plays what it is given; the row and the run's journal come
back to the driver, which alone writes results. A node or a worker may be lost at any moment: its
episode is then played on another seat.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

import anyio
from anyio import to_thread

from carrel import codec
from carrel.bench.desk import new_name
from carrel.bench.incoming import take_run
from carrel.bench.plan import Trial
from carrel.bench.play import DeskFault
from carrel.bench.ray_worker import Order, Worker, clear_place, this_host
from carrel.bench.results import Row
from carrel.bench.seats import Seat
from carrel.codec import Json
from carrel.errors import AlreadyExists, InvalidInput, Unavailable, WrongState
from carrel.journal.redact import Redactor

if TYPE_CHECKING:
    from types import ModuleType

    from carrel.agent.agent import Agent
    from carrel.bench.runner import Bench

__all__ = ["Order", "RaySeats"]

logger = logging.getLogger(__name__)

STARTING = 180.0
"""Seconds for an actor to be placed and to make its desk."""
LONGEST = 3600.0
"""Seconds after which an episode is given up on, whatever its own limit."""
CLEARING = 30.0
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to begin on some node."""


def _ray() -> ModuleType:
    # Ray reports its use to its makers unless it is told not to.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError as error:
        raise Unavailable("ray is not installed", hint="pip install 'carrel[ray]'") from error
    return ray


class RaySeats:
    """Seats on a cluster.

    Args:
        order: What is played, and by whom.
        home: The results' directory, here: journals are brought to it.
        address: Of the cluster; None starts one on this computer, for as long as it is needed.
    """

    _joined: ClassVar[tuple[str | None, str] | None] = None
    """The cluster that was joined from here: as it was asked for, and where it is."""

    def __init__(self, order: Order, home: Path, address: str | None = None) -> None:
        self._order = order
        self._home = home
        self._address = address

    @classmethod
    def of(cls, bench: Bench, address: str | None = None) -> RaySeats:
        """The seats of a benchmark.

        Raises:
            InvalidInput: Its agent holds what cannot be sent to another computer.
        """
        agent = bench.agent
        _check_sendable(agent)
        assert isinstance(agent.model, str)
        order = Order(
            bench.suite.name,
            agent.model,
            dict(agent.model_options),
            agent.base_url,
            bench.timeout,
            bench.max_steps,
        )
        return cls(order, bench.out, address)

    def _join(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            self._check_joined()
            return
        try:
            ray.init(
                # None would join any cluster that happens to run on this computer.
                address=self._address or "local",
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise Unavailable(
                f"the Ray cluster cannot be joined: {error}",
                hint="ray start --head, then --ray-address 127.0.0.1:6379",
            ) from error
        RaySeats._joined = (self._address, ray.get_runtime_context().gcs_address)

    def _check_joined(self) -> None:
        """Refuse a cluster that is joined already and is not the one that was asked for."""
        there = str(_ray().get_runtime_context().gcs_address)
        if RaySeats._joined == (self._address, there) or self._address == "auto":
            return
        if self._address is not None and _same_place(self._address, there):
            return
        asked = self._address or "one of this computer alone"
        raise WrongState(
            f"this program has joined the Ray cluster at {there}, and not {asked}",
            hint=f"ray.shutdown() first, or name that cluster: {there}",
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Seat]:
        """A fresh desk on some node."""
        actor, desk, place = await self._begin()
        try:
            yield _RaySeat(actor, desk, self._home)
        finally:
            with anyio.CancelScope(shield=True):
                await _leave(actor, desk, place)

    async def _begin(self) -> tuple[Any, str, dict[str, str]]:
        """An actor with a desk; it takes a cluster a while to notice that a node is gone."""
        ray = _ray()
        fault: Exception | None = None
        for pause in PAUSES:
            actor = _remote_seat().remote(asdict(self._order))
            # Named from here: also what was only half made can be removed.
            desk, place = new_name(), dict[str, str]()
            try:
                place |= await _wait(actor.settle.remote(), STARTING)
                await _wait(actor.begin.remote(desk), STARTING)
            except BaseException as error:
                # It failed, was too slow, or is not wanted any more.
                with anyio.CancelScope(shield=True):
                    await _abandon(actor, desk, place)
                if not isinstance(error, ray.exceptions.RayError):
                    raise
                fault = error
            else:
                return actor, desk, place
            await anyio.sleep(pause)
        raise Unavailable(f"a node could not make a desk: {fault}", retryable=True) from fault

    async def clear(self) -> tuple[str, ...]:
        """Join the cluster; nothing was left behind, for each seat sees to its own desk."""
        await to_thread.run_sync(self._join)
        return ()


def _check_sendable(agent: Agent) -> None:
    """Refuse an agent of which something would be left behind, or a key sent along."""
    if not isinstance(agent.model, str) or agent.api_key is not None:
        raise InvalidInput(
            "an agent on a cluster is named, not given",
            hint="name the model; each node takes its key from its own environment",
        )
    names = ("tools", "mcp", "policy", "limits", "instructions")
    kept = [name for name in names if getattr(agent, name)]
    kept += ["secrets"] if agent.secrets.names else []
    if kept:
        raise InvalidInput(f"an agent on a cluster cannot have {', '.join(kept)} of its own")
    given: Mapping[str, str] = agent.model_options
    address = agent.base_url or ""
    if Redactor().data(given) != given or Redactor().text(address) != address:
        raise InvalidInput("what looks like a key is not sent to a cluster", hint=_KEYS)
    if "@" in urlsplit(address).netloc:
        raise InvalidInput("an address with a password is not sent to a cluster", hint=_KEYS)


_KEYS = "each node takes the model's key from its own environment"


def _same_place(one: str, two: str) -> bool:
    """Whether two addresses, `HOST:PORT`, are of the same server."""
    (first, port), (second, other) = (text.rpartition(":")[::2] for text in (one, two))
    return port == other and bool(_addresses(first) & _addresses(second))


def _addresses(host: str) -> set[str]:
    try:
        found = {str(item[4][0]) for item in socket.getaddrinfo(host, None)}
    except OSError:
        return {host}
    # A cluster of this computer may be called by any of its addresses.
    is_here = bool(found & {"127.0.0.1", "::1"}) or host == _own_address()
    return found | {"here"} if is_here else found


def _own_address() -> str:
    import ray.util

    return str(ray.util.get_node_ip_address())  # type: ignore[no-untyped-call]


async def _leave(actor: Any, desk: str, place: dict[str, str]) -> None:
    ray = _ray()
    try:
        await _wait(actor.end.remote(), CLEARING)
    except ray.exceptions.RayError:
        # Its process is gone or stuck, and cannot have removed its desk.
        await _abandon(actor, desk, place)
    else:
        ray.kill(actor)


async def _abandon(actor: Any, desk: str, place: dict[str, str]) -> None:
    """Kill an actor and remove what it leaves: on its own node, or here where that is the same.

    A computer that is gone took its desks along; if it comes back, the next worker clears up.
    """
    ray = _ray()
    ray.kill(actor)
    if not place:
        # It never said where it is, so it was not told to make anything.
        return
    if place["host"] == this_host():
        try:
            await to_thread.run_sync(clear_place, place["home"], desk)
        except RuntimeError as error:
            # Its place names what is left for the next worker, which tries again.
            logger.warning("%s", error)
        return
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    there = NodeAffinitySchedulingStrategy(place["node"], soft=False)
    clear = ray.remote(num_cpus=0, max_retries=0)(clear_place).options(scheduling_strategy=there)
    # Where the node is gone, too, there is nothing to remove.
    with suppress(ray.exceptions.RayError):
        await _wait(clear.remote(place["home"], desk), CLEARING)


async def _wait(reference: Any, seconds: float) -> Any:
    get = partial(_ray().get, reference, timeout=seconds)
    # A thread of its own: AnyIO's usual forty for all would bound how many seats there can be.
    alone = anyio.CapacityLimiter(1)
    return await to_thread.run_sync(get, abandon_on_cancel=True, limiter=alone)


class _RaySeat:
    def __init__(self, actor: Any, name: str, home: Path) -> None:
        self.name = name
        self._actor = actor
        self._home = home

    async def play(self, trial: Trial) -> Row:
        ray = _ray()
        try:
            played = await _wait(self._actor.play.remote(asdict(trial)), LONGEST)
        except ray.exceptions.RayError as error:
            raise DeskFault(f"the worker was lost: {type(error).__name__}") from error
        return await to_thread.run_sync(_received, played, trial, self._home)


def _received(played: Mapping[str, Any], trial: Trial, home: Path) -> Row:
    """What a node sent, if row and journal are about that episode and the journal is whole.

    Raises:
        DeskFault: It is not.
    """
    if "fault" in played:
        raise DeskFault(str(played["fault"]))
    try:
        row = codec.decode(Row, played.get("row"))
        if row.trial == trial:
            begun: dict[str, Json] = {"task": row.text or trial.task, "origin": trial.origin}
            take_run(bytes(played.get("journal", b"")), row.run, home, begun)
            return row
        problem = f"it is about {row.trial}"
    except (InvalidInput, AlreadyExists, TypeError) as error:
        problem = str(error)
    raise DeskFault(f"what the worker sent for {trial} is not used: {problem}")


@cache
def _remote_seat() -> Any:
    return _ray().remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Worker)
