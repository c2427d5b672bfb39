"""What a person reads as one: a line, a row, a card, a message, a label with its value.

Only what is small counts. In a larger part of a page a label and the value of another one stand
together as well, and any claim could be put together from what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.runs import runs_of
from carrel.models.steps.shown.pieces import joined_texts
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["Unit", "pairs", "units"]

PARTS = 6
"""Texts in a part of a page that is read as one, at most."""
WORDS = 60
"""Words in it, at most."""
APART = 28
"""Pixels from a label down to its value, or from a value down to its label, at most."""
BESIDE = 420
"""Pixels from a label to its value in the same line, at most."""
EDGE = 6
"""Pixels by which what begins at the same edge may differ."""
_ENTRIES = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM, Kind.MENU_ITEM})
_PARTS = frozenset({Kind.DIALOG, Kind.GROUP, Kind.ANY, Kind.CELL})
_HELD = frozenset({Kind.COMBO, Kind.SLIDER, Kind.SPINNER})
_PRESSED = frozenset({Kind.BUTTON, Kind.MENU_ITEM, Kind.MENU})
_TEXTS = frozenset({Kind.TEXT, Kind.HEADING, Kind.LINK, Kind.CELL})


@dataclass(frozen=True, slots=True)
class Unit:
    """A text, and what stands over it: a heading, the name of what holds it, columns.

    Attributes:
        text: What is said.
        around: What stands over it.
        pressed: Whether it is what a button says, which tells what it does and not what is so.
    """

    text: str
    around: str = ""
    pressed: bool = False


def units(tree: Lineage) -> Iterator[Unit]:
    """Everything on the screen that is read as one."""
    shown = [e for e in part_meant(tree.elements, "") if e.box is not None]
    heads = [e for e in shown if kind_of(e) is Kind.HEADING]
    for text in joined_texts(shown):
        yield Unit(text)
    for element in shown:
        text = _text_of(element, tree)
        if text and len(text.split()) <= WORDS:
            pressed = kind_of(element) in _PRESSED
            yield Unit(text, _over(element, tree, heads), pressed)
    for run in runs_of(tree.elements):
        held = [e for part in run for e in (part, *tree.below(part))]
        yield Unit(_joined(held, tree), _over(run[0], tree, heads))
    for label, value in pairs(tree):
        yield Unit(f"{_own(label)} {_own(value)}", _over(value, tree, heads))


def _text_of(element: Element, tree: Lineage) -> str:
    """What is written on an element; of an entry or a small part, all that is in it."""
    kind = kind_of(element)
    if is_field(element) or kind in _HELD:
        label = label_of(element, tree.elements)
        named = written_on(label) if label is not None else ""
        return " ".join(dict.fromkeys((named, _own(element)))).strip()
    if kind is Kind.PAGE or not (kind in _ENTRIES or kind in _PARTS):
        return _own(element)
    below = tree.below(element)
    several = {run[0].parent for run in runs_of(tree.elements)}
    if any(kind_of(e) in _ENTRIES for e in below) or {element.id, *(e.id for e in below)} & several:
        return _own(element)
    leaves = {_own(e) for e in below if _own(e) and not tree.below(e)}
    if kind not in _ENTRIES and len(leaves) > PARTS:
        return _own(element)
    return _joined([element, *below], tree)


def _joined(elements: Sequence[Element], tree: Lineage) -> str:
    """The texts of elements, each once, in their order, but for what is only offered: buttons."""
    order = {e.id: at for at, e in enumerate(tree.elements)}
    offered = {x.id for e in elements if kind_of(e) is Kind.BUTTON for x in (e, *tree.below(e))}
    told = sorted((e for e in elements if e.id not in offered), key=lambda e: order.get(e.id, 0))
    return " ".join(dict.fromkeys(text for e in told if (text := _own(e)))).strip()


def _own(element: Element) -> str:
    held = element.value or "" if kind_of(element) is not Kind.PAGE else ""
    return " ".join(dict.fromkeys(filter(None, (written_on(element), held))))


def _over(element: Element, tree: Lineage, heads: Sequence[Element]) -> str:
    """The names of what holds it, the heading over it, those of the page and of its columns."""
    above = tree.above(element)
    found = [written_on(e) for e in above if kind_of(e) is not Kind.ROW]
    found += [written_on(e) for e in tree.elements if kind_of(e) is Kind.PAGE]
    over = [e for e in heads if _is_over(e.box, element.box)]
    found += [written_on(e) for e in (*over[:1], *sorted(over, key=_bottom)[-1:])]
    table = next((e for e in above if kind_of(e) is Kind.TABLE), None)
    if table is not None:
        found += [written_on(e) for e in tree.below(table) if kind_of(e) is Kind.COLUMN]
    return " ".join(filter(None, found))


def _bottom(element: Element) -> int:
    return element.box.bottom if element.box is not None else 0


def _is_over(head: Box | None, box: Box | None) -> bool:
    if head is None or box is None:
        return False
    return head.bottom <= box.y + EDGE and head.x < box.right and box.x < head.right


def pairs(tree: Lineage) -> list[tuple[Element, Element]]:
    """Labels, each with its value: beside it, or right below it, or right above.

    Both have to be the nearest to one another; where something else is as near, it is not certain
    which belongs to which.
    """
    shown = [e for e in part_meant(tree.elements, "") if e.box is not None and _own(e)]
    leaves = [e for e in shown if kind_of(e) in _TEXTS and not _says_more(e, tree)]
    found = [*_beside(leaves), *_stacked(leaves)]
    return [(a, b) for a, b in found if _is_label(_own(a))]


def _says_more(element: Element, tree: Lineage) -> bool:
    return any(_own(e) for e in tree.below(element))


def _is_label(text: str) -> bool:
    return re.search(r"[^\W\d_]", text) is not None and len(text.split()) <= PARTS


def _beside(leaves: Sequence[Element]) -> Iterator[tuple[Element, Element]]:
    """What stands in one line with nothing else: a label and its value."""
    for label in leaves:
        level = [e for e in leaves if e is not label and _in_line(label.box, e.box)]
        if len(level) != 1 or label.box is None or level[0].box is None:
            continue
        if 0 <= level[0].box.x - label.box.right <= BESIDE:
            yield label, level[0]


def _in_line(one: Box | None, other: Box | None) -> bool:
    return one is not None and other is not None and one.y < other.center.y < one.bottom


def _stacked(leaves: Sequence[Element]) -> Iterator[tuple[Element, Element]]:
    """A text and the one right below it, each the nearest of the other, in either order."""
    for upper in leaves:
        below = _nearest(upper, leaves, down=True)
        if below is None or _nearest(below, leaves, down=False) is not upper:
            continue
        gap = _gap(upper, below)
        over = _nearest(upper, leaves, down=False)
        under = _nearest(below, leaves, down=True)
        alone = all(
            other is None or _gap(*two) > gap + EDGE
            for other, two in ((over, (over, upper)), (under, (below, under)))
        )
        if gap <= APART and alone and _differ(upper, below):
            yield upper, below
            yield below, upper


def _differ(one: Element, other: Element) -> bool:
    """Whether two texts are no two entries of one list: one is a number, or in other letters."""
    if one.box is None or other.box is None:
        return False
    digits = [re.search(r"\d", _own(e)) is not None for e in (one, other)]
    if all(digits):
        return False
    return any(digits) or abs(one.box.height - other.box.height) >= 2


def _gap(upper: Element | None, lower: Element | None) -> int:
    if upper is None or lower is None or upper.box is None or lower.box is None:
        return 0
    return lower.box.y - upper.box.bottom


def _nearest(element: Element, leaves: Sequence[Element], *, down: bool) -> Element | None:
    """The text next below or above that begins or has its middle where this one has it."""
    found: list[tuple[int, Element]] = []
    for other in leaves:
        two = (element, other) if down else (other, element)
        if other is not element and _is_in_column(element.box, other.box) and _gap(*two) >= -2:
            found.append((_gap(*two), other))
    return min(found, key=lambda one: one[0])[1] if found else None


def _is_in_column(one: Box | None, other: Box | None) -> bool:
    if one is None or other is None:
        return False
    same_start = abs(one.x - other.x) <= EDGE
    return same_start or abs(one.center.x - other.center.x) <= EDGE
