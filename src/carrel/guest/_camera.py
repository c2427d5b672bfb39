"""The camera: the picture that is on the screen now, taken again only when something was drawn."""

from __future__ import annotations

import itertools
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib import X
from Xlib import error as xerror
from Xlib.ext import damage
from Xlib.protocol import request

from carrel.errors import ActionFailed, Unsupported
from carrel.geometry import Point, Size
from carrel.guest._cursor import CursorImage, read_cursor
from carrel.guest._film import Film, load_film
from carrel.guest._pixels import Pixels
from carrel.guest._randr import resize_screen
from carrel.guest.display import answer, open_display, x_errors

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Camera", "Picture"]

_ATTEMPTS = 5
_MASKS = (0xFF0000, 0x00FF00, 0x0000FF)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The whole screen at one time, without the pointer.

    Attributes:
        serial: Grows whenever the screen was found to look different.
        since: When it was first seen, by `time.monotonic`.
    """

    serial: int
    size: Size
    pixels: Pixels
    since: float


class Camera:
    """One connection to the display, used by one thread at a time.

    XDamage tells whether anything was drawn since the last capture; one round trip makes sure
    that everything drawn before it is known.
    """

    def __init__(self, display_name: str) -> None:
        self._lock = threading.Lock()
        self._display = open_display(display_name)
        self._root = self._display.screen().root
        self._serials = itertools.count(1)
        self._current: Picture | None = None
        self._film: Film | None = None
        self._drawn = True
        self._drawn_event = -1
        with x_errors():
            _check_pixels(self._display)
            self._damage = self._watch()
            geometry = self._root.get_geometry()
            self._size = Size(geometry.width, geometry.height)

    def _watch(self) -> int | None:
        self._root.change_attributes(event_mask=X.StructureNotifyMask)
        if self._display.has_extension("XFIXES"):
            self._display.xfixes_query_version()
        if not self._display.has_extension("DAMAGE"):
            return None
        self._drawn_event = self._display.extension_event.DamageNotify
        self._display.damage_query_version()
        return int(self._root.damage_create(damage.DamageReportNonEmpty))

    @property
    def hears_drawing(self) -> bool:
        """Whether the server says when something is drawn; then `fileno` becomes readable."""
        return self._damage is not None

    def fileno(self) -> int:
        """The connection's file descriptor."""
        with self._lock, x_errors():
            return int(self._display.fileno())

    def look(self) -> tuple[Picture, Point]:
        """The screen as it is now, and where the pointer is."""
        with self._lock, x_errors():
            pointer = self._pointer()
            return self._picture(), pointer

    def look_with_cursor(self) -> tuple[Picture, CursorImage]:
        """The screen as it is now, and how the pointer looks."""
        with self._lock, x_errors():
            cursor = read_cursor(self._display)
            return self._picture(), cursor

    def pointer(self) -> Point:
        """Where the pointer is."""
        with self._lock, x_errors():
            return self._pointer()

    def size(self) -> Size:
        """The size of the screen."""
        with self._lock, x_errors():
            self._pointer()
            self._take_events()
            return self._size

    def resize(self, size: Size) -> Size:
        """Change the size of the screen by RandR; answers what it has become."""
        with self._lock, x_errors():
            resize_screen(self._display, size)
            geometry = self._root.get_geometry()
            self._set_size(Size(geometry.width, geometry.height))
            return self._size

    def close(self) -> None:
        """Let the display and the memory go; pictures that are still held stay valid."""
        with self._lock, suppress(xerror.ConnectionClosedError):  # a dead display is closed, too
            if self._film is not None:
                self._film.close()
            self._current = self._film = None
            self._display.close()

    def _pointer(self) -> Point:
        query = request.QueryPointer(display=self._display.display, defer=True, window=self._root)
        reply = answer(self._display, query)
        return Point(reply.root_x, reply.root_y)

    def _take_events(self) -> None:
        """Learn what the server said while we waited for its answer."""
        for _ in range(self._display.pending_events()):
            event = self._display.next_event()
            if event.type == self._drawn_event:
                self._drawn = True
            elif event.type == X.ConfigureNotify and event.window == self._root:
                self._set_size(Size(event.width, event.height))

    def _set_size(self, size: Size) -> None:
        if size == self._size:
            return
        self._size = size
        self._drawn = True
        if self._film is not None:
            self._film.close()
            self._film = None

    def _picture(self) -> Picture:
        self._take_events()
        if self._current is not None and not self._drawn:
            return self._current
        for _ in range(_ATTEMPTS):
            try:
                return self._capture()
            except xerror.BadMatch:
                # The screen shrank between the last event and the capture.
                geometry = self._root.get_geometry()
                self._set_size(Size(geometry.width, geometry.height))
        raise ActionFailed("the screen changes its size all the time", retryable=True)

    def _capture(self) -> Picture:
        if self._film is None:
            self._film = load_film(self._display, self._size)
        if self._damage is not None:
            # Before the capture, so that whatever is drawn during it counts as drawn after.
            self._display.damage_subtract(self._damage)
        pixels = self._film.expose()
        self._drawn = self._damage is None
        if self._current is None or not self._current.pixels.same_bytes(pixels):
            serial, now = next(self._serials), time.monotonic()
            self._current = Picture(serial, self._size, pixels, now)
        return self._current


def _check_pixels(display: Display) -> None:
    """Refuse a screen whose pixels are not 32 bits of blue, green, red and nothing."""
    screen, info = display.screen(), display.display.info
    visuals = [visual for depth in screen.allowed_depths for visual in depth.visuals]
    masks = next(
        (visual.red_mask, visual.green_mask, visual.blue_mask)
        for visual in visuals
        if visual.visual_id == screen.root_visual
    )
    bits = next(
        (form.bits_per_pixel for form in info.pixmap_formats if form.depth == screen.root_depth), 0
    )
    if bits == 32 and masks == _MASKS and info.image_byte_order == X.LSBFirst:
        return
    raise Unsupported(
        f"the screen has depth {screen.root_depth} with {bits} bits per pixel",
        hint="start the X server with 24-bit TrueColor, for example -screen 0 1280x800x24",
    )
