"""Commands inside the machine: run with streams, on a terminal, collected, or in the background."""

from __future__ import annotations

import codecs
import contextlib
import errno
import fcntl
import os
import termios
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

import anyio
import anyio.lowlevel

from carrel import codec
from carrel.actions import Shell
from carrel.codec import Json
from carrel.errors import InvalidInput, TimedOut
from carrel.guest.background import Background
from carrel.guest.children import Child, ExitStatus, Program, Terminal, spawn
from carrel.guest.tasks import task_group
from carrel.stream import Lane, Message, Stream

__all__ = ["ExecArgs", "Processes"]

CHUNK = 64 * 1024
LINGER = 0.1
"""Seconds to wait for the pipes to close once the program ended: a child may hold them."""
END_REPEAT = 0.2
COLLECT_LIMIT = 1024 * 1024
MAX_TIMEOUT = 7 * 24 * 3600.0

Args = Mapping[str, Json]
Sink = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ExecArgs(Program):
    """The arguments of the operation `exec`.

    Attributes:
        timeout: End it and all it started after this many seconds.
        pty: Run it on a terminal of this size.
        stdin: Whether bytes will be sent to it; without, its input is empty.
    """

    timeout: float | None = None
    pty: Terminal | None = None
    stdin: bool = False

    def __post_init__(self) -> None:
        Program.__post_init__(self)
        if self.timeout is not None and not 0 < self.timeout <= MAX_TIMEOUT:
            raise InvalidInput("timeout must be more than 0 seconds and at most a week")


@dataclass(frozen=True, slots=True)
class _Control:
    resize: tuple[int, int] | None = None
    signal: int | None = None

    def __post_init__(self) -> None:
        if self.signal is not None and not 1 <= self.signal <= 64:
            raise InvalidInput("a signal is a number from 1 to 64")


class Processes:
    """Starts programs in one environment.

    Args:
        env: Gives the environment at the moment a program starts.
        cwd: Where programs start unless they say otherwise.
    """

    def __init__(self, env: Callable[[], Mapping[str, str]], cwd: str) -> None:
        self._env = env
        self._cwd = cwd
        background = Background(env, cwd)
        self.start = background.start
        self.list = background.list
        self.read = background.read
        self.kill = background.kill
        self.close = background.close

    async def exec(self, stream: Stream, args: Args) -> None:
        """Run a program for as long as the stream lives; see `ExecArgs` and the protocol."""
        wish = codec.decode(ExecArgs, args, where="exec")
        child = spawn(wish, self._env(), self._cwd, stdin=wish.stdin, pty=wish.pty)
        session = _Session(child, wish.timeout)
        async with _ended(child):
            await stream.send_message({"result": {"pid": child.pid}})
            async with task_group() as tasks:
                tasks.start_soon(_take_input, stream, child)
                status = await session.run(stream.send, lambda data: stream.send(data, Lane.ERRORS))
                tasks.cancel_scope.cancel()
        await stream.send_message(
            {"exit": status.code, "signal": status.signal, "timed_out": session.timed_out}
        )

    async def run(self, action: Shell) -> dict[str, Json]:
        """Run a command, wait for it and return what it wrote, at most 1 MiB of each stream.

        Raises:
            TimedOut: It was ended after its timeout; `context` holds what it wrote until then.
        """
        program = Program(command=action.command, cwd=action.cwd, env=action.env)
        child = spawn(program, self._env(), self._cwd, stdin=action.stdin is not None)
        session = _Session(child, action.timeout)
        out, err = _Collector(), _Collector()
        async with _ended(child), task_group() as tasks:
            if action.stdin is not None:
                tasks.start_soon(_feed_all, child, action.stdin.encode())
            status = await session.run(out.add, err.add)
            tasks.cancel_scope.cancel()
        data: dict[str, Json] = {
            "exit": status.code,
            "signal": status.signal,
            "stdout": out.text(),
            "stderr": err.text(),
            "truncated": out.truncated or err.truncated,
        }
        if session.timed_out:
            raise TimedOut(
                f"the command was ended after {action.timeout:g} seconds{_tail(out, err)}",
                hint="give it a longer timeout, or start it in the background",
                context=data,
                retryable=False,
            )
        return data


@contextlib.asynccontextmanager
async def _ended(child: Child) -> AsyncIterator[None]:
    """Whatever happens inside, afterwards the child is gone with all it started."""
    try:
        yield
    finally:
        if child.status is None:
            with anyio.CancelScope(shield=True):
                await child.terminate()
        child.close()


