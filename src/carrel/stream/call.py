"""Requests over a connection: one header, one result, perhaps bytes either way."""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import anyio

from carrel.codec import Json
from carrel.errors import ProtocolError, RunError, TimedOut
from carrel.ids import new_id
from carrel.stream.connection import Connection
from carrel.stream.frames import Lane
from carrel.stream.streams import Message, Stream

__all__ = ["Body", "Reply", "call", "request"]

Body = AsyncIterable[bytes] | bytes | bytearray | memoryview

_NOTHING: Mapping[str, object] = MappingProxyType({})
_MAX_BODY = 256 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request."""

    result: dict[str, Json]
    body: bytes = b""


async def request(
    connection: Connection,
    op: str,
    args: Mapping[str, object] = _NOTHING,
    *,
    id: str | None = None,  # noqa: A002 - the word on the wire
    end: bool = False,
) -> Stream:
    """Open the stream of a request and leave the rest to the caller.

    Args:
        connection: The connection to the machine.
        op: What to do.
        args: With what.
        id: The same id again answers the first result again; a new one by default.
        end: Nothing follows from our side.
    """
    header = {"op": op, "id": id or new_id("req"), "args": args if type(args) is dict else {**args}}
    return await connection.open(header, end=end)


async def call(
    connection: Connection,
    op: str,
    args: Mapping[str, object] = _NOTHING,
    *,
    id: str | None = None,  # noqa: A002 - the word on the wire
    body: Body | None = None,
    timeout: float | None = None,
    max_body: int = _MAX_BODY,
) -> Reply:
    """Send a request and collect its whole answer.

    Args:
        connection: The connection to the machine.
        op: What to do.
        args: With what.
        id: The same id again answers the first result again; a new one by default.
        body: Bytes that follow the request.
        timeout: Seconds until the request is given up; the other side is told.
        max_body: How many bytes of answer to collect at most.

    Raises:
        CarrelError: The error of the other side.
        MachineLost: The connection ended first.
        TimedOut: It took longer than `timeout`.
        ProtocolError: The answer is not a result and perhaps bytes.
    """
    if timeout is None:
        return await _call(connection, op, args, id, body, max_body)
    with anyio.move_on_after(timeout):
        return await _call(connection, op, args, id, body, max_body)
    raise TimedOut(f"{op} did not answer within {timeout:g} s", op=op)


async def _call(
    connection: Connection,
    op: str,
    args: Mapping[str, object],
    id: str | None,  # noqa: A002
    body: Body | None,
    max_body: int,
) -> Reply:
    stream = await request(connection, op, args, id=id, end=body is None)
    async with stream:
        if body is None:
            return await _collect(stream, max_body, connection)
        return await _exchange(stream, body, max_body)


async def _exchange(stream: Stream, body: Body, max_body: int) -> Reply:
    """Send the body while the answer comes; an early answer makes the rest of it pointless."""
    failures: list[BaseException] = []
    async with anyio.create_task_group() as group:

        async def upload() -> None:
            try:
                await _send_body(stream, body)
            except Exception as error:  # noqa: BLE001 - raised again below, without a group
                failures.append(error)
                group.cancel_scope.cancel()

        group.start_soon(upload)
        reply: Reply | None = None
        try:
            reply = await _collect(stream, max_body)
        except Exception as error:  # noqa: BLE001 - raised again below, without a group
            failures.insert(0, error)
        group.cancel_scope.cancel()
    if failures:
        raise failures[0]
    assert reply is not None
    return reply


async def _send_body(stream: Stream, body: Body) -> None:
    if isinstance(body, bytes | bytearray | memoryview):
        await stream.send(body, end=True)
        return
    async for piece in body:
        await stream.send(piece)
    await stream.end()


async def _collect(stream: Stream, max_body: int, connection: Connection | None = None) -> Reply:
    """The whole answer, read by this task itself where `connection` is given and lets it."""
    if connection is not None:
        await connection.lead(stream)
    message = await stream.receive_message()
    result = message.get("result")
    if not isinstance(result, dict):
        raise ProtocolError(f"the answer on stream {stream.id} holds no result")
    pieces: list[bytes] = []
    size = 0
    while (item := await stream.receive()) is not None:
        if isinstance(item, Message) or item.lane is not Lane.DATA:
            raise ProtocolError("the answer goes on as a stream", hint="use request, not call")
        size += len(item.data)
        if size > max_body:
            raise RunError(
                f"the answer is longer than {max_body} bytes",
                hint="read it piece by piece with request",
            )
        pieces.append(item.data)
        if connection is not None and stream.empty:
            await connection.lead(stream)
    return Reply(result, pieces[0] if len(pieces) == 1 else b"".join(pieces))
