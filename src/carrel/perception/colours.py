"""Plain words for colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.geometry import Box
from carrel.perception.view import View

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = [
    "NAMES",
    "SHADES",
    "Colour",
    "channels",
    "colour_of",
    "crop",
    "dominant",
    "hue_name",
    "is_plain",
    "most_common",
    "name_colour",
    "plain",
    "rim",
    "stroke",
    "web_colour",
]

NAMES = (
    "red",
    "orange",
    "yellow",
    "green",
    "cyan",
    "blue",
    "purple",
    "magenta",
    "pink",
    "brown",
    "black",
    "grey",
    "white",
)

SHADES: Mapping[str, tuple[int, int, int]] = {
    "aqua": (0, 255, 255),
    "crimson": (220, 20, 60),
    "fuchsia": (255, 0, 255),
    "gold": (255, 215, 0),
    "indigo": (75, 0, 130),
    "lime": (0, 255, 0),
    "maroon": (128, 0, 0),
    "navy": (0, 0, 128),
    "olive": (128, 128, 0),
    "silver": (192, 192, 192),
    "teal": (0, 128, 128),
    "turquoise": (64, 224, 208),
    "violet": (238, 130, 238),
}
"""Finer words for colours, and the channels that the web's own table gives them."""

_PLAIN: Mapping[str, tuple[int, int, int]] = {
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "brown": (165, 42, 42),
    "cyan": (0, 255, 255),
    "gray": (128, 128, 128),
    "green": (0, 128, 0),
    "grey": (128, 128, 128),
    "magenta": (255, 0, 255),
    "orange": (255, 165, 0),
    "pink": (255, 192, 203),
    "purple": (128, 0, 128),
    "red": (255, 0, 0),
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
}

SAME = 24
"""Pixels whose channels are no further apart than this are of one colour."""
RIM = 0.08
"""The outermost share of a box that tells what it stands on."""

# Upper ends of the hues, in degrees.
_HUES = (
    (14.0, "red"),
    (43.0, "orange"),
    (69.0, "yellow"),
    (160.0, "green"),
    (200.0, "cyan"),
    (255.0, "blue"),
    (290.0, "purple"),
    (325.0, "magenta"),
    (340.0, "pink"),
    (360.0, "red"),
)


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour with the plainest word for it.

    Attributes:
        name: One of `NAMES`.
        hex: Exactly, such as `#ff8800`.
    """

    name: str
    hex: str


def name_colour(red: int, green: int, blue: int) -> str:
    """The plain word for a colour that most people would use."""
    highest, lowest = max(red, green, blue), min(red, green, blue)
    spread = highest - lowest
    lightness = (highest + lowest) / 2
    chroma = spread / 255
    if chroma < 0.08 or (chroma < 0.16 and not 60 < lightness < 235):
        return _grey(lightness)
    if highest < 50:
        return "black"
    hue = _hue(red, green, blue)
    name = next(word for end, word in _HUES if hue <= end)
    return _by_light(name, highest, lightness, chroma)


def hue_name(red: int, green: int, blue: int) -> str:
    """The colour that this is a shade of, however light or dark."""
    if max(red, green, blue) - min(red, green, blue) < 8:
        return "grey"
    hue = _hue(red, green, blue)
    return next(word for end, word in _HUES if hue <= end)


def _grey(lightness: float) -> str:
    if lightness < 50:
        return "black"
    return "white" if lightness > 232 else "grey"


def _hue(red: int, green: int, blue: int) -> float:
    highest, lowest = max(red, green, blue), min(red, green, blue)
    spread = highest - lowest
    if highest == red:
        turn = ((green - blue) / spread) % 6
    elif highest == green:
        turn = (blue - red) / spread + 2
    else:
        turn = (red - green) / spread + 4
    return 60 * turn


def _by_light(name: str, highest: int, lightness: float, chroma: float) -> str:
    """Dark orange is called brown, light red pink."""
    if name in ("red", "orange") and highest < 185 and (name == "orange" or chroma < 0.5):
        return "brown"
    if name == "red" and lightness > 165:
        return "pink"
    if name in ("magenta", "purple") and lightness > 190 and chroma < 0.6:
        return "pink" if name == "magenta" else "purple"
    if name == "magenta" and highest < 190:
        return "purple"
    return name


def web_colour(word: str) -> tuple[int, int, int] | None:
    """The channels that the web's own table gives a word; None for a word that it has not."""
    return _PLAIN.get(word) or SHADES.get(word)


