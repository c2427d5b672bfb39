"""Answers of another process, looked for a moment before going to sleep."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from carrel.errors import MachineLost, TimedOut
from carrel.stream import Connection, call, connect_unix

pytestmark = pytest.mark.anyio
SERVER = Path(__file__).with_name("echo_server.py")


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[tuple[Connection, anyio.abc.Process]]:
    """A connection to a process of its own."""
    path = tmp_path / "socket"
    with anyio.fail_after(30):
        async with await anyio.open_process(
            [sys.executable, str(SERVER), str(path)], stdout=None, stderr=None
        ) as process:
            try:
                while not path.exists() and process.returncode is None:  # noqa: ASYNC110
                    await anyio.sleep(0.02)
                async with Connection(await connect_unix(path), initiator=True) as connection:
                    yield connection, process
            finally:
                if process.returncode is None:
                    process.kill()


async def ask(connection: Connection, number: int, after: float = 0.0) -> None:
    args = {"number": number, "after": after}
    assert (await call(connection, "echo", args)).result == args


async def test_prompt_and_late_answers_all_arrive(
    elsewhere: tuple[Connection, anyio.abc.Process],
) -> None:
    connection, _ = elsewhere
    for number in range(60):
        await ask(connection, number, after=0.005 if number % 7 == 0 else 0.0)
    # Several at once, while one of them reads for all.
    async with anyio.create_task_group() as tasks:
        for number in range(40):
            tasks.start_soon(ask, connection, number, number % 5 * 0.002)


async def test_other_tasks_have_their_turn_between_prompt_answers(
    elsewhere: tuple[Connection, anyio.abc.Process],
) -> None:
    connection, _ = elsewhere
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    await ask(connection, 0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(others)
        for number in range(100):
            await ask(connection, number)
        tasks.cancel_scope.cancel()
    assert turns >= 100


async def test_a_prompt_peer_that_is_late_once_can_be_given_up(
    elsewhere: tuple[Connection, anyio.abc.Process],
) -> None:
    connection, _ = elsewhere
    for number in range(5):
        await ask(connection, number)
    with pytest.raises(TimedOut):
        await call(connection, "echo", {"number": 0, "after": 30.0}, timeout=0.05)
    await ask(connection, 6)


async def test_a_prompt_peer_that_dies_is_lost_and_not_waited_for(
    elsewhere: tuple[Connection, anyio.abc.Process],
) -> None:
    connection, process = elsewhere
    await ask(connection, 0)
    await ask(connection, 1)
    process.kill()
    await process.wait()
    with pytest.raises(MachineLost):
        await ask(connection, 2)
