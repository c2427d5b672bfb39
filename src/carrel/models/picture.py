"""A frame as models see it: scaled and encoded once for each size, however often it is sent."""

from __future__ import annotations

import base64
import io
from collections.abc import Awaitable, Callable

from carrel.codec import Json
from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception.scene import LeftOut, Scene
from carrel.perception.view import View

__all__ = ["Picture", "Plain", "Words"]


class Plain(str):
    """Text that JSON takes as it is: nothing in it needs an escape, and nobody has to look."""

    __slots__ = ()


class Words(dict[str, Json]):
    """An object of JSON that holds no picture, so that nobody has to look for one in it."""

    __slots__ = ()


class Picture:
    """One picture of the screen or of a part of it.

    Args:
        id: SHA-256 of the original image bytes.
        screen: Size of the screen, in pixels.
        load: Reads the original image bytes (PNG) when they are first needed.
        size: Size of the original image.
        region: The part of the screen it shows; None for all of it.
        elements: What is known to be on it, for models that want elements.
        closer: Reads what else is on it from its pixels, now or later; None where nobody can.
        left_out: Who was asked what is on it, and did not tell all of it.
    """

    def __init__(
        self,
        id: str,  # noqa: A002
        screen: Size,
        load: Callable[[], bytes],
        *,
        size: Size | None = None,
        region: Box | None = None,
        elements: tuple[Element, ...] = (),
        closer: Callable[[], Awaitable[Scene]] | None = None,
        left_out: tuple[LeftOut, ...] = (),
    ) -> None:
        self.id = id
        self.screen = screen
        self.region = region
        self.size = size or (Size(region.width, region.height) if region else screen)
        self.elements = elements
        self.closer = closer
        self.left_out = left_out
        self.view = View(id, self.size, load)
        """Its pixels, decoded when they are first needed; of the region, where it shows one."""
        self._load = load
        self._encoded: dict[Size, Plain] = {}
        self._urls: dict[Size, Plain] = {}

    def again(
        self,
        elements: tuple[Element, ...],
        closer: Callable[[], Awaitable[Scene]] | None,
        left_out: tuple[LeftOut, ...] = (),
    ) -> Picture:
        """The same picture with what is known of it now; nothing is scaled or decoded twice."""
        other = Picture(
            self.id,
            self.screen,
            self._load,
            size=self.size,
            region=self.region,
            elements=elements,
            closer=closer,
            left_out=left_out,
        )
        other.view, other._encoded, other._urls = self.view, self._encoded, self._urls
        return other

    def base64(self, size: Size | None = None) -> str:
        """The picture as base64 PNG, in `size` (its own when None)."""
        size = size or self.size
        if size not in self._encoded:
            self._encoded[size] = Plain(base64.b64encode(self._scaled(size)), "ascii")
        return self._encoded[size]

    def data_url(self, size: Size | None = None) -> str:
        """The same as a `data:` URL."""
        size = size or self.size
        if size not in self._urls:
            self._urls[size] = Plain(f"data:image/png;base64,{self.base64(size)}")
        return self._urls[size]

    def original(self) -> bytes:
        """The bytes as they were captured."""
        return self._load()

    def _scaled(self, size: Size) -> bytes:
        data = self._load()
        if size == self.size:
            return data
        from PIL import Image

        with Image.open(io.BytesIO(data)) as image:
            small = image.convert("RGB").resize((size.width, size.height), Image.Resampling.BOX)
        out = io.BytesIO()
        # Level 1 is eight times as fast as the default for a tenth more bytes.
        small.save(out, "png", compress_level=1)
        return out.getvalue()
