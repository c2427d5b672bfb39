"""Speaking to a running QEMU: its machine protocol (QMP) over a socket."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from carrel.codec import Json
from carrel.errors import MachineLost, RunError, TimedOut
from carrel.stream.transports import short_path

__all__ = ["Monitor", "monitor_socket"]

_PATIENCE = 30.0
_LOOK_AGAIN = 0.001
_SELDOM = 0.01
_PEER = struct.Struct("3i")


def monitor_socket(path: str) -> socket.socket:
    """A socket at a path for QEMU to listen on; what another left there goes.

    QEMU itself has to: those who connect are told which process listens.
    """
    Path(path).unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_path(Path(path)) as short:
            made.bind(short)
        Path(path).chmod(0o600)
    except BaseException:
        made.close()
        raise
    return made


class Monitor:
    """One conversation; QEMU has them one at a time.

    Args:
        path: Of QEMU's socket; it may be longer than a socket address.
        patience: Seconds to wait for it to be there and to answer.

    Raises:
        MachineLost: Nobody listens there.
    """

    def __init__(self, path: str, patience: float = _PATIENCE) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(patience)
        self._buffer = b""
        self._pass: list[int] = []
        try:
            self._dial(path, time.monotonic() + patience)
            self._next()
            self.ask("qmp_capabilities")
        except BaseException:
            self._socket.close()
            raise

    def _dial(self, path: str, until: float) -> None:
        pauses = _pauses()
        while True:
            try:
                with short_path(Path(path)) as short:
                    return self._socket.connect(short)
            except (FileNotFoundError, ConnectionRefusedError) as error:
                if time.monotonic() > until:
                    raise MachineLost(f"QEMU does not listen: {error}", op="qemu") from error
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TimedOut("others keep QEMU busy", op="qemu") from None
            time.sleep(next(pauses))

    @property
    def pid(self) -> int:
        """The process at the other end: that QEMU."""
        told = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        return int(_PEER.unpack(told)[0])

    def ask(self, command: str, **arguments: Json) -> Json:
        """Have it do something, and wait for its answer.

        Raises:
            RunError: It refused, with its words.
            MachineLost: It is gone.
        """
        wish = {"execute": command, "arguments": arguments}
        try:
            self._send(json.dumps(wish).encode() + b"\n")
        except OSError as error:
            raise MachineLost(f"QEMU is gone: {error}", op=f"qemu.{command}") from error
        while True:
            told = self._next()
            if "error" in told:
                reason = told["error"]
                said = reason.get("desc") if isinstance(reason, dict) else reason
                raise RunError(f"QEMU refused {command}: {said}", op=f"qemu.{command}")
            if "return" in told:
                return told["return"]

    def _send(self, data: bytes) -> None:
        descriptors, self._pass = self._pass, []
        sent = socket.send_fds(self._socket, [data], descriptors)
        self._socket.sendall(data[sent:])

    def give(self, name: str, descriptor: int) -> None:
        """Let it have an open file, under a name: it opens none of its own accord."""
        self._pass = [descriptor]
        self.ask("getfd", fdname=name)

    def wait_for(self, command: str, wanted: dict[str, frozenset[str]], seconds: float) -> str:
        """Ask again and again until a field of the answer has one of the wanted values.

        Args:
            command: What to ask.
            wanted: The field, and its values.
            seconds: How long at most.

        Raises:
            TimedOut: It never had.
        """
        ((field, values),) = wanted.items()
        until = time.monotonic() + seconds
        pauses = _pauses()
        while True:
            told = self.ask(command)
            value = str(told.get(field)) if isinstance(told, dict) else ""
            if value in values:
                return value
            if time.monotonic() > until:
                raise TimedOut(f"QEMU stays {value or 'silent'} at {command}", op="qemu")
            time.sleep(next(pauses))

    def _next(self) -> dict[str, Json]:
        while b"\n" not in self._buffer:
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                raise TimedOut("QEMU does not answer", op="qemu") from None
            except OSError as error:
                raise MachineLost(f"QEMU is gone: {error}", op="qemu") from error
            if not data:
                raise MachineLost("QEMU has ended", op="qemu")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        told = json.loads(line)
        if not isinstance(told, dict):
            raise RunError(f"QEMU said {line[:100]!r}", op="qemu")
        return told

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()


def _pauses() -> Iterator[float]:
    """Between looks that find nothing yet: what is not there soon will take its time."""
    pause = _LOOK_AGAIN
    while True:
        yield pause
        pause = min(2 * pause, _SELDOM)
