"""Connections carried over the stream: into the machine here, out of it in `egress`."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping
from dataclasses import dataclass

import anyio
from anyio.abc import ByteStream

from carrel import codec
from carrel.codec import Json
from carrel.errors import ActionFailed, CarrelError, InvalidInput, RunError, TimedOut
from carrel.guest.tasks import task_group
from carrel.stream import Chunk, Lane, Stream

__all__ = ["ConnectArgs", "Traffic", "Tunnels", "explain_connect", "splice"]

CHUNK = 64 * 1024
CONNECT_TIMEOUT = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectArgs:
    """The arguments of the operation `connect`."""

    port: int
    host: str = "127.0.0.1"

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise InvalidInput("a port is a number from 1 to 65535")
        if not 0 < len(self.host) <= 253 or "\0" in self.host:
            raise InvalidInput("a host has 1 to 253 characters")


@dataclass(slots=True)
class Traffic:
    """Bytes carried so far, as seen from the stream's peer: sent by it, and sent to it."""

    sent: int = 0
    received: int = 0
    ended: bool = False
    """Whether the socket's side said all it had to say."""


class Tunnels:
    """Reaches what listens inside the machine."""

    async def connect(self, stream: Stream, args: Mapping[str, Json]) -> None:
        """Connect to a port and carry bytes both ways until both sides have ended."""
        wish = codec.decode(ConnectArgs, args, where="connect")
        where = f"{wish.host} port {wish.port}"
        try:
            with anyio.fail_after(CONNECT_TIMEOUT):
                socket = await anyio.connect_tcp(wish.host, wish.port)
        except (OSError, UnicodeError) as error:
            raise explain_connect(where, error) from error
        async with socket:
            await stream.send_message({"result": {}})
            await splice(stream, socket)


def explain_connect(where: str, error: BaseException) -> RunError:
    """Why a connection could not be made."""
    if isinstance(error, TimeoutError):
        return TimedOut(f"{where} did not answer in time")
    cause = error
    while not getattr(cause, "errno", None) and cause.__cause__ is not None:
        cause = cause.__cause__
    if isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    if getattr(cause, "errno", None) == errno.ECONNREFUSED:
        return ActionFailed(f"nothing listens on {where}", retryable=True)
    return ActionFailed(f"{where} cannot be reached: {cause}")


async def splice(stream: Stream, socket: ByteStream, traffic: Traffic | None = None) -> None:
    """Carry bytes both ways, passing each side's end on, until both have ended.

    Raises:
        CarrelError: The stream was reset, or the socket broke.
    """
    traffic = traffic or Traffic()
    async with task_group() as tasks:
        tasks.start_soon(_to_socket, stream, socket, traffic)
        await _to_stream(stream, socket, traffic)


async def _to_socket(stream: Stream, socket: ByteStream, traffic: Traffic) -> None:
    try:
        while (item := await stream.receive()) is not None:
            if not isinstance(item, Chunk) or item.lane is not Lane.DATA:
                raise InvalidInput("a tunnel carries data only")
            await socket.send(item.data)
            traffic.sent += len(item.data)
        await socket.send_eof()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
        raise _broken(error) from error


async def _to_stream(stream: Stream, socket: ByteStream, traffic: Traffic) -> None:
    try:
        while True:
            data = await socket.receive(CHUNK)
            await stream.send(data)
            traffic.received += len(data)
    except anyio.EndOfStream:
        traffic.ended = True
        await stream.end()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
        raise _broken(error) from error


def _broken(error: BaseException) -> CarrelError:
    cause = error.__cause__ or error
    return RunError(f"the connection broke: {cause or type(cause).__name__}")
