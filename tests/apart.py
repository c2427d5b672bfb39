"""Desks that several tests share, each held by a task of its own."""

from __future__ import annotations

import asyncio  # noqa: TID251 (a task that belongs to no group, as pytest's fixtures do not nest)
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


@asynccontextmanager
async def apart(context: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """Enter a context in a task of its own, and leave it there.

    AnyIO runs all tests of a session in one task as long as any fixture is there. A context that
    is left before one that was entered later, or whose own tasks fail, would cancel that task and
    with it every test that comes. In a task of its own it fails whoever leaves it.
    """
    entered: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def hold() -> None:
        async with context as value:
            entered.set_result(value)
            await leave.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait([task, entered], return_when=asyncio.FIRST_COMPLETED)
    if not entered.done():
        task.result()
    try:
        yield entered.result()
    finally:
        leave.set()
        await task
