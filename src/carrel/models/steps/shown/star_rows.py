"""Rows of stars that a page has made of mere signs or pictures, and what each of them is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.phrases.small_words import GRAMMAR
from carrel.models.steps.phrases.stemming import stems
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["StarRow", "row_for", "star_rows"]

_SIGN = re.compile(r"[☆★✩✭✮✯✰⚝⭐🌟♡♥❤]\ufe0f?")
_SIGNS = re.compile(r"(?:[☆★✩✭✮✯✰⚝⭐🌟♡♥❤]\ufe0f?\s?){3,10}")
_SO_MANY = re.compile(
    r"(?:rate |give )?(?:it )?(?P<n>\d)(?:\s*(?:of|out of|/)\s*\d+)?\s*(?:stars?|颗?星)",
    re.IGNORECASE,
)
FEWEST, MOST = 3, 10
"""Stars in a row."""
REACH, OVER = 480, 60
"""Pixels from a row of stars to the words at its left, and up to those over it."""
_NOT_NAMES = frozenset(stems("your my rating review score star stars overall"))


@dataclass(frozen=True, slots=True)
class StarRow:
    """Where each star of a row is, the first one first, and what is written at it."""

    stars: tuple[Box, ...]
    said: tuple[str, ...]


def star_rows(page: Sequence[Element]) -> list[StarRow]:
    """Every row of stars that can be clicked one by one."""
    shown = [e for e in page if e.box is not None and e.box.area and not is_disabled(e)]
    return [StarRow(stars, _said_at(stars, shown)) for stars in _rows(shown)]


def row_for(rows: Sequence[StarRow], what: str) -> StarRow | None:
    """The row of stars for something: the one at which it is written, or the only one for no other.

    What says no more than `Your rating` is for whatever a page is about.
    """
    words = {s for s in stems(what) if s not in GRAMMAR} - _NOT_NAMES
    if len(rows) == 1:
        said = {s for text in rows[0].said for s in stems(text) if s not in GRAMMAR} - _NOT_NAMES
        return rows[0] if not words or not said or words & said else None
    fitting = [r for r in rows if words and words <= {s for t in r.said for s in stems(t)}]
    return fitting[0] if len(fitting) == 1 else None


def _rows(shown: Sequence[Element]) -> Iterator[tuple[Box, ...]]:
    signs = {e.box for e in shown if not is_field(e) and _SIGN.fullmatch(written_on(e).strip())}
    yield from _in_lines([box for box in signs if box is not None])
    yield from _numbered(shown)
    for element in shown:
        box = element.box
        if box is not None and kind_of(element) is Kind.TEXT:
            text = written_on(element).strip()
            if _SIGNS.fullmatch(text):
                count = len(_SIGN.findall(text))
                wide = box.width // count
                yield tuple(Box(box.x + n * wide, box.y, wide, box.height) for n in range(count))


def _numbered(shown: Sequence[Element]) -> Iterator[tuple[Box, ...]]:
    """Stars that each say their number, one after the other in a line."""
    told = [
        (e.box, int(said["n"]))
        for e in shown
        if e.box is not None and kind_of(e) not in (Kind.TEXT, Kind.PAGE)
        if (said := _SO_MANY.fullmatch(written_on(e).strip())) is not None
    ]
    row: list[Box] = []
    for box, number in [*sorted(set(told), key=lambda one: (one[0].y, one[0].x)), (None, 1)]:
        if number == 1 or box is None or number != len(row) + 1:
            if len(row) >= FEWEST:
                yield tuple(row)
            row = []
        if box is not None and number == len(row) + 1:
            row.append(box)


def _in_lines(boxes: Sequence[Box]) -> Iterator[tuple[Box, ...]]:
    """Signs that stand close beside one another."""
    row: list[Box] = []
    for box in sorted(boxes, key=lambda b: (b.center.y, b.x)):
        beside = bool(row) and abs(box.center.y - row[-1].center.y) <= 2
        if beside and 0 <= box.x - row[-1].right + 2 <= 2 * box.width:
            row.append(box)
            continue
        if FEWEST <= len(row) <= MOST:
            yield tuple(row)
        row = [box]
    if FEWEST <= len(row) <= MOST:
        yield tuple(row)


def _said_at(stars: Sequence[Box], shown: Sequence[Element]) -> tuple[str, ...]:
    """The words in the line of a row of stars, at its left; else those right over it."""
    place = around(list(stars))
    words = [
        e
        for e in shown
        if kind_of(e) in (Kind.TEXT, Kind.HEADING, Kind.CELL)
        if e.box is not None and any(map(str.isalpha, written_on(e)))
    ]
    line = [e for e in words if e.box and place.y - 8 <= e.box.center.y < place.bottom + 8]
    left = [e for e in line if e.box and 0 <= place.x + 4 - e.box.right <= REACH]
    if not left:
        over = [e for e in words if e.box and 0 <= place.y + 4 - e.box.bottom <= OVER]
        left = [e for e in over if e.box and e.box.x < place.right and e.box.right > place.x]
    return tuple(dict.fromkeys(written_on(e) for e in left))
