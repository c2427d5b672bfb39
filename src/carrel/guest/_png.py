"""PNG, made for speed: no row filter, a fast deflate, in strips that can be used again.

A strip is some rows deflated on their own and ended at a byte, so that strips put one behind the
other are one stream again. The bytes of a strip depend on its pixels alone: a picture made with
strips of the one before is the same to the last bit as if it were made anew.

It needs no library at all; libyuv and libisal make it some ten times faster.
"""

from __future__ import annotations

import ctypes
import struct
import threading
import zlib
from typing import NamedTuple

from carrel.geometry import Box
from carrel.guest._native import libisal, libyuv
from carrel.guest._pixels import Pixels
from carrel.guest._room import Room
from carrel.guest._strips import in_strips

__all__ = ["PngEncoder", "PngStrips"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_IEND = b"\0\0\0\0IEND\xaeB\x60\x82"
_ZLIB_HEAD = b"\x78\x01"
_LAST_BLOCK = b"\x03\0"
"""An empty block of deflate that says: nothing follows."""
_STRIP_BYTES = 512 << 10
"""Of rows in one strip: half as many are a tenth slower to deflate."""
_ADLER = 65521

_ISAL_LEVEL = 2
_ISAL_LEVEL_MEMORY = 1 << 18
_SYNC_FLUSH = 1


class _IsalStream(ctypes.Structure):
    """`struct isal_zstream`; its private part is 83 KB and is given three times that."""

    _fields_ = (
        ("next_in", ctypes.c_void_p),
        ("avail_in", ctypes.c_uint32),
        ("total_in", ctypes.c_uint32),
        ("next_out", ctypes.c_void_p),
        ("avail_out", ctypes.c_uint32),
        ("total_out", ctypes.c_uint32),
        ("hufftables", ctypes.c_void_p),
        ("level", ctypes.c_uint32),
        ("level_buf_size", ctypes.c_uint32),
        ("level_buf", ctypes.c_void_p),
        ("end_of_stream", ctypes.c_uint16),
        ("flush", ctypes.c_uint16),
        ("gzip_flag", ctypes.c_uint16),
        ("hist_bits", ctypes.c_uint16),
        ("internal", ctypes.c_uint8 * (1 << 18)),
    )


class _Strip(NamedTuple):
    data: bytes
    adler: int
    size: int
    """Of the rows, before they were deflated."""


class PngStrips(NamedTuple):
    """What a picture was made of, for the next that differs from it in part."""

    width: int
    height: int
    parts: list[_Strip]


class PngEncoder:
    """Eight-bit RGB, one IDAT; the work memory is one set, so pictures wait their turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows, self._out, self._work = Room(), Room(), Room()
        self._cleared = (0, 0)
        self._stream: _IsalStream | None = None

    def encode(
        self, pixels: Pixels, before: PngStrips | None = None, changed: Box | None = None
    ) -> tuple[bytes, PngStrips]:
        """The picture, and its strips.

        Args:
            pixels: What to encode.
            before: The strips of a picture that differs from this one inside of `changed` only.
            changed: Where it differs; None when it does not.
        """
        width, height = pixels.width, pixels.height
        rows = max(1, _STRIP_BYTES // (3 * width + 1))
        kept = before.parts if before is not None and before[:2] == (width, height) else None
        with self._lock:
            parts = in_strips(pixels, rows, self._strip, kept, changed)
        return _assemble(width, height, parts), PngStrips(width, height, parts)

    def _strip(self, pixels: Pixels) -> _Strip:
        size = (3 * pixels.width + 1) * pixels.height
        start = self._fill_rows(pixels, size)
        data = None if libisal() is None else self._deflate(start, size)
        if data is None:
            data = _deflate_slowly(ctypes.string_at(start, size))
        return _Strip(data, _adler32(start, size), size)

    def _fill_rows(self, pixels: Pixels, size: int) -> int:
        """Address of the rows as PNG wants them: a zero, then R, G, B for each pixel."""
        yuv = libyuv()
        start = self._rows.at_least(size)
        if yuv is None:
            ctypes.memmove(start, _rows_without_library(pixels), size)
            return start
        stride = 3 * pixels.width + 1
        width, cleared = self._cleared
        if width != pixels.width or cleared < size:
            ctypes.memset(start, 0, size)
            self._cleared = (pixels.width, size)
        yuv.ARGBToRAW(pixels.address, pixels.stride, start + 1, stride, pixels.width, pixels.height)
        return start

    def _deflate(self, source: int, size: int) -> bytes | None:
        """The deflated rows, or None where they outgrow the room made for them."""
        isal = libisal()
        assert isal is not None
        room = size + size // 8 + 4096
        out = self._out.at_least(room)
        stream = self._stream = self._stream or _IsalStream()
        pointer = ctypes.byref(stream)
        isal.isal_deflate_init(pointer)
        stream.next_in, stream.avail_in = source, size
        stream.next_out, stream.avail_out = out, room
        stream.level, stream.level_buf_size = _ISAL_LEVEL, _ISAL_LEVEL_MEMORY
        stream.level_buf = self._work.at_least(_ISAL_LEVEL_MEMORY)
        stream.flush = _SYNC_FLUSH
        if isal.isal_deflate(pointer) != 0 or stream.avail_in or not stream.avail_out:
            return None
        return ctypes.string_at(out, int(stream.total_out))


def _assemble(width: int, height: int, parts: list[_Strip]) -> bytes:
    adler = 1
    for part in parts:
        adler = _join_adler(adler, part.adler, part.size)
    data = [_ZLIB_HEAD, *(part.data for part in parts), _LAST_BLOCK, adler.to_bytes(4)]
    checksum = 0
    for piece in (b"IDAT", *data):
        checksum = _crc32(checksum, piece)
    length = sum(map(len, data)).to_bytes(4)
    head = _SIGNATURE + _ihdr(width, height) + length + b"IDAT"
    return b"".join([head, *data, checksum.to_bytes(4), _IEND])


def _join_adler(first: int, second: int, size: int) -> int:
    """The checksum of two pieces one behind the other; `size` is the second's."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (first >> 16) + (second >> 16) + size * ((first & 0xFFFF) - 1)
    return high % _ADLER << 16 | low % _ADLER


def _ihdr(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (13).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)


def _crc32(value: int, data: bytes) -> int:
    isal = libisal()
    if isal is None:
        return zlib.crc32(data, value)
    return int(isal.crc32_gzip_refl(value, data, len(data)))


def _adler32(start: int, size: int) -> int:
    isal = libisal()
    if isal is None:
        return zlib.adler32(ctypes.string_at(start, size))
    return int(isal.isal_adler32(1, start, size))


def _deflate_slowly(rows: bytes) -> bytes:
    deflate = zlib.compressobj(1, zlib.DEFLATED, -15)
    return deflate.compress(rows) + deflate.flush(zlib.Z_SYNC_FLUSH)


def _rows_without_library(pixels: Pixels) -> bytes:
    data, width = pixels.tobytes(), pixels.width
    colours = bytearray(3 * width * pixels.height)
    for channel in range(3):
        colours[channel::3] = data[2 - channel :: 4]
    rows = memoryview(colours)
    step = 3 * width
    return b"".join(b"\0" + rows[start : start + step] for start in range(0, len(rows), step))
