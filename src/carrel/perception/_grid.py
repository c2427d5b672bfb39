"""Boxes by where they are on the screen: of a full one hardly any two come near each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carrel.geometry import Box

__all__ = ["Grid"]

CELL = 48
"""Pixels of a side of a cell."""
WIDE = 64
"""What lies in more cells is held against everything: there is little of it."""

_Cell = tuple[int, int]


class Grid:
    """Finds the boxes that may have a pixel in common with another, without asking all of them.

    Args:
        boxes: What is found by its index; one that is None is never found.
    """

    def __init__(self, boxes: Iterable[Box | None]) -> None:
        self._cells: dict[_Cell, list[int]] = {}
        self._wide: list[int] = []
        for number, box in enumerate(boxes):
            if box is None:
                continue
            if _span(box) > WIDE:
                self._wide.append(number)
                continue
            for cell in _cells(box):
                self._cells.setdefault(cell, []).append(number)
        self._all = sorted({*self._wide, *(n for found in self._cells.values() for n in found)})

    def near(self, box: Box | None) -> list[int]:
        """The indices of all boxes that overlap with one, and of some beside it, in their order."""
        if box is None:
            return []
        if _span(box) > max(WIDE, len(self._cells)):
            return self._all
        found = set(self._wide)
        for cell in _cells(box):
            found.update(self._cells.get(cell, ()))
        return sorted(found)


def _span(box: Box) -> int:
    across = (box.x + max(box.width, 1) - 1) // CELL - box.x // CELL + 1
    down = (box.y + max(box.height, 1) - 1) // CELL - box.y // CELL + 1
    return across * down


def _cells(box: Box) -> Iterator[_Cell]:
    for x in range(box.x // CELL, (box.x + max(box.width, 1) - 1) // CELL + 1):
        for y in range(box.y // CELL, (box.y + max(box.height, 1) - 1) // CELL + 1):
            yield x, y
