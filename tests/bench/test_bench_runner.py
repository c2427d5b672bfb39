"""The runner on real desks, with a suite as a plug-in of somebody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from clip_suite import ClipSuite
from copying import IdleModel, RefusedModel, TestModel, copy

from carrel.actions import Action, SetClipboard
from carrel.agent.agent import Agent
from carrel.bench.plan import Plan, Trial
from carrel.bench.results import Results, Row, read_results
from carrel.bench.runner import TRIES, Bench
from carrel.errors import InvalidInput, Unavailable
from carrel.journal.index import Runs
from carrel.journal.run import load_run
from carrel.machines.lifecycle import Machines
from carrel.models.context import Context
from carrel.models.model import Model

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.image]


def bench(out: Path, *tasks: str, seeds: int = 1, model: Model | None = None, **more: Any) -> Bench:
    plan = Plan(tasks, tuple(range(seeds)), more.pop("attempts", 1))
    agent = Agent(model=model or TestModel(copy))
    return Bench(suite=ClipSuite(), agent=agent, plan=plan, out=out, **more)


async def play(wish: Bench) -> Results:
    with anyio.fail_after(60):
        return await wish.play()


def desks() -> list[str]:
    return [m.name for m in Machines().store.all() if m.name.startswith("bench-")]


async def test_each_episode_is_judged_written_and_journaled(tmp_path: Path) -> None:
    told: list[Row] = []
    wish = bench(tmp_path, "copy", "halves", seeds=2, workers=2)
    wish.on_row = lambda row, results: told.append(row)
    results = await play(wish)
    assert sorted(row.trial for row in told) == sorted(wish.plan.trials())
    assert read_results(tmp_path).rows == results.rows
    outcomes = {row.trial: (row.success, row.reward, row.reason) for row in results.rows}
    assert outcomes[Trial("copy", 1)] == (True, 1.0, "it is there")
    # A reward in part is no success.
    assert outcomes[Trial("halves", 0)] == (False, 0.5, "half of it")
    assert len({row.desk for row in results.rows}) == 2
    for row in results.rows:
        run = load_run(row.run, tmp_path)
        assert run.task == row.text
        assert (run.status, row.end) == ("cancelled", "cancelled")
        assert row.message == "cancelled by the judge"
        assert (row.tries, row.fault, row.earlier) == (1, "", ())
    assert not set(desks()) & {row.desk for row in results.rows}
    assert not list((tmp_path / "desks").iterdir())


async def test_what_the_agent_does_after_the_end_does_not_change_the_verdict(
    tmp_path: Path,
) -> None:
    def twice(context: Context) -> Action:
        return SetClipboard(("alpha", "spoilt")[min(context.decided, 1)])

    row = (await play(bench(tmp_path, "copy", model=TestModel(twice)))).rows[0]
    assert (row.success, row.reason) == (True, "it is there")


async def test_time_runs_out_for_an_agent_that_does_nothing(tmp_path: Path) -> None:
    wish = bench(tmp_path, "never", model=IdleModel(), timeout=0.3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("carrel.bench.play.LATE", 0.2)
        row = (await play(wish)).rows[0]
    assert (row.success, row.reason) == (False, "nothing was copied")
    assert 0.4 <= row.seconds < 5
    assert not load_run(row.run, tmp_path).is_final


async def test_a_lost_desk_is_replaced_and_the_episode_played_again(tmp_path: Path) -> None:
    ClipSuite.breaks = {0: 1, 1: TRIES}
    results = await play(bench(tmp_path, "fragile", "copy", seeds=2))
    by_trial = {row.trial: row for row in results.rows}
    assert len(by_trial) == 4
    again = by_trial[Trial("fragile", 0)]
    assert (again.success, again.tries, len(again.earlier), again.fault) == (True, 2, 1, "")
    assert "lost" in again.earlier[0] or "interrupted" in again.earlier[0]
    # Broken every time: counted as a failure, and as a fault.
    spoilt = by_trial[Trial("fragile", 1)]
    assert (spoilt.success, spoilt.tries, spoilt.reason) == (False, TRIES, "not judged")
    assert spoilt.fault
    assert by_trial[Trial("copy", 1)].success
    assert not list((tmp_path / "desks").iterdir())
    # Faults are played again when it goes on, and only they.
    resumed = await play(bench(tmp_path, "fragile", "copy", seeds=2, resume=True))
    assert {row.trial: row for row in resumed.rows}[Trial("fragile", 1)].success
    assert {row.run for row in results.rows if row.run} < {row.run for row in resumed.rows}


async def test_attempts_are_played_from_the_same_seed(tmp_path: Path) -> None:
    results = await play(bench(tmp_path, "copy", attempts=3))
    assert [row.attempt for row in results.rows] == [0, 1, 2]
    assert len({row.text for row in results.rows}) == 1
    assert len(Runs(tmp_path).ids()) == 3


async def test_a_model_that_cannot_be_asked_ends_it_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        await play(bench(tmp_path, "copy", seeds=5, model=RefusedModel()))
    assert "--resume" in str(caught.value.hint)
    rows = read_results(tmp_path).rows
    assert [(row.success, row.fault) for row in rows] == [(False, "model: the key is wrong")]
    assert not list((tmp_path / "desks").iterdir())


async def test_an_agent_is_held_to_the_steps_it_has(tmp_path: Path) -> None:
    def never(context: Context) -> Action:
        return SetClipboard(f"{context.decided}")

    wish = bench(tmp_path, "never", model=TestModel(never), max_steps=3)
    row = (await play(wish)).rows[0]
    assert (row.steps, row.end) == (3, "step_limit")


async def test_wishes_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        bench(tmp_path, "copy", workers=0)
    with pytest.raises(InvalidInput):
        bench(tmp_path, seeds=1)
