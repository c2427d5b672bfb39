from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from carrel.stream import Connection, Handler, memory_pair

Pair = Callable[..., AbstractAsyncContextManager[tuple[Connection, Connection]]]


@asynccontextmanager
async def _pair(
    handler: Handler | None = None, **options: float
) -> AsyncIterator[tuple[Connection, Connection]]:
    ours, theirs = memory_pair()
    async with (
        Connection(theirs, initiator=False, handler=handler, **options) as server,
        Connection(ours, initiator=True, **options) as client,
    ):
        yield client, server


@pytest.fixture
def pair() -> Pair:
    """Makes a client and a server connection over one socket pair."""
    return _pair
