"""Damage: where the X server has drawn since we last asked."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from Xlib.ext import damage, xfixes
from Xlib.protocol import rq, structs

from carrel.geometry import Box, Size

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Damage"]

_FEW = 8
"""More boxes than these are told as one around them all."""


class _CreateRegion(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(5),
        rq.RequestLength(),
        rq.Card32("region"),
        rq.List("rectangles", structs.Rectangle),
    )


class _FetchRegion(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(19), rq.RequestLength(), rq.Card32("region"))
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Pad(1),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Pad(16),
        rq.Binary("rectangles"),
    )


class Damage:
    """Watches the whole screen, windows included.

    One event comes when the first thing is drawn after a `collect`; the pointer is not drawing.
    The versions of DAMAGE and XFIXES must have been agreed on.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self.event = int(display.extension_event.DamageNotify)
        self._damage = display.screen().root.damage_create(damage.DamageReportNonEmpty)
        self._region = display.display.allocate_resource_id()
        self._xfixes = display.display.get_extension_major(xfixes.extname)
        _CreateRegion(
            display=display.display, opcode=self._xfixes, region=self._region, rectangles=[]
        )

    @classmethod
    def of(cls, display: Display) -> Damage | None:
        """The watch, or None where the server has none to offer."""
        if not (display.has_extension(damage.extname) and display.has_extension(xfixes.extname)):
            return None
        display.damage_query_version()
        return cls(display)

    def collect(self) -> rq.ReplyRequest:
        """Ask what was drawn since the last time, and start anew; `box_of` reads the answer."""
        self._display.damage_subtract(self._damage, parts=self._region)
        base = self._display.display
        return _FetchRegion(display=base, defer=True, opcode=self._xfixes, region=self._region)

    @staticmethod
    def box_of(collected: rq.ReplyRequest, size: Size) -> Box | None:
        """The smallest box around everything drawn on a screen of that size; None for nothing."""
        collected.reply()
        box = Box(collected.x, collected.y, collected.width, collected.height)
        return box.intersect(Box(0, 0, size.width, size.height))

    @staticmethod
    def boxes_of(collected: rq.ReplyRequest) -> frozenset[Box]:
        """The boxes of which what was drawn consists; they have no pixel in common."""
        collected.reply()
        whole = Box(collected.x, collected.y, collected.width, collected.height)
        if not whole.area:
            return frozenset()
        found = [Box(*sides) for sides in struct.iter_unpack("=hhHH", collected.rectangles)]
        return frozenset(found if len(found) <= _FEW else [whole])
