"""The first and the last of things on a page that is scrolled: those out of sight count, too."""

from __future__ import annotations

from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import Wish, look_for, loosened, resolve
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import number_of, same_one
from carrel.models.steps.shown.panes import bring_into_view, off_screen, view_box
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.find import Match

__all__ = ["counted_on_page"]


def counted_on_page(desk: Desk, wish: Wish, match: Match) -> Turns[Match | None]:
    """The one that has the number that was said, of all on the page and not of those in sight.

    None where it is not told by a number, or nothing of its like comes before those in sight.

    Raises:
        Missed: It is out of sight, and stays there.
    """
    one = wish.description
    drawn = one.colour or one.shape or one.size or one.states
    if not one.ordinal or drawn or desk.place is not None or wish.inside is not None:
        return None
    if web_page(desk.elements) is None or match.element.source not in ("tree", "browser"):
        return None
    yield from desk.again(0, why="whether others of its like are out of sight", hidden=True)
    view = view_box(desk)
    beyond = [e for e in off_screen(desk) if _comes_before(e, view, last=one.ordinal < 0)]
    among = _in_order(desk, beyond) if beyond else []
    tried = (resolve(desk, look_for(desk, way, among)) for way in (wish, loosened(wish)) if among)
    whole = next((found for found in tried if found is not None), None)
    if whole is None or whole.element not in beyond:
        return whole and _in_sight(desk, whole)
    number = number_of(desk.unseen, whole.element)
    if not (yield from bring_into_view(desk, whole.element)):
        raise Missed(f"{whole} is out of sight, and could not be brought into it")
    now = same_one(desk.unseen, whole.element, number) or whole.element
    assert now.box is not None
    return replace(whole, element=now, point=now.box.center)


def _in_sight(desk: Desk, whole: Match) -> Match | None:
    """The same one, as it is seen."""
    one = whole.element
    same = [e for e in desk.elements if (e.role, e.name, e.box) == (one.role, one.name, one.box)]
    return replace(whole, element=same[0]) if same else None


def _comes_before(element: Element, view: Box, *, last: bool) -> bool:
    """Whether it is where those in sight are counted from: above them, or below for the last."""
    box = element.box
    if box is None or "visible" not in element.states or box.right <= view.x or box.x >= view.right:
        return False
    return box.y >= view.bottom if last else box.bottom <= view.y


def _in_order(desk: Desk, beyond: list[Element]) -> list[Element]:
    """What is in sight and what is beyond, as the page has it."""
    shown = {(e.role, e.name, e.box) for e in desk.elements}
    away = {e.id for e in beyond}
    return [e for e in desk.unseen if e.id in away or (e.role, e.name, e.box) in shown]
