"""Everything on the screen that an instruction names, and where it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from carrel.frames import Element
from carrel.models.steps.afforded.wording import (
    ARTICLES,
    Span,
    Word,
    Wording,
    places_of,
    stems_said,
)
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of, stands_around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.small_words import ACTS, GRAMMAR, KINDS, SETS
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.verbs.slots import called, controls_of
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["LOOSE", "ORDINALS", "How", "Mention", "is_small", "mentions_in", "words_around"]

_USED = frozenset(
    {Kind.BUTTON, Kind.LINK, Kind.TAB, Kind.MENU, Kind.MENU_ITEM, Kind.ICON, Kind.TREE_ITEM}
)
_DOES = frozenset({Kind.BUTTON, Kind.ICON, Kind.MENU_ITEM})
"""What is pressed to have something done."""
_ABOUT = ARTICLES | {
    *("them", "it", "this", "that", "these", "those"),
    *("all", "both", "every", "each", "everything"),
}
"""What follows a verb, and says that something is done to a thing."""
_TICKED = frozenset({Kind.CHECKBOX, Kind.SWITCH})
_HEADS = frozenset({Kind.HEADING, Kind.COLUMN})
"""What only says what is below it."""
_KINDS = frozenset(map(stem, KINDS))
_ALL_OF_IT = frozenset(map(stem, ("changes", "selection", "form", "everything")))
"""What is saved, sent or applied where nothing else is said."""
_ENTRIES = frozenset({Kind.OPTION, Kind.ROW, Kind.CELL, Kind.IMAGE})
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
LINE = 60
"""Pixels between the tops of a control and of the text that names it, at most."""
LONGEST = 8
"""Words of a mere text that may be a thing to use, at most."""


class How(IntEnum):
    """What is done with a thing; of two that one name fits, the smaller is meant."""

    SET = 0
    FIELD = 1
    TICK = 2
    USE = 3
    ENTRY = 4
    TEXT = 5

    @property
    def rank(self) -> int:
        """What is a control comes before an entry, and that before a mere text."""
        return max(self, How.USE)


LOOSE = frozenset({How.ENTRY, How.TEXT})
"""What takes a click without saying so; what stands there may also be what a field is to have."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing, and the words that name it.

    Attributes:
        span: Where they stand.
        control: The thing.
        how: What is to be done with it.
        value: The one it is to have, where the words say that.
        told: Where the words of that value stand.
        clear: Whether nothing else is called so as well.
    """

    span: Span
    control: Element
    how: How
    value: str = ""
    told: Span = (0, 0)
    clear: bool = True

    @property
    def length(self) -> int:
        """How many words."""
        return self.span[1] - self.span[0]


def mentions_in(desk: Desk, wording: Wording, free: Sequence[bool]) -> list[Mention]:
    """What is named, the longest names first to be believed.

    Args:
        desk: Where that is.
        wording: The instruction.
        free: For each word, whether it is still to be told.
    """
    tree = lineage_of(tuple(desk.elements))
    every = [
        Mention(span, element, how, value)
        for element, how, name, value in _named(desk, tree)
        for span in places_of(wording, name, free)
    ]
    every = [m for m in every if not _is_mere_verb(wording, m) and not _is_deed(wording, m)]
    every.sort(key=lambda one: (-one.length, one.how.rank, one.span))
    taken: list[Mention] = []
    for one in every:
        if any(_overlap(one.span, other.span) for other in taken):
            continue
        alike = [m for m in every if m.span == one.span and m.how.rank == one.how.rank]
        meant = _one_of(tree, wording, alike)
        taken.append(meant if meant is not None else replace(one, clear=False))
    return sorted(taken, key=lambda one: one.span)


def _named(desk: Desk, tree: Lineage) -> Iterator[tuple[Element, How, str, str]]:
    """Things to use, each with the names that it goes by and the value that a name stands for."""
    for control in controls_of(desk):
        if modal_over(desk.elements, control) is not None:
            continue
        for name in called(desk, control).split(" | "):
            yield control, How.FIELD, name, ""
        if kind_of(control) is Kind.COMBO:
            now = same_as(desk.unseen, control)
            for option in options_of(now, desk.unseen) if now is not None else ():
                yield control, How.SET, option.name, option.name
    labels = _labels(desk)
    for element in part_meant(desk.elements, ""):
        how = _how(element)
        if how is None or element.box is None or is_disabled(element) or element.id in labels:
            continue
        if how is How.TEXT and any(kind_of(e) in _HEADS for e in tree.above(element)):
            continue
        if modal_over(desk.elements, element) is None:
            # What heads the column of a cell is no name of it.
            cell = kind_of(element) is Kind.CELL
            own = [written_on(element)] if cell else names_of(tree, element)
            for name in dict.fromkeys((*own, *_titles(tree, element))):
                yield element, how, name, ""


def _titles(tree: Lineage, element: Element) -> Iterator[str]:
    """A text in the same line that a longer name begins with: what follows only explains."""
    name, at = element.name.strip().casefold(), element.box
    for text in tree.elements if _how(element) is not How.TEXT and at is not None else ():
        title = written_on(text)
        begins = len(title.split()) > 1 and name.startswith(f"{title.casefold()} ")
        if begins and text.box is not None and at is not None and abs(text.box.y - at.y) < LINE:
            yield title


def _labels(desk: Desk) -> frozenset[str]:
    """The texts that only say what a field is called."""
    found = (label_of(control, desk.elements) for control in controls_of(desk))
    return frozenset(label.id for label in found if label is not None)


def _how(element: Element) -> How | None:
    kind = kind_of(element)
    if kind in _TICKED or element.role == "toggle button":
        return How.TICK
    if kind is Kind.RADIO:
        return How.USE
    if kind in _USED:
        return How.USE
    if kind in _ENTRIES:
        return How.ENTRY
    short = 0 < len(written_on(element).split()) <= LONGEST
    return How.TEXT if kind is Kind.TEXT and short and not is_field(element) else None


def is_small(word: Word) -> bool:
    """Whether a word is mere grammar, or only says of what kind something is."""
    return word.said.casefold() in GRAMMAR or word.stem in _KINDS | _ALL_OF_IT


def _is_mere_verb(wording: Wording, one: Mention) -> bool:
    """Whether a name is but a verb or a small word: "open" is not the button Open."""
    words = wording.words[slice(*one.span)]
    if any(word.quote >= 0 for word in words):
        return False
    said = [word.said.casefold() for word in words]
    if all(word in GRAMMAR for word in said) and not any(w.said[0].isupper() for w in words):
        return True
    rest = [w for w in wording.words if w.clause == words[0].clause and w not in words]
    if not (words[0].first and len(words) == 1 and rest):
        return False
    telling = any(w.quote >= 0 or not is_small(w) for w in rest)
    # "apply the settings" is the button Apply, but "open the menu" nothing that is called Open.
    return said[0] in ACTS or (said[0] in SETS and telling)


def _is_deed(wording: Wording, one: Mention) -> bool:
    """Whether a word says what is done to something, and the thing that bears it does nothing.

    "Archive them" is not the folder Archive: only what is pressed does it.
    """
    start, end = one.span
    word, behind = wording.words[start], wording.words[end : end + 1]
    if end - start > 1 or word.quote >= 0 or not word.first or kind_of(one.control) in _DOES:
        return False
    told = bool(behind) and behind[0].clause == word.clause and behind[0].quote < 0
    return told and behind[0].said.casefold() in _ABOUT


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _one_of(tree: Lineage, wording: Wording, alike: Sequence[Mention]) -> Mention | None:
    """The one that is meant: the inner of two in one another, else what the clause tells."""
    fields = [one for one in alike if one.how in (How.FIELD, How.SET)]
    used = [one for one in alike if one not in fields]
    if fields and used:
        # Of a field and a button of one name the field is meant where it is given something.
        return _one_of(tree, wording, fields)
    holders = {e.id for one in alike for e in tree.above(one.control)}
    inner = {one.control.id: one for one in alike if one.control.id not in holders}
    if len(inner) == 1:
        return next(iter(inner.values()))
    clause = wording.words[alike[0].span[0]].clause
    told = [w for w in wording.words if w.clause == clause]
    hints = {w.stem for w in told if w.said.casefold() not in GRAMMAR} | _numbers(told)
    own = {w.stem for w in wording.words[slice(*alike[0].span)]}
    ranked = sorted(
        ((len((hints - own) & words_around(tree, one.control)), one) for one in inner.values()),
        key=lambda pair: -pair[0],
    )
    clear = len(ranked) > 1 and ranked[0][0] > ranked[1][0]
    return ranked[0][1] if clear else None


def _numbers(told: Sequence[Word]) -> set[str]:
    """The numbers that are said in words: what is counted on the screen shows them in figures."""
    words = [word.said.casefold() for word in told]
    return {str(ORDINALS.index(word) + 1) for word in words if word in ORDINALS}


def words_around(tree: Lineage, element: Element) -> frozenset[str]:
    """The words that stand around a thing; in a table those of its row and over its column."""
    above = tree.above(element)
    row = next((e for e in above if kind_of(e) is Kind.ROW), None)
    head = next((h for e in (element, *above) if (h := label_of(e, tree.elements))), None)
    texts = stands_around(tree, element)
    if row is not None and head is not None:
        texts = [written_on(head), *(written_on(e) for e in tree.below(row))]
    return frozenset(word for text in texts for word in stems_said(text))
