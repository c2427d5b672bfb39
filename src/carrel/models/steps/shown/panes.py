"""Parts of the screen that scroll: what lies beyond their edges, and bringing it into sight."""

from __future__ import annotations

from dataclasses import replace

from carrel.actions import Scroll
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, Place
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import number_of, same_as, same_one
from carrel.models.steps.turns import Turns

__all__ = [
    "ROOM",
    "bring_into_view",
    "clear_of_edge",
    "clear_of_parts",
    "is_at_edge",
    "make_room",
    "off_screen",
    "scroll_along",
    "view_box",
]

SCROLLS = 12
NOTCH = 53
"""Pixels that a notch of the wheel moves a page, roughly; the rest is read back."""
LOWEST = 44
"""Pixels that a part that scrolls is high at least."""
ROOM = 240
"""Pixels that the list of a drop-down may take below it."""
BAR = 16
"""Pixels that a bar to scroll by is high, of which no application tells."""
EDGE = 72
"""Pixels below a field in which not even the first of a list would be seen."""
HEAD = 96
"""Pixels at the top of a page over which something may lie that does not move with it."""
SEEN = 0.75
"""How much of a thing is in sight that can be clicked."""
ROOM_NOTCHES = 5
"""Of the wheel, at the most, to make room below a field."""
PAUSES = (0.1, 0.1, 0.1, 0.2, 0.3, 0.5, 0.8)
"""Seconds before each look at something that is still moving."""


def off_screen(desk: Desk) -> list[Element]:
    """What lies beyond the edges of what can be seen, as of the last look for it."""
    seen = {(e.role, e.name, e.box) for e in desk.elements}
    return [
        e
        for e in desk.unseen
        if e.box is not None and e.box.area and (e.role, e.name, e.box) not in seen
    ]


def view_box(desk: Desk) -> Box:
    """The part of the screen that scrolls as a whole: the page, or all of it."""
    page = web_page(desk.elements)
    screen = Box(0, 0, desk.size.width, desk.size.height)
    box = page.box if page is not None else None
    return (box.intersect(screen) if box is not None else None) or screen


def bring_into_view(desk: Desk, element: Element) -> Turns[bool]:
    """Scroll towards an element whose box is beyond an edge; whether it is in sight then."""
    told, notch = element.name or element.role, float(NOTCH)
    places = {(e.role, e.name, e.box): e for e in desk.unseen}
    element = places.get((element.role, element.name, element.box), element)
    number, moved = number_of(desk.unseen, element), False
    for _ in range(SCROLLS):
        pane, box = _pane_of(desk, element), element.box
        if box is None:
            return False
        dx, dy = _distance(box, pane, under=HEAD if moved else 0)
        if not dx and not dy:
            yield from desk.again(0, why=f"{told} should be in sight now")
            return True
        at = pane.center
        # To the middle: at its edges bars that stay in place may lie over a page.
        dy = box.center.y - at.y if dy else 0
        wheel = Scroll(at.x, at.y, dx=_notches(dx, notch), dy=0 if dx else _notches(dy, notch))
        yield from desk.do(wheel, why=f"scroll towards {told}", commits=False)
        if "scrolled towards it" not in desk.tried:
            desk.tried.append("scrolled towards it")
        if not desk.changed:
            return (moved and _distance(box, pane) == (0, 0)) or _is_cut(box, pane)
        moved = True
        element = yield from _at_rest(desk, element, number)
        notch = _measured(box, element.box, wheel) or notch
    return False


def clear_of_edge(desk: Desk, element: Element) -> Turns[Element]:
    """Scroll what is at the lower edge of a page further in: a part of it, or a bar, may hide it.

    Where it is then; where nothing moves, as it is.
    """
    page, box = web_page(desk.elements), element.box
    sheet = page.box if page is not None else None
    if sheet is None or box is None:
        return element
    if box.bottom <= sheet.bottom - BAR or sheet.intersect(box) is None:
        return element
    yield from desk.again(0, why="it is at the edge of the page", hidden=True)
    if not (yield from bring_into_view(desk, element)):
        return element
    return same_as(desk.elements, element) or element


def clear_of_parts(desk: Desk, element: Element) -> Turns[Element]:
    """Scroll a thing in whose middle lies beyond the part of a page that it is in.

    Such a part cuts off what does not fit, and a click there is one on something else.
    """
    if web_page(desk.elements) is None or not _is_cut_off(desk, element):
        return element
    yield from desk.again(0, why="a part of the page may cut it off", hidden=True)
    number = number_of(desk.unseen, element)
    if not (yield from bring_into_view(desk, element)):
        return element
    return same_one(desk.unseen, element, number) or element


def _is_cut_off(desk: Desk, element: Element) -> bool:
    above = {e.id: e for e in desk.elements}
    at, box = above.get(element.parent or ""), element.box
    while at is not None and box is not None and at.role != "document web":
        outer = at.box
        part = outer.intersect(box) if outer is not None and outer.height >= LOWEST else None
        if part is not None and part.area < SEEN * box.area:
            return True
        at = above.get(at.parent or "")
    return False


def is_at_edge(desk: Desk, element: Element) -> bool:
    """Whether a field of a page is so near to its lower edge that nothing has room below it."""
    page, box = web_page(desk.elements), element.box
    if page is None or page.box is None or box is None or "single line" not in element.states:
        return False
    return page.box.bottom - EDGE < box.bottom and page.box.contains(box.center)


