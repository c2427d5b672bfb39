"""Something that answers like a browser's debugging port, as a test wants it to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ByteStream
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, Request, TextMessage

from carrel.browser import Dial
from carrel.stream import memory_pair

PAGE = {
    "id": "A1",
    "type": "page",
    "title": "one",
    "url": "about:blank",
    "webSocketDebuggerUrl": "ws://127.0.0.1:9/devtools/page/A1",
}

Serve = Callable[[ByteStream], Awaitable[None]]


@asynccontextmanager
async def serving(*turns: Serve) -> AsyncIterator[Dial]:
    """Hands out one connection per turn, each served by that function."""
    waiting = list(turns)
    async with anyio.create_task_group() as tasks:

        async def serve(turn: Serve, stream: ByteStream) -> None:
            async with stream:
                await turn(stream)

        async def dial(port: int) -> ByteStream:
            ours, theirs = memory_pair()
            tasks.start_soon(serve, waiting.pop(0), theirs)
            return ours

        yield dial
        tasks.cancel_scope.cancel()


def answering(body: bytes, status: str = "200 OK") -> Serve:
    """One HTTP answer, then the end."""

    async def serve(stream: ByteStream) -> None:
        await stream.receive()
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n"
        await stream.send(head.encode() + body)

    return serve


def pages(*items: object) -> Serve:
    """The list of targets."""
    return answering(json.dumps(list(items)).encode())


class Peer:
    """The browser's end of a WebSocket."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self.wire = WSConnection(ConnectionType.SERVER)
        self.waiting: list[Event] = []

    async def next(self) -> Event:
        while not self.waiting:
            self.wire.receive_data(await self.stream.receive())
            self.waiting.extend(self.wire.events())
        return self.waiting.pop(0)

    async def send(self, event: Event) -> None:
        await self.stream.send(self.wire.send(event))

    async def say(self, message: object) -> None:
        await self.send(TextMessage(data=json.dumps(message)))

    async def hear(self) -> dict[str, Any]:
        """The next command; the end of the conversation is the end of the stream."""
        event = await self.next()
        if isinstance(event, CloseConnection):
            await self.send(event.response())
            raise anyio.EndOfStream
        assert isinstance(event, TextMessage)
        assert event.message_finished
        return dict(json.loads(event.data))


def talking(talk: Callable[[Peer], Awaitable[None]]) -> Serve:
    """A WebSocket on which `talk` speaks until it returns or the client goes."""

    async def serve(stream: ByteStream) -> None:
        peer = Peer(stream)
        request = await peer.next()
        assert isinstance(request, Request)
        assert b"origin" not in {name.lower() for name, _ in request.extra_headers}
        await peer.send(AcceptConnection())
        try:
            await talk(peer)
        except anyio.EndOfStream:
            return

    return serve
