"""The pixels of one frame, decoded once, and where they differ from another's."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from carrel.errors import Unavailable
from carrel.geometry import Box, Size

if TYPE_CHECKING:
    from numpy import bool_, uint8
    from numpy.typing import NDArray

    Pixels = NDArray[uint8]

__all__ = ["EXTRA", "View"]

EXTRA = 'pip install "carrel[eyes]"'
"""What to type where pixels cannot be read."""

TILE = 16
"""Side of the squares in which changes are looked for."""


class View:
    """One look at the screen, as pixels.

    Args:
        id: Of the frame: two views with the same id show the same.
        size: Of the picture.
        load: Reads the encoded picture when its pixels are first needed.
    """

    def __init__(self, id: str, size: Size, load: Callable[[], bytes]) -> None:  # noqa: A002
        self.id = id
        self.size = size
        self._load = load
        self._pixels: Pixels | None = None

    @property
    def pixels(self) -> Pixels:
        """Height x width x 3, red, green and blue; not to be written to.

        Raises:
            Unavailable: numpy is not installed.
        """
        if self._pixels is None:
            self._pixels = _decode(self._load())
        return self._pixels

    def changed_since(self, other: View | None) -> tuple[Box, ...] | None:
        """The rectangles in which this view differs from another one.

        Each is close around changes that stand near each other; none touches another.

        Returns:
            None when everything has to be looked at again: no other view, or another size.
        """
        if other is None or other.size != self.size:
            return None
        if other.id == self.id:
            return ()
        differs = _differing(self.pixels, other.pixels)
        return tuple(_trimmed(box, differs) for box in _rectangles(_tiles(differs), self.size))


def _decode(data: bytes) -> Pixels:
    try:
        import numpy as np
    except ImportError as error:
        raise Unavailable("pixels cannot be read: numpy is not installed", hint=EXTRA) from error
    quickly = sys.modules.get("cv2")
    if quickly is not None:
        # Where text is read it is loaded, and it is quicker.
        read = quickly.imdecode(np.frombuffer(data, np.uint8), quickly.IMREAD_COLOR)
        if read is not None:
            return _kept(quickly.cvtColor(read, quickly.COLOR_BGR2RGB))
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return _kept(np.ascontiguousarray(image.convert("RGB")))


def _kept(pixels: Pixels) -> Pixels:
    pixels.setflags(write=False)
    return pixels


def _differing(one: Pixels, other: Pixels) -> NDArray[bool_]:
    """Which pixels differ; rows that are the same, as most are, are told eight bytes at a time."""
    import numpy as np

    height, width = one.shape[:2]
    wide = np.uint64 if width * 3 % 8 == 0 else np.uint8
    first, second = (pixels.reshape(height, -1).view(wide) for pixels in (one, other))
    rows = (first != second).any(axis=1)
    differs = np.zeros((height, width), np.bool_)
    differs[rows] = (one[rows] != other[rows]).any(axis=2)
    return differs


def _tiles(differs: NDArray[bool_]) -> NDArray[bool_]:
    """Which squares of `TILE` pixels differ anywhere; those at the edges may be smaller."""
    import numpy as np

    height, width = differs.shape
    tiles = np.zeros((-(-height // TILE), -(-width // TILE)), np.bool_)
    changed = np.flatnonzero(differs.any(axis=1))
    if len(changed):
        first, last = int(changed[0]) // TILE, int(changed[-1]) // TILE + 1
        band = differs[first * TILE : last * TILE]
        across = np.logical_or.reduceat(band, np.arange(0, len(band), TILE), axis=0)
        tiles[first:last] = np.logical_or.reduceat(across, np.arange(0, width, TILE), axis=1)
    return tiles


def _trimmed(box: Box, differs: NDArray[bool_]) -> Box:
    """The box without the rows and columns at its edges in which nothing differs."""
    rows, columns = differs[box.y : box.bottom, box.x : box.right].nonzero()
    left, top = box.x + int(columns.min()), box.y + int(rows.min())
    return Box(left, top, box.x + int(columns.max()) + 1 - left, box.y + int(rows.max()) + 1 - top)


def _rectangles(tiles: NDArray[bool_], size: Size) -> tuple[Box, ...]:
    """Boxes of pixels around the tiles, one for each group that hangs together."""
    found: list[tuple[int, int, int, int]] = []
    for y, x in zip(*tiles.nonzero(), strict=True):
        found.append((int(x), int(y), int(x) + 1, int(y) + 1))
        # Most tiles of a group come one after the other.
        while len(found) > 1 and _touch(found[-1], found[-2]):
            found.append(_around(found.pop(), found.pop()))
    return tuple(_box(item, size) for item in sorted(_joined(found), key=lambda r: (r[1], r[0])))


def _joined(found: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The same with every two that touch made one, until none do."""
    apart: list[tuple[int, int, int, int]] = []
    left = list(found)
    while left:
        one = left.pop()
        near = [other for other in apart if _touch(one, other)]
        if not near:
            apart.append(one)
            continue
        for other in near:
            apart.remove(other)
            one = _around(one, other)
        left.append(one)
    return apart


def _touch(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _around(
    one: tuple[int, int, int, int], other: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _box(tiles: tuple[int, int, int, int], size: Size) -> Box:
    left, top, right, bottom = (side * TILE for side in tiles)
    return Box(left, top, min(right, size.width) - left, min(bottom, size.height) - top)
