"""Results of a search by their number, counted over as many pages as they take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.opening import MORE, is_pager, pager_to
from carrel.models.steps.reveal import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, kind_of

if TYPE_CHECKING:
    from carrel.perception.find import Match

__all__ = ["is_result", "numbered_result"]

PAGES = 30
DEEPEST = 50
COLUMN = 4
"""Pixels by which entries of one column may differ."""
_RESULT = re.compile(
    r"(?:search |first-page |matching )?(?:results?|hits?|match(?:es)?)"
    r"(?: (?:of|from|in) (?:the |your |this )?(?:search|page|list|results))?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:the )?(?:search )?(?:result|hit|match)(?: (?:number|no\.?|nr\.?))? ?#?(?P<number>\d{1,3})",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def is_result(phrase: str) -> int:
    """The number of a result that a phrase means, from the end if negative; 0 for other things."""
    from carrel.perception.describe import describe

    numbered = _NUMBERED.fullmatch(phrase.strip())
    if numbered is not None:
        return int(numbered["number"])
    one = describe(phrase)
    words = re.sub(r"^(?:the |a )?\S+ ", "", phrase.strip(), count=1, flags=re.IGNORECASE)
    return one.ordinal if one.ordinal and _RESULT.fullmatch(words) else 0


def numbered_result(desk: Desk, phrase: str) -> Turns[Match]:
    """The result of that number; further pages are turned to where it is not on this one.

    Raises:
        Missed: There are not so many.
    """
    number, before = is_result(phrase), 0
    yield from _arrived(desk)
    for _ in range(PAGES):
        here = _entries(desk)
        if 0 < number <= before + len(here):
            return (yield from _in_sight(desk, here[number - before - 1], number))
        further = pager_to(desk, MORE)
        if further is None or further.box is None:
            if number < 0 and len(here) >= -number:
                return (yield from _in_sight(desk, here[number], number))
            raise Missed(f"no “{phrase}”: there are only {before + len(here)} results")
        before += len(here)
        yield from _turn(desk, further)
    raise Missed(f"no “{phrase}” on {PAGES} pages")


def _arrived(desk: Desk) -> Turns[None]:
    """Results may take a moment."""
    for pause in (0.3, 0.7, 1.5):
        if _entries(desk):
            return
        yield from desk.again(pause, why="the results are not there yet")


def _turn(desk: Desk, further: Element) -> Turns[None]:
    assert further.box is not None
    at, shown = further.box.center, [(e.name, e.box) for e in _entries(desk)]
    why = f"not on this page: go on by {further.name}"
    yield from desk.do(Click(at.x, at.y), why=why)
    for pause in (0.2, 0.5, 1.0):
        if [(e.name, e.box) for e in _entries(desk)] != shown:
            return
        yield from desk.again(pause, why="the next page is not there yet")


def _in_sight(desk: Desk, entry: Element, number: int) -> Turns[Match]:
    from carrel.perception.find import Match

    yield from desk.again(0, why="what is beyond the edge", hidden=True)
    yield from bring_into_view(desk, entry)
    now = [e for e in desk.elements if (e.role, e.name) == (entry.role, entry.name) and e.box]
    entry = now[0] if len(now) == 1 else entry
    assert entry.box is not None
    return Match(entry, 0.95, entry.box.center, f"the result number {number}")


def _entries(desk: Desk) -> list[Element]:
    """What heads each result: the links of the longest column, without those that turn pages."""
    links = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.LINK and e.box is not None and e.name.strip()
        if not is_pager(e, desk.elements) and not _ADDRESS.fullmatch(e.name.strip())
    ]
    columns: dict[int, list[Element]] = {}
    for link in links:
        assert link.box is not None
        near = next((x for x in columns if abs(x - link.box.x) <= COLUMN), link.box.x)
        columns.setdefault(near, []).append(link)
    # A column of links beside the results leads elsewhere; theirs are the longest to read.
    told = [column for column in columns.values() if not _is_bar(column, desk)]
    longest = max(told, key=lambda column: (len(column), _letters(column)), default=[])
    return sorted(longest, key=lambda e: e.box.y if e.box else 0)


def _letters(links: list[Element]) -> int:
    return sum(len(link.name) for link in links)


def _is_bar(links: list[Element], desk: Desk) -> bool:
    """Whether they lead about the site: beside what is found, or in a bar for that."""
    above = {e.id: e for e in desk.elements}
    return any(_leads_about(above.get(link.parent or ""), above) for link in links)


def _leads_about(at: Element | None, above: dict[str, Element]) -> bool:
    bars, depth = ("landmark", "navigation", "tool bar", "menu bar", "menu"), 0
    while at is not None and depth < DEEPEST:
        if at.role in bars and not re.search(r"result|main|search", at.name, re.IGNORECASE):
            return True
        at, depth = above.get(at.parent or ""), depth + 1
    return False
