"""What the controls in front can take of what is said: each bids for words that it accounts for.

A choice bids for the words that it is called by, a box to tick for those on it, a box of a table
for those of its row and its column together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of, stands_around
from carrel.models.steps.finding.told_words import Telling, forms_of, places_of, ways_to_say
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.small_words import GRAMMAR, KINDS
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.verbs.slots import called, controls_of
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = [
    "NO_WORDS",
    "Bid",
    "bids_of",
    "free_fields",
    "in_front",
    "options_called",
    "telling_forms",
]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BOXES = frozenset({Kind.CHECKBOX, Kind.SWITCH})
_SAID_ON_BOXES = frozenset(
    map(
        stem,
        _listed(
            "show hide allow enable include receive send get use let make keep add want would like "
            "need yes accept subscribe notify turn i we also please"
        ),
    )
)
"""Words on a box that only say that it is for having something."""
NO_WORDS = frozenset(map(stem, GRAMMAR | KINDS))
_HELD = frozenset({Kind.CELL, Kind.TEXT, Kind.HEADING, Kind.COLUMN})
_ROWS = frozenset({Kind.ROW})


LEVEL = 12
"""Pixels by which choices of one row may stand higher or lower."""


@dataclass(frozen=True, slots=True)
class Bid:
    """One thing that a control may be brought to, and the words that say it.

    Attributes:
        at: The places of these words.
        control: The control.
        value: What it is to have; empty for a box to tick.
        group: What takes one value only: the control itself, or its group of choices.
        around: The words that stand around it, and say what it is for.
        partly: Whether not all of what it is called is said.
    """

    at: tuple[int, ...]
    control: Element
    value: str
    group: str
    around: frozenset[str] = field(default_factory=frozenset)
    partly: bool = False

    @property
    def is_box(self) -> bool:
        """Whether it is ticked or not, whatever becomes of others."""
        return kind_of(self.control) in _BOXES


def telling_forms(text: str) -> frozenset[str]:
    """The words of a text that say something."""
    return frozenset(forms_of(text)) - NO_WORDS


def in_front(desk: Desk) -> list[Element]:
    """What can be used now."""
    return [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and not is_disabled(e) and modal_over(desk.elements, e) is None
    ]


def free_fields(desk: Desk) -> list[Element]:
    """The fields that take any text."""
    return [
        e
        for e in controls_of(desk)
        if is_field(e) and modal_over(desk.elements, e) is None and kind_of(e) is not Kind.COMBO
    ]


def bids_of(desk: Desk, telling: Telling) -> list[Bid]:
    """All bids of what can be used now."""
    tree = lineage_of(tuple(desk.elements))
    found = [*_of_options(desk, telling), *_of_radios(desk, tree, telling)]
    found += _of_boxes(desk, tree, telling)
    whole = {at for bid in found for at in bid.at}
    return [*found, *_of_parts(desk, tree, telling, whole)]


def _of_options(desk: Desk, telling: Telling) -> Iterator[Bid]:
    for control, names in _lists(desk):
        around = telling_forms(called(desk, control))
        for name in names:
            for at in _said(telling, name):
                yield Bid(at, control, name, control.id, around)


def _lists(desk: Desk) -> Iterator[tuple[Element, list[str]]]:
    """Drop-downs with what they offer."""
    for control in controls_of(desk):
        if kind_of(control) is Kind.COMBO and modal_over(desk.elements, control) is None:
            now = same_as(desk.unseen, control)
            options = options_of(now, desk.unseen) if now is not None else []
            yield control, list(dict.fromkeys(one.name for one in options if one.name.strip()))


def options_called(desk: Desk, word: str) -> tuple[Element, list[str]] | None:
    """The one drop-down whose label begins with a word, with what it offers."""
    lists = [pair for pair in _lists(desk) if _begins_with(desk, pair[0], word)]
    return lists[0] if len(lists) == 1 else None


def _begins_with(desk: Desk, control: Element, word: str) -> bool:
    return any(name.casefold().startswith(word) for name in called(desk, control).split(" | "))


def _of_radios(desk: Desk, tree: Lineage, telling: Telling) -> Iterator[Bid]:
    for element, group in _radios(desk, tree):
        name = _name(desk, element)
        for at in _said(telling, name):
            yield Bid(at, element, name, group, _around(tree, element))


def _name(desk: Desk, element: Element) -> str:
    label = label_of(element, desk.elements)
    return written_on(element).strip() or (written_on(label) if label is not None else "")


def _radios(desk: Desk, tree: Lineage) -> Iterator[tuple[Element, str]]:
    """Round choices, each with its group: those in a row, or in a column, with nothing between."""
    runs: dict[str, list[Element]] = {}
    head = ""
    for element in in_front(desk):
        if kind_of(element) is Kind.RADIO:
            holder = next((e for e in tree.above(element) if e.role == "radio group"), None)
            runs.setdefault(holder.id if holder is not None else f"after {head}", []).append(
                element
            )
        elif kind_of(element) is not Kind.TEXT or not _is_label_of_radio(desk, element):
            head = element.id
    for key, run in runs.items():
        levels = [e.box.center.y // LEVEL for e in run if e.box is not None]
        in_rows = all(levels.count(level) > 1 for level in levels)
        for element, level in zip(run, levels, strict=True):
            yield element, f"{key}, {level}" if in_rows else key


def _is_label_of_radio(desk: Desk, text: Element) -> bool:
    """Whether a text only says what a choice is called."""
    for choice in in_front(desk):
        if kind_of(choice) is Kind.RADIO:
            label = label_of(choice, desk.elements)
            if label is not None and label.id == text.id:
                return True
            if written_on(choice).strip() == written_on(text).strip():
                return True
    return False


def _around(tree: Lineage, element: Element) -> frozenset[str]:
    return frozenset(w for text in stands_around(tree, element) for w in telling_forms(text))


def _said(telling: Telling, name: str) -> list[tuple[int, ...]]:
    ways = [w for w in ways_to_say(name) if not set(w) <= NO_WORDS or len(w) > 1]
    found = {at for way in ways for at in places_of(telling, way)}
    return sorted(found, key=len, reverse=True)


def _of_boxes(desk: Desk, tree: Lineage, telling: Telling) -> Iterator[Bid]:
    forms = [word.form for word in telling.words]
    for element in in_front(desk):
        if kind_of(element) not in _BOXES:
            continue
        crossing = _row_and_column(tree, element)
        if crossing is not None:
            row, column = crossing
            said = column & set(forms)
            if row <= set(forms) and said and said != column and _is_sole(tree, element, said):
                column = said
            if row <= set(forms) and column <= set(forms):
                at = tuple(i for i, form in enumerate(forms) if form in row | column)
                yield Bid(at, element, "", element.id, row | column)
            continue
        for name in dict.fromkeys((_name(desk, element), *names_of(tree, element))):
            own = telling_forms(name) - _SAID_ON_BOXES
            if own and own <= set(forms):
                at = tuple(i for i, form in enumerate(forms) if form in own)
                yield Bid(at, element, "", element.id, telling_forms(name))
                break


def _is_sole(tree: Lineage, box: Element, said: frozenset[str]) -> bool:
    """Whether of the boxes of a row only this one stands under a head with these words."""
    row = next((e for e in tree.above(box) if kind_of(e) in _ROWS), None)
    boxes = [e for e in tree.below(row) if kind_of(e) in _BOXES] if row is not None else []
    heads = [both[1] for e in boxes if (both := _row_and_column(tree, e)) is not None]
    return sum(said <= head for head in heads) == 1


def _row_and_column(tree: Lineage, box: Element) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of the row and of the column of a box in a table, where it has no name itself."""
    row = next((e for e in tree.above(box) if kind_of(e) in _ROWS), None)
    cell = next((e for e in (box, *tree.above(box)) if kind_of(e) is Kind.CELL), None)
    if row is None or box.name.strip():
        return None
    texts = [e for e in tree.below(row) if kind_of(e) in _HELD and written_on(e).strip()]
    head = _head_over(tree, row, cell or box)
    if not texts or head is None:
        return None
    own, column = telling_forms(written_on(texts[0])), telling_forms(written_on(head))
    return (own, column) if own and column else None


