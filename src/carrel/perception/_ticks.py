"""Check boxes and radio buttons, by what they look like from their edge to their middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from carrel.geometry import Box
from carrel.perception.colours import crop, most_common, rim

if TYPE_CHECKING:
    from numpy import bool_, float32, float64
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["TICK", "Mark", "find_tick", "seen_beside"]

TICK = (9, 26)
"""Sides of what may be a check box or a radio button."""
DRAWN = 24
"""How far from what is behind it a pixel is that belongs to a box."""
APART = 25
"""How far a border is from what it encloses."""
MARKED = 60
"""How far a tick or a dot is from what is around it."""
EVEN = 0.88
"""How much of the band within a border is of one colour: a tick ends before it."""
SQUARE, DISC = 0.9, (0.7, 0.9)
"""How much of its box a square fills, and a disc."""

STANDING = 0.8
"""How much of it and of a square on its corner are the same."""
DYED = 40
"""How far the channels of a colour are apart that stands for a mark: no paper has it."""
BLOCK = 0.85
"""How much of its place a block or a dash fills, which is half a tick; a tick fills less."""

Mark = Literal["", "checked", "indeterminate"]
"""What is in a box, as the state that applications tell."""


def find_tick(pixels: Pixels, box: Box) -> tuple[str, Mark] | None:
    """The role, and what is in it; None for an icon of another kind."""
    import numpy as np

    short, long = sorted((box.width, box.height))
    if short < TICK[0] or long > TICK[1] or long - short > 1:
        return None
    around = crop(pixels, Box(box.x - 2, box.y - 2, box.width + 4, box.height + 4))
    ground = most_common(rim(around)).astype(np.int16)
    part = crop(pixels, box).astype(np.int16)
    if min(part.shape[:2]) < TICK[0]:
        return None  # Most of it is outside the picture.
    drawn = np.abs(part - ground).max(axis=2) > DRAWN
    filled = _filled(drawn)
    if filled >= SQUARE:
        mark = _in_square(part.astype(np.float32), ground.astype(np.float32))
        return None if mark is None else ("check box", mark)
    if DISC[0] <= filled < DISC[1]:
        checked = _in_disc(part.astype(np.float32), float(ground.mean()))
        return None if checked is None else ("radio button", "checked" if checked else "")
    if filled < DISC[0] and _is_diamond(drawn):
        mark = _in_diamond(part.astype(np.float32), ground.astype(np.float32))
        return None if mark is None else ("radio button", mark)
    return None


def seen_beside(part: Pixels, blank: Pixels) -> tuple[str, Mark] | None:
    """What a box to tick shows, beside how it looks while it is empty.

    A mark may be of any colour, and reach over the border; most of that is still there.
    """
    import numpy as np

    if part.shape != blank.shape or min(part.shape[:2]) < TICK[0]:
        return None
    changed = np.abs(part.astype(np.int16) - blank.astype(np.int16)).max(axis=2) > MARKED
    border = np.concatenate([changed[0], changed[-1], changed[1:-1, 0], changed[1:-1, -1]])
    inner = float(changed[1:-1, 1:-1].mean())
    if inner < 0.03 and border.mean() < 0.03:
        return "check box", ""
    if border.mean() > 0.5 or not 0.06 < inner < 0.75:
        return None
    return "check box", _mark(changed[1:-1, 1:-1])


def _mark(drawn: NDArray[bool_]) -> Mark:
    """A tick, or a block or a dash, which stands for some of what is below."""
    import numpy as np

    extent = drawn[np.ix_(drawn.any(axis=1), drawn.any(axis=0))]
    height, width = extent.shape
    return "indeterminate" if width >= height and extent.mean() >= BLOCK else "checked"


def _filled(drawn: NDArray[bool_]) -> float:
    """The share of the box that lies between the outermost pixels of every row and column."""
    import numpy as np

    shares = []
    for one in (drawn, drawn.T):
        used = one.any(axis=1)
        spans = one.shape[1] - np.argmax(one[:, ::-1], axis=1) - np.argmax(one, axis=1)
        shares.append(float(spans[used].sum()) / one.size)
    return min(shares)


def _in_square(part: NDArray[float32], ground: NDArray[float32]) -> Mark | None:
    import numpy as np

    height, width = part.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    depth = np.minimum(
        np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns)
    )
    band = _middle(part, depth == 2)
    even = _unlike(part, depth == 2, band) <= 1 - EVEN
    marked = _unlike(part, depth >= 2, band)
    edge, gap = _middle(part, depth == 0), _middle(part, depth == 1)
    if even and marked < 0.03:
        if min(_apart(gap, band), _apart(gap, edge)) > MARKED:
            return "indeterminate"
        if _apart(edge, band) <= APART and not _is_sunken(part, band):
            return None
        return "checked" if _is_dyed(band, ground) else ""
    # The longest tick reaches the band, but not all around.
    within = _unlike(part, depth == 1, gap) <= 1 - EVEN
    if not within or not 0.06 < marked < 0.75:
        return None
    inner = part[2:-2, 2:-2]
    return _mark(np.abs(inner - band).max(axis=2) > MARKED)


def _is_sunken(part: NDArray[float32], band: NDArray[float32]) -> bool:
    """Whether shade lies along its top and its left only: its light sides are like its inside."""
    import numpy as np

    sides = (part[0, :-1], part[:-1, 0])
    return all((np.abs(side - band).max(axis=1) > APART).mean() >= EVEN for side in sides)


def _is_diamond(drawn: NDArray[bool_]) -> bool:
    """Whether what is drawn stands on a corner, as choices do in the oldest style."""
    import numpy as np

    ahead, back = (
        np.maximum.accumulate(drawn, axis=1),
        np.maximum.accumulate(drawn[:, ::-1], axis=1),
    )
    whole = ahead & back[:, ::-1]
    ideal = _off_middle(drawn.shape) <= 1
    return bool((whole & ideal).sum() >= STANDING * (whole | ideal).sum())


def _in_diamond(part: NDArray[float32], ground: NDArray[float32]) -> Mark | None:
    far = _off_middle(part.shape[:2])
    inside = _middle(part, far < 0.6)
    if _unlike(part, far < 0.6, inside) > 0.03:
        return None
    border = abs(part[(far > 0.8) & (far <= 1)] - inside).max(axis=1) > APART
    # A bevel is light on one side, where it may be as light as what it encloses.
    if border.mean() < 0.3:
        return None
    return "checked" if _is_dyed(inside, ground) else ""


def _off_middle(shape: tuple[int, ...]) -> NDArray[float64]:
    """How far each pixel is from the middle: at 1 lie the edges of what stands on a corner."""
    import numpy as np

    (height, width), (rows, columns) = shape, np.ogrid[: shape[0], : shape[1]]
    down, across = rows - (height - 1) / 2, columns - (width - 1) / 2
    return np.asarray(abs(down) / (height / 2) + abs(across) / (width / 2), dtype=np.float64)


def _is_dyed(inside: NDArray[float32], ground: NDArray[float32]) -> bool:
    """Whether a box is filled from edge to edge, which is how some programs draw one that is on."""
    dyed = float(inside.max() - inside.min()) >= DYED
    return dyed and abs(float(inside.mean() - ground.mean())) > MARKED


def _apart(one: NDArray[float32], other: NDArray[float32]) -> float:
    return float(abs(one - other).max())


def _in_disc(part: NDArray[float32], ground: float) -> bool | None:
    import numpy as np

    grey = part.mean(axis=2)
    height, width = grey.shape
    rows, columns = np.ogrid[:height, :width]
    far = np.hypot(rows - (height - 1) / 2, columns - (width - 1) / 2)
    rings = np.rint(far).astype(np.int32).ravel()
    mean = np.bincount(rings, grey.ravel()) / np.maximum(1, np.bincount(rings))
    if np.abs(grey.ravel() - mean[rings])[far.ravel() < min(height, width) / 2 - 1].mean() > APART:
        return None  # It does not look the same from every side.
    # From the middle to the outermost ring.
    way = [float(value) for value in mean[: min(height, width) // 2 + 1]]
    if _has_dot(way):
        return True
    return False if _is_hollow(way, ground) else None


def _has_dot(way: Sequence[float]) -> bool:
    """Whether the way leads from a dot over a gap to a ring."""
    away = [abs(value - way[0]) for value in way]
    gap = max(range(len(away) - 1), key=away.__getitem__)
    return gap > 1 and away[gap] > MARKED and away[-1] < 0.75 * away[gap]


def _is_hollow(way: Sequence[float], ground: float) -> bool:
    """Whether there is nothing but a ring, and no mere disc that fades into what is behind it."""
    centre, ring = way[0], way[-1]
    flat = all(abs(value - centre) < APART for value in way[:-2])
    low, high = sorted((centre, ground))
    fades = high - low > APART and low - 5 <= ring <= high + 5
    return flat and abs(ring - centre) > APART and not fades


def _middle(part: NDArray[float32], where: NDArray[bool_]) -> NDArray[float32]:
    import numpy as np

    return np.asarray(np.median(part[where], axis=0), dtype=np.float32)


def _unlike(part: NDArray[float32], where: NDArray[bool_], colour: NDArray[float32]) -> float:
    import numpy as np

    return float((np.abs(part[where] - colour).max(axis=1) > MARKED).mean())
