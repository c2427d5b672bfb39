"""What a browser has open: its pages, as it lists them on its debugging port."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
import h11
from anyio.abc import ByteStream

from carrel.errors import ActionFailed, InvalidInput, ProtocolError, TimedOut, Unavailable

__all__ = ["TIMEOUT", "Dial", "Target", "dial_tcp", "list_targets", "open_port", "parse_targets"]

Dial = Callable[[int], Awaitable[ByteStream]]
"""Opens a connection to a port: `computer.dial` of a machine, `dial_tcp` of this system."""

TIMEOUT = 10.0
MAX_LIST = 16 * 1024 * 1024
CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Target:
    """Something the browser lets itself be asked about.

    Attributes:
        kind: `page` for a tab; others are workers, frames and the browser's own surfaces.
        path: Where its WebSocket is on the debugging port.
    """

    id: str
    kind: str
    title: str
    url: str
    path: str


async def dial_tcp(port: int) -> ByteStream:
    """Connect to a port on this system's loopback."""
    return await anyio.connect_tcp("127.0.0.1", port)


async def open_port(dial: Dial, port: int) -> ByteStream:
    """Connect to a browser's debugging port.

    Raises:
        Unavailable: Nothing answers there.
    """
    if not 1 <= port <= 65535:
        raise InvalidInput("a port is a number from 1 to 65535")
    try:
        return await dial(port)
    except (OSError, ActionFailed) as error:
        raise Unavailable(
            f"no browser answers on port {port}",
            hint="start one whose debugging port is open: carrel do open chromium",
            context={"port": port},
        ) from error


async def list_targets(dial: Dial, port: int, *, timeout: float = TIMEOUT) -> tuple[Target, ...]:
    """What the browser has open, the tab used last first.

    Raises:
        Unavailable: No browser answers there.
        TimedOut: It did not answer in time.
        ProtocolError: What answers is not a browser.
    """
    try:
        with anyio.fail_after(timeout):
            stream = await open_port(dial, port)
            try:
                return parse_targets(await _get(stream, f"127.0.0.1:{port}", "/json/list"))
            finally:
                with anyio.CancelScope(shield=True):
                    await stream.aclose()
    except TimeoutError as error:
        raise TimedOut(f"the browser did not list its pages within {timeout:g} s") from error


async def _get(stream: ByteStream, host: str, path: str) -> bytes:
    """The body of an answer; a browser only answers to an address or `localhost` as host."""
    wire = h11.Connection(h11.CLIENT)
    headers = [("Host", host), ("Connection", "close"), ("Accept", "application/json")]
    request = wire.send(h11.Request(method="GET", target=path, headers=headers))
    end = wire.send(h11.EndOfMessage())
    body, begun = b"", False
    try:
        await stream.send((request or b"") + (end or b""))
        while not isinstance(event := wire.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                data = await _receive(stream)
                if not data and not begun:
                    raise Unavailable("the browser is closing: it hung up without an answer")
                begun = True
                wire.receive_data(data)
            elif isinstance(event, h11.Response) and event.status_code != 200:
                raise ProtocolError(f"{path} was answered with HTTP status {event.status_code}")
            elif isinstance(event, h11.Data):
                body += event.data
            if len(body) > MAX_LIST:
                raise ProtocolError(f"a list of pages longer than {MAX_LIST} bytes")
    except h11.RemoteProtocolError as error:
        raise ProtocolError(f"what answers does not speak HTTP: {error}") from error
    except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
        raise ProtocolError("the browser broke off its answer") from error
    return body


async def _receive(stream: ByteStream) -> bytes:
    try:
        return await stream.receive(CHUNK)
    except anyio.EndOfStream:
        return b""


def parse_targets(body: bytes) -> tuple[Target, ...]:
    """Read the list of targets; those that cannot be talked to are left out.

    Raises:
        ProtocolError: It is not such a list.
    """
    try:
        listed = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("the list of pages is not JSON") from error
    if not isinstance(listed, list):
        raise ProtocolError("the list of pages is not a list")
    found = (_target(item) for item in listed if isinstance(item, dict))
    return tuple(target for target in found if target is not None)


def _target(item: dict[str, object]) -> Target | None:
    words = {key: item.get(key, "") for key in ("id", "type", "title", "url")}
    address = item.get("webSocketDebuggerUrl")
    if not isinstance(address, str) or not all(isinstance(word, str) for word in words.values()):
        return None
    try:
        path = urlsplit(address).path
    except ValueError:
        return None
    # It becomes a line of an HTTP request.
    if not (path.startswith("/devtools/") and path.isascii() and path.isprintable()) or " " in path:
        return None
    told = {key: str(word) for key, word in words.items()}
    return Target(told["id"], told["type"], told["title"], told["url"], path)
