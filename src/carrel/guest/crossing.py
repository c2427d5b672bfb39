"""Files on their way from one tree to another over a stream: only the blocks that differ.

One message begins a file, `at` says where the bytes that follow belong, and `end` carries the
SHA-256 of the whole, against which the receiver checks what it then has on its disk.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from anyio import to_thread

from carrel.codec import Json
from carrel.errors import ActionFailed, CarrelError, InvalidInput
from carrel.guest import disk
from carrel.guest.digests import BLOCK, DIGEST, block_digests, changed, is_name, read_block
from carrel.guest.mirror import Anchor, Draft, Mirror, open_file
from carrel.guest.tar import printable
from carrel.stream import Stream

__all__ = [
    "Basis",
    "Failure",
    "Incoming",
    "Told",
    "in_thread",
    "local_basis",
    "send_file",
    "send_order",
]

T = TypeVar("T")
Told = Callable[[int, bool], None]
"""Told how many bytes of a file are dealt with, and whether they had to cross."""

_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Basis:
    """What the receiver has of a file: the hashes of its blocks."""

    block: int = BLOCK
    digests: bytes = b""

    def has(self, at: int, data: bytes) -> bool:
        """Whether it has these bytes at this place."""
        start = at // self.block * DIGEST
        known = self.digests[start : start + DIGEST]
        return bool(known) and hashlib.sha256(data).digest() == known


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that did not come about, by its name in the tree."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class _Begin:
    file: str
    size: int
    mode: int
    mtime_ns: int
    basis: bool


def _read_begin(order: Mapping[str, Json]) -> _Begin:
    # Not by the codec: a name may hold what is half a character.
    match order:
        case {
            "file": str(name),
            "size": int(size),
            "mode": int(mode),
            "mtime_ns": int(mtime_ns),
            "basis": bool(basis),
        } if is_name(name) and 0 <= size < 2**63 and 0 <= mode <= 0o777 and abs(mtime_ns) < 2**63:
            return _Begin(name, size, mode, mtime_ns, basis)
    raise InvalidInput("a file begins with its name, size, mode, time and whether there is a basis")


async def in_thread(path: str, work: Callable[..., T], *args: object) -> T:
    """Run blocking work, with its system errors told as ours."""

    def run() -> T:
        with disk.os_errors(path):
            return work(*args)

    return await to_thread.run_sync(run)


async def send_order(stream: Stream, **order: object) -> None:
    """Send a message whose names may have any bytes."""
    await stream.send_json(_order(**order))


def _order(**order: object) -> bytes:
    return json.dumps(order, separators=(",", ":")).encode()


def local_basis(mirror: Mirror, name: str, block: int) -> Basis:
    """The hashes of what this side has of a file."""
    with mirror.basis(name) as fd:
        return Basis(block, b"" if fd is None else b"".join(block_digests(fd, block)))


class _Source:
    """A file as it was when it was opened."""

    def __init__(self, fd: int, name: str) -> None:
        self.fd, self._name = fd, name
        self.info = os.fstat(fd)
        self._whole = hashlib.sha256()

    def read(self, at: int, basis: Basis) -> tuple[bytes, bool]:
        """The next block, and whether the receiver lacks it."""
        data = read_block(self.fd, at, min(basis.block, self.info.st_size - at))
        if len(data) != min(basis.block, self.info.st_size - at):
            raise changed(self._name)
        self._whole.update(data)
        return data, not basis.has(at, data)

    def digest(self) -> str:
        """SHA-256 of all that was read, if that was one state of the file."""
        now = os.fstat(self.fd)
        if (now.st_size, now.st_mtime_ns) != (self.info.st_size, self.info.st_mtime_ns):
            raise changed(self._name)
        return self._whole.hexdigest()


async def send_file(
    stream: Stream, anchor: Anchor, name: str, basis: Basis, told: Told = lambda size, sent: None
) -> None:
    """Send one file, without the blocks that the receiver has, or why it cannot be sent."""
    try:
        small = None if basis.digests else await in_thread(name, _read_small, anchor, name)
        if small is None:
            await _send_large(stream, anchor, name, basis, told)
            return
    except CarrelError as error:
        # Where it is the stream that has failed, this says so again.
        await send_order(stream, do="failed", name=name, why=error.message)
        return
    begin, data, digest = small
    await stream.send_json(_order(do="file", **begin), body=data)
    await send_order(stream, do="end", digest=digest)
    told(len(data), True)


def _read_small(anchor: Anchor, name: str) -> tuple[dict[str, object], bytes, str] | None:
    """All of a file that is at most a block, at the price of one thread's turn."""
    with open_file(anchor, name) as fd:
        source = _Source(fd, name)
        if source.info.st_size > BLOCK:
            return None
        data, _ = source.read(0, Basis())
        return _begin(source, name, Basis()), data, source.digest()


async def _send_large(stream: Stream, anchor: Anchor, name: str, basis: Basis, told: Told) -> None:
    opening = open_file(anchor, name)
    source = _Source(await in_thread(name, opening.__enter__), name)
    try:
        await send_order(stream, do="file", **_begin(source, name, basis))
        await _send_blocks(stream, source, basis, told)
        await send_order(stream, do="end", digest=await in_thread(name, source.digest))
    finally:
        opening.__exit__(None, None, None)


