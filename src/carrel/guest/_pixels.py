"""Pixels in memory, and the exact difference between two pictures of the same size."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass, field
from typing import ClassVar

from carrel.frames import Change
from carrel.geometry import Box
from carrel.guest._native import libc, libisal, libyuv

__all__ = ["Pixels", "around", "difference"]

_ALIGNMENT = 64


def _aligned(address: int) -> int:
    """The next place that suits vector instructions."""
    return (address + _ALIGNMENT - 1) & -_ALIGNMENT


@dataclass(frozen=True, slots=True)
class Pixels:
    """A rectangle of BGRX pixels (the fourth byte means nothing), somewhere in memory.

    Attributes:
        owner: Whatever keeps the memory alive.
    """

    address: int
    stride: int
    width: int
    height: int
    owner: object = field(default=None, repr=False, compare=False)

    @classmethod
    def copy_of(cls, data: bytes | bytearray, width: int, height: int) -> Pixels:
        """Pixels of their own, from packed BGRX bytes."""
        if len(data) != 4 * width * height:
            raise ValueError(f"{len(data)} bytes are not {width}x{height} pixels")
        buffer = ctypes.create_string_buffer(len(data) + _ALIGNMENT)
        start = _aligned(ctypes.addressof(buffer))
        ctypes.memmove(start, bytes(data), len(data))
        return cls(start, 4 * width, width, height, buffer)

    def crop(self, box: Box) -> Pixels:
        """The part inside a box, which must lie within; no bytes are copied."""
        if not (
            box.x >= 0 and box.y >= 0 and box.right <= self.width and box.bottom <= self.height
        ):
            raise ValueError(f"{box} is not inside {self.width}x{self.height}")
        start = self.address + box.y * self.stride + 4 * box.x
        return Pixels(start, self.stride, box.width, box.height, self.owner)

    def tobytes(self) -> bytes:
        """The pixels as packed BGRX bytes."""
        if self.stride == 4 * self.width:
            return ctypes.string_at(self.address, self.stride * self.height)
        return b"".join(self.row(y) for y in range(self.height))

    def row(self, y: int) -> bytes:
        """One row as BGRX bytes."""
        return ctypes.string_at(self.address + y * self.stride, 4 * self.width)

    def same_bytes(self, other: Pixels) -> bool:
        """Whether two whole pictures hold the same bytes; the meaningless ones count too."""
        return (self.width, self.height, self.stride) == (
            other.width,
            other.height,
            other.stride,
        ) and not libc().memcmp(self.address, other.address, self.stride * self.height)


def difference(before: Pixels, after: Pixels, within: Box | None = None) -> Change:
    """Count the pixels that differ, exactly, and box them.

    A picture of another size differs in every pixel.

    Args:
        before: One picture.
        after: The other, and what the share and the box are of.
        within: Nothing outside of this box differs; it spares the work of looking there.
    """
    total = after.width * after.height
    if (before.width, before.height) != (after.width, after.height):
        return Change(total, 1.0, Box(0, 0, after.width, after.height))
    within = within or Box(0, 0, after.width, after.height)
    before, after = before.crop(within), after.crop(within)
    if before.address == after.address:
        return Change(0, 0.0)
    top, bottom = _differing_rows(before, after)
    if top == bottom:
        return Change(0, 0.0)
    band = Box(0, top, after.width, bottom - top)
    count = _count_slow if libyuv() is None else _count_fast
    pixels, box = count(before.crop(band), after.crop(band))
    if box is None:
        return Change(0, 0.0)
    x, y = within.x + box.x, within.y + top + box.y
    return Change(pixels, pixels / total, Box(x, y, box.width, box.height))


def _differing_rows(before: Pixels, after: Pixels) -> tuple[int, int]:
    """First and one past the last row that may differ; none outside does."""
    if before.stride != 4 * before.width or after.stride != 4 * after.width:
        return 0, after.height
    if before.same_bytes(after):
        return 0, 0
    return _differing_units(before.address, after.address, after.stride, after.height)


def _differing_units(one: int, two: int, unit: int, count: int) -> tuple[int, int]:
    """First and one past the last unit of memory that differs, knowing that one does."""
    same = libc().memcmp
    first, last = 0, count
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if same(one + first * unit, two + first * unit, (middle + 1 - first) * unit):
            high = middle
        else:
            low = first = middle + 1
    low, high = first + 1, count
    while low < high:
        middle = (low + high) // 2
        if same(one + middle * unit, two + middle * unit, (last - middle) * unit):
            low = middle + 1
        else:
            high = last = middle
    return first, high


def _count_slow(before: Pixels, after: Pixels) -> tuple[int, Box | None]:
    """The difference by whole rows as big integers: no library, some ten milliseconds."""
    width, height = after.width, after.height
    colours = int.from_bytes(b"\xff\xff\xff\0" * width, "little")
    carries = int.from_bytes(b"\0\0\0\x01" * width, "little")
    pixels, columns, rows = 0, 0, []
    for y in range(height):
        one, two = before.row(y), after.row(y)
        if one == two:
            continue
        # Adding 0xffffff to a pixel's three bytes carries into the fourth exactly if one is set.
        mixed = (int.from_bytes(one, "little") ^ int.from_bytes(two, "little")) & colours
        changed = (mixed + colours) & carries
        if changed:
            pixels += changed.bit_count()
            columns |= changed
            rows.append(y)
    if not rows:
        return 0, None
    left = ((columns & -columns).bit_length() - 1) // 32
    right = (columns.bit_length() - 1) // 32 + 1
    return pixels, Box(left, rows[0], right - left, rows[-1] + 1 - rows[0])


def _count_fast(before: Pixels, after: Pixels) -> tuple[int, Box | None]:
    """The difference with vector instructions, band by band so that it stays in the cache."""
    pixels, boxes = 0, []
    with _fold_lock:
        bands = _Bands(after.width, min(after.height, _BAND_PIXELS // after.width or 1))
        for top in range(0, after.height, bands.rows):
            part = Box(0, top, after.width, min(bands.rows, after.height - top))
            found, box = bands.compare(before.crop(part), after.crop(part))
            if box is not None:
                pixels += found
                boxes.append(Box(box.x, box.y + top, box.width, box.height))
    return pixels, around(boxes)


def around(boxes: list[Box]) -> Box | None:
    """The smallest box that holds all of them; None when there are none."""
    if not boxes:
        return None
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


_BAND_PIXELS = 1 << 16

_fold_lock = threading.Lock()


class _Bands:
    """Compares bands of rows of one width; its memory is shared, so hold `_fold_lock`."""

    _memory: ClassVar[ctypes.Array[ctypes.c_char]] = ctypes.create_string_buffer(1)

    def __init__(self, width: int, rows: int) -> None:
        self.rows = rows
        # A row of flags is padded to whole "pixels" of four, so that libyuv can add flags too.
        self._row = (width + 3) & ~3
        self._flag_bytes = self._row * self.rows
        one = _aligned(4 * width * self.rows)
        self._mixed = _aligned(self._room(2 * one + 5 * self._flag_bytes + _ALIGNMENT))
        self._spare = self._mixed + one
        planes = self._spare + one
        self._flags, self._green, self._blue, self._ones, self._zeros = (
            planes + index * self._flag_bytes for index in range(5)
        )
        ctypes.memset(planes, 0, 5 * self._flag_bytes)
        ctypes.memset(self._ones, 1, self._flag_bytes)

    @classmethod
    def _room(cls, size: int) -> int:
        """Address of memory that is used again from call to call and grows when it must."""
        if len(cls._memory) < size:
            cls._memory = ctypes.create_string_buffer(size)
        return ctypes.addressof(cls._memory)

    def compare(self, before: Pixels, after: Pixels) -> tuple[int, Box | None]:
        """How many pixels differ, and their box within the band."""
        if before.stride == 4 * before.width and before.same_bytes(after):
            return 0, None
        yuv = libyuv()
        assert yuv is not None
        self._mark(yuv, before, after)
        used = self._row * after.height
        pixels = int(yuv.ComputeHammingDistance(self._flags, self._zeros, used))
        if not pixels:
            return 0, None
        top, bottom = _differing_units(self._flags, self._zeros, self._row, after.height)
        columns = self._columns(yuv, top, bottom)
        left, right = self._row - len(columns.lstrip(b"\0")), len(columns.rstrip(b"\0"))
        return pixels, Box(left, top, right - left, bottom - top)

    def _mark(self, yuv: ctypes.CDLL, before: Pixels, after: Pixels) -> None:
        """Set the flag of each pixel to one where a colour differs and to zero elsewhere."""
        self._mix(yuv, before, after)
        planes = [(start, self._row) for start in (self._flags, self._green, self._blue)]
        flags, green, blue = planes
        shape = (after.width, after.height)
        yuv.SplitARGBPlane(self._mixed, 4 * after.width, *flags, *green, *blue, None, 0, *shape)
        quarter = (self._row // 4, after.height)
        yuv.ARGBAdd(*flags, *green, *flags, *quarter)
        yuv.ARGBAdd(*flags, *blue, *flags, *quarter)
        # x - max(x - 1, 0) is one for every x but zero.
        less = (self._spare, self._row)
        yuv.ARGBSubtract(*flags, self._ones, self._row, *less, *quarter)
        yuv.ARGBSubtract(*flags, *less, *flags, *quarter)

    def _mix(self, yuv: ctypes.CDLL, before: Pixels, after: Pixels) -> None:
        """Fill `_mixed` with bytes that are zero exactly where the pictures have the same."""
        width, height, row = after.width, after.height, 4 * after.width
        isal, size = libisal(), row * height
        packed = before.stride == after.stride == row
        if isal is not None and packed and not (before.address | after.address | size) % 32:
            vectors = (ctypes.c_void_p * 3)(before.address, after.address, self._mixed)
            isal.xor_gen(3, size, vectors)
            return
        one, two = (before.address, before.stride), (after.address, after.stride)
        mixed, spare = (self._mixed, row), (self._spare, row)
        yuv.ARGBSubtract(*one, *two, *mixed, width, height)
        yuv.ARGBSubtract(*two, *one, *spare, width, height)
        yuv.ARGBAdd(*mixed, *spare, *mixed, width, height)

    def _columns(self, yuv: ctypes.CDLL, top: int, bottom: int) -> bytes:
        """All rows of flags added into one; the flags are spent."""
        start, rows = self._flags + top * self._row, bottom - top
        while rows > 1:
            half = rows // 2
            lower = start + (rows - half) * self._row
            yuv.ARGBAdd(
                *(start, self._row, lower, self._row, start, self._row), self._row // 4, half
            )
            rows -= half
        return ctypes.string_at(start, self._row)
