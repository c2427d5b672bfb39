"""The lines of an MCP server's output: whole, or only the ends of one that is too long."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

__all__ = ["Lines", "Oversized", "request_of"]

PART = 4096
"""How much of each end of an oversized line is kept."""

_ID = rb'"id"\s*:\s*(-?\d{1,18}|"(?:[^"\\]|\\.){0,1024}")'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_AT_HEAD = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb"\s*,\s*)?" + _ID + rb"\s*,")
_AT_TAIL = re.compile(rb",\s*" + _ID + rb"\s*(?:,\s*" + _VERSION + rb"\s*)?\}\s*$")


@dataclass(frozen=True, slots=True)
class Oversized:
    """A line that was too long to keep.

    Attributes:
        head: How it began.
        tail: How it ended.
        size: How many bytes it had.
    """

    head: bytes
    tail: bytes
    size: int


class Lines:
    """Takes output apart into lines, in bounded memory.

    Args:
        limit: The most bytes of one that is kept whole.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._begin()

    def _begin(self) -> None:
        self._rest = bytearray()
        self._head: bytes | None = None
        self._size = 0

    def feed(self, data: bytes) -> list[bytes | Oversized]:
        """The lines that have ended now."""
        *ended, rest = data.split(b"\n")
        found = []
        for piece in ended:
            self._add(piece)
            found.append(self._take())
        self._add(rest)
        return found

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._rest += piece
        if self._size > self._limit:
            if self._head is None:
                self._head = bytes(self._rest[:PART])
            del self._rest[:-PART]

    def _take(self) -> bytes | Oversized:
        line = bytes(self._rest)
        found = line if self._head is None else Oversized(self._head, line, self._size)
        self._begin()
        return found


def request_of(line: Oversized) -> str | int | None:
    """The request that an oversized message answers, where its ends tell.

    Servers write a message's id either before its content or after it.
    """
    found = _AT_HEAD.match(line.head) or _AT_TAIL.search(line.tail)
    if found is None:
        return None
    try:
        value = json.loads(found[1])
    except ValueError:
        return None
    return value if isinstance(value, str | int) else None
