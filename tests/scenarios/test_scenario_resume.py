"""A scenario that was killed goes on where it was, and does nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.ids import new_id

pytestmark = [pytest.mark.image, pytest.mark.namespace, pytest.mark.slow]

STEPS = """
Scenario: two lines and a pause
run command "echo one {word} >> log"
wait 4 seconds
run command "echo two {word} >> log"
run command "cat log" and remember the output as written
verify {written} contains "two {word}"
"""


@pytest.fixture
def desk() -> Iterator[str]:
    name = f"scenario-{new_id('x')[-8:]}"
    subprocess.run(carrel("up", name), check=True, capture_output=True, timeout=120)
    yield name
    subprocess.run(carrel("delete", name), check=True, capture_output=True, timeout=60)


def carrel(*words: str) -> list[str]:
    return [sys.executable, "-m", "carrel", *words]


def log_of(desk: str) -> str:
    read = ["exec", desk, "--", "sh", "-c", "cat log 2>/dev/null || true"]
    return subprocess.run(carrel(*read), capture_output=True, text=True, timeout=60).stdout


def journals(place: Path) -> Iterator[str]:
    return (path.read_text() for path in place.rglob("journal.jsonl"))


def test_a_killed_scenario_is_resumed_at_its_step(desk: str, tmp_path: Path) -> None:
    file = tmp_path / "pause.steps"
    file.write_text(STEPS)
    env = {**os.environ, "CARREL_RUNS": str(tmp_path / "runs")}
    words = ["run", "-f", str(file), "-m", desk, "--set", "word=猫", "--display", "none"]
    first = subprocess.Popen(
        carrel(*words), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    # The first step is over, with its result on the disk, when the pause has begun.
    while not any(text.count('"kind":"act"') > 1 for text in journals(tmp_path)):
        assert time.monotonic() < until
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait(30)
    again = subprocess.run(
        carrel("resume", "latest", "--set", "word=猫", "--json"),
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert json.loads(again.stdout.splitlines()[-1])["status"] == "succeeded"
    assert log_of(desk) == "one 猫\ntwo 猫\n"


def test_names_in_a_task_are_filled_in(desk: str, tmp_path: Path) -> None:
    env = {**os.environ, "CARREL_RUNS": str(tmp_path / "runs")}
    task = 'Run the command "echo {who} > log"'
    words = ["run", task, "-m", desk, "--model", "steps"]
    without = subprocess.run(carrel(*words), env=env, capture_output=True, text=True, timeout=60)
    assert without.returncode == 1
    assert "nothing is given for who" in without.stderr
    given = carrel(*words, "--set", "who=Ada")
    done = subprocess.run(given, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert log_of(desk) == "Ada\n"
