"""The way out of the machine: one local proxy whose connections cross the stream.

The machine has no network of its own. Programs speak HTTP proxy or SOCKS 5 to this port on the
loopback; each connection becomes an `egress` stream to the attached keeper, which decides.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.abc import ByteStream, SocketAttribute, TaskStatus
from anyio.streams.buffered import BufferedByteReceiveStream

from carrel.errors import CarrelError, InvalidInput, Refused, TimedOut, Unavailable
from carrel.guest.proxy import (
    MAX_HEAD,
    HttpRequest,
    SocksRequest,
    http_error,
    parse_head,
    parse_socks_address,
)
from carrel.guest.tasks import task_group
from carrel.guest.tunnels import splice
from carrel.ids import new_id
from carrel.stream import Connection, Stream

__all__ = ["Egress"]

HEAD_TIMEOUT = 30.0
OPEN_TIMEOUT = 60.0
MAX_CLIENTS = 512
CHUNK = 64 * 1024
LOCAL = "localhost,127.0.0.1,::1"

_SOCKS_CODES: dict[type[CarrelError], int] = {Refused: 2, Unavailable: 3, TimedOut: 4}
_HTTP_STATUS: dict[type[CarrelError], tuple[int, str]] = {
    InvalidInput: (400, "Bad Request"),
    Refused: (403, "Forbidden"),
    Unavailable: (503, "Service Unavailable"),
    TimedOut: (504, "Gateway Timeout"),
}

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class _Client:
    """One connection of a program to the proxy."""

    socket: ByteStream
    input: BufferedByteReceiveStream = field(init=False)

    def __post_init__(self) -> None:
        self.input = BufferedByteReceiveStream(self.socket)


class Egress:
    """The proxy inside the machine."""

    def __init__(self) -> None:
        self._keepers: list[Connection] = []
        self._port: int | None = None
        self._clients = anyio.CapacityLimiter(MAX_CLIENTS)

    @property
    def port(self) -> int | None:
        """Where it listens, once it does."""
        return self._port

    def env(self) -> dict[str, str]:
        """The variables that send programs here; none before it listens."""
        if self._port is None:
            return {}
        url = f"http://127.0.0.1:{self._port}"
        names = ("http_proxy", "https_proxy", "all_proxy")
        found = dict.fromkeys([*names, *map(str.upper, names)], url)
        return {**found, "no_proxy": LOCAL, "NO_PROXY": LOCAL}

    @asynccontextmanager
    async def attached(self, connection: Connection) -> AsyncIterator[None]:
        """While inside, new connections go over `connection`; the last attached comes first."""
        self._keepers.append(connection)
        try:
            yield
        finally:
            self._keepers.remove(connection)

    async def serve(
        self, port: int = 0, *, task_status: TaskStatus[int] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen on the loopback until cancelled."""
        async with await anyio.create_tcp_listener(
            local_host="127.0.0.1", local_port=port
        ) as listener:
            self._port = int(listener.extra(SocketAttribute.local_port))  # noqa: S610
            task_status.started(self._port)
            try:
                await listener.serve(self._welcome)
            finally:
                self._port = None

    async def _welcome(self, socket: ByteStream) -> None:
        async with self._clients, socket:
            try:
                await self._serve(_Client(socket))
            except (CarrelError, OSError, anyio.BrokenResourceError, anyio.EndOfStream) as error:
                # The client has its answer, or is gone: nothing is left to tell it.
                logger.debug("a proxy connection ended: %s", error)
            except (anyio.IncompleteRead, anyio.ClosedResourceError) as error:
                logger.debug("a proxy client went away: %r", error)

    async def _serve(self, client: _Client) -> None:
        with anyio.move_on_after(HEAD_TIMEOUT) as hurry:
            first = (await client.input.receive_exactly(1))[0]
            wish: SocksRequest | HttpRequest
            if first == 5:
                wish = await _read_socks(client)
            else:
                wish = await _read_http(client, bytes([first]))
        if hurry.cancelled_caught:
            return
        answer = _socks_answer if isinstance(wish, SocksRequest) else _http_answer
        try:
            stream = await self._open(wish.host, wish.port)
        except CarrelError as error:
            await client.socket.send(answer(error))
            return
        async with stream:
            if isinstance(wish, HttpRequest) and wish.forward:
                await _forward(client, stream, wish)
            else:
                await client.socket.send(answer(None))
                await _send_rest(client, stream)
                await splice(stream, client.socket)

    async def _open(self, host: str, port: int) -> Stream:
        """A tunnel that the keeper has agreed to."""
        keeper = next((k for k in reversed(self._keepers) if not k.closed), None)
        if keeper is None:
            raise Unavailable("this machine has no way out: no network was granted to it")
        header = {"op": "egress", "id": new_id("req"), "args": {"host": host, "port": port}}
        stream = await keeper.open(header)
        try:
            with anyio.fail_after(OPEN_TIMEOUT):
                await stream.receive_message()
        except TimeoutError:
            error = TimedOut(f"no answer about {host} port {port}")
            await stream.reset(error)
            raise error from None
        except BaseException:
            stream.abort(Refused("the program went away"))
            raise
        return stream


