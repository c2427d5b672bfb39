"""Where a line and a column meet that are only written at the edges of a plan.

Seats have the letter of their row at the left and their own number; the hours of a week are told at
the left, its days above: what is to be clicked has no name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.language.dates import iso_time
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.reading import fold
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["SLOT", "meeting", "place_of_code", "slot_cell", "slot_of"]

_WRITTEN = frozenset({Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.COLUMN, Kind.BUTTON, Kind.LINK})
_LINE, _OWN = (
    r"(?:row|line|reihe|level|第)?\s*{}\s*[.:]?\s*[排行]?",
    r"(?:seat|column|no\.?)?\s*{}\s*座?",
)
WIDE, HIGH = 260, 120
"""Pixels that a place on a plan may be wide and high."""
SLACK = 6
"""Pixels that a place may stand higher or lower than what is written at the edge of its line."""
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = (
    r"(?P<day{n}>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)"
    r"(?:,? (?:the )?(?P<nth{n}>\d{{1,2}})(?:st|nd|rd|th)?)?"
)
_TIME = (
    r"(?P<time{n}>\d{{1,2}}[:.]\d{{2}}(?:\s*[ap]\.?m\.?)?|"
    r"\d{{1,2}}\s*(?:[ap]\.?m\.?|o['’]clock)|noon)"
)
_HOUR = re.compile(r"\d{1,2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?|h|uhr|点|时)?", re.IGNORECASE)
_AT, _ON = r"(?:,?\s+(?:at|from)\s+|,?\s+)", r"(?:,?\s+(?:on|of)\s+(?:the )?|,?\s+)"
SLOT = (
    rf"(?:on )?{_DAY.format(n=1)}{_AT}{_TIME.format(n=1)}"
    rf"|(?:at )?{_TIME.format(n=2)}{_ON}{_DAY.format(n=2)}"
)
"""A day of a week and a time of it, in either order."""
_CELL = r"(?:time )?(?:cell|slot|box|field|square|space|spot|appointment|hour|place)"
_SLOT_CELL = re.compile(
    rf"(?:the )?(?:(?:free |empty )?{_CELL} (?:for |on |of |at |in )?)?(?:the )?"
    rf"(?:{SLOT})(?:\s+{_CELL})?",
    re.IGNORECASE,
)
_NAMED_CELL = re.compile(
    r"(?:the )?(?:(?:empty|free) )?(?:cell|box|field|square|slot|place) "
    r"(?:for|of|at|in the row(?: of)?|where|beside|next to) (?P<names>.+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r",? (?:on|under|and|at|in|below|meets|×|x)(?: the)?(?: column(?: of)?)? ")


def place_of_code(desk: Desk, letter: str, number: str) -> Element | None:
    """The one place of a plan with a letter and a number, be either that of its row."""
    shown = _shown(desk)
    for code in (
        f"{letter}{number}",
        f"{number}{letter}",
        f"{letter}-{number}",
        f"{letter} {number}",
    ):
        named = _inner([e for e in shown if fold(written_on(e)) == fold(code)])
        if named:
            return named[0] if len(named) == 1 else None
    found = [*_in_lines(shown, letter, number), *_in_lines(shown, number, letter)]
    if not found:
        for row, column in ((letter, number), (number, letter)):
            crossed = meeting(desk, _edge(_LINE, row), _edge(_OWN, column), both=False)
            found += [crossed] if crossed is not None else []
    places = {e.box: e for e in found}
    return next(iter(places.values())) if len(places) == 1 else None


def _edge(pattern: str, name: str) -> Callable[[str], bool]:
    fits = re.compile(pattern.format(re.escape(name)), re.IGNORECASE)
    return lambda text: fits.fullmatch(text.strip()) is not None


def _in_lines(shown: Sequence[Element], row: str, own: str) -> Iterator[Element]:
    """What has its own number, in the line at whose edge the row is told."""
    fits, is_own = _edge(_LINE, row), _edge(_OWN, own)
    heads = _inner([e for e in shown if kind_of(e) in _WRITTEN and fits(written_on(e))])
    places = _inner([e for e in shown if kind_of(e) in _WRITTEN and is_own(written_on(e))])
    for head in heads:
        at = head.box
        assert at is not None
        # At the edge there is nothing of the line further out.
        line = [e for e in _inner(_texts(shown)) if e.box and _is_level(e.box, at)]
        left = all(at.x <= e.box.x for e in line if e.box)
        right = all(at.right >= e.box.right for e in line if e.box)
        if not (left or right) or len(line) < 3:
            continue
        yield from (e for e in places if e.id != head.id and e.box and _is_level(e.box, at))


def meeting(
    desk: Desk, line: Callable[[str], bool], column: Callable[[str], bool], *, both: bool = True
) -> Element | None:
    """The one place where a line and a column meet; with `both` either may be told either way."""
    shown = _shown(desk)
    rows = _inner([e for e in shown if kind_of(e) in _WRITTEN and line(written_on(e))])
    heads = _inner([e for e in shown if kind_of(e) in _WRITTEN and column(written_on(e))])
    pairs = [(r, h) for r in rows for h in heads]
    pairs += [(h, r) for r in rows for h in heads] if both else []
    found: dict[Box, Element] = {}
    for row, head in pairs:
        place = _crossing(shown, row, head)
        if place is not None and place.box is not None:
            found[place.box] = place
    return next(iter(found.values())) if len(found) == 1 else None


def _crossing(shown: Sequence[Element], row: Element, head: Element) -> Element | None:
    left, top = row.box, head.box
    if left is None or top is None or row.id == head.id:
        return None
    beside = top.x >= left.right - SLACK or top.right <= left.x + SLACK
    if not beside or top.bottom > left.center.y:
        return None
    at = Point(top.center.x, left.center.y)
    around = [e for e in shown if e.box and e.box.contains(at) and e.box not in (left, top)]
    small = [e for e in around if e.box and e.box.width <= WIDE and e.box.height <= HIGH]
    small = [e for e in small if e.box and not _holds(e.box, left) and not _holds(e.box, top)]
    # What lies over several lines or columns is no place of its own.
    place = min(small, key=lambda e: e.box.area if e.box else 0, default=None)
    return None if place is None or is_disabled(place) else place


def _holds(box: Box, other: Box) -> bool:
    return box.intersect(other) == other


def slot_cell(desk: Desk, phrase: str) -> Match | None:
    """The place of a plan at a day and a time, or at two names; None where words mean none."""
    said = _SLOT_CELL.fullmatch(phrase.strip().strip('"“”'))
    place = slot_of(desk, said) if said is not None else _between_names(desk, phrase)
    if place is None or place.box is None:
        return None
    return Match(place, 0.9, place.box.center, f"where {phrase} is in the plan")


def _between_names(desk: Desk, phrase: str) -> Element | None:
    """`the cell for Lena on Tuesday`: where the line of the one meets the column of the other."""
    said = _NAMED_CELL.fullmatch(phrase.strip())
    if said is None:
        return None
    found = [
        place
        for between in _BETWEEN.finditer(said["names"])
        if (first := said["names"][: between.start()].strip('"“” '))
        if (second := said["names"][between.end() :].strip('"“” '))
        if (place := meeting(desk, _called(first), _called(second))) is not None
    ]
    return found[0] if len({place.box for place in found}) == 1 else None


def _called(name: str) -> Callable[[str], bool]:
    """Whether a text is a name, or the beginning of the day of that name."""
    wanted = fold(re.sub(r"^(?:the )?(?:row|column) (?:of )?", "", name, flags=re.IGNORECASE))
    day = wanted[:3] if wanted.endswith("day") and wanted[:3] in _DAYS else ""

    def fits(text: str) -> bool:
        said = fold(text).strip(" :：.")
        return said == wanted or bool(day and re.match(rf"{day}[a-z]*\b(?:\W*\d+\W*)?$", said))

    return fits


def slot_of(desk: Desk, said: re.Match[str]) -> Element | None:
    """The place of a week at the day and the time that a match of `SLOT` tells."""
    day = (said["day1"] or said["day2"]).casefold()
    nth, time = said["nth1"] or said["nth2"], iso_time(said["time1"] or said["time2"])

    def is_day(text: str) -> bool:
        words = re.findall(r"\w+", text.casefold())
        known = bool(words) and len(words) <= 4 and words[0][:3] == day[:3]
        whole = known and (len(words[0]) == 3 or words[0].startswith(day[:4]))
        told = [word for word in words if word.isdigit()]
        return whole and (nth is None or not told or nth in told)

    def is_time(text: str) -> bool:
        said = _HOUR.fullmatch(text.strip())
        return said is not None and (iso_time(said[0]) or iso_time(f"{said[0]}:00")) == time

    return meeting(desk, is_time, is_day) if time is not None else None


def _shown(desk: Desk) -> list[Element]:
    return [e for e in part_meant(desk.elements, "") if e.box is not None and e.box.area]


def _texts(shown: Sequence[Element]) -> list[Element]:
    return [e for e in shown if kind_of(e) in _WRITTEN and written_on(e).strip()]


def _is_level(box: Box, other: Box) -> bool:
    return abs(box.center.y - other.center.y) <= max(SLACK, min(box.height, other.height) // 2)


def _inner(elements: Sequence[Element]) -> list[Element]:
    """Those that hold no other of them; of what is told twice at one place the last."""
    boxes = {e.box: e for e in elements}
    return [
        e
        for box, e in boxes.items()
        if not any(other != box and box and other and _holds(box, other) for other in boxes)
    ]
