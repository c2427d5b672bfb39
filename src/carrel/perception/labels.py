"""Which text belongs to which field: by where they stand, when nobody says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception._names import fold
from carrel.perception._wordings import is_hint
from carrel.perception.captions import under_fields
from carrel.perception.roles import FIELDS, TICKED, Kind, kind_of
from carrel.perception.tracks import tracks

__all__ = ["columns", "is_part", "label_of", "labels", "proper_labels", "written_on"]

MAX_LABEL = 120
"""Characters; what is longer explains, and is no label."""

LEFT_REACH = 260
FAR_REACH = 560
ABOVE_REACH = 36
SCALE_REACH = 56
BESIDE_REACH = 40
COLON_REACH = 60
"""Pixels between a field and a label at its left, above it, or above the scale of a slider, beside
a box to tick; and between a link and a text with a colon."""
_NUMBER = re.compile(r"[-−+]?[\d.,]+\s*\S{0,3}")
"""What stands on the scale of a slider, or says what it stands at."""

TURNS = 48
"""Pixels that a button at a field which turns its number is wide at most."""
_TURNS = frozenset({"", "-", "−", "–", "+"})
SMALLER = 0.88
"""Of the height of a label, at most that of a hint that is written smaller."""

_PLAIN_LISTS = frozenset({"list", "description list"})
"""Lists that only lay out what is in them."""
IN_LINE = 4
"""Pixels by which the labels of a form, or its fields, begin at different columns."""
_LABELLED = FIELDS | {Kind.COMBO, Kind.SLIDER, Kind.LIST, Kind.PROGRESS}
_TEXTS = frozenset({Kind.TEXT, Kind.HEADING})
_BARRIERS = _LABELLED | TICKED | {Kind.BUTTON}


def written_on(element: Element) -> str:
    """What a person reads on an element that is not a field."""
    return element.name.strip() or element.text.strip() or (element.value or "").strip()


def label_of(element: Element, elements: Iterable[Element]) -> Element | None:
    """The text that stands as a label to a field or a box to tick, or heads a cell's column."""
    known = labels(tuple(elements))
    return known.get(element.id)


@lru_cache(maxsize=8)
def labels(elements: tuple[Element, ...]) -> dict[str, Element]:
    """The label of every field, box and cell that has one, by the id of what it labels."""
    texts = _label_texts(elements)
    fields = [e for e in elements if e.box is not None and kind_of(e) in _LABELLED]
    barriers = [e.box for e in elements if e.box is not None and _is_barrier(e)]
    bars = tracks(elements)
    worded = [text for text in texts if not _NUMBER.fullmatch(written_on(text))]
    found: dict[str, Element] = {}
    for field in fields:
        # A label of a slider stands beside its bar, wherever the handle is.
        seat = replace(field, box=bars[field.id]) if field.id in bars else field
        # A mere number over a field that has a name is told by something else.
        near = worded if field.name.strip() else texts
        label = _best(_field_costs(seat, near, barriers))
        if label is not None:
            found[field.id] = label
    found.update(_in_column(fields, found, texts, barriers))
    found.update(_far(fields, found, texts, barriers, elements))
    found.update(under_fields(fields, found, texts))
    for box in (e for e in elements if e.box is not None and kind_of(e) in TICKED):
        label = _best(_tick_costs(box, texts, barriers))
        if label is not None:
            found[box.id] = label
    found.update(_in_entries(elements, found))
    for value in (e for e in elements if e.box is not None and kind_of(e) is Kind.LINK):
        label = _announcing(value, elements) or _best(_colon_costs(value, texts))
        if label is not None:
            found[value.id] = label
    found.update(_headed(elements))
    return found


def _in_column(
    fields: Sequence[Element],
    known: Mapping[str, Element],
    texts: Sequence[Element],
    barriers: Sequence[Box],
) -> Iterable[tuple[str, Element]]:
    """The text at the left of a field, where those of the other fields of its form stand in line.

    What stands over the first field of such a form is the title of a window or of a part.
    """
    beside = {
        field.id: [
            text
            for _, text in _field_costs(field, texts, barriers)
            if text.box and field.box and text.box.right <= field.box.x
        ]
        for field in fields
    }
    pairs = [(t.box, f.box) for f in fields for t in beside[f.id] if t.box and f.box]
    used = {label.id for id_, label in known.items() if label in beside.get(id_, ())}
    for field in fields:
        label = known.get(field.id)
        if label is None or field.box is None or label in beside[field.id]:
            continue
        own = [
            text
            for text in beside[field.id]
            if text.id not in used and text.box and _has_peer(text.box, field.box, pairs)
        ]
        if len(own) == 1:
            yield field.id, own[0]


