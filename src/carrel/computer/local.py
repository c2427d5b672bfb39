"""A computer in this very process: the guest and its client joined by a socket pair."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio.abc import ByteStream

from carrel.computer.client import Computer
from carrel.geometry import Size
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.server import Guest
from carrel.guest.tasks import task_group
from carrel.stream import memory_pair

__all__ = ["local_computer"]


@asynccontextmanager
async def local_computer(
    display: str | None = None,
    *,
    size: Size | None = None,
    home: Path | None = None,
    settle: float | None = None,
) -> AsyncIterator[Computer]:
    """See and act on a display of this system, without any isolation.

    Args:
        display: Which one, such as `:1`; None starts a new one and ends it afterwards.
        size: Of a new display.
        home: Where programs start and relative paths lead.
        settle: As for `Computer`.
    """
    desk = Desk(DeskOptions(size=size or Size(1280, 800), display=display))
    guest = Guest(desk, home or Path.home())
    async with task_group() as tasks:
        tasks.start_soon(guest.run)

        async def connect() -> ByteStream:
            ours, theirs = memory_pair()
            tasks.start_soon(guest.serve, theirs)
            return ours

        async with Computer(connect, settle=settle) as computer:
            yield computer
        guest.request_stop()
