"""How far a part of a page reaches that is known by what is written over it."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, HOLDERS, Kind, kind_of

__all__ = ["section_under", "under_heading"]

_SAYING = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.IMAGE, *CONTROLS})
ALIKE = 0.85
"""How high the letters of a heading are, at least, beside those of one that ends its section."""


def section_under(title: Element, tree: Lineage) -> Element | None:
    """The part that a title heads: what holds it and more below it, and no other such title."""
    own = tree.inside(title)
    peers = [e for e in tree.elements if e.id not in own and _is_peer(e, title)]
    found: Element | None = None
    for holder in tree.above(title):
        if kind_of(holder) is Kind.HEADING or holder.box is None:
            continue
        held = tree.inside(holder)
        if any(peer.id in held for peer in peers):
            break
        more = [e for e in tree.below(holder) if e.id not in own and _is_below(e, title)]
        if more and found is None:
            found = holder
            if kind_of(title) is not Kind.HEADING:
                break
        elif more and kind_of(holder) in HOLDERS:
            found = holder
    return found


def _is_peer(element: Element, title: Element) -> bool:
    """Whether it heads another part of the same rank, or of a higher one."""
    if kind_of(title) is not Kind.HEADING or kind_of(element) is not Kind.HEADING:
        return False
    return (
        element.box is not None
        and title.box is not None
        and bool(written_on(element))
        and element.box.height >= ALIKE * title.box.height
        and written_on(element) != written_on(title)
    )


def _is_below(element: Element, title: Element) -> bool:
    if element.box is None or title.box is None or kind_of(element) not in _SAYING:
        return False
    return bool(element.box.area) and element.box.y >= title.box.bottom - 2


def under_heading(title: Element, tree: Lineage) -> tuple[Element, Box] | None:
    """The strip of a flat page from a heading to the next one, and what holds it."""
    above = tree.by_id
    holder = above.get(title.parent or "")
    if kind_of(title) is not Kind.HEADING and holder is not None:
        title, holder = (
            (holder, above.get(holder.parent or ""))
            if kind_of(holder) is Kind.HEADING
            else (title, holder)
        )
    if kind_of(title) is not Kind.HEADING or holder is None or holder.box is None:
        return None
    assert title.box is not None
    after = [
        e.box.y
        for e in tree.below(holder)
        if _is_peer(e, title) and e.box is not None and e.box.y > title.box.y
    ]
    end = min(after, default=holder.box.bottom)
    box = Box(holder.box.x, title.box.y, holder.box.width, max(1, end - title.box.y))
    return holder, box