def _has_peer(label: Box, field: Box, pairs: Sequence[tuple[Box, Box]]) -> bool:
    """Whether another label and its field stand under or over these two."""
    return any(
        not _share_rows(of, field)
        and abs(at.x - label.x) <= IN_LINE
        and abs(of.x - field.x) <= IN_LINE
        for at, of in pairs
    )


def _far(
    fields: Sequence[Element],
    known: Mapping[str, Element],
    texts: Sequence[Element],
    barriers: Sequence[Box],
    elements: Sequence[Element],
) -> Iterable[tuple[str, Element]]:
    """The words at the other end of a line with a field at its right end, as settings have it.

    Only for what has no name and no label, where both are in one part of a page and nothing but
    that text stands in the line.
    """
    above = {e.id: e for e in elements}
    labels = {label.id for label in known.values()}
    for field in fields:
        box = field.box
        if box is None or field.name.strip() or field.id in known:
            continue
        line = [t for t in texts if t.box and _share_rows(t.box, box) and t.box.right <= box.x]
        line = [t for t in line if _is_inside(t, field.parent, above)]
        if len({t.box for t in line}) != 1 or line[0].id in labels or line[0].box is None:
            continue
        holder = above.get(field.parent or "")
        within = holder is not None and holder.role != "document web"
        near = box.x - line[0].box.right <= FAR_REACH and _is_free(line[0].box, box, barriers)
        if near and within:
            yield field.id, line[0]


def _is_inside(element: Element, holder: str | None, above: Mapping[str, Element]) -> bool:
    at: Element | None = element
    while at is not None and at.parent != holder:
        at = above.get(at.parent or "")
    return at is not None


def _is_barrier(element: Element) -> bool:
    """Whether words before it belong to it, or end at it; not so of what turns a number down."""
    if kind_of(element) is not Kind.BUTTON or element.box is None:
        return kind_of(element) in _BARRIERS
    return element.box.width > TURNS or written_on(element).strip() not in _TURNS


def _announcing(value: Element, elements: Sequence[Element]) -> Element | None:
    """The text with a colon that comes right before it in the same paragraph, wrapped or not."""
    if value.parent is None:
        return None
    peers = [e for e in elements if e.parent == value.parent and (e is value or written_on(e))]
    at = peers.index(value)
    before = peers[at - 1] if at else None
    if before is None or before.box is None or kind_of(before) not in _TEXTS:
        return None
    return before if written_on(before).endswith((":", "：")) else None


def _colon_costs(value: Element, texts: Sequence[Element]) -> Iterable[_Cost]:
    """Texts with a colon right before a link: what follows is what they announce."""
    box = value.box
    assert box is not None
    for text in texts:
        if text.box is None or not written_on(text).rstrip().endswith((":", "：")):
            continue
        left = box.x - text.box.right
        if -4 <= left <= COLON_REACH and _share_rows(text.box, box):
            yield float(left), text


def _label_texts(elements: Sequence[Element]) -> list[Element]:
    """Texts that can be labels: short, and not written on a control."""
    parents = {element.id: element for element in elements}
    return [
        element
        for element in elements
        if element.box is not None
        and kind_of(element) in _TEXTS
        and 0 < len(written_on(element)) <= MAX_LABEL
        and any(char.isalnum() for char in written_on(element))
        and not is_part(element, parents.get(element.parent or ""))
        and not _on_control(element, parents)
    ]


def is_part(element: Element, parent: Element | None) -> bool:
    """Whether it is one of the lines that were read of a longer text."""
    return parent is not None and element.source == "ocr" and kind_of(parent) in _TEXTS


