"""Pictures as PNG, JPEG or WebP bytes.

PNG is lossless and needs no library at all (`carrel.guest._png`). JPEG and WebP need theirs.
"""

from __future__ import annotations

import ctypes
import threading

from carrel.errors import ActionFailed, InvalidInput, Unsupported
from carrel.frames import ImageFormat
from carrel.geometry import Box
from carrel.guest import _webp
from carrel.guest._native import libturbojpeg
from carrel.guest._pixels import Pixels
from carrel.guest._png import PngEncoder, Strips
from carrel.guest._room import Room

__all__ = ["Strips", "encode", "encode_png"]


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
        return _png.encode(pixels)[0]
    if image_format == "jpeg":
        return _jpeg.encode(pixels, quality)
    if image_format == "webp":
        return _webp.encode(pixels, quality)
    raise InvalidInput(f"{image_format!r} is not an image format", hint="use png, jpeg or webp")


def encode_png(pixels: Pixels, before: Strips | None, changed: Box | None) -> tuple[bytes, Strips]:
    """As `encode`, with what was made of a picture that differs inside of `changed` only."""
    return _png.encode(pixels, before, changed)


_TJPF_BGRX = 3
_TJSAMP_444, _TJSAMP_420 = 0, 2
_TJFLAG_NOREALLOC = 1024
_FULL_COLOUR_FROM = 90


class _JpegEncoder:
    """JPEG by libjpeg-turbo, straight from BGRX."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = Room()
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


_png = PngEncoder()
_jpeg = _JpegEncoder()
