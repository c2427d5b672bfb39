"""Results of a search by their number, counted over as many pages as they take."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.shown.pagers import MORE, is_pager, pager_to
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.describe import describe
from carrel.perception.find import Match
from carrel.perception.roles import Kind, kind_of

__all__ = ["is_result", "numbered_result"]

PAGES = 30
COLUMN = 4
"""Pixels by which entries of one column may differ."""
UNDER, ACROSS = 60, 40
"""Pixels below the last entry, and to the right of its beginning, in which more of it is said."""
_RESULT = re.compile(
    r"(?:search |first-page |matching )?(?:results?|hits?|match(?:es)?)"
    r"(?: (?:of|from|in) (?:the |your |this )?(?:search|page|list|results))?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:the )?(?:search )?(?:result|hit|match)(?: (?:number|no\.?|nr\.?))? ?#?(?P<number>\d{1,3})",
    re.IGNORECASE,
)
_RESULT_ZH = re.compile(
    r"(?:(?:倒数)?第\s*[\d一二三四五六七八九十]+\s*|最后一|首)[个条项]?(?:搜索|查询|检索)?的?结果(?:的?(?:链接|标题))?"
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)


def is_result(phrase: str) -> int:
    """The number of a result that a phrase means, from the end if negative; 0 for other things."""
    numbered = _NUMBERED.fullmatch(phrase.strip())
    if numbered is not None:
        return int(numbered["number"])
    one = describe(phrase)
    if _RESULT_ZH.fullmatch(phrase.strip()):
        return one.ordinal or 1
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
    found = [sorted(column, key=_top) for column in columns.values()]
    told = [column for column in found if _says_more(column, desk)]
    # Links with nothing said between them may as well lead about the site.
    ranked = sorted(told or found, key=len, reverse=True)
    if not told and len(ranked) > 1 and len(ranked[0]) == len(ranked[1]):
        return []
    return ranked[0] if ranked else []


def _top(element: Element) -> int:
    return element.box.y if element.box is not None else 0


def _says_more(links: list[Element], desk: Desk) -> bool:
    """Whether something is said under most of them, as of a result."""
    texts = [e.box for e in desk.elements if kind_of(e) is Kind.TEXT and e.box is not None]
    said = 0
    for link, after in zip(links, (*links[1:], None), strict=True):
        box = link.box
        assert box is not None
        end = _top(after) if after is not None else box.bottom + UNDER
        said += any(
            box.bottom <= text.center.y < end and box.x - COLUMN <= text.x < box.x + ACROSS
            for text in texts
        )
    return 2 * said > len(links)
