"""What clients say to a proxy: HTTP requests and SOCKS 5, parsed strictly, without I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from carrel.errors import InvalidInput

__all__ = [
    "MAX_HEAD",
    "HttpRequest",
    "SocksRequest",
    "http_error",
    "parse_head",
    "parse_socks_address",
    "split_host_port",
]

MAX_HEAD = 64 * 1024

_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([!-~]+) HTTP/1\.([01])")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*")
_PORT = re.compile(r"[0-9]{1,5}")

# They speak of this connection, not of the request; RFC 9110, section 7.6.1.
_HOP_BY_HOP = {
    b"connection",
    b"proxy-connection",
    b"keep-alive",
    b"proxy-authorization",
    b"proxy-authenticate",
    b"te",
    b"upgrade",
    b"trailer",
    b"host",
}


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request to a proxy.

    Attributes:
        host: Where it wants to go.
        port: And to which port.
        forward: The head to send there; empty for `CONNECT`, which wants a bare tunnel.
        length: Bytes of content that follow; None when they come in chunks that say so.
    """

    host: str
    port: int
    forward: bytes = b""
    length: int | None = 0


@dataclass(frozen=True, slots=True)
class SocksRequest:
    """A SOCKS 5 request."""

    command: int
    host: str
    port: int


def split_host_port(text: str, default: int | None = None) -> tuple[str, int]:
    """Split `host:port` or `[address]:port`.

    Raises:
        InvalidInput: It is neither.
    """
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        good = bool(bracket) and (not rest or rest.startswith(":"))
        port = rest[1:] if rest else None
    else:
        host, colon, tail = text.partition(":")
        good = ":" not in tail
        port = tail if colon else None
    if not good or not 0 < len(host) <= 253 or set(host) & set("/@?#\\[] \t\r\n\0"):
        raise InvalidInput(f"{text[:80]!r} is not a host and a port")
    if port is None and default is not None:
        return host, default
    if port is None or _PORT.fullmatch(port) is None or not 1 <= int(port) <= 65535:
        raise InvalidInput(f"{text[:80]!r} has no port from 1 to 65535")
    return host, int(port)


def parse_head(head: bytes) -> HttpRequest:
    """Read a request to a proxy: everything before the empty line.

    Raises:
        InvalidInput: It is not one.
    """
    first, *lines = head.split(b"\r\n")
    match = _REQUEST_LINE.fullmatch(first)
    if match is None:
        raise InvalidInput("this is not an HTTP request to a proxy")
    method, target = match[1], match[2].decode("ascii")
    headers = [_parse_header(line) for line in lines]
    if method == b"CONNECT":
        return HttpRequest(*split_host_port(target))
    return _absolute(method, target, match[3], headers)


def _parse_header(line: bytes) -> tuple[bytes, bytes]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise InvalidInput("a header line is not one")
    return match[1], match[2]


def _absolute(
    method: bytes, target: str, minor: bytes, headers: list[tuple[bytes, bytes]]
) -> HttpRequest:
    try:
        url = urlsplit(target)
    except ValueError as error:
        raise InvalidInput(f"{target[:80]!r} is not a URL") from error
    if url.scheme != "http":
        raise InvalidInput(
            f"a proxy takes http:// URLs and CONNECT, not {target[:80]!r}",
            hint="use CONNECT for https",
        )
    host, port = split_host_port(url.netloc, 80)
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    if method == b"OPTIONS" and not url.path and not url.query:
        path = "*"
    dropped = _HOP_BY_HOP | {
        word.strip().lower()
        for name, value in headers
        if name.lower() == b"connection"
        for word in value.split(b",")
    }
    kept = [(name, value) for name, value in headers if name.lower() not in dropped]
    # Each request has a connection of its own, so that no second one goes where it should not.
    kept = [(b"Host", url.netloc.encode()), *kept, (b"Connection", b"close")]
    request_line = b"%b %b HTTP/1.%b\r\n" % (method, path.encode(), minor)
    forward = request_line + b"".join(b"%b: %b\r\n" % item for item in kept) + b"\r\n"
    return HttpRequest(host, port, forward, _content_length(kept))


def _content_length(headers: list[tuple[bytes, bytes]]) -> int | None:
    lengths = {value for name, value in headers if name.lower() == b"content-length"}
    codings = [value.lower() for name, value in headers if name.lower() == b"transfer-encoding"]
    if codings:
        if lengths or codings != [b"chunked"]:
            raise InvalidInput("the length of the content is told in two ways")
        return None
    if not lengths:
        return 0
    value = lengths.pop()
    if lengths or not value.isdigit() or len(value) > 18:
        raise InvalidInput("Content-Length is not a number")
    return int(value)


def http_error(status: int, reason: str, message: str) -> bytes:
    """A whole answer that says why not."""
    body = f"{message}\n".encode()
    return (
        f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    ).encode() + body


def parse_socks_address(kind: int, data: bytes) -> str:
    """The host of a SOCKS request: 4 or 16 bytes of address, or a name.

    Raises:
        InvalidInput: It is none of these.
    """
    if kind == 1 and len(data) == 4:
        return str(IPv4Address(data))
    if kind == 4 and len(data) == 16:
        return str(IPv6Address(data))
    if kind == 3 and data:
        try:
            host = data.decode()
        except UnicodeDecodeError as error:
            raise InvalidInput("the name of the host is not text") from error
        if host.isprintable() and not set(host) & set(" /@?#\\[]"):
            return host
    raise InvalidInput("the address of the host is not one")
