"""The picture of the pointer, and drawing it onto the screen."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib.ext import xfixes
from Xlib.protocol import rq

from carrel.errors import Unsupported
from carrel.geometry import Box, Point
from carrel.guest._pixels import Pixels
from carrel.guest.display import answer

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["CursorImage", "draw_cursor", "read_cursor"]


@dataclass(frozen=True, slots=True)
class CursorImage:
    """How the pointer looks and where it points.

    Attributes:
        position: The pixel it points at.
        box: The pixels it covers, which may reach beyond the screen.
        argb: One number for each pixel of the box, row by row, premultiplied by its alpha.
    """

    position: Point
    box: Box
    argb: tuple[int, ...]


class _GetCursorImage(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength())
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Pad(1),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card16("xhot"),
        rq.Card16("yhot"),
        rq.Card32("cursor_serial"),
        rq.Pad(8),
        rq.Binary("argb"),
    )


def read_cursor(display: Display) -> CursorImage:
    """Ask the server for the pointer; the XFIXES version must have been agreed on."""
    if not display.has_extension(xfixes.extname):
        raise Unsupported("this display does not tell how its pointer looks (it lacks XFIXES)")
    opcode = display.display.get_extension_major(xfixes.extname)
    image = answer(display, _GetCursorImage(display=display.display, defer=True, opcode=opcode))
    box = Box(image.x - image.xhot, image.y - image.yhot, image.width, image.height)
    return CursorImage(
        Point(image.x, image.y), box, struct.unpack_from(f"={box.area}I", image.argb)
    )


def draw_cursor(screen: Pixels, cursor: CursorImage) -> Pixels:
    """A copy of the screen with the pointer on it."""
    data = bytearray(screen.tobytes())
    visible = cursor.box.intersect(Box(0, 0, screen.width, screen.height))
    if visible is None:
        return Pixels.copy_of(data, screen.width, screen.height)
    for y in range(visible.y, visible.bottom):
        start = (y - cursor.box.y) * cursor.box.width - cursor.box.x
        row = cursor.argb[start + visible.x : start + visible.right]
        for x, argb in enumerate(row, visible.x):
            if argb:
                _blend(data, 4 * (y * screen.width + x), argb)
    return Pixels.copy_of(data, screen.width, screen.height)


def _blend(data: bytearray, at: int, argb: int) -> None:
    under = 255 - (argb >> 24)
    for channel in range(3):
        over = argb >> 8 * channel & 0xFF
        data[at + channel] = min(255, over + (data[at + channel] * under + 127) // 255)
