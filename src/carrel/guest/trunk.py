"""A machine that can be reached by one line only: everybody's connections over it.

Its keeper holds the other end (`carrel.machines.switchboard`) and opens a stream for every client.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from anyio.abc import ByteStream

from carrel.errors import InvalidInput, MachineLost, Unsupported
from carrel.stream import Connection, FdStream, Line, Nested, Stream

__all__ = ["open_device", "serve_line"]

_OPEN_AGAIN = 0.1

logger = logging.getLogger(__name__)

Serve = Callable[[ByteStream], Awaitable[None]]


def open_device(path: Path) -> FdStream:
    """A character device, such as the port of a virtual console, as a byte stream.

    Raises:
        InvalidInput: It cannot be opened.
    """
    try:
        number = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be opened: {error.strerror}") from error
    return FdStream(number, number)


async def serve_line(transport: FdStream, serve: Serve, *, lasting: bool = False) -> None:
    """Answer whoever calls, one after the other, until the line is cut.

    Args:
        transport: The line.
        serve: Answers one client.
        lasting: The line stays where it is while nobody is at its other end, as a console does.
    """
    line = Line(transport)

    async def handle(stream: Stream) -> None:
        if stream.header.get("op") != "dial":
            raise Unsupported("this line takes calls for the guest only")
        await serve(Nested(stream))

    while True:
        try:
            turn = await line.answer()
        except MachineLost:
            if not lasting:
                return
            await anyio.sleep(_OPEN_AGAIN)
            continue
        async with Connection(turn, initiator=False, handler=handle) as connection:
            await connection.wait_closed()
        logger.info("the line is free: %s", connection.error or "its holder hung up")