class _Session:
    """One child from start to end: output pumped, the time bounded."""

    def __init__(self, child: Child, timeout: float | None) -> None:
        self._child = child
        self._timeout = timeout
        self._exited = False
        self._waits: set[anyio.CancelScope] = set()
        self.timed_out = False

    async def run(self, out: Sink, err: Sink) -> ExitStatus:
        """Pump until the end and say how it ended."""
        async with task_group() as tasks:
            if self._child.stdout is not None:
                tasks.start_soon(self._pump, self._child.stdout, out)
            if self._child.stderr is not None:
                tasks.start_soon(self._pump, self._child.stderr, err)
            status = await self._wait()
            self._exited = True
            for scope in tuple(self._waits):
                scope.cancel()
        return status

    async def _wait(self) -> ExitStatus:
        with anyio.move_on_after(self._timeout):
            return await self._child.wait()
        self.timed_out = True
        return await self._child.terminate()

    async def _pump(self, fd: int, sink: Sink) -> None:
        """Until the pipe ends or, once the child is gone, what it wrote has been read."""
        left = _capacity(fd)
        while left > 0 and (data := await self._next(fd)):
            if self._exited:
                left -= len(data)
            await sink(data)

    async def _next(self, fd: int) -> bytes:
        """The next bytes; none at the end."""
        while True:
            try:
                return os.read(fd, CHUNK)
            except BlockingIOError:
                if not await self._readable(fd):
                    return b""
            except OSError as error:
                if error.errno != errno.EIO:  # how a terminal says that its last user left
                    raise
                return b""

    async def _readable(self, fd: int) -> bool:
        """Wait until reading is worth it; False when the child is gone and nothing comes."""
        if not self._exited:
            with anyio.CancelScope() as scope:
                self._waits.add(scope)
                try:
                    await anyio.wait_readable(fd)
                finally:
                    self._waits.discard(scope)
            return True
        with anyio.move_on_after(LINGER):
            await anyio.wait_readable(fd)
            return True
        return False


def _capacity(fd: int) -> int:
    """The most a dead process can have left in its pipe or terminal."""
    try:
        return fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)
    except OSError:
        return CHUNK


async def _take_input(stream: Stream, child: Child) -> None:
    """Carry bytes, window sizes and signals from the stream to the child."""
    typed = b""
    while (item := await stream.receive()) is not None:
        if isinstance(item, Message):
            _control(child, codec.decode(_Control, item.data, where="exec"))
        elif item.lane is not Lane.DATA:
            raise InvalidInput("a program's input goes on the data lane")
        else:
            typed = item.data or typed
            await _feed(child, item.data)
    child.close_stdin()
    while child.on_terminal and child.stdin is not None:
        # Again and again, as a closed pipe would answer every read: a shell that is just
        # switching its terminal between commands loses the first one.
        await _feed(child, _end_of_input(child.stdin, typed))
        typed = b""
        await anyio.sleep(END_REPEAT)


def _end_of_input(fd: int, typed: bytes) -> bytes:
    """What a person types to end their input; twice where a line is unfinished."""
    attributes = termios.tcgetattr(fd)
    key = attributes[6][termios.VEOF]
    assert isinstance(key, bytes)
    unfinished = attributes[3] & termios.ICANON and typed and not typed.endswith((b"\n", b"\r"))
    return key * 2 if unfinished else key


def _control(child: Child, control: _Control) -> None:
    if control.resize is not None:
        child.resize(Terminal(*control.resize))
    if control.signal is not None:
        child.signal(control.signal)


async def _feed_all(child: Child, data: bytes) -> None:
    await _feed(child, data)
    child.close_stdin()


async def _feed(child: Child, data: bytes) -> None:
    """Write to the child's input; a child that closed it simply does not get the rest."""
    rest = memoryview(data)
    if child.stdin is None and rest:
        raise InvalidInput("the program was started without input", hint="pass stdin: true")
    while rest and child.stdin is not None:
        try:
            rest = rest[os.write(child.stdin, rest[:CHUNK]) :]
        except BlockingIOError:
            await anyio.wait_writable(child.stdin)
        except OSError:  # EPIPE from a pipe, EIO from a terminal: it does not read any more
            return


class _Collector:
    """Keeps the first `COLLECT_LIMIT` bytes and lets the rest go."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.truncated = False

    async def add(self, data: bytes) -> None:
        room = COLLECT_LIMIT - len(self._kept)
        self._kept += data[:room]
        self.truncated = self.truncated or len(data) > room
        await anyio.lowlevel.checkpoint()

    def text(self) -> str:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return decoder.decode(bytes(self._kept), final=not self.truncated)


def _tail(out: _Collector, err: _Collector) -> str:
    text = (err.text() or out.text()).strip()
    return f"; its last words: {text[-300:]}" if text else ""
