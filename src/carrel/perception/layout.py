"""A screenful of elements, prepared for being searched: who holds whom, who is called what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.perception._names import fold
from carrel.perception._wordings import field_words, icon_words, purpose
from carrel.perception.labels import columns, is_part, labels, proper_labels, written_on
from carrel.perception.roles import CONTROLS, FIELDS, HOLDERS, Kind, is_disabled, kind_of

__all__ = ["Called", "Layout", "Placed", "layout_of"]

MAX_INNER = 200
"""Characters of what is written inside an element that has no name of its own."""

_PICTURES = frozenset({Kind.ICON, Kind.IMAGE})

_ROOMS = frozenset({Kind.TEXT, Kind.HEADING, Kind.COLUMN, Kind.CELL, Kind.OPTION})
"""What may be much larger than the text in it."""

_ENTERED = FIELDS | {Kind.COMBO}

SCRAP = 0.9
"""How much a part of what is written in an entry counts as its name."""

BAR_EDGE = 24
"""Pixels that a part of a bar is higher than the one field in it, at most."""

LINE = 72
"""The height of the highest field for one line."""

ROW_STEP = 0.5
"""How much of the lower of two elements must be beside the other to stand in one row."""


@dataclass(frozen=True, slots=True)
class Called:
    """One thing that is written on an element or about it, and how much that counts."""

    text: str
    weight: float
    why: str
    file: bool = False
    """They are words in the name of a picture's file."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """An element with a place on the screen."""

    element: Element
    box: Box
    kind: Kind
    order: int
    """Its place among the elements as they were given."""

    @property
    def is_control(self) -> bool:
        """Whether it can be used by itself."""
        if self.kind in CONTROLS or self.kind is Kind.COLUMN:
            return True
        return self.kind is Kind.CELL and "selectable" in self.element.states

    @property
    def point(self) -> Point:
        """Where to click it: its middle."""
        return self.box.center


