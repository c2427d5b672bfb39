"""Dragging things: onto others, by a distance, to another place of a list."""

from __future__ import annotations

import re

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.claims.conditions import read_number
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.finding.named_in_cards import done_in_card
from carrel.models.steps.finding.wishes import (
    all_fitting,
    is_there,
    look_for,
    loosened,
    resolve,
    wished,
)
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.program import Resize, Sort
from carrel.models.steps.reaching.ground import ground, is_place
from carrel.models.steps.shown.panes import view_box
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.boards import Lane, lane_headed, see_counted
from carrel.models.steps.verbs.dropping import (
    box_headed,
    let_go,
    place_under_title,
    see_arrived,
    see_moved,
    takes_in,
)
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.shelving import shelve
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["drag", "drag_path", "resize", "sort"]

SLOW, SLOWER = 0.35, 1.0
SOME_WAY, LEAST_WAY, EDGE = 100, 12, 4
"""Pixels, where nothing says how far; what is far at all; and what is left at the end."""
ALIKE = 1.3
"""How much larger one entry of a list may be than another."""
ENTRY = 140
"""Pixels that an entry of a list that is put in order may be high."""
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_POSITION = re.compile(
    rf"\b(\d+|{'|'.join(_ORDINALS)})(?:st|nd|rd|th)? (?:position|place|spot|slot)\b|第(\d+)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"the place (?P<where>below|under|underneath|beneath|above|before|after|behind|in front of|"
    r"(?:left|right) of) (?P<other>.+)",
    re.IGNORECASE,
)
_BEFORE = ("above", "before", "in front of", "left of")
_BY_HAND = re.compile(r"\bdrag|\bpull|\bdrop|拖|拽|挪", re.IGNORECASE)
_UNDER = "what is under"
_CORNER = re.compile(r"\b(top|bottom|left|right|cent(?:er|re)|middle)\b", re.IGNORECASE)


def drag(desk: Desk, step: DragStep) -> Turns[str | None]:
    """Drag something onto something else, by a distance, or to another place."""
    if step.onto is not None and (yield from shelve(desk, step.what, step.onto, moved=True)):
        return None
    moves = step.onto is not None and not _BY_HAND.search(desk.step)
    if moves and (own := done_in_card(desk, desk.step, step.what)) is not None:
        # 将甲移入收藏: a control of the page does that.
        yield from desk.do(Click(own.point.x, own.point.y), why=own.why, last=True)
        yield from desk.effect()
        return None
    match = _at_source(desk, step.what) or (yield from ground(desk, step.what))
    element, told = _unit(desk, match.element), named(match.element)
    ends, onto, lane = yield from _target(desk, step, element)
    if step.onto is not None and element.box is not None and element.box.contains(ends[-1]):
        return "it is there already"
    start = match.point
    if not is_place(step.what):
        # Looking for the second may have moved the first.
        now = resolve(desk, look_for(desk, wished(step.what)))
        start = now.point if now is not None else match.point
    before = desk.elements
    yield from _pull(desk, start, ends, f"{told} onto {onto}")
    yield from see_moved(desk, match.element, before)
    if onto.startswith(_UNDER):
        see_arrived(desk, match.element, ends[-1], onto)
    if lane is not None:
        yield from see_counted(desk, lane, match.element)
    desk.worked = None
    return None


def _at_source(desk: Desk, phrase: str) -> Match | None:
    """What is called so to the letter, though it is of another kind than is said: a mail."""
    wish = wished(phrase)
    if not wish.description.exact or is_there(look_for(desk, wish)):
        return None
    return resolve(desk, look_for(desk, loosened(wish)))


Way = tuple[Place, ...]
"""Where a thing is taken along, to where it is let go."""


def _pull(desk: Desk, start: Place, way: Way, told: str) -> Turns[None]:
    right, bottom = desk.size.width - 1, desk.size.height - 1
    way = tuple(Place(min(max(p.x, 0), right), min(max(p.y, 0), bottom)) for p in way)
    for seconds in (SLOW, SLOWER):
        path = (*drag_path(start, way[0]), *way[1:])
        yield from desk.do(Drag(path, seconds=seconds), why=told, last=True)
        if desk.changed:
            return
    raise Missed(f"nothing changed when dragging {told}")


def drag_path(start: Place, end: Place) -> tuple[Place, ...]:
    """From one to the other with points between: what is dragged wants to notice every move."""
    count = max(4, min(24, (abs(end.x - start.x) + abs(end.y - start.y)) // 16))
    between = [
        Place(
            start.x + (end.x - start.x) * part // count,
            start.y + (end.y - start.y) * part // count,
        )
        for part in range(1, count + 1)
    ]
    nudge = Place(start.x + (3 if end.x >= start.x else -3), start.y)
    return (start, nudge, *between, end)


# Where to


def _target(desk: Desk, step: DragStep, element: Element) -> Turns[tuple[Way, str, Lane | None]]:
    assert element.box is not None
    at = element.box.center
    if step.by is not None:
        end = Place(at.x + step.by[0], at.y + step.by[1])
        return (end,), f"{end.x},{end.y}", None
    if step.direction is not None:
        return (*_in_direction(desk, element, step.direction, step.places), None)
    if step.onto is None:
        raise Missed(f"it is not said where to drag {named(element)}")
    way = _in_words(desk, step.onto, element)
    if way is not None:
        return way, step.onto, None
    if beside := _BESIDE.fullmatch(step.onto.strip()):
        match = yield from _receiver(desk, beside["other"])
        after = beside["where"].casefold() not in _BEFORE
        beside_it = _next_to(desk, element, _unit(desk, match.element), after=after)
        return beside_it, step.onto, None
    if _is_unnamed(desk, step.onto) and (headed := box_headed(desk, step.onto, element)):
        return let_go(headed[1]), f"{_UNDER} {named(headed[0])}", None
    match = yield from _receiver(desk, step.onto)
    if (lane := lane_headed(desk, match.element, element)) is not None:
        return let_go(lane.at), f"{_UNDER} {named(match.element)}", lane
    under = place_under_title(desk, step.onto, match.element, element)
    if under is not None:
        return (under,), f"{_UNDER} {named(match.element)}", None
    other = _unit(desk, match.element)
    if _is_sibling(element, other) and _is_alike(element, other) and not takes_in(step.onto, other):
        return _beyond(desk, element, other), named(other), None
    return let_go(match.point), named(other), None


def _is_unnamed(desk: Desk, phrase: str) -> bool:
    """Whether nothing is called so but a page or a window, which takes nothing."""
    found = look_for(desk, wished(phrase), want="hold")
    match = resolve(desk, found)
    whole = match is not None and kind_of(match.element) in (Kind.PAGE, Kind.WINDOW)
    return whole or not is_there(found)


def _receiver(desk: Desk, phrase: str) -> Turns[Match]:
    """What takes the thing: where that was said to be does not bound it, unless it fits there."""
    place, wish = desk.place, wished(phrase)
    inner = resolve(desk, look_for(desk, wish, want="hold")) if place is not None else None
    try:
        desk.place = None
        outer = resolve(desk, look_for(desk, wish, want="hold")) if inner is not None else None
        if inner is not None and (outer is None or outer.confidence <= inner.confidence):
            desk.place = place
        return (yield from ground(desk, phrase, reveal=False, want="hold"))
    finally:
        desk.place = place


def _next_to(desk: Desk, element: Element, other: Element, *, after: bool) -> Way:
    """Where to let go of it so that it comes before or after another."""
    assert element.box is not None
    assert other.box is not None
    row = _siblings(desk, element)
    if not _is_sibling(element, other) or element not in row or other not in row:
        off = element.box.height // 2 + 2
        return (Place(other.box.center.x, other.box.bottom + off if after else other.box.y - off),)
    here, there = row.index(element), row.index(other)
    place = there + after - (here < there)
    return (element.box.center,) if place == here else _beyond(desk, element, row[place])


def _in_words(desk: Desk, phrase: str, element: Element) -> Way | None:
    """`the 3rd position` of its list, or `the top left` of what holds it."""
    position = _POSITION.search(phrase)
    if position is not None:
        row = _siblings(desk, element)
        said = (position[1] or position[2]).casefold()
        number = int(said) if said.isdigit() else _ORDINALS.index(said) + 1
        if not 1 <= number <= len(row):
            raise Missed(f"there are {len(row)} places for {named(element)}, not {number}")
        return _beyond(desk, element, row[number - 1])
    one = wished(phrase).description
    if one.name or one.kinds or one.shape:
        return None
    sides = {word.casefold() for word in _CORNER.findall(phrase)}
    if not sides:
        return None
    if (way := _end_of_list(desk, element, sides)) is not None:
        return way
    box = _holder(desk, element)
    half = element.box or Box(0, 0, 0, 0)
    x = box.x + half.width // 2 if "left" in sides else box.right - 1 - half.width // 2
    y = box.y + half.height // 2 if "top" in sides else box.bottom - 1 - half.height // 2
    middle = box.center
    end = Place(
        x if sides & {"left", "right"} else middle.x, y if sides & {"top", "bottom"} else middle.y
    )
    there = [e for e in _siblings(desk, element) if e.box is not None and e.box.contains(end)]
    if there and there[0].id != element.id and _is_alike(element, there[0]):
        return _beyond(desk, element, there[0])
    return (end,)


def _end_of_list(desk: Desk, element: Element, sides: set[str]) -> Way | None:
    """Into the place of the first or the last of a list that goes down, for its top or bottom."""
    if len(sides) != 1 or not sides <= {"top", "bottom"}:
        return None
    for part in (element, *lineage_of(desk.elements).above(element)):
        if part.box is None or part.box.height > ENTRY:
            return None
        row = [e for e in _siblings(desk, part) if _is_alike(part, e) and e.box is not None]
        heights = {e.box.y for e in row if e.box is not None}
        if len(row) > 1 and len(heights) == len(row) and len({e.box.x for e in row if e.box}) == 1:
            last = row[0] if "top" in sides else row[-1]
            there = last.id == part.id
            return (part.box.center,) if there else _beyond(desk, part, last)
    return None


def _holder(desk: Desk, element: Element) -> Box:
    """The part of the screen in which it may be moved."""
    by_id = {e.id: e for e in desk.elements}
    at = by_id.get(element.parent or "")
    while at is not None:
        if at.box is not None and element.box is not None and at.box.area > 3 * element.box.area:
            return at.box
        at = by_id.get(at.parent or "")
    return view_box(desk)


def _in_direction(
    desk: Desk, element: Element, direction: str, places: int | None
) -> tuple[Way, str]:
    assert element.box is not None
    dx, dy = _WAYS[direction]
    at = element.box.center
    if places is None:
        far = _room(_holder(desk, element), element.box, dx, dy)
        return (Place(at.x + dx * far, at.y + dy * far),), f"some way {direction}"
    row = _in_line(desk, element, dx, dy)
    if len(row) < places:
        raise Missed(f"{named(element)} has only {len(row)} places {direction} of it")
    return _beyond(desk, element, row[places - 1]), f"{places} {direction}"


def _room(holder: Box, box: Box, dx: int, dy: int) -> int:
    """How far it can go within what holds it, where it can go anywhere."""
    across = holder.right - box.right if dx > 0 else box.x - holder.x
    along = holder.bottom - box.bottom if dy > 0 else box.y - holder.y
    free = (across if dx else along) - EDGE
    return min(SOME_WAY, free) if free >= LEAST_WAY else SOME_WAY


def _unit(desk: Desk, element: Element) -> Element:
    """What moves as one: the entry of a list rather than the text on it."""
    by_id = {e.id: e for e in desk.elements}
    at: Element | None = element
    while at is not None and at.box is not None and _holds_only(desk, at, element):
        if kind_of(at) is not Kind.TEXT and len(_siblings(desk, at)) > 1:
            return at
        at = by_id.get(at.parent or "")
    return element


def _holds_only(desk: Desk, outer: Element, element: Element) -> bool:
    """Whether nothing else is written in it."""
    if outer.id == element.id:
        return True
    inner = children_of(desk.elements, outer)
    own = {e.id for e in (element, *children_of(desk.elements, element))}
    return not any(written_on(e) and e.id not in own for e in inner)


def _siblings(desk: Desk, element: Element) -> list[Element]:
    """The things it stands in a row or a grid with, itself too, in reading order."""
    row = [e for e in desk.elements if e.box is not None and _is_sibling(element, e)]
    return sorted(row, key=lambda e: (e.box.y, e.box.x) if e.box else (0, 0))


def _is_sibling(element: Element, other: Element) -> bool:
    return element.role == other.role and element.parent == other.parent


def _is_alike(element: Element, other: Element) -> bool:
    """Whether two are of one size, as the entries of a list are, and none can hold the other."""
    one, two = element.box, other.box
    if one is None or two is None:
        return False
    across = max(one.width, two.width) <= ALIKE * min(one.width, two.width)
    return across and max(one.height, two.height) <= ALIKE * min(one.height, two.height)


def _in_line(desk: Desk, element: Element, dx: int, dy: int) -> list[Element]:
    """Those that follow it in a direction, the nearest first."""
    box = element.box
    assert box is not None
    found: list[tuple[int, Element]] = []
    for other in _siblings(desk, element):
        assert other.box is not None
        across = other.box.center.x - box.center.x, other.box.center.y - box.center.y
        along, aside = across[0] * dx + across[1] * dy, across[0] * dy + across[1] * dx
        if along > 0 and abs(aside) <= max(box.width * abs(dy), box.height * abs(dx)) // 2:
            found.append((along, other))
    return [other for _, other in sorted(found, key=lambda item: item[0])]


def _beyond(desk: Desk, element: Element, other: Element) -> Way:
    """Into the place of another thing of the row.

    It makes room when one passes its middle. From which side that has to be depends on what made
    room on the way: so to both its ends, and at last to the one that is away from where the thing
    came from, which does nothing where the place is taken already.
    """
    assert other.box is not None
    assert element.box is not None
    box, middle = other.box, other.box.center
    row = [e.box for e in _siblings(desk, element) if e.box is not None]
    upright = all(abs(one.center.x - middle.x) <= one.width // 2 for one in row)
    if upright:
        ends = box.y + round(0.85 * box.height), box.y + round(0.2 * box.height)
        first, last = ends if element.box.y >= box.y else ends[::-1]
        return (middle, Place(middle.x, first), middle, Place(middle.x, last))
    ends = box.x + round(0.85 * box.width), box.x + round(0.2 * box.width)
    first, last = ends if (element.box.y, element.box.x) >= (box.y, box.x) else ends[::-1]
    return (middle, Place(first, middle.y), middle, Place(last, middle.y))


# Order


def sort(desk: Desk, step: Sort) -> Turns[str | None]:
    """Bring things into order, one drag at a time."""
    names = [_text(desk, e) for e in _row(desk, step.what)]
    if len(names) < 2:
        raise Missed(f"there is nothing to sort: {len(names)} fit {step.what!r}")
    wanted = _ordered(names, step.order)
    for _ in range(2 * len(names)):
        now = _row(desk, step.what)
        texts = [_text(desk, e) for e in now]
        if texts == wanted or sorted(texts) != sorted(wanted):
            break
        at = next(n for n, (one, two) in enumerate(zip(texts, wanted, strict=True)) if one != two)
        item, target = now[texts.index(wanted[at], at)], now[at]
        assert item.box is not None
        way = _beyond(desk, item, target)
        yield from _pull(desk, item.box.center, way, f"{named(item)} to place {at + 1}")
    if [_text(desk, e) for e in _row(desk, step.what)] != wanted:
        raise Missed(f"they do not stay in order; wanted: {', '.join(wanted)}")
    return None


def _row(desk: Desk, phrase: str) -> list[Element]:
    """What fits, of the list that has most of it: there may be others on the page."""
    fitting = [_unit(desk, e) for e in all_fitting(desk, phrase) if e.box is not None]
    found = list({e.id: e for e in fitting}.values())
    parents = [e.parent for e in found]
    most = max(parents, key=parents.count, default=None)
    return [e for e in found if e.parent == most]


def _text(desk: Desk, element: Element) -> str:
    return text_of(element, desk.elements)


def _ordered(names: list[str], order: str) -> list[str]:
    numbers = [read_number(name) for name in names]
    if all(number is not None for number in numbers):
        ranked = sorted(zip(numbers, names, strict=True), key=lambda pair: pair[0] or 0.0)
        found = [name for _, name in ranked]
    else:
        found = sorted(names, key=str.casefold)
    return found if order == "ascending" else found[::-1]


# Size


def resize(desk: Desk, step: Resize) -> Turns[str | None]:
    """Drag an edge or the corner of something."""
    match = yield from ground(desk, step.what)
    box = match.element.box
    if box is None:
        raise Missed(f"{named(match.element)} does not say where it is")
    sign = 1 if step.how == "larger" else -1
    by = sign * SOME_WAY if sign > 0 else -min(SOME_WAY, box.width // 3, box.height // 3)
    start = Place(box.right - 4, box.bottom - 4)
    end = Place(
        start.x + (by if step.side != "height" else 0),
        start.y + (by if step.side != "width" else 0),
    )
    yield from _pull(desk, start, (end,), f"the corner of {named(match.element)}")
    now = resolve(desk, look_for(desk, wished(step.what)))
    after = now.element.box if now is not None else None
    if after is None:
        desk.doubt("how large it is now is not told")
    elif (after.area - box.area) * sign <= 0:
        raise Missed(f"{named(match.element)} did not become {step.how}")
    return None
