"""Ids that stay the same from frame to frame for what stays where it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from carrel.frames import Element, Source
from carrel.geometry import MAX_SIDE, Box
from carrel.perception._grid import Grid

__all__ = ["Tracker"]

_Key = Callable[[Element], tuple[object, ...]]

SOURCES: tuple[Source, ...] = ("tree", "browser", "ocr", "detector")
NEAR = 4
"""Pixels by which an edge may move: a button that is pressed, a text that grows by a letter."""


class Tracker:
    """Gives the elements of frame after frame their ids.

    What has the same role at the same place keeps its id, also when its name, its value or its
    states have changed. An id is never given to anything else.
    """

    def __init__(self) -> None:
        self._last: tuple[Element, ...] = ()
        self._given = 0

    def track(
        self, elements: Sequence[Element], sources: Collection[Source] = SOURCES
    ) -> tuple[Element, ...]:
        """The same elements, in the same order, with lasting ids.

        Args:
            elements: Those of one frame.
            sources: Who was asked; what others have found before is not forgotten.
        """
        ids = _Match(self._last, elements).run()
        for element in elements:
            if element.id not in ids:
                self._given += 1
                ids[element.id] = f"e{self._given}"
        tracked = tuple(replace(e, id=ids[e.id], parent=ids.get(e.parent or "")) for e in elements)
        taken = set(ids.values())
        kept = [e for e in self._last if e.source not in sources and e.id not in taken]
        self._last = (*tracked, *kept)
        return tracked


class _Match:
    """Which of the new elements were there before."""

    def __init__(self, old: Sequence[Element], new: Sequence[Element]) -> None:
        self._old, self._new = old, new
        self._ids: dict[str, str] = {}
        self._taken: set[str] = set()

    def run(self) -> dict[str, str]:
        """Lasting ids by the ids of the new elements."""
        self._pair(_exact)
        self._pair(_place)
        self._pair_near()
        return self._ids

    def _take(self, new: Element, old: Element) -> None:
        self._ids[new.id] = old.id
        self._taken.add(old.id)

    def _pair(self, key: _Key) -> None:
        """Pair those of the same key, in their order."""
        known: dict[tuple[object, ...], deque[Element]] = {}
        for element in self._old:
            if element.id not in self._taken:
                known.setdefault(key(element), deque()).append(element)
        for element in self._new:
            if element.id not in self._ids and (found := known.get(key(element))):
                self._take(element, found.popleft())

    def _pair_near(self) -> None:
        left = [old for old in self._old if old.id not in self._taken]
        grid = Grid(old.box and Box(old.box.x, old.box.y, 1, 1) for old in left)
        for element in self._new:
            if element.id in self._ids:
                continue
            near = [
                old
                for old in (left[number] for number in grid.near(_corner(element.box)))
                if old.id not in self._taken and old.role == element.role and _near(old, element)
            ]
            if len(near) == 1:
                self._take(element, near[0])


def _exact(element: Element) -> tuple[object, ...]:
    return element.role, element.box, element.name, element.source


def _place(element: Element) -> tuple[object, ...]:
    return element.role, element.box


def _near(one: Element, other: Element) -> bool:
    if one.box is None or other.box is None:
        return False
    return all(abs(a - b) <= NEAR for a, b in zip(_sides(one.box), _sides(other.box), strict=True))


def _corner(box: Box | None) -> Box | None:
    """Where the top left corner of something near it may be."""
    if box is None:
        return None
    x, y = max(box.x - NEAR, -MAX_SIDE), max(box.y - NEAR, -MAX_SIDE)
    return Box(x, y, 2 * NEAR + 1, 2 * NEAR + 1)


def _sides(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.right, box.bottom
