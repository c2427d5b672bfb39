"""A program running inside a machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from carrel.codec import Json
from carrel.errors import ProtocolError
from carrel.stream import Lane, Message, Stream

__all__ = ["BackgroundOutput", "Completed", "Exit", "Output", "Process", "read_background"]


@dataclass(frozen=True, slots=True)
class Output:
    """A piece of what a program wrote."""

    source: Literal["stdout", "stderr"]
    data: bytes


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended: a code, or the signal that ended it."""

    code: int | None
    signal: int | None = None
    timed_out: bool = False

    @property
    def status(self) -> int:
        """As a shell reports it: the code, or 128 plus the signal, or 124 for a timeout."""
        if self.timed_out:
            return 124
        return self.code if self.code is not None else 128 + (self.signal or 0)


@dataclass(frozen=True, slots=True)
class Completed:
    """A program that ended, with all it wrote."""

    exit: Exit
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class BackgroundOutput:
    """A part of what a background program wrote.

    Attributes:
        offset: Where to go on reading `stdout`.
        errors_offset: Where to go on reading `stderr`.
        running: Whether there can be more.
    """

    stdout: bytes
    stderr: bytes
    offset: int
    errors_offset: int
    running: bool


class Process:
    """A running program: iterate over its output, write to it, wait for its end.

    Leaving `async with` before the end kills the program and all it started.
    """

    def __init__(self, stream: Stream, pid: int) -> None:
        self.pid = pid
        self._stream = stream
        self._exit: Exit | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stream.__aexit__(kind, error, trace)

    async def write(self, data: bytes) -> None:
        """Send bytes to its standard input."""
        await self._stream.send(data)

    async def close_stdin(self) -> None:
        """Let it see the end of its standard input."""
        await self._stream.end()

    async def resize(self, rows: int, columns: int) -> None:
        """Tell a program on a terminal that its window changed."""
        await self._stream.send_message({"resize": [rows, columns]})

    async def signal(self, number: int) -> None:
        """Send a signal to it and all it started."""
        await self._stream.send_message({"signal": number})

    async def __aiter__(self) -> AsyncIterator[Output]:
        while (item := await self._stream.receive()) is not None:
            if isinstance(item, Message):
                self._exit = _read_exit(item.data)
            else:
                yield Output("stderr" if item.lane is Lane.ERRORS else "stdout", item.data)

    async def wait(self) -> Exit:
        """Wait for its end, dropping output not read yet."""
        async for _ in self:
            pass
        if self._exit is None:
            raise ProtocolError("the guest did not say how the program ended")
        return self._exit

    async def collect(self) -> Completed:
        """Wait for its end and keep all output in memory."""
        parts: dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}
        async for output in self:
            parts[output.source] += output.data
        return Completed(await self.wait(), bytes(parts["stdout"]), bytes(parts["stderr"]))


def _read_exit(message: dict[str, Json]) -> Exit:
    code, signal = message.get("exit"), message.get("signal")
    return Exit(
        code if isinstance(code, int) else None,
        signal if isinstance(signal, int) else None,
        bool(message.get("timed_out")),
    )


async def read_background(stream: Stream) -> BackgroundOutput:
    """Collect the answer to `process.read`."""
    async with stream:
        facts = (await stream.receive_message()).get("result")
        if not isinstance(facts, dict):
            raise ProtocolError("the guest did not say what it reads")
        parts = {Lane.DATA: bytearray(), Lane.ERRORS: bytearray()}
        while (item := await stream.receive()) is not None:
            if not isinstance(item, Message):
                parts[item.lane] += item.data
        return BackgroundOutput(
            bytes(parts[Lane.DATA]),
            bytes(parts[Lane.ERRORS]),
            _number(facts, "stdout"),
            _number(facts, "stderr"),
            bool(facts.get("running")),
        )


def _number(facts: dict[str, Json], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int):
        raise ProtocolError(f"the guest did not say {name}")
    return value
