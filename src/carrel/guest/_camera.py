"""The camera: the picture that is on the screen now, taken again only when something was drawn."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import request, rq

from carrel.errors import ActionFailed, TimedOut, Unsupported
from carrel.geometry import Box, Point, Size
from carrel.guest._cursor import CursorImage, read_cursor
from carrel.guest._damage import Damage
from carrel.guest._film import Film, load_film
from carrel.guest._pixels import Pixels, around
from carrel.guest._randr import resize_screen
from carrel.guest.display import ANSWER_SECONDS, answer, open_display, x_errors

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Camera", "Picture"]

_ATTEMPTS = 5
_AT_ONCE = 0.002
"""Seconds a glance may take; most take a twentieth of that."""
_REMEMBERED = 64
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
        self._blind = True
        self._changed: deque[tuple[int, Box | None]] = deque(maxlen=_REMEMBERED)
        with ExitStack() as undo, x_errors():
            undo.callback(self._display.close)
            _check_pixels(self._display)
            self._damage = self._watch()
            geometry = self._root.get_geometry()
            self._size = Size(geometry.width, geometry.height)
            undo.pop_all()

    def _watch(self) -> Damage | None:
        self._root.change_attributes(event_mask=X.StructureNotifyMask)
        if self._display.has_extension("XFIXES"):
            self._display.xfixes_query_version()
        return Damage.of(self._display)

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
            self._take_events()
            if self._drawn:
                # Both questions in one round trip.
                asked = self._ask_pointer()
                picture = self._picture()
                asked.reply()
                return picture, Point(asked.root_x, asked.root_y)
            pointer = self._pointer()
            self._take_queued_events()
            return self._picture(), pointer

    def glance(self) -> tuple[Picture, Point] | None:
        """As `look`, where nothing has to be captured and nobody waited for.

        Returns:
            None when something was drawn, another thread looks, or the server takes its time.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            with x_errors():
                self._take_events()
                if self._drawn or self._current is None:
                    return None
                pointer = self._pointer(_AT_ONCE)
                self._take_queued_events()
                return None if self._drawn else (self._current, pointer)
        except TimedOut:
            return None
        finally:
            self._lock.release()

    def look_with_cursor(self) -> tuple[Picture, CursorImage]:
        """The screen as it is now, and how the pointer looks."""
        with self._lock, x_errors():
            cursor = read_cursor(self._display)
            self._take_events()
            return self._picture(), cursor

    def drawn_between(self, before: int, after: int) -> Box | None:
        """A box that holds every pixel in which two pictures differ; None when it is not known.

        Args:
            before: The serial number of the earlier one.
            after: That of the later one, not the same.
        """
        with self._lock:
            steps = [box for serial, box in self._changed if before < serial <= after]
        known = [box for box in steps if box is not None]
        # Where the screen was resized in between, a step is not known.
        return around(known) if len(known) == after - before else None

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

    def _ask_pointer(self) -> request.QueryPointer:
        return request.QueryPointer(display=self._display.display, defer=True, window=self._root)

    def _pointer(self, seconds: float = ANSWER_SECONDS) -> Point:
        reply = answer(self._display, self._ask_pointer(), seconds)
        return Point(reply.root_x, reply.root_y)

    def _take_events(self) -> None:
        """Learn what the server has said until now."""
        self._display.pending_events()
        self._take_queued_events()

    def _take_queued_events(self) -> None:
        """Learn what the server said before its last answer."""
        while self._display.display.event_queue:
            event = self._display.next_event()
            if self._damage is not None and event.type == self._damage.event:
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
        pixels, drawn = self._expose(self._film)
        self._drawn = self._damage is None
        current = self._current
        if current is not None and _same(current.pixels, pixels, drawn):
            return current
        self._current = Picture(next(self._serials), self._size, pixels, time.monotonic())
        resized = current is None or current.size != self._size
        self._changed.append((self._current.serial, None if resized else drawn))
        return self._current

    def _expose(self, film: Film) -> tuple[Pixels, Box | None]:
        """The pixels, and the box of what was drawn since the last time if that is known."""
        if self._damage is None:
            return film.expose()(), None
        # What was collected and then lost by a failure is nowhere known: all is looked at again.
        blind, self._blind = self._blind, True
        # Grabbed, so that what the box leaves out is not in the picture either.
        self._display.grab_server()
        try:
            drawn = self._damage.box_of(self._collected(self._damage), self._size)
            if not blind:
                film.note(drawn)
            developed = film.expose()
        except BaseException:
            self._display.ungrab_server()
            self._display.flush()
            raise
        self._display.ungrab_server()
        pixels = developed()
        self._blind = False
        return pixels, None if blind else drawn

    def _collected(self, damage: Damage) -> rq.ReplyRequest:
        return answer(self._display, damage.collect())


def _same(before: Pixels, after: Pixels, drawn: Box | None) -> bool:
    if drawn is None or (before.width, before.height) != (after.width, after.height):
        return before.same_bytes(after)
    rows = Box(0, drawn.y, after.width, drawn.height)
    return before.crop(rows).same_bytes(after.crop(rows))


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
