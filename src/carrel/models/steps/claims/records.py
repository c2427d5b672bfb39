"""What the screen tells, as records: rows, entries, cards, labels with values, lines, controls.

A person reads a screen as things of which something is told. So a claim in anybody's words can be
held against these: which record is spoken of, and whether it says the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.said_units import pairs
from carrel.models.steps.desk import within
from carrel.models.steps.entries import Entry, lists_on
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_foot, is_head
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.shown.pieces import joined_texts
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["Part", "Record", "lists_told", "lone_records", "number_said", "over_of", "words_in"]

_MONTHS = re.compile(
    r"(?<![^\W_])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?(?![^\W_])"
)
_WORD = re.compile(r"(?P<n>(?<![^\W\d_])\d+(?:[.,]\d+)*(?![^\W\d_]))|[^\W_]+")
_SPLIT = re.compile(r"\s+[·•|]\s+|\s+[–—]\s+")
_MUTE = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON})
_ENTRIES = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM})
EDGE = 4
"""Pixels by which what begins at the same edge may differ."""
_WORDS = 40
"""Words of one text that may be a record of its own, at most."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a record, and the words of what heads or labels it."""

    text: str
    words: tuple[str, ...]
    head: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Record:
    """A thing that the screen tells something of.

    Attributes:
        parts: What is told of it.
        over: The words of what stands over it: headings, the title of the page.
        kept: Whether it is an entry of a list, or a row.
        told: Whether the application says that it is one, and which texts are of it.
        box: Where it is.
    """

    parts: tuple[Part, ...]
    over: frozenset[str] = frozenset()
    kept: bool = False
    told: bool = False
    box: Box | None = None

    @property
    def text(self) -> str:
        """All that it says."""
        return " ".join(dict.fromkeys(part.text for part in self.parts))

    @property
    def words(self) -> frozenset[str]:
        """All its words, without what only heads them."""
        return frozenset(word for part in self.parts for word in part.words)

    @property
    def heads(self) -> frozenset[str]:
        """The words of what heads or labels its texts."""
        return frozenset[str]().union(*(part.head for part in self.parts))


@lru_cache(maxsize=8192)
def words_in(text: str) -> tuple[str, ...]:
    """The words of a text in one form for all inflections; numbers and months in one form, too."""
    bare = unicodedata.normalize("NFKC", text).casefold()
    bare = _MONTHS.sub(r"\1", re.sub(r"(?<=\w)['’]s?(?!\w)", "", bare))
    return tuple(
        number_said(found[0]) if found["n"] else stem(found[0]) for found in _WORD.finditer(bare)
    )


def number_said(text: str) -> str:
    """A number without the commas of thousands, zeros behind its point or before it."""
    plain = re.sub(r"[,\s](?=\d{3}(?!\d))", "", text)
    plain = re.sub(r"\.0+$", "", plain.replace(",", "."))
    return plain.lstrip("0") or "0"


def _part(text: str, head: str = "") -> Part:
    return Part(text, words_in(text), frozenset(words_in(head)))


def _pieces(text: str, head: str = "") -> list[Part]:
    """The parts that a text is put together of: `Open · Unassigned`, `Status: paid`."""
    found: list[Part] = []
    for piece in _SPLIT.split(text):
        label, colon, value = piece.partition(":")
        labelled = colon and value.strip() and re.search(r"[^\W\d_]", label)
        found.append(_part(value.strip(), label) if labelled else _part(piece, head))
    return [one for one in found if one.words]


def lists_told(elements: Sequence[Element]) -> tuple[tuple[Record, ...], ...]:
    """Every list on the screen, tables of one row among them."""
    return _lists(tuple(elements))


@lru_cache(maxsize=4)
def _lists(elements: tuple[Element, ...]) -> tuple[tuple[Record, ...], ...]:
    tree = lineage_of(elements)
    shown = [e for e in part_meant(elements, "") if e.box is not None]
    heads = [e for e in shown if kind_of(e) is Kind.HEADING]
    columns = [e for e in shown if kind_of(e) is Kind.COLUMN]
    every = (*lists_on(elements), *_single_rows(shown, tree))
    found = [
        tuple(_record(one, tree, heads, columns) for one in _regular(listed))
        for listed in every
        if modal_over(elements, listed[0].parts[0]) is None
        and not any(_holds_list(one, other) for one in listed for other in every)
    ]
    return tuple(one for one in found if one and all(record.parts for record in one))


def _regular(listed: Sequence[Entry]) -> tuple[Entry, ...]:
    """Without entries of plain boxes that take up the lines of two: one may lack a part."""
    starts = [
        sum(e.box is not None and abs(e.box.x - one.box.x) <= EDGE for e in one.texts())
        for one in listed
    ]
    few = min(starts, default=0)
    return tuple(
        one for one, n in zip(listed, starts, strict=True) if _is_told(one) or n <= max(few, 1)
    )


def _is_told(entry: Entry) -> bool:
    return len(entry.parts) == 1 and kind_of(entry.parts[0]) in _ENTRIES


def _holds_list(entry: Entry, listed: Sequence[Entry]) -> bool:
    """Whether an entry is but a part of the page in which several entries of a list are."""
    inside = [one for one in listed if one.box != entry.box and within(one.box, entry.box)]
    return len(inside) > 1 and sum(len(one.said()) for one in inside) > len(inside)


