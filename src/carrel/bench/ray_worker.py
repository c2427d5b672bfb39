"""What runs on the nodes of a Ray cluster: a desk, an agent at it, and a place for its journals.

A worker may be killed at any moment. What it leaves is removed by whoever it worked for, and what
that one could not reach, by the next worker on the node: a place whose lock nobody holds is left.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from carrel import codec
from carrel.bench.desk import Desks, clear_desks
from carrel.bench.incoming import pack_run
from carrel.bench.plan import Trial
from carrel.bench.play import DeskFault
from carrel.errors import CarrelError, Interrupted, NotFound
from carrel.machines.lifecycle import Machines

if TYPE_CHECKING:
    from carrel.agent.agent import Agent

__all__ = ["Order", "Worker", "clear_place", "sweep", "this_host"]

PREFIX = "carrel-bench-"
LOCK = ".alive"
GOING = 10.0
"""Seconds for a process that was killed to be gone."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a seat on another computer has to know."""

    suite: str
    model: str
    options: dict[str, str]
    base_url: str | None
    timeout: float | None
    max_steps: int | None


class Worker:
    """One desk on a node, and the agent at it."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = Order(**order)
        self._stack = ExitStack()

    def settle(self) -> dict[str, str]:
        """Make a place for itself, and say where it is."""
        import ray

        sweep()
        self._home = self._stack.enter_context(_own_place())
        node = ray.get_runtime_context().get_node_id()
        return {"home": str(self._home), "host": this_host(), "node": node}

    def begin(self, name: str) -> None:
        """Make the desk of that name."""
        from anyio.from_thread import start_blocking_portal

        from carrel.bench.suite import get_suite

        suite = get_suite(self._order.suite)
        self._portal = self._stack.enter_context(start_blocking_portal())
        desks = Desks(suite, self._home)
        opened = self._portal.wrap_async_context_manager(desks.open(name))
        self._desk = self._stack.enter_context(opened)
        self._agent = _agent(self._order, self._home, suite.actions)

    def play(self, trial: dict[str, Any]) -> dict[str, Any]:
        """Play an episode: its row and its journal, or the fault of the desk."""
        from carrel.bench.play import play

        given = partial(play, Trial(**trial), self._desk, self._agent, timeout=self._order.timeout)
        try:
            row = self._portal.call(given)
        except DeskFault as fault:
            return {"fault": str(fault)}
        return {"row": codec.encode(row), "journal": pack_run(row.run, self._home)}

    def end(self) -> None:
        """Remove the desk and the place."""
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


# Places


@contextmanager
def _own_place() -> Iterator[Path]:
    """A temporary directory that is known to be somebody's for as long as the process lives."""
    home, handle = _locked_place()
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)
        os.close(handle)


def _locked_place() -> tuple[Path, int]:
    for _ in range(10):
        home = Path(tempfile.mkdtemp(prefix=PREFIX))
        # Until it is locked, a sweeper may take it for one that was left.
        with suppress(FileNotFoundError):
            handle = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if _take(handle):
                return home, handle
            os.close(handle)
    raise Interrupted("whatever directory is made here is removed at once", retryable=True)


def _take(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sweep() -> tuple[str, ...]:
    """Remove what workers that are gone left on this computer; which places that were."""
    places = sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*"))
    return tuple(str(place) for place in places if _clear_if_left(place))


def clear_place(home: str, desk: str) -> None:
    """Remove what one worker left, once it is gone: its place, and its desk, half made or whole.

    Raises:
        RuntimeError: The desk could not be removed, or the worker does not go.
    """
    place = Path(home)
    if not place.is_absolute() or not place.name.startswith(PREFIX):
        raise RuntimeError(f"{home} is no place of a worker")
    until = time.monotonic() + GOING
    # A process that was killed a moment ago may still be making its desk.
    while place.exists() and not _clear_if_left(place):
        if time.monotonic() > until:
            raise RuntimeError(f"a worker that was killed is still in {home}")
        time.sleep(0.05)
    _delete(desk)


def _clear_if_left(place: Path) -> bool:
    """Remove a place and its desks, if nobody holds it."""
    try:
        if place.lstat().st_uid != os.geteuid() or place.is_symlink():
            return False
        handle = os.open(place / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        # Just being made, or just removed.
        return False
    try:
        return _take(handle) and _clear(place)
    finally:
        os.close(handle)


def _clear(place: Path) -> bool:
    try:
        anyio.run(clear_desks, place)
    except CarrelError:
        # Its desks cannot be removed now; the place names them for the next one.
        return False
    shutil.rmtree(place, ignore_errors=True)
    return True


def _delete(desk: str) -> None:
    try:
        anyio.run(Machines().delete, desk)
    except NotFound:
        return
    except CarrelError as error:
        raise RuntimeError(error.message) from error


def this_host() -> str:
    """Which computer this is: two nodes of a cluster may share one."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return boot.read_text().strip() if boot.exists() else socket.gethostname()
