"""Choices that a page has made of mere words side by side, under or beside what they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of

__all__ = ["segment_said", "segments_of"]

LONG = 30
"""Letters of a choice at most."""
BESIDE, BELOW = 320, 48
"""Pixels from what a row of choices is for to the row, at its right or below it."""
INDENT = 60
"""Pixels by which a row may begin before or behind the words over it."""
SAME = 3
"""Pixels by which the heights of choices in a row may differ."""
_HOLDERS = frozenset({Kind.GROUP, Kind.ANY, Kind.LIST, Kind.TOOLBAR})
_WORDS = frozenset({Kind.TEXT})


def segments_of(desk: Desk, label: Element) -> list[Element]:
    """The words side by side that may be chosen for what a label names; the nearest row of them."""
    at = label.box
    if at is None:
        return []
    rows = list(_rows(desk))
    beside = [(away, row) for row in rows if (away := _beside(at, row)) is not None]
    if not beside:
        labels = [e.box for e in part_meant(desk.elements, "") if kind_of(e) is Kind.TEXT and e.box]
        # What has words at its left is for them, and not for those over it.
        free = [row for row in rows if not any(_beside(b, row) is not None for b in labels)]
        beside = [(away, row) for row in free if (away := _below(at, row)) is not None]
    own = [(away, row) for away, row in beside if all(e.id != label.id for e in row)]
    return min(own, key=lambda pair: pair[0])[1] if own else []


def segment_said(desk: Desk, phrase: str) -> Element | None:
    """`the crust Thin`, `the Large size`: the choice of the row that the noun stands at."""
    words = re.sub(r"^(?:the|an?)\s+", "", phrase.strip(), flags=re.IGNORECASE)
    parts = [part.strip('"“”') for part in words.split()]
    labels = [e for e in part_meant(desk.elements, "") if kind_of(e) in (Kind.TEXT, Kind.HEADING)]
    found: dict[str, Element] = {}
    for cut in range(1, len(parts)):
        halves = fold(" ".join(parts[:cut])), fold(" ".join(parts[cut:]))
        for noun, name in (halves, halves[::-1]):
            for label in labels:
                if fold(written_on(label)).strip(" :：*") != noun:
                    continue
                fitting = [e for e in segments_of(desk, label) if fold(written_on(e)) == name]
                found.update({e.id: e for e in fitting} if len(fitting) == 1 else {})
    return next(iter(found.values())) if len(found) == 1 else None


def _rows(desk: Desk) -> Iterator[list[Element]]:
    """Words of their own side by side, that nothing else is held with."""
    tree = lineage_of(tuple(desk.elements))
    held: dict[str, list[Element]] = {}
    for element in part_meant(desk.elements, ""):
        if element.parent is not None and element.box is not None and element.box.area:
            held.setdefault(element.parent, []).append(element)
    for parent, children in held.items():
        holder = tree.by_id.get(parent)
        own = [e for e in children if written_on(e) or kind_of(e) is not Kind.TEXT]
        if holder is None or kind_of(holder) not in _HOLDERS or len(own) < 2:
            continue
        row = [words for child in own if (words := _words_of(child, tree)) is not None]
        if len(row) == len(own) and _is_line([e.box for e in own if e.box]):
            yield row


def _words_of(element: Element, tree: Lineage) -> Element | None:
    """The one short text that it is or holds, if it holds no control."""
    held = [element, *tree.below(element)]
    if any(kind_of(e) in CONTROLS - {Kind.OPTION} or is_disabled(e) for e in held):
        return None
    texts = [e for e in held if kind_of(e) in _WORDS and written_on(e)]
    alone = len(texts) == 1 and len(written_on(texts[0])) <= LONG
    return texts[0] if alone and texts[0].box is not None else None


def _is_line(boxes: Sequence[Box]) -> bool:
    return all(
        abs(b.center.y - boxes[0].center.y) <= SAME and abs(b.height - boxes[0].height) <= SAME
        for b in boxes
    )


def _beside(label: Box, row: Sequence[Element]) -> int | None:
    """How far a row is from words at its left, in its line."""
    place = around([e.box for e in row if e.box is not None])
    level = place.y <= label.center.y < place.bottom
    return place.x - label.right if level and 0 <= place.x - label.right <= BESIDE else None


def _below(label: Box, row: Sequence[Element]) -> int | None:
    """How far a row is from words over its beginning."""
    place = around([e.box for e in row if e.box is not None])
    under = 0 <= place.y - label.bottom <= BELOW and abs(place.x - label.x) <= INDENT
    return place.y - label.bottom if under else None