def _head_over(tree: Lineage, row: Element, cell: Element) -> Element | None:
    """The text at the top of the column that a cell stands in."""
    at = cell.box
    tables = [e for e in tree.above(row) if any(kind_of(o) in _ROWS for o in tree.below(e))]
    if not tables or at is None:
        return None
    heads = [
        e
        for e in tree.below(tables[0])
        if kind_of(e) in _HELD and e.box is not None and written_on(e).strip()
        if e.box.bottom <= at.y + 2 and e.box.x <= at.center.x < e.box.right
    ]
    return min(heads, key=lambda e: e.box.y if e.box is not None else 0, default=None)


def _of_parts(desk: Desk, tree: Lineage, telling: Telling, whole: set[int]) -> Iterator[Bid]:
    """A word that only one of all choices and boxes has, whatever else that is called."""
    offers: list[tuple[Element, str, str, frozenset[str], frozenset[str]]] = []
    for control, names in _lists(desk):
        around = telling_forms(called(desk, control))
        offers += [(control, n, control.id, frozenset(_first(n)), around) for n in names]
    for radio, group in _radios(desk, tree):
        name = _name(desk, radio)
        offers.append((radio, name, group, frozenset(_first(name)), _around(tree, radio)))
    for box in in_front(desk):
        if kind_of(box) in _BOXES and _row_and_column(tree, box) is None:
            offers.append((box, "", box.id, telling_forms(_name(desk, box)), frozenset()))
    for at, word in enumerate(telling.words):
        if at in whole or word.quote >= 0 or len(word.form) < 3 or word.form in NO_WORDS:
            continue
        having = [one for one in offers if word.form in one[3]]
        if len(having) == 1 and not any(re.search(r"\d", part) for part in having[0][3]):
            control, name, group, own, around = having[0]
            yield Bid((at,), control, name, group, around | own, partly=True)


def _first(name: str) -> Sequence[str]:
    ways = ways_to_say(name)
    return ways[0] if ways else ()
