"""Extended headers of archives whose maker means harm."""

from __future__ import annotations

import tarfile
import tracemalloc
from collections.abc import Iterator

from carrel.guest.tar import Source, members

HEADERS = 400


def _headers() -> Iterator[bytes]:
    """Many extended headers before one file, each with names of its own."""
    for number in range(HEADERS):
        records = b"".join(_record(f"{number}.{at}", "x" * 1000) for at in range(60))
        head = tarfile.TarInfo("pax")
        head.type, head.size = tarfile.XHDTYPE, len(records)
        padding = bytes(-len(records) % 512)
        yield head.tobuf(tarfile.USTAR_FORMAT) + records + padding
    yield tarfile.TarInfo("file").tobuf(tarfile.USTAR_FORMAT)
    yield bytes(1024)


def _record(key: str, value: str) -> bytes:
    body = f" {key}={value}\n".encode()
    length = len(body) + 4
    return f"{length:04}".encode() + body


def test_headers_without_end_cost_no_memory() -> None:
    pieces = _headers()
    tracemalloc.start()
    try:
        found = list(members(Source(lambda: next(pieces, b""))))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [head.name for head in found] == ["file"]
    assert peak < 4_000_000
