"""What trees hold, told by size, mode, time and hash, so that two can be compared unsent."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from carrel.errors import ActionFailed, InvalidInput, ProtocolError
from carrel.guest.tar import printable
from carrel.guest.trees import stays_inside

__all__ = [
    "BLOCK",
    "DIGEST",
    "MAX_DIGESTS",
    "Entry",
    "Kind",
    "block_digests",
    "block_size",
    "changed",
    "decode_entry",
    "encode_entry",
    "is_name",
    "kind_of_root",
    "partial_name",
    "read_block",
    "walk",
    "whole_digest",
]

BLOCK = 256 * 1024
LARGEST_BLOCK = 64 << 20
DIGEST = 32
"""Bytes of a SHA-256."""
MAX_DIGESTS = 1 << 17
"""Hashes of blocks of one file that are compared; larger files have larger blocks."""

Kind = Literal["file", "directory", "link", "partial", "refused"]

_TYPES = {
    "name": str,
    "kind": str,
    "size": int,
    "mode": int,
    "mtime_ns": int,
    "target": str,
    "digest": str,
}
LATEST = 2**64
"""Nanoseconds since 1970, later than any file system can say."""
_PARTIAL = re.compile(r"\.carrel-sync-[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a tree.

    Attributes:
        name: Its path below the root, empty for a root that is a file itself.
        kind: `partial` is what an interrupted sync left, `refused` what does not cross.
        target: Where a link leads; why it is refused.
        digest: SHA-256 of a file, where it was asked for.
    """

    name: str
    kind: Kind
    size: int = 0
    mode: int = 0
    mtime_ns: int = 0
    target: str = ""
    digest: str = ""


def encode_entry(entry: Entry) -> bytes:
    """One line of JSON; names may have any bytes, so all but ASCII is escaped."""
    return json.dumps(asdict(entry), separators=(",", ":")).encode() + b"\n"


def decode_entry(line: bytes) -> Entry:
    """Read such a line.

    Raises:
        ProtocolError: It is none.
    """
    try:
        wire = json.loads(line)
    except (ValueError, RecursionError):
        wire = None
    # Not by the codec: a name may hold what is half a character.
    if not isinstance(wire, dict) or {key: type(wire[key]) for key in wire} != _TYPES:
        raise ProtocolError("an entry of a tree cannot be read")
    if not (is_name(wire["name"]) and is_name(wire["target"])):
        raise ProtocolError("an entry of a tree has no name that a file can have")
    if not 0 <= wire["size"] < 2**63 or abs(wire["mtime_ns"]) > LATEST:
        raise ProtocolError("an entry of a tree has a size or time that no file has")
    if wire["kind"] not in get_args(Kind) or not 0 <= wire["mode"] <= 0o777:
        raise ProtocolError("an entry of a tree is not a file, directory or link")
    return Entry(**wire)


def is_name(text: object) -> bool:
    """Whether text can be a name in a file system: any bytes, as this system writes them."""
    if not isinstance(text, str):
        return False
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def partial_name(name: str) -> str:
    """What the unfinished copy of a file is called, beside it: as long for every name."""
    return f".carrel-sync-{hashlib.sha256(os.fsencode(name)).hexdigest()[:32]}"


