"""What a program in a machine tries to get out. Sent to the machine and run there, alone.

It is given its wishes as JSON, and answers with JSON: what came of each.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

_PATIENCE = 20.0


def _proxy() -> tuple[str, int]:
    found = urlsplit(os.environ.get("http_proxy", "http://127.0.0.1:9"))
    return str(found.hostname), int(found.port or 9)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _read(line: socket.socket) -> bytes:
    told = b""
    while data := line.recv(65536):
        told += data
    return told


def _ask(line: socket.socket) -> str:
    line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    told = _read(line)
    return "reached " + told.rpartition(b"\r\n\r\n")[2].decode() if told else "silence"


def by_connect(host: str, port: int) -> str:
    """Through the proxy as HTTPS goes."""
    with socket.create_connection(_proxy(), _PATIENCE) as line:
        where = f"{_bracketed(host)}:{port}"
        line.sendall(f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            data = line.recv(65536)
            if not data:
                return "refused " + head.decode()
            head += data
        if b" 200 " not in head.split(b"\r\n")[0]:
            return "refused " + (head + _read(line)).decode()
        return _ask(line)


def by_get(host: str, port: int) -> str:
    """Through the proxy as HTTP goes."""
    with socket.create_connection(_proxy(), _PATIENCE) as line:
        where = f"{_bracketed(host)}:{port}"
        line.sendall(
            f"GET http://{where}/ HTTP/1.1\r\nHost: {where}\r\nConnection: close\r\n\r\n".encode()
        )
        told = _read(line)
        body = told.rpartition(b"\r\n\r\n")[2].decode()
        return ("reached " if b" 200 " in told.split(b"\r\n")[0] else "refused ") + body


def _socks_host(host: str) -> bytes:
    for kind, family in ((b"\x01", socket.AF_INET), (b"\x04", socket.AF_INET6)):
        try:
            return kind + socket.inet_pton(family, host)
        except OSError:
            continue
    return b"\x03" + bytes([len(host)]) + host.encode()


def by_socks(host: str, port: int) -> str:
    """Through the proxy as SOCKS 5."""
    with socket.create_connection(_proxy(), _PATIENCE) as line:
        line.sendall(b"\x05\x01\x00")
        if line.recv(2) != b"\x05\x00":
            return "refused at once"
        line.sendall(b"\x05\x01\x00" + _socks_host(host) + port.to_bytes(2, "big"))
        answer = line.recv(10)
        if len(answer) < 2 or answer[1] != 0:
            return f"refused {answer!r}"
        return _ask(line)


def direct(host: str, port: int) -> str:
    """Without asking anybody."""
    with socket.create_connection((host, port), 3) as line:
        return _ask(line)


def datagram(host: str, port: int) -> str:
    """A packet, and whether one comes back."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as line:
        line.settimeout(0.5)
        line.sendto(b"anybody?", (host, port))
        return f"reached {line.recv(100)!r}"


def ping(host: str, _: int) -> str:
    """An echo request, by the sockets that need no rights."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as line:
        line.settimeout(0.5)
        line.sendto(b"\x08\0\xf7\xff\0\0\0\0", (host, 0))
        return f"reached {line.recv(100)!r}"


def raw(host: str, protocol: int) -> str:
    """A packet made by hand."""
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol) as line:
        line.sendto(b"\x08\0\xf7\xff\0\0\0\0", (host, 0))
        return "reached: it may make packets"


def frames(_: str, protocol: int) -> str:
    """Whatever passes by on a network device."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol)):
        return "reached: it may listen to all"


def unix(path: str, _: int) -> str:
    """A socket in the file system, or beside it where it begins with @."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(3)
        line.connect("\0" + path[1:] if path.startswith("@") else path)
        return "reached"


def name(host: str, _: int) -> str:
    """Asking for a name's address, of whoever there is to ask."""
    return f"reached {socket.getaddrinfo(host, 80)}"


def attempt(wish: list[object]) -> str:
    """What came of one wish: how, host and port."""
    how, host, port = wish
    try:
        return str(globals()[str(how)](host, port))
    except OSError as error:
        return f"refused {error!r}"


if __name__ == "__main__":
    wishes = json.loads(sys.stdin.read())
    with ThreadPoolExecutor(8) as pool:
        print(json.dumps(list(pool.map(attempt, wishes))))
