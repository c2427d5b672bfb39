"""Files inside the machine: read and written as streams or as text, listed, moved, deleted."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from stat import S_IMODE
from typing import TypeVar

from anyio import CapacityLimiter, from_thread, to_thread

from carrel import actions, codec
from carrel.codec import Json
from carrel.errors import ActionFailed, InvalidInput
from carrel.guest import disk, trees
from carrel.guest.tar import printable
from carrel.stream import Chunk, Lane, Stream

__all__ = ["Files", "ReadArgs", "TreeArgs", "WriteArgs", "receive_tree", "send_tree"]

CHUNK = 256 * 1024
MAX_TREES = 8
"""Trees under way at once; each keeps a thread for as long as its peer is slow."""

Args = Mapping[str, Json]
T = TypeVar("T")


def _check_path(path: str) -> None:
    if not 0 < len(path) <= 4096 or "\0" in path:
        raise InvalidInput("a path has 1 to 4096 characters and no NUL")


@dataclass(frozen=True, slots=True)
class ReadArgs:
    """The arguments of the operation `file.read`."""

    path: str
    offset: int = 0
    length: int | None = None

    def __post_init__(self) -> None:
        _check_path(self.path)
        if self.offset < 0 or (self.length is not None and self.length < 0):
            raise InvalidInput("offset and length are not negative")
        if max(self.offset, self.length or 0) >= 2**63:
            raise InvalidInput("offset and length are less than 2**63")


@dataclass(frozen=True, slots=True)
class WriteArgs:
    """The arguments of the operation `file.write`.

    Attributes:
        mode: Permission bits; without, those of the file replaced, or what the umask leaves.
        append: Add to the end instead of replacing.
    """

    path: str
    mode: int | None = None
    append: bool = False

    def __post_init__(self) -> None:
        _check_path(self.path)
        if self.mode is not None and not 0 <= self.mode <= 0o7777:
            raise InvalidInput("mode must be between 0 and 0o7777")


@dataclass(frozen=True, slots=True)
class TreeArgs:
    """The arguments of the operations `tree.get` and `tree.put`."""

    path: str

    def __post_init__(self) -> None:
        _check_path(self.path)


class Files:
    """The file system as a program in the machine sees it.

    Args:
        home: Where relative paths begin, and what `~` means.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self._trees = CapacityLimiter(MAX_TREES)

    def path(self, text: str) -> str:
        """The path that a client's words mean."""
        _check_path(text)
        if text == "~" or text.startswith("~/"):
            text = self._home + text[1:]
        return os.path.join(self._home, text)  # noqa: PTH118  keeps `.` and `..` as they are

    # Streams

    async def read(self, stream: Stream, args: Args) -> None:
        """Send a file's bytes: first `{size, mode, offset, length}`, then the bytes."""
        wish = codec.decode(ReadArgs, args, where="file.read")
        path = self.path(wish.path)
        fd, info = await _in_thread(path, disk.open_regular, path)
        with ExitStack() as stack:
            stack.callback(os.close, fd)
            size = info.st_size
            # Files of the kernel say they are empty and are not.
            left = None if size == 0 else max(0, size - wish.offset)
            if wish.length is not None:
                left = wish.length if left is None else min(left, wish.length)
            facts = {"size": size, "mode": S_IMODE(info.st_mode), "offset": wish.offset}
            length = left if size else None
            await stream.send_message({"result": {**facts, "length": length}})
            await _send_file(stream, path, fd, wish.offset, left, exact=size > 0)

    async def write(self, stream: Stream, args: Args) -> dict[str, Json]:
        """Take bytes until the peer ends, then put them in place in one step: `{size, path}`."""
        wish = codec.decode(WriteArgs, args, where="file.write")
        path = self.path(wish.path)
        writer = await _in_thread(
            path, disk.Appender if wish.append else disk.Replacer, path, wish.mode
        )
        try:
            while data := await _next_data(stream):
                await _in_thread(path, writer.write, data)
            size = await _in_thread(path, writer.commit)
        finally:
            writer.close()
        return {"path": printable(path), "size": size}

    async def tree_get(self, stream: Stream, args: Args) -> None:
        """Send a directory as a tar archive: first what to expect, then the archive."""
        wish = codec.decode(TreeArgs, args, where="tree.get")
        path = self.path(wish.path)
        found = await _in_thread(path, disk.survey, path)
        await stream.send_message({"result": asdict(found)})
        await send_tree(stream, path, limiter=self._trees)

    async def tree_put(self, stream: Stream, args: Args) -> dict[str, Json]:
        """Take a tar archive and unpack it into a directory, made if it is not there."""
        wish = codec.decode(TreeArgs, args, where="tree.put")
        path = self.path(wish.path)
        return asdict(await receive_tree(stream, path, limiter=self._trees))

    # Actions

    async def read_text(self, action: actions.ReadFile) -> dict[str, Json]:
        """The beginning of a text file: `{text, size, truncated}`."""
        if not 1 <= action.limit <= actions.MAX_TEXT:
            raise InvalidInput(f"limit must be between 1 and {actions.MAX_TEXT}")
        path = self.path(action.path)
        data, size = await _in_thread(path, disk.read_start, path, action.limit * 4)
        text, cut = disk.decode_text(data, path)
        # A file that became shorter while it was read was still read to its end.
        stopped = len(data) >= action.limit * 4 and len(data) < size
        truncated = cut or len(text) > action.limit or stopped
        return {"text": text[: action.limit], "size": size, "truncated": truncated}

    async def write_text(self, action: actions.WriteFile) -> dict[str, Json]:
        """Replace a file: `{path, size}`, the size read back."""
        return await self._put(action.path, action.text, disk.Replacer)

    async def append_text(self, action: actions.AppendFile) -> dict[str, Json]:
        """Add to a file: `{path, size}`, the size read back."""
        return await self._put(action.path, action.text, disk.Appender)

    async def _put(self, name: str, text: str, kind: type[disk.Appender]) -> dict[str, Json]:
        path = self.path(name)

        def put() -> int:
            writer = kind(path, None)
            try:
                writer.write(text.encode())
                return writer.commit()
            finally:
                writer.close()

        size = await _in_thread(path, put)
        return {"path": printable(path), "size": size}

    async def list(self, action: actions.ListFiles) -> dict[str, Json]:
        """The entries of a directory, by name: `{entries, truncated}`."""
        path = self.path(action.path)
        entries, truncated = await _in_thread(path, disk.list_directory, path)
        return {"entries": entries, "truncated": truncated}

    async def stat(self, action: actions.StatFile) -> dict[str, Json]:
        """What a file is; a link is described itself, with its `target`."""
        path = self.path(action.path)
        info = await _in_thread(path, os.lstat, path)
        name = os.path.basename(os.path.normpath(path))  # noqa: PTH119
        return {**disk.describe(name or "/", path, info), "owner": disk.owner(info.st_uid)}

    async def make_directory(self, action: actions.MakeDirectory) -> dict[str, Json]:
        """Make a directory and its parents: `{path, created}`."""
        path = self.path(action.path)
        created = await _in_thread(path, disk.make_directory, path)
        return {"path": printable(path), "created": created}

    async def move(self, action: actions.MoveFile) -> dict[str, Json]:
        """Rename, also to another file system: `{from, to}`; nothing is overwritten."""
        path, to = self.path(action.path), self.path(action.to)
        await _in_thread(path, disk.move, path, to)
        return {"from": printable(path), "to": printable(to)}

    async def delete(self, action: actions.DeleteFile) -> dict[str, Json]:
        """Delete a file or an empty directory, or all of a directory: `{path, deleted}`."""
        path = self.path(action.path)
        await _in_thread(path, disk.delete, path, action.recursive)
        return {"path": printable(path), "deleted": True}