class Layout:
    """Elements of one moment.

    Args:
        elements: In any order.
        size: The screen; what is outside cannot be pointed at.
    """

    def __init__(self, elements: Sequence[Element], size: Size | None = None) -> None:
        self.elements = tuple(elements)
        self._screen = Box(0, 0, size.width, size.height) if size else None
        self._by_id = {element.id: element for element in self.elements}
        self._labels = labels(self.elements)
        self._proper, self._columns = proper_labels(self.elements), columns(self.elements)
        self._called: dict[tuple[str, int], tuple[Called, ...]] = {}
        placed = list(self._place())
        self._row_of: dict[str, Element] = {}
        rows = [self._make_row(cells) for cells in self._loose_rows(placed)]
        self.placed = (*placed, *rows)
        self.by_id = {item.element.id: item for item in self.placed}

    def _place(self) -> Iterator[Placed]:
        for order, element in enumerate(self.elements):
            box = element.box
            if box is not None and self._screen is not None:
                box = box.intersect(self._screen)
            if box is not None and box.width > 1 and box.height > 1:
                yield Placed(element, box, kind_of(element), order)

    def _loose_rows(self, placed: Sequence[Placed]) -> list[list[Placed]]:
        """Cells side by side in a table that says nothing of its rows."""
        rows: list[list[Placed]] = []
        cells = [item for item in placed if item.kind is Kind.CELL]
        for cell in sorted(cells, key=lambda c: (c.element.parent or "", c.box.y, c.box.x)):
            if any(kind_of(parent) is Kind.ROW for parent in self.ancestors(cell)):
                continue
            row = rows[-1] if rows else []
            same = row and row[0].element.parent == cell.element.parent
            if same and _beside(row[0].box, cell.box):
                row.append(cell)
            else:
                rows.append([cell])
        return [row for row in rows if len(row) > 1]

    def _make_row(self, cells: Sequence[Placed]) -> Placed:
        first = cells[0].element
        box = _around([cell.box for cell in cells])
        states = tuple(s for s in first.states if s not in ("checked", "checkable", "editable"))
        row = Element(
            f"{first.id}-row", "table row", "", None, box, states, first.parent, first.app
        )
        self._row_of |= {cell.element.id: row for cell in cells}
        return Placed(row, box, Kind.ROW, cells[0].order)

    def ancestors(self, item: Placed) -> Iterator[Element]:
        """What holds it, innermost first."""
        seen = {item.element.id}
        row = self._row_of.get(item.element.id)
        if row is not None:
            yield row
        parent = self._by_id.get(item.element.parent or "")
        while parent is not None and parent.id not in seen:
            seen.add(parent.id)
            yield parent
            parent = self._by_id.get(parent.parent or "")

    def holds(self, outer: Placed, inner: Placed) -> bool:
        """Whether one is inside the other, by the tree."""
        return any(parent.id == outer.element.id for parent in self.ancestors(inner))

    def label(self, item: Placed) -> Element | None:
        """The text that labels it, by geometry."""
        return self._labels.get(item.element.id)

    def labelled(self, item: Placed) -> list[Placed]:
        """The fields and boxes that it labels, by geometry."""
        return [self.by_id[key] for key in self._labelled.get(item.element.id, ())]

    @cached_property
    def _labelled(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, label in self._labels.items():
            item = self.by_id.get(key)
            if item is not None and item.kind is not Kind.CELL:
                found.setdefault(label.id, []).append(key)
        return found

    @cached_property
    def _children(self) -> dict[str, list[Placed]]:
        found: dict[str, list[Placed]] = {}
        for item in self.placed:
            found.setdefault(item.element.parent or "", []).append(item)
            row = self._row_of.get(item.element.id)
            if row is not None:
                found.setdefault(row.id, []).append(item)
        return found

    def inside(self, item: Placed) -> Iterator[Placed]:
        """Everything in it, by the tree, in order."""
        for child in self._children.get(item.element.id, ()):
            yield child
            yield from self.inside(child)

    def called(self, item: Placed) -> tuple[Called, ...]:
        """Everything that it could be called by, the best first."""
        key = (item.element.id, item.order)
        if key not in self._called:
            self._called[key] = tuple(self._names(item))
        return self._called[key]

    def heading(self, item: Placed) -> Element | None:
        """The heading of the column that a field without a name is in."""
        return self._columns.get(item.element.id)

    def _names(self, item: Placed) -> Iterator[Called]:
        element = item.element
        name, text = element.name.strip(), element.text.strip()
        if name:
            yield Called(name, 1.0, "named")
            words = icon_words(name)
            if words and (item.kind in _PICTURES or name.endswith("-symbolic")):
                # What its style is called is farther from what a person sees than its file is.
                weight = 0.9 if element.confidence == 1 else 0.86
                yield Called(words, weight, "an icon named", file=True)
        if text and text != name and not self._is_area(item):
            weight = SCRAP if not name and self._is_scrap(item, text) else 1.0
            yield Called(text, weight if not name else 0.97, "says")
        hint = element.hint.strip()
        if hint and hint not in (name, text):
            yield Called(hint, 0.97, "asks for")
        value = (element.value or "").strip()
        if value and item.kind not in FIELDS and item.kind is not Kind.PAGE:
            yield Called(value, 1.0 if not name else 0.95, "says")
        label, header = self.label(item), self._columns.get(element.id)
        if label is not None and not _heads(header, label):
            weight = 0.97 if not name and item.kind is not Kind.CELL else 0.9
            # What a colon announces is what comes after it.
            weight = 1.0 if item.kind is Kind.LINK else weight
            yield Called(written_on(label), weight, "labelled")
        if (short := self._proper.get(element.id)) is not None:
            yield Called(short, 0.96, "labelled")
        if header is not None:
            yield Called(written_on(header), 0.93, "in the column")
        if header is None and item.kind in _ENTERED:
            yield from self._names_around(item)
        if not name and not text:
            yield from self._inner_names(item)
        if value and item.kind in FIELDS:
            yield Called(value, 0.8, "holding")

    def _names_around(self, item: Placed) -> Iterator[Called]:
        """What the part of a bar is called of which a field is all that can be used."""
        name = item.element.name.strip()
        words = field_words(name)
        if name and not words:
            return
        if words:
            yield Called(words, 0.9, "named")
        for holder in self.ancestors(item):
            if kind_of(holder) not in (Kind.GROUP, Kind.ANY) or holder.box is None:
                return
            if not holder.name.strip():
                continue
            held = [e for e in self.inside(self.by_id[holder.id]) if e.kind in _ENTERED]
            alone = all(e is item or is_disabled(e.element) for e in held)
            if alone and holder.box.height <= item.box.height + BAR_EDGE:
                yield Called(purpose(holder.name), 0.95, "labelled")
            return

    def _is_scrap(self, item: Placed, text: str) -> bool:
        """Whether a text is only a little of what is written in an entry with other things."""
        if item.kind is not Kind.OPTION:
            return False
        inner = [child for child in self.inside(item) if written_on(child.element)]
        return any(len(written_on(child.element)) > 2 * len(text) for child in inner)

    def _is_area(self, item: Placed) -> bool:
        """Whether a field is so high that a text in it is only what it holds."""
        return item.kind in FIELDS and item.box.height > LINE

    def _inner_names(self, item: Placed) -> Iterator[Called]:
        if item.kind in HOLDERS and item.kind not in (Kind.ROW, Kind.GROUP, Kind.DIALOG):
            return
        if item.kind in (Kind.GROUP, Kind.DIALOG):
            legend = self._legend(item)
            if legend:
                yield Called(legend, 0.97, "headed")
            return
        if item.kind in CONTROLS or item.kind in (Kind.ROW, Kind.CELL, Kind.TEXT, Kind.HEADING):
            inner = self.inner_text(item)
            if inner:
                yield Called(inner, 0.98, "says")

    def inner_text(self, item: Placed) -> str:
        """What is written inside, up to a length."""
        words: list[str] = []
        for child in self.inside(item):
            text = written_on(child.element) if child.kind not in FIELDS else ""
            if is_part(child.element, self._by_id.get(child.element.parent or "")):
                continue
            # A text and the same within it are one.
            if text and (not words or words[-1] != text):
                words.append(text)
            if sum(map(len, words)) > MAX_INNER:
                return ""
        return " ".join(words)

    def _legend(self, item: Placed) -> str:
        """A heading or a text at the very top of a group."""
        for child in self.inside(item):
            if child.kind in (Kind.HEADING, Kind.TEXT) and child.box.y <= item.box.y + 30:
                return written_on(child.element)
            if child.kind in CONTROLS:
                return ""
        return ""

    @cached_property
    def dialogs(self) -> tuple[Placed, ...]:
        """Dialogs that stand over the rest."""
        return tuple(item for item in self.placed if item.kind is Kind.DIALOG)

    @cached_property
    def front(self) -> str | None:
        """The window that has the keyboard; None where nobody says."""
        windows = [e for e in self.elements if e.parent is None or kind_of(e) is Kind.WINDOW]
        active = [e.id for e in windows if "active" in e.states]
        return active[-1] if active else None

    def in_front(self, item: Placed) -> bool:
        """Whether it is in the window that has the keyboard, or nobody says which that is."""
        if self.front is None:
            return True
        return item.element.id == self.front or any(
            parent.id == self.front for parent in self.ancestors(item)
        )

    def is_covered(self, item: Placed) -> bool:
        """Whether a dialog stands over it, or claims all input for itself."""
        for dialog in self.dialogs:
            if dialog is item or self.holds(dialog, item) or self.holds(item, dialog):
                continue
            if "modal" in dialog.element.states or dialog.box.contains(item.point):
                return True
        return False

    def free_point(self, item: Placed) -> Point:
        """Where to click it: its middle, or another point where a control lies over that.

        Where it is a room with a text in it, that is the middle of the text.
        """
        if item.kind in _ROOMS:
            return self._text_in(item).point
        if not item.is_control or item.element.source != "tree":
            return item.point
        if (words := self._words_of_branch(item)) is not None:
            return words
        over = [other.box for other in self.placed if self._overlaps(other, item)]
        if not any(box.contains(item.point) for box in over):
            return item.point
        box = item.box
        for down in (2, 1, 3):
            for across in (2, 1, 3):
                point = Point(box.x + box.width * across // 4, box.y + box.height * down // 4)
                if not any(other.contains(point) for other in over):
                    return point
        return item.point

    def _text_in(self, item: Placed) -> Placed:
        """The text that is all that a room for it says, or that room where its middle is on it."""
        said = fold(written_on(item.element) or self.inner_text(item))
        for inner in self.inside(item) if said else ():
            if inner.kind is Kind.TEXT and fold(written_on(inner.element)) == said:
                return item if inner.box.contains(item.point) else inner
        return item

    def _words_of_branch(self, item: Placed) -> Point | None:
        """Where the name of a tree's entry stands: its box may hold the entries below it."""
        name = item.element.name.strip()
        if kind_of(item.element) is not Kind.TREE_ITEM or not name:
            return None
        inside = [
            other
            for other in self.placed
            if kind_of(other.element) is Kind.TEXT and other.element.name.strip() == name
            if self.holds(item, other) and other.box.area
        ]
        first = min(inside, key=lambda other: (other.box.y, other.box.x), default=None)
        return first.point if first is not None else None

    def _overlaps(self, other: Placed, item: Placed) -> bool:
        """Whether another control shares a part of it; nobody says which of them is on top."""
        if other is item or not other.is_control or other.element.source != "tree":
            return False
        common = other.box.intersect(item.box)
        if common is None or common.area > 0.8 * min(other.box.area, item.box.area):
            return False
        return not self.holds(item, other) and not self.holds(other, item)

    def is_usable(self, item: Placed) -> bool:
        """Whether it is enabled."""
        return not is_disabled(item.element)

    def reading_order(self, items: Sequence[Placed]) -> list[Placed]:
        """Row by row, each from left to right."""
        rows: list[list[Placed]] = []
        for item in sorted(items, key=lambda item: (item.box.y, item.box.x)):
            row = rows[-1] if rows else []
            if row and _beside(row[0].box, item.box):
                row.append(item)
            else:
                rows.append([item])
        return [item for row in rows for item in sorted(row, key=lambda item: item.box.x)]


def _around(boxes: Sequence[Box]) -> Box:
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(x, y, right - x, bottom - y)


def _beside(one: Box, other: Box) -> bool:
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common >= ROW_STEP * min(one.height, other.height)


@lru_cache(maxsize=4)
def layout_of(elements: tuple[Element, ...], size: Size | None = None) -> Layout:
    """The layout of elements, made once for several searches."""
    return Layout(elements, size)


def _heads(header: Element | None, label: Element) -> bool:
    """Whether a text is the head of a column: it says of each field below it as much."""
    if header is None or header.box is None or label.box is None:
        return False
    return header.box.contains(label.box.center)
