"""Who holds whom, of all that is on the screen at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from carrel.frames import Element
from carrel.perception.roles import Kind, kind_of

__all__ = ["Lineage", "lineage_of"]

DEEPEST = 200


class Lineage:
    """The tree of the elements, asked many questions."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self.elements = tuple(elements)
        self.by_id = {e.id: e for e in elements}
        self._children: dict[str, list[Element]] = {}
        for element in elements:
            if element.parent is not None:
                self._children.setdefault(element.parent, []).append(element)

    def above(self, element: Element) -> list[Element]:
        """What holds an element, the innermost first, without the page and the window."""
        chain: list[Element] = []
        at = self.by_id.get(element.parent or "")
        while at is not None and len(chain) < DEEPEST:
            if kind_of(at) in (Kind.PAGE, Kind.WINDOW):
                break
            chain.append(at)
            at = self.by_id.get(at.parent or "")
        return chain

    def below(self, element: Element) -> list[Element]:
        """Everything in an element, in no order that matters."""
        found: list[Element] = []
        seen, waiting = {element.id}, [element]
        while waiting:
            for child in self._children.get(waiting.pop().id, ()):
                if child.id not in seen:
                    seen.add(child.id)
                    found.append(child)
                    waiting.append(child)
        return found

    def inside(self, element: Element) -> frozenset[str]:
        """The ids of an element and of everything in it."""
        return frozenset((element.id, *(e.id for e in self.below(element))))


@lru_cache(maxsize=4)
def lineage_of(elements: tuple[Element, ...]) -> Lineage:
    """The tree of these elements."""
    return Lineage(elements)
