"""Machines with a small stand-in for the guest: it answers `info` and runs programs, no desktop."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from carrel.ids import new_id
from carrel.machines import clearing, copies, ground, lifecycle, making, provider, standing
from carrel.machines.keep import Keep, KeeperPlan
from carrel.machines.keeper import LISTEN
from carrel.machines.provider import Provider
from carrel.machines.providers.namespace import NamespaceProvider
from carrel.machines.spec import Machine, MachineSpec
from carrel.stream import Connection, call

STAND_IN = """
import json, os, signal, socket, subprocess, sys, anyio
from anyio import to_thread
from carrel.stream import Connection
from carrel.stream.transports import socket_stream

listener = socket.socket(fileno=int(sys.argv[1]))
listener.setblocking(False)
stop = anyio.Event()

def run(argv):
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace")
    return {"code": done.returncode, "out": done.stdout[-200000:], "err": done.stderr[-200000:]}

async def handle(stream):
    args = stream.header.get("args", {})
    if stream.header["op"] == "run":
        result = await to_thread.run_sync(run, args["argv"])
    elif stream.header["op"] == "say":
        for _ in range(args["times"]):
            print(args["text"], end=args.get("end"), file=sys.stderr, flush=True)
        result = {}
    elif stream.header["op"] == "die":
        print(json.dumps({"cause": "the display died"}), file=sys.stderr, flush=True)
        os._exit(3)
    else:
        result = {"version": 1, "pid": os.getpid(), "phase": "ready"}
    await stream.send_message({"result": result})

async def serve(sock):
    async with Connection(socket_stream(sock), initiator=False, handler=handle) as connection:
        await connection.wait_closed()

async def accept(tasks):
    while True:
        await anyio.wait_readable(listener)
        sock, _ = listener.accept()
        sock.setblocking(False)
        tasks.start_soon(serve, sock)

async def main():
    with anyio.open_signal_receiver(signal.SIGTERM) as signals:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(accept, tasks)
            async for _ in signals:
                tasks.cancel_scope.cancel()

anyio.run(main)
"""


class StandInProvider(NamespaceProvider):
    """The namespace provider with the stand-in, or another program, as its guest."""

    def __init__(self, *argv: str) -> None:
        self._argv = argv

    def plan(self, machine: Machine) -> KeeperPlan:
        plan = super().plan(machine)
        python = plan.sandbox.argv[0]
        argv = self._argv or (python, "-c", STAND_IN, LISTEN)
        return replace(plan, sandbox=replace(plan.sandbox, argv=argv))


def use_provider(monkeypatch: pytest.MonkeyPatch, found: Provider) -> None:
    """Have every machine be one of this provider's, and no other asked for anything."""
    for module in (lifecycle, making, ground, copies, standing, clearing, provider):
        monkeypatch.setattr(module, "get_provider", lambda name: found)
    monkeypatch.setattr(clearing, "provider_names", lambda: ("namespace",))


def use_home(base: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Carrel's files for the whole test run: what the guest imports is bundled once."""
    place = base / "carrel-home"
    monkeypatch.setenv("CARREL_HOME", str(place))
    return place


def quiet(stage: str, share: float | None) -> None:
    pass


def make_machine(home: Path, **wishes: object) -> Machine:
    wishes = {"provider": "namespace", "image": "host", "memory_mb": 512, "pids": 256, **wishes}
    spec = MachineSpec(**wishes)  # type: ignore[arg-type]
    identity = new_id("mac")
    return Machine(identity, "desk", spec, home / "machines" / identity, time.time())


@asynccontextmanager
async def running(
    home: Path, provider: NamespaceProvider | None = None, **wishes: object
) -> AsyncIterator[tuple[NamespaceProvider, Machine]]:
    """A started machine, gone at the end whatever happened."""
    provider = provider or StandInProvider()
    machine = make_machine(home, **wishes)
    await provider.create(machine)
    try:
        await provider.start(machine, quiet)
        yield provider, machine
    finally:
        with anyio.CancelScope(shield=True):
            await provider.delete(machine)


async def run_inside(
    provider: NamespaceProvider, machine: Machine, *argv: str
) -> dict[str, object]:
    """Run a program in the machine: its `code`, `out` and `err`."""
    transport = await provider.channel(machine)
    async with Connection(transport, initiator=True) as connection:
        reply = await call(connection, "run", {"argv": list(argv)}, timeout=60)
    return reply.result


async def python_inside(provider: NamespaceProvider, machine: Machine, code: str) -> str:
    """What a Python program prints in the machine."""
    done = await run_inside(provider, machine, "/usr/bin/python3", "-I", "-c", code)
    assert done["code"] == 0, done["err"]
    return str(done["out"]).strip()


async def eventually(what: str, condition: Callable[[], bool], bound: float = 10.0) -> None:
    """Wait until something outside our reach has happened."""
    with anyio.move_on_after(bound):
        while not condition():  # noqa: ASYNC110 - nothing in this process will tell
            await anyio.sleep(0.01)
        return
    raise AssertionError(f"not within {bound} s: {what}")


def first_process(machine: Machine) -> int:
    """Process 1 of the machine, as this system numbers it."""
    record = Keep(machine.directory).read_record()
    assert record is not None
    assert record.guest_pid is not None
    children = Path(f"/proc/{record.guest_pid}/task/{record.guest_pid}/children").read_text()
    return int(children.split()[0])


def exists(pid: int) -> bool:
    """Whether a process is there and not only waiting to be reaped."""
    process = Path(f"/proc/{pid}")
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        # Its first thread may have ended before others, which still hold its files.
        return state not in "ZX" or len([*(process / "task").iterdir()]) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def as_root() -> bool:
    return os.geteuid() == 0
