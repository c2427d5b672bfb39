"""A cluster that fails on the way: nothing is left behind, and nobody else's cluster is used."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from carrel.bench import ray_seats
from carrel.bench.ray_seats import RaySeats
from carrel.bench.ray_worker import PREFIX, Order
from carrel.errors import Unavailable, WrongState
from carrel.machines.lifecycle import Machines

ray = pytest.importorskip("ray")

pytestmark = [
    pytest.mark.image,
    pytest.mark.slow,
    # Ray leaves sockets and files of its own open when it shuts down.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
HERE = Path(__file__).parent


def order(suite: str) -> Order:
    return Order(suite, "steps", {}, None, None, None)


def places() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"{PREFIX}*"))


def desks() -> set[str]:
    return {m.name for m in Machines().store.all() if m.name.startswith("bench-")}


@pytest.fixture(scope="module")
def cluster(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A cluster of one node, with places and machines of its own."""
    own = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(own / "state"))
        patch.setenv("TMPDIR", str(own))
        patch.setattr(tempfile, "tempdir", str(own))
        # Its sockets have names that are longer than these may be.
        patch.setenv("RAY_TMPDIR", "/tmp")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        # Its workers know the plug-in, too.
        paths = [str(plugin), str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))
        from ray.cluster_utils import Cluster

        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        yield nodes
        ray.shutdown()
        nodes.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_seats, "PAUSES", (0.1,))


def open_on(cluster: Any, suite: str, home: Path) -> None:
    seats = RaySeats(order(suite), home, cluster.address)

    async def use() -> None:
        await seats.clear()
        async with seats.open():
            pytest.fail("it opened")

    anyio.run(use)


@pytest.mark.usefixtures("quick")
def test_a_desk_that_cannot_be_made_ready_is_removed(cluster: Any, tmp_path: Path) -> None:
    before = (places(), desks())
    with pytest.raises(Unavailable, match="there is no stage"):
        open_on(cluster, "spoilt", tmp_path)
    assert (places(), desks()) == before


@pytest.mark.usefixtures("quick")
def test_a_desk_that_is_not_ready_in_time_is_removed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (places(), desks())
    monkeypatch.setattr(ray_seats, "STARTING", 8.0)
    with pytest.raises(Unavailable, match="could not make a desk"):
        open_on(cluster, "stuck", tmp_path)
    assert (places(), desks()) == before


def test_a_desk_that_is_not_wanted_any_more_is_removed_half_made(
    cluster: Any, tmp_path: Path
) -> None:
    seats = RaySeats(order("stuck"), tmp_path, cluster.address)
    before = (places(), desks())
    made: list[str] = []

    async def use() -> None:
        await seats.clear()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(hold, seats)
            with anyio.fail_after(60):
                while not desks() - before[1]:  # noqa: ASYNC110 (a store has no event)
                    await anyio.sleep(0.05)
            made.extend(desks() - before[1])
            tasks.cancel_scope.cancel()

    anyio.run(use)
    assert len(made) == 1
    assert (places(), desks()) == before


async def hold(seats: RaySeats) -> None:
    async with seats.open():
        pytest.fail("it opened")


def test_another_cluster_than_the_one_asked_for_is_not_used(cluster: Any, tmp_path: Path) -> None:
    mine = RaySeats(order("clip"), tmp_path, cluster.address)
    anyio.run(mine.clear)
    port = cluster.address.rpartition(":")[2]
    anyio.run(RaySeats(order("clip"), tmp_path, f"localhost:{port}").clear)
    for other in ("127.0.0.1:1", "elsewhere.invalid:6379", "ray://elsewhere.invalid:1", None):
        with pytest.raises(WrongState, match="has joined the Ray cluster at"):
            anyio.run(RaySeats(order("clip"), tmp_path, other).clear)