def kind_of_root(path: str) -> Literal["file", "directory", "missing"]:
    """What a path leads to.

    Raises:
        InvalidInput: A device, a pipe or a socket.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return "missing"
    if stat.S_ISDIR(mode):
        return "directory"
    if stat.S_ISREG(mode):
        return "file"
    raise InvalidInput(f"{printable(path)} is a device, pipe or socket, which cannot be synced")


def walk(root: str, *, hashed: bool = False) -> Iterator[Entry]:
    """All that is below a directory, or the one file that `root` is; links are not followed.

    Raises:
        OSError: A directory, or a file to be hashed, cannot be read.
    """
    kind = kind_of_root(root)
    if kind != "directory":
        yield from _single(root, kind, hashed)
        return
    pending = [""]
    while pending:
        folder = pending.pop()
        for entry in _listed(root, folder, hashed):
            if entry.kind == "directory":
                pending.append(f"{entry.name}/")
            yield entry


def _single(root: str, kind: str, hashed: bool) -> Iterator[Entry]:
    """One file, and the unfinished copy of it, which is called as if the file had no name."""
    if kind == "file":
        yield _entry("", root, os.stat(root), hashed)  # noqa: PTH116
    folder, leaf = os.path.split(os.path.abspath(root))  # noqa: PTH100
    try:
        info = os.lstat(os.path.join(folder, partial_name(leaf)))  # noqa: PTH118
    except FileNotFoundError:
        return
    yield Entry(partial_name(""), "partial", info.st_size, mtime_ns=info.st_mtime_ns)


def _listed(root: str, folder: str, hashed: bool) -> Iterator[Entry]:
    try:
        listing = sorted(os.scandir(os.path.join(root, folder)), key=lambda item: item.name)  # noqa: PTH118
    except FileNotFoundError:
        return  # deleted while we walked
    for item in listing:
        try:
            info = item.stat(follow_symlinks=False)
            yield _entry(folder + item.name, item.path, info, hashed)
        except FileNotFoundError:
            continue


def _entry(name: str, path: str, info: os.stat_result, hashed: bool) -> Entry:
    mode, times = stat.S_IMODE(info.st_mode) & 0o777, info.st_mtime_ns
    if stat.S_ISDIR(info.st_mode):
        return Entry(name, "directory", 0, mode, times)
    if stat.S_ISLNK(info.st_mode):
        target = os.readlink(path)  # noqa: PTH115
        if stays_inside(name, target):
            return Entry(name, "link", 0, 0o777, times, target)
        why = f"the link leads out of the tree: {printable(target)}"
        return Entry(name, "refused", 0, mode, times, why)
    if not stat.S_ISREG(info.st_mode):
        return Entry(name, "refused", 0, mode, times, "a device, pipe or socket")
    if _PARTIAL.fullmatch(name.rpartition("/")[2]):
        return Entry(name, "partial", info.st_size, mode, times)
    digest = _digest_of(path) if hashed else ""
    return Entry(name, "file", info.st_size, mode, times, digest=digest)


def _digest_of(path: str) -> str:
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return whole_digest(fd)
    finally:
        os.close(fd)


def whole_digest(fd: int) -> str:
    """SHA-256 of a file as it is now, read piece by piece."""
    digest, at = hashlib.sha256(), 0
    while data := os.pread(fd, BLOCK, at):
        digest.update(data)
        at += len(data)
    return digest.hexdigest()


def block_size(size: int) -> int:
    """How large the blocks of a file are that are compared by their hashes."""
    block = BLOCK
    while size > block * MAX_DIGESTS and block < LARGEST_BLOCK:
        block *= 2
    return block


def block_digests(fd: int, block: int) -> Iterator[bytes]:
    """SHA-256 of every block of a file, the last of them perhaps short; not of too many.

    Raises:
        InvalidInput: Nobody compares blocks of that size.
    """
    if not BLOCK <= block <= LARGEST_BLOCK:
        raise InvalidInput(f"a block has {BLOCK} to {LARGEST_BLOCK} bytes, not {block}")
    for index in range(MAX_DIGESTS):
        data = read_block(fd, index * block, block)
        if not data:
            return
        yield hashlib.sha256(data).digest()


def read_block(fd: int, at: int, size: int) -> bytes:
    """Up to that many bytes; fewer only at the end of the file."""
    data = os.pread(fd, size, at)
    if len(data) in (0, size):
        return data
    parts = [data]
    have = len(data)
    while have < size and (data := os.pread(fd, size - have, at + have)):
        parts.append(data)
        have += len(data)
    return b"".join(parts)


def changed(name: str) -> ActionFailed:
    """The error of a file that was written to while it was read."""
    return ActionFailed(
        f"{printable(name)} changed while it was read",
        hint="run it again when nothing writes to it",
        context={"path": printable(name)},
        retryable=True,
    )
