"""The Gymnasium environment, on a real desk with a page we did not write."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from carrel.actions import Click, Key, Type
from carrel.errors import InvalidInput, MachineLost, WrongState
from carrel.geometry import Size
from carrel.gym.moves import KEYS, KINDS, move_space, read_move
from carrel.journal import read_events
from carrel.machines.lifecycle import Machines

gymnasium = pytest.importorskip("gymnasium")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("gym")
    made = gymnasium.make(
        "carrel.gym:carrel/Desk-v0",
        task="click-button",
        elements=True,
        max_steps=6,
        home=home,
        render_mode="rgb_array",
    )
    yield made.unwrapped
    made.close()


@pytest.mark.image
def test_the_right_button_is_rewarded_by_the_page_and_the_run_is_in_its_journal(env: Any) -> None:
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    assert seen["screen"].shape == (768, 1024, 3)
    wanted = seen["task"].split('"')[1]
    assert info["task"] == "click-button"
    button = next(e for e in info["elements"] if e.name == wanted and "button" in e.role)
    after, reward, terminated, truncated, told = env.step(
        {"type": "click", "x": button.box.center.x, "y": button.box.center.y}
    )
    assert (reward, terminated, truncated, told["success"]) == (1.0, True, False, True)
    assert not np.array_equal(after["screen"], seen["screen"])
    assert np.array_equal(env.render(), after["screen"])
    acts = [e.data for e in read_events(info["run"], env._home) if e.kind == "act"]
    assert [act["action"]["type"] for act in acts] == ["click"]
    with pytest.raises(WrongState, match="no episode"):
        env.step(env.action_space.sample())


@pytest.mark.image
def test_the_same_seed_is_the_same_task_and_steps_are_limited(env: Any) -> None:
    first, info = env.reset(seed=11)
    again, _ = env.reset(seed=11)
    other, _ = env.reset(seed=12)
    assert first["task"] == again["task"]
    assert info["seed"] == 11
    assert env.observation_space.contains(other)
    # Far from everything, again and again: neither a reward nor the ladder for the stuck ends it.
    ends = [env.step(Click(1000, 700))[1:4] for _ in range(6)]
    assert ends[:5] == [(0.0, False, False)] * 5
    assert ends[5] == (0.0, False, True)


@pytest.mark.image
def test_a_task_outside_the_suite_is_refused(env: Any) -> None:
    with pytest.raises(InvalidInput, match="no task"):
        env.reset(options={"task": "no-such-task"})


@pytest.mark.image
def test_what_was_refused_or_failed_is_told_and_is_no_error(env: Any) -> None:
    env.reset(seed=3)
    *_, told = env.step(Click(1000, 700))
    assert [(each["ok"], each["code"]) for each in told["outcomes"]] == [(True, "")]
    # The suite's actions are mouse, keyboard and clipboard: this one is refused by its gate.
    *_, told = env.step({"type": "shell", "command": "true"})
    (refused,) = told["outcomes"]
    assert (refused["ok"], refused["effect"], refused["code"]) == (False, "refused", "refused")
    assert refused["message"]
    # The first that fails ends a list of moves: what comes after it was not tried.
    *_, told = env.step([Click(1000, 700), Click(5000, 5000), Click(1000, 700)])
    assert [each["ok"] for each in told["outcomes"]] == [True, False]
    assert "5000" in told["outcomes"][1]["message"]


@pytest.mark.image
def test_a_desk_that_is_lost_is_replaced_by_the_next_reset(env: Any) -> None:
    env.reset(seed=3)
    lost = env._desk.name
    anyio.run(Machines().delete, lost)
    with pytest.raises(MachineLost):
        env.step(Click(1000, 700))
    seen, info = env.reset(seed=3)
    assert env._desk.name != lost
    wanted = seen["task"].split('"')[1]
    button = next(e for e in info["elements"] if e.name == wanted and "button" in e.role)
    at = button.box.center
    *_, told = env.step({"type": "click", "x": at.x, "y": at.y})
    assert told["success"]


@pytest.mark.image
def test_a_desk_that_is_lost_between_two_episodes_is_replaced(env: Any) -> None:
    env.reset(seed=3)
    lost = env._desk.name
    env._end_episode()
    anyio.run(Machines().delete, lost)
    seen, _ = env.reset(seed=3)
    assert env._desk.name != lost
    assert seen["task"]


def test_no_more_than_three_desks_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    async def up(self: Machines, name: str, *_: object) -> None:
        tried.append(name)
        raise MachineLost("it died at once")

    monkeypatch.setattr(Machines, "up", up)
    env = gymnasium.make("carrel.gym:carrel/Desk-v0", task="click-test", home=tmp_path).unwrapped
    with pytest.raises(MachineLost, match="died at once"):
        env.reset(seed=0)
    assert len(set(tried)) == 3
    env.close()


UNTIDY = """
import gymnasium
env = gymnasium.make("carrel.gym:carrel/Desk-v0", task="click-test")
env.reset(seed=0)
print(env.unwrapped._desk.name, flush=True)
raise SystemExit(7)
"""


@pytest.mark.image
def test_a_program_that_ends_without_closing_leaves_no_desk() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNTIDY], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 7, ended.stderr
    kept = {standing.machine.name for standing in anyio.run(Machines().list)}
    assert ended.stdout.strip().startswith("bench-")
    assert ended.stdout.strip() not in kept


def test_every_move_of_the_space_is_an_action() -> None:
    space = move_space(Size(640, 480))
    space.seed(0)
    kinds = set()
    for _ in range(200):
        move = space.sample()
        kinds.add(KINDS[move["kind"]])
        assert len(read_move(move)) == 1
    assert kinds == set(KINDS)


def test_moves_come_in_several_forms() -> None:
    assert read_move(Click(1, 2)) == (Click(1, 2),)
    assert read_move([Click(1, 2), Type("a")]) == (Click(1, 2), Type("a"))
    assert read_move({"type": "type", "text": "猫"}) == (Type("猫"),)
    chord = {"kind": KINDS.index("key"), "key": KEYS.index("ctrl+a")}
    assert read_move(chord) == (Key(("ctrl", "a")),)
    assert read_move({"kind": KINDS.index("double"), "x": np.int64(3)}) == (Click(3, 0, count=2),)


@pytest.mark.parametrize(
    "move", [None, 3, {}, {"kind": 99}, {"kind": 8, "key": 99}, {"kind": 1, "x": "a"}, []]
)
def test_what_is_not_a_move_is_refused(move: object) -> None:
    with pytest.raises(InvalidInput):
        read_move(move)
