"""A search for what is not in sight: waiting, a closer look, and looking further."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.finding.wishes import Wish, is_there, look_for, loosened, resolve
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.reaching.opening import hides
from carrel.models.steps.reaching.reveal import out_of_sight
from carrel.models.steps.reaching.reveal import reveal as open_up
from carrel.models.steps.reaching.surroundings import search_place
from carrel.models.steps.shown.front import in_window, window_in_front
from carrel.models.steps.turns import Turns
from carrel.perception.description import Want
from carrel.perception.find import Match
from carrel.perception.roles import Kind

__all__ = ["of_front", "search"]

_FILED = re.compile(r"\b(?:file|folder|directory|icon)\b|文件夹?|目录|图标", re.IGNORECASE)
_WINDOWS = frozenset({Kind.WINDOW})
COMING = (0.3, 0.6, 1.0)
"""Seconds in which a window that was just opened comes to show what is in it."""
PAUSES = (0.3, 0.6)
"""Seconds to wait for something that is not there yet."""


def search(desk: Desk, wish: Wish, want: Want, *, reveal: bool) -> Turns[Match | None]:
    """It is not in sight: wait, look closer, look further; in the order of what that costs."""
    # A window is no part of another one: nothing that is closed there hides it.
    reveal = reveal and not (wish.description.kinds and {*wish.description.kinds} <= _WINDOWS)
    if desk.place is not None:
        match = yield from _wait_for(desk, wish, want)
        if match is None:
            match = yield from search_place(desk, wish, want)
        if match is not None:
            return match
    several = is_there(look_for(desk, wish, want=want))
    match = None
    if several:
        match = yield from _in_front(desk, wish, want)
    if match is None:
        match = yield from _drawn(desk, wish, want)
    if match is None and reveal and not several:
        match = yield from out_of_sight(desk, wish)
    if match is None:
        match = yield from _wait_for(desk, wish, want)
    if match is None and not several:
        match = resolve(desk, look_for(desk, loosened(wish), want=want))
    told_all = reveal and _tells_all(desk)
    if match is None and not told_all and not desk.seen.closer:
        match = yield from _closer(desk, wish, want)
    if match is None and reveal and not is_there(look_for(desk, wish, want=want)):
        match = yield from open_up(desk, wish)
    if match is None and told_all:
        match = yield from _closer(desk, wish, want)
    return match


def of_front(desk: Desk, wish: Wish, want: Want, match: Match) -> Turns[Match | None]:
    """For what is in a window behind, its like in the one in front, told or drawn.

    None where the window in front lies over it.
    """
    element = match.element
    if element.source not in ("tree", "browser") or any(e.id == element.id for e in _held(desk)):
        return match
    for pause in (0.0, *(COMING if desk.came_up else ())):
        if pause:
            yield from desk.again(pause, why="what the window that was opened shows")
        for closer in (False, True):
            if closer:
                yield from desk.closer()
            inner = resolve(desk, look_for(desk, wish, _held(desk), want=want))
            if inner is not None:
                return inner
    front = _front(desk)
    over = front is not None and front.box is not None and front.box.contains(match.point)
    return None if over else match


def _held(desk: Desk) -> list[Element]:
    """What is in the window in front; everything where no other window tells what is in it."""
    front = _front(desk)
    if front is None:
        return list(desk.elements)
    inside = {front.id, *(e.id for e in children_of(desk.elements, front))}
    drawn = [e for e in desk.elements if e.source not in ("tree", "browser")]
    own = {e.id for e in drawn if within(e.box, front.box)}
    return [e for e in desk.elements if e.id in inside or e.id in own]


def _front(desk: Desk) -> Element | None:
    """What has the keyboard of what stands on the desktop, where more than one thing does."""
    tops = [e for e in desk.elements if e.parent is None and e.role in ("frame", "dialog")]
    active = [e for e in tops if "active" in e.states]
    return active[0] if len(active) == 1 and len(tops) > 1 else None


def _drawn(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """What is only in the pixels, where that is likely: the last thing was, or it is a file.

    File managers draw what is in a folder, and tell of none of it.
    """
    filed = _FILED.search(wish.phrase) is not None and web_page(desk.elements) is None
    if not filed and not desk.by_pixels:
        return None
    match = yield from _closer(desk, wish, want)
    if match is None and filed:
        match = resolve(desk, look_for(desk, loosened(wish), want=want))
    return match


def _in_front(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """Of several the one in the window that has the keyboard, where there are more windows."""
    tops = {e.app for e in desk.elements if e.parent is None and e.role in ("frame", "dialog")}
    window = (yield from window_in_front(desk)) if len(tops) > 1 else None
    if window is None:
        return None
    return resolve(desk, look_for(desk, wish, in_window(desk.elements, window), want=want))


def _tells_all(desk: Desk) -> bool:
    """Whether a page has nothing that only its pixels would tell: reading them is slow."""
    page = web_page(desk.elements)
    return page is not None and not any(
        e.role in ("canvas", "drawing area", "image", "icon", "embedded")
        and not e.name
        and within(e.box, page.box)
        for e in desk.elements
    )


def _closer(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    more = yield from desk.closer()
    if any(one.source == "browser" and not one.lasting for one in desk.seen.left_out):
        # The page changed while it was asked: it may be at rest by now.
        yield from desk.again(0.3, why="the page was changing")
        more = (yield from desk.closer()) or more
    if not more:
        return None
    desk.tried.append("read the pixels")
    return resolve(desk, look_for(desk, wish, want=want))


def _wait_for(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """It may be loading, or drawn a moment later than the tree says."""
    # Where it may be behind something, looking there is better than waiting.
    for pause in PAUSES[:1] if hides(desk, wish.phrase) else PAUSES:
        yield from desk.again(pause, why=f"{_short(wish.phrase)} is not there yet")
        found = look_for(desk, wish, want=want)
        match = resolve(desk, found)
        if match is not None:
            return match
        if is_there(found):
            # More than one is there already: waiting does not tell which is meant.
            return None
    return None


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
