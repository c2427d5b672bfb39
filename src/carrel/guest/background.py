"""Programs that go on after the request that started them."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio
from anyio import to_thread

from carrel import codec
from carrel.codec import Json
from carrel.errors import AlreadyExists, InvalidInput, NotFound, WrongState
from carrel.guest.children import GRACE, Child, spawn
from carrel.guest.spool import Spool
from carrel.guest.supervised import CHUNK, StartArgs, Supervised
from carrel.ids import new_id
from carrel.stream import Lane, Stream

__all__ = ["Background", "KillArgs", "ReadArgs", "StartArgs"]

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
        endings: How many ends of it are known already; with `follow` the later ones are told.
    """

    id: str
    offset: int = 0
    errors_offset: int = 0
    follow: bool = False
    endings: int = 0

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


class Background:
    """Starts, lists, reads and ends background processes."""

    def __init__(self, env: Callable[[], Mapping[str, str]], cwd: str) -> None:
        self._env = env
        self._cwd = cwd
        self._entries: dict[str, Supervised] = {}

    async def start(self, args: Args) -> dict[str, Json]:
        """Start a program; see `StartArgs`: `{id, pid}`."""
        wish = codec.decode(StartArgs, args, where="process.start")
        self._refuse_second(wish.name)
        self._make_room()

        def begin() -> Child:
            return spawn(wish, self._env(), self._cwd)

        child = begin()
        entry = Supervised(new_id("proc"), wish, begin, child)
        self._entries[entry.id] = entry
        entry.reader.start()
        return {"id": entry.id, "pid": child.pid}

    def _refuse_second(self, name: str | None) -> None:
        for entry in self._entries.values():
            if name is not None and entry.wish.name == name and not entry.closed:
                raise AlreadyExists(f"{name} runs already", hint=f"end {entry.id} first")

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
            await entry.end(wish.grace)
            # Its thread closes the pipes, also where a daemon that got away holds them.
            await to_thread.run_sync(entry.reader.join, JOIN)
        return entry.describe()

    async def read(self, stream: Stream, args: Args) -> None:
        """Send output from the given offsets; see `ReadArgs`.

        The first message is the description with `offset` and `errors_offset`, where the bytes
        sent really begin: older ones may be gone. Without `follow`, `stdout` and `stderr` in it
        are where they end. With `follow` a message `ended` tells of every end of a supervised
        process, and a last one how it ended and the offsets.
        """
        wish = codec.decode(ReadArgs, args, where="process.read")
        entry = self._find(wish.id)
        entry.readers += 1
        try:
            await self._read(stream, entry, wish)
        finally:
            entry.readers -= 1

    async def _read(self, stream: Stream, entry: Supervised, wish: ReadArgs) -> None:
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

    def _find(self, name: str) -> Supervised:
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

    async def _end(self, entry: Supervised) -> None:
        if not entry.closed:
            await entry.end(GRACE)
            await to_thread.run_sync(entry.reader.join, JOIN)
        if entry.closed:
            entry.free()


class _Reader:
    """Sends one process's output from two offsets on."""

    def __init__(self, entry: Supervised, stream: Stream, wish: ReadArgs) -> None:
        self._entry = entry
        self._stream = stream
        self._out = min(max(wish.offset, entry.out.start), entry.out.end)
        self._err = min(max(wish.errors_offset, entry.err.start), entry.err.end)
        self._told = wish.endings

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
                await self._tell_endings()
                if not over and not entry.closed:
                    await anyio.wait_readable(bell)
                    os.eventfd_read(bell)

    async def _tell_endings(self) -> None:
        for ending in tuple(self._entry.endings):
            if ending.number > self._told:
                self._told = ending.number
                await self._stream.send_message({"ended": codec.encode(ending)})
