"""kill -9 at any moment, then resume: every effect happened exactly once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
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
KILLS = rounds(100, sample=25)
CHILD = Path(__file__).with_name("killed_run.py")
# Parts of the time a start takes, half a second or so: most kills fall into what follows it.
BEFORE, AFTER = 0.7, 2.0


def start(home: Path, machine: str, run: str | None) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(home), machine, *([run] if run else [])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def time_a_start(home: Path, machine: str) -> float:
    """Seconds until a run has begun, on this system and beside whatever else it does now."""
    began = time.monotonic()
    child = start(home, machine, None)
    assert child.stdout is not None
    told = await anyio.to_thread.run_sync(child.stdout.readline)
    seconds = time.monotonic() - began
    child.kill()
    child.communicate()
    assert told.startswith("run_")
    return seconds


async def test_killed_time_and_again_every_effect_happens_once(tmp_path: Path) -> None:
    chance = random.Random(20261115)
    kills, runs = 0, 0
    async with task_desk() as desk:
        usual = await time_a_start(tmp_path / "first", desk.name)
        while kills < KILLS:
            runs += 1
            run: str | None = None
            await desk.reset()
            while True:
                child = start(tmp_path, desk.name, run)
                # The moment of the kill is the test.
                await anyio.sleep(usual * chance.uniform(BEFORE, AFTER))
                if kills < KILLS and child.poll() is None:
                    child.kill()
                    kills += 1
                out, _ = child.communicate(timeout=60)
                if run is None and out.startswith("run_"):
                    run = out.split()[0]
                if out.strip().endswith("all pressed"):
                    break
                if run is not None and load_run(run, tmp_path).is_final:
                    break  # killed after its last event, before it could say so
                known = list((tmp_path / "runs").glob("run_*")) if run is None else []
                if run is None and len(known) == runs:
                    # Killed after the journal was made and before its name was told.
                    run = max(path.name for path in known)
            assert run is not None
            assert verify(run, tmp_path).ok
            assert load_run(run, tmp_path).status.value == "succeeded"
            state = await desk.until(lambda state: len(state["clicks"]) >= STEPS - 6)
            expected = {str(n): 1 for n in range(STEPS - 1) if n % 5 != 4}
            assert state["clicks"] == expected, f"after {kills} kills"
            assert state["text"] == "".join(f"{n};" for n in range(STEPS - 1) if n % 5 == 4)
    assert kills == KILLS
    print(f"{kills} kills in {runs} runs")
