"""Bringing into sight what is not: scrolling, other tabs, closed sections, menus, further pages.

Everything is tried in a fixed order with a bound, told in the thought, and put back when it did not
help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Window
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.enclosed import enclosed
from carrel.models.steps.finding.wishes import Wish, is_there, look_for, resolve, told_by_all
from carrel.models.steps.layout.accordions import head_meant
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import number_of, same_one
from carrel.models.steps.reaching.opening import (
    Search,
    in_folders,
    in_menus,
    in_sections,
    in_tabs,
    on_further_pages,
)
from carrel.models.steps.shown.front import not_behind, several_windows
from carrel.models.steps.shown.panes import bring_into_view, off_screen, view_box
from carrel.models.steps.shown.scrollable import look_through, scrolling_panes
from carrel.models.steps.turns import Turns
from carrel.perception.find import Match

__all__ = ["out_of_sight", "reveal"]


def reveal(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """Look for something that is not in sight; None when nothing helped."""
    windows = yield from several_windows(desk)
    match = yield from _scrolled(desk, wish, windows)
    search = Search(wish, windows)
    for way in (in_tabs, in_sections, in_folders, in_menus, on_further_pages):
        if match is None and not search.is_over:
            match = yield from way(desk, search)
    return match


def out_of_sight(desk: Desk, wish: Wish) -> Turns[Match | None]:
    """What the application knows but does not show: further down, or in a closed list."""
    yield from desk.again(0, why=f"what is out of sight, for {wish.phrase}", hidden=True)
    windows = yield from several_windows(desk)
    shown = {e.id for e in not_behind(desk.unseen, windows)}
    away = [e for e in off_screen(desk) if e.id in shown]
    # What has a number is counted from the first on, be that in sight or not.
    among = not_behind(desk.unseen, windows) if wish.description.ordinal else away
    found = look_for(desk, wish, among)
    best = resolve(desk, found)
    if best is None and not is_there(found):
        # What names it may be in sight, at the edge.
        best = resolve(desk, look_for(desk, wish, not_behind(desk.unseen, windows)))
        best = best if best is not None and best.element in away else None
    if best is None and not is_there(found):
        best = head_meant(desk.unseen, wish.phrase) or enclosed(
            desk, wish, not_behind(desk.unseen, windows)
        )
    if best is None and not is_there(found):
        told = told_by_all(desk, wish, not_behind(desk.unseen, windows))
        best = told if told is not None and told.element in away else None
    if best is None or best.element.box is None:
        if is_there(found):
            desk.tried.append(f"out of sight {found.account()}")
        return None
    number = number_of(desk.unseen, best.element)
    if (yield from bring_into_view(desk, best.element)):
        if wish.description.ordinal:
            now = same_one(desk.unseen, best.element, number) or best.element
            return replace(best, element=now, point=now.box.center) if now.box else None
        match = resolve(desk, look_for(desk, wish)) or head_meant(desk.elements, wish.phrase)
        # What tells of its place may be out of sight now.
        match = match or enclosed(desk, wish, not_behind(desk.unseen, windows))
        return match if match is not None and view_box(desk).contains(match.point) else None
    return None


def _scrolled(desk: Desk, wish: Wish, windows: Sequence[Window]) -> Turns[Match | None]:
    """Where no tree says what is further down, only looking helps."""
    if web_page(desk.elements) is not None and len(desk.unseen) > len(desk.elements):
        # The page has told of everything it has, in sight or not; only its panes are left.
        return None

    def there() -> Match | None:
        return resolve(desk, look_for(desk, wish))

    panes = scrolling_panes(desk, windows)
    if wish.inside is not None:
        # What lies beyond the edges of its own part is not in another one.
        panes = [pane for pane in panes if pane.box.intersect(wish.inside)] or panes
    return (yield from look_through(desk, panes, there))
