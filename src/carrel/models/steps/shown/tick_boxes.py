"""The box by which something is ticked: itself, one in its entry, or one that is only drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.entry_rows import ENTRIES
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.shown.entries import entry_of, own_parts, tick_box_of
from carrel.perception._pills import find_switch, is_pill
from carrel.perception._ticks import TICK, Mark, find_tick, seen_beside
from carrel.perception.colours import crop
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import TICKED, Kind, kind_of

if TYPE_CHECKING:
    from carrel.perception.view import Pixels

__all__ = ["box_called", "box_of", "drawn_now", "tells"]

BESIDE = 64
"""Pixels between a drawn box and the words it belongs to: an icon may stand between them."""
ACROSS, SLACK = 420, 4
"""Pixels to a switch at the end of the line, and by which it may stand higher or lower."""
FAR = 2
"""How often as far away another box is that is no box of the words."""
INDENTED, MOST_ALIKE = 120, 12
"""How far the boxes of a tree may be from one column; and with how many of them one is compared."""
SHIFTS = ((0, 0), (0, 1), (1, 1), (1, 2))
"""By how much a square may lie within what draws it, and be smaller."""
PEERS = 2
"""How many others must have an empty box in the same place."""
EMPTY = ("check box", "")
_DRAWN_BY = frozenset({Kind.GROUP, Kind.ANY, Kind.IMAGE, Kind.ICON, Kind.TEXT, Kind.BUTTON})


def tells(element: Element) -> bool:
    """Whether its application says how it is, or its pixels do."""
    if element.source in ("tree", "browser"):
        told = "checkable" in element.states or element.role == "toggle button"
        return told or kind_of(element) in TICKED
    drawn = ("check box", "radio button", "switch")
    return element.source == "detector" and element.role in drawn


def box_called(elements: Sequence[Element], words: Element) -> Element | None:
    """The one box without a name of its own that a mere text stands beside, as its label.

    A page that does not say that they belong together does nothing when the text is clicked.
    """
    if kind_of(words) not in (Kind.TEXT, Kind.HEADING) or words.box is None:
        return None
    known = labels(tuple(elements))
    boxes = [e for e in elements if kind_of(e) in TICKED and not e.name.strip()]
    mine = [e for e in boxes if e.id in known and known[e.id].box == words.box]
    return mine[0] if len(mine) == 1 else None


def box_of(desk: Desk, element: Element) -> Element | None:
    """The box to tick for something that was named; None where none can be told."""
    if kind_of(element) in TICKED or "checkable" in element.states:
        return element
    if (inner := _in_cell(desk, element) or _named_by(desk, element)) is not None:
        return inner
    element = _innermost(desk, element)
    found = tick_box_of(desk.elements, element) or _drawn_beside(desk, element)
    if found is not None and _is_empty(found):
        _remember(desk, found)
    return found or _where_others_are(desk, element)


def _named_by(desk: Desk, words: Element) -> Element | None:
    """The one box that is called by a text right beside it: that text is its label."""
    said = written_on(words).strip()
    if kind_of(words) is not Kind.TEXT or not said or words.box is None:
        return None
    called = [e for e in desk.elements if _is_told(e) and e.name.strip() == said and e.box]
    level = [e for e in called if e.box and words.box.y <= e.box.center.y < words.box.bottom]
    return level[0] if len(level) == 1 else None


def _is_told(element: Element) -> bool:
    """Whether it says itself that it is ticked, or pressed."""
    return kind_of(element) in TICKED or element.role == "toggle button"


def _in_cell(desk: Desk, element: Element) -> Element | None:
    """The one box or switch that a cell of a table holds, and nothing else."""
    if kind_of(element) is not Kind.CELL or written_on(element).strip():
        return None
    held = [e for e in lineage_of(desk.elements).below(element) if kind_of(e) in TICKED]
    return held[0] if len(held) == 1 else None


def _innermost(desk: Desk, element: Element) -> Element:
    """Of entries in one another that are called alike the one that has the box beside its words."""
    words, box = written_on(element).strip(), element.box
    if kind_of(element) not in ENTRIES or box is None or not words:
        return element
    inner = [
        e
        for e in desk.elements
        if kind_of(e) in ENTRIES and written_on(e).strip() == words
        if e.box is not None and within(e.box, box) and e.box.area < box.area
    ]
    return min(inner, key=lambda e: e.box.area if e.box else 0, default=element)


def drawn_now(desk: Desk, box: Element) -> Element | None:
    """How a drawn box looks now; None where it cannot be seen."""
    return None if box.box is None else _drawn(desk, box.box, box.id)


def _drawn_beside(desk: Desk, element: Element) -> Element | None:
    """The one small square in the line of the words that looks like a box to tick."""
    tree = lineage_of(desk.elements)
    entry = entry_of(desk.elements, element)
    if entry is None:
        found = (_drawn_among(desk, parts, element) for parts in _around(desk, element))
        return next(filter(None, found), None)
    return _drawn_among(desk, own_parts(tree, entry), element)


def _drawn_among(desk: Desk, parts: Sequence[Element], element: Element) -> Element | None:
    tree = lineage_of(desk.elements)
    words = _words(parts, element)
    if words is None:
        return None
    fitting = [e for e in parts if _may_be_box(e, words) or _is_alone_in_cell(e, words, tree)]
    # What is drawn on a switch that tells of itself is its knob.
    fitting = [e for e in fitting if not any(map(_is_told, tree.above(e)))]
    bare = [e for e in fitting if all(_is_sign(one) or _is_bare(one) for one in tree.below(e))]
    shapes = list({e.box: e for e in bare}.values())
    drawn = [box for e in shapes if e.box and (box := _drawn(desk, e.box, e.id)) is not None]
    square = [box for box in drawn if box.role in ("check box", "switch")]
    return _nearest(square, words)


def _nearest(boxes: Sequence[Element], words: Box) -> Element | None:
    """The box of the words: the only one, or by far the nearest in their line."""
    gaps = sorted(
        ((max(words.x - b.box.right, b.box.x - words.right, 0), b) for b in boxes if b.box),
        key=lambda one: one[0],
    )
    apart = len(gaps) < 2 or gaps[1][0] >= FAR * (gaps[0][0] + 1)
    return gaps[0][1] if gaps and apart else None


def _is_sign(element: Element) -> bool:
    """Whether it is a sign of a font that draws pictures, and no words."""
    said = written_on(element).strip()
    return bool(said) and all(unicodedata.category(char) == "Co" for char in said)


def _around(desk: Desk, element: Element) -> list[list[Element]]:
    """What stands beside something in the parts that hold it, the innermost first."""
    tree = lineage_of(desk.elements)
    beside = [e for e in desk.elements if e.parent == element.parent and e.parent is not None]
    return [tree.below(holder) for holder in tree.above(element)[:2]] or [beside or [element]]


def _words(parts: Sequence[Element], element: Element) -> Box | None:
    """Where the words of something stand: its own line, and not that of what is below it."""
    texts = [e for e in parts if e.box is not None and e.box.area and written_on(e).strip()]
    texts = [e for e in texts if not _is_sign(e)]
    mine = [e for e in texts if e.id == element.id and kind_of(e) is Kind.TEXT] or [
        e for e in texts if kind_of(e) is Kind.TEXT
    ]
    first = min(mine, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0), default=None)
    return first.box if first is not None else None


def _may_be_box(element: Element, words: Box) -> bool:
    box = element.box
    if box is None or kind_of(element) not in _DRAWN_BY or written_on(element).strip():
        return False
    short, long = sorted((box.width, box.height))
    if not is_pill(box) and (short < TICK[0] or long > TICK[1] + 2):
        return False
    # Switches stand at the end of their line.
    reach = ACROSS if is_pill(box) else BESIDE
    beside = -BESIDE <= box.right - words.x <= 2 or -2 <= box.x - words.right <= reach
    return beside and words.y - SLACK <= box.center.y < words.bottom + SLACK


def _is_bare(element: Element) -> bool:
    return kind_of(element) in (Kind.GROUP, Kind.ANY) and not written_on(element).strip()


def _is_alone_in_cell(element: Element, words: Box, tree: Lineage) -> bool:
    """Whether it is all that a cell of the same row holds: boxes have a column of their own."""
    box = element.box
    if box is None or kind_of(element) not in _DRAWN_BY or written_on(element).strip():
        return False
    short, long = sorted((box.width, box.height))
    if short < TICK[0] or long > TICK[1] + 2 or not words.y <= box.center.y < words.bottom:
        return False
    cell = next((e for e in tree.above(element) if kind_of(e) is Kind.CELL), None)
    if cell is None or (written_on(cell).strip() and not _is_sign(cell)):
        return False
    return all(_is_sign(e) or _is_bare(e) for e in tree.below(cell))


def _drawn(desk: Desk, box: Box, id_: str) -> Element | None:
    """A box to tick that is drawn there, and whether it is ticked."""
    view = desk.seen.view
    if view is None:
        return None
    if is_pill(box) and (on := _seen_switch(view.pixels, box)) is not None:
        states = ("checkable", "checked") if on else ("checkable",)
        return Element(id_, "switch", box=box, states=states, source="detector")
    found = _seen_tick(view.pixels, box)
    if found is None and any(_seen_tick(view.pixels, one) == EMPTY for one in _alike(desk, box)):
        # Where others of its like are empty boxes, what is otherwise the same has a mark.
        found = "check box", "checked"
    if found is None and (blank := desk.blank_boxes.get((box.width, box.height))) is not None:
        found = seen_beside(crop(view.pixels, box), blank)
    if found is None:
        return None
    states = ("checkable", found[1]) if found[1] else ("checkable",)
    return Element(id_, found[0], box=box, states=states, source="detector")


def _is_empty(box: Element) -> bool:
    drawn = box.source == "detector" and box.role == "check box"
    return drawn and {"checked", "indeterminate"}.isdisjoint(box.states)


def _remember(desk: Desk, box: Element) -> None:
    """How a box looks while it is empty: later a mark in it may reach over its border."""
    if desk.seen.view is not None and box.box is not None:
        size = (box.box.width, box.box.height)
        desk.blank_boxes[size] = crop(desk.seen.view.pixels, box.box).copy()


def _where_others_are(desk: Desk, element: Element) -> Element | None:
    """A box that stands as far from its words as the empty ones of others, and is one with a mark.

    The mark may hide that it is a box.
    """
    entry = entry_of(desk.elements, element)
    words = _words(own_parts(lineage_of(desk.elements), entry), element) if entry else None
    texts = [e.box for e in desk.elements if kind_of(e) is Kind.TEXT and e.source == "tree"]
    found: dict[tuple[int, int, int, int], list[Element]] = {}
    for box in filter(_is_empty, desk.elements):
        at = box.box
        near = [t for t in texts if t and at and 0 <= t.x - at.right <= BESIDE and _level(at, t)]
        first = min(near, key=lambda t: t.x, default=None)
        if at is not None and first is not None:
            off = (first.x - at.x, first.center.y - at.y, at.width, at.height)
            found.setdefault(off, []).append(box)
    off, peers = max(found.items(), key=lambda item: len(item[1]), default=((0, 0, 0, 0), []))
    if entry is None or words is None or len(peers) < PEERS:
        return None
    _remember(desk, peers[0])
    place = Box(max(0, words.x - off[0]), max(0, words.center.y - off[1]), *off[2:])
    return _drawn(desk, place, f"{entry.id}-box")


def _level(box: Box, words: Box) -> bool:
    return words.y <= box.center.y < words.bottom


def _seen_tick(pixels: Pixels, box: Box) -> tuple[str, Mark] | None:
    """What is drawn in a box that may be a pixel or two larger than that."""
    side = min(box.width, box.height)
    tries = [Box(box.x + by, box.y + by, side - less, side - less) for by, less in SHIFTS]
    return next((found for one in (box, *tries) if (found := find_tick(pixels, one))), None)


def _seen_switch(pixels: Pixels, box: Box) -> bool | None:
    """Whether a switch that is drawn there is on; its box may be a pixel larger than that."""
    tries = (box, Box(box.x + 1, box.y + 1, box.width - 1, box.height - 1))
    return next((on for one in tries if (on := find_switch(pixels, one)) is not None), None)


def _alike(desk: Desk, box: Box) -> list[Box]:
    """Where other entries have a drawing of the same size, indented or not, the nearest first."""
    size = (box.width, box.height)
    boxes = [e.box for e in desk.elements if e.box and (e.box.width, e.box.height) == size]
    others = [b for b in boxes if b.y != box.y and abs(b.x - box.x) <= INDENTED]
    return sorted(others, key=lambda b: abs(b.y - box.y))[:MOST_ALIKE]
