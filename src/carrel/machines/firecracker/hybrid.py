"""Firecracker's way to a guest's socket: by one on this side, told which port is meant."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from carrel.errors import MachineLost
from carrel.machines.firecracker.api import connect_in

__all__ = ["LINE_PORT", "VSOCK", "WORDS_PORT", "dial"]

VSOCK = "v.sock"
"""Its name in the directory that Firecracker runs in."""

LINE_PORT = 1024
"""Where the guest program listens."""

WORDS_PORT = 100
"""Where process 1 listens: below 1024, where nobody else in the machine can."""

_ANSWER = re.compile(rb"OK \d+\n")
_LONGEST = 32


def dial(root: Path, port: int, timeout: float) -> socket.socket:
    """A connection to what listens on a port of the guest's.

    Raises:
        MachineLost: Nobody does, or not yet.
    """
    try:
        line = connect_in(root, VSOCK, timeout)
    except OSError as error:
        raise MachineLost(f"the machine has no socket: {error}", op="firecracker.dial") from error
    try:
        line.sendall(b"CONNECT %d\n" % port)
        answer = _read_line(line)
    except OSError as error:
        line.close()
        raise MachineLost(f"the machine hung up: {error}", op="firecracker.dial") from error
    if _ANSWER.fullmatch(answer) is None:
        line.close()
        said = f"said {answer!r}" if answer else "hung up"
        raise MachineLost(f"nobody listens on port {port}: it {said}", op="firecracker.dial")
    line.settimeout(None)
    return line


def _read_line(line: socket.socket) -> bytes:
    """Byte by byte: what follows belongs to the guest."""
    answer = b""
    while not answer.endswith(b"\n") and len(answer) < _LONGEST:
        byte = line.recv(1)
        if not byte:
            break
        answer += byte
    return answer
