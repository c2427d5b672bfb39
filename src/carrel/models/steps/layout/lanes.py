"""Lanes of a board: what stands under one of several titles in a line, told by where it is.

Many pages have a board whose lanes nobody tells of: titles side by side, and under each its cards.
"""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.sections import column_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["lane_under"]

LEVEL = 8
"""Pixels between titles that are in one line."""
ALIKE = 3
"""Pixels by which the letters of titles may differ."""
_WORD = re.compile(r"[^\W\d_]")


def lane_under(title: Element, tree: Lineage) -> tuple[Element, Box] | None:
    """What holds all lanes, and where that of a title is; None where it is no such title."""
    for holder in _holders(title, tree):
        held = tree.below(holder)
        beside = [e.box for e in held if _is_beside(e, title) and e.box is not None]
        if not beside or holder.box is None or title.box is None:
            continue
        leaves = [e.box for e in held if e.box and e.box.area and not tree.below(e)]
        box = column_of(title.box, beside, [], holder.box, leaves)
        filled = box is not None and any(_is_in(leaf, title.box, box) for leaf in leaves)
        return (holder, box) if box is not None and filled else None
    return None


def _holders(title: Element, tree: Lineage) -> list[Element]:
    """What holds a title, the innermost first; at last its page."""
    chain = tree.above(title)
    outer = tree.by_id.get((chain[-1] if chain else title).parent or "")
    return [*chain, outer] if outer is not None else chain


def _is_beside(element: Element, title: Element) -> bool:
    """Whether it is a title in the same line; a mere number tells how many there are."""
    own, at = element.box, title.box
    if own is None or at is None or kind_of(element) not in (Kind.TEXT, Kind.HEADING):
        return False
    if not _WORD.search(written_on(element)) or element.role != title.role:
        return False
    level = abs(own.y - at.y) <= LEVEL and abs(own.height - at.height) <= ALIKE
    return level and abs(own.x - at.x) > LEVEL


def _is_in(leaf: Box, title: Box, lane: Box) -> bool:
    return leaf.y >= title.bottom - 2 and lane.x <= leaf.center.x < lane.right
