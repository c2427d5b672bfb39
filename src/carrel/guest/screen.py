"""The screen: pictures of it, what changed on it, and waiting until it is still."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import anyio
from anyio import lowlevel, to_thread

from carrel.actions import Screenshot
from carrel.errors import InvalidInput, TimedOut
from carrel.frames import Change, Frame, ImageFormat
from carrel.geometry import Box, Point, Size
from carrel.guest._camera import Camera, Picture
from carrel.guest._cursor import CursorImage, draw_cursor
from carrel.guest._pixels import difference
from carrel.guest.encode import Strips, encode, encode_anew

__all__ = ["Mark", "Screen"]

_KEPT_IMAGES = 8
_LOOK_EVERY = 0.02
"""Seconds between looks at a screen that changes all the time, or cannot say when it does."""


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """The screen at one moment, to compare with later; let go of it soon, it is a whole picture."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Everything that decides the bytes of an image."""

    serial: int
    region: Box | None
    format: ImageFormat
    quality: int
    cursor: CursorImage | None


class _Image:
    """Encoded bytes, made once by whoever asks first; others who ask meanwhile wait."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.data = b""
        self.id = ""


class Screen:
    """The screen of one display. Every method may be called from any thread."""

    def __init__(self, display_name: str) -> None:
        self._camera = Camera(display_name)
        self._images: OrderedDict[_Wanted, _Image] = OrderedDict()
        self._lock = threading.Lock()
        self._given: Picture | None = None
        self._strips: dict[ImageFormat, tuple[int, Strips | None]] = {}

    def size(self) -> Size:
        """How large the screen is."""
        return self._camera.size()

    def cursor(self) -> Point:
        """Where the pointer is."""
        return self._camera.pointer()

    def resize(self, size: Size) -> Size:
        """Change the size of the screen.

        Returns:
            The size it has now.

        Raises:
            Unsupported: This display cannot be that size.
        """
        return self._camera.resize(size)

    def close(self) -> None:
        """Let the display go."""
        with self._lock:
            self._images.clear()
            self._given = None
        self._camera.close()

    def shoot(self, action: Screenshot) -> Frame:
        """Take a picture.

        `Frame.change` counts the pixels of the whole screen, without the pointer, that differ from
        the frame given out before, whatever region either shows.

        Raises:
            InvalidInput: The region is not on the screen.
            Unsupported: The format needs a library that is not installed.
            MachineLost: The display server is gone.
        """
        cursor: CursorImage | None = None
        if action.cursor:
            picture, cursor = self._camera.look_with_cursor()
            pointer = cursor.position
        else:
            picture, pointer = self._camera.look()
        at = time.time()
        wanted = _wanted(action, picture, cursor)
        return self._frame(action, picture, pointer, at, self._image(picture, wanted))

    def glance(self, action: Screenshot) -> Frame | None:
        """As `shoot`, where nothing was drawn since that picture was last asked for.

        It takes so little time that no thread is needed for it.

        Returns:
            None when there is more to do.
        """
        seen = None if action.cursor else self._camera.glance()
        if seen is None:
            return None
        picture, pointer = seen
        with self._lock:
            image = self._images.get(_wanted(action, picture, None))
            if image is None or not image.id or self._given is not picture:
                return None
        return self._frame(action, picture, pointer, time.time(), image)

    def _frame(
        self, action: Screenshot, picture: Picture, pointer: Point, at: float, image: _Image
    ) -> Frame:
        return Frame(
            id=image.id,
            size=picture.size,
            format=action.format,
            at=at,
            cursor=pointer,
            region=action.region,
            change=self._give(picture),
            image=b"" if action.unless == image.id else image.data,
        )

    def _image(self, picture: Picture, wanted: _Wanted) -> _Image:
        with self._lock:
            image = self._images.setdefault(wanted, _Image())
            self._images.move_to_end(wanted)
            while len(self._images) > _KEPT_IMAGES:
                self._images.popitem(last=False)
        with image.lock:
            if not image.id:
                image.data = self._encode(picture, wanted)
                image.id = hashlib.sha256(image.data).hexdigest()
        return image

    def _encode(self, picture: Picture, wanted: _Wanted) -> bytes:
        pixels = picture.pixels
        if wanted.cursor is not None:
            pixels = draw_cursor(pixels, wanted.cursor)
        if wanted.region is not None:
            pixels = pixels.crop(wanted.region)
        if pixels is not picture.pixels:
            return encode(pixels, wanted.format, wanted.quality)
        return self._encode_whole(picture, wanted)

    def _encode_whole(self, picture: Picture, wanted: _Wanted) -> bytes:
        """The whole screen, with what the last one of this format has in common with it."""
        serial, strips = self._strips.get(wanted.format, (0, None))
        drawn = self._camera.drawn_between(serial, picture.serial)
        data, strips = encode_anew(
            picture.pixels, wanted.format, wanted.quality, None if drawn is None else strips, drawn
        )
        self._strips[wanted.format] = (picture.serial, strips)
        return data

    def _give(self, picture: Picture) -> Change | None:
        with self._lock:
            before, self._given = self._given, picture
        return None if before is None else self._change(before, picture)

    def _change(self, before: Picture, after: Picture) -> Change:
        if before is after:
            return Change(0, 0.0)
        within = self._camera.drawn_between(before.serial, after.serial)
        return difference(before.pixels, after.pixels, within)

    def mark(self) -> Mark:
        """Remember the screen as it is now."""
        picture, _ = self._camera.look()
        return Mark(picture)

    def change_since(self, mark: Mark, moving: Sequence[Box] = ()) -> tuple[Change, int]:
        """What differs now, to the pixel; the pointer does not count.

        Returns:
            The change, and how many of its pixels are outside of what was moving anyway.
        """
        picture, _ = self._camera.look()
        change = self._change(mark.picture, picture)
        if change.box is None or not moving or picture.size != mark.picture.size:
            return change, change.pixels
        rest = [change.box]
        for box in moving:
            rest = [part for each in rest for part in each.without(box)]
        pixels = (mark.picture.pixels, picture.pixels)
        return change, sum(difference(*pixels, part).pixels for part in rest)

    async def wait_stable(self, stable: float, timeout: float) -> float:
        """Wait until no pixel has changed for `stable` seconds.

        Drawing that leaves every pixel as it was does not count, nor does the pointer.

        Returns:
            Seconds waited.

        Raises:
            TimedOut: The screen was not still for that long within `timeout` seconds.
            MachineLost: The display server is gone.
        """
        started = time.monotonic()
        deadline = started + timeout
        picture, _ = await to_thread.run_sync(self._camera.look)
        quiet_from = started
        with self._drawing() as drawing:
            while True:
                await _sleep_until(min(quiet_from + stable, deadline), drawing)
                seen, _ = await to_thread.run_sync(self._camera.look)
                now = time.monotonic()
                if seen is not picture:
                    picture, quiet_from = seen, max(quiet_from, seen.since)
                if now >= quiet_from + stable:
                    return now - started
                if now >= deadline:
                    raise TimedOut(
                        f"the screen was not still for {stable:g} seconds within {timeout:g}",
                        hint="wait for a shorter still time, or look at what keeps moving",
                    )

    @contextmanager
    def _drawing(self) -> Iterator[int | None]:
        """A file descriptor of our own that becomes readable when something is drawn."""
        if not self._camera.hears_drawing:
            yield None
            return
        # A copy, for the event loop allows only one waiter for each number.
        copy = os.dup(self._camera.fileno())
        try:
            yield copy
        finally:
            os.close(copy)


async def _sleep_until(moment: float, drawing: int | None) -> None:
    """Sleep until a moment, or until something is drawn; never shorter than one look is apart."""
    left = moment - time.monotonic()
    if left <= 0:
        await lowlevel.checkpoint()
    elif drawing is None or left <= _LOOK_EVERY:
        await anyio.sleep(min(left, _LOOK_EVERY))
    else:
        await anyio.sleep(_LOOK_EVERY)
        with anyio.move_on_after(left - _LOOK_EVERY):
            await anyio.wait_readable(drawing)


def _wanted(action: Screenshot, picture: Picture, cursor: CursorImage | None) -> _Wanted:
    _check_on_screen(action.region, picture.size)
    quality = 0 if action.format == "png" else action.quality
    return _Wanted(picture.serial, action.region, action.format, quality, cursor)


def _check_on_screen(region: Box | None, size: Size) -> None:
    if region is None:
        return
    screen = Box(0, 0, size.width, size.height)
    if region.intersect(screen) != region:
        raise InvalidInput(
            f"region {region.width}x{region.height} at ({region.x}, {region.y}) is not on the "
            f"screen, which is {size}"
        )
