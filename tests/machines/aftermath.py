"""What is left of machines on this system, as anybody can see it who does not ask Carrel."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

import anyio
from engine_matrix import Engine, Place
from walls import exists, first_process

from carrel.errors import CarrelError
from carrel.machines.keep import Keep, KeeperRecord, Phase
from carrel.machines.paths import runtime_directory
from carrel.machines.spec import Machine
from carrel.machines.state import Observed, State

NAME = "desk"


class World(Place):
    """A store of a test's own, and everything on this system that belongs to its machines."""

    def __init__(self, home: Path, engine: Engine) -> None:
        super().__init__(home, engine)
        self.seen: set[str] = set()

    @property
    def machine(self) -> Machine:
        return self.machines.store.get(NAME)

    def rows(self) -> list[tuple[str, str, int]]:
        """What the store's file holds: id, name and whether it is complete."""
        path = self.home / "carrel/carrel.db"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as database:
            found = database.execute("SELECT id, name, complete FROM machines").fetchall()
        self.seen |= {identity for identity, _, _ in found}
        return found

    async def status(self) -> Observed:
        return (await self.machines.status(NAME)).observed

    async def expect_told(self) -> None:
        """The command line says of the machine what we have seen, with a cause and a way on."""
        seen = await self.status()
        done = await anyio.to_thread.run_sync(lambda: self.carrel("status", NAME, "--json"))
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert (told["state"], told["cause"]) == (str(seen.state), seen.cause)
        assert told["notes"] == list(seen.notes)

    async def is_settled(self) -> bool:
        """Whether the machine is as it is said to be."""
        return ((await self.status()).state is State.RUNNING) is await self.is_usable()

    def note_containers(self) -> None:
        """Remember what an engine calls its processes, for when it is gone."""
        if self.engine.dockerd is not None:
            self.seen |= {str(each["Id"]) for each in self.engine.dockerd.containers()}

    def record(self) -> KeeperRecord | None:
        machines = self.home / "carrel/machines"
        for identity, name, _ in self.rows():
            if name == NAME and (machines / identity).is_dir():
                return Keep(machines / identity).read_record()
        return None

    def ours(self) -> dict[int, str]:
        """Every process that is about a machine we have seen, and all below it."""
        words = {str(self.home), *self.seen}
        parents: dict[int, int] = {}
        lines: dict[int, str] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    pid = int(entry.name)
                    line = (entry / "cmdline").read_bytes() + (entry / "cgroup").read_bytes()
                    lines[pid] = line.decode(errors="replace").replace("\0", " ")
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    if fields[0] not in "ZX":
                        parents[pid] = int(fields[1])
        found = {pid for pid in parents if any(word in lines[pid] for word in words)}
        while grown := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= grown
        # An engine's own keeper of a container is the engine's, and goes when that is back.
        mine = (pid for pid in found - {os.getpid()} if "/containerd-shim" not in lines[pid])
        return {pid: lines[pid] for pid in mine}

    def left(self) -> list[str]:
        """Processes, directories, mounts, control groups, containers, records."""
        found = [f"record {row}" for row in self.rows()]
        found += [f"process {pid}: {line[:300]}" for pid, line in self.ours().items()]
        machines = self.home / "carrel/machines"
        found += [f"directory {path}" for path in machines.glob("*")]
        mounts = Path("/proc/self/mounts").read_text().splitlines()
        found += [line for line in mounts if str(machines) in line]
        groups = [*Path("/sys/fs/cgroup").glob("*/carrel-mac_*")]
        groups += Path("/sys/fs/cgroup").glob("carrel-mac_*")
        found += [f"{path}" for path in groups if path.name.removeprefix("carrel-") in self.seen]
        files = runtime_directory("runsc").iterdir()
        found += [f"{path}" for path in files if any(i in path.name for i in self.seen)]
        engine = self.engine.dockerd
        # One that is not there holds nothing; a test has it back before it ends.
        if engine is not None and engine.ask("version").returncode == 0:
            found += [f"container {each['Names']}" for each in engine.containers()]
        return found

    def locks(self) -> list[str]:
        return [path.name for path in (self.home / "carrel/locks").glob("*")]

    def is_sound(self) -> bool:
        with closing(sqlite3.connect(self.home / "carrel/carrel.db")) as database:
            return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    async def expect_nothing_left(self) -> None:
        """The kernel, or an engine, may take a moment to bury the dead."""
        end = anyio.current_time() + 30
        left = self.left()
        while left and anyio.current_time() < end:
            await anyio.sleep(0.1)
            left = self.left()
        assert left == [], "\n".join(left)
        assert self.is_sound(), "the store's file is damaged"

    async def expect_deletable(self) -> None:
        """Delete it, and see that it is gone."""
        self.rows()
        await self.machines.delete(NAME)
        await self.expect_nothing_left()

    async def is_usable(self) -> bool:
        try:
            with anyio.fail_after(60):
                async with self.machines.computer(NAME) as computer:
                    done = await computer.run("echo", "here")
        except (CarrelError, TimeoutError):
            return False
        return done.stdout == b"here\n"

    async def expect_usable(self) -> None:
        assert await self.is_usable(), await self.status()


async def eventually(what: str, condition: Callable[[], Awaitable[bool]], bound: float) -> None:
    """Wait until what is observed is so."""
    with anyio.move_on_after(bound):
        while not await condition():  # noqa: ASYNC110 - nothing in this process will tell
            await anyio.sleep(0.1)
        return
    raise AssertionError(f"not within {bound} s: {what}")


async def until(what: str, condition: Callable[[], bool], bound: float = 90.0) -> None:
    """Look again and again, as often as it can be done: moments are short."""
    deadline = time.monotonic() + bound

    def look() -> bool:
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)
        return True

    assert await anyio.to_thread.run_sync(look), f"not within {bound} s: {what}"


def engine_pids(world: World) -> list[int]:
    """The processes that are the machine's engine, as far as it has ones of its own."""
    record = world.record()
    if record is None or record.guest_pid is None:
        return []
    if world.engine.name == "qemu":
        return [record.guest_pid]
    if world.engine.name == "namespace":
        with suppress(OSError, IndexError):
            return [first_process(world.machine)]
        return []
    return [pid for pid, line in world.ours().items() if line.startswith("runsc-sandbox")]


def kill_engine(world: World) -> None:
    """End what makes the machine, without a word."""
    if world.engine.dockerd is not None:
        world.engine.dockerd.kill()
        return
    for pid in engine_pids(world):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def has_engine(world: World) -> bool:
    record = world.record()
    if world.engine.name == "docker":
        return record is not None and record.guest_pid is not None
    return bool(engine_pids(world))


async def bring_engine_back(world: World) -> None:
    """Have a daemon run again that was killed."""
    engine = world.engine.dockerd
    if engine is not None and engine.ask("version").returncode != 0:
        await anyio.to_thread.run_sync(engine.start)


def phase(world: World) -> Phase | None:
    record = world.record()
    return None if record is None else record.phase


__all__ = [
    "NAME",
    "World",
    "bring_engine_back",
    "engine_pids",
    "eventually",
    "exists",
    "has_engine",
    "kill_engine",
    "phase",
    "until",
]
