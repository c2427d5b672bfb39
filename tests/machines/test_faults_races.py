"""Commands that race for one name, and machines made and deleted again and again."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest
from aftermath import NAME, World
from engine_matrix import BOUND, ENGINES, Engine, engine_ready, only_if_full

from carrel.machines.state import State
from thorough import rounds

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.namespace, pytest.mark.image]

ROUNDS = rounds(5, sample=1)
MACHINES = rounds(30, sample=4)
"""Thirty is the figure we vouch for."""

UP = ("up", NAME)
DELETE = ("delete", "--yes", NAME)
KNOWN = re.compile(r"there is no machine|exists and was made|another command|already|is gone|gone")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param != "namespace":
        only_if_full(request.param)
    with engine_ready(request.param) as found:
        yield found


@pytest.fixture
async def world(engine: Engine, tmp_path: Path) -> AsyncIterator[World]:
    found = World(tmp_path, engine)
    yield found
    found.rows()
    for machine in found.machines.store.all():
        await found.machines.delete(machine.name)
    await found.expect_nothing_left()
    assert found.locks() == []


async def race(world: World, *commands: tuple[str, ...]) -> list[tuple[int, str]]:
    """Start commands at the same moment; how each ended, and what it complained of."""
    ended: list[tuple[int, str]] = [(-1, "")] * len(commands)

    async def run(number: int, words: tuple[str, ...]) -> None:
        wish = world.wish if words == UP else []
        command = world.command(*words, *wish)
        done = await anyio.run_process(command, env=world.env, check=False)
        ended[number] = (done.returncode, done.stderr.decode())

    async with anyio.create_task_group() as tasks:
        for number, words in enumerate(commands):
            tasks.start_soon(run, number, words)
    for code, said in ended:
        assert "Traceback" not in said, said
        assert code == 0 or KNOWN.search(said), (code, said)
    return ended


async def test_two_that_make_one_machine_make_one(world: World) -> None:
    with anyio.fail_after(BOUND * ROUNDS):
        for _ in range(ROUNDS):
            ended = await race(world, UP, UP)
            assert [code for code, _ in ended] == [0, 0], ended
            assert len(world.rows()) == 1
            await world.expect_usable()
            await world.expect_deletable()


async def test_two_that_delete_one_machine_leave_none(world: World) -> None:
    with anyio.fail_after(BOUND * ROUNDS):
        for _ in range(ROUNDS):
            await world.machines.up(NAME, world.engine.spec)
            world.rows()
            ended = await race(world, DELETE, DELETE)
            assert 0 in [code for code, _ in ended], ended
            await world.expect_nothing_left()


async def test_one_that_makes_and_one_that_deletes_leave_a_whole_machine_or_none(
    world: World,
) -> None:
    with anyio.fail_after(BOUND * 2 * ROUNDS):
        for number in range(2 * ROUNDS):
            if number % 2:
                await world.machines.up(NAME, world.engine.spec)
            world.rows()
            await race(world, UP, DELETE)
            found = await world.machines.list()
            assert len(found) == len(world.rows()) <= 1
            if found:
                assert found[0].observed.state is State.RUNNING, found
                await world.expect_usable()
                await world.expect_deletable()
            await world.expect_nothing_left()


async def test_many_made_and_deleted_in_a_row_leave_nothing(world: World) -> None:
    with anyio.fail_after(BOUND * 4):
        for number in range(MACHINES):
            name = f"{NAME}-{number}"
            await world.machines.up(name, world.engine.spec)
            world.rows()
            if number % 3 == 0:
                await world.machines.stop(name)
            await world.machines.delete(name)
        await world.expect_nothing_left()
        assert len(world.seen) == MACHINES
