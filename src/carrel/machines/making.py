"""Machines made from a wish, and had running."""

from __future__ import annotations

from dataclasses import replace

import anyio

from carrel.codec import Json
from carrel.errors import CarrelError, Unavailable
from carrel.machines import proof
from carrel.machines.apps import see_to
from carrel.machines.attention import wait_until_published
from carrel.machines.auto import choose_provider
from carrel.machines.clearing import remove
from carrel.machines.full_disk import keep_spare
from carrel.machines.ground import Ground
from carrel.machines.provider import Progress, Provider, get_provider
from carrel.machines.revival import forget_deaths
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import Observed, State, require_state

__all__ = ["have_running", "make", "make_running"]

SETTLE = 30.0
"""Seconds to wait for a machine that is starting or stopping by itself."""


async def make(
    ground: Ground, name: str, spec: MachineSpec, progress: Progress, pool: str = ""
) -> Machine:
    """Make a machine, which does not run yet; its name is free, and locked.

    Args:
        ground: What changes of machines rest on.
        name: What to call it.
        spec: The wish.
        progress: Told of every stage.
        pool: The pool that it is made for, where it is for one.
    """
    reason = ""
    if spec.provider == "auto":
        chosen, reason = await choose_provider(spec)
        spec = replace(spec, provider=chosen)
    provider = get_provider(spec.provider)
    with ground.teller.refusals(name):
        ground.check(provider, spec)
    if reason:
        progress(f"provider {provider.name}: {reason}", None)
    try:
        await provider.prepare(spec, progress)
    except Unavailable:
        # It has worked, and is gone: the next choice is made by trying.
        proof.forget(provider.name)
        raise
    keep_spare(ground.store.home)
    machine = ground.store.add(name, spec, pool)
    try:
        await provider.create(machine)
    except (CarrelError, OSError):
        await provider.delete(machine)
        ground.store.remove(machine)
        raise
    ground.store.complete(machine)
    facts: dict[str, Json] = {"provider": spec.provider, "image": spec.image}
    ground.teller.chronicle.write("made", machine, facts=facts)
    return machine


async def make_running(ground: Ground, name: str, spec: MachineSpec, progress: Progress) -> Machine:
    """Make a machine and have it running.

    One that is only connected to, and was never reached, is not kept: nothing of ours is there to
    look into, and its address or token may be what is wrong.
    """
    machine = await make(ground, name, spec, progress)
    try:
        await have_running(ground, machine, progress)
    except BaseException:
        if not get_provider(machine.spec.provider).capabilities.owns:
            with anyio.CancelScope(shield=True):
                await remove(ground.store, machine)
            ground.teller.chronicle.write("deleted", machine)
        raise
    return machine


async def have_running(
    ground: Ground, machine: Machine, progress: Progress, *, again: bool = False
) -> None:
    """Start a machine that is on record, unless it runs.

    Args:
        ground: What changes of machines rest on.
        machine: The machine; the caller holds its lock.
        progress: Told of every stage.
        again: Whether it starts because it died: how often it did so in a row counts on.
    """
    provider = get_provider(machine.spec.provider)
    observed = await _settled(provider, machine)
    if observed.state is State.RUNNING:
        see_to(machine)
        await wait_until_published(machine)
        return
    require_state(machine.name, "start", observed)
    if observed.state is State.ERROR:
        await ground.teller.crashed(machine, observed)
    if machine.spec.ports:
        from carrel.machines.publish import require_free

        require_free(machine.spec.ports)
    async with ground.room(machine.name, [machine.spec], provider):
        await provider.recover(machine)
        if not again:
            forget_deaths(machine.directory)
        await _start(provider, machine, progress)
    await ground.teller.started(machine)


async def _start(provider: Provider, machine: Machine, progress: Progress) -> None:
    try:
        await provider.start(machine, progress)
    except (CarrelError, OSError):
        # Whatever it was, the next choice is made by trying.
        proof.forget(provider.name)
        raise
    see_to(machine)
    await wait_until_published(machine)


async def _settled(provider: Provider, machine: Machine) -> Observed:
    """How a machine is once it is no longer on its way somewhere.

    A command that was killed leaves its machine starting or stopping: wait for the end of it.
    """
    passing = (State.CREATING, State.STOPPING)
    with anyio.move_on_after(SETTLE):
        while (await provider.inspect(machine)).state in passing:  # noqa: ASYNC110 (not ours)
            await anyio.sleep(0.1)
    return await provider.inspect(machine)
