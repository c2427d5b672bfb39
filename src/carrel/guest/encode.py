"""Pictures as PNG, JPEG or WebP bytes.

PNG is lossless and made for speed: no row filter and a fast deflate. It needs no library at all;
libyuv and libisal make it some ten times faster. JPEG and WebP need theirs.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import threading
import zlib

from carrel.errors import ActionFailed, InvalidInput, Unsupported
from carrel.frames import ImageFormat
from carrel.guest import _webp
from carrel.guest._native import libisal, libturbojpeg, libyuv
from carrel.guest._pixels import Pixels

__all__ = ["encode"]


def encode(pixels: Pixels, image_format: ImageFormat = "png", quality: int = 85) -> bytes:
    """Encode a picture.

    Args:
        pixels: What to encode.
        image_format: PNG ignores `quality`.
        quality: From 1 to 100. JPEG keeps the full colour resolution from 90 on; WebP is lossless
            at 100.

    Raises:
        Unsupported: The library for this format is not installed in the machine.
    """
    if image_format == "png":
        return _png.encode(pixels)
    if image_format == "jpeg":
        return _jpeg.encode(pixels, quality)
    if image_format == "webp":
        return _webp.encode(pixels, quality)
    raise InvalidInput(f"{image_format!r} is not an image format", hint="use png, jpeg or webp")


class _Room:
    """Memory that is used again from picture to picture and grows when it must."""

    def __init__(self) -> None:
        self.buffer: ctypes.Array[ctypes.c_char] = ctypes.create_string_buffer(0)

    def at_least(self, size: int) -> int:
        if len(self.buffer) < size:
            # Fresh from the kernel: of room for the worst case only what is used gets resident.
            self.buffer = (ctypes.c_char * size).from_buffer(mmap.mmap(-1, size))
        return ctypes.addressof(self.buffer)


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_IEND = b"\0\0\0\0IEND\xaeB\x60\x82"
_HEAD = len(_SIGNATURE) + 25 + 8
_ISAL_LEVEL = 2
_ISAL_LEVEL_MEMORY = 1 << 18
_ISAL_ZLIB = 3


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


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return len(data).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)


def _ihdr(width: int, height: int) -> bytes:
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


class _PngEncoder:
    """Eight-bit RGB, one IDAT; the work memory is one set, so pictures wait their turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows, self._out, self._work = _Room(), _Room(), _Room()
        self._shape = (0, 0)
        self._stream: _IsalStream | None = None

    def encode(self, pixels: Pixels) -> bytes:
        with self._lock:
            if libyuv() is not None and libisal() is not None:
                return self._encode_fast(pixels) or self._encode_plain(pixels)
            return self._encode_plain(pixels)

    def _encode_plain(self, pixels: Pixels) -> bytes:
        if libyuv() is None:
            rows = _rows_without_library(pixels)
        else:
            start, size = self._fill_rows(pixels)
            rows = ctypes.string_at(start, size)
        head = _SIGNATURE + _ihdr(pixels.width, pixels.height)
        return head + _chunk(b"IDAT", zlib.compress(rows, 1)) + _IEND

    def _fill_rows(self, pixels: Pixels) -> tuple[int, int]:
        """Address and size of the rows as PNG wants them: a zero, then R, G, B for each pixel."""
        yuv = libyuv()
        assert yuv is not None
        width, height = pixels.width, pixels.height
        stride = 3 * width + 1
        start = self._rows.at_least(stride * height)
        if self._shape != (width, height):
            ctypes.memset(start, 0, stride * height)
            self._shape = (width, height)
        yuv.ARGBToRAW(pixels.address, pixels.stride, start + 1, stride, width, height)
        return start, stride * height

    def _encode_fast(self, pixels: Pixels) -> bytes | None:
        """The PNG, or None where the deflated rows outgrow the room made for them."""
        rows, size = self._fill_rows(pixels)
        room = size + size // 8 + 4096
        out = self._out.at_least(_HEAD + room + 4 + len(_IEND))
        deflated = self._deflate(rows, size, out + _HEAD, room)
        if deflated is None:
            return None
        isal = libisal()
        assert isal is not None
        head = _SIGNATURE + _ihdr(pixels.width, pixels.height) + deflated.to_bytes(4) + b"IDAT"
        ctypes.memmove(out, head, len(head))
        checksum = isal.crc32_gzip_refl(0, out + _HEAD - 4, deflated + 4)
        tail = checksum.to_bytes(4) + _IEND
        ctypes.memmove(out + _HEAD + deflated, tail, len(tail))
        return ctypes.string_at(out, _HEAD + deflated + len(tail))

    def _deflate(self, source: int, size: int, target: int, room: int) -> int | None:
        isal = libisal()
        assert isal is not None
        stream = self._stream = self._stream or _IsalStream()
        pointer = ctypes.byref(stream)
        isal.isal_deflate_init(pointer)
        stream.next_in, stream.avail_in = source, size
        stream.next_out, stream.avail_out = target, room
        stream.level, stream.level_buf_size = _ISAL_LEVEL, _ISAL_LEVEL_MEMORY
        stream.level_buf = self._work.at_least(_ISAL_LEVEL_MEMORY)
        stream.end_of_stream, stream.gzip_flag = 1, _ISAL_ZLIB
        if isal.isal_deflate(pointer) != 0 or stream.avail_in or not stream.avail_out:
            return None
        return int(stream.total_out)


def _rows_without_library(pixels: Pixels) -> bytes:
    data, width = pixels.tobytes(), pixels.width
    colours = bytearray(3 * width * pixels.height)
    for channel in range(3):
        colours[channel::3] = data[2 - channel :: 4]
    rows = memoryview(colours)
    step = 3 * width
    return b"".join(b"\0" + rows[start : start + step] for start in range(0, len(rows), step))


_TJPF_BGRX = 3
_TJSAMP_444, _TJSAMP_420 = 0, 2
_TJFLAG_NOREALLOC = 1024
_FULL_COLOUR_FROM = 90


class _JpegEncoder:
    """JPEG by libjpeg-turbo, straight from BGRX."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = _Room()
        self._handle: int | None = None

    def encode(self, pixels: Pixels, quality: int) -> bytes:
        turbo = libturbojpeg()
        if turbo is None:
            raise Unsupported(
                "this machine cannot make JPEG pictures",
                hint="install libturbojpeg0 in it, or ask for png",
            )
        with self._lock:
            return self._encode(turbo, pixels, quality)

    def _encode(self, turbo: ctypes.CDLL, pixels: Pixels, quality: int) -> bytes:
        self._handle = self._handle or turbo.tjInitCompress()
        sampling = _TJSAMP_444 if quality >= _FULL_COLOUR_FROM else _TJSAMP_420
        room = turbo.tjBufSize(pixels.width, pixels.height, sampling)
        out = ctypes.c_void_p(self._out.at_least(room))
        size = ctypes.c_ulong(room)
        source = (pixels.address, pixels.width, pixels.stride, pixels.height, _TJPF_BGRX)
        target = (ctypes.byref(out), ctypes.byref(size), sampling, quality, _TJFLAG_NOREALLOC)
        if turbo.tjCompress2(self._handle, *source, *target):
            reason = turbo.tjGetErrorStr2(self._handle).decode(errors="replace")
            raise ActionFailed(f"the picture could not be made a JPEG: {reason}")
        return ctypes.string_at(self._out.buffer, size.value)


_png = _PngEncoder()
_jpeg = _JpegEncoder()
