"""Pictures with text on them, and what counts how much of them is read."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

from carrel.geometry import Size
from carrel.perception import View
from carrel.perception._nets import Nets, Spelled

SIZE = Size(640, 400)

Writing = tuple[int, int, str]
"""Where a text begins, and the text."""


def drawn(texts: Iterable[Writing], size: Size = SIZE, height: int = 14) -> View:
    """A view of black texts on white."""
    image = Image.new("RGB", (size.width, size.height), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(height)
    for x, y, text in texts:
        draw.text((x, y), text, fill=(0, 0, 0), font=font)
    return view_of(image)


def view_of(image: Image.Image) -> View:
    out = io.BytesIO()
    image.save(out, "png", compress_level=1)
    data = out.getvalue()
    return View(hashlib.sha256(data).hexdigest(), Size(*image.size), lambda: data)


class CountedNets(Nets):
    """The real networks, with a count of what they are given."""

    def __init__(self) -> None:
        super().__init__()
        self.searched: list[int] = []
        """Pixels of each picture that was searched for text."""
        self.spelled = 0

    def heat(self, pixels):  # type: ignore[no-untyped-def]
        self.searched.append(pixels.shape[0] * pixels.shape[1])
        return super().heat(pixels)

    def spell(self, lines) -> list[Spelled]:  # type: ignore[no-untyped-def]
        self.spelled += len(lines)
        return super().spell(lines)

    def forget(self) -> None:
        self.searched.clear()
        self.spelled = 0
