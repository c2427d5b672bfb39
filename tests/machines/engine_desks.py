"""Desks of whichever engine a test is about, gone at the end whatever happened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import anyio
from walls import quiet

from carrel.computer import Computer
from carrel.ids import new_id
from carrel.machines.check import run_checks
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import Provider
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import LOCKS, Store

P = TypeVar("P", bound=Provider)


def new_machine(home: Path, spec: MachineSpec) -> Machine:
    """One called `boxed`, of which nothing is there yet."""
    identity = new_id("mac")
    machine = Machine(identity, "boxed", spec, home / "machines" / identity, 0.0)
    machine.directory.parent.mkdir(exist_ok=True)
    return machine


@asynccontextmanager
async def boxed(provider: P, home: Path, spec: MachineSpec) -> AsyncIterator[tuple[P, Machine]]:
    """A running desk of a provider's, without a store."""
    machine = new_machine(home, spec)
    await provider.prepare(spec, quiet)
    await provider.create(machine)
    try:
        await provider.start(machine, quiet)
        yield provider, machine
    finally:
        with anyio.CancelScope(shield=True):
            await provider.delete(machine)


async def said_in(provider: Provider, machine: Machine, command: str) -> str:
    """What a command in such a desk printed."""
    async with Computer(lambda: provider.channel(machine)) as computer:
        return str((await computer.shell(command)).raise_for_error().data["stdout"])


@asynccontextmanager
async def with_a_desk(home: Path, spec: MachineSpec) -> AsyncIterator[Machines]:
    """A store of its own, with one running machine called `desk`; nothing is left of any."""
    made = Machines(Store(home))
    try:
        await made.up("desk", spec)
        yield made
    finally:
        with anyio.CancelScope(shield=True):
            for standing in await made.list():
                await made.delete(standing.machine.name)
    # Nor what a removal leaves when it is interrupted, nor the lock of a name.
    assert [*(home / "machines").iterdir(), *(home / LOCKS).iterdir()] == []


async def said(made: Machines, name: str, command: str) -> str:
    """What a command in a machine printed."""
    async with made.computer(name) as computer:
        return str((await computer.shell(command)).raise_for_error().data["stdout"])


async def require_conformance(provider: str, spec: MachineSpec, least: int = 40) -> None:
    """Have a provider pass every check, of which there are at least so many."""
    results = [result async for result in run_checks(provider, spec)]
    for result in results:
        print(f"{result.outcome:8}{result.seconds:6.2f} s  {result.title}  {result.detail}")
    assert {result.outcome for result in results} == {"passed"}
    assert len(results) >= least
