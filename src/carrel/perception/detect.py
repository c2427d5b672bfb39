"""Controls and icons found by their shapes, whoever drew them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from carrel.errors import Unavailable
from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._arrows import arrow_at_end
from carrel.perception._ink import ICON, Blot, find_blots, find_lone, overlap
from carrel.perception._regions import Region, find_regions
from carrel.perception._ticks import TICK, find_tick
from carrel.perception._tiles import find_tiled
from carrel.perception.view import EXTRA, View

if TYPE_CHECKING:
    from numpy import int32
    from numpy.typing import NDArray

    from carrel.perception.ocr import Line
    from carrel.perception.view import Pixels

__all__ = ["ClassicDetector", "Detector", "is_text"]

FIELD = (13, 72)
"""Heights of buttons, and of fields for one line."""
AREA = (72, 320)
"""Heights of fields for many lines."""
WIDEST_BUTTON = 420


def is_text(line: Line) -> bool:
    """Whether this is more than an icon that looks like a character to a reader."""
    letters = sum(character.isalnum() for character in line.text)
    return (
        letters > 1 and letters >= 0.6 * len(line.text.replace(" ", "")) and line.confidence > 0.6
    )


class Detector(Protocol):
    """Finds controls and icons in a picture, without asking any application."""

    def detect(self, view: View, lines: Sequence[Line]) -> tuple[Element, ...]:
        """What the picture shows besides text; `lines` is the text that was read in it."""
        ...


@dataclass(frozen=True, slots=True)
class _Thing:
    role: str
    box: Box
    confidence: float
    states: tuple[str, ...] = ()


class ClassicDetector:
    """Closed outlines, and what stands on flat ground without being text; no training."""

    def detect(self, view: View, lines: Sequence[Line]) -> tuple[Element, ...]:
        """Buttons, fields, check boxes, radio buttons, icons and pictures, from the top left.

        Raises:
            Unavailable: OpenCV is not installed.
        """
        try:
            import cv2  # noqa: F401 (asked for here, used by what is called below)
        except ImportError as error:
            raise Unavailable("shapes cannot be found: no OpenCV", hint=EXTRA) from error
        things = _Search(view.pixels, [line.box for line in lines if is_text(line)]).things()
        things.sort(key=lambda thing: (thing.box.y // 8, thing.box.x, thing.box.y))
        return tuple(
            Element(
                id=f"d{number}",
                role=thing.role,
                box=thing.box,
                states=thing.states,
                source="detector",
                confidence=thing.confidence,
            )
            for number, thing in enumerate(things, 1)
        )


class _Search:
    """One picture, from its outlines to what they are."""

    def __init__(self, pixels: Pixels, texts: Sequence[Box]) -> None:
        self.pixels = pixels
        self.texts = texts
        self.text_centres = _centres(texts)
        regions = find_regions(pixels)
        # What is smaller is a check box, or a part of an icon.
        self.large = [
            region
            for region in regions.found
            if max(region.box.width, region.box.height) > TICK[1]
            and not self._is_letter(region.box)
        ]
        self.tiled = find_tiled([region.box for region in self.large])
        self.blots = find_blots(regions, texts, self.large)
        self.beside = find_lone(regions.edges, texts)
        self.blot_centres = _centres([blot.box for blot in self.blots])

    def things(self) -> list[_Thing]:
        """Everything, each once."""
        used: set[int] = set()
        found = self._ticks(used)
        # The smallest first: what holds several of them is no control itself.
        for region in sorted(self.large, key=lambda region: region.box.area):
            thing = self._outlined(region, found, used)
            if thing is not None and not _is_double(thing.box, found):
                found.append(thing)
        found += [
            _Thing(_picture(blot), blot.box, blot.confidence)
            for number, blot in enumerate(self.blots)
            if number not in used
        ]
        height, width = self.pixels.shape[:2]
        whole = Box(0, 0, width, height)
        return [replace(t, box=box) for t in found if (box := t.box.intersect(whole)) is not None]

    def _is_letter(self, box: Box) -> bool:
        """Whether this is the inside of a letter such as o."""
        point = box.center
        return any(
            text.contains(point) and box.height < text.height * 1.1 and box.width < text.height * 2
            for text in self.texts
        )

    def _within(self, centres: NDArray[int32], box: Box) -> list[int]:
        """Which of these points lie in a box."""
        if not len(centres):
            return []
        x, y = centres[:, 0], centres[:, 1]
        inside = (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
        return [int(number) for number in inside.nonzero()[0]]

    def _ticks(self, used: set[int]) -> list[_Thing]:
        found = []
        for number, blot in enumerate(self.blots):
            told = find_tick(self.pixels, blot.box)
            if told is not None:
                used.add(number)
                states = ("enabled", told[1]) if told[1] else ("enabled",)
                found.append(_Thing(told[0], blot.box, 0.5, states))
        for box in self.beside:
            told = find_tick(self.pixels, box)
            if told is not None and not _is_double(box, found):
                states = ("enabled", told[1]) if told[1] else ("enabled",)
                found.append(_Thing(told[0], box, 0.4, states))
        return found

    def _outlined(self, region: Region, found: Sequence[_Thing], used: set[int]) -> _Thing | None:
        box = region.box
        written = [self.texts[n] for n in self._within(self.text_centres, box)]
        drawn = self._within(self.blot_centres, box)
        held = sum(1 for thing in found if box.contains(thing.box.center))
        if held > 1 or _columns(written) > (2 if region.border else 1):
            return None
        if box in self.tiled.cells and (written or not drawn):
            return None
        if region.disc:
            return self._disc(region, written, drawn, used)
        if FIELD[0] <= box.height <= FIELD[1] and box.width >= 0.7 * box.height:
            return self._bar(region, written, drawn, used)
        if AREA[0] < box.height <= AREA[1] and region.border and box.width >= 90 and not held:
            bare = region.bare > 0.6 and len(written) <= 8 and _left_aligned(box, written)
            return _Thing("entry", box, 0.4) if bare and not drawn[1:] else None
        return None

    def _disc(
        self, region: Region, written: Sequence[Box], drawn: Sequence[int], used: set[int]
    ) -> _Thing | None:
        if region.box.width > ICON[1]:
            return None
        used.update(drawn)
        return _Thing("push button" if written or drawn else "icon", region.box, 0.4)

    def _bar(
        self, region: Region, written: Sequence[Box], drawn: Sequence[int], used: set[int]
    ) -> _Thing | None:
        """A button, or a field for one line."""
        box = region.box
        wide = box.width >= 2.5 * box.height
        shown = written if written or region.border else [self.blots[n].box for n in drawn]
        if wide and (region.border or shown) and _left_aligned(box, shown):
            if box in self.tiled.bands or _rows(written) > 1:
                return None
            if box.width > WIDEST_BUTTON and not region.border and len(drawn) > 1:
                return None
            role = "combo box" if region.border and arrow_at_end(self.pixels, box) else "entry"
            return _Thing(role, box, 0.5 if region.border else 0.35)
        if box.width > WIDEST_BUTTON and not _centred(box, written):
            return None
        used.update(self._own_icon(written, drawn))
        if not written and not drawn and not region.border:
            return _Thing("icon", box, 0.3) if max(box.width, box.height) <= ICON[1] else None
        return _Thing("push button", box, 0.6 if written else 0.5)

    def _own_icon(self, written: Sequence[Box], drawn: Sequence[int]) -> Sequence[int]:
        """What is drawn on a button alone, or before its text; what comes after may be its own."""
        if len(drawn) != 1 or len(written) > 1:
            return ()
        icon = self.blots[drawn[0]].box
        return drawn if not written or icon.right <= written[0].x + 2 else ()


def _picture(blot: Blot) -> str:
    return "icon" if max(blot.box.width, blot.box.height) <= ICON[1] else "image"


def _centres(boxes: Sequence[Box]) -> NDArray[int32]:
    import numpy as np

    points = [box.center for box in boxes]
    return np.array([(point.x, point.y) for point in points], np.int32).reshape(-1, 2)


def _columns(written: Sequence[Box]) -> int:
    """How many texts stand side by side and far apart, as in a row of a table."""
    most = 0
    for first in written:
        level = [text for text in written if abs(text.center.y - first.center.y) < text.height / 2]
        level.sort(key=lambda text: text.x)
        far = sum(right.x - left.right > 3 * left.height for left, right in pairwise(level))
        most = max(most, 1 + far)
    return most


def _rows(written: Sequence[Box]) -> int:
    """How many texts stand below each other."""
    rows: list[Box] = []
    for text in sorted(written, key=lambda text: text.y):
        if not rows or text.center.y > rows[-1].bottom:
            rows.append(text)
    return len(rows)


def _left_aligned(box: Box, written: Sequence[Box]) -> bool:
    """Whether texts begin at the left and leave room at the right, as in a field."""
    if not written:
        return True
    left = min(text.x for text in written) - box.x
    right = box.right - max(text.right for text in written)
    return left < max(20, box.height) and right > left + max(8, 0.15 * box.width)


def _centred(box: Box, written: Sequence[Box]) -> bool:
    """Whether one line stands in the middle, as on a button."""
    if len(written) != 1:
        return False
    return abs(written[0].center.x - box.center.x) < max(12, 0.06 * box.width)


def _is_double(box: Box, found: Sequence[_Thing]) -> bool:
    return any(overlap(box, thing.box) > 0.7 for thing in found)
