"""The archive that a kernel unpacks at its start: `newc` cpio, of which several may follow."""

from __future__ import annotations

import stat
from collections.abc import Mapping

__all__ = ["archive"]

_ALIGN = 4


def archive(files: Mapping[str, tuple[int, bytes]]) -> bytes:
    """Pack files, with the directories that they are in.

    Args:
        files: By path, each with its permissions and content. A path that ends with a slash is an
            empty directory.
    """
    entries: dict[str, tuple[int, bytes]] = {}
    for path, (mode, content) in files.items():
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts)):
            entries.setdefault("/".join(parts[:depth]), (stat.S_IFDIR | 0o755, b""))
        kind = stat.S_IFDIR if path.endswith("/") else stat.S_IFREG
        entries["/".join(parts)] = (kind | mode, content)
    packed = [_entry(n, name, *entry) for n, (name, entry) in enumerate(entries.items(), 1)]
    return b"".join([*packed, _entry(0, "TRAILER!!!", 0, b"")])


def _entry(number: int, name: str, mode: int, content: bytes) -> bytes:
    path = name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(path), 0)
    header = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(header + path) + _padded(content)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGN)
