"""Programs that go on after the request that started them."""

from __future__ import annotations

import logging
import os
import selectors
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from anyio import to_thread

from carrel import codec
from carrel.codec import Json
from carrel.errors import InvalidInput, NotFound, WrongState
from carrel.guest.children import Child, ExitStatus, Program, spawn
from carrel.guest.spool import Spool
from carrel.ids import new_id
from carrel.stream import Lane, Stream

__all__ = ["Background", "KillArgs", "ReadArgs"]

CHUNK = 64 * 1024
SPOOL_LIMIT = 8 * 1024 * 1024
JOIN = 2.0
MAX_KEPT = 128
"""Ended processes are forgotten, the oldest first, beyond this number of entries."""

Args = Mapping[str, Json]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadArgs:
    """The arguments of the operation `process.read`.

    Attributes:
        id: The process, as `process.start` named it.
        offset: Where in its standard output to begin.
        errors_offset: Where in its standard error to begin.
        follow: Go on until the process ends.
    """

    id: str
    offset: int = 0
    errors_offset: int = 0
    follow: bool = False

    def __post_init__(self) -> None:
        if min(self.offset, self.errors_offset) < 0:
            raise InvalidInput("an offset is not negative")


@dataclass(frozen=True, slots=True)
class KillArgs:
    """The arguments of the operation `process.kill`.

    Attributes:
        id: The process, as `process.start` named it.
        signal: Send this to its process group and return. Without, it is asked to end, and
            killed with all it started after `grace` seconds.
    """

    id: str
    signal: int | None = None
    grace: float = 2.0

    def __post_init__(self) -> None:
        if self.signal is not None and not 1 <= self.signal <= 64:
            raise InvalidInput("a signal is a number from 1 to 64")
        if not 0 <= self.grace <= 60:
            raise InvalidInput("grace must be between 0 and 60 seconds")


@dataclass(frozen=True, slots=True)
class _NoArgs:
    pass


