"""A machine that can be reached by one line only: everybody's connections over it.

Its keeper holds the other end (`carrel.machines.switchboard`) and opens a stream for every client.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Never

import anyio
from anyio.abc import ByteStream

from carrel.errors import InvalidInput, MachineLost, Unsupported
from carrel.guest.tasks import task_group
from carrel.stream import Connection, FdStream, Line, Nested, Stream, socket_stream

__all__ = ["listen_vsock", "open_device", "serve_line", "serve_lines"]

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


def listen_vsock(port: int) -> socket.socket:
    """Where a virtual machine's host can reach it: a socket of the kind that needs no network.

    Raises:
        InvalidInput: There is no such thing here, or somebody has that port.
    """
    try:
        listener = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    except OSError as error:
        raise InvalidInput(f"this machine has no vsock: {error.strerror}") from error
    try:
        listener.bind((socket.VMADDR_CID_ANY, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise InvalidInput(f"vsock port {port} cannot be had: {error.strerror}") from error
    listener.setblocking(False)
    return listener


async def serve_lines(listener: socket.socket, serve: Serve) -> Never:
    """Have one line at a time, the last that was opened: its host has given up those before.

    After a snapshot, or in a machine restored from one, the line that was open is nobody's.
    """
    async with task_group() as tasks:
        former = anyio.CancelScope()
        while True:
            await anyio.wait_readable(listener)
            try:
                accepted, _ = listener.accept()
            except OSError as error:  # its caller is gone again
                logger.info("a call was not taken: %s", error)
                continue
            former.cancel()
            former = anyio.CancelScope()
            tasks.start_soon(_serve_in, former, accepted, serve)


async def _serve_in(scope: anyio.CancelScope, accepted: socket.socket, serve: Serve) -> None:
    with scope:
        async with socket_stream(accepted) as transport:
            await serve_line(transport, serve)


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
