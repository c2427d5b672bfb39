"""Drop-downs that a page has made of mere boxes, and that do not say what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.panes import bring_into_view, clear_of_edge
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

if TYPE_CHECKING:
    from carrel.perception.find import Match

__all__ = ["choose_from_made_up", "made_up_dropdown"]

TINY = 2
"""Pixels: a field of this size takes only the keyboard; what one sees is the box it is in."""
LEAST, HIGHEST, LONGER = 16, 60, 60
"""Pixels that a box is high, at least and at most, and long."""
ARROW = 24
"""Pixels of the sign that something drops down, and from it to the end of the box."""
NEAR, ASIDE = 24, 160
"""Pixels from a label down to what it labels, and to what stands right of it in a column."""
LONGEST = 600
"""Pixels that an open list may be high."""


def made_up_dropdown(desk: Desk, phrase: str) -> Element | None:
    """The one box that stands for a drop-down, where none says it is one; None if not certain."""
    described = wished(phrase).description
    if described.kinds not in ((), (Kind.COMBO,)):
        # The end of a name may be a word for a sort of thing: 所属地区.
        described = next((one for one in described.readings if not one.kinds), described)
    if described.kinds not in ((), (Kind.COMBO,)) or described.relations:
        return None
    page = part_meant(desk.elements, "")
    if described.name:
        found = _beside_label(desk, phrase, described.name, page)
        tells = bool(described.kinds) or (found is not None and _looks_so(found, Lineage(page)))
        return found if tells else None
    if not described.kinds:
        return None
    if any(kind_of(e) is Kind.COMBO for e in page):
        return None
    by_id = {e.id: e for e in page}
    boxes = [
        holder
        for e in page
        if is_field(e) and e.box is not None and max(e.box.width, e.box.height) <= TINY
        if (holder := by_id.get(e.parent or "")) is not None and holder.box is not None
        if min(holder.box.width, holder.box.height) >= LEAST
    ]
    return replace(boxes[0], role="combo box") if len(boxes) == 1 else None


def _beside_label(desk: Desk, phrase: str, name: str, page: Sequence[Element]) -> Element | None:
    """The box of one text that stands beside or under a label, where nothing is called so."""
    called = look_for(desk, wished(phrase), want="act")
    best = called.best.element if called.best is not None and is_there(called) else None
    if best is not None and kind_of(best) is not Kind.TEXT:
        return None
    label = resolve(desk, look_for(desk, wished(f'"{name}"'), want="read"))
    if label is None or kind_of(label.element) is not Kind.TEXT or label.element.box is None:
        return None
    at, tree = label.element.box, Lineage(page)
    boxes = [
        e
        for e in page
        if kind_of(e) is Kind.GROUP and e.box is not None and not e.name
        if LEAST <= e.box.height <= HIGHEST and e.box.width >= LONGER and _is_by(e.box, at)
        if len({written_on(t) for t in tree.below(e) if _is_word(written_on(t))}) == 1
        if not any(kind_of(t) in CONTROLS for t in tree.below(e))
    ]
    places = {e.box for e in boxes}
    outer = [e for e in boxes if not any(b != e.box and _holds(b, e.box) for b in places)]
    return replace(outer[0], role="combo box") if len({e.box for e in outer}) == 1 else None


_SIGN = re.compile(
    r"[▾▼▿▽⌄˅∨⏷🞃]|(?:please |请)?(?:select|choose|pick|选择)\b.*|[-–—]+", re.IGNORECASE
)


def _looks_so(box: Element, tree: Lineage) -> bool:
    """Whether what is in it tells that it drops down: the sign for that, or a word that asks."""
    held = next((e for e in tree.elements if e.id == box.id), box)
    inner = tree.below(held)
    return any(_SIGN.fullmatch(written_on(e).strip()) for e in inner) or _has_arrow(held, inner)


def _has_arrow(box: Element, inner: Sequence[Element]) -> bool:
    """Whether a small picture without a name stands at its right end, and no other in it."""
    drawn = {e.box: e for e in inner if kind_of(e) in (Kind.IMAGE, Kind.ICON) and e.box}
    if len(drawn) != 1 or box.box is None:
        return False
    ((at, picture),) = drawn.items()
    small = max(at.width, at.height) <= ARROW and not written_on(picture).strip()
    return small and 0 <= box.box.right - at.right <= ARROW


def _is_word(text: str) -> bool:
    """Whether it is more than the sign that something drops down."""
    return any(letter.isalnum() for letter in text)


def _is_by(box: Box, label: Box) -> bool:
    """Whether it stands right of a label, or right under it."""
    level = label.y < box.center.y < label.bottom
    if level:
        return -TINY <= box.x - label.right <= ASIDE
    return abs(box.x - label.x) <= NEAR and -TINY <= box.y - label.bottom <= NEAR


def _holds(outer: Box | None, inner: Box | None) -> bool:
    return outer is not None and inner is not None and outer.intersect(inner) == inner


def choose_from_made_up(desk: Desk, box: Element, option: str) -> Turns[None]:
    """Open it, bring the option into sight in the list that comes up, and click it.

    Raises:
        Missed: Nothing comes up, or the option is not in it.
    """
    assert box.box is not None
    at, before = box.box.center, {(e.role, e.name, e.box) for e in desk.elements}
    desk.worked = box.box
    yield from desk.do(Click(at.x, at.y), why=f"open {named(box)}", commits=False)
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="the list may take a moment to open")
        new = [e for e in desk.elements if (e.role, e.name, e.box) not in before and e.box]
        match = resolve(desk, look_for(desk, wished(option), new)) if new else None
        if match is None and new:
            match = yield from _further_down(desk, box.box, option)
        if match is not None:
            taken = (yield from clear_of_edge(desk, match.element)).box
            here = taken.center if taken is not None else match.point
            yield from desk.do(Click(here.x, here.y), why=f"take {option}", last=True)
            yield from _check(desk, box.box, here, match.element.name or option)
            desk.worked = _where_now(desk, box, here)
            return
    raise Missed(f"{named(box)} has no option {option!r} that can be seen")


def _where_now(desk: Desk, box: Element, at: Point) -> Box | None:
    """Where the drop-down is, which may have been scrolled along: right above its option."""
    old = box.box
    alike = [
        e.box
        for e in desk.elements
        if e.role == box.role and e.box is not None and old is not None and e.box.bottom <= at.y
        if abs(e.box.x - old.x) <= TINY and abs(e.box.width - old.width) <= TINY
    ]
    return max(alike, key=lambda found: found.bottom, default=None)


def _check(desk: Desk, box: Box, at: Point, taken: str) -> Turns[None]:
    """See that the box says what was taken at a point; it may have been scrolled along."""
    column = Box(box.x, 0, box.width, desk.size.height)
    for pause in (0.2, 0.5, 0.0):
        if any(
            fold(e.name or e.value or e.text) == fold(taken)
            for e in desk.elements
            if within(e.box, column) and e.box and not e.box.contains(at)
        ):
            return
        if pause:
            yield from desk.again(pause, why="what the box shows now")
    desk.doubt(f"the drop-down does not show {taken!r}")


def _further_down(desk: Desk, box: Box, option: str) -> Turns[Match | None]:
    """An option that its list would show after scrolling, the list itself or the page."""
    yield from desk.again(0, why=f"whether {option} is further down the list", hidden=True)
    under = Box(box.x, box.bottom, box.width, LONGEST)
    held = [e for e in desk.unseen if within(e.box, under) and e.box and e.box.area]
    match = resolve(desk, look_for(desk, wished(option), held))
    if match is None or not (yield from bring_into_view(desk, match.element)):
        return None
    return resolve(desk, look_for(desk, wished(option), _like(desk, match.element)))


def _like(desk: Desk, option: Element) -> list[Element]:
    """What is in sight of its role and name, in its column."""
    alike = [e for e in desk.elements if (e.role, e.name) == (option.role, option.name) and e.box]
    return [e for e in alike if e.box and option.box and abs(e.box.x - option.box.x) <= TINY]
