"""Scrolling: by so much, to an end, until something shows, in the page or in a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carrel.actions import Scroll as Wheel
from carrel.geometry import Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.panes import bring_into_view, off_screen, scroll_until, view_box
from carrel.models.steps.program import Scroll
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.wishes import is_there, look_for, resolve, wished

if TYPE_CHECKING:
    from carrel.perception.find import Match

__all__ = ["scroll"]

DEFAULT = 5
END = 30
ENDS = 20
MOST = 1000
_WAYS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def scroll(desk: Desk, step: Scroll) -> Turns[str | None]:
    """Turn the wheel."""
    at = yield from _place(desk, step.where)
    dx, dy = _WAYS[step.direction]
    if step.until is not None:
        yield from _until(desk, step.until, at, (dx, dy))
        return None
    if step.amount == "end":
        yield from _to_end(desk, at, dx, dy)
        return None
    notches = DEFAULT if step.amount is None else max(1, step.amount)
    if notches > MOST:
        raise Missed(f"{notches} notches are too many to scroll; at most {MOST}")
    yield from desk.do(Wheel(at.x, at.y, dx=dx * notches, dy=dy * notches), why="scroll", last=True)
    if not desk.changed:
        desk.doubt("nothing moved: it may be at its end")
    return None


def _place(desk: Desk, where: str | None) -> Turns[Point]:
    if where is None:
        return view_box(desk).center
    match = yield from ground(desk, where, reveal=False)
    desk.worked = match.element.box
    return match.point


def _to_end(desk: Desk, at: Point, dx: int, dy: int) -> Turns[None]:
    for _ in range(ENDS):
        wheel = Wheel(at.x, at.y, dx=dx * END, dy=dy * END)
        yield from desk.do(wheel, why="scroll to the end", commits=False)
        if not desk.changed:
            return
    # A page that grows while one scrolls has none.
    desk.doubt("no end was reached")


def _until(desk: Desk, phrase: str, at: Point, way: tuple[int, int]) -> Turns[None]:
    """To what the page tells of, directly; else on until it shows."""
    wish = wished(phrase)

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
    for dx, dy in (way, (-way[0], -way[1])):
        if (yield from scroll_until(desk, at, dx * 5, dy * 5, there, limit=30)) is not None:
            return
    raise Missed(f"{look_for(desk, wish).account()}; scrolled both ways to the end")
