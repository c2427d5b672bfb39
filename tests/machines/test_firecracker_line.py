"""The line to a guest: by Firecracker's socket on this side, by the guest's own on the other."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import CarrelError, InvalidInput, MachineLost
from carrel.guest.trunk import listen_vsock, serve_lines
from carrel.machines.firecracker import hear
from carrel.machines.firecracker.disks import copy_sparse, make_layer
from carrel.machines.firecracker.hybrid import VSOCK, dial
from carrel.stream import Connection, Line, Nested, Stream, socket_stream


@contextmanager
def answering(root: Path, answer: bytes) -> Iterator[list[bytes]]:
    """Something that listens as Firecracker does, says that, and hangs up."""
    heard: list[bytes] = []
    path = root / VSOCK
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        place = os.open(root, os.O_PATH)
        listener.bind(f"/proc/self/fd/{place}/{VSOCK}")
        os.close(place)
        listener.listen()

        def serve() -> None:
            caller, _ = listener.accept()
            with caller:
                heard.append(caller.recv(100))
                caller.sendall(answer)

        server = threading.Thread(target=serve)
        server.start()
        try:
            yield heard
        finally:
            server.join(60)


@given(number=st.integers(0, 1 << 32), rest=st.binary(max_size=50))
def test_what_follows_the_answer_is_the_guests(
    tmp_path_factory: pytest.TempPathFactory, number: int, rest: bytes
) -> None:
    root = tmp_path_factory.getbasetemp()
    with answering(root, b"OK %d\n" % number + rest) as heard:
        with dial(root, 1024, 60) as line:
            found = b""
            while data := line.recv(100):
                found += data
        assert found == rest
    assert heard == [b"CONNECT 1024\n"]


@given(st.binary(max_size=40))
def test_any_other_answer_is_nobody(
    tmp_path_factory: pytest.TempPathFactory, answer: bytes
) -> None:
    root = tmp_path_factory.getbasetemp()
    with (
        answering(root, b"" if answer.startswith(b"OK ") else answer),
        pytest.raises(MachineLost, match=r"nobody listens|hung up"),
    ):
        dial(root, 100, 60)


def test_a_machine_without_a_socket_is_lost(tmp_path: Path) -> None:
    with pytest.raises(MachineLost, match="no socket"):
        dial(tmp_path, 1024, 1)


async def greet(transport: ByteStream) -> None:
    async def handle(stream: Stream) -> None:
        await stream.send_message({"said": "hello"})

    async with Connection(transport, initiator=False, handler=handle) as connection:
        await connection.wait_closed()


async def hello_over(line: socket.socket) -> None:
    """Call the guest by its line, as the keeper does, and have it answer a client."""
    async with (
        socket_stream(line) as transport,
        Connection(await Line(transport).call(60), initiator=True) as trunk,
        await trunk.open({"op": "dial"}) as stream,
        Connection(Nested(stream), initiator=True) as client,
        await client.open({"op": "greet"}) as asked,
    ):
        message = await asked.receive_message()
        assert message == {"said": "hello"}


@pytest.mark.anyio
async def test_a_guest_has_the_line_that_was_opened_last(tmp_path: Path) -> None:
    # As over vsock, of which only the address is another.
    with socket.socket(socket.AF_UNIX) as listener, anyio.fail_after(120):
        listener.bind(str(tmp_path / "line"))
        listener.listen()
        listener.setblocking(False)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve_lines, listener, greet)
            lines = []
            for _ in range(3):
                line = socket.socket(socket.AF_UNIX)
                line.connect(str(tmp_path / "line"))
                line.setblocking(False)
                lines.append(line)
                await hello_over(line.dup())
            # Nobody has hung up: the guest has given up the first two by itself.
            for line in lines[:2]:
                await anyio.wait_readable(line)
                assert _end_of(line)
            tasks.cancel_scope.cancel()
        for line in lines:
            line.close()


def _end_of(line: socket.socket) -> bool:
    while True:
        try:
            data = line.recv(1 << 16)
        except BlockingIOError:
            return False
        if not data:
            return True


def test_a_vsock_port_is_had_once() -> None:
    try:
        first = listen_vsock(50_024)
    except InvalidInput as error:
        pytest.skip(f"there is no vsock here: {error.message}")
    with first:
        assert first.getsockname()[1] == 50_024
        with pytest.raises(CarrelError, match="cannot be had"):
            listen_vsock(50_024)


class Ends(BaseException):
    """Nobody calls any more."""


class Calls:
    """As a socket of the kind that only a virtual machine has."""

    def __init__(self, *calls: tuple[int, bytes]) -> None:
        self._calls = []
        for who, words in calls:
            caller, accepted = socket.socketpair()
            with caller:
                caller.sendall(words)
            self._calls.append((accepted, (who, 1 << 30)))
        self.bound: tuple[int, int] | None = None

    def bind(self, address: tuple[int, int]) -> None:
        self.bound = address

    def listen(self) -> None:
        assert self.bound is not None

    def accept(self) -> tuple[socket.socket, tuple[int, int]]:
        if not self._calls:
            raise Ends
        return self._calls.pop(0)


def test_process_1_hears_its_host_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    calls = Calls((2, b"clock 1\n"), (3, b"name evil\n"), (1, b"name evil\n"), (2, b"name x\n"))
    monkeypatch.setattr("socket.socket", lambda *_: calls)
    monkeypatch.setattr("sys.argv", ["-c", "100"])
    with pytest.raises(Ends):
        hear.main()
    assert calls.bound == (socket.VMADDR_CID_ANY, 100)
    assert capfdbinary.readouterr().out == b"clock 1\nname x\n"


@given(
    st.lists(st.tuples(st.integers(0, 1 << 22), st.binary(min_size=1, max_size=64)), max_size=5),
    st.integers(1, 1 << 22),
)
def test_a_copy_has_the_same_content_and_the_same_holes(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[int, bytes]], size: int
) -> None:
    source, target = (tmp_path_factory.getbasetemp() / name for name in ("source", "target"))
    with source.open("wb") as file:
        for at, data in pieces:
            file.seek(at)
            file.write(data)
        file.truncate(max(size, file.tell()))
    target.write_bytes(b"what was there before" * 1000)
    copy_sparse(source, target)
    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_blocks <= source.stat().st_blocks + 8


def test_an_empty_disk_takes_little_room(tmp_path: Path) -> None:
    layer = tmp_path / "layer.ext4"
    make_layer(layer, 0)
    assert layer.stat().st_size == 20 << 30
    copy_sparse(layer, tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_blocks * 512 < 200 << 20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "layer.ext4"]
    make_layer(layer, 64)
    assert layer.stat().st_size == 64 << 20
