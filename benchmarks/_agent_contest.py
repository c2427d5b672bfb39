"""Runs of agents against the scripted provider, each in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks._agent_frames import draw_frames
from benchmarks._rivals import environment, rival_environment

__all__ = ["Arena", "Ran", "arena"]

HERE = Path(__file__).parent
WINDOW = 10


@dataclass(frozen=True)
class Ran:
    """One run.

    Attributes:
        walls: Milliseconds from each answer of the provider to the next whole request.
        processor: Milliseconds of processor time of each step, all threads together.
        seconds: Of the whole process, its start included.
        stored: Bytes it left on the disk.
    """

    walls: list[float]
    processor: list[float]
    seconds: float
    stored: int

    def at(self, step: int) -> list[float]:
        """The ten steps up to this one; nothing when the run did not come so far."""
        return self.walls[step - WINDOW : step] if len(self.walls) >= step else []

    def processor_at(self, step: int) -> list[float]:
        """The same in processor time."""
        return self.processor[step - WINDOW : step] if len(self.processor) >= step else []


@dataclass(frozen=True)
class Arena:
    """Where agents run: the provider, the frames and the disk they share."""

    port: int
    home: Path
    frames: list[Path]
    rival: Path | None

    def ours(self, wire: str, steps: int) -> Ran:
        """A run of `carrel.Agent`, with its journal and frames on the disk."""
        return self._run([sys.executable, "-m", "benchmarks._agent_ours"], wire, steps)

    def floor(self, wire: str, steps: int) -> Ran:
        """The floor, which posts what `ours` posted last on that wire."""
        return self._run([sys.executable, str(HERE / "_agent_floor.py")], wire, steps)

    def theirs(self, wire: str, steps: int, *, save: bool, seconds: float) -> Ran:
        """A run of cua-agent, with or without its trajectory on the disk, to some limit of time."""
        command = [str(self.rival), str(HERE / "_agent_theirs.py")]
        return self._run(command, wire, steps, save=save, seconds=seconds)

    def _run(
        self, command: list[str], wire: str, steps: int, *, save: bool = True, seconds: float = 90
    ) -> Ran:
        is_rival = str(self.rival) == command[0]
        url = f"http://127.0.0.1:{self.port}/{steps}" + ("/v1" if wire == "responses" else "")
        body = self.home / f"{wire}.json"
        self._ask("log")
        with tempfile.TemporaryDirectory(dir=self.home) as home:
            told = {"url": url, "wire": wire, "steps": steps, "home": home, "save": save}
            told |= {"frames": str(self.frames[0].parent), "seconds": seconds, "body": str(body)}
            started = time.perf_counter()
            done = subprocess.run(
                [*command, json.dumps(told)],
                check=False,
                capture_output=True,
                text=True,
                timeout=seconds + 60,
                cwd=HERE.parent,
                env=rival_environment() if is_rival else environment(),
            )
            took = time.perf_counter() - started
            if done.returncode:
                raise SystemExit(f"benchmarks: {' '.join(command)}: {done.stderr[-2000:]}")
            stored = sum(path.stat().st_size for path in Path(home).rglob("*") if path.is_file())
        if "benchmarks._agent_ours" in command:
            body.write_bytes(self._ask("body"))
        rows = json.loads(self._ask("log"))["rows"]
        marks = json.loads(done.stdout.splitlines()[-1])["marks"]
        return Ran(
            [(later[0] - before[1]) * 1000 for before, later in pairwise(rows)],
            [(later - before) * 1000 for before, later in pairwise(marks)],
            took,
            stored,
        )

    def _ask(self, what: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{what}", timeout=30) as answer:
            return bytes(answer.read())


@contextmanager
def arena(home: Path, count: int, rival: Path | None) -> Iterator[Arena]:
    """Draw the frames and start the provider; both are gone afterwards."""
    place = Path(tempfile.mkdtemp(prefix="agent-", dir=home))
    server = subprocess.Popen(
        [sys.executable, "-S", str(HERE / "_agent_server.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        frames = draw_frames(place / "frames", count)
        yield Arena(int(server.stdout.readline()), place, frames, rival)
    finally:
        server.stdin.close()
        server.wait(20)
        server.stdout.close()
        shutil.rmtree(place)
