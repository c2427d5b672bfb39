"""Lists of closed drop-downs, of which some programs tell as if they were shown."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box

__all__ = ["without_closed_lists"]

NEAR = 12
"""Pixels between a drop-down and the list that it opens."""
_ENTRIES = frozenset({"list item", "menu item"})


def without_closed_lists(elements: Sequence[Element]) -> list[Element]:
    """Without entries that are told in the corner of the screen, far off their drop-down.

    There a list lies that was never opened: it would hide whatever is really shown there.
    """
    drops = {e.id: e for e in elements if e.role == "combo box" and "expanded" not in e.states}
    held: dict[str, list[Box]] = {}
    for element in elements:
        if element.parent in drops and element.role in _ENTRIES and element.box is not None:
            held.setdefault(element.parent, []).append(element.box)
    closed = {key for key, boxes in held.items() if _is_laid_aside(boxes, drops[key].box)}
    return [e for e in elements if e.parent not in closed or e.role not in _ENTRIES]


def _is_laid_aside(boxes: Sequence[Box], own: Box | None) -> bool:
    if own is None or not any(box.x == 0 and box.y == 0 for box in boxes):
        return False
    around = Box(
        max(0, own.x - NEAR), max(0, own.y - NEAR), own.width + 2 * NEAR, own.height + 2 * NEAR
    )
    first = min(boxes, key=lambda box: box.y)
    last = max(boxes, key=lambda box: box.bottom)
    return around.intersect(first) is None and around.intersect(last) is None
