"""The gateway's process, before anybody is let in."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from carrel.machines.linelog import CARREL_LOG
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.store import Store
from carrel.mcp.endpoint import listen

UPGRADE = (
    "GET /tiny/mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
    "Upgrade: {protocol}\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    store = Store(tmp_path / "home")
    made = store.add("desk", MachineSpec())
    store.complete(made)
    made.directory.mkdir(parents=True)
    return made


@pytest.fixture
def gateway(machine: Machine) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    with closing(listen(machine)) as found:
        port = int(found.getsockname()[1])
    home = machine.directory.parent.parent
    command = [sys.executable, "-P", "-m", "carrel.mcp.gateway", str(home), machine.id]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield port, process
        if process.poll() is None:
            process.kill()


def connect(port: int) -> socket.socket:
    until = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            assert time.monotonic() < until, "it does not listen"
            time.sleep(0.05)


def answer(port: int, request: str) -> bytes:
    with connect(port) as line:
        line.settimeout(10)
        line.sendall(request.encode())
        return line.recv(4096)


@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_an_upgrade_without_the_token_is_refused_and_leaves_no_words(
    gateway: tuple[int, subprocess.Popen[bytes]], machine: Machine, protocol: str
) -> None:
    port, process = gateway
    got = answer(port, UPGRADE.format(port=port, protocol=protocol))
    assert got.startswith(b"HTTP/1.1 401 "), got
    assert answer(port, "no HTTP at all\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    _, words = process.communicate(timeout=20)
    assert (process.returncode, words) == (0, b"")
    assert len((machine.directory / CARREL_LOG).read_text().splitlines()) == 1
