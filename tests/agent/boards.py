"""A computer made of functions: a board of squares that light up when they are clicked."""

from __future__ import annotations

import io
from collections.abc import Callable

from PIL import Image, ImageDraw

SIDE = 40
WIDTH, HEIGHT = 320, 240


class Board:
    """Draws what was done to it, so that every effect can be seen."""

    def __init__(self) -> None:
        self.clicks: list[tuple[int, int]] = []
        self.typed = ""
        self.keys: list[tuple[str, ...]] = []
        self.dead = False
        """A dead board takes clicks and shows nothing of them."""

    def click(
        self,
        x: int,
        y: int,
        button: str = "left",
        count: int = 1,
        modifiers: tuple[str, ...] = (),
    ) -> None:
        self.clicks.append((x, y))

    def type(self, text: str) -> None:
        self.typed += text

    def key(self, keys: tuple[str, ...], repeat: int = 1, hold: float = 0.0) -> None:
        self.keys.append(keys)

    def screenshot(self) -> bytes:
        image = Image.new("RGB", (WIDTH, HEIGHT), "white")
        draw = ImageDraw.Draw(image)
        if not self.dead:
            for number, (x, y) in enumerate(self.clicks):
                draw.rectangle((x, y, x + SIDE, y + SIDE), fill=(200, number % 256, x % 256))
            draw.text((4, 4), f"{self.typed} {len(self.keys)}", fill="black")
        out = io.BytesIO()
        image.save(out, "png")
        return out.getvalue()

    def functions(self) -> dict[str, Callable[..., object]]:
        return {
            "screenshot": self.screenshot,
            "click": self.click,
            "type": self.type,
            "key": self.key,
        }
