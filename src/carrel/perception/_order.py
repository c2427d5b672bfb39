"""Reading order: rows from the top, in a row from the left; columns that stand apart one by one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from carrel.geometry import Box
from carrel.perception._grid import Grid

__all__ = ["reading_order"]

SLACK = 3
"""Pixels by which neighbours may overlap and still be apart."""
APART = 24
"""Columns are only columns when this many pixels are between them."""
HUGE = 6
"""What is so many times as large as something inside it is not read with it, but before it."""
FEW = 100
"""Among more boxes only those much larger than usual are taken to hold others."""


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """The indices of the boxes, in the order in which they are read."""
    holders = _holders(boxes)
    order = _read([n for n in range(len(boxes)) if n not in holders], boxes)
    # From the innermost, each right before what it holds; of equal ones the later is further in.
    for number in sorted(holders, key=lambda n: (boxes[n].area, -n)):
        inside = (at for at, other in enumerate(order) if _holds(boxes[number], boxes[other]))
        order.insert(next(inside, len(order)), number)
    return order


def _holders(boxes: Sequence[Box]) -> set[int]:
    """What is much larger than something inside it."""
    if not boxes:
        return set()
    usual = median(box.area for box in boxes) if len(boxes) > FEW else 0
    middles = [(box.x + box.width // 2, box.y + box.height // 2, box.area) for box in boxes]
    grid = Grid(Box(x, y, 1, 1) for x, y, _ in middles)
    return {
        n
        for n, box in enumerate(boxes)
        if box.area > HUGE * usual and any(_surrounds(box, middles[at]) for at in grid.near(box))
    }


def _surrounds(box: Box, middle: tuple[int, int, int]) -> bool:
    x, y, area = middle
    return (
        HUGE * area <= box.area
        and box.x <= x < box.x + box.width
        and box.y <= y < box.y + box.height
    )


def _holds(outer: Box, inner: Box) -> bool:
    return outer.contains(inner.center) and outer.area >= inner.area


def _read(numbers: list[int], boxes: Sequence[Box]) -> list[int]:
    """Cut into rows where nothing is in the way, else into columns, and so on with the parts."""
    order: list[int] = []
    waiting = [numbers]
    while waiting:
        part = waiting.pop()
        rows = _cut(part, [(boxes[n].y, boxes[n].bottom) for n in part], -SLACK)
        pieces = rows
        if len(rows) == 1:
            pieces = _cut(part, [(boxes[n].x, boxes[n].right) for n in part], APART)
        if len(pieces) == 1:
            order += _in_rows(part, boxes)
        else:
            waiting += reversed(pieces)
    return order


def _cut(numbers: list[int], spans: list[tuple[int, int]], gap: int) -> list[list[int]]:
    """Groups with at least `gap` pixels between them, in their order."""
    pieces: list[list[int]] = []
    end = 0
    for number, (start, stop) in sorted(
        zip(numbers, spans, strict=True), key=lambda item: (item[1], item[0])
    ):
        if pieces and start - end < gap:
            pieces[-1].append(number)
            end = max(end, stop)
        else:
            pieces.append([number])
            end = stop
    return pieces or [[]]


def _in_rows(numbers: list[int], boxes: Sequence[Box]) -> list[int]:
    """What cannot be cut: by the rows in which the middles are."""
    rows: list[list[int]] = []
    middle, height = 0, 0
    for number in sorted(numbers, key=lambda n: (boxes[n].center.y, boxes[n].x, n)):
        box = boxes[number]
        if rows and abs(box.center.y - middle) * 2 < min(height, box.height):
            rows[-1].append(number)
        else:
            rows.append([number])
            middle, height = box.center.y, box.height
    return [n for row in rows for n in sorted(row, key=lambda n: (boxes[n].x, boxes[n].y, n))]
