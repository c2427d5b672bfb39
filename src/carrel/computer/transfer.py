"""Files and whole trees, both ways, never whole in memory."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from carrel.codec import Json
from carrel.computer.link import Link
from carrel.errors import InvalidInput, NotFound, ProtocolError
from carrel.stream import Stream

if TYPE_CHECKING:
    from carrel.computer.client import Computer

__all__ = ["Progress", "download", "quiet", "read", "upload", "write"]

CHUNK = 256 * 1024
MAX_SHOWN = 5

logger = logging.getLogger(__name__)

Progress = Callable[[int], None]
"""Told the number of bytes moved so far; for a tree, from a worker thread."""


def quiet(moved: int) -> None:
    """Report progress to nobody."""


async def read(
    link: Link, path: str, offset: int = 0, length: int | None = None
) -> AsyncIterator[bytes]:
    """The bytes of a file as they come."""
    args: dict[str, object] = {"path": path, "offset": offset}
    if length is not None:
        args["length"] = length
    async with await link.open("file.read", args, end=True) as stream:
        await stream.receive_message()
        async for part in stream.body():
            yield part


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


async def download(
    link: Link, computer: Computer, path: str, to: Path, progress: Progress = quiet
) -> int:
    """Copy a file or directory out of the machine.

    What a tree cannot hold (sockets, devices, links that leave it) is left out with a warning.
    """
    facts = await computer.stat_file(path)
    if to.is_dir():
        to = to / _plain_name(facts.get("name"))
    if facts.get("kind") == "directory":
        return await _download_tree(link, path, to, progress)
    return await _download_file(link, path, to, progress)


def _plain_name(name: object) -> str:
    """A name the machine gave: it must not lead out of the directory that it is for."""
    if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\0" in name:
        raise ProtocolError(f"the machine calls a file {str(name)[:200]!r}, which is no name")
    return name


async def _download_file(link: Link, path: str, to: Path, progress: Progress) -> int:
    partial = to.with_name(f".{to.name}.carrel-partial")
    total = 0
    try:
        async with await anyio.open_file(partial, "wb") as file:
            async for part in read(link, path):
                await file.write(part)
                total += len(part)
                progress(total)
        partial.replace(to)
    finally:
        partial.unlink(missing_ok=True)
    return total


async def _download_tree(link: Link, path: str, to: Path, progress: Progress) -> int:
    # Loaded when a tree is copied: most clients never do.
    from carrel.guest.files import receive_tree

    async with await link.open("tree.get", {"path": path}, end=True) as stream:
        facts = (await stream.receive_message()).get("result")
        if isinstance(facts, dict):
            _tell_skipped(path, facts.get("skipped"), facts.get("skipped_names"))
        # The machine is not trusted: names and links that leave the directory are refused.
        return (await receive_tree(stream, str(to), progress=progress)).bytes


async def upload(link: Link, source: Path, path: str, progress: Progress = quiet) -> int:
    """Copy a file or directory into the machine."""
    if not source.exists():
        raise NotFound(f"there is no {source}")
    if not source.is_dir() and not source.is_file():
        raise InvalidInput(f"{source} is neither a file nor a directory")
    if source.is_dir():
        return await _upload_tree(link, source, path, progress)
    if path.endswith("/"):
        path += source.name
    mode = source.stat().st_mode & 0o777
    result = await write(link, path, _file_parts(source, progress), mode)
    return _number(result, "size")


async def _file_parts(source: Path, progress: Progress) -> AsyncIterator[bytes]:
    total = 0
    async with await anyio.open_file(source, "rb") as file:
        while part := await file.read(CHUNK):
            yield part
            total += len(part)
            progress(total)


async def _upload_tree(link: Link, source: Path, path: str, progress: Progress) -> int:
    from carrel.guest.files import send_tree
    from carrel.guest.trees import survey

    found = await to_thread.run_sync(survey, str(source))
    _tell_skipped(str(source), found.skipped, found.skipped_names)
    async with await link.open("tree.put", {"path": path}) as stream:
        await send_tree(stream, str(source), progress=progress)
        return _number(await _finish(stream), "bytes")


def _tell_skipped(tree: str, count: Json, names: object) -> None:
    if count and isinstance(names, list):
        shown = ", ".join(map(str, names[:MAX_SHOWN]))
        logger.warning(
            "%s of %s left out (links that leave it, sockets, devices): %s", count, tree, shown
        )


def _number(facts: dict[str, Json], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int):
        raise ProtocolError(f"the guest did not say {name}")
    return value
