"""Reading the text on a screen, and only what changed of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from carrel.geometry import Box, Size
from carrel.perception import _lines
from carrel.perception._nets import Nets, Spelled, can_read
from carrel.perception._short_lines import short_lines
from carrel.perception.view import View

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from carrel.perception.view import Pixels

__all__ = ["Line", "Reader", "Word", "can_read"]

KEPT = 8192
"""How many pieces of text are remembered."""
UNSURE = 0.5
"""What is read with less confidence is an icon rather than a text."""
SURE = 0.8
"""The same for a sign or two, or what has no letter and no digit."""
DOUBT, ASTRIDE = 0.1, 0.5
"""How much less sure it is, and how much of it others cover, if a line is but parts of these."""
CERTAIN = 0.95
"""The same for what was not found as a text, but stands where a line of one would."""
COUNTED = 0.65
"""The same for a number of two digits, as on a badge: no icon looks like one."""
AROUND = (32, 16)
"""How much is looked at on each side of what changed: a text needs its surroundings."""
MOST = 0.6
"""When more than this share of the screen is to be searched again, all of it is."""
TRIES = 3
MARGIN = 2
"""Pixels around a character that stands alone."""
MOST_SIGNS = 12
"""Icons in a bar that a reader takes for one word."""
APART = 0.6
"""How far icons in a bar are from each other, as a share of their height; letters are closer."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line; where a script has no spaces, all that stand together."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text.

    Attributes:
        box: Close around it, in pixels of the view.
        confidence: 0 to 1, over all its characters.
    """

    text: str
    box: Box
    confidence: float
    words: tuple[Word, ...] = ()


class Reader:
    """Reads view after view of one screen; what did not change is not read again.

    Every text is remembered by its pixels, wherever it stands; only the rectangles that differ
    from the view before are searched for text. Reading blocks: call it from a worker thread.

    Args:
        nets: What reads; loaded on first use.
    """

    def __init__(self, nets: Nets | None = None) -> None:
        self._nets = nets or Nets()
        self._spelled: OrderedDict[bytes, Spelled] = OrderedDict()
        self._view: View | None = None
        self._lines: tuple[Line, ...] = ()
        # A reader that was left out for being slow may still be at work on an older view.
        self._lock = threading.Lock()

    def read(self, view: View) -> tuple[Line, ...]:
        """The lines of text on a view, from the top left.

        Raises:
            Unavailable: What reads is not installed.
        """
        with self._lock:
            changed = view.changed_since(self._view)
            if changed == ():
                return self._lines
            if changed is None:
                self._lines = self._search(view, _whole(view.size), _whole(view.size))
            else:
                self._lines = self._read_again(view, changed)
            self._view = view
            return self._lines

    def _read_again(self, view: View, changed: tuple[Box, ...]) -> tuple[Line, ...]:
        cores = _cores(changed, [line.box for line in self._lines], view.size)
        if sum(_looked_at(core, view.size).area for core in cores) > MOST * _whole(view.size).area:
            return self._search(view, _whole(view.size), _whole(view.size))
        kept = [line for line in self._lines if not any(line.box.intersect(c) for c in cores)]
        new = [line for core in cores for line in self._look_into(view, core)]
        kept = [line for line in kept if not any(_same_place(line.box, n.box) for n in new)]
        return _sorted(kept + new)

    def _look_into(self, view: View, core: Box) -> tuple[Line, ...]:
        """The text that reaches into a rectangle; no line is cut at its edges."""
        part = _looked_at(core, view.size)
        lines = self._search(view, part, core)
        for _ in range(TRIES):
            cut = [line.box for line in lines if _at_edge(line.box, part, view.size)]
            if not cut:
                break
            part = _looked_at(_around([part, *cut]), view.size)
            lines = self._search(view, part, core)
        return lines

    def _search(self, view: View, part: Box, core: Box) -> tuple[Line, ...]:
        """Find and read the lines in a part of a view that reach into its core."""
        pixels = view.pixels
        heat = self._nets.heat(pixels[part.y : part.bottom, part.x : part.right])
        boxes = _once(
            line
            for b in _lines.find_lines(heat)
            for line in _lines.tighten(pixels, Box(part.x + b.x, part.y + b.y, b.width, b.height))
        )
        read = self._read(pixels, [box for box in boxes if box.intersect(core)])
        lines = [line for line in read if not _is_astride(line, read)]
        beside = [box for box in boxes if not box.intersect(core)]
        short = short_lines(pixels, [*(line.box for line in lines), *beside])
        told = [line for line in self._read(pixels, short) if _is_told(line)]
        return _sorted([*lines, *(line for line in told if line.box.intersect(core))])

    def _read(self, pixels: Pixels, boxes: list[Box]) -> tuple[Line, ...]:
        crops = [pixels[box.y : box.bottom, box.x : box.right] for box in boxes]
        masks = [_lines.ink(crop) for crop in crops]
        spans = [_lines.pieces(mask) for mask in masks]
        parts = [crop[:, a:b] for crop, cut in zip(crops, spans, strict=True) for a, b in cut]
        read = iter(self._spell(parts))
        lines = []
        for box, mask, cut in zip(boxes, masks, spans, strict=True):
            line = _line(box, [(span, next(read), mask[:, slice(*span)]) for span in cut])
            lines += [part for part in _apart(line, mask) if _is_text(part)]
        return _sorted(lines)

    def _spell(self, crops: list[Pixels]) -> list[Spelled]:
        """What each crop says, from memory where its pixels are known."""
        keys = [_fingerprint(crop) for crop in crops]
        new = {key: crop for key, crop in zip(keys, crops, strict=True) if key not in self._spelled}
        if new:
            self._spelled.update(zip(new, self._nets.spell(list(new.values())), strict=True))
        for key in keys:
            self._spelled.move_to_end(key)
        spelled = [self._spelled[key] for key in keys]
        while len(self._spelled) > KEPT:
            self._spelled.popitem(last=False)
        return spelled


def _fingerprint(crop: Pixels) -> bytes:
    height, width = crop.shape[:2]
    sides = height.to_bytes(4, "big") + width.to_bytes(4, "big")
    return blake2b(sides + crop.tobytes(), digest_size=16).digest()


def _line(box: Box, parts: Sequence[tuple[_lines.Span, Spelled, NDArray[bool_]]]) -> Line:
    """One line out of its pieces."""
    text, letters, sure = "", 0, 0.0
    words: list[Word] = []
    for (start, _), read, mask in parts:
        said = read.text.strip()
        if text and said and not _stands_close(text[-1], said[0]):
            text += " "
        text += said
        letters += len(read.text)
        sure += read.confidence * len(read.text)
        for word, (left, right) in _lines.word_spans(read.text, read.columns, mask):
            at = Box(box.x + start + left, box.y, right - left, box.height)
            words.append(Word(word, at))
    return Line(text, box, round(sure / max(1, letters), 3), tuple(words))


def _apart(line: Line, mask: NDArray[bool_]) -> list[Line]:
    """A line whose characters stand one by one, as icons in a bar do: each for itself.

    Chinese words may be set so wide, and are left together.
    """
    signs = [character for character in line.text if not character.isspace()]
    if not 1 < len(signs) <= MOST_SIGNS or min(signs) >= "\u2e80":
        return [line]
    spans = _lines.islands(mask, round(APART * line.box.height))
    if len(spans) != len(signs):
        return [line]
    x, y, height = line.box.x - MARGIN, line.box.y, line.box.height
    boxes = [Box(max(0, x + a), y, b - a + 2 * MARGIN, height) for a, b in spans]
    return [
        Line(sign, box, line.confidence, (Word(sign, box),))
        for sign, box in zip(signs, boxes, strict=True)
    ]


def _is_text(line: Line) -> bool:
    """Whether it is a text rather than a picture that resembles one."""
    if len(line.text) == 2 and line.text.isascii() and line.text.isdigit():
        return line.confidence >= COUNTED
    wordy = len(line.text) > 2 and any(letter.isalnum() for letter in line.text)
    return bool(line.text) and line.confidence >= (UNSURE if wordy else SURE)


def _is_astride(line: Line, lines: Iterable[Line]) -> bool:
    """Whether what was read lies across lines that were read better: parts of two of them."""
    surer = [other.box for other in lines if other.confidence - line.confidence > DOUBT]
    common = [part for box in surer if (part := box.intersect(line.box)) is not None]
    return len(common) > 1 and sum(part.area for part in common) > ASTRIDE * line.box.area


def _is_told(line: Line) -> bool:
    """Whether what nothing but its place tells to be a text is one, beyond doubt."""
    return line.text.isascii() and line.text.isalnum() and line.confidence >= CERTAIN


def _stands_close(one: str, other: str) -> bool:
    """Whether two characters belong to a script without spaces."""
    return min(one, other) >= "\u2e80"


def _cores(changed: Iterable[Box], lines: list[Box], size: Size) -> list[Box]:
    """What must be searched again: what changed, with every line that reaches into it."""
    cores: list[Box] = []
    left = list(changed)
    while left:
        core = left.pop()
        touched = [line for line in lines if line.intersect(core)]
        grown = _around([core, *touched])
        near = _looked_at(grown, size)
        joined = [other for other in cores if other.intersect(near)]
        if grown == core and not joined:
            cores.append(core)
            continue
        cores = [other for other in cores if other not in joined]
        left.append(_around([grown, *joined]))
    return cores


def _looked_at(core: Box, size: Size) -> Box:
    wider = Box(
        core.x - AROUND[0],
        core.y - AROUND[1],
        core.width + 2 * AROUND[0],
        core.height + 2 * AROUND[1],
    )
    return wider.intersect(_whole(size)) or core


def _at_edge(line: Box, part: Box, size: Size) -> bool:
    """Whether a line goes on beyond the part that was looked at."""
    return (
        (line.x <= part.x and part.x > 0)
        or (line.right >= part.right and part.right < size.width)
        or (line.y <= part.y and part.y > 0)
        or (line.bottom >= part.bottom and part.bottom < size.height)
    )


def _same_place(one: Box, other: Box) -> bool:
    common = one.intersect(other)
    return common is not None and 2 * common.area > min(one.area, other.area)


def _once(boxes: Iterable[Box]) -> list[Box]:
    """The boxes without those that are another over again."""
    found: list[Box] = []
    for box in boxes:
        if not any(_is_one(box, other) for other in found):
            found.append(box)
    return found


def _is_one(one: Box, other: Box) -> bool:
    common = one.intersect(other)
    level = abs(one.center.y - other.center.y) <= MARGIN
    return level and common is not None and 2 * common.area > max(one.area, other.area)


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _whole(size: Size) -> Box:
    return Box(0, 0, size.width, size.height)


def _sorted(lines: list[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (line.box.y, line.box.x)))
