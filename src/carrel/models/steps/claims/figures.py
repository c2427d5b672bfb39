"""Figures with what says of what they are: the 18 under “On hand”, in the row of the work gloves.

A page tells a number with words: over its column, before a colon, beside it, behind it; and the row
or the card that it stands in says of what thing it is. A claim may put these words in any order:
"there should be 18 of the work gloves on hand". So no thing on the screen needs to be called as the
claim says. Of all figures one has to be left whose own words the claim says all, and which, with
its row or card, says every word of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.claims.comparing import compare, read_number
from carrel.models.steps.claims.said_units import pairs
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Count, Has
from carrel.models.steps.language.held import Claim, can_be_held, read_claim
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_foot, is_head
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.runs import runs_of
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.pieces import joined_texts
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["figure_meant", "row_saying", "told_by_figure"]

_WEAK = frozenset(
    stems(
        "the a an of in on at by for from to with and its it is are be per this that these there "
        "his her their my your our no now"
    )
)
_SORTS = frozenset(
    stems(
        "number count amount quantity figure value counter row line entry item record "
        "column cell card field label current piece many"
    )
)
"""Words that say only that it is a figure, or what it stands in."""
_NUMBER = r"[-−+]?\s?(?:[$€£¥]\s?)?\d+(?:[.,]\d+)*(?:\s?[$€£¥%])?"
_SPLIT = re.compile(r"\s+[·•|–—/]\s+|\s*[;\n]\s*|,\s+(?=[^\d])|^\s*[·•|]\s*")
_LABELLED = re.compile(
    rf"(?P<label>[^\d:：]*[^\W\d_][^\d:：]*?)\s*[:：]\s*(?P<n>{_NUMBER})(?P<unit>[^\d:]*)"
)
_COUNTED = re.compile(rf"\(?(?P<n>{_NUMBER})\s+(?P<noun>[^\W\d_][^\d:：]*?)\)?")
_PLACED = re.compile(
    r",?\s+(?:at|in|on)\s+the\s+(?:very\s+|far\s+)?(?:top|bottom|upper|lower|left|right|list|table|"
    r"page|screen|header|footer)\b(?!\s+(?:of|for|with)\b).*",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:number|count|amount|quantity) of\b|\bcounter\b", re.IGNORECASE)
WORDS = 6
"""Words of what tells a figure, at most."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, and what says of what it is.

    Attributes:
        text: The number as it is written.
        own: The words that tell it: of its label, its column, its unit.
        beside: The words of each text that stands with it, in its row, its card or its line.
        row: The row or card; empty for what stands by itself.
    """

    text: str
    own: frozenset[str]
    beside: tuple[frozenset[str], ...] = ()
    row: str = ""

    def says(self, how: str, number: str) -> bool:
        """Whether it is that number, or as many at least or at most."""
        one, two = read_number(self.text), read_number(number)
        if one is None or two is None:
            return False
        if how in ("least", "greater"):
            return one >= two if how == "least" else one > two
        if how in ("most", "less"):
            return one <= two if how == "most" else one < two
        return compare(self.text, "equals", number)

    @property
    def around(self) -> frozenset[str]:
        """All the words that stand with it."""
        return frozenset[str]().union(*self.beside)


_Around = tuple[tuple[frozenset[str], ...], str]
_ALONE: _Around = ((), "")


def words_of(text: str) -> frozenset[str]:
    """The words that say of what a figure is."""
    return frozenset(stems(re.sub(r"['’]s\b", "", text))) - _WEAK


def told_by_figure(desk: Desk, condition: Count | Has) -> tuple[bool, str] | None:
    """Whether the figure that is meant is that number; None where none is, or things are counted.

    Who asks for the number of something means what the page says; else a figure is meant whose row
    and column, or whose card, say all that the claim does.
    """
    number = str(condition.number) if isinstance(condition, Count) else condition.text
    if read_number(number) is None:
        return None
    figure = figure_meant(desk.elements, condition.what)
    if figure is None or not (figure.row or _ASKED.search(desk.step) or isinstance(condition, Has)):
        return None
    return figure.says(condition.how, number), f"{condition.what} is told as {figure.text!r}"


def figure_meant(elements: Sequence[Element], phrase: str) -> Figure | None:
    """The one figure that a phrase says; None where none does, or several that differ.

    Args:
        elements: What is on the screen.
        phrase: Of what it is: `on hand in the Work gloves L row`.
    """
    said = words_of(_PLACED.sub("", phrase))
    if not said - _SORTS:
        return None
    found = [one for one in figures(elements) if _is_said(one, said)]
    # Of "Blue mug" and "Blue mug, large" only the first is said to its end.
    whole = [one for one in found if any(part and part <= said for part in one.beside)]
    told = [one for one in found if not one.row] or whole or found
    return told[0] if len({read_number(one.text) for one in told}) == 1 else None


def _is_said(figure: Figure, said: frozenset[str]) -> bool:
    """Whether a phrase says all the words that tell a figure, and the figure all of the phrase."""
    own = figure.own - _SORTS
    return bool(own) and own <= said and said - _SORTS <= figure.own | figure.around


def figures(elements: Sequence[Element]) -> Iterator[Figure]:
    """Every number on the screen that something tells."""
    tree = lineage_of(tuple(elements))
    shown = [e for e in part_meant(tree.elements, "") if e.box is not None]
    yield from _in_tables(shown, tree)
    cards = _cards(tree)
    for element in shown:
        if kind_of(element) in (Kind.TEXT, Kind.HEADING) and not _says_more(element, tree):
            yield from _in_text(written_on(element), *cards.get(element.id, _ALONE))
    for text in joined_texts(shown):
        yield from _in_text(text, *_ALONE)
    for label, value in pairs(tree):
        said = written_on(label).strip(" :：*")
        number = _number_of(written_on(value))
        if number and not re.search(r"\d", said):
            yield Figure(number, words_of(said), *cards.get(value.id, _ALONE))


def _number_of(text: str) -> str:
    """The number that a text is, with its money or unit; empty for any other."""
    found = re.fullmatch(rf"\s*(?P<n>{_NUMBER})(?:\s+[^\W\d_]+)?\s*", text)
    return found["n"].strip() if found is not None else ""


def _says_more(element: Element, tree: Lineage) -> bool:
    return any(written_on(e) and written_on(e) != written_on(element) for e in tree.below(element))


def _in_text(text: str, beside: tuple[frozenset[str], ...], row: str) -> Iterator[Figure]:
    """The figures that a line tells: `Articles listed: 8 · Below minimum: 3`, `(2 classes)`."""
    parts = _SPLIT.split(" ".join(text.split()))
    line = tuple(words_of(part) for part in parts) if len(parts) > 1 else ()
    for part in parts:
        if (found := _LABELLED.fullmatch(part.strip())) is not None:
            own = words_of(found["label"])
        elif (found := _COUNTED.fullmatch(part.strip())) is not None:
            own = words_of(found["noun"])
        else:
            continue
        if 0 < len(own) <= WORDS:
            yield Figure(found["n"].strip(), own, (*beside, *line), row)


def _cards(tree: Lineage) -> dict[str, _Around]:
    """For each text of an entry or a card the words of it, and which it is."""
    found: dict[str, _Around] = {}
    for run in runs_of(tree.elements):
        held = [e for part in run for e in (part, *tree.below(part))]
        found |= _told_together(held, run[0].id)
    for element in tree.elements:
        if kind_of(element) in (Kind.OPTION, Kind.TREE_ITEM):
            found |= _told_together(tree.below(element), element.id)
    return found


def _told_together(held: Sequence[Element], row: str) -> dict[str, _Around]:
    words = tuple(dict.fromkeys(words_of(written_on(e)) for e in held if written_on(e)))
    return {e.id: (words, row) for e in held}


def _in_tables(shown: Sequence[Element], tree: Lineage) -> Iterator[Figure]:
    for table in (e for e in shown if kind_of(e) is Kind.TABLE):
        held = tree.below(table)
        heads = [e for e in held if kind_of(e) is Kind.COLUMN and e.box is not None]
        for row in (e for e in held if kind_of(e) is Kind.ROW):
            if is_head(row, tree) or is_foot(row, tree):
                continue
            cells = [e for e in tree.below(row) if kind_of(e) is Kind.CELL and e.box is not None]
            beside = tuple(words_of(_said(e, tree)) for e in cells)
            for cell in cells:
                number = _number_of(_said(cell, tree))
                head = _head_of(cell, heads)
                if number and head is not None:
                    yield Figure(number, words_of(_said(head, tree)), beside, row.id)


def _said(element: Element, tree: Lineage) -> str:
    held = (written_on(e) for e in tree.below(element) if kind_of(e) is not Kind.BUTTON)
    return written_on(element) or " ".join(filter(None, held))


def _head_of(cell: Element, heads: Sequence[Element]) -> Element | None:
    middle = cell.box.center.x if cell.box is not None else 0
    over = [e for e in heads if e.box is not None and e.box.x <= middle < e.box.right]
    return over[0] if len(over) == 1 else None


_CUT = re.compile(r"\s*,\s+|\s+(?:and|with)\s+", re.IGNORECASE)
_SAID = re.compile(rf"(?<![\w.,#-]){_NUMBER}(?![\w-]|[.,]\d)")


def row_saying(elements: Sequence[Element], claim: str) -> str | None:
    """The texts of the one row whose figures are those of a claim, and which says all of it.

    Each number has to stand under a column that its own part of the claim names: of "19 on hand
    and a minimum of 20" the 19 is no minimum.

    Args:
        elements: What is on the screen.
        claim: In the person's words.
    """
    parts = [(words_of(_SAID.sub(" ", part)), _SAID.findall(part)) for part in _CUT.split(claim)]
    wanted = read_claim(_SAID.sub(" ", claim))
    if not can_be_held(claim) or not any(n for _, n in parts) or any(len(n) > 1 for _, n in parts):
        return None
    rows: dict[str, list[Figure]] = {}
    for figure in figures(elements):
        if figure.row:
            rows.setdefault(figure.row, []).append(figure)
    tree = lineage_of(tuple(elements))
    saying = [row for row in rows if _says(tree.by_id[row], rows[row], wanted, tree)]
    # Of "Blue mug" and "Blue mug, large" only the first is said to its end.
    whole = [row for row in saying if any(p and p <= wanted.words for p in rows[row][0].beside)]
    meant = whole or saying
    if len(meant) != 1 or not all(_is_told(rows[meant[0]], *part) for part in parts):
        return None
    return " ".join(_leaves(tree.by_id[meant[0]], tree))


def _says(row: Element, held: Sequence[Figure], wanted: Claim, tree: Lineage) -> bool:
    """Whether a row, with its columns, says all the words of a claim."""
    around, text = held[0].around, fold(" ".join(_leaves(row, tree)))
    own = frozenset[str]().union(*(f.own for f in held)) | _columns(row, tree)
    if not all(one in text for one in wanted.quoted):
        return False
    return wanted.words - _SORTS <= around | own and bool(wanted.quoted or wanted.words & around)


def _is_told(held: Sequence[Figure], words: frozenset[str], numbers: Sequence[str]) -> bool:
    """Whether a part of a claim gives the number that stands under the one column it names."""
    meant = {f.own: f for f in held if f.own - _SORTS and f.own - _SORTS <= words}
    return not numbers or (
        len(meant) == 1 and all(f.says("equals", numbers[0]) for f in meant.values())
    )


def _leaves(row: Element, tree: Lineage) -> list[str]:
    return list(dict.fromkeys(t for e in (row, *tree.below(row)) if (t := written_on(e))))


def _columns(row: Element, tree: Lineage) -> frozenset[str]:
    table = next((e for e in tree.above(row) if kind_of(e) is Kind.TABLE), None)
    heads = [e for e in (tree.below(table) if table else ()) if kind_of(e) is Kind.COLUMN]
    return frozenset(word for e in heads for word in words_of(_said(e, tree)))