def _on_control(element: Element, parents: dict[str, Element]) -> bool:
    parent = parents.get(element.parent or "")
    while parent is not None:
        holds = _BARRIERS | {Kind.LINK, Kind.TAB, Kind.MENU_ITEM, Kind.MENU}
        # Pages keep the lines of their forms in lists; only a list to choose from is a control.
        plain = parent.role in _PLAIN_LISTS
        if not plain and kind_of(parent) in holds and not _is_page_of(parent, element):
            return True
        parent = parents.get(parent.parent or "")
    return False


def _is_page_of(tab: Element, element: Element) -> bool:
    """Whether it is on the page of a tab: in some toolkits the tab holds that page."""
    if kind_of(tab) is not Kind.TAB or tab.box is None or element.box is None:
        return False
    return tab.box.intersect(element.box) is None


_Cost = tuple[float, Element]


def _best(costs: Iterable[_Cost]) -> Element | None:
    # Of texts at the same place the innermost comes last, and says the same.
    return min(costs, key=lambda cost: cost[0], default=(0.0, None))[1]


def _field_costs(
    field: Element, texts: Sequence[Element], barriers: Sequence[Box]
) -> Iterable[_Cost]:
    box = field.box
    assert box is not None
    slider = kind_of(field) is Kind.SLIDER
    reach = SCALE_REACH if slider else ABOVE_REACH
    for text in texts:
        at = text.box
        if at is None or _overlap(at, box) or (slider and _NUMBER.fullmatch(written_on(text))):
            continue
        left, above = box.x - at.right, box.y - at.bottom
        colon = -12 if written_on(text).rstrip().endswith((":", "：")) else 0
        beside = -4 <= left <= LEFT_REACH and _share_rows(at, box)
        over = -4 <= above <= reach and _stands_over(at, box)
        if not (beside or over) or not _is_free(at, box, barriers):
            continue
        if beside:
            # A label that ends with a colon is one, also where a text happens to be nearer above.
            yield max(left, 0) * (0.4 if colon else 1.0) + colon, text
        else:
            yield max(above, 0) * 3.0 + abs(at.x - box.x) * 0.4 + colon + 6, text


def _tick_costs(
    tick: Element, texts: Sequence[Element], barriers: Sequence[Box]
) -> Iterable[_Cost]:
    box = tick.box
    assert box is not None
    switch = kind_of(tick) is Kind.SWITCH
    reach = LEFT_REACH if switch else BESIDE_REACH
    for text in texts:
        at = text.box
        if at is None or not _share_rows(at, box):
            continue
        right, left = at.x - box.right, box.x - at.right
        if -4 <= right <= BESIDE_REACH and _is_free(box, at, barriers):
            yield max(right, 0), text
        elif -4 <= left <= reach and _is_free(at, box, barriers):
            # Labels of boxes stand at their right, as a rule; those of switches at their left.
            yield max(left, 0) + (0 if switch else 60), text


def _in_entries(
    elements: Sequence[Element], known: Mapping[str, Element]
) -> Iterable[tuple[str, Element]]:
    """The one box or switch of an entry of a list, with the first words of that entry."""
    boxes: dict[str, list[Element]] = {}
    parents = {element.id: element for element in elements}
    for box in (e for e in elements if e.box is not None and kind_of(e) in TICKED):
        if (entry := _entry_of(box, parents)) is not None:
            boxes.setdefault(entry.id, []).append(box)
    said: dict[str, Element] = {}
    for text in elements if boxes else ():
        if kind_of(text) in _TEXTS and text.box is not None and _is_worded(text):
            entry = _entry_of(text, parents)
            if entry is not None and entry.id in boxes:
                said.setdefault(entry.id, text)
    for entry_id, listed in boxes.items():
        alone = len(listed) == 1 and not listed[0].name.strip() and listed[0].id not in known
        if alone and entry_id in said:
            yield listed[0].id, said[entry_id]


def _entry_of(element: Element, parents: Mapping[str, Element]) -> Element | None:
    """The item of a list that holds it."""
    at = parents.get(element.parent or "")
    while at is not None and at.role != "list item":
        at = parents.get(at.parent or "")
    return at


