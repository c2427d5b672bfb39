"""Bringing things into sight: finding, unfolding, and what is suggested while one types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import UNCHANGED, Desk, children_of, within
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.program import Complete, Expand, Find
from carrel.models.steps.reaching.folding import only_fold
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.fold_signs import fold_sign, is_open_sign
from carrel.models.steps.shown.reading import field_value, fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import field_at, focused_field, only_field
from carrel.models.steps.verbs.nameless_folds import nameless_fold
from carrel.models.steps.verbs.pointing import named
from carrel.perception.find import Match
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["complete", "expand", "find_thing", "offered_at"]

STILL_LOOKS = 15
NEAR, SMALL = 3, 32
"""Pixels around a box to tick that are its own; and of a side of a box, or of an arrow."""
DEEP = 3
"""How deep in a branch of a tree its own words may be."""
_ANY = re.compile(
    r"\b(?:an?|any|some|one) (?!the\b)\w+ (?:that|which|whose|starting|ending|beginning)\b"
)
"""Whichever of them will do."""
_SUGGESTED = (Kind.OPTION, Kind.MENU_ITEM, Kind.LINK, Kind.TEXT, Kind.CELL, Kind.TREE_ITEM)


def find_thing(desk: Desk, step: Find) -> Turns[str | None]:
    """Bring a thing into view; the steps that follow are about it."""
    match = yield from ground(desk, step.what, want="read")
    desk.worked = match.element.box
    return None


def expand(desk: Desk, step: Expand) -> Turns[str | None]:
    """Unfold or fold something."""
    only = only_fold(desk, step.what, on=step.on)
    match = Match(only, 1.0, only.box.center, "the only one") if only and only.box else None
    if match is None:
        match = yield from ground(desk, step.what)
    folding = only or _folds(desk, match.element)
    element = folding or match.element
    nameless = None if folding else nameless_fold(desk, element)
    if nameless is not None:
        # The words of an entry choose it; what stands before them opens it.
        element, match = nameless, replace(match, why=f"the sign before {match.why}")
    desk.worked = element.box
    tells = "expandable" in element.states or "expanded" in element.states
    sign = fold_sign(desk.elements, element) if not tells else None
    opened = "expanded" in element.states if tells else sign and is_open_sign(sign)
    if opened is step.on:
        return f"already {'open' if step.on else 'closed'}"
    places = [match.point] if element.box is None else _grips(desk, element)
    places = [sign.box.center] if sign is not None and sign.box is not None else places
    if kind_of(element) is Kind.TREE_ITEM:
        places = yield from _but_boxes(desk, places)
    for at in places:
        yield from desk.do(Click(at.x, at.y), why=f"{named(element)}, {match.why}", last=True)
        changed = desk.changed
        yield from _until_still(desk)
        for pause in (0.2, 0.5, 0.0):
            now = same_as(desk.elements, element)
            if now is None or not tells:
                if not changed:
                    desk.doubt(UNCHANGED)
                return None
            if ("expanded" in now.states) == step.on:
                return None
            if pause:
                yield from desk.again(pause, why="whether it opened")
    if (yield from _by_key(desk, element, on=step.on)):
        return None
    raise Missed(f"{named(element)} is still {'closed' if step.on else 'open'} after a click")


def _by_key(desk: Desk, element: Element, *, on: bool) -> Turns[bool]:
    """Unfold what is selected in the tree of a program by the key for it; whether it did."""
    now = same_as(desk.elements, element)
    if now is None or now.role not in _BRANCHES or "selected" not in now.states:
        return False
    if web_page(desk.elements) is not None:
        return False
    key = Key(("plus" if on else "minus",))
    yield from desk.do(key, why=f"{named(element)}: the key for it", last=True)
    for pause in (0.2, 0.5, 0.0):
        now = same_as(desk.elements, element)
        if now is not None and ("expanded" in now.states) == on:
            return True
        if pause:
            yield from desk.again(pause, why="whether it opened")
    return False


_BRANCHES = ("table cell", "tree item", "table row")


def _until_still(desk: Desk) -> Turns[None]:
    """What unfolds moves for a while: look until nothing does."""
    for _ in range(STILL_LOOKS):
        before = [(e.role, e.name, e.box) for e in desk.elements]
        yield from desk.again(0.1, why="it may still unfold")
        if before == [(e.role, e.name, e.box) for e in desk.elements]:
            return


def _but_boxes(desk: Desk, places: Sequence[Point]) -> Turns[list[Point]]:
    """Without places where a click would tick something, be it a box that a page has drawn."""
    if web_page(desk.elements) is not None:
        yield from desk.again(0, why="what would be ticked", hidden=True)
    known = (*desk.elements, *(desk.unseen if web_page(desk.elements) is not None else ()))
    boxes = [
        e.box
        for e in known
        if e.box is not None and kind_of(e) in TICKED and max(e.box.width, e.box.height) <= SMALL
    ]
    return [at for at in places if not any(_is_on(at, box) for box in boxes)]


def _is_on(at: Point, box: Box) -> bool:
    across = box.x - NEAR <= at.x < box.right + NEAR
    return across and box.y - NEAR <= at.y < box.bottom + NEAR


def _signs(desk: Desk, element: Element, line: Box) -> list[Point]:
    """The one small picture before the words of a branch: the arrow that unfolds it."""
    drawn = [
        e.box
        for e in children_of(desk.elements, element)
        if kind_of(e) in (Kind.IMAGE, Kind.ICON, Kind.BUTTON) and e.box is not None
        if max(e.box.width, e.box.height) <= SMALL and e.box.right <= line.x
        if line.y <= e.box.center.y < line.bottom
    ]
    return [drawn[0].center] if len(set(drawn)) == 1 else []


def _grips(desk: Desk, element: Element) -> list[Point]:
    """Where a click may unfold something: its middle, and the arrow at its beginning.

    In a tree the arrow comes first, as the middle selects; it may stand before what is told.
    """
    box = element.box
    assert box is not None
    half = min(box.width, box.height) // 2
    if kind_of(element) is not Kind.TREE_ITEM:
        arrow = Point(box.x + half, box.center.y)
        return [box.center] if box.width < 2 * box.height else [box.center, arrow]
    words = [e.box for e in children_of(desk.elements, element) if kind_of(e) is Kind.TEXT]
    line = min((b for b in words if b and b.area), key=lambda b: (b.y, b.x), default=box)
    y, half = line.center.y, min(half, line.height)
    before = Point(box.x - half, y)
    trees = [e.box for e in desk.elements if kind_of(e) is Kind.TREE and within(box, e.box)]
    outside = [before] if any(tree and tree.contains(before) for tree in trees) else []
    # The first words of a line may be the arrow itself.
    inner = [Point(line.x - half, y)] if line.x - half > box.x + half else []
    first = [line.center] if 0 < line.width <= 2 * half else []
    signs = _signs(desk, element, line)
    return [*signs, *outside, *inner, *first, Point(box.x + half, y), Point(box.center.x, y)]


def _folds(desk: Desk, element: Element) -> Element | None:
    """What unfolds for an element: itself, or something within or around it."""
    above = {e.id: e for e in desk.elements}
    around = [above[element.parent]] if element.parent in above else []
    around += [
        e for e in Lineage(desk.elements).above(element)[:DEEP] if kind_of(e) is Kind.TREE_ITEM
    ]
    for near in (element, *children_of(desk.elements, element), *around):
        if {"expandable", "expanded"} & set(near.states) and near.box is not None:
            return near
    return None


def complete(desk: Desk, step: Complete) -> Turns[str | None]:
    """Type the beginning and take the suggestion that fits."""
    if step.into is not None:
        field = (yield from ground(desk, step.into, (Kind.FIELD,), want="type")).element
    else:
        field = focused_field(desk) or only_field(desk)
    assert field.box is not None
    desk.worked = field.box
    at, before = field.box.center, desk.elements
    typed = step.starts or step.contains or step.ends
    strokes: tuple[Action, ...] = (Click(at.x, at.y), Key(("ctrl", "a")), Type(typed))
    yield from desk.do(*strokes, why=f"type the beginning into {named(field)}")
    offered: list[Element] = []
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="suggestions may take a moment")
        offered = list(offered_at(desk.elements, before, field))
        fitting = [e for e in offered if _fits(_text(e), step)]
        if fitting:
            break
    else:
        told = ", ".join(map(_text, offered)) or "none"
        raise Missed(f"no suggestion fits {_wish(step)}; suggested: {told}")
    texts = {_text(e) for e in fitting}
    if len(texts) > 1 and not _ANY.search(step.words):
        raise Missed(f"several suggestions fit {_wish(step)}: {', '.join(sorted(texts))}")
    first = _text(fitting[0])
    chosen = [e for e in fitting if _text(e) == first][-1]
    assert chosen.box is not None
    here = chosen.box.center
    yield from desk.do(Click(here.x, here.y), why=f"take {named(chosen)}", last=True)
    yield from _check_taken(desk, field, first)
    return first


def _check_taken(desk: Desk, field: Element, text: str) -> Turns[None]:
    """See that the field shows the suggestion that was taken; some show it elsewhere."""
    for pause in (0.2, 0.5, 0.0):
        now = field_at(desk, field)
        if now is None or now.value is None or fold(text) in fold(field_value(now)):
            break
        if pause:
            yield from desk.again(pause, why="what the field holds now")
    else:
        desk.doubt(f"{named(field)} does not show {text!r} after it was taken")


def offered_at(
    now: Iterable[Element], before: Iterable[Element], field: Element
) -> Iterable[Element]:
    """What came up since, and can be taken for an entry that a field offers."""
    known = {(e.role, e.name, e.box) for e in before}
    for element in now:
        new = (element.role, element.name, element.box) not in known
        there = element.box is not None and not within(element.box, field.box)
        if new and there and kind_of(element) in _SUGGESTED and _text(element):
            yield element


def _text(element: Element) -> str:
    return (element.name or element.value or element.text).strip()


def _fits(text: str, step: Complete) -> bool:
    folded = text.casefold()
    return (
        folded.startswith(step.starts.casefold())
        and folded.endswith(step.ends.casefold())
        and step.contains.casefold() in folded
    )


def _wish(step: Complete) -> str:
    said = {"starts with": step.starts, "ends with": step.ends, "contains": step.contains}
    return " and ".join(f"“{how} {text}”" for how, text in said.items() if text)
