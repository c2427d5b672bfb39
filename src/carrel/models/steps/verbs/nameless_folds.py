"""The sign before an entry of a page's tree that says nothing of being folded."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.shown.tick_boxes import drawn_now
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["nameless_fold"]

LARGEST, LEAST = 24, 5
"""Pixels of a side of such a sign."""
LIKE = 2
"""How many entries have one in the same list or below it, at least."""
_SIGNS = frozenset({Kind.BUTTON, Kind.ICON, Kind.IMAGE, Kind.GROUP, Kind.ANY, Kind.LINK})


def nameless_fold(desk: Desk, element: Element) -> Element | None:
    """The small thing without a name that begins the entry, as it begins others of its tree."""
    if kind_of(element) is not Kind.OPTION or "selected" in element.states:
        return None
    tree = lineage_of(desk.elements)
    sign = _first(tree, element)
    if sign is None or drawn_now(desk, sign) is not None:
        return None
    box = sign.box
    others = [e for e in desk.elements if kind_of(e) is Kind.OPTION and e.id != element.id]
    alike = [
        one
        for entry in others
        if (one := _first(tree, entry)) is not None and one.box is not None and box is not None
        if (one.box.width, one.box.height) == (box.width, box.height)
    ]
    return sign if len(alike) >= LIKE else None


def _first(tree: Lineage, entry: Element) -> Element | None:
    """What an entry begins with, where that is small, says nothing, and its words follow."""
    held = [e for e in tree.below(entry) if e.box is not None and e.box.area]
    words = [e for e in held if kind_of(e) is Kind.TEXT and written_on(e).strip()]
    line = min(words, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0), default=None)
    own = [e for e in held if e.parent == entry.id and _is_level(e, line)]
    first = min(own, key=lambda e: e.box.x if e.box else 0, default=None)
    if first is None or line is None or kind_of(first) not in _SIGNS or first.box is None:
        return None
    if written_on(first).strip() or any(kind_of(e) in TICKED for e in tree.below(first)):
        return None
    sides = (first.box.width, first.box.height)
    small = min(sides) >= LEAST and max(sides) <= LARGEST
    return first if small and line.box and first.box.right <= line.box.x else None


def _is_level(element: Element, line: Element | None) -> bool:
    if line is None or line.box is None or element.box is None:
        return False
    return element.box.y <= line.box.center.y < element.box.bottom
