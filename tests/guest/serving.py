"""Operations served over a real connection in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from carrel.codec import Json
from carrel.stream import Connection, Lane, Message, Stream, memory_pair

Op = Callable[[Stream, dict[str, Json]], Awaitable[None]]


def replying(method: Callable[[Stream, dict[str, Json]], Awaitable[dict[str, Json]]]) -> Op:
    """An operation that sends what a method returns, as the guest does."""

    async def op(stream: Stream, args: dict[str, Json]) -> None:
        await stream.send_message({"result": await method(stream, args)})

    return op


@asynccontextmanager
async def serving(ops: Mapping[str, Op]) -> AsyncIterator[Connection]:
    async def handle(stream: Stream) -> None:
        await ops[stream.header["op"]](stream, stream.header.get("args", {}))

    ours, theirs = memory_pair()
    async with (
        Connection(theirs, initiator=False, handler=handle),
        Connection(ours, initiator=True) as client,
    ):
        await client.ready()
        yield client


@dataclass
class Answer:
    messages: list[dict[str, Json]] = field(default_factory=list)
    out: bytes = b""
    err: bytes = b""

    @property
    def last(self) -> dict[str, Json]:
        return self.messages[-1]


async def rest(stream: Stream, answer: Answer | None = None) -> Answer:
    """Everything until the peer ends."""
    answer = answer or Answer()
    while (item := await stream.receive()) is not None:
        if isinstance(item, Message):
            answer.messages.append(item.data)
        elif item.lane is Lane.ERRORS:
            answer.err += item.data
        else:
            answer.out += item.data
    return answer


async def ask(connection: Connection, op: str, body: bytes | None = None, **args: object) -> Answer:
    stream = await connection.open({"op": op, "id": "req_1", "args": args}, end=body is None)
    async with stream:
        if body is not None:
            await stream.send(body, end=True)
        return await rest(stream)