async def send_tree(
    stream: Stream,
    path: str,
    *,
    limiter: CapacityLimiter | None = None,
    progress: Callable[[int], None] = lambda moved: None,
) -> int:
    """Send the tree below a directory as a tar archive; returns its length in bytes."""

    def send() -> int:
        buffer = bytearray()
        total = 0

        def write(data: bytes) -> None:
            nonlocal total
            buffer.extend(data)
            total += len(data)
            if len(buffer) >= CHUNK:
                flush()

        def flush() -> None:
            from_thread.run(stream.send, bytes(buffer))
            buffer.clear()
            progress(total)

        trees.pack(path, write)
        flush()
        return total

    return await _in_thread(path, send, limiter=limiter)


async def receive_tree(
    stream: Stream,
    path: str,
    *,
    limiter: CapacityLimiter | None = None,
    progress: Callable[[int], None] = lambda moved: None,
) -> trees.Unpacked:
    """Take a tar archive and unpack it into a directory, made if it is not there."""
    total = 0

    def read() -> bytes:
        nonlocal total
        data = from_thread.run(_next_data, stream)
        total += len(data)
        progress(total)
        return data

    def unpack() -> trees.Unpacked:
        Path(path).mkdir(parents=True, exist_ok=True)
        return trees.unpack(path, read)

    return await _in_thread(path, unpack, limiter=limiter)


async def _next_data(stream: Stream) -> bytes:
    """The next bytes of a body; none at its end."""
    item = await stream.receive()
    if item is None:
        return b""
    if not isinstance(item, Chunk) or item.lane is not Lane.DATA:
        raise InvalidInput("the content of files comes as data")
    return item.data


async def _in_thread(
    path: str, work: Callable[..., T], *args: object, limiter: CapacityLimiter | None = None
) -> T:
    """Run blocking work, with its system errors told as ours."""

    def run() -> T:
        with disk.os_errors(path):
            return work(*args)

    return await to_thread.run_sync(run, limiter=limiter)


async def _send_file(
    stream: Stream, path: str, fd: int, offset: int, left: int | None, *, exact: bool
) -> None:
    while left is None or left > 0:
        size = CHUNK if left is None else min(CHUNK, left)
        data = await _in_thread(path, os.pread, fd, size, offset)
        if not data:
            break
        await stream.send(data)
        offset += len(data)
        left = None if left is None else left - len(data)
    if exact and left:
        raise ActionFailed(
            f"{printable(path)} became shorter while it was read",
            context={"path": printable(path)},
            retryable=True,
        )
