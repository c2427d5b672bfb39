from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from task_desk import TaskDesk, task_desk


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Of the session, so that a desk may outlive a test: all of a module share one event loop."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared_desk(anyio_backend: str) -> AsyncIterator[TaskDesk]:
    async with task_desk() as desk:
        yield desk


@pytest.fixture
async def desk(shared_desk: TaskDesk) -> TaskDesk:
    """The module's desk, with the page as new."""
    await shared_desk.reset()
    return shared_desk
