"""Titles in a strip of their own, above the part of a page that they head."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["body_under", "is_one_of_many"]

SAME = 4
"""Pixels by which strips that are made alike may differ."""
GAP = 16
"""Pixels between a strip and what it heads."""
_STRIPS = ("section", "panel", "landmark", "filler", "grouping")


def is_one_of_many(title: Element, holder: Element, tree: Lineage) -> bool:
    """Whether the holder has more strips like the title's: it is no part that the title heads."""
    strip = _branch(title, holder, tree)
    if strip is None or strip.role not in _STRIPS or strip.box is None:
        return False
    width, height = strip.box.width, strip.box.height
    return any(
        abs(e.box.width - width) <= SAME and abs(e.box.height - height) <= SAME
        for e in _beside(strip, holder, tree)
        if e.box is not None and e.role == strip.role and _says_one_thing(e, title, tree)
    )


def body_under(title: Element, holder: Element, tree: Lineage) -> Element | None:
    """What lies right below the strip of a title, and is as wide."""
    strip = _branch(title, holder, tree)
    box = strip.box if strip is not None else None
    if strip is None or box is None:
        return None
    found = [
        e
        for e in _beside(strip, holder, tree)
        if e.box is not None and -SAME <= e.box.y - box.bottom <= GAP and e.box.area
        if abs(e.box.x - box.x) <= SAME and abs(e.box.width - box.width) <= SAME
    ]
    return found[0] if len(found) == 1 and not _is_strip(found[0], strip) else None


def _is_strip(body: Element, strip: Element) -> bool:
    """Whether it is just the next strip."""
    return (
        body.box is not None
        and strip.box is not None
        and body.role == strip.role
        and abs(body.box.height - strip.box.height) <= SAME
    )


def _branch(title: Element, holder: Element, tree: Lineage) -> Element | None:
    """What is right in the holder, and has the title in it."""
    chain = [title, *tree.above(title)]
    return next((e for e in chain if e.parent == holder.id), None)


def _beside(strip: Element, holder: Element, tree: Lineage) -> list[Element]:
    return [e for e in tree.below(holder) if e.parent == holder.id and e.id != strip.id]


def _says_one_thing(strip: Element, title: Element, tree: Lineage) -> bool:
    """Whether it has one text in it, written as high as the title."""
    texts = [e for e in tree.below(strip) if kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    said = {written_on(e) for e in texts if written_on(e)}
    high = {e.box.height for e in texts if e.box is not None}
    return len(said) == 1 and title.box is not None and title.box.height in high
