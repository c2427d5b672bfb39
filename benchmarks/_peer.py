"""cua's computer-server on the display of a desk, and a bare client of its WebSocket."""

from __future__ import annotations

import base64
import itertools
import json
import os
import platform
import socket
import struct
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from benchmarks._rivals import rival_environment, rival_python
from benchmarks.desks import Bench, Desk, until
from carrel.geometry import Point
from carrel.machines.keep import Keep

__all__ = ["PEER", "Absent", "Peer", "peer"]

PEER = "cua-computer-server==0.3.46"
PYTHONS = ((3, 13), (3, 12))
# It gives FastAPI an argument that later ones refuse.
BESIDE = ("fastapi<0.130",)
_SOCKETS = Path("/tmp/.X11-unix")
_WILD, _LOCAL = 0xFFFF, 0x100
_MASK = bytes(4)


@dataclass(frozen=True)
class Absent:
    """There is none to compare with, and why."""

    why: str


class Peer:
    """Asks it over a blocking socket: text frames, one question at a time."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        head += f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        self._socket.sendall(head.encode() + b"\r\n")
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self._exactly(1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise SystemExit(f"benchmarks: {PEER} took no WebSocket: {answer!r}")

    def ask(self, command: str, **params: int) -> dict[str, object]:
        """Have it done; its answer, which must be that it was."""
        text = json.dumps({"command": command, "params": params}).encode()
        self._socket.sendall(bytes((0x81, 0x80 | len(text))) + _MASK + text)
        answer: dict[str, object] = json.loads(self._frame())
        if answer.get("success") is not True:
            raise SystemExit(f"benchmarks: {PEER} refused {command}: {answer}")
        return answer

    def click(self, x: int, y: int) -> None:
        self.ask("left_click", x=x, y=y)

    def close(self) -> None:
        self._socket.sendall(bytes((0x88, 0x80)) + _MASK)
        self._socket.close()

    def _frame(self) -> bytes:
        """The next text; it pings now and then, and hangs up where none answers."""
        while True:
            kind, length = self._exactly(2)
            if length == 126:
                (length,) = struct.unpack(">H", self._exactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._exactly(8))
            text = self._exactly(length)
            if kind == 0x81:
                return text
            if kind == 0x89:
                self._socket.sendall(bytes((0x8A, 0x80 | length)) + _MASK + text)
            else:
                raise SystemExit(f"benchmarks: {PEER} sent a frame of kind {kind:#x}")

    def _exactly(self, size: int) -> bytes:
        data = self._socket.recv(size)
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise SystemExit(f"benchmarks: {PEER} has hung up")
            data += more
        return data


@asynccontextmanager
async def peer(bench: Bench, desk: Desk) -> AsyncIterator[Peer | Absent]:
    """It, on this desk's display: outside its walls, where it has less to cross than ours."""
    if bench.quick:
        yield Absent(f"{PEER} is left out of a quick run")
        return
    python, why = await to_thread.run_sync(rival_python, PEER, PYTHONS, BESIDE)
    if python is None:
        yield Absent(f"{PEER} could not be installed: {why}")
        return
    with tempfile.TemporaryDirectory(dir=bench.store.home) as home:
        told = (await desk.computer.run("env", "-0")).stdout.decode().split("\0")
        inner = dict(item.split("=", 1) for item in told if "=" in item)
        with _display(desk, inner, Path(home)) as env, _server(python, env, Path(home)) as server:
            async with _connected(desk, *server) as client:
                yield client


@contextmanager
def _display(desk: Desk, inner: dict[str, str], home: Path) -> Iterator[dict[str, str]]:
    """A display number of this system that leads to the desk's, and the cookie for it."""
    record = Keep(desk.machine.directory).read_record()
    assert record is not None
    assert record.guest_pid is not None
    root = Path("/proc", str(record.guest_pid), "root")
    cookie = (root / inner["XAUTHORITY"].lstrip("/")).read_bytes()[-16:]
    node = platform.node().encode()
    fields = {_WILD: b"", _LOCAL: node}
    if not _SOCKETS.exists():  # as on a system on which no X server has run yet
        _SOCKETS.mkdir()
        _SOCKETS.chmod(0o1777)
    for number in itertools.count(6000 + os.getpid() % 1000):
        link = _SOCKETS / f"X{number}"
        try:
            link.symlink_to(root / "tmp/.X11-unix" / f"X{inner['DISPLAY'].removeprefix(':')}")
        except FileExistsError:
            continue
        authority = home / "authority"
        authority.write_bytes(b"".join(_entry(*field, cookie) for field in fields.items()))
        try:
            yield {"DISPLAY": f":{number}", "XAUTHORITY": str(authority), "HOME": str(home)}
        finally:
            link.unlink()
        return


def _entry(family: int, address: bytes, cookie: bytes) -> bytes:
    fields = (address, b"", b"MIT-MAGIC-COOKIE-1", cookie)
    parts = (struct.pack(">H", len(field)) + field for field in fields)
    return struct.pack(">H", family) + b"".join(parts)


@contextmanager
def _server(python: Path, env: dict[str, str], home: Path) -> Iterator[tuple[int, Path]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    options = ("--host", "127.0.0.1", "--port", str(port), "--log-level", "warning")
    surroundings = {**rival_environment(), **env, "CUA_BACKEND": "native"}
    surroundings.pop("CONTAINER_NAME", None)
    log = home / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [str(python), "-m", "computer_server", *options],
            env=surroundings,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        yield port, log
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def _connected(desk: Desk, port: int, log: Path) -> AsyncIterator[Peer]:
    async def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        await until(f"{PEER} listened", listens, 60)
    except SystemExit as error:
        raise SystemExit(f"{error}; it said: {log.read_text(errors='replace')[-2000:]}") from None
    client = Peer(port)
    try:
        await _arrives(desk, client)
        yield client
        await _arrives(desk, client)
    finally:
        client.close()


async def _arrives(desk: Desk, client: Peer) -> None:
    """What answers without having clicked is no match: the window under it must tell of it."""
    at = Point(90, 70)
    desk.floor.ask("watch")
    client.click(at.x, at.y)
    told = json.loads(desk.floor.ask("told"))
    if told != [[at.x, at.y]] or await desk.computer.cursor() != at:
        raise SystemExit(f"benchmarks: {PEER} said it had clicked at {at}, and did at {told}")
