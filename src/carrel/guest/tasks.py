"""Task groups that fail with one plain error."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from carrel.errors import CarrelError

__all__ = ["task_group"]


@asynccontextmanager
async def task_group() -> AsyncIterator[TaskGroup]:
    """A task group that raises the error that ended it, not a group around it.

    Several tasks of one request fail for one reason; whoever asked gets that error.
    """
    try:
        async with anyio.create_task_group() as tasks:
            yield tasks
    except BaseExceptionGroup as group:
        raise _main(group) from group


def _main(group: BaseExceptionGroup[BaseException]) -> BaseException:
    leaves = _leaves(group)
    fatal = [error for error in leaves if not isinstance(error, Exception)]
    ours = [error for error in leaves if isinstance(error, CarrelError)]
    strange = [error for error in leaves if not isinstance(error, CarrelError)]
    return (fatal or strange or ours)[0]


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    found: list[BaseException] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found
