"""Files and whole trees, both ways, never whole in memory."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass
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

__all__ = ["Copied", "Progress", "download", "quiet", "read", "upload", "write"]

CHUNK = 256 * 1024
MAX_SHOWN = 5

logger = logging.getLogger(__name__)

Progress = Callable[[int], None]
"""Told the number of bytes moved so far; for a tree, from a worker thread."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy into or out of a machine did.

    Attributes:
        to: Where it arrived.
        bytes: What the files hold that crossed.
        left_out: What a tree cannot hold: sockets, devices, links that leave it. Only the first
            few are named.
        left_out_total: How many there are of those.
    """

    to: str
    bytes: int
    left_out: tuple[str, ...] = ()
    left_out_total: int = 0


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
) -> Copied:
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


async def _download_file(link: Link, path: str, to: Path, progress: Progress) -> Copied:
    # Loaded when something is copied: most clients never do.
    from carrel.guest.crossing import in_thread
    from carrel.guest.disk import Replacer, os_errors

    async with await link.open("file.read", {"path": path}, end=True) as stream:
        facts = (await stream.receive_message()).get("result")
        mode = facts.get("mode") if isinstance(facts, dict) else None
        # An older guest does not tell: it is a new file like any other then.
        mode = mode & 0o777 if isinstance(mode, int) else None
        with os_errors(str(to)):
            file = Replacer(str(to), mode)
        total = 0
        try:
            async for part in stream.body():
                await in_thread(str(to), file.write, part)
                total += len(part)
                progress(total)
            await in_thread(str(to), file.commit)
        finally:
            file.close()
    return Copied(str(to), total)


async def _download_tree(link: Link, path: str, to: Path, progress: Progress) -> Copied:
    from carrel.guest.files import receive_tree

    async with await link.open("tree.get", {"path": path}, end=True) as stream:
        facts = (await stream.receive_message()).get("result")
        told = facts if isinstance(facts, dict) else {}
        count, names = _left_out(path, told.get("skipped"), told.get("skipped_names"))
        # The machine is not trusted: names and links that leave the directory are refused.
        done = await receive_tree(stream, str(to), progress=progress)
        return Copied(str(to), done.bytes, names, count)


async def upload(link: Link, source: Path, path: str, progress: Progress = quiet) -> Copied:
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
    return Copied(path, _number(result, "size"))


async def _file_parts(source: Path, progress: Progress) -> AsyncIterator[bytes]:
    total = 0
    async with await anyio.open_file(source, "rb") as file:
        while part := await file.read(CHUNK):
            yield part
            total += len(part)
            progress(total)


async def _upload_tree(link: Link, source: Path, path: str, progress: Progress) -> Copied:
    from carrel.guest.files import send_tree
    from carrel.guest.trees import survey

    found = await to_thread.run_sync(survey, str(source))
    count, names = _left_out(str(source), found.skipped, found.skipped_names)
    async with await link.open("tree.put", {"path": path}) as stream:
        await send_tree(stream, str(source), progress=progress)
        return Copied(path, _number(await _finish(stream), "bytes"), names, count)


def _left_out(tree: str, count: object, named: object) -> tuple[int, tuple[str, ...]]:
    """What a tree cannot hold, also as a warning."""
    if not count or not isinstance(count, int) or not isinstance(named, list):
        return 0, ()
    names = tuple(map(str, named))
    shown = ", ".join(names[:MAX_SHOWN])
    logger.warning(
        "%s of %s left out (links that leave it, sockets, devices): %s", count, tree, shown
    )
    return count, names


def _number(facts: dict[str, Json], name: str) -> int:
    value = facts.get(name)
    if not isinstance(value, int):
        raise ProtocolError(f"the guest did not say {name}")
    return value
