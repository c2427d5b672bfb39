"""What stands on one level with a text: the row of a page that tells of no rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["has_more_lines", "level_with"]

HIGH = 72
"""Pixels: what is higher is no part of one line."""
_SAYING = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.IMAGE, Kind.ICON}) | CONTROLS
_WORD = re.compile(r"[^\W\d_]{2}")


def level_with(leaf: Element, tree: Lineage) -> list[Box]:
    """The boxes on the line of a text, with its own; none where it stands there by itself.

    Pages draw rows that no tree tells of. They are told by where things are: on one line with the
    text, in the innermost part that has more on that line than the text.
    """
    for held in _held(leaf, tree):
        line = _on_line(leaf, held)
        if len(line) > 1:
            boxes = [e.box for e in _own(leaf, line) if e.box is not None]
            return boxes if len(boxes) > 1 else []
    return []


def has_more_lines(level: Box, holder: Element, tree: Lineage) -> bool:
    """Whether something has more rows like one: with the same controls, above or below its own."""
    used = [e for e in tree.below(holder) if kind_of(e) in CONTROLS and e.box is not None]
    own = {_shape(e) for e in used if e.box and level.contains(e.box.center)}
    return any(
        _shape(e) in own and not level.y <= e.box.center.y < level.bottom for e in used if e.box
    )


def _shape(element: Element) -> tuple[Kind, int, int]:
    assert element.box is not None
    return kind_of(element), element.box.x, element.box.width


def _held(leaf: Element, tree: Lineage) -> Iterator[list[Element]]:
    """What is in each thing around a text, the innermost first, and at last in all the page."""
    chain = tree.above(leaf)
    for holder in chain:
        yield tree.below(holder)
    outer = chain[-1] if chain else leaf
    page = tree.by_id.get(outer.parent or "")
    if page is not None:
        yield tree.below(page)


def _on_line(leaf: Element, held: Sequence[Element]) -> list[Element]:
    assert leaf.box is not None
    middle = leaf.box.center.y
    found: list[Element] = [leaf]
    for element in held:
        box = element.box
        if box is None or not box.area or box.height > HIGH or element.id == leaf.id:
            continue
        if kind_of(element) not in _SAYING or _says_no_more(element, leaf):
            continue
        if box.y <= middle < box.bottom or leaf.box.y <= box.center.y < leaf.box.bottom:
            found.append(element)
    return sorted(found, key=lambda e: e.box.x if e.box else 0)


def _says_no_more(element: Element, leaf: Element) -> bool:
    """Whether it is the text once more, or nothing that says or does anything."""
    if kind_of(element) in CONTROLS | {Kind.IMAGE, Kind.ICON}:
        return False
    said = written_on(element)
    over = element.box is not None and leaf.box is not None and element.box.intersect(leaf.box)
    return not said or bool(over and said == written_on(leaf))


def _own(leaf: Element, line: list[Element]) -> list[Element]:
    """Of a line with several entries side by side, those things that go with one text.

    An entry begins with words. So where words stand further left, it begins with the text itself,
    and it ends where words come after something that is used.
    """
    at = next(n for n, e in enumerate(line) if e.id == leaf.id)
    before = line[:at]
    own = [leaf] if any(map(_begins, before)) else [*before, leaf]
    used = False
    for element in line[at + 1 :]:
        if used and _begins(element):
            break
        used = used or kind_of(element) in CONTROLS
        own.append(element)
    return own


def _begins(element: Element) -> bool:
    written = kind_of(element) in (Kind.TEXT, Kind.HEADING, Kind.CELL)
    return written and _WORD.search(written_on(element)) is not None
