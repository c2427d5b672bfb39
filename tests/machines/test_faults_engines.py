"""Whoever dies while a machine is made, started, stopped or kept: the truth is told, nothing left.

Every test ends by deleting the machine and looking for anything that is left of it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from aftermath import (
    NAME,
    World,
    bring_engine_back,
    eventually,
    exists,
    has_engine,
    kill_engine,
    phase,
    until,
)
from engine_matrix import BOUND, ENGINES, Engine, engine_ready, only_if_full

from carrel.errors import CarrelError
from carrel.machines.docker.api import EngineApi
from carrel.machines.docker.transfer import engine_image
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep, Phase
from carrel.machines.provider import get_provider
from carrel.machines.sandbox.family import descendants
from carrel.machines.state import State

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.namespace, pytest.mark.image]

QUICK = {
    "test_a_tool_killed_while_a_machine_gets_its_disk_costs_only_that_start": ("qemu",),
    "test_an_engine_killed_while_the_machine_is_kept_leaves_no_half_of_it": ("gvisor",),
    "test_an_engine_killed_while_it_is_given_the_image_is_told": ("docker",),
}
"""What is tried every time on other engines than `namespace`, which is tried whole."""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with engine_ready(request.param) as found:
        yield found


@pytest.fixture
async def world(
    request: pytest.FixtureRequest, engine: Engine, tmp_path: Path
) -> AsyncIterator[World]:
    if engine.name not in ("namespace", *QUICK.get(request.function.__name__, ())):
        only_if_full(engine.name)
    found = World(tmp_path, engine)
    yield found
    await bring_engine_back(found)
    found.rows()
    for machine in found.machines.store.all():
        await found.machines.delete(machine.name)
    await found.expect_nothing_left()


@asynccontextmanager
async def meanwhile(
    function: Callable[[], Awaitable[object]],
) -> AsyncIterator[list[CarrelError]]:
    """Have something done; what it raised is in the list once the block has ended."""
    raised: list[CarrelError] = []

    async def do() -> None:
        try:
            await function()
        except CarrelError as error:
            raised.append(error)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(do)
        yield raised


async def expect_failed(world: World, *words: str) -> None:
    """The machine is told to have failed, with a cause and a way on."""

    async def failed() -> bool:
        return (await world.status()).state is not State.RUNNING

    await eventually("it has failed", failed, 30)
    told = await world.status()
    assert told.state is State.ERROR, told
    assert told.cause, told
    assert any(word in told.cause for word in words), told.cause
    assert any(note.startswith("try: ") for note in told.notes), told
    assert not await world.is_usable()


async def up(world: World) -> None:
    await world.machines.up(NAME, world.engine.spec)
    world.note_containers()


async def test_an_engine_killed_while_the_machine_starts_is_told(world: World) -> None:
    with anyio.fail_after(BOUND):
        await world.machines.create(NAME, world.engine.spec)
        async with meanwhile(lambda: world.machines.up(NAME)) as raised:
            await until("its engine runs", lambda: has_engine(world))
            await anyio.to_thread.run_sync(kill_engine, world)
        if raised:
            assert raised[0].hint
            await expect_failed(world, "killed", "engine", "sandbox", "SIGKILL", "status")
        else:
            # It was quicker, or a second engine was tried for the first.
            await eventually("it has settled", world.is_settled, 60)
        await bring_engine_back(world)
        await up(world)
        await world.expect_usable()
        await world.expect_deletable()


async def test_an_engine_killed_while_the_machine_runs_is_told(world: World) -> None:
    with anyio.fail_after(BOUND):
        await up(world)
        await anyio.to_thread.run_sync(kill_engine, world)
        await expect_failed(world, "killed", "engine")
        # It can be deleted without its engine.
        await world.expect_deletable()
        await bring_engine_back(world)
        await world.machines.list()


async def test_an_engine_killed_while_the_machine_stops_leaves_it_stopped(world: World) -> None:
    with anyio.fail_after(BOUND):
        await up(world)
        async with meanwhile(lambda: world.machines.stop(NAME, 30)):
            await until("it stops", lambda: phase(world) in (Phase.STOPPING, Phase.EXITED))
            await anyio.to_thread.run_sync(kill_engine, world)
        told = await world.status()
        assert told.state in (State.STOPPED, State.ERROR), told
        assert told.state is State.STOPPED or told.cause
        await bring_engine_back(world)
        await up(world)
        await world.expect_usable()
        await world.expect_deletable()


async def test_an_engine_killed_while_the_machine_is_kept_leaves_no_half_of_it(
    world: World,
) -> None:
    if get_provider(world.engine.name).capabilities.snapshot == "none":
        pytest.skip(f"{world.engine} keeps no snapshots")
    with anyio.fail_after(BOUND):
        await up(world)
        directory = world.machine.directory
        before = used(directory)
        async with meanwhile(lambda: world.machines.snapshot(NAME, "half")) as raised:
            # Some of it is written, and not all.
            await until("it is written", lambda: used(directory) > before + (1 << 20) or raised)
            await anyio.to_thread.run_sync(kill_engine, world)
        assert raised
        await expect_failed(world, "killed")
        assert await world.machines.snapshots(NAME) == ()
        assert not list(directory.glob("snapshots/.*"))
        await up(world)
        await world.machines.snapshot(NAME, "whole")
        assert await world.machines.snapshots(NAME) == ("whole",)
        await world.machines.restore(NAME, "whole")
        await world.expect_usable()
        await world.expect_deletable()


def used(directory: Path) -> int:
    """Bytes that a directory takes on its disk."""
    total = 0
    for path in directory.rglob("*"):
        try:
            total += path.lstat().st_blocks * 512
        except FileNotFoundError:
            continue
    return total


async def test_an_engine_killed_while_it_is_given_the_image_is_told(world: World) -> None:
    engine = world.engine.dockerd
    if engine is None:
        pytest.skip(f"{world.engine} is not given images")
    image = engine_image(resolve_image(world.engine.spec.image))
    with anyio.fail_after(BOUND):
        # It may have it from a test before.
        EngineApi(engine.socket).delete(f"/images/{image}", force="true")
        seen = anyio.Event()

        def progress(stage: str, share: float | None) -> None:
            if "giving the engine" in stage:
                anyio.from_thread.run_sync(seen.set)

        async with meanwhile(
            lambda: world.machines.up(NAME, world.engine.spec, progress)
        ) as raised:
            await seen.wait()
            await anyio.to_thread.run_sync(engine.kill)
        assert raised
        assert "engine" in raised[0].message
        assert raised[0].hint
        assert world.rows() == []
        await anyio.to_thread.run_sync(engine.start)
        await world.expect_nothing_left()


async def test_an_engine_killed_while_the_machine_is_made_leaves_none(world: World) -> None:
    if world.engine.dockerd is None:
        pytest.skip(f"nothing of {world.engine} runs while a machine is made")
    with anyio.fail_after(BOUND):
        await world.machines.create("first", world.engine.spec)
        await world.machines.delete("first")
        async with meanwhile(lambda: world.machines.create(NAME, world.engine.spec)) as raised:
            await until("it is being made", lambda: bool(world.rows()))
            await anyio.to_thread.run_sync(kill_engine, world)
        await bring_engine_back(world)
        await world.machines.list()
        assert [row[1] for row in world.rows()] == ([] if raised else [NAME])


async def test_a_tool_killed_while_a_machine_gets_its_disk_costs_only_that_start(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if world.engine.name != "qemu":
        pytest.skip(f"no tool makes a disk for {world.engine}")
    tool = tmp_path / "bin" / "qemu-img"
    tool.parent.mkdir()
    # It dies when half of the disk is written.
    tool.write_text('#!/bin/sh\n[ "$1" = create ] && echo half > "$9"\nkill -9 $$\n')
    tool.chmod(0o755)
    spec = replace(world.engine.spec, env={"ALONE": "1"})  # so that none like it was kept
    with anyio.fail_after(BOUND):
        await world.machines.create(NAME, spec)
        with monkeypatch.context() as patch:
            patch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
            with pytest.raises(CarrelError, match="qemu-img"):
                await world.machines.start(NAME)
        assert (await world.machines.status(NAME)).observed.state is State.STOPPED
        await world.machines.start(NAME)
        await world.expect_usable()


async def test_a_command_killed_while_it_makes_a_machine_leaves_none_or_a_whole_one(
    world: World,
) -> None:
    with anyio.fail_after(BOUND):
        words = world.command("init", NAME, *world.wish)
        async with await anyio.open_process(words, env=world.env) as process:
            await until("it is being made", (world.home / "carrel/carrel.db").exists, 60)
            await until("it is on record", lambda: bool(world.rows()), 60)
            process.kill()
            await process.wait()
        # Whoever comes next clears it away, or finds it whole.
        left = await world.machines.list()
        assert [standing.observed.state for standing in left] in ([], ["stopped"])
        await up(world)
        await world.expect_usable()
        await world.expect_deletable()


async def test_a_guest_whose_programs_are_all_killed_is_told_or_goes_on(world: World) -> None:
    with anyio.fail_after(BOUND):
        await up(world)
        with anyio.move_on_after(60):
            try:
                async with world.machines.computer(NAME) as computer:
                    await computer.run("sh", "-c", "kill -9 -1")
            except CarrelError:
                pass  # it took whoever would have answered along
        await eventually("it has settled", world.is_settled, 60)
        if (await world.status()).state is State.RUNNING:
            await world.expect_usable()
        else:
            await expect_failed(world, "killed", "died", "ended")
            await up(world)
            await world.expect_usable()
        await world.expect_deletable()


async def test_a_killed_keeper_takes_all_along_and_is_told(world: World) -> None:
    with anyio.fail_after(BOUND):
        await up(world)
        record = world.record()
        assert record is not None
        below = [record.pid, *descendants(record.pid)]
        os.kill(record.pid, signal.SIGKILL)
        await until("all are gone", lambda: not any(map(exists, below)), 30)
        await expect_failed(world, "the keeper was killed")
        await world.expect_told()
        await world.expect_deletable()


async def test_a_machine_that_runs_out_of_memory_tells_so(world: World) -> None:
    hog = "import mmap; m = mmap.mmap(-1, 2 << 30); m.write(b'x' * (2 << 30)); print('had it')"
    with anyio.fail_after(BOUND):
        await up(world)
        with anyio.move_on_after(60):
            try:
                async with world.machines.computer(NAME) as computer:
                    done = await computer.run("python3", "-c", hog)
                    assert done.exit.code != 0
                    assert b"had it" not in done.stdout
            except CarrelError:
                pass  # all of it was killed
        await eventually("it has settled", world.is_settled, 60)
        told = await world.status()
        if told.state is not State.RUNNING:
            await expect_failed(world, "memory")
        elif world.engine.name == "namespace":
            # What a container engine or a kernel inside ends, it tells the program's caller only.
            assert any("memory limit" in note for note in told.notes), told
        await world.expect_deletable()


async def test_a_machine_of_before_a_reboot_is_told_and_starts_again(world: World) -> None:
    with anyio.fail_after(BOUND):
        await up(world)
        keep = Keep(world.machine.directory)
        record = world.record()
        assert record is not None
        below = [record.pid, *descendants(record.pid)]
        os.kill(record.pid, signal.SIGKILL)
        await until("all are gone", lambda: not any(map(exists, below)), 30)
        stranger = subprocess.Popen(["sleep", "600"])
        try:
            # The numbers of then are other people's now.
            old = replace(record, boot="of-another-boot", pid=stranger.pid, guest_pid=stranger.pid)
            keep.write_record(old)
            await expect_failed(world, "this system was restarted")
            await up(world)
            await world.expect_usable()
            await world.machines.stop(NAME)
            keep.write_record(old)
            await world.expect_deletable()
            assert stranger.poll() is None
        finally:
            stranger.kill()
            stranger.wait()
