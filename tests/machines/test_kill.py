"""Murders: whoever is killed at whatever moment, the truth is told and nothing is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from thorough import rounds

pytestmark = [pytest.mark.namespace, pytest.mark.image, pytest.mark.slow]

# Two of each kind every time; fifty is the figure we vouch for.
ROUNDS = rounds(50, sample=8)
NAME = "victim"
CARREL = [sys.executable, "-m", "carrel"]


class World:
    """One private store, and everything on this system that belongs to it."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.env = {**os.environ, "XDG_STATE_HOME": str(state)}

    def carrel(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*CARREL, *arguments], env=self.env, capture_output=True, text=True, timeout=60
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*CARREL, *arguments],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def state_of(self, name: str) -> str | None:
        found = json.loads(self.carrel("status", "--json").stdout)
        rows = found["machines"] if isinstance(found, dict) else found
        return next((row["state"] for row in rows if row["name"] == name), None)

    def processes(self) -> dict[int, str]:
        """Keepers and launchers of this store, and everything that descends from them."""
        parents: dict[int, int] = {}
        commands: dict[int, str] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    commands[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    if fields[0] != "Z":
                        parents[int(entry.name)] = int(fields[1])
        ours = {p for p in parents if str(self.state) in commands.get(p, "")}
        while grown := {p for p, parent in parents.items() if parent in ours} - ours:
            ours |= grown
        return {pid: commands[pid] for pid in ours}

    def find(self, words: str) -> int | None:
        return next((pid for pid, line in self.processes().items() if words in line), None)

    def leftovers(self) -> list[str]:
        found = [f"process {pid}: {line}" for pid, line in self.processes().items()]
        machines = self.state / "carrel" / "machines"
        known = {path.name for path in machines.iterdir()} if machines.is_dir() else set()
        found += [f"directory {name}" for name in known]
        found += [f"mount {line}" for line in _mounts() if str(self.state) in line]
        found += [
            f"cgroup {path}"
            for path in Path("/sys/fs/cgroup").rglob("carrel-mac_*")
            if path.name.removeprefix("carrel-") in self.seen
        ]
        return found

    seen: set[str] = set()  # noqa: RUF012 (one world per test)

    def remember(self) -> None:
        machines = self.state / "carrel" / "machines"
        if machines.is_dir():
            self.seen |= {path.name.removeprefix(".deleted-") for path in machines.iterdir()}


def _mounts() -> list[str]:
    return Path("/proc/self/mounts").read_text().splitlines()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.carrel("delete", "--yes", NAME)


def kill(pid: int | None) -> None:
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_command(world: World, dice: random.Random, *command: str) -> None:
    """Kill a command at a random moment of its life, or just after."""
    running = world.start(*command)
    time.sleep(dice.uniform(0.0, 1.2))
    running.kill()
    running.wait()


Murder = Callable[[World, random.Random], None]


def kill_up(world: World, dice: random.Random) -> None:
    kill_command(world, dice, "up", NAME)


def kill_stop(world: World, dice: random.Random) -> None:
    world.carrel("up", NAME)
    kill_command(world, dice, "stop", NAME)


def kill_delete(world: World, dice: random.Random) -> None:
    world.carrel("up", NAME)
    kill_command(world, dice, "delete", "--yes", NAME)


def kill_action(world: World, dice: random.Random) -> None:
    world.carrel("up", NAME)
    kill_command(world, dice, "do", "-m", NAME, "type", "x" * 2000)


def killer_of(words: str) -> Murder:
    def murder(world: World, dice: random.Random) -> None:
        starting = world.start("up", NAME)
        time.sleep(dice.uniform(0.0, 1.5))
        world.remember()
        kill(world.find(words))
        starting.wait(timeout=60)

    murder.__name__ = f"kill_{words.split()[0].strip('-')}"
    return murder


MURDERS: list[Murder] = [
    kill_up,
    kill_stop,
    kill_delete,
    kill_action,
    killer_of("carrel.machines.keeper"),
    killer_of("carrel.guest"),
    killer_of("carrel.machines.sandbox"),
    killer_of("Xvfb -"),
]


def test_after_many_murders_the_truth_is_told_and_nothing_is_left(world: World) -> None:
    seed = int(os.environ.get("CARREL_SEED", random.SystemRandom().randrange(10**6)))
    print(f"CARREL_SEED={seed}")
    dice = random.Random(seed)
    for number in range(ROUNDS):
        murder = MURDERS[number % len(MURDERS)]
        murder(world, dice)
        world.remember()
        where = f"seed {seed}, round {number}, {murder.__name__}"
        check_truth(world, where)
        if dice.random() < 0.5:
            deleted = world.carrel("delete", "--yes", NAME)
            assert deleted.returncode in (0, 2), f"{where}: {deleted.stderr}"
            assert world.state_of(NAME) is None, where
            assert_nothing_left(world, where)
    world.carrel("delete", "--yes", NAME)
    assert_nothing_left(world, f"seed {seed}, at the end")


def check_truth(world: World, where: str) -> None:
    """`status` says running exactly when the machine can be used."""
    state = world.state_of(NAME)
    if state == "creating":
        # A command killed at that moment left its keeper to finish the start.
        deadline = time.monotonic() + 30
        while (state := world.state_of(NAME)) == "creating" and time.monotonic() < deadline:
            time.sleep(0.1)
    used = world.carrel("exec", NAME, "--", "true")
    if state == "running" and used.returncode != 0:
        # Its keeper sees a death as soon as it has a processor: within seconds status must say so.
        deadline = time.monotonic() + 10
        while (state := world.state_of(NAME)) == "running" and time.monotonic() < deadline:
            time.sleep(0.1)
    if state == "running":
        assert used.returncode == 0, f"{where}: status said running, but {used.stderr}"
    else:
        assert state in (None, "stopped", "error", "lost"), f"{where}: {state}"
        assert used.returncode != 0, f"{where}: status said {state}, but it could be used"


def assert_nothing_left(world: World, where: str) -> None:
    # The kernel may take a moment to bury the dead.
    deadline = time.monotonic() + 15
    while (left := world.leftovers()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == [], f"{where}: {left}"