def _begin(source: _Source, name: str, basis: Basis) -> dict[str, object]:
    info = source.info
    return {
        "file": name,
        "size": info.st_size,
        "mode": info.st_mode & 0o777,
        "mtime_ns": info.st_mtime_ns,
        "basis": bool(basis.digests),
    }


async def _send_blocks(stream: Stream, source: _Source, basis: Basis, told: Told) -> None:
    at, behind = 0, 0
    while at < source.info.st_size:
        data, lacking = await in_thread("", source.read, at, basis)
        if lacking:
            if at != behind:
                await send_order(stream, do="at", offset=at)
            await stream.send(data)
            behind = at + len(data)
        told(len(data), lacking)
        at += len(data)


class Incoming:
    """Takes files from a stream into a tree, one at a time.

    Attributes:
        done: How many are in place.
        failed: Those that are not; a disk that is full ends everything instead.
    """

    def __init__(self, mirror: Mirror, told: Told = lambda size, sent: None) -> None:
        self._mirror = mirror
        self._told = told
        self._begin: _Begin | None = None
        self._draft: Draft | None = None
        self._small: bytearray | None = None
        self._at = 0
        self.done = 0
        self.failed: list[Failure] = []

    async def take(self, order: Mapping[str, Json]) -> bool:
        """Follow a message; False when it is not about a file."""
        match order.get("do"):
            case "file":
                await self._start(_read_begin(order))
            case "at":
                self._skip_to(_whole_number(order.get("offset")))
            case "end":
                await self._end(str(order.get("digest")))
            case "failed":
                self._fail(order.get("name"), str(order.get("why"))[:500])
            case _:
                return False
        return True

    async def _start(self, begin: _Begin) -> None:
        if self._begin is not None:
            raise InvalidInput("a file began within another")
        self._begin, self._at = begin, 0
        if begin.size <= BLOCK and not begin.basis:
            # Kept until it is there: a file costs one thread's turn instead of three.
            self._small = bytearray(begin.size)
        else:
            await self._try(begin, lambda: self._open(begin))

    def _open(self, begin: _Begin) -> Draft:
        self._draft = self._mirror.draft(begin.file, basis=begin.basis)
        return self._draft

    async def write(self, data: bytes) -> None:
        """Put bytes where they belong; those of a file that failed already are passed over."""
        begin, draft, at = self._begin, self._draft, self._at
        if begin is None or at + len(data) > begin.size:
            raise InvalidInput("there is more of a file than it has")
        self._at += len(data)
        if self._small is not None:
            self._small[at : self._at] = data
        elif draft is not None:
            await self._try(begin, lambda: draft.write(at, data))
        self._told(len(data), True)

    def _skip_to(self, at: int) -> None:
        """Leave as it is what is here already; there must be that much."""
        if self._begin is None or at < self._at:
            raise InvalidInput("the parts of a file come in order")
        if at == self._at:
            return
        if self._small is not None or (self._draft is not None and at > self._draft.basis):
            # Filled up it would be as large as the sender likes, for nothing sent.
            self._note(self._begin.file, "what it was to be made from has changed meanwhile")
            self._small = None
        self._told(at - self._at, False)
        self._at = at

    async def _end(self, digest: str) -> None:
        begin = self._begin
        if begin is None:
            raise InvalidInput("a file ended that had not begun")
        self._skip_to(begin.size)
        small = self._small

        def finish() -> None:
            draft = self._draft
            if small is not None:
                draft = self._open(begin)
                draft.write(0, small)
            if draft is not None:
                draft.commit(begin.size, digest, begin.mode, begin.mtime_ns)

        await self._try(begin, finish)
        if self._draft is not None:
            self.done += 1
        self.close()

    async def _try(self, begin: _Begin, work: Callable[[], object]) -> None:
        try:
            await to_thread.run_sync(work)
        except OSError as error:
            if error.errno in _FULL:
                self._give_up()
                raise ActionFailed(
                    f"{printable(begin.file)}: {error.strerror}",
                    hint="make room, and run it again",
                ) from error
            self._note(begin.file, error.strerror or str(error))
        except CarrelError as error:
            self._note(begin.file, error.message)

    def _give_up(self) -> None:
        if self._draft is not None:
            self._draft.discard()
        self.close()

    def _fail(self, name: Json, why: str) -> None:
        if not isinstance(name, str) or not is_name(name):
            raise InvalidInput("what failed has the name of a file")
        self._note(name, why)
        self.close()

    def _note(self, name: str, why: str) -> None:
        self.failed.append(Failure(name, why))
        if self._draft is not None:
            self._draft.close()
        self._draft = None

    def close(self) -> None:
        """Let go of a file under way; what there is of it stays for the next attempt."""
        if self._draft is not None:
            self._draft.close()
        self._draft = self._begin = self._small = None


def _whole_number(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise InvalidInput("a place in a file is a whole number")
    return value