async def _read_http(client: _Client, first: bytes) -> HttpRequest:
    try:
        rest = await client.input.receive_until(b"\r\n\r\n", MAX_HEAD)
        return parse_head(first + rest)
    except (anyio.DelimiterNotFound, InvalidInput) as error:
        message = str(error) if isinstance(error, InvalidInput) else "the request is too long"
        await client.socket.send(http_error(400, "Bad Request", message))
        raise InvalidInput(message) from error


async def _read_socks(client: _Client) -> SocksRequest:
    """The greeting and the request after it; RFC 1928."""
    take = client.input.receive_exactly
    methods = await take((await take(1))[0])
    if 0 not in methods:
        await client.socket.send(b"\x05\xff")
        raise InvalidInput("the client insists on a password")
    await client.socket.send(b"\x05\x00")
    version, command, _, kind = await take(4)
    size = {1: 4, 4: 16}.get(kind) or ((await take(1))[0] if kind == 3 else 0)
    address, port = await take(size), int.from_bytes(await take(2))
    try:
        if version != 5 or kind not in (1, 3, 4):
            raise _SocksRefusal(8, "the address has an unknown form")
        if command != 1:
            raise _SocksRefusal(7, "only CONNECT is served")
        if not port:
            raise _SocksRefusal(1, "port 0 cannot be reached")
        return SocksRequest(command, parse_socks_address(kind, address), port)
    except InvalidInput as error:
        code = error.reply if isinstance(error, _SocksRefusal) else 1
        await client.socket.send(_socks_reply(code))
        raise


class _SocksRefusal(InvalidInput):
    def __init__(self, reply: int, message: str) -> None:
        super().__init__(message)
        self.reply = reply


def _socks_reply(code: int) -> bytes:
    return bytes([5, code, 0, 1]) + bytes(6)


def _socks_answer(error: CarrelError | None) -> bytes:
    return _socks_reply(0 if error is None else _SOCKS_CODES.get(type(error), 5))


def _http_answer(error: CarrelError | None) -> bytes:
    if error is None:
        return b"HTTP/1.1 200 Connection established\r\n\r\n"
    status, reason = _HTTP_STATUS.get(type(error), (502, "Bad Gateway"))
    return http_error(status, reason, f"{error.message}")


async def _send_rest(client: _Client, stream: Stream) -> None:
    """Send on what came together with the request."""
    if client.input.buffer:
        await stream.send(await client.input.receive(len(client.input.buffer)))


async def _forward(client: _Client, stream: Stream, wish: HttpRequest) -> None:
    """One request and its answer; then the connection ends."""
    await stream.send(wish.forward)
    async with task_group() as tasks:
        tasks.start_soon(_send_content, client, stream, wish.length)
        while (item := await stream.receive()) is not None:
            if isinstance(item.data, bytes):
                await client.socket.send(item.data)
        tasks.cancel_scope.cancel()


async def _send_content(client: _Client, stream: Stream, length: int | None) -> None:
    """Exactly the content, so that nothing else follows it to that host."""
    while length is None or length > 0:
        try:
            data = await client.input.receive(CHUNK if length is None else min(CHUNK, length))
        except anyio.EndOfStream:
            if length is not None:
                raise
            await stream.end()
            return
        await stream.send(data)
        length = None if length is None else length - len(data)
