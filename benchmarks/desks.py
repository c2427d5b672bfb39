"""Desks to measure on: a real machine, a real picture on its screen, and the floor beside it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from carrel.computer import Computer
from carrel.geometry import Size
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.paths import private_directory, state_home
from carrel.machines.sandbox.plan import AGENT_HOME, GUEST_BUNDLE
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import Store

__all__ = ["LARGE", "SMALL", "BareClient", "Bench", "Desk", "bench", "desk", "machine"]

SMALL, LARGE = Size(1024, 768), Size(1920, 1080)


async def until(what: str, done: Callable[[], Awaitable[bool]], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not await done():
        if time.monotonic() > deadline:
            raise SystemExit(f"benchmarks: waited {seconds:g} seconds in vain until {what}")
        await anyio.sleep(0.02)


@dataclass
class Bench:
    """One run: how long it may take, a store of machines of its own, and the desks in use."""

    quick: bool
    store: Store
    desks: dict[Size, Desk] = field(default_factory=dict)

    @property
    def machines(self) -> Machines:
        return Machines(self.store)

    def rounds(self, full: int, quick: int) -> int:
        return quick if self.quick else full


@contextmanager
def bench(quick: bool) -> Iterator[Bench]:
    # Where machines are, not in /tmp: the file system below decides how fast an overlay is.
    home = Path(tempfile.mkdtemp(prefix="bench-", dir=private_directory(state_home())))
    try:
        _compile(home / "compiled")
        yield Bench(quick, Store(home))
    finally:
        shutil.rmtree(home)


def _compile(cache: Path) -> None:
    """Have every module's bytecode, as an installed package has, whatever is around us."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(cache)
    used = "carrel.cli.do, carrel.machines.watch, carrel.machines.lifecycle, benchmarks.crowd"
    programs = "carrel.machines.keeper, carrel.machines.keeping, rich.console"
    libraries = "anyio._backends._asyncio, Xlib.display"
    code = f"import {used}, {programs}, {libraries}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


class BareClient:
    """Asks the floor over a blocking socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(str(path))

    def ask(self, line: str) -> bytearray:
        self._socket.sendall(line.encode())
        head = self._socket.recv(4, socket.MSG_WAITALL)
        data = bytearray(struct.unpack(">I", head)[0])
        view = memoryview(data)
        while view:
            view = view[self._socket.recv_into(view) :]
        return data

    def times(self, count: int, *what: str) -> list[float]:
        """Milliseconds of each call, as the floor's own process took them."""
        seconds = json.loads(self.ask(" ".join(("timed", str(count), *what))))
        return [value * 1000 for value in seconds]

    def work(self, line: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            self.ask(line)

        return work

    def close(self) -> None:
        self._socket.close()


@dataclass
class Desk:
    machine: Machine
    computer: Computer
    floor: BareClient
    floor_socket: Path

    @property
    def socket(self) -> Path:
        return Keep(self.machine.directory).socket


@asynccontextmanager
async def machine(bench: Bench, name: str, spec: MachineSpec) -> AsyncIterator[Machine]:
    try:
        yield (await bench.machines.up(name, spec)).machine
    finally:
        with anyio.CancelScope(shield=True):
            await bench.machines.delete(name)


@asynccontextmanager
async def desk(bench: Bench, size: Size) -> AsyncIterator[Desk]:
    """A machine with terminals full of text and a GTK editor on it, all still."""
    spec = MachineSpec(provider="namespace", image="desktop", size=size)
    name = f"desk-{size}"
    async with machine(bench, name, spec) as made, bench.machines.computer(name) as computer:
        await _furnish(computer, size)
        path = await _start_floor(computer, made)
        floor = BareClient(path)
        try:
            await computer.wait_stable(0.5, 20)
            yield Desk(made, computer, floor, path)
        finally:
            floor.close()


async def _furnish(computer: Computer, size: Size) -> None:
    listing = "ls -la --color=always /usr/bin | head -400; exec sleep 900"
    await computer.write_file("notes.txt", "\n".join(f"{n}: {'word ' * 12}" for n in range(200)))
    await computer.open(f"{AGENT_HOME}/notes.txt")
    for index in range(3):
        x, y = 40 + index * size.width // 6, 30 + index * size.height // 9
        geometry = f"{size.width // 11}x{size.height // 22}+{x}+{y}"
        colours = ["-bg", "white", "-fg", "black"] if index % 2 else ["-bg", "#101830"]
        await computer.start_process(
            "xterm", "-geometry", geometry, *colours, "-e", "sh", "-c", listing
        )

    async def all_there() -> bool:
        return len(await computer.windows()) >= 4

    await until("the windows were there", all_there)
    await computer.wait_stable(0.5, 20)


async def _start_floor(computer: Computer, made: Machine) -> Path:
    source = Path(__file__).with_name("floor.py").read_text()
    await computer.write_file("floor.py", source)
    inside = f"{AGENT_HOME}/floor.sock"
    outside = Keep(made.directory).home / "floor.sock"
    env = {"PYTHONPATH": GUEST_BUNDLE}
    process = await computer.start_process("python3", "floor.py", inside, cwd=AGENT_HOME, env=env)

    async def listens() -> bool:
        output = await computer.read_process(process)
        if not output.running:
            raise SystemExit(f"benchmarks: the floor ended: {output.stderr.decode()}")
        return outside.exists()

    await until("the floor listened", listens)
    return outside