def channels(code: str) -> tuple[int, int, int]:
    """The three channels of a code such as `#ff8800`."""
    red, green, blue = (int(code[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def colour_of(view: View, box: Box) -> Colour:
    """The colour of the thing in a box: what is drawn there, not what it is drawn on.

    A box that is one colour throughout is that colour. Something with an inside is what fills
    most of it; something drawn in thin strokes is the colour of its strokes.
    """
    return dominant(crop(view.pixels, box))


def crop(pixels: Pixels, box: Box) -> Pixels:
    """The part of a picture in a box, at least one pixel of it."""
    height, width = pixels.shape[:2]
    x, y = min(max(box.x, 0), width - 1), min(max(box.y, 0), height - 1)
    return pixels[y : max(y + 1, min(box.bottom, height)), x : max(x + 1, min(box.right, width))]


def dominant(pixels: Pixels) -> Colour:
    """The colour that a thing is, of pixels close around it."""
    import numpy as np

    ground = most_common(rim(pixels))
    flat = pixels.reshape(-1, 3)
    drawn = flat[np.abs(flat.astype(np.int16) - ground).max(axis=1) > SAME]
    filled = len(drawn) < 0.12 * len(flat)
    return plain(ground if filled else most_common(drawn))


def stroke(pixels: Pixels) -> Colour:
    """The colour of something drawn in thin lines, whose edges are blended with the ground."""
    import numpy as np

    ground = most_common(rim(pixels)).astype(np.int16)
    flat = pixels.reshape(-1, 3)
    away = np.abs(flat.astype(np.int16) - ground).sum(axis=1)
    if not away.any():
        return plain(most_common(flat))
    return plain(most_common(flat[away >= max(1.0, 0.8 * float(away.max()))]))


def is_plain(pixels: Pixels) -> bool:
    """Whether nearly everything but its edges is of one colour."""
    import numpy as np

    inner = pixels[1:-1, 1:-1] if min(pixels.shape[:2]) > 4 else pixels
    flat = inner.reshape(-1, 3)
    away = np.abs(flat.astype(np.int16) - most_common(flat).astype(np.int16)).max(axis=1)
    return bool((away <= SAME).mean() > 0.9)


def plain(colour: NDArray[uint8]) -> Colour:
    """A colour by its three channels."""
    red, green, blue = (int(value) for value in colour)
    return Colour(name_colour(red, green, blue), f"#{red:02x}{green:02x}{blue:02x}")


def rim(pixels: Pixels) -> NDArray[uint8]:
    """The pixels along the edges of a picture."""
    import numpy as np

    height, width = pixels.shape[:2]
    deep = max(1, round(RIM * min(height, width)))
    parts = (pixels[:deep], pixels[-deep:], pixels[:, :deep], pixels[:, -deep:])
    return np.concatenate([part.reshape(-1, 3) for part in parts])


def most_common(colours: NDArray[uint8]) -> NDArray[uint8]:
    """The commonest colour, where near ones are taken for one."""
    import numpy as np

    coarse = (colours >> 4).astype(np.uint32)
    keys = (coarse[:, 0] << 8) | (coarse[:, 1] << 4) | coarse[:, 2]
    group = colours[keys == np.bincount(keys).argmax()]
    return np.asarray(np.median(group, axis=0), dtype=np.uint8)
