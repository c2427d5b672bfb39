"""Files and whole trees, both ways, never whole in memory."""

from __future__ import annotations

import io
import tarfile
from collections.abc import AsyncIterable, AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import from_thread, to_thread

from carrel.codec import Json
from carrel.computer.link import Link
from carrel.errors import InvalidInput, NotFound, ProtocolError
from carrel.stream import Chunk, Stream

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

    from carrel.computer.client import Computer

__all__ = ["download", "read", "upload", "write"]

CHUNK = 256 * 1024


async def read(
    link: Link, path: str, offset: int = 0, length: int | None = None
) -> AsyncIterator[bytes]:
    """The bytes of a file as they come."""
    args: dict[str, object] = {"path": path, "offset": offset}
    if length is not None:
        args["length"] = length
    async with await link.open("file.read", args, end=True) as stream:
        await stream.receive_message()
        while isinstance(item := await stream.receive(), Chunk):
            yield item.data


async def write(
    link: Link, path: str, data: bytes | AsyncIterable[bytes], mode: int | None = None
) -> dict[str, Json]:
    """Send a file; the machine has the whole of it or nothing."""
    args: dict[str, object] = {"path": path}
    if mode is not None:
        args["mode"] = mode
    async with await link.open("file.write", args) as stream:
        if isinstance(data, bytes):
            await stream.send(data)
        else:
            async for part in data:
                await stream.send(part)
        return await _finish(stream)


async def _finish(stream: Stream) -> dict[str, Json]:
    await stream.end()
    result = (await stream.receive_message()).get("result")
    if not isinstance(result, dict):
        raise ProtocolError("the answer to a write is not an object")
    return result


async def download(link: Link, computer: Computer, path: str, to: Path) -> int:
    """Copy a file or directory out of the machine."""
    facts = await computer.stat_file(path)
    if to.is_dir():
        to = to / str(facts["name"])
    if facts["kind"] == "directory":
        return await _download_tree(link, path, to)
    return await _download_file(link, path, to)


async def _download_file(link: Link, path: str, to: Path) -> int:
    partial = to.with_name(f".{to.name}.carrel-partial")
    total = 0
    try:
        async with await anyio.open_file(partial, "wb") as file:
            async for part in read(link, path):
                await file.write(part)
                total += len(part)
        partial.replace(to)
    finally:
        partial.unlink(missing_ok=True)
    return total


async def _download_tree(link: Link, path: str, to: Path) -> int:
    async with await link.open("tree.get", {"path": path}, end=True) as stream:
        await stream.receive_message()
        source = _ThreadReader(stream)
        await to_thread.run_sync(_unpack, source, to, abandon_on_cancel=True)
        return source.total


def _unpack(source: _ThreadReader, to: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    with (
        io.BufferedReader(source, CHUNK) as file,
        tarfile.open(fileobj=file, mode="r|", bufsize=CHUNK) as archive,
    ):
        # The machine is not trusted: "data" refuses names and links that leave the directory.
        archive.extractall(to, filter="data")


async def upload(link: Link, computer: Computer, source: Path, path: str) -> int:
    """Copy a file or directory into the machine."""
    if not source.exists():
        raise NotFound(f"there is no {source}")
    if not source.is_dir() and not source.is_file():
        raise InvalidInput(f"{source} is neither a file nor a directory")
    if source.is_dir():
        return await _upload_tree(link, source, path)
    if path.endswith("/"):
        path += source.name
    mode = source.stat().st_mode & 0o777
    result = await write(link, path, _file_parts(source), mode)
    size = result.get("size")
    return size if isinstance(size, int) else 0


async def _file_parts(source: Path) -> AsyncIterator[bytes]:
    async with await anyio.open_file(source, "rb") as file:
        while part := await file.read(CHUNK):
            yield part


async def _upload_tree(link: Link, source: Path, path: str) -> int:
    async with await link.open("tree.put", {"path": path}) as stream:
        sink = _ThreadWriter(stream)
        await to_thread.run_sync(_pack, source, sink, abandon_on_cancel=True)
        await _finish(stream)
        return sink.total


def _pack(source: Path, sink: _ThreadWriter) -> None:
    with tarfile.open(fileobj=sink, mode="w|", bufsize=CHUNK) as archive:
        archive.add(source, arcname=".")


class _ThreadReader(io.RawIOBase):
    """A stream's bytes as a blocking file, for a worker thread."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._rest = memoryview(b"")
        self.total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if not self._rest:
            item = from_thread.run(self._stream.receive)
            if not isinstance(item, Chunk):
                return 0
            self._rest = memoryview(item.data)
            self.total += len(item.data)
        room = memoryview(buffer)
        size = min(len(room), len(self._rest))
        room[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


class _ThreadWriter(io.RawIOBase):
    """A stream as a blocking file to write to, for a worker thread."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.total = 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        piece = bytes(data)
        from_thread.run(self._stream.send, piece)
        self.total += len(piece)
        return len(piece)
