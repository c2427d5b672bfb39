"""A VNC viewer of a few lines (RFC 6143): opens a screen by its password and takes a picture."""

from __future__ import annotations

import socket
import struct
import subprocess
from dataclasses import dataclass
from urllib.parse import urlsplit

__all__ = ["Picture", "Rejected", "look"]

_VERSION = b"RFB 003.008\n"
_PASSWORD = 2
_RAW = 0


class Rejected(Exception):
    """The password is wrong."""


@dataclass(frozen=True)
class Picture:
    """What is on the screen, four bytes a pixel."""

    width: int
    height: int
    pixels: bytes

    @property
    def is_blank(self) -> bool:
        return len({self.pixels[i : i + 3] for i in range(0, len(self.pixels), 4)}) < 2


def look(url: str, seconds: float = 60) -> Picture:
    """See the screen behind `vnc://:PASSWORD@HOST:PORT`."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    with socket.create_connection((parts.hostname, parts.port), seconds) as line:
        _enter(line, parts.password or "")
        line.sendall(b"\1")  # others may look, too
        width, height = struct.unpack(">HH", _read(line, 4))
        _read(line, 16)
        _read(line, struct.unpack(">I", _read(line, 4))[0])
        line.sendall(struct.pack(">BxHi", 2, 1, _RAW))
        line.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, width, height))
        return Picture(width, height, _update(line, width, height))


def _enter(line: socket.socket, password: str) -> None:
    assert _read(line, 12) == _VERSION
    line.sendall(_VERSION)
    ways = _read(line, _read(line, 1)[0])
    assert set(ways) == {_PASSWORD}, "nobody gets in without one"
    line.sendall(bytes([_PASSWORD]))
    line.sendall(_encrypt(_read(line, 16), password))
    if struct.unpack(">I", _read(line, 4))[0] != 0:
        raise Rejected


def _encrypt(challenge: bytes, password: str) -> bytes:
    key = password.encode().ljust(8, b"\0")[:8]
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in key)
    words = ["openssl", "enc", "-des-ecb", "-nopad", "-K", mirrored.hex()]
    words += ["-provider", "legacy", "-provider", "default"]
    return subprocess.run(words, input=challenge, capture_output=True, check=True).stdout


def _update(line: socket.socket, width: int, height: int) -> bytes:
    rows = bytearray(width * height * 4)
    assert _read(line, 1) == b"\0"
    (count,) = struct.unpack(">xH", _read(line, 3))
    for _ in range(count):
        x, y, wide, high, encoding = struct.unpack(">HHHHi", _read(line, 12))
        assert encoding == _RAW
        for row in range(y, y + high):
            at = (row * width + x) * 4
            rows[at : at + wide * 4] = _read(line, wide * 4)
    return bytes(rows)


def _read(line: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = line.recv(count - len(data))
        assert piece, "the screen is gone"
        data += piece
    return data
