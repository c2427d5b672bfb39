"""From the heat of a picture to boxes around its lines, and from a line to its words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from carrel.geometry import Box

if TYPE_CHECKING:
    from numpy import bool_, float32
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["LOWEST", "find_lines", "ink", "islands", "pieces", "some", "tighten", "word_spans"]

WARM = 0.3
"""A pixel at least this warm belongs to text."""
SURE = 0.5
"""A group of pixels less warm than this on the whole does not."""
SMALLEST = 3
GROWTH = 1.6
"""The network marks the middle of a line; this is how far its edges are."""
CONTRAST = 48
"""How much a pixel must differ from what is behind a text to be a part of it."""
MARGIN = 0.15
"""Room left around a text, as a share of its height."""
ASIDE = 3
"""Rows without ink between a text and what is none of it; those under the dot of an i are fewer."""
HIGH = 4
"""Rows with ink that no accent has; two lines that stand close leave one between them without."""
FAR = 0.8
"""The same for words that are of different texts."""
LOWEST = 6
"""Rows with ink of the lowest letters that a line is told by."""
WIDE = 3
"""How wide a box is, as so many of its height, that holds more than one sign over another."""
PIECE = (7, 14)
"""Long lines are cut between words, into pieces this many times as wide as high."""
GAP = 0.25
"""The narrowest gap between words, as a share of the height; letters stand closer."""

Span = tuple[int, int]
"""First column, and the one after the last."""


def find_lines(heat: NDArray[float32]) -> list[Box]:
    """Boxes around the lines of text, from the top left."""
    import cv2
    import numpy as np

    warm = cv2.dilate((heat > WARM).astype(np.uint8), np.ones((2, 2), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(warm, connectivity=8)
    found = []
    for number in range(1, count):
        x, y, width, height = (int(value) for value in stats[number][:4])
        if min(width, height) < SMALLEST:
            continue
        part = slice(y, y + height), slice(x, x + width)
        if float(heat[part][labels[part] == number].mean()) >= SURE:
            found.append(_grown(x, y, width, height, heat.shape))
    return sorted(found, key=lambda box: (box.y, box.x))


def _grown(x: int, y: int, width: int, height: int, room: tuple[int, ...]) -> Box:
    by = round(width * height * GROWTH / (2 * (width + height)))
    left, top = max(0, x - by), max(0, y - by)
    right, bottom = min(room[1], x + width + by), min(room[0], y + height + by)
    return Box(left, top, right - left, bottom - top)


def ink(crop: Pixels) -> NDArray[bool_]:
    """Which pixels differ from what is behind them, by the commonest colour of the crop."""
    import numpy as np

    coarse = crop.reshape(-1, 3) >> 3
    keys = (coarse[:, 0].astype(np.int32) << 10) | (coarse[:, 1].astype(np.int32) << 5)
    keys |= coarse[:, 2]
    common = keys == np.bincount(keys).argmax()
    behind = np.median(crop.reshape(-1, 3)[common], axis=0).astype(np.int16)
    away: NDArray[bool_] = np.abs(crop.astype(np.int16) - behind).max(axis=2) > CONTRAST
    return _without_rules(away, (1, 2 * len(away)))


def _without_rules(mask: NDArray[bool_], least: tuple[int, int]) -> NDArray[bool_]:
    """The same without runs of at least this size: strokes of letters are not that long."""
    import cv2
    import numpy as np

    if mask.shape[0] < least[0] or mask.shape[1] < least[1]:
        return mask
    rules = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones(least, np.uint8))
    return np.asarray(mask & (rules == 0), np.bool_)


def tighten(pixels: Pixels, box: Box) -> list[Box]:
    """The box drawn close around its text, so that the same text gives the same crop anywhere.

    Of two lines that stand close the network may have made one: each has a box of its own then.
    """
    import numpy as np

    mask = ink(pixels[box.y : box.bottom, box.x : box.right])
    # The box is much higher than its text: what is as long is an edge of a field or a button.
    mask = _without_rules(mask, (round(0.85 * box.height), 1))
    mask = _without_specks(_without_rules(mask, (1, box.height)))
    mask = _without_ends(mask)
    rows = some(mask, 1).nonzero()[0]
    if not len(rows):
        return [box]
    # Where there are several lines, their edge need not be as long as the box.
    plain = some(_without_rules(mask, (round(0.6 * box.height), 1)), 1).nonzero()[0]
    lines = np.split(plain, np.flatnonzero(np.diff(plain) > 1) + 1)
    lines = [line for line in lines if len(line) >= LOWEST]
    if len(lines) < 2 or box.width < WIDE * box.height:
        lines = [rows]
    found = []
    for line in lines:
        top, bottom = int(line[0]), int(line[-1]) + 1
        columns = some(mask[top:bottom], 0).nonzero()[0]
        left, right = int(columns[0]), int(columns[-1]) + 1
        close = Box(box.x + left, box.y + top, right - left, bottom - top)
        found.append(_with_room(close, pixels))
    return found


def _with_room(box: Box, pixels: Pixels) -> Box:
    """The same with a margin around it, as far as there are pixels."""
    by = max(2, round(box.height * MARGIN))
    left, top = max(0, box.x - by), max(0, box.y - by)
    right = min(pixels.shape[1], box.right + by)
    bottom = min(pixels.shape[0], box.bottom + by)
    return Box(left, top, right - left, bottom - top)


def _without_specks(mask: NDArray[bool_]) -> NDArray[bool_]:
    """The same without dots of one pixel, which the corners of drawn edges leave."""
    import cv2
    import numpy as np

    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=8
    )
    single = np.flatnonzero(stats[:count, cv2.CC_STAT_AREA] == 1)
    kept = mask & ~np.isin(labels, single)
    return np.asarray(kept if kept.any() else mask, np.bool_)


def _without_ends(mask: NDArray[bool_]) -> NDArray[bool_]:
    """The same without what comes in over its upper or lower edge and is none of the text.

    That is what ends far from it; or right beside it, and is too high for an accent: another line.
    """
    import numpy as np

    kept = mask.copy()
    for aside, least in ((ASIDE, 1), (1, HIGH)):
        inked = some(kept, 1).nonzero()[0]
        runs = np.split(inked, np.flatnonzero(np.diff(inked) > aside) + 1)
        most = max(runs, key=lambda run: int(kept[run].sum())) if len(inked) else inked
        for run in runs:
            if run is not most and len(run) >= least and (run[0] == 0 or run[-1] == len(mask) - 1):
                kept[run] = False
    return np.asarray(kept, np.bool_)


def pieces(mask: NDArray[bool_]) -> list[Span]:
    """Where to cut a line so that a change of one word leaves most of it as it was.

    What stands wide apart is not read as one word, be there a box to tick between it or nothing.
    """
    height, width = mask.shape
    cuts = [(left + right) // 2 for left, right in _gaps(mask, max(LOWEST, round(FAR * height)))]
    ends = [0, *cuts, width]
    if min(right - left for left, right in pairwise(ends)) < 2 * height:
        ends = [0, width]  # signs that stand one by one are told apart by their line
    return [
        (start + left, start + right)
        for start, end in pairwise(ends)
        for left, right in _short(mask[:, start:end])
    ]


def _short(mask: NDArray[bool_]) -> list[Span]:
    """The pieces of a line in which nothing stands apart."""
    height, width = mask.shape
    shortest, longest = PIECE[0] * height, PIECE[1] * height
    gaps = _gaps(mask, max(4, round(GAP * height)))
    found: list[Span] = []
    start = 0
    while width - start > longest:
        near = [gap for gap in gaps if start + shortest <= gap[0] and gap[1] <= start + longest]
        near = near or [gap for gap in gaps if gap[0] > start + shortest][:1]
        if not near:
            break
        left, right = max(near, key=lambda gap: gap[1] - gap[0])
        cut = (left + right) // 2
        found.append((start, cut))
        start = cut
    return [*found, (start, width)]


def _gaps(mask: NDArray[bool_], least: int) -> list[Span]:
    """The runs of columns without ink that are between some."""
    import numpy as np

    inked = some(mask, 0).nonzero()[0]
    wide = np.diff(inked) > least
    lefts, rights = inked[:-1][wide] + 1, inked[1:][wide]
    return [(int(left), int(right)) for left, right in zip(lefts, rights, strict=True)]


def islands(mask: NDArray[bool_], least: int) -> list[Span]:
    """The spans of columns with ink that are farther apart than this."""
    columns = some(mask, 0).nonzero()[0]
    if not len(columns):
        return []
    gaps = _gaps(mask, max(1, least))
    starts = [int(columns[0]), *(right for _, right in gaps)]
    ends = [*(left for left, _ in gaps), int(columns[-1]) + 1]
    return list(zip(starts, ends, strict=True))


def word_spans(
    text: str, places: tuple[float, ...], mask: NDArray[bool_]
) -> list[tuple[str, Span]]:
    """The words of a text with the columns they take up.

    Args:
        text: As it was read.
        places: Of each character, as a share of the width.
        mask: The ink of the line.
    """
    width = mask.shape[1]
    inked = some(mask, 0)
    found: list[tuple[str, Span]] = []
    start, edge = 0, 0
    for end in [*(n for n, letter in enumerate(text) if letter.isspace()), len(text)]:
        word = text[start:end]
        after = next((n for n in range(end, len(text)) if not text[n].isspace()), None)
        middle = width if after is None else round((places[end - 1] + places[after]) / 2 * width)
        cut = _blank_near(inked, min(max(middle, edge), width), mask.shape[0] // 2)
        if word.strip():
            found.append((word, _inked(inked, edge, cut)))
            edge = cut
        start = end + 1
    return found


def _blank_near(inked: NDArray[bool_], column: int, reach: int) -> int:
    """The column without ink that is nearest to one, if any is near."""
    blank = (~inked).nonzero()[0]
    if column >= len(inked) or not len(blank):
        return min(column, len(inked))
    nearest = int(blank[abs(blank - column).argmin()])
    return nearest if abs(nearest - column) <= reach else column


def _inked(inked: NDArray[bool_], start: int, end: int) -> Span:
    """The same span without the blank columns at its ends."""
    columns = inked[start:end].nonzero()[0]
    if not len(columns):
        return start, max(end, start + 1)
    return start + int(columns[0]), start + int(columns[-1]) + 1


def some(mask: NDArray[bool_], axis: int) -> NDArray[bool_]:
    """Which rows (1) or columns (0) have ink."""
    import numpy as np

    return np.asarray(mask.any(axis=axis), np.bool_)
