"""From a phrase to the one thing on the screen that is meant, or an account of why not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.chrome import part_meant, web_page
from carrel.models.steps.desk import Desk, Place, within
from carrel.models.steps.owners import is_person, owner_of
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.find import AHEAD
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of

if TYPE_CHECKING:
    from carrel.perception.describe import Description
    from carrel.perception.description import Want
    from carrel.perception.find import Found, Match

__all__ = [
    "Wish",
    "all_fitting",
    "ground",
    "is_place",
    "is_there",
    "kindred",
    "look_for",
    "loosened",
    "resolve",
    "wished",
]

PAUSES = (0.3, 0.6)
"""Seconds to wait for something that is not there yet."""
STILL_LOOKS = 10
_PRONOUN = re.compile(r"it|this|that|there|this one|that one|它|这里|那里", re.IGNORECASE)
_PLACE = re.compile(r"\(?\s*(\d{1,5})\s*[,，]\s*(\d{1,5})\s*\)?")
PANE = 40
"""Pixels that something has to be wide and high to have other things move about in it."""
LEGIBLE = 5
"""Pixels: lower letters than that cannot be read."""
COVER = 16
"""Pixels around the place of a thing in which what covers it has an edge."""
SAME = 3
"""Pixels that a thing may move and still be at the same place."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for.

    Attributes:
        phrase: In the person's words.
        inside: Only what lies in this part of the screen.
    """

    phrase: str
    description: Description
    inside: Box | None = None


def wished(phrase: str, kinds: Iterable[Kind] = (), inside: Box | None = None) -> Wish:
    """A phrase, understood; `kinds` are those the verb asks for where the phrase says none."""
    from carrel.perception.describe import describe

    description = describe(phrase)
    listed = tuple(kinds)
    if listed:
        readings = tuple(_with_kinds(one, listed) for one in description.readings)
        description = replace(_with_kinds(description, listed), readings=readings)
    return Wish(phrase, description, inside)


def _with_kinds(description: Description, kinds: tuple[Kind, ...]) -> Description:
    return description if description.kinds else replace(description, kinds=kinds)


def loosened(wish: Wish) -> Wish:
    """The same name on a thing of any kind: pages make links and buttons of mere text."""
    readings = tuple(replace(one, kinds=()) for one in wish.description.readings if one.name)
    if not wish.description.name:
        return wish
    return replace(wish, description=replace(wish.description, kinds=(), readings=readings))


def look_for(
    desk: Desk, wish: Wish, elements: Sequence[Element] | None = None, want: Want = "act"
) -> Found:
    """What fits it among the elements that can be meant."""
    from carrel.perception.find import find

    place = desk.place
    if place is not None and elements is None and wish.inside is None:
        inner = (look_for(desk, replace(wish, inside=area), want=want) for area in place.areas)
        found = next((found for found in inner if _is_more(found, place)), None)
        return found or find((), wish.description)
    shown = elements is None
    listed = part_meant(desk.elements if elements is None else elements, wish.phrase)
    if wish.inside is not None:
        listed = [e for e in listed if within(e.box, wish.inside)]
    view, size = (desk.seen.view, desk.size) if shown else (None, None)
    return find(listed, wish.description, view=view, size=size, want=want)


def _is_more(found: Found, place: Place) -> bool:
    """Whether it is something within the place, and not the place itself."""
    return found.best is not None and found.best.element.box != place.areas[0]


def all_fitting(
    desk: Desk,
    phrase: str,
    kinds: Iterable[Kind] = (),
    *,
    among: Sequence[Element] | None = None,
) -> tuple[Element, ...]:
    """Everything that fits, on the screen or `among` others."""
    from carrel.perception.find import every

    wish = wished(phrase, kinds)
    listed = part_meant(desk.elements if among is None else among, phrase)
    view, size = (desk.seen.view, desk.size) if among is None else (None, None)
    found = every(listed, wish.description, view=view, size=size)
    owner = None if found else owner_of(phrase)
    return found if owner is None else every(listed, wished(f'"{owner}"').description)


def ground(
    desk: Desk,
    phrase: str,
    kinds: Iterable[Kind] = (),
    *,
    inside: Box | None = None,
    reveal: bool = True,
    loose: bool = False,
    want: Want = "act",
) -> Turns[Match]:
    """The one thing that is meant, at rest and in sight; with `loose` of another kind at a pinch.

    Raises:
        Missed: There is none, or more than one; the account says which come near.
    """
    place = _PLACE.fullmatch(phrase.strip())
    if place is not None:
        return _at_place(desk, Point(int(place[1]), int(place[2])))
    if _PRONOUN.fullmatch(phrase.strip()) and (same := _worked_on(desk)) is not None:
        return same
    from carrel.models.steps.results import is_result, numbered_result

    if is_result(phrase):
        return (yield from numbered_result(desk, phrase))
    wish = wished(phrase, kinds, inside)
    desk.tried.clear()
    match = resolve(desk, look_for(desk, wish, want=want))
    if match is None and loose and not is_there(look_for(desk, wish, want=want)):
        match = resolve(desk, look_for(desk, wished(phrase, (), inside), want=want))
    owner = owner_of(phrase) if match is None else None
    if owner is not None:
        # It has no name of its own: the entry that says whose it is; any of a person's is theirs.
        first = "the first " if is_person(phrase) else ""
        wish = wished(f'{first}"{owner}"', (), inside)
        match = resolve(desk, look_for(desk, wish, want="read"))
    if match is None and (was := _covered(desk, phrase)) is not None:
        return was
    new = match is None
    if match is None:
        match = yield from _search(desk, wish, want, reveal=reveal)
    if match is None:
        raise Missed(_account(desk, look_for(desk, wish, want=want)))
    desk.by_pixels = match.element.source in ("ocr", "detector")
    match = _told_by(desk, match) if want == "act" else match
    if reveal and _is_cut_off(desk, match.element):
        from carrel.models.steps.places import scroll_along

        yield from desk.again(0, why="a part of it is beyond an edge", hidden=True)
        yield from scroll_along(desk, match.element)
        match = resolve(desk, look_for(desk, wish, want=want)) or match
    return (yield from _steady(desk, wish, want, match, new=new))


def _told_by(desk: Desk, match: Match) -> Match:
    """Of a label that tells of a link beside it (`Phone: 555-12`), the link."""
    from carrel.models.steps.passages import value_beside
    from carrel.perception.labels import written_on

    label = match.element
    if kind_of(label) is not Kind.TEXT or not written_on(label).rstrip().endswith((":", "：")):
        return match
    value = value_beside(desk.elements, label)
    if value is None or value.box is None or kind_of(value) not in (Kind.LINK, Kind.BUTTON):
        return match
    return replace(match, element=value, point=value.box.center, why=f"beside {match.why}")


def _is_cut_off(desk: Desk, element: Element) -> bool:
    """Whether its middle is beyond the edge of something it is in, that shows only a part of it."""
    above, box = {e.id: e for e in desk.elements}, element.box
    at = above.get(element.parent or "")
    while at is not None and box is not None and at.role != "document web":
        outer = at.box
        if outer is not None and min(outer.width, outer.height) >= PANE:
            beyond = not outer.y <= box.center.y < outer.bottom
            if beyond and outer.intersect(box) is not None:
                return True
        at = above.get(at.parent or "")
    return False


def _covered(desk: Desk, phrase: str) -> Match | None:
    """Where a thing was when the repetition over it began, if something lies on it now."""
    from carrel.perception.colours import crop, is_plain

    at, view = desk.listed.get(phrase.strip()), desk.seen.view
    if at is None or view is None:
        return None
    around = Box(max(0, at.x - COVER), max(0, at.y - COVER), 2 * COVER, 2 * COVER)
    return None if is_plain(crop(view.pixels, around)) else _at_place(desk, at)


def _worked_on(desk: Desk) -> Match | None:
    """What the step before worked on, where it is still there."""
    from carrel.perception.find import Match

    here = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    controls = [e for e in here if kind_of(e) in CONTROLS] or here
    if not controls or desk.worked is None:
        return None
    return Match(controls[0], 1.0, desk.worked.center, "what the step before was about")


def _at_place(desk: Desk, at: Point) -> Match:
    """What is at a point that was named in pixels."""
    from carrel.perception.find import Match

    if at.x >= desk.size.width or at.y >= desk.size.height:
        raise Missed(f"the point {at.x},{at.y} is not on the screen of {desk.size}")
    here = [e for e in desk.elements if e.box is not None and e.box.contains(at)]
    controls = [e for e in here if kind_of(e) in CONTROLS] or here
    spot = Element("point", "unknown", box=Box(at.x, at.y, 1, 1))
    element = min(controls, key=lambda e: e.box.area if e.box else 0, default=spot)
    return Match(element, 1.0, at, "at the point that was named")


def is_place(phrase: str) -> bool:
    """Whether it names a point of the screen, and no thing."""
    return _PLACE.fullmatch(phrase.strip()) is not None


def _search(desk: Desk, wish: Wish, want: Want, *, reveal: bool) -> Turns[Match | None]:
    """It is not in sight: wait, look closer, look further; in the order of what that costs."""
    if desk.place is not None:
        from carrel.models.steps.places import search_place

        match = yield from _wait_for(desk, wish, want)
        if match is None:
            match = yield from search_place(desk, wish, want)
        if match is not None:
            return match
    from carrel.models.steps.reveal import out_of_sight
    from carrel.models.steps.reveal import reveal as open_up

    several = is_there(look_for(desk, wish, want=want))
    match = None
    if several:
        match = yield from _in_front(desk, wish, want)
    if match is None and desk.by_pixels:
        match = yield from _closer(desk, wish, want)
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


def _in_front(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """Of several the one in the window that has the keyboard, where there are more windows."""
    from carrel.models.steps.front import in_window, window_in_front

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
    if any(told.startswith("browser") for told in desk.seen.left_out):
        # The page changed while it was asked: it may be at rest by now.
        yield from desk.again(0.3, why="the page was changing")
        more = (yield from desk.closer()) or more
    if not more:
        return None
    desk.tried.append("read the pixels")
    return resolve(desk, look_for(desk, wish, want=want))


def _wait_for(desk: Desk, wish: Wish, want: Want) -> Turns[Match | None]:
    """It may be loading, or drawn a moment later than the tree says."""
    from carrel.models.steps.opening import hides

    # Where it may be behind something, looking there is better than waiting.
    for pause in PAUSES[:1] if hides(desk) else PAUSES:
        yield from desk.again(pause, why=f"{_short(wish.phrase)} is not there yet")
        found = look_for(desk, wish, want=want)
        match = resolve(desk, found)
        if match is not None:
            return match
        if is_there(found):
            # More than one is there already: waiting does not tell which is meant.
            return None
    return None


def _steady(desk: Desk, wish: Wish, want: Want, match: Match, *, new: bool) -> Turns[Match]:
    """Wait until it has stopped moving, and can be used; what just came may still be moving."""
    moving = new or not desk.settled or _is_growing(match.element)
    for looks in range(STILL_LOOKS):
        before = match.element
        # What is only looked at need not be in use.
        waits = is_disabled(before) and want not in ("read", "hold")
        if not moving and not waits:
            break
        why = "it is not in use yet" if waits else "it may still move"
        yield from desk.again(0.1 if moving else 0.15 * (looks + 1), why=why)
        match = resolve(desk, look_for(desk, wish, want=want)) or match
        moving = not _same_place(before.box, match.element.box) or _is_growing(match.element)
    return match


def _is_growing(element: Element) -> bool:
    """Whether words are so small that nobody could read them: they are on their way."""
    box = element.box
    return box is not None and kind_of(element) is Kind.TEXT and 0 < box.height < LEGIBLE


def _same_place(one: Box | None, other: Box | None) -> bool:
    if one is None or other is None:
        return one is other
    moved = max(abs(one.x - other.x), abs(one.y - other.y))
    return max(moved, abs(one.width - other.width), abs(one.height - other.height)) <= SAME


def resolve(desk: Desk, found: Found) -> Match | None:
    """The one that is meant, if that is certain: alone, or by where the work is going on."""
    if found.sure and found.best is not None:
        return found.best
    rivals = _rivals(found)
    if len(rivals) < 2 or not is_there(found):
        return None
    for narrowed in (
        _in_dialog(desk, rivals),
        _of_lines(found, rivals),
        _near_work(desk, rivals),
    ):
        if len(narrowed) == 1:
            return narrowed[0]
    return None


def is_there(found: Found) -> bool:
    """Whether something fits well, be it several: then looking further does not help."""
    from carrel.perception.find import SURE

    return found.best is not None and found.best.confidence >= SURE


def _rivals(found: Found) -> list[Match]:
    """Those that are as good as the best, each thing once."""
    best = found.best
    if best is None:
        return []
    return [match for match in found.matches if match.confidence > best.confidence - AHEAD]


def _in_dialog(desk: Desk, rivals: list[Match]) -> list[Match]:
    dialogs = [e for e in desk.elements if e.role in ("dialog", "alert") or "modal" in e.states]
    boxes = [e.box for e in dialogs if e.box is not None]
    if not boxes:
        return []
    inner = min(boxes, key=lambda box: box.area)
    return [match for match in rivals if within(match.element.box, inner)]


def _of_lines(found: Found, rivals: list[Match]) -> list[Match]:
    """A text area has several lines, a text field or an input has one."""
    said = found.description.text
    if re.search(r"text ?area", said, re.IGNORECASE):
        return [match for match in rivals if "multi line" in match.element.states]
    if re.search(r"text ?(?:field|box|input)|\binput\b", said, re.IGNORECASE):
        return [match for match in rivals if "single line" in match.element.states]
    return []


def _near_work(desk: Desk, rivals: list[Match]) -> list[Match]:
    """Those in the row, the form or the dialog that the last step worked in."""
    from carrel.models.steps.parts import in_part

    held = {id(e) for e in in_part(desk, [match.element for match in rivals])}
    return [match for match in rivals if id(match.element) in held]


def kindred(element: Element, kinds: Iterable[Kind]) -> bool:
    """Whether it is one of these kinds."""
    return kind_of(element) in frozenset(kinds)


def _account(desk: Desk, found: Found) -> str:
    unread = [f"left out {told}" for told in desk.seen.left_out]
    tried = "; ".join(dict.fromkeys([*desk.tried, *unread]))
    return f"{found.account()}; {tried}" if tried else found.account()


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
