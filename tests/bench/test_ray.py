"""The same benchmark over a Ray cluster: two real nodes, one of which is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from carrel.agent.agent import Agent
from carrel.bench.plan import Plan
from carrel.bench.ray_seats import RaySeats
from carrel.bench.results import Results, Row
from carrel.bench.runner import Bench
from carrel.bench.suite import get_suite
from carrel.errors import InvalidInput
from carrel.journal.verify import verify
from carrel.machines.lifecycle import Machines

ray = pytest.importorskip("ray")

# Ray leaves sockets and files of its own open when it shuts down.
pytestmark = [
    pytest.mark.image,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def bench(out: Path, seeds: tuple[int, ...], **more: Any) -> Bench:
    agent = Agent(model="steps")
    plan = Plan(("click-test", "enter-text"), seeds)
    # The pages' own ten seconds are few where other tests run beside these.
    more = {"timeout": 120.0, **more}
    return Bench(suite=get_suite("miniwob"), agent=agent, plan=plan, out=out, **more)


def test_a_lost_node_costs_nothing_but_time_and_the_results_are_those_of_one_computer(
    cluster: Any, tmp_path: Path
) -> None:
    doomed = cluster.add_node(num_cpus=1)
    lost: list[str] = []

    def lose(row: Row, results: Results) -> None:
        if not lost:
            lost.append(row.desk)
            cluster.remove_node(doomed, allow_graceful=False)

    seats = lambda made: RaySeats.of(made, cluster.address)  # noqa: E731
    spread = bench(tmp_path / "ray", (0, 1, 2), workers=2, on_row=lose, make_seats=seats)
    results = anyio.run(spread.play)
    assert lost
    assert not results.missing
    assert [row.fault for row in results.rows] == [""] * 6
    alone = anyio.run(bench(tmp_path / "alone", (0, 1, 2)).play)
    key = lambda row: (row.task, row.seed)  # noqa: E731
    told = {key(row): (row.success, row.reward, row.text) for row in results.rows}
    assert told == {key(row): (row.success, row.reward, row.text) for row in alone.rows}
    # Every journal came home, whole; the desks of both nodes are gone.
    assert all(verify(row.run, tmp_path / "ray").ok for row in results.rows)
    kept = {standing.machine.name for standing in anyio.run(Machines().list)}
    assert not kept & {row.desk for row in results.rows}


def test_an_agent_with_a_key_in_its_hand_is_not_sent_away(tmp_path: Path) -> None:
    made = bench(tmp_path, (0,))
    made.agent = Agent(model="steps", api_key="sk-mine")
    with pytest.raises(InvalidInput, match="named, not given"):
        RaySeats.of(made)
