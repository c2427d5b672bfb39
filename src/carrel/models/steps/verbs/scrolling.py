"""Scrolling: by so much, to an end, until something shows, in the page or in a pane."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from carrel.actions import Scroll as Wheel
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.wheel_spots import free_spot, turned_controls
from carrel.models.steps.phrases.place_words import read_place
from carrel.models.steps.program import Scroll
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.front import several_windows
from carrel.models.steps.shown.panes import bring_into_view, off_screen, view_box
from carrel.models.steps.shown.scrollable import Pane, look_through, pane_meant, scrolling_panes
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import is_field

if TYPE_CHECKING:
    from carrel.perception.find import Match

__all__ = ["scroll"]

DEFAULT = 5
END = 30
ENDS = 20
HEAD = 40
"""Pixels between a text and what is written over it."""
MOST = 1000
RESTS = 6
"""Looks at whether a page still moves."""
_WAYS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def scroll(desk: Desk, step: Scroll) -> Turns[str | None]:
    """Turn the wheel."""
    pane = yield from _place(desk, step.where)
    dx, dy = _WAYS[step.direction]
    if step.until is not None:
        yield from _until(desk, step.until, pane, (dx, dy))
        return None
    at = pane.at if pane is not None else _main(desk)
    if step.amount == "end":
        moved = yield from _to_end(desk, at, dx, dy)
        inner = _text_area(desk) if pane is None and not moved else None
        if inner is not None:
            # The page has no further end: what is in it has.
            yield from _to_end(desk, inner.center, dx, dy)
        yield from _come_to_rest(desk)
        return None
    notches = DEFAULT if step.amount is None else max(1, step.amount)
    if notches > MOST:
        raise Missed(f"{notches} notches are too many to scroll; at most {MOST}")
    yield from desk.do(Wheel(at.x, at.y, dx=dx * notches, dy=dy * notches), why="scroll", last=True)
    if not desk.changed:
        desk.doubt("nothing moved: it may be at its end")
    yield from _come_to_rest(desk)
    return None


def _come_to_rest(desk: Desk) -> Turns[None]:
    """Look until what is told stays where it is: it comes after what is drawn."""
    for _ in range(RESTS):
        before = [(e.role, e.name, e.box) for e in desk.elements]
        yield from desk.again(0.15, why="where everything is now")
        if before == [(e.role, e.name, e.box) for e in desk.elements]:
            return


def _place(desk: Desk, where: str | None) -> Turns[Pane | None]:
    """The pane that is named; None where none is."""
    if where is None:
        return None
    meant = pane_meant(desk, where)
    if meant is not None:
        desk.worked = meant.box
        return meant
    if (box := _part(desk, where)) is not None:
        desk.worked = box
        return Pane(box, box.center, where)
    if (box := _headed_area(desk, where)) is not None:
        desk.worked = box
        return Pane(box, box.center, where)
    match = yield from ground(desk, where, reveal=False, want="read")
    desk.worked = match.element.box
    return Pane(match.element.box or view_box(desk), match.point, where)


def _part(desk: Desk, where: str) -> Box | None:
    """How far a list reaches, be it a tree or a table to its application."""
    if read_place(where).sort not in ("list", "table"):
        return None
    try:
        extent = extent_of(desk, where)
    except Missed:
        return None
    return None if extent is None else view_box(desk).intersect(extent.box)


def _text_area(desk: Desk) -> Box | None:
    """The only long text of a page that may be scrolled by itself."""
    areas = [
        e
        for e in part_meant(desk.elements, "")
        if is_field(e) and "multi line" in e.states and e.box is not None and e.value
    ]
    return areas[0].box if len(areas) == 1 else None


def _headed_area(desk: Desk, where: str) -> Box | None:
    """The only long text, where the words over it say all that it is called by."""
    area, called = _text_area(desk), _words(re.sub(r"^(?:the|this)\s|\stext$", "", where))
    if area is None or not called:
        return None
    over = (e for e in desk.elements if e.box is not None and not is_field(e))
    heads = (e for e in over if e.box is not None and 0 <= area.y - e.box.bottom <= HEAD)
    return area if any(called <= _words(written_on(e)) for e in heads) else None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _to_end(desk: Desk, at: Point, dx: int, dy: int) -> Turns[bool]:
    """Scroll until nothing moves any more; whether anything did."""
    for number in range(ENDS):
        wheel = Wheel(at.x, at.y, dx=dx * END, dy=dy * END)
        yield from desk.do(wheel, why="scroll to the end", commits=False)
        if not desk.changed:
            return number > 0
    # A page that grows while one scrolls has none.
    desk.doubt("no end was reached")
    return True


def _main(desk: Desk) -> Point:
    """Where the wheel turns what there is to scroll: the only pane, or the middle."""
    panes = scrolling_panes(desk)
    if len(panes) == 1:
        return panes[0].at
    whole, controls = view_box(desk), turned_controls(desk.elements)
    return free_spot(whole, controls, whole.center) or whole.center


def _until(desk: Desk, phrase: str, pane: Pane | None, way: tuple[int, int]) -> Turns[None]:
    """To what the page tells of, directly; else on until it shows."""
    wish = wished(phrase)
    desk.tried.clear()

    def there() -> Match | None:
        found = look_for(desk, wish)
        return found.best if is_there(found) else None

    if there() is not None:
        return
    yield from desk.again(0, why=f"where {phrase} is", hidden=True)
    further = resolve(desk, look_for(desk, wish, off_screen(desk)))
    shown = further is not None and (yield from bring_into_view(desk, further.element))
    if shown and there() is not None:
        return
    if pane is None:
        windows = yield from several_windows(desk)
        panes = scrolling_panes(desk, windows)
    else:
        panes = [pane]
    if (yield from look_through(desk, panes, there, way)) is not None:
        return
    told = "; ".join(dict.fromkeys(desk.tried))
    raise Missed(f"{look_for(desk, wish).account()}; {told}, both ways")
