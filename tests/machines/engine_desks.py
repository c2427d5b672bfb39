"""Desks of whichever engine a test is about, gone at the end whatever happened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import anyio
from walls import quiet

from carrel.computer import Computer
from carrel.ids import new_id
from carrel.machines.check import CheckResult, run_checks
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import Provider, get_provider
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


async def require_conformance(
    provider: str, spec: MachineSpec, least: int = 40, unkept: frozenset[str] = frozenset()
) -> None:
    """Have a provider pass every check of what it says that it can, at least so many.

    Args:
        provider: Which.
        spec: What to make machines from.
        least: How many checks there are.
        unkept: Those that are about what it says it does not promise.
    """
    results = [result async for result in run_checks(provider, spec)]
    for result in results:
        print(f"{result.outcome:8}{result.seconds:6.2f} s  {result.title}  {result.detail}")
    require_passed(provider, results, unkept)
    assert len(results) >= least


def require_passed(
    provider: str, results: Sequence[CheckResult], unkept: frozenset[str] = frozenset()
) -> None:
    """Have all of them passed, but for those about what a provider says that it cannot do."""
    can = get_provider(provider).capabilities
    beyond = {
        "pause_freezes_and_resume_thaws": not can.pause,
        "a_new_name_is_taken_while_it_runs": not can.renames,
        "a_deleted_snapshot_is_gone_and_no_other": can.snapshot == "none",
        "a_copy_goes_its_own_way": not can.fork,
        "a_volume_outlives_its_machine": not can.volumes,
    }
    expected = {check for check, skipped in beyond.items() if skipped} | unkept
    assert [result for result in results if result.outcome == "failed"] == []
    assert {result.id for result in results if result.outcome == "skipped"} <= expected
    assert {result.id for result in results if result.outcome == "passed"}.isdisjoint(expected)
