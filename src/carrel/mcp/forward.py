"""Requests passed on to an MCP server that speaks HTTP, inside a machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import h11
from anyio.abc import ByteStream
from starlette.types import Message, Receive, Scope, Send

from carrel.computer import Computer
from carrel.errors import CarrelError
from carrel.guest.tasks import task_group
from carrel.machines.apps import App
from carrel.machines.provider import get_provider
from carrel.machines.spec import Machine

__all__ = ["forward"]

MAX_BODY = 16 << 20
_CONNECT_BOUND = 10.0
_TRY_AGAIN = 0.2
_OURS = (b"host", b"authorization", b"connection", b"content-length", b"transfer-encoding")
_HOP = (b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server")


class _TooLarge(Exception):
    """A request's body is."""


async def forward(machine: Machine, app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Ask the server inside what was asked of us, and answer what it answers, as it comes."""
    try:
        body = await _body(receive)
        async with _connected(machine, app) as line:
            await _exchange(line, app, scope, body, receive, send)
    except _TooLarge:
        await respond(send, 413, "the request is too large")
    except (CarrelError, OSError, anyio.BrokenResourceError, h11.RemoteProtocolError) as error:
        await respond(send, 502, f"the MCP server {app.name} does not answer: {error}")


async def respond(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    """Answer with a line of text."""
    head = [(b"content-type", b"text/plain; charset=utf-8"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise _TooLarge
        if not message.get("more_body"):
            return bytes(body)


@asynccontextmanager
async def _connected(machine: Machine, app: App) -> AsyncIterator[ByteStream]:
    """A connection to the server; one that was just started may not listen yet."""
    provider = get_provider(machine.spec.provider)
    async with (
        Computer(lambda: provider.channel(machine)) as computer,
        await _dialled(computer, app.port) as line,
    ):
        yield line


async def _dialled(computer: Computer, port: int) -> ByteStream:
    until = anyio.current_time() + _CONNECT_BOUND
    while True:
        try:
            return await computer.dial(port)
        except CarrelError:
            if anyio.current_time() > until:
                raise
        await anyio.sleep(_TRY_AGAIN)


async def _exchange(
    line: ByteStream, app: App, scope: Scope, body: bytes, receive: Receive, send: Send
) -> None:
    peer = h11.Connection(h11.CLIENT)
    await line.send(_request(peer, app, scope, body))
    async with task_group() as tasks:

        async def end_with_client() -> None:
            message: Message = {"type": ""}
            while message["type"] != "http.disconnect":
                message = await receive()
            tasks.cancel_scope.cancel()

        tasks.start_soon(end_with_client)
        await _answer(peer, line, send)
        tasks.cancel_scope.cancel()


def _request(peer: h11.Connection, app: App, scope: Scope, body: bytes) -> bytes:
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in _OURS]
    head = h11.Request(
        method=scope["method"],
        target=app.path,
        headers=[
            (b"host", f"127.0.0.1:{app.port}".encode()),
            (b"connection", b"close"),
            (b"content-length", str(len(body)).encode()),
            *kept,
        ],
    )
    parts = [peer.send(head), peer.send(h11.Data(data=body)), peer.send(h11.EndOfMessage())]
    return b"".join(part for part in parts if part)


async def _answer(peer: h11.Connection, line: ByteStream, send: Send) -> None:
    while True:
        event = peer.next_event()
        if event is h11.NEED_DATA:
            try:
                peer.receive_data(await line.receive())
            except anyio.EndOfStream:
                peer.receive_data(b"")
        elif isinstance(event, h11.Response):
            headers = [(name, value) for name, value in event.headers if name not in _HOP]
            start = {"type": "http.response.start", "status": event.status_code}
            await send({**start, "headers": headers})
        elif isinstance(event, h11.Data):
            await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
        elif not isinstance(event, h11.InformationalResponse):
            await send({"type": "http.response.body", "body": b""})
            return
