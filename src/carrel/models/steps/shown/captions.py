"""What a label tells: the value that stands beside it, or below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import children_of, within
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import text_of
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import CONTROLS, FIELDS, Kind, kind_of

__all__ = [
    "TEXTS",
    "announced",
    "asked_for",
    "defined",
    "field_labelled",
    "shared_height",
    "told_by",
    "value_beside",
    "value_named",
]

TEXTS = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL})
REACH = 320
"""Pixels from a label to what it says, to the right."""
UNDER = 28
"""And below it."""
HELD = 3
"""How many things around a name may hold nothing but that name."""
_TERM, _TOLD = "description term", "description value"
_ASKED = re.compile(
    r"的(?:值|内容|文字|文本|文案)$|^(?:the )?(?:value|text|content)s? (?:of|in) (?:the )?",
    re.IGNORECASE,
)


def asked_for(name: str) -> str:
    """The name alone of what is to be read."""
    bare = re.sub(r"^(?:the|its)\s+", "", " ".join(name.split()), flags=re.IGNORECASE)
    return _ASKED.sub("", bare).strip('"“” :：')


def announced(elements: Sequence[Element], name: str) -> tuple[str, Element] | None:
    """What one text says after a name and a colon: the 20元 of `定价：20元`."""
    wanted = asked_for(name)
    said: dict[str, Element] = {}
    for element in elements if wanted else ():
        form = rf"\s*{re.escape(wanted)}\s*[:：]\s*(\S.*)"
        found = re.fullmatch(form, written_on(element), re.IGNORECASE)
        if found is not None and kind_of(element) in TEXTS | {Kind.OPTION}:
            said[" ".join(found[1].split())] = element
    return said.popitem() if len(said) == 1 else None


def value_beside(elements: Sequence[Element], label: Element) -> Element | None:
    """What a label tells: the nearest text, cell or field to its right, or just below it."""
    if label.box is None:
        return None
    own = {label.id, *(e.id for e in children_of(elements, label))}
    right: list[tuple[int, Element]] = []
    under: list[tuple[int, Element]] = []
    for element in elements:
        box = element.box
        if box is None or element.id in own or not _says(element, elements):
            continue
        if box.contains(label.box.center):
            continue
        gap, rows = box.x - label.box.right, shared_height(box, label.box)
        if -3 <= gap <= REACH and rows >= 0.5:
            right.append((gap, element))
        elif written_on(element).rstrip().endswith((":", "：")):
            continue
        elif 0 <= box.y - label.box.bottom <= UNDER and abs(box.x - label.box.x) <= 24:
            under.append((box.y - label.box.bottom, element))
    for found in (right, under):
        if found:
            return min(found, key=lambda item: item[0])[1]
    return None


def value_named(elements: Sequence[Element], label: Element, name: str) -> Element | None:
    """What stands right of a text that says nothing but a name: 合计金额 | 1280 元.

    In a table it is the next cell of the row; a name that heads a column has none.
    """
    said = " ".join(written_on(label).split()).casefold().strip(" :：*")
    if kind_of(label) not in (Kind.TEXT, Kind.CELL) or said != asked_for(name).casefold():
        return None
    by_id = {e.id: e for e in elements}
    around = [label, by_id.get(label.parent or "")]
    cell = next((e for e in around if e is not None and kind_of(e) is Kind.CELL), None)
    if cell is not None:
        row = [e for e in elements if e.parent == cell.parent and kind_of(e) is Kind.CELL]
        after = row[row.index(cell) + 1 :][:1]
        return after[0] if after and text_of(after[0], elements).strip() else None
    others = [e for e in elements if e.id == label.id or any(map(str.isalnum, written_on(e)))]
    value = value_beside(others, label)
    beside = value is not None and value.box and label.box and value.box.x >= label.box.right - 3
    named = {e.id for e in labels(tuple(elements)).values()}
    return value if value is not None and beside and value.id not in named else None


def field_labelled(elements: Sequence[Element], label: Element) -> Element | None:
    """The one field or drop-down that a mere text is the label of."""
    if kind_of(label) is not Kind.TEXT:
        return None
    known, words = labels(tuple(elements)), written_on(label)

    def is_it(one: Element) -> bool:
        # A label may be told twice: as such, and as the text in it.
        here = within(one.box, label.box) or within(label.box, one.box)
        return one.id == label.id or (here and written_on(one) == words)

    found = [e for e in elements if e.id in known and is_it(known[e.id])]
    kept = [e for e in found if kind_of(e) in FIELDS | {Kind.COMBO}]
    return kept[0] if len(kept) == 1 else None


def told_by(elements: Sequence[Element], label: Element) -> Element | None:
    """What a name without a colon tells: its field, or the only other text held with it."""
    if (field := field_labelled(elements, label)) is not None:
        return field
    by_id = {e.id: e for e in elements}
    holder = by_id.get(label.parent or "")
    for _ in range(HELD):
        if holder is None:
            return None
        held = [e for e in children_of(elements, holder) if kind_of(e) in TEXTS]
        # A colon may be a text of its own.
        held = [e for e in held if any(map(str.isalnum, written_on(e)))]
        other = {written_on(e): e for e in held if written_on(e) != written_on(label)}
        if other:
            one = next(iter(other.values())) if len(other) == 1 else None
            return one or in_line(elements, label)
        holder = by_id.get(holder.parent or "")
    return None


def in_line(elements: Sequence[Element], label: Element) -> Element | None:
    """What stands alone at the right of a name, in the same line of what holds both.

    Nothing but the two is in that line: beside a third one could be what another name tells.
    """
    if label.box is None:
        return None
    tree = Lineage(elements)
    around = tree.above(label)
    if any(kind_of(e) in (Kind.ROW, Kind.TABLE) for e in around):
        return None
    # Of lines that a page draws the tree may tell nothing at all.
    page = tree.by_id.get((around[-1] if around else label).parent or "")
    for holder in (*around, *([page] if page is not None else ())):
        line = [e for e in tree.below(holder) if _is_beside(e, label, tree)]
        if line:
            alone = {(written_on(e), e.box) for e in line}
            after = line[0].box is not None and line[0].box.x >= label.box.right
            fits = len(alone) == 1 and after and kind_of(line[0]) is Kind.TEXT
            return line[0] if fits else None
    return None


def _is_beside(element: Element, label: Element, tree: Lineage) -> bool:
    """Whether it is something that can be read or used in the line of a label, and not in it."""
    box, at = element.box, label.box
    if box is None or at is None or element.id == label.id or tree.below(element):
        return False
    if shared_height(box, at) < 0.5 or box.contains(at.center) or at.contains(box.center):
        return False
    return bool(written_on(element).strip()) or kind_of(element) in FIELDS | CONTROLS


def defined(elements: Sequence[Element], term: Element) -> Element | None:
    """What a list of terms tells of one: the only value before the next term."""
    by_id = {e.id: e for e in elements}
    holder = term if term.role == _TERM else by_id.get(term.parent or "")
    if holder is None or holder.role != _TERM:
        return None
    beside = [e for e in elements if e.parent == holder.parent and e.role in (_TERM, _TOLD)]
    after = list(takewhile(lambda e: e.role == _TOLD, beside[beside.index(holder) + 1 :]))
    return after[0] if len(after) == 1 else None


def _says(element: Element, elements: Sequence[Element]) -> bool:
    kind = kind_of(element)
    if kind in FIELDS or kind is Kind.COMBO:
        return bool(text_of(element, elements).strip())
    return kind in TEXTS | {Kind.LINK} and bool(written_on(element).strip())


def shared_height(one: Box, other: Box) -> float:
    """How much of the lower one's height two boxes have in common, from 0 to 1; below 0: apart."""
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common / max(1, min(one.height, other.height))
