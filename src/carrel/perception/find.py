"""Finding on a screen what a person describes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Point, Size
from carrel.perception._broken import over_lines
from carrel.perception._context import by_words, in_context
from carrel.perception._names import is_same
from carrel.perception._reordered import in_other_order
from carrel.perception._search import MATCH, Hit, Search
from carrel.perception._vocabulary import ORDINALS
from carrel.perception.describe import describe
from carrel.perception.description import Description, Relation, Want
from carrel.perception.labels import written_on
from carrel.perception.layout import Layout, layout_of
from carrel.perception.roles import FIELDS, Kind, kind_of

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["AHEAD", "SURE", "Found", "Match", "Want", "every", "find"]

SURE = 0.75
"""From this confidence on something may be used without asking again."""

AHEAD = 0.02
"""By how much the best must be ahead of the next to be the only one."""

ALL_WORDS = 0.92
"""From here on it is called by the very words, and not by something like them."""

MAX_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Match:
    """An element that may be meant.

    Attributes:
        confidence: 0 to 1.
        point: Where to click it.
        why: What about it fits.
    """

    element: Element
    confidence: float
    point: Point
    why: str = ""

    def __str__(self) -> str:
        """`Submit form (button, 412,300)`."""
        said = " ".join(written_on(self.element).split())
        if not said and self.why.startswith("labelled "):
            said = self.why.removeprefix("labelled ").split("', ")[0].strip("'")
        said = said if len(said) <= 60 else said[:59] + "…"
        kind = kind_of(self.element)
        called = self.element.role if kind is Kind.ANY else str(kind)
        place = f"{called}, {self.point.x},{self.point.y}"
        return f"{said} ({place})" if said else f"a {called} ({self.point.x},{self.point.y})"


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a search.

    Attributes:
        description: As the words were understood.
        matches: What fits, the best first.
        nearest: What comes closest, when nothing fits.
        notes: What could not be taken into account.
    """

    description: Description
    matches: tuple[Match, ...] = ()
    nearest: tuple[Match, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Match | None:
        """The one that fits best, sure or not."""
        return self.matches[0] if self.matches else None

    @property
    def sure(self) -> bool:
        """Whether one fits well and clearly better than any other."""
        return bool(self.matches) and self.matches[0].confidence >= SURE and not self.ambiguous

    @property
    def ambiguous(self) -> bool:
        """Whether several fit equally well, and it is not said that any of them will do."""
        return len(self._equals()) > 1 and not self.description.any_one

    def _equals(self) -> tuple[Match, ...]:
        if not self.matches:
            return ()
        least = self.matches[0].confidence - AHEAD
        return tuple(match for match in self.matches if match.confidence > least)

    def account(self) -> str:
        """What was found or was not, in a sentence for a person."""
        notes = "".join(f"; {note}" for note in self.notes)
        if self.sure:
            return f"{self.matches[0]}{notes}"
        equals = self._equals()
        if self.ambiguous and equals[0].confidence >= SURE:
            listed = ", ".join(map(str, equals[:MAX_NEAREST]))
            more = ", …" if len(equals) > MAX_NEAREST else ""
            return f"{len(equals)} elements fit {self._wish()}: {listed}{more}{notes}"
        near = self.matches[:MAX_NEAREST] or self.nearest
        listed = ", ".join(map(str, near))
        return f"no {self._wish()}" + (f"; nearest: {listed}" if listed else "") + notes

    def _wish(self) -> str:
        """`element named Submit`, or the person's own words where they say more."""
        one = self.description
        if one.relations or one.ordinal or one.superlative or one.states or one.colour or one.shape:
            return f"“{one.text}”"
        kind = str(one.kinds[0]) if one.kinds else "element"
        return f"{kind} named {one.name}" if one.name else kind


def find(
    elements: Sequence[Element],
    description: Description | str,
    *,
    view: View | None = None,
    size: Size | None = None,
    want: Want = "act",
) -> Found:
    """Find what is described among the elements of a screen; of two that fit alike, none is sure.

    Args:
        elements: Of one moment, parents before their children.
        description: The person's words, or what `describe` made of them.
        view: The pixels, for colours and shapes; without them such words make it less sure.
        size: The screen, to leave out what is outside.
        want: What it is wanted for; of equals the one that serves is taken.
    """
    one = describe(description) if isinstance(description, str) else description
    layout = layout_of(tuple(elements), size)
    readings = _of_rows(_but_names((one, *one.readings)))
    readings = (*readings, *_as_cells(layout, readings))
    tried = [_try(layout, reading, view, want) for reading in readings]
    best = max(tried, key=_merit)
    best = _by_number_in_name(best, tried) or best
    if _is_mere_text(best):
        best = _by_all_words(tried) or best
    if best.best is None or best.best.confidence < SURE:
        best = _by_context(layout, readings, view, want) or best
    return _with_rival(best, tried)


_CAPITAL = re.compile(r"\b(?:Next|Previous)\b")


def _but_names(readings: tuple[Description, ...]) -> tuple[Description, ...]:
    """Without readings that count, where the word is spelt as a name: "the Next button"."""
    kept = tuple(
        one
        for one in readings
        if one.name or one.superlative not in ("next", "previous") or not _CAPITAL.search(one.text)
    )
    return kept or readings


def _of_rows(readings: tuple[Description, ...]) -> tuple[Description, ...]:
    """Where a row is named by its number, only readings that heed it, and the very words."""

    def is_row(one: Description) -> bool:
        return any(r.target.kinds == (Kind.ROW,) and r.target.ordinal for r in one.relations)

    if not any(map(is_row, readings)):
        return readings
    return tuple(one for one in readings if one.relations or one.name == one.text)


def _as_cells(layout: Layout, readings: Sequence[Description]) -> Iterator[Description]:
    """Each reading of which the name is the heading of a column, as the cell under it."""
    headings = [written_on(item.element) for item in layout.placed if item.kind is Kind.COLUMN]
    for one in readings:
        of_row = len(one.relations) == 1 and one.relations[0].kind in ("in", "of", "row")
        if one.kinds or not one.name or not of_row or one.relations[0].negated:
            continue
        if any(is_same(one.name, heading) for heading in headings):
            row = one.relations[0]
            row = row if row.target.kinds == (Kind.ROW,) else replace(row, kind="row")
            column = Description(one.name, name=one.name, exact=one.exact, kinds=(Kind.COLUMN,))
            relations = (row, Relation("column", column))
            yield replace(one, name="", exact=False, kinds=(Kind.CELL,), relations=relations)


def _by_context(
    layout: Layout, readings: Sequence[Description], view: View | None, want: Want
) -> Found | None:
    """What is called so where the rest is said around it, or the entry that says all the words."""
    for one in readings:
        hits = over_lines(layout, one) or in_context(Search(layout, view, want), one)
        if hits:
            return Found(one, _ranked(hits, layout))
    if hits := by_words(layout, readings[0], want):
        return Found(readings[0], _ranked(hits, layout))
    turned = [(one, in_other_order(layout, one)) for one in readings if want == "act"]
    return next((Found(one, _ranked(hits, layout)) for one, hits in turned if hits), None)


def _ranked(hits: Sequence[Hit], layout: Layout) -> tuple[Match, ...]:
    return tuple(sorted((_match(hit, layout) for hit in hits), key=lambda m: -m.confidence))


def _used(hit: Hit, layout: Layout, want: Want) -> Hit:
    """Of a cell that holds one control and is to be used, that control."""
    if hit.item.kind is not Kind.CELL or want not in ("act", "type"):
        return hit
    held = [item for item in layout.inside(hit.item) if item.is_control]
    fields = [item for item in held if item.kind in FIELDS] if want == "type" else held
    return replace(hit, item=fields[0]) if len(fields) == 1 else hit


def _with_rival(best: Found, tried: Sequence[Found]) -> Found:
    """With the first of all, where one that is called "First" may be meant as well."""
    word = best.description.name
    if not best.sure or not word.islower() or word not in ORDINALS:
        return best
    for other in tried:
        one = other.description
        if other.sure and one.ordinal == ORDINALS[word] and not one.name:
            first, second = best.matches[0], other.matches[0]
            if first.element is not second.element:
                rival = replace(second, confidence=first.confidence)
                return replace(best, matches=(first, rival, *best.matches[1:]))
    return best


def _by_number_in_name(best: Found, tried: Sequence[Found]) -> Found | None:
    """What is called "First name", of which a reading has taken a word for a number."""
    counted = best.description
    if not counted.ordinal or not counted.name:
        return None
    for found in tried:
        one = found.description
        longer = not one.ordinal and one.name.casefold().endswith(f" {counted.name.casefold()}")
        if longer and found.sure and found.matches[0].confidence >= ALL_WORDS:
            return found
    return None


def _is_mere_text(found: Found) -> bool:
    return found.best is not None and kind_of(found.best.element) in (Kind.TEXT, Kind.HEADING)


def _by_all_words(tried: Sequence[Found]) -> Found | None:
    """What is called by all the words, of which a reading may have taken one for a kind."""
    for found in tried:
        one = found.description
        literal = one.name == one.text and not one.kinds and not one.relations
        if literal and found.sure and found.matches[0].confidence >= ALL_WORDS:
            return found
    return None


def _try(layout: Layout, reading: Description, view: View | None, want: Want) -> Found:
    search = Search(layout, view, want)
    hits = search.run(reading)
    matches = [_match(_used(hit, layout, want), layout) for hit in hits]
    fitting = tuple(match for match in matches if match.confidence >= MATCH)
    nearest = () if fitting else tuple(matches[:MAX_NEAREST])
    return Found(reading, fitting, nearest, tuple(dict.fromkeys(search.notes)))


def _match(hit: Hit, layout: Layout) -> Match:
    at = layout.free_point(hit.item)
    return Match(hit.item.element, round(hit.confidence, 4), at, hit.why)


def _merit(found: Found) -> tuple[float, bool, int]:
    """Which reading of the words is meant: what it finds, and how literally it takes them."""
    matches = found.matches or found.nearest
    best = matches[0].confidence if matches else 0.0
    literal = _literal(found.description) if best else 0
    return round(best * 50), not found.ambiguous, literal


def _literal(one: Description) -> int:
    """How many characters are taken as they are."""
    targets = [relation.target for relation in one.relations]
    return len(one.name) + sum(map(_literal, targets))


def every(
    elements: Sequence[Element],
    description: Description | str,
    *,
    view: View | None = None,
    size: Size | None = None,
    want: Want = "act",
) -> tuple[Element, ...]:
    """All elements that fit, in reading order: for "all checkboxes", and to count."""
    one = describe(description) if isinstance(description, str) else description
    layout = layout_of(tuple(elements), size)
    best: list[Hit] = []
    for reading in (one, *one.readings):
        hits = [h for h in Search(layout, view, want).every(reading) if h.confidence >= SURE]
        if hits and (not best or hits[0].confidence > best[0].confidence + AHEAD):
            best = hits
    placed = {id(hit.item): hit.item for hit in best}
    return tuple(item.element for item in layout.reading_order(list(placed.values())))