@dataclass(eq=False)
class _Entry:
    """One background process and the thread that reads its output."""

    id: str
    program: Program
    child: Child
    started: float = field(default_factory=time.time)
    status: ExitStatus | None = None
    closed: bool = False
    out: Spool = field(default_factory=lambda: Spool(SPOOL_LIMIT))
    err: Spool = field(default_factory=lambda: Spool(SPOOL_LIMIT))
    readers: int = 0
    reader: threading.Thread = field(init=False)
    _bells: set[int] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _full: bool = False

    def __post_init__(self) -> None:
        self.reader = threading.Thread(target=self._pump, name=f"read {self.id}", daemon=True)

    def describe(self) -> dict[str, Json]:
        """What `process.list` says about it."""
        status = self.status
        return {
            "id": self.id,
            "pid": self.child.pid,
            "argv": list(self.program.words),
            "started": self.started,
            "running": status is None,
            "exit": status.code if status else None,
            "signal": status.signal if status else None,
            "stdout": self.out.end,
            "stderr": self.err.end,
        }

    def _pump(self) -> None:
        """Read until both pipes are closed."""
        waiter = threading.Thread(target=self._wait, name=f"wait {self.id}", daemon=True)
        waiter.start()
        spools = {self.child.stdout: self.out, self.child.stderr: self.err}
        with selectors.DefaultSelector() as selector:
            for fd in spools:
                assert fd is not None
                selector.register(fd, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select():
                    if not self._take(key.fd, spools[key.fd]):
                        selector.unregister(key.fd)
                self._notify()
        waiter.join()
        self.child.close_pipes()
        self.closed = True
        self._notify()

    def _take(self, fd: int, spool: Spool) -> bool:
        data = os.read(fd, CHUNK)
        try:
            spool.append(data)
        except OSError as error:
            # Better to lose output than to stop the program for want of disk space.
            if not self._full:
                logger.warning("output of %s is lost: %s", self.id, error)
            self._full = True
        return bool(data)

    def _wait(self) -> None:
        self.status = self.child.wait_blocking()
        self._notify()

    def _notify(self) -> None:
        # Under the lock: a closed descriptor's number may already be someone else's.
        with self._lock:
            for fd in self._bells:
                os.eventfd_write(fd, 1)

    @contextmanager
    def bell(self) -> Iterator[int]:
        """A descriptor that becomes readable whenever something happened."""
        fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        with self._lock:
            self._bells.add(fd)
        try:
            yield fd
        finally:
            with self._lock:
                self._bells.discard(fd)
                os.close(fd)

    def free(self) -> None:
        """Drop its output."""
        self.child.close()
        self.out.close()
        self.err.close()


class Background:
    """Starts, lists, reads and ends background processes."""

    def __init__(self, env: Callable[[], Mapping[str, str]], cwd: str) -> None:
        self._env = env
        self._cwd = cwd
        self._entries: dict[str, _Entry] = {}

    async def start(self, args: Args) -> dict[str, Json]:
        """Start a program (`argv` or `command`, `cwd`, `env`): `{id, pid}`."""
        program = codec.decode(Program, args, where="process.start")
        self._make_room()
        child = spawn(program, self._env(), self._cwd)
        entry = _Entry(new_id("proc"), program, child)
        self._entries[entry.id] = entry
        entry.reader.start()
        return {"id": entry.id, "pid": child.pid}

    def _make_room(self) -> None:
        if len(self._entries) < MAX_KEPT:
            return
        ended = next((e for e in self._entries.values() if e.closed and not e.readers), None)
        if ended is None:
            raise WrongState(
                f"{MAX_KEPT} background processes are running",
                hint="end one first: process.kill",
            )
        self._entries.pop(ended.id).free()

    async def list(self, args: Args) -> dict[str, Json]:
        """Every background process still known: `{processes: [...]}`."""
        codec.decode(_NoArgs, args, where="process.list")
        return {"processes": [entry.describe() for entry in self._entries.values()]}

    async def kill(self, args: Args) -> dict[str, Json]:
        """Signal or end a process; answers its description afterwards."""
        wish = codec.decode(KillArgs, args, where="process.kill")
        entry = self._find(wish.id)
        if wish.signal is not None:
            entry.child.signal(wish.signal)
        elif not entry.closed:
            entry.status = await entry.child.terminate(wish.grace)
        return entry.describe()

    async def read(self, stream: Stream, args: Args) -> None:
        """Send output from the given offsets; see `ReadArgs`.

        The first message is the description with `offset` and `errors_offset`, where the bytes
        sent really begin: older ones may be gone. Without `follow`, `stdout` and `stderr` in it
        are where they end. With `follow` a last message says how it ended and the offsets.
        """
        wish = codec.decode(ReadArgs, args, where="process.read")
        entry = self._find(wish.id)
        entry.readers += 1
        try:
            await self._read(stream, entry, wish)
        finally:
            entry.readers -= 1

    async def _read(self, stream: Stream, entry: _Entry, wish: ReadArgs) -> None:
        about = entry.describe()
        reader = _Reader(entry, stream, wish)
        end = entry.out.end, entry.err.end
        positions = {"stdout": end[0], "stderr": end[1], **reader.offsets()}
        await stream.send_message({"result": {**about, **positions}})
        if not wish.follow:
            await reader.send_until(*end)
            return
        await reader.follow()
        ended = entry.status
        assert ended is not None
        final = {"exit": ended.code, "signal": ended.signal, **reader.offsets()}
        await stream.send_message(final)

    def _find(self, name: str) -> _Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise NotFound(
                f"there is no background process {name[:60]!r}", hint="process.list names them"
            )
        return entry

    async def close(self) -> None:
        """End every background process and all they started, and forget them."""
        entries = list(self._entries.values())
        self._entries.clear()
        async with anyio.create_task_group() as tasks:
            for entry in entries:
                tasks.start_soon(self._end, entry)

    async def _end(self, entry: _Entry) -> None:
        if not entry.closed:
            await entry.child.terminate()
            # A daemon that left the family may hold the pipes; it is not waited for.
            await to_thread.run_sync(entry.reader.join, JOIN)
        if entry.closed:
            entry.free()


class _Reader:
    """Sends one process's output from two offsets on."""

    def __init__(self, entry: _Entry, stream: Stream, wish: ReadArgs) -> None:
        self._entry = entry
        self._stream = stream
        self._out = min(max(wish.offset, entry.out.start), entry.out.end)
        self._err = min(max(wish.errors_offset, entry.err.start), entry.err.end)

    def offsets(self) -> dict[str, int]:
        """Where the next bytes come from."""
        return {"offset": self._out, "errors_offset": self._err}

    async def send_until(self, out: int, err: int) -> None:
        """Send what lies before these offsets."""
        self._out = await self._send(self._entry.out, self._out, out, Lane.DATA)
        self._err = await self._send(self._entry.err, self._err, err, Lane.ERRORS)

    async def _send(self, spool: Spool, offset: int, end: int, lane: Lane) -> int:
        while offset < end:
            size = min(CHUNK, end - offset)
            begin, data = await to_thread.run_sync(spool.read, offset, size)
            if not data:
                break
            await self._stream.send(data, lane)
            offset = begin + len(data)
        return offset

    async def follow(self) -> None:
        """Send as it comes, until the process is gone and its pipes are closed."""
        entry = self._entry
        over = False
        with entry.bell() as bell:
            while not over:
                over = entry.closed
                await self.send_until(entry.out.end, entry.err.end)
                if not over and not entry.closed:
                    await anyio.wait_readable(bell)
                    os.eventfd_read(bell)
