"""kill -9 at any moment, then resume: every effect happened exactly once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from killed_run import STEPS
from task_desk import task_desk

from carrel.journal.run import load_run
from carrel.journal.verify import verify
from thorough import rounds

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.slow,
]

# A sample every time; a hundred is the figure we vouch for.
KILLS = rounds(100, sample=12)
CHILD = Path(__file__).with_name("killed_run.py")
# A start takes about half a second; most kills fall into what follows.
BEFORE, AFTER = 0.35, 1.0


def start(home: Path, machine: str, run: str | None) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(home), machine, *([run] if run else [])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def written(home: Path) -> int:
    return sum(path.stat().st_size for path in (home / "runs").glob("run_*/journal.jsonl"))


def begun(home: Path, earlier: set[str]) -> str | None:
    """The new run; one that was killed before its first event was written never was."""
    journals = (home / "runs").glob("run_*/journal.jsonl")
    names = {path.parent.name for path in journals if b"\n" in path.read_bytes()}
    assert len(names - earlier) <= 1
    return next(iter(names - earlier), None)


async def test_killed_time_and_again_every_effect_happens_once(tmp_path: Path) -> None:
    chance = random.Random(20261115)
    kills, pace = 0, 1.0
    runs: set[str] = set()
    async with task_desk() as desk:
        while kills < KILLS:
            run: str | None = None
            await desk.reset()
            while run is None or not load_run(run, tmp_path).is_final:
                before = written(tmp_path)
                child = start(tmp_path, desk.name, run)
                # The moment of the kill is the test.
                await anyio.sleep(pace * chance.uniform(BEFORE, AFTER))
                if kills < KILLS and child.poll() is None:
                    child.kill()
                    kills += 1
                child.communicate(timeout=60)
                # How fast this system is just now: neither too late nor always too early.
                pace *= 0.8 if child.returncode == 0 else 1.2 if written(tmp_path) == before else 1
                assert child.returncode in (0, -signal.SIGKILL)
                run = run or begun(tmp_path, runs)
            runs.add(run)
            assert verify(run, tmp_path).ok
            assert load_run(run, tmp_path).status.value == "succeeded"
            state = await desk.until(lambda state: len(state["clicks"]) >= STEPS - 6)
            expected = {str(n): 1 for n in range(STEPS - 1) if n % 5 != 4}
            assert state["clicks"] == expected, f"after {kills} kills"
            assert state["text"] == "".join(f"{n};" for n in range(STEPS - 1) if n % 5 == 4)
    assert kills == KILLS
    print(f"{kills} kills in {len(runs)} runs")