def make_room(desk: Desk, element: Element) -> Turns[Element | None]:
    """Scroll a thing up that is near the lower edge of a page; where it is then, if it moved."""
    page, box = web_page(desk.elements), element.box
    sheet = page.box if page is not None else None
    if sheet is None or box is None or box.bottom <= sheet.bottom - ROOM:
        return None
    yield from desk.again(0, why="there may be no room below it", hidden=True)
    # Some are called otherwise once they were opened.
    here = [e for e in desk.unseen if (e.role, e.box) == (element.role, box)]
    element = here[0] if here else element
    number, at = number_of(desk.unseen, element), sheet.center
    now = element
    for _ in range(ROOM_NOTCHES):
        # Notch by notch: how far one goes is not known.
        wheel = Scroll(at.x, at.y, dx=0, dy=1)
        yield from desk.do(wheel, why="make room below it", commits=False)
        if number is None or not desk.changed:
            break
        now = yield from _at_rest(desk, now, number)
        if now.box is None or now.box.bottom <= sheet.bottom - ROOM:
            break
    moved = now.box is not None and now.box.y < box.y and sheet.contains(now.box.center)
    return now if moved else None


def _at_rest(desk: Desk, element: Element, number: int | None) -> Turns[Element]:
    """Where it is after scrolling; applications tell of that a moment later than they show it.

    What the screen shows has moved: a tree in which it is where it was is an old one.
    """
    now, told = element, element.name or element.role
    for pause in PAUSES:
        last = now.box
        yield from desk.again(pause, why=f"where {told} is now", hidden=True)
        now = same_one(desk.unseen, element, number) or element
        if now.box == last and now.box != element.box:
            break
    return now


def _measured(before: Box, now: Box | None, wheel: Scroll) -> float | None:
    """How far one notch went; None when it went nowhere."""
    if now is None:
        return None
    moved = abs(now.x - before.x) / abs(wheel.dx) if wheel.dx else abs(now.y - before.y)
    return (moved if wheel.dx else moved / abs(wheel.dy)) or None


def _pane_of(desk: Desk, element: Element) -> Box:
    """The part of the screen that has to be scrolled for an element."""
    page = view_box(desk)
    above = {e.id: e for e in desk.unseen}
    at, box = above.get(element.parent or ""), element.box
    shown = any((e.role, e.name, e.box) == (element.role, element.name, box) for e in desk.elements)
    while at is not None:
        if at.role == "document web" or box is None:
            break
        outer = at.box
        # What hangs out of it, as a list out of its field, is not cut off by it.
        hangs = outer is not None and shown and outer.intersect(box) is None
        if outer is not None and outer.height >= LOWEST and not hangs and outer.area:
            cut = _is_cut(box, outer) or _cuts(outer, box)
            part = outer.intersect(page) if cut or not outer.contains(box.center) else None
            if part is not None:
                return part
        at = above.get(at.parent or "")
    return page


def _is_cut(box: Box, pane: Box) -> bool:
    """Whether the middle is in sight, but where a bar to scroll by may lie over it."""
    at = box.center
    return pane.contains(at) and box.bottom > pane.bottom and at.y > pane.bottom - BAR


def _cuts(outer: Box, box: Box) -> bool:
    """Whether something large cuts off what is at its upper or lower edge."""
    over = box.y < outer.y or box.bottom > outer.bottom
    return over and outer.height > 3 * box.height and outer.x <= box.x and box.right <= outer.right


def _distance(box: Box, pane: Box, *, under: int = 0) -> tuple[int, int]:
    """How far the middle of a box is outside of a pane, or `under` its head, across and along."""
    at = box.center
    margin_x, margin_y = min(8, pane.width // 4), min(24, pane.height // 4)
    top = max(margin_y, min(under, pane.height // 4))
    dx = min(0, at.x - pane.x - margin_x) or max(0, at.x - pane.right + margin_x)
    dy = min(0, at.y - pane.y - top) or max(0, at.y - pane.bottom + margin_y)
    return dx, dy


def _notches(distance: int, notch: float) -> int:
    if not distance:
        return 0
    count = max(1, min(100, round(abs(distance) / notch)))
    return count if distance > 0 else -count


def scroll_along(desk: Desk, element: Element) -> Turns[None]:
    """Bring an element into sight; the place that the step is about moves with it."""
    before, number = element.box, number_of(desk.unseen, element)
    yield from bring_into_view(desk, element)
    now = same_one(desk.unseen, element, number)
    if now is None or now.box is None or before is None:
        return
    dx, dy = now.box.x - before.x, now.box.y - before.y
    desk.place = _moved(desk.place, dx, dy) if desk.place is not None else None
    desk.worked = _shifted(desk.worked, dx, dy) if desk.worked is not None else None


def _shifted(box: Box, dx: int, dy: int) -> Box:
    return Box(box.x + dx, box.y + dy, box.width, box.height)


def _moved(place: Place, dx: int, dy: int) -> Place:
    areas = tuple(_shifted(area, dx, dy) for area in place.areas)
    return replace(place, areas=areas, at=Point(max(0, place.at.x + dx), max(0, place.at.y + dy)))
