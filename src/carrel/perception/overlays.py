"""What a page lays over a dialog: the lists, calendars and questions that came up after it.

Pages put such things at their end, wherever the field is that opened them. What merely follows a
dialog in the page is behind it, as all the rest: in the flow of a page nothing lies on anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["Overlays"]

COMMON = 4
"""Pixels that two boxes have to share each way to lie on one another."""
DEEPEST = 200


class Overlays:
    """Of the elements of one moment, parents before their children, which lie over which."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = elements
        self._by_id: Mapping[str, Element] = {element.id: element for element in elements}
        self._order = {element.id: at for at, element in enumerate(elements)}
        self._known: dict[tuple[str, str], bool] = {}

    def lies_over(self, element: Element, dialog: Element) -> bool:
        """Whether it belongs to something that came after a dialog and is laid over the page."""
        above = self._line(dialog)
        ids = {item.id for item in above}
        branch = None
        for item in self._line(element):
            if item.id in ids:
                break
            branch = item
        if branch is None or self._order[branch.id] < self._order[dialog.id]:
            return False
        key = (branch.id, dialog.id)
        if key not in self._known:
            self._known[key] = self._is_laid(branch, dialog, above)
        return self._known[key]

    def _line(self, element: Element) -> list[Element]:
        line = [element]
        while line[-1].parent in self._by_id and len(line) < DEEPEST:
            line.append(self._by_id[line[-1].parent or ""])
        return line

    def _is_laid(self, branch: Element, dialog: Element, above: Sequence[Element]) -> bool:
        """Whether it lies on what comes before the dialog in the page."""
        holders = {item.id for item in above}
        around = {item.id for item in self._line(branch)}
        for element in self._elements[: self._order[dialog.id]]:
            if element.id in around or not _share(element.box, branch.box):
                continue
            if element.id not in holders or self._says_more(element, dialog):
                return True
        return False

    def _says_more(self, holder: Element, dialog: Element) -> bool:
        """Whether something is written in what holds a dialog, beside the dialog."""
        first, last = self._order[holder.id], self._order[dialog.id]
        return any(
            (e.name or e.value) and any(item.id == holder.id for item in self._line(e)[1:])
            for e in self._elements[first + 1 : last]
        )


def _share(one: Box | None, other: Box | None) -> bool:
    common = one.intersect(other) if one is not None and other is not None else None
    return common is not None and min(common.width, common.height) >= COMMON
