"""Seats on the nodes of a Ray cluster: the same episodes, spread over many computers.

An actor on some node holds a desk and plays what it is given; the row and the run's journal come
back to the driver, which alone writes results. A node or a worker may be lost at any moment: its
episode is then played on another seat.
"""

from __future__ import annotations

import io
import logging
import os
import socket
import tarfile
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread

from carrel import codec
from carrel.bench.plan import Trial
from carrel.bench.play import DeskFault
from carrel.bench.results import Row
from carrel.bench.seats import Seat
from carrel.errors import CarrelError, InvalidInput, NotFound, Unavailable

if TYPE_CHECKING:
    from types import ModuleType

    from carrel.agent.agent import Agent
    from carrel.bench.runner import Bench

__all__ = ["Order", "RaySeats"]

STARTING = 180.0
"""Seconds for an actor to be placed and to make its desk."""
LONGEST = 3600.0
"""Seconds after which an episode is given up on, whatever its own limit."""
CLEARING = 30.0
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to begin on some node."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a seat on another computer has to know."""

    suite: str
    model: str
    options: dict[str, str]
    base_url: str | None
    timeout: float | None
    max_steps: int | None


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
        if not isinstance(agent.model, str) or agent.api_key is not None:
            raise InvalidInput(
                "an agent on a cluster is named, not given",
                hint="name the model; each node takes its key from its own environment",
            )
        options = dict(agent.model_options)
        order = Order(
            bench.suite.name,
            agent.model,
            options,
            agent.base_url,
            bench.timeout,
            bench.max_steps,
        )
        return cls(order, bench.out, address)

    def _join(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            return
        try:
            ray.init(
                address=self._address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise Unavailable(
                f"the Ray cluster cannot be joined: {error}",
                hint="ray start --head, then --ray-address 127.0.0.1:6379",
            ) from error

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Seat]:
        """A fresh desk on some node."""
        actor, began = await self._begin()
        seat = _RaySeat(actor, str(began["desk"]), self._home)
        try:
            yield seat
        finally:
            with anyio.CancelScope(shield=True):
                await self._leave(actor, began)
                _ray().kill(actor)

    async def _begin(self) -> tuple[Any, dict[str, str]]:
        """An actor with a desk; it takes a cluster a while to notice that a node is gone."""
        ray = _ray()
        fault: Exception | None = None
        for pause in PAUSES:
            actor = _remote_seat().remote(asdict(self._order))
            try:
                return actor, await _wait(actor.begin.remote(), STARTING)
            except ray.exceptions.RayError as error:
                ray.kill(actor)
                fault = error
            await anyio.sleep(pause)
        raise Unavailable(f"a node could not make a desk: {fault}", retryable=True) from fault

    async def _leave(self, actor: Any, began: dict[str, str]) -> None:
        ray = _ray()
        try:
            await _wait(actor.end.remote(), CLEARING)
        except ray.exceptions.RayError:
            # Its process is gone, and cannot have removed its desk.
            await self._clear_after(began)

    async def _clear_after(self, began: dict[str, str]) -> None:
        """Remove the desk of a lost seat: on its own node, or here where that is the same computer.

        A computer that is gone took its desks along.
        """
        if began["host"] == _this_host():
            await to_thread.run_sync(_delete, began["desk"])
            return
        ray = _ray()
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(began["node"], soft=False)
        delete = ray.remote(num_cpus=0, max_retries=0)(_delete).options(scheduling_strategy=there)
        # Where the node is gone, too, there is nothing to remove.
        with suppress(ray.exceptions.RayError):
            await _wait(delete.remote(began["desk"]), CLEARING)

    async def clear(self) -> tuple[str, ...]:
        """Join the cluster; nothing was left behind, for each seat sees to its own desk."""
        await to_thread.run_sync(self._join)
        return ()


async def _wait(reference: Any, seconds: float) -> Any:
    get = partial(_ray().get, reference, timeout=seconds)
    return await to_thread.run_sync(get, abandon_on_cancel=True)


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
        if "fault" in played:
            raise DeskFault(str(played["fault"]))
        await to_thread.run_sync(_unpack, played["journal"], self._home)
        return codec.decode(Row, played["row"])


# What follows runs on the nodes


@cache
def _remote_seat() -> Any:
    return _ray().remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Worker)


class _Worker:
    """One desk on a node, and the agent at it."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = Order(**order)
        self._stack = ExitStack()

    def begin(self) -> dict[str, str]:
        """Make the desk."""
        from anyio.from_thread import start_blocking_portal

        from carrel.bench.desk import Desks
        from carrel.bench.suite import get_suite

        home = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="carrel-bench-"))
        suite = get_suite(self._order.suite)
        self._portal = self._stack.enter_context(start_blocking_portal())
        desks = Desks(suite, Path(home))
        opened = self._portal.wrap_async_context_manager(desks.open())
        self._desk = self._stack.enter_context(opened)
        self._agent = _agent(self._order, Path(home), suite.actions)
        self._home = Path(home)
        node = _ray().get_runtime_context().get_node_id()
        return {"desk": self._desk.name, "host": _this_host(), "node": node}

    def play(self, trial: dict[str, Any]) -> dict[str, Any]:
        """Play an episode: its row and its journal, or the fault of the desk."""
        from carrel.bench.play import play

        given = partial(play, Trial(**trial), self._desk, self._agent, timeout=self._order.timeout)
        try:
            row = self._portal.call(given)
        except DeskFault as fault:
            return {"fault": str(fault)}
        return {"row": codec.encode(row), "journal": _pack(self._home, row.run)}

    def end(self) -> None:
        """Remove the desk."""
        self._stack.close()


def _agent(order: Order, home: Path, actions: frozenset[str] | None) -> Agent:
    from carrel.agent.agent import Agent
    from carrel.policy.limits import Limits

    limits = Limits() if order.max_steps is None else Limits(steps=order.max_steps)
    return Agent(
        model=order.model,
        model_options=order.options,
        base_url=order.base_url,
        home=home,
        actions=actions,
        limits=limits,
    )


def _pack(home: Path, run: str) -> bytes:
    from carrel.journal.paths import run_directory

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.add(run_directory(run, home), f"runs/{run}")
    return out.getvalue()


def _unpack(journal: bytes, home: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(journal)) as tar:
        tar.extractall(home, filter="data")


def _delete(desk: str) -> None:
    from carrel.machines.lifecycle import Machines

    try:
        anyio.run(Machines().delete, desk)
    except NotFound:
        return
    except CarrelError as error:
        raise RuntimeError(error.message) from error


def _this_host() -> str:
    """Which computer this is: two nodes of a cluster may share one."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return boot.read_text().strip() if boot.exists() else socket.gethostname()
