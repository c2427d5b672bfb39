"""Film: the memory that captures of the screen go to."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from Xlib import X
from Xlib.protocol import request

from carrel.geometry import Box, Size
from carrel.guest._pixels import Pixels
from carrel.guest._shm import Segment, SharedImages
from carrel.guest.display import answer

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Film", "PlainFilm", "SharedFilm", "load_film"]


def load_film(display: Display, size: Size) -> Film:
    """The fastest film this server can expose."""
    images = SharedImages.of(display)
    if images is None:
        return PlainFilm(display, size)
    try:
        return SharedFilm(display, images, size)
    except OSError:
        # No System V memory here, or the server cannot see ours.
        return PlainFilm(display, size)


Exposure = Callable[[], Pixels]

_Rows = tuple[int, int]
"""The first row and one past the last; equal when there are none."""


class Film(Protocol):
    """Where captures of one screen size go."""

    def note(self, drawn: Box | None) -> None:
        """Say that nothing outside of this box was drawn since the last exposure."""

    def expose(self) -> Exposure:
        """Ask for the screen's pixels; call the result to wait for them."""

    def close(self) -> None:
        """No more captures; pictures that are still held stay valid."""


class _Sheet:
    """Keeps one piece of memory out of the film's store for as long as somebody looks at it."""

    __slots__ = ("__weakref__",)


class SharedFilm:
    """Captures by shared memory: the server copies the pixels once and sends nothing.

    A piece of memory keeps its picture when nobody looks at it any more. Where `note` told what
    was drawn since, the server copies only the rows that are out of date.
    """

    def __init__(self, display: Display, images: SharedImages, size: Size) -> None:
        self._display = display
        self._root = display.screen().root.id
        self._images = images
        self._size = size
        self._names: dict[int, int] = {}
        self._free: deque[Segment] = deque()
        self._stale: dict[int, _Rows] = {}
        self._noted = False
        # A picture may be let go in any thread, even inside these methods.
        self._lock = threading.RLock()
        self._open = True
        self._free.append(self._make())

    def _make(self) -> Segment:
        segment = Segment(4 * self._size.width * self._size.height)
        name = None
        try:
            name = self._images.attach(segment)
        finally:
            segment.forget()
            if name is None:
                segment.unmap()
        if name is None:
            raise OSError("the display server cannot reach our memory")
        self._names[segment.id] = name
        return segment

    def note(self, drawn: Box | None) -> None:
        self._noted = True
        if drawn is None:
            return
        for number, (top, bottom) in self._stale.items():
            fresh = top == bottom
            self._stale[number] = (
                drawn.y if fresh else min(top, drawn.y),
                drawn.bottom if fresh else max(bottom, drawn.bottom),
            )

    def expose(self) -> Exposure:
        if not self._noted:
            self._stale.clear()
        self._noted = False
        segment = self._take_free() or self._make()
        sheet = _Sheet()
        weakref.finalize(sheet, self._give_back, segment).atexit = False
        width, height = self._size.width, self._size.height
        # Until the server has answered nobody knows what is in there.
        top, bottom = self._stale.pop(segment.id, (0, height))
        rows = (min(top, height - 1), max(bottom - top, 1))
        asked = self._images.fetch(self._root, width, rows, self._names[segment.id])

        def developed() -> Pixels:
            answer(self._display, asked)
            self._stale[segment.id] = (0, 0)
            return Pixels(segment.address, 4 * width, width, height, sheet)

        return developed

    def _take_free(self) -> Segment | None:
        """The free memory with the fewest rows to copy."""
        with self._lock:
            if not self._free:
                return None
            segment = min(self._free, key=self._stale_rows)
            self._free.remove(segment)
            return segment

    def _stale_rows(self, segment: Segment) -> int:
        top, bottom = self._stale.get(segment.id, (0, self._size.height))
        return bottom - top

    def _give_back(self, segment: Segment) -> None:
        with self._lock:
            if self._open:
                self._free.append(segment)
            else:
                segment.unmap()

    def close(self) -> None:
        with self._lock:
            self._open = False
            while self._free:
                self._free.pop().unmap()
        for name in self._names.values():
            self._images.detach(name)


class PlainFilm:
    """Captures through the connection, for a server that cannot reach our memory."""

    def __init__(self, display: Display, size: Size) -> None:
        self._display = display
        self._root = display.screen().root.id
        self._size = size

    def note(self, drawn: Box | None) -> None:
        """It makes no difference here: everything is sent anew."""

    def expose(self) -> Exposure:
        width, height = self._size.width, self._size.height
        asked = request.GetImage(
            display=self._display.display,
            defer=True,
            format=X.ZPixmap,
            drawable=self._root,
            x=0,
            y=0,
            width=width,
            height=height,
            plane_mask=0xFFFFFFFF,
        )
        return lambda: Pixels.copy_of(answer(self._display, asked).data, width, height)

    def close(self) -> None:
        """There is nothing to let go of."""
