"""What is sent to a cluster and what comes back from it, and places that workers leave."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from threading import Barrier
from typing import Any

import anyio
import pytest
from test_bench_incoming import keep

from carrel.agent.agent import Agent
from carrel.bench import ray_seats
from carrel.bench.plan import Plan, Trial
from carrel.bench.play import DeskFault
from carrel.bench.ray_seats import RaySeats, _received
from carrel.bench.ray_worker import sweep
from carrel.bench.results import Row
from carrel.bench.runner import Bench
from carrel.bench.suite import get_suite
from carrel.errors import InvalidInput
from carrel.policy.limits import Limits
from carrel.policy.secrets import Secret, Secrets

HOLD = """
import sys
from carrel.bench.ray_worker import _own_place
with _own_place() as place:
    (place / "runs").mkdir()
    print(place, flush=True)
    sys.stdin.read()
"""


def hold() -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_worker_left_is_swept_and_what_is_in_use_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, left = hold()
    alive, used = hold()
    with dead, alive:
        dead.send_signal(signal.SIGKILL)
        dead.wait(10)
        assert left.is_dir()
        swept = sweep()
        assert swept == (str(left),)
        assert not left.exists()
        assert (used / "runs").is_dir()
        alive.communicate("", timeout=10)
    # Whoever ends by itself leaves nothing.
    assert not used.exists()


def bench(out: Path, **agent: Any) -> Bench:
    made = Agent(**{"model": "steps", **agent})
    return Bench(suite=get_suite("miniwob"), agent=made, plan=Plan(("x",), (0,)), out=out)


@pytest.mark.parametrize(
    "agent",
    [
        {"api_key": "sk-mine"},
        {"model_options": {"api_key": "anything"}},
        {"model_options": {"authorization": "anything"}},
        {"model_options": {"extra": "sk-ant-0123456789abcdef"}},
        {"base_url": "https://ann:hush@models.example/v1"},
        {"base_url": "https://models.example/v1?key=AIzaSyA0123456789012345678901234567890"},
        {"instructions": "be quick"},
        {"limits": Limits(steps=3)},
        {"secrets": Secrets([Secret("PIN", "4711")])},
    ],
)
def test_an_agent_is_not_sent_with_a_key_or_without_a_part(
    tmp_path: Path, agent: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        RaySeats.of(bench(tmp_path, **agent))
    told = f"{caught.value} {caught.value.hint}"
    assert not any(word in told for word in ("sk-", "hush", "anything", "AIza", "4711"))


def test_an_agent_that_is_only_named_is_sent(tmp_path: Path) -> None:
    options = {"dialect": "marks", "stream": "false", "region": "eu"}
    assert RaySeats.of(bench(tmp_path, model_options=options, base_url="http://10.0.0.1:8000/v1"))


TRIAL = Trial("click-test", 3)


def test_a_row_about_another_episode_is_not_used(tmp_path: Path) -> None:
    journal = keep(tmp_path / "node", origin=TRIAL.origin)
    row = asdict(Row("click-test", 3, run="run_1", success=True, text="copy"))
    got = _received({"row": row, "journal": journal}, TRIAL, tmp_path / "home")
    assert (got.trial, got.success) == (TRIAL, True)
    for wrong in ({**row, "seed": 4}, {**row, "task": "enter-text"}, {**row, "run": "../x"}):
        with pytest.raises(DeskFault, match="is not used"):
            _received({"row": wrong, "journal": journal}, TRIAL, tmp_path / "other")
    for odd in ({}, {"row": row}, {"row": row, "journal": "text"}, {"row": [], "journal": b""}):
        with pytest.raises(DeskFault, match="is not used"):
            _received(odd, TRIAL, tmp_path / "other")
    assert not (tmp_path / "other" / "runs" / "run_1").exists()


@pytest.mark.parametrize(
    "begun",
    [
        {},
        {"origin": Trial("click-test", 4).origin},
        {"origin": Trial("enter-text", 3).origin},
        {"origin": Trial("click-test", 3, 1).origin},
        {"origin": TRIAL.origin, "task": "something else"},
    ],
)
def test_a_journal_of_another_episode_is_not_kept(tmp_path: Path, begun: dict[str, Any]) -> None:
    journal = keep(tmp_path / "node", **begun)
    row = asdict(Row("click-test", 3, run="run_1", success=True, text="copy"))
    with pytest.raises(DeskFault, match="is not used: the journal of run_1"):
        _received({"row": row, "journal": journal}, TRIAL, tmp_path / "home")
    assert not (tmp_path / "home" / "runs" / "run_1").exists()


def test_as_many_seats_play_at_a_time_as_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = 64
    all_there = Barrier(seats)

    class Cluster:
        @staticmethod
        def get(reference: int, timeout: float) -> int:
            # Nobody comes back before all are under way.
            all_there.wait(20)
            return reference

    monkeypatch.setattr(ray_seats, "_ray", lambda: Cluster)
    played: list[int] = []

    async def play(number: int) -> None:
        played.append(await ray_seats._wait(number, 60))

    async def play_all() -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(seats):
                tasks.start_soon(play, number)

    anyio.run(play_all)
    assert sorted(played) == list(range(seats))
