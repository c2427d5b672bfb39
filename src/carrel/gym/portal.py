"""The thread in which an environment's desk is talked to."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread

import anyio
from anyio.from_thread import BlockingPortal

__all__ = ["open_portal"]


@contextmanager
def open_portal() -> Iterator[BlockingPortal]:
    """A way into an event loop of its own.

    Unlike AnyIO's own, its thread does not keep a program from ending that forgets to close it.
    """
    opened: Future[BlockingPortal] = Future()

    async def serve() -> None:
        async with BlockingPortal() as portal:
            opened.set_result(portal)
            await portal.sleep_until_stopped()

    thread = Thread(target=anyio.run, args=(serve,), name="carrel.gym", daemon=True)
    thread.start()
    portal = opened.result()
    yield portal
    portal.call(portal.stop)
    thread.join()
