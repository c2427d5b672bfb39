"""Reading a tar archive member by member, from pieces of any size, in constant memory.

The standard library's reader takes extended headers of any length and, in the Python of Debian 12,
has no filter for what it unpacks; this one takes only what a tree needs and trusts nothing.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterator

from carrel.errors import InvalidInput

__all__ = ["BLOCK", "Read", "Source", "members", "printable"]

BLOCK = 512
MAX_EXTENDED = 64 * 1024
"""Longest extended header taken: names and links are at most 4096 bytes each."""

Read = Callable[[], bytes]
"""The next piece of the archive, of any size; empty at its end."""


def printable(path: str) -> str:
    """A path as text, with the bytes that are not UTF-8 shown as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class Source:
    """Exact reads from pieces of any size."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._rest = memoryview(b"")

    def some(self, limit: int) -> memoryview:
        """Between 1 and `limit` bytes."""
        if not self._rest:
            self._rest = memoryview(self._read())
            if not self._rest:
                raise InvalidInput("the archive ends too early")
        part, self._rest = self._rest[:limit], self._rest[limit:]
        return part

    def exactly(self, size: int) -> bytes:
        """That many bytes; only for small sizes."""
        data = bytearray()
        while len(data) < size:
            data += self.some(size - len(data))
        return bytes(data)

    def skip_padding(self, size: int) -> None:
        """Skip what fills the last block of a file of this size."""
        if size % BLOCK:
            self.exactly(BLOCK - size % BLOCK)

    def drain(self) -> None:
        """Take what follows the end mark: writers pad their archives."""
        while self._read():
            pass


def members(source: Source) -> Iterator[tarfile.TarInfo]:
    """The members; whoever takes a file must read its `size` bytes and the padding."""
    extended: dict[str, str] = {}
    while True:
        block = source.exactly(BLOCK)
        if not any(block):
            source.drain()
            return
        head = _parse(block)
        if head.type in _EXTENDED:
            extended |= _read_extended(head, source)
            continue
        _apply(head, extended)
        extended = {}
        if head.size and head.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise InvalidInput(f"{printable(head.name)!r} in the archive should have no content")
        yield head


_EXTENDED = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


_USED = (b"path", b"linkpath", b"size")


def _parse(block: bytes) -> tarfile.TarInfo:
    try:
        head = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError) as error:
        raise InvalidInput(f"the archive is damaged: {error}") from error
    if head.size < 0:
        raise InvalidInput("the archive is damaged: a size is negative")
    return head


def _read_extended(head: tarfile.TarInfo, source: Source) -> dict[str, str]:
    if head.size > MAX_EXTENDED:
        raise InvalidInput(f"a header in the archive is too long: {head.size} bytes")
    data = source.exactly(head.size)
    source.skip_padding(head.size)
    if head.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": _text(data.partition(b"\0")[0])}
    if head.type == tarfile.GNUTYPE_LONGLINK:
        return {"linkpath": _text(data.partition(b"\0")[0])}
    # A header for all that follows carries comments only; a name for many files means nothing.
    return {} if head.type == tarfile.XGLTYPE else _pax_records(data)


def _pax_records(data: bytes) -> dict[str, str]:
    """Records of the form `LENGTH KEY=VALUE`, each with a newline."""
    records = {}
    while data:
        digits, space, _ = data.partition(b" ")
        length = int(digits) if digits.isdigit() and len(digits) < 8 else 0
        record = data[len(digits) + 1 : length]
        key, equals, value = record.removesuffix(b"\n").partition(b"=")
        if not (space and equals and record.endswith(b"\n") and length <= len(data)):
            raise InvalidInput("the archive is damaged: an extended header is not one")
        if key.startswith(b"GNU.sparse"):
            raise InvalidInput("the archive holds a sparse file", hint="make it without --sparse")
        # Only what is used: an archive may have any number of these before a member.
        if key in _USED:
            records[_text(key)] = _text(value)
        data = data[length:]
    return records


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _apply(head: tarfile.TarInfo, extended: dict[str, str]) -> None:
    # Python writes names that are not UTF-8 raw and marks them; both forms decode the same here.
    head.name = extended.get("path", head.name)
    head.linkname = extended.get("linkpath", head.linkname)
    size = extended.get("size", str(head.size))
    if not (size.isascii() and size.isdigit() and len(size) < 20):
        raise InvalidInput("the archive is damaged: a size is not a number")
    head.size = int(size)