def _single_rows(shown: Iterable[Element], tree: Lineage) -> list[tuple[Entry, ...]]:
    """Tables that have but one row below their headings."""
    found: list[tuple[Entry, ...]] = []
    for table in (e for e in shown if kind_of(e) is Kind.TABLE):
        rows = [e for e in tree.below(table) if kind_of(e) is Kind.ROW and e.box is not None]
        told = [e for e in rows if not is_head(e, tree) and not is_foot(e, tree)]
        if len(told) == 1:
            held = tuple(e for e in (told[0], *tree.below(told[0])) if e.box is not None)
            found.append((Entry((told[0],), held, around([e.box for e in told if e.box])),))
    return found


def _record(
    entry: Entry, tree: Lineage, heads: Sequence[Element], columns: Sequence[Element]
) -> Record:
    mute = {e.id for e in entry.held if kind_of(e) in (Kind.BUTTON, Kind.COMBO)}
    mute |= {e.id for e in entry.held if e.parent in mute or _ticks(e)}
    tables = {e.id for e in tree.above(entry.parts[0]) if kind_of(e) is Kind.TABLE}
    columns = [c for c in columns if tables & {e.id for e in tree.above(c)}]
    parts: list[Part] = []
    for text in entry.texts():
        if text.id in mute and len(entry.held) > 1:
            continue
        over = next((c for c in columns if _is_under(text.box, c.box)), None)
        parts += _pieces(written_on(text), written_on(over) if over is not None else "")
    for field in (e for e in entry.held if _has_value(e)):
        parts.append(_part(field.value or "", _label(field, tree)))
    return Record(
        tuple(parts),
        _over(entry.box, entry.parts[0], tree, heads),
        True,
        _is_told(entry),
        entry.box,
    )


def _ticks(element: Element) -> bool:
    return kind_of(element) in (Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH)


def _has_value(element: Element) -> bool:
    held = is_field(element) or kind_of(element) in (Kind.SPINNER, Kind.COMBO, Kind.SLIDER)
    return held and bool(element.value)


def _label(element: Element, tree: Lineage) -> str:
    label = label_of(element, tree.elements)
    return f"{written_on(label) if label is not None else ''} {element.name}".strip()


def _is_under(box: Box | None, head: Box | None) -> bool:
    if box is None or head is None:
        return False
    return head.x <= box.center.x < head.right and head.bottom <= box.center.y


def _over(box: Box, element: Element, tree: Lineage, heads: Sequence[Element]) -> frozenset[str]:
    """The words of the headings over something, and of what holds it and the page."""
    said = [written_on(e) for e in tree.above(element) if kind_of(e) is not Kind.ROW]
    said += [e.name for e in tree.elements if kind_of(e) is Kind.PAGE]
    over = [h for h in heads if h.box is not None and h.box.bottom <= box.y + 6]
    near = [h for h in over if h.box is not None and h.box.x < box.right and box.x < h.box.right]
    near.sort(key=lambda h: h.box.bottom if h.box is not None else 0)
    said += [written_on(h) for h in (*near[:1], *near[-1:])]
    return frozenset(word for text in said for word in words_in(text))


def over_of(element: Element, tree: Lineage) -> frozenset[str]:
    """The words of the headings over something, and of what holds it."""
    heads = [e for e in tree.elements if kind_of(e) is Kind.HEADING and e.box is not None]
    return _over(element.box, element, tree, heads) if element.box is not None else frozenset()


def lone_records(elements: Sequence[Element]) -> tuple[Record, ...]:
    """What stands by itself: labels with their values, fields, lines of text."""
    return _lone(tuple(elements))


@lru_cache(maxsize=4)
def _lone(elements: tuple[Element, ...]) -> tuple[Record, ...]:
    tree = lineage_of(elements)
    shown = [
        e for e in part_meant(elements, "") if e.box is not None and modal_over(elements, e) is None
    ]
    heads = [e for e in shown if kind_of(e) is Kind.HEADING]
    found: list[Record] = []
    for label, value in pairs(tree):
        if value.box is not None:
            part = _part(written_on(value) or value.value or "", written_on(label))
            found.append(Record((part,), _over(value.box, value, tree, heads)))
    for element in shown:
        assert element.box is not None
        if _has_value(element):
            part = _part(element.value or "", _label(element, tree))
            found.append(Record((part,), _over(element.box, element, tree, heads)))
        text = written_on(element)
        if text and not _holds_text(element, tree) and len(text.split()) <= _WORDS:
            over = _over(element.box, element, tree, heads)
            found.append(Record(tuple(_pieces(text)), over))
    found += [Record(tuple(_pieces(text))) for text in joined_texts(shown)]
    return tuple(one for one in found if one.parts)


def _holds_text(element: Element, tree: Lineage) -> bool:
    """Whether it is an entry of a list or more, or says only what is used."""
    if kind_of(element) in _MUTE | {Kind.PAGE, Kind.WINDOW, Kind.COLUMN, Kind.COMBO}:
        return True
    return any(written_on(e) not in ("", written_on(element)) for e in tree.below(element))
