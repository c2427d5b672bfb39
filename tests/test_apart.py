"""Shared desks end in any order, and take no test with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from apart import apart

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def desk(name: str, log: list[str]) -> AsyncIterator[str]:
    async with anyio.create_task_group() as tasks:
        log.append(f"{name} up")
        yield name
        tasks.cancel_scope.cancel()
    log.append(f"{name} down")


async def test_the_first_may_be_left_before_the_second() -> None:
    log: list[str] = []
    with anyio.fail_after(10):
        first, second = apart(desk("first", log)), apart(desk("second", log))
        assert (await first.__aenter__(), await second.__aenter__()) == ("first", "second")
        await first.__aexit__(None, None, None)
        await anyio.sleep(0.01)
        await second.__aexit__(None, None, None)
    assert log == ["first up", "second up", "first down", "second down"]


@asynccontextmanager
async def dying(by: anyio.Event) -> AsyncIterator[None]:
    async def die() -> None:
        await by.wait()
        raise RuntimeError("the desk died")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(die)
        yield


async def test_one_that_dies_says_so_when_it_is_left_and_cancels_nobody() -> None:
    now = anyio.Event()
    with anyio.fail_after(10):
        held = apart(dying(now))
        await held.__aenter__()
        now.set()
        await anyio.sleep(0.05)
        with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="the desk died")):
            await held.__aexit__(None, None, None)


@asynccontextmanager
async def impossible() -> AsyncIterator[None]:
    raise FileNotFoundError("no such desk")
    yield


async def test_one_that_cannot_be_had_says_why() -> None:
    with anyio.fail_after(10), pytest.raises(FileNotFoundError, match="no such desk"):
        async with apart(impossible()):
            pass
