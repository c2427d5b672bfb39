"""JPEG by libjpeg-turbo, in strips that can be used again.

A strip is some rows encoded as a picture of their own. Behind a restart marker a JPEG depends on
nothing before it: the data of all strips with such markers between them are one picture again, of
the very coefficients that one made in a single piece has.
"""

from __future__ import annotations

import ctypes
import threading
from typing import NamedTuple

from carrel.errors import ActionFailed, Unsupported
from carrel.geometry import Box
from carrel.guest._native import libturbojpeg
from carrel.guest._pixels import Pixels
from carrel.guest._room import Room
from carrel.guest._strips import in_strips

__all__ = ["JpegEncoder", "JpegStrips"]

_TJPF_BGRX = 3
_TJSAMP_444, _TJSAMP_420 = 0, 2
_TJFLAG_NOREALLOC = 1024
_FULL_COLOUR_FROM = 90
_BLOCK = 8
_ROWS = 64
"""Of one strip: whole rows of blocks, also where colours are kept by halves."""
_FRAME, _SCAN, _RESTART, _INTERVAL = 0xC0, 0xDA, 0xD0, 0xDD
_EVERY = b"\xff\xdd\x00\x04"
_END = b"\xff\xd9"


class _Strip(NamedTuple):
    head: bytes
    scan: bytes


class JpegStrips(NamedTuple):
    """What a picture was made of, for the next that differs from it in part."""

    width: int
    height: int
    quality: int
    parts: list[_Strip]


class JpegEncoder:
    """Straight from BGRX; the work memory is one set, so pictures wait their turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = Room()
        self._handle: int | None = None

    def encode(
        self,
        pixels: Pixels,
        quality: int,
        before: JpegStrips | None = None,
        changed: Box | None = None,
    ) -> tuple[bytes, JpegStrips]:
        """The picture, and its strips.

        Args:
            pixels: What to encode.
            quality: From 1 to 100; the full colour resolution is kept from 90 on.
            before: The strips of a picture that differs from this one inside of `changed` only.
            changed: Where it differs; None when it does not.
        """
        turbo = libturbojpeg()
        if turbo is None:
            raise Unsupported(
                "this machine cannot make JPEG pictures",
                hint="install libturbojpeg0 in it, or ask for png",
            )
        width, height = pixels.width, pixels.height
        kept = before.parts if before and before[:3] == (width, height, quality) else None
        kept = kept if kept and len(kept) == -(-height // _ROWS) else None
        with self._lock:
            parts = in_strips(
                pixels, _ROWS, lambda strip: self._strip(turbo, strip, quality), kept, changed
            )
            if not _fit(parts):
                parts = [self._strip(turbo, pixels, quality)]
        data = _assemble(parts, height, _blocks_in_a_strip(width, quality))
        return data, JpegStrips(width, height, quality, parts)

    def _strip(self, turbo: ctypes.CDLL, pixels: Pixels, quality: int) -> _Strip:
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
        data = ctypes.string_at(self._out.buffer, size.value)
        at = _segment(data, _SCAN)
        assert at is not None
        return _Strip(data[:at], data[at : -len(_END)])


def _blocks_in_a_strip(width: int, quality: int) -> int:
    """How many units of coding there are between two restart markers."""
    side = _BLOCK if quality >= _FULL_COLOUR_FROM else 2 * _BLOCK
    return -(-width // side) * (_ROWS // side)


def _fit(parts: list[_Strip]) -> bool:
    """Whether all strips are coded alike: by variables of its own the library does otherwise."""
    frame = _segment(parts[0].head, _FRAME)
    if frame is None or _segment(parts[0].head, _INTERVAL) is not None:
        return False
    first, behind = parts[0].head[: frame + 5], parts[0].head[frame + 7 :]
    return all(head[: frame + 5] == first and head[frame + 7 :] == behind for head, _ in parts)


def _assemble(parts: list[_Strip], height: int, interval: int) -> bytes:
    head, first = parts[0]
    if len(parts) == 1:
        return head + first + _END
    frame = _segment(head, _FRAME)
    assert frame is not None
    head = head[: frame + 5] + height.to_bytes(2) + head[frame + 7 :]
    pieces: list[bytes | memoryview] = [head, _EVERY, interval.to_bytes(2), first]
    for number, (_, scan) in enumerate(parts[1:]):
        # Behind the marker and the description of the scan, which is the first strip's already.
        data = memoryview(scan)[2 + int.from_bytes(scan[2:4]) :]
        pieces += [bytes((0xFF, _RESTART + number % 8)), data]
    return b"".join([*pieces, _END])


def _segment(data: bytes, marker: int) -> int | None:
    """Where the segment with this marker begins; None when there is none before the scan's data."""
    at = 2
    while at < len(data):
        if data[at + 1] == marker:
            return at
        if data[at + 1] == _SCAN:
            return None
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
