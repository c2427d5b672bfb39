"""Setting check boxes after a picture that shows which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import all_fitting
from carrel.models.steps.program import Imitate
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, is_disabled, kind_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from carrel.perception.view import View

__all__ = ["imitate"]

_PICTURES = (Kind.IMAGE, Kind.SHAPE, Kind.ICON)
_SIDE = re.compile(r"\b(right|left|above|below|top|bottom)\b|([右左上下])", re.IGNORECASE)
_ZH = {"右": "right", "左": "left", "上": "above", "下": "below"}
LEAST = 400
"""Pixels that a picture has at least to show a pattern."""
FRAMED = 0.55
"""What part of a picture is left at least when its frame is taken away."""
APART = 40
"""How far two shades must be apart, of 255."""


def imitate(desk: Desk, step: Imitate) -> Turns[str | None]:
    """Tick those of a field of boxes that a picture shows as marked, and no others."""
    rows = _rows(_boxes(desk, step.what))
    view = desk.seen.view
    if view is None:
        raise Missed("without a picture the example cannot be seen")
    example = _example(desk, step.example, [box for row in rows for box in row])
    wanted = pattern(view, example, len(rows), len(rows[0]))
    for _ in range(2):
        now = _rows(_boxes(desk, step.what))
        wrong = [
            element
            for elements, marks in zip(now, wanted, strict=False)
            for element, on in zip(elements, marks, strict=False)
            if ("checked" in element.states) != on
        ]
        if not wrong:
            return None
        clicks = [Click(e.box.center.x, e.box.center.y) for e in wrong if e.box is not None]
        yield from desk.do(*clicks, why=f"{len(clicks)} boxes are not as in the example", last=True)
    if any(
        ("checked" in e.states) != on
        for elements, marks in zip(_rows(_boxes(desk, step.what)), wanted, strict=False)
        for e, on in zip(elements, marks, strict=False)
    ):
        raise Missed("the boxes do not stay as in the example")
    return None


def _boxes(desk: Desk, phrase: str) -> list[Element]:
    found = [e for e in all_fitting(desk, phrase) if kind_of(e) is Kind.CHECKBOX]
    listed = found or [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.CHECKBOX]
    return [e for e in listed if e.box is not None and not is_disabled(e)]


def _rows(boxes: Sequence[Element]) -> list[list[Element]]:
    """Row by row, as they stand.

    Raises:
        Missed: They do not stand in rows of one length.
    """
    rows: list[list[Element]] = []
    for element in sorted(boxes, key=lambda e: e.box.center.y if e.box else 0):
        assert element.box is not None
        last = rows[-1][0].box if rows else None
        if last is not None and abs(last.center.y - element.box.center.y) <= last.height // 2:
            rows[-1].append(element)
        else:
            rows.append([element])
    if len(boxes) < 2 or len({len(row) for row in rows}) != 1:
        raise Missed(f"the {len(boxes)} check boxes do not stand in rows of one length")
    return [sorted(row, key=lambda e: e.box.x if e.box else 0) for row in rows]


def _example(desk: Desk, phrase: str, boxes: Sequence[Element]) -> Box:
    """The one picture that stands beside the boxes, on the side that is said.

    Raises:
        Missed: There is none, or more than one.
    """
    field = _around([e.box for e in boxes if e.box is not None])
    pictures = {
        e.box
        for e in part_meant(desk.elements, "")
        if kind_of(e) in _PICTURES and e.box and e.box.area >= LEAST and not e.box.intersect(field)
    }
    said = _SIDE.search(phrase)
    side = (said[1] or _ZH[said[2]]).casefold() if said else ""
    fitting = [box for box in pictures if _lies(box, field, side)]
    near = [box for box in fitting if _is_level(box, field)] or fitting
    if len(near) != 1:
        raise Missed(f"{len(near)} pictures may be {phrase}")
    return near[0]


def _lies(box: Box, field: Box, side: str) -> bool:
    sides = {
        "right": box.x >= field.right - 8,
        "left": box.right <= field.x + 8,
        "above": box.bottom <= field.y + 8,
        "top": box.bottom <= field.y + 8,
        "below": box.y >= field.bottom - 8,
        "bottom": box.y >= field.bottom - 8,
    }
    return sides.get(side, True)


def _is_level(box: Box, field: Box) -> bool:
    """Whether it shows rows like theirs: about as high as they are, beside them."""
    common = min(box.bottom, field.bottom) - max(box.y, field.y)
    return common >= 0.6 * max(box.height, field.height)


def _around(boxes: Sequence[Box]) -> Box:
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(x, y, right - x, bottom - y)


def pattern(view: View, box: Box, rows: int, columns: int) -> list[list[bool]]:
    """Which cells of a picture are marked: those unlike its edge.

    Raises:
        Missed: They are all alike.
    """
    from carrel.perception.colours import crop, most_common, rim

    edge = most_common(rim(crop(view.pixels, box))).astype(float)
    pixels = _without_frame(abs(crop(view.pixels, box).astype(float) - edge).mean(axis=2))
    high, wide = pixels.shape[0] / rows, pixels.shape[1] / columns

    def away(row: int, column: int) -> float:
        down = slice(int((row + 0.35) * high), int((row + 0.65) * high) + 1)
        across = slice(int((column + 0.35) * wide), int((column + 0.65) * wide) + 1)
        return float(pixels[down, across].mean())

    found = [[away(row, column) for column in range(columns)] for row in range(rows)]
    low, top = min(map(min, found)), max(map(max, found))
    if top - low < APART:
        raise Missed("the example shows no pattern")
    return [[value > (low + top) / 2 for value in line] for line in found]


def _without_frame(away: NDArray[float64]) -> NDArray[float64]:
    """Without what is like the edge on all sides, as long as that is only a frame."""
    import numpy as np

    down, across = np.nonzero((away > 24).any(axis=1))[0], np.nonzero((away > 24).any(axis=0))[0]
    if not len(down) or not len(across):
        return away
    inner = away[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
    return inner if inner.size >= FRAMED * away.size else away
