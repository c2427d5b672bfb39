"""WebP by libwebp's own encoder interface.

The one-call interface cannot choose the effort, and its default takes five times as long for a
screen; so the structures of `webp/encode.h` (ABI 2) are spelled out here.
"""

from __future__ import annotations

import ctypes
from ctypes import c_float, c_int, c_size_t, c_uint8, c_uint32, c_void_p

from carrel.errors import ActionFailed, Unsupported
from carrel.guest._native import libwebp
from carrel.guest._pixels import Pixels

__all__ = ["encode"]

_ABI = 0x020F
_MAX_SIDE = 16383
_EFFORT = 0
_LOSSLESS_FROM = 100
_LOSSLESS_EFFORT = 20.0


class _Config(ctypes.Structure):
    _fields_ = (
        ("lossless", c_int),
        ("quality", c_float),
        ("method", c_int),
        # Nothing after this is set here; `WebPConfigInitInternal` fills 26 more fields.
        ("rest", c_uint8 * 256),
    )


class _Picture(ctypes.Structure):
    _fields_ = (
        ("use_argb", c_int),
        ("colorspace", c_int),
        ("width", c_int),
        ("height", c_int),
        ("y", c_void_p),
        ("u", c_void_p),
        ("v", c_void_p),
        ("y_stride", c_int),
        ("uv_stride", c_int),
        ("a", c_void_p),
        ("a_stride", c_int),
        ("pad1", c_uint32 * 2),
        ("argb", c_void_p),
        ("argb_stride", c_int),
        ("pad2", c_uint32 * 3),
        ("writer", c_void_p),
        ("custom_ptr", c_void_p),
        ("extra_info_type", c_int),
        ("extra_info", c_void_p),
        ("stats", c_void_p),
        ("error_code", c_int),
        ("rest", c_uint8 * 256),
    )


class _Writer(ctypes.Structure):
    _fields_ = (
        ("memory", c_void_p),
        ("size", c_size_t),
        ("max_size", c_size_t),
        ("pad", c_uint32),
    )


def encode(pixels: Pixels, quality: int) -> bytes:
    """WebP bytes; lossless at quality 100."""
    webp = libwebp()
    if webp is None:
        raise Unsupported(
            "this machine cannot make WebP pictures", hint="install libwebp7 in it, or ask for png"
        )
    if max(pixels.width, pixels.height) > _MAX_SIDE:
        raise Unsupported(f"WebP pictures have sides of at most {_MAX_SIDE} pixels")
    config, picture = _Config(), _Picture()
    lossless = quality >= _LOSSLESS_FROM
    known = webp.WebPConfigInitInternal(ctypes.byref(config), 0, float(quality), _ABI)
    if not known or not webp.WebPPictureInitInternal(ctypes.byref(picture), _ABI):
        raise Unsupported("this machine's libwebp has another interface than version 7")
    config.lossless, config.method = int(lossless), _EFFORT
    if lossless:
        config.quality = _LOSSLESS_EFFORT
    picture.use_argb = int(lossless)
    picture.width, picture.height = pixels.width, pixels.height
    try:
        return _write(webp, config, picture, pixels)
    finally:
        webp.WebPPictureFree(ctypes.byref(picture))


def _write(webp: ctypes.CDLL, config: _Config, picture: _Picture, pixels: Pixels) -> bytes:
    writer = _Writer()
    webp.WebPMemoryWriterInit(ctypes.byref(writer))
    picture.writer = ctypes.cast(webp.WebPMemoryWrite, c_void_p).value
    picture.custom_ptr = ctypes.addressof(writer)
    target = ctypes.byref(picture)
    try:
        taken = webp.WebPPictureImportBGRX(target, pixels.address, pixels.stride)
        if not taken or not webp.WebPEncode(ctypes.byref(config), target):
            raise ActionFailed(
                f"the picture could not be made a WebP: libwebp error {picture.error_code}"
            )
        return ctypes.string_at(writer.memory or 0, writer.size)
    finally:
        webp.WebPMemoryWriterClear(ctypes.byref(writer))
