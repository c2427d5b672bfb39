"""Shared libraries of the system, called through ctypes.

Every call releases the interpreter lock, so pictures are compared and encoded while the event
loop runs on. A library that is not installed is `None`; the caller has another way or says so.
"""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_size_t, c_uint32, c_uint64, c_void_p
from functools import cache

__all__ = ["libc", "libisal", "libturbojpeg", "libwebp", "libyuv"]

_PLANE = (c_void_p, c_int)


def _load(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name, use_errno=True)
    except OSError:
        return None


def _declare(library: ctypes.CDLL, name: str, result: object, *arguments: object) -> None:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments


@cache
def libc() -> ctypes.CDLL:
    """The C library: memory and System V shared memory."""
    library = ctypes.CDLL(None, use_errno=True)
    _declare(library, "memcmp", c_int, c_void_p, c_void_p, c_size_t)
    _declare(library, "shmget", c_int, c_int, c_size_t, c_int)
    _declare(library, "shmat", c_void_p, c_int, c_void_p, c_int)
    _declare(library, "shmdt", c_int, c_void_p)
    _declare(library, "shmctl", c_int, c_int, c_int, c_void_p)
    return library


@cache
def libyuv() -> ctypes.CDLL | None:
    """Pixel arithmetic (Debian: libyuv0)."""
    library = _load("libyuv.so.0")
    if library is not None:
        three = (*_PLANE, *_PLANE, *_PLANE, c_int, c_int)
        _declare(library, "ARGBSubtract", c_int, *three)
        _declare(library, "ARGBAdd", c_int, *three)
        four = (*_PLANE, *_PLANE, *_PLANE, *_PLANE)
        _declare(library, "SplitARGBPlane", None, *_PLANE, *four, c_int, c_int)
        _declare(library, "ARGBToRAW", c_int, *_PLANE, *_PLANE, c_int, c_int)
        _declare(library, "ComputeHammingDistance", c_uint64, c_void_p, c_void_p, c_int)
    return library


@cache
def libisal() -> ctypes.CDLL | None:
    """Fast deflate and CRC (Debian: libisal2)."""
    library = _load("libisal.so.2")
    if library is not None:
        _declare(library, "isal_deflate_init", None, c_void_p)
        _declare(library, "isal_deflate", c_int, c_void_p)
        _declare(library, "isal_adler32", c_uint32, c_uint32, c_void_p, c_uint64)
        _declare(library, "xor_gen", c_int, c_int, c_int, c_void_p)
        _declare(library, "crc32_gzip_refl", c_uint32, c_uint32, c_void_p, c_uint64)
    return library


@cache
def libturbojpeg() -> ctypes.CDLL | None:
    """JPEG (Debian: libturbojpeg0)."""
    library = _load("libturbojpeg.so.0")
    if library is not None:
        _declare(library, "tjInitCompress", c_void_p)
        _declare(library, "tjBufSize", ctypes.c_ulong, c_int, c_int, c_int)
        _declare(library, "tjGetErrorStr2", ctypes.c_char_p, c_void_p)
        source = (c_void_p, c_int, c_int, c_int, c_int)
        target = (c_void_p, c_void_p, c_int, c_int, c_int)
        _declare(library, "tjCompress2", c_int, c_void_p, *source, *target)
    return library


@cache
def libwebp() -> ctypes.CDLL | None:
    """WebP (Debian: libwebp7)."""
    library = _load("libwebp.so.7")
    if library is not None:
        _declare(library, "WebPConfigInitInternal", c_int, c_void_p, c_int, ctypes.c_float, c_int)
        _declare(library, "WebPPictureInitInternal", c_int, c_void_p, c_int)
        _declare(library, "WebPPictureImportBGRX", c_int, c_void_p, *_PLANE)
        _declare(library, "WebPPictureFree", None, c_void_p)
        _declare(library, "WebPEncode", c_int, c_void_p, c_void_p)
        _declare(library, "WebPMemoryWriterInit", None, c_void_p)
        _declare(library, "WebPMemoryWriterClear", None, c_void_p)
    return library