def _headed(elements: Sequence[Element]) -> Iterable[tuple[str, Element]]:
    """Cells, each with the header of its column."""
    headers = [e for e in elements if e.box is not None and kind_of(e) is Kind.COLUMN]
    if not headers:
        return
    for cell in elements:
        if cell.box is None or kind_of(cell) is not Kind.CELL:
            continue
        middle = cell.box.center.x
        above = [
            head
            for head in headers
            if head.box is not None
            and head.box.x <= middle < head.box.right
            and head.box.bottom <= cell.box.y + 4
        ]
        if above:
            yield cell.id, max(above, key=lambda head: head.box.bottom if head.box else 0)


@lru_cache(maxsize=8)
def proper_labels(elements: tuple[Element, ...]) -> dict[str, str]:
    """What a label says before the hint in it, by the id of each field that is called by both."""
    texts: dict[str, list[Element]] = {}
    for element in elements:
        if element.role == "static" and element.box is not None and _is_worded(element):
            texts.setdefault(element.parent or "", []).append(element)
    short = {
        fold(written_on(label)): written_on(parts[0])
        for label in elements
        if label.role == "label" and len(parts := texts.get(label.id, [])) > 1
        if _adds_hint(parts)
    }
    return {
        field.id: short[fold(field.name)]
        for field in elements
        if short and field.role != "label" and field.name and fold(field.name) in short
    }


def _is_worded(element: Element) -> bool:
    return any(char.isalnum() for char in written_on(element))


def _adds_hint(parts: Sequence[Element]) -> bool:
    """Whether the texts after the first are smaller, lower or worded as hints."""
    first, rest = parts[0].box, [part.box for part in parts[1:]]
    assert first is not None
    if is_hint(" ".join(written_on(part) for part in parts[1:])):
        return True
    apart = all(
        box is not None and (box.height <= SMALLER * first.height or box.y >= first.bottom - 2)
        for box in rest
    )
    return apart and sum(len(written_on(part).split()) for part in parts[1:]) > 2


@lru_cache(maxsize=8)
def columns(elements: tuple[Element, ...]) -> dict[str, Element]:
    """The header of the column that a nameless field in a table is in, over it or under it."""
    headers = [e for e in elements if e.box is not None and kind_of(e) is Kind.COLUMN]
    above = {e.id: e for e in elements} if headers else {}
    found: dict[str, Element] = {}
    for field in elements if headers else ():
        cell = above.get(field.parent or "")
        if field.box is None or field.name.strip() or kind_of(field) not in _LABELLED:
            continue
        if cell is not None and kind_of(cell) in (Kind.CELL, Kind.COLUMN):
            middle = field.box.center
            over = [h for h in headers if h.box and h.box.x <= middle.x < h.box.right]
            over = [h for h in over if h is not cell and written_on(h)]
            if over:
                near = min(over, key=lambda h: abs(h.box.center.y - middle.y) if h.box else 0)
                found[field.id] = near
    return found


def _overlap(one: Box, other: Box) -> bool:
    common = one.intersect(other)
    return common is not None and common.area > 0.3 * min(one.area, other.area)


def _share_rows(one: Box, other: Box) -> bool:
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    # A label often stands at the first line of a tall field.
    return common >= 0.5 * min(one.height, other.height)


def _stands_over(label: Box, field: Box) -> bool:
    common = min(label.right, field.right) - max(label.x, field.x)
    return common > 0.3 * min(label.width, field.width) and label.x >= field.x - 24


def _is_free(one: Box, other: Box, barriers: Sequence[Box]) -> bool:
    """Whether no other control stands between the two."""
    left, right = min(one.right, other.right), max(one.x, other.x)
    top, bottom = min(one.bottom, other.bottom), max(one.y, other.y)
    if right > left:
        middle = max(one.y, other.y), min(one.bottom, other.bottom)
        gap = (left, middle[0], right, max(middle[1], middle[0] + 1))
    else:
        gap = (max(one.x, other.x), top, min(one.right, other.right), max(bottom, top + 1))
    for barrier in barriers:
        if barrier in (one, other):
            continue
        inside_x = min(gap[2], barrier.right) - max(gap[0], barrier.x)
        inside_y = min(gap[3], barrier.bottom) - max(gap[1], barrier.y)
        if inside_x > 2 and inside_y > 0 and not _overlap(barrier, other):
            return False
    return True
