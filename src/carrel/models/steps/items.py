"""What a repetition goes through: things on the screen, in order, without some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from carrel.frames import Element
from carrel.models.steps.bounds import bounded, not_told
from carrel.models.steps.chrome import web_page
from carrel.models.steps.conditions import read_number
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.entries import is_entries, listed_entries, tick_box_of
from carrel.models.steps.entry_rows import ENTRIES, is_head
from carrel.models.steps.extents import extent_of, members
from carrel.models.steps.lineage import lineage_of
from carrel.models.steps.modals import dialogs_shown
from carrel.models.steps.panes import bring_into_view
from carrel.models.steps.program import ForEach, Perform, Point, Tick
from carrel.models.steps.reading import text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.wishes import all_fitting, wished
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["in_sight", "things"]

_NUMBERED = re.compile(r"#(?P<at>\d+)/(?P<of>\d+)(?: (?P<text>.+))?")
"""One of several without a name of its own: the how manieth of how many, and what it says."""
COMING = (0.3, 0.6, 1.0)
"""Seconds between looks for what is not there at first, or is hidden by a dialog that goes."""
GOING = (0.2, 0.3, 0.5)
"""Seconds between looks for whether an entry that was worked on goes."""
ALIKE = 0.5
"""Of the words of an entry, the share that it has kept where it says something else now."""


def things(desk: Desk, step: ForEach) -> Turns[tuple[str, ...]]:
    """Each as a phrase that means that very thing: its name, where it is, or its number.

    A name that several have, or none, would not tell them apart; a place does, while nothing moves.

    Raises:
        Missed: There are none, or too few, or their place is not there.
    """
    if step.place is not None and (missing := not_told(desk, step.place)) is not None:
        raise Missed(missing)
    found, everywhere = yield from _all(desk, step)
    for pause in COMING:
        if found or everywhere:
            break
        yield from desk.again(pause, why=f"{step.every} may still come up")
        found, everywhere = yield from _all(desk, step)
    if len(everywhere) > len(found):
        _require(step, len(everywhere))
        keys = [_key(n, everywhere, desk.unseen) for n in range(len(everywhere))]
        return tuple(keys[: step.limit])
    _require(step, len(found))
    names = [_name(desk, e) for e in found[: step.limit]]
    own = {written_on(e).strip() for e in desk.elements}
    desk.listed = {
        name: e.box.center for name, e in zip(names, found, strict=False) if name and e.box
    }
    return tuple(
        name
        if name in own and names.count(name) == 1 and kind_of(found[n]) is not Kind.ROW
        else _key(n, found, desk.elements)
        for n, name in enumerate(names)
    )


def _all(desk: Desk, step: ForEach) -> Turns[tuple[list[Element], list[Element]]]:
    """What fits in sight, and on all of a page."""
    found, everywhere = _fitting(desk, step), list[Element]()
    if web_page(desk.elements) is not None and not (found and _is_by_looks(step.every or "")):
        yield from desk.again(0, why=f"all of {step.every}", hidden=True)
        everywhere = _fitting(desk, step, hidden=True)
    if not found and not everywhere and is_entries(step.every or ""):
        with _there(desk, step):
            found = _ordered(desk, _boxes(desk, step), step.order)
    return found, everywhere


def _key(at: int, listed: list[Element], elements: Sequence[Element]) -> str:
    """An element as one that is found again, though others go and it moves."""
    return f"#{at + 1}/{len(listed)} {_text(listed[at], elements)}".strip()


def _boxes(desk: Desk, step: ForEach) -> list[Element]:
    """Whatever the one list on the screen holds; to be ticked, the boxes of its entries."""
    entries = listed_entries(desk)
    if all(isinstance(inner, Tick) for inner in step.body):
        return [tick_box_of(desk.elements, e) or e for e in entries]
    return entries


def _require(step: ForEach, count: int) -> None:
    """Stop where there are none, or fewer than were asked for."""
    if not count:
        raise Missed(f"there is nothing to be seen that is {step.every}")
    if step.limit is not None and count < step.limit:
        raise Missed(f"there are only {count} of {step.every}, not {step.limit}")


def _gone(desk: Desk, step: ForEach, before: str) -> Turns[None]:
    """Wait for what the round before does to its entry, which a page may take a moment for."""
    if not before or not any(isinstance(inner, Point | Perform) for inner in step.body):
        return
    for pause in GOING:
        yield from desk.again(pause, why="what the round before was about may still go")
        listed = [e for e in desk.elements if kind_of(e) in ENTRIES]
        said = [_text(e, desk.elements) for e in (*listed, *_entries(desk, step))]
        if before not in said:
            # The others may still move up.
            yield from desk.again(GOING[0], why="the others may still move")
            return


def in_sight(desk: Desk, step: ForEach, item: str, before: str = "") -> Turns[tuple[str, str]]:
    """The item as a phrase for now, and what it says; one with a number is brought into sight."""
    numbered = _NUMBERED.fullmatch(item) if step.every is not None else None
    if numbered is None:
        return item, ""
    yield from _gone(desk, step, before)
    for pause in (0.0, *COMING):
        if pause:
            yield from desk.again(pause, why=f"number {numbered['at']} of {step.every}")
        page = web_page(desk.elements) is not None
        element = _again(desk.elements, _entries(desk, step), numbered, whole=not page)
        if element is not None:
            # What has many of its name there is that of this one.
            desk.worked = element.box
            return _place(element), _text(element, desk.elements)
        if not page:
            continue
        yield from desk.again(0, why=f"number {numbered['at']} of {step.every}", hidden=True)
        further = _again(desk.unseen, _fitting(desk, step, hidden=True), numbered)
        if further is not None:
            said = _text(further, desk.unseen)
            here = [e for e in desk.elements if (e.name, e.box) == (further.name, further.box)]
            if not any(_text(e, desk.elements) == said for e in here):
                yield from bring_into_view(desk, further)
                continue
            desk.worked = further.box
            return _place(further), _text(further, desk.unseen)
    said = numbered["text"] or f"number {numbered['at']}"
    if dialogs := dialogs_shown(desk.elements):
        over = written_on(dialogs[-1]) or dialogs[-1].role
        raise Missed(f"{said}, of {step.every}, cannot be reached: the dialog “{over}” is open")
    raise Missed(f"{said}, of {step.every}, is not there any more")


def _entries(desk: Desk, step: ForEach) -> list[Element]:
    found = _fitting(desk, step)
    if not found and is_entries(step.every or ""):
        with _there(desk, step):
            return _ordered(desk, _boxes(desk, step), step.order)
    return found


def _again(
    elements: Sequence[Element],
    fitting: list[Element],
    numbered: re.Match[str],
    *,
    whole: bool = True,
) -> Element | None:
    """The one that a number was given to, of those that are left; counted only if all are there."""
    at, count, text = int(numbered["at"]), int(numbered["of"]), numbered["text"] or ""
    same = [e for e in fitting if text and _text(e, elements) == text]
    if len(same) == 1:
        return same[0]
    # Those before it may be gone by now, or not fit any more.
    left = at - (count - len(fitting))
    if not whole or not 1 <= left <= min(at, len(fitting)):
        return None
    one = fitting[left - 1]
    words, now = set(text.split()), set(_text(one, elements).split())
    return one if len(words & now) >= ALIKE * len(words) else None


@contextmanager
def _there(desk: Desk, step: ForEach) -> Iterator[None]:
    """See only what is in the place of the loop, if it has one."""
    if step.place is None:
        yield
        return
    with bounded(desk, step.place):
        yield


def _on_page(desk: Desk, place: str | None) -> list[Element]:
    """What is on the page, in sight or not, without what the browser has around it."""
    page = web_page(desk.unseen)
    inside = children_of(desk.unseen, page) if page is not None else desk.unseen
    extent = extent_of(desk, place) if place is not None else None
    held = members(inside, extent) if extent is not None else inside
    return [e for e in held if e.box is not None and e.box.area]


def _fitting(desk: Desk, step: ForEach, *, hidden: bool = False) -> list[Element]:
    assert step.every is not None
    among = _on_page(desk, step.place) if hidden else None
    with _there(desk, step):
        return _fitting_there(desk, step, step.every, among)


def _fitting_there(
    desk: Desk, step: ForEach, every: str, among: list[Element] | None
) -> list[Element]:
    ticks = bool(step.body) and all(isinstance(inner, Tick) for inner in step.body)
    kinds = (Kind.CHECKBOX,) if ticks else ()
    left_out = {e.id for phrase in step.but for e in all_fitting(desk, phrase, kinds, among=among)}
    found = list(all_fitting(desk, every, kinds, among=among))
    if ticks:
        # "All the boxes" are those that can be ticked, not the parts of a page; of rows, theirs.
        listed = desk.elements if among is None else among
        boxes = [tick_box_of(listed, e) if kind_of(e) is Kind.ROW else e for e in found]
        found = [e for e in boxes if e is not None and kind_of(e) in TICKED] or found
    tree = lineage_of(tuple(desk.elements if among is None else among))
    found = [e for e in found if kind_of(e) is not Kind.ROW or not is_head(e, tree)]
    return _ordered(desk, [e for e in found if e.id not in left_out and e.box], step.order)


def _is_by_looks(phrase: str) -> bool:
    """Whether only pixels tell what is meant, which nothing out of sight has."""
    one = wished(phrase).description
    return any(d.colour or d.shape not in ("", "number") for d in (one, *one.readings))


def _name(desk: Desk, element: Element) -> str:
    return _text(element, desk.elements)


def _text(element: Element, elements: Sequence[Element]) -> str:
    return " ".join(text_of(element, elements).split())


def _place(element: Element) -> str:
    assert element.box is not None
    at = element.box.center
    return f"{at.x},{at.y}"


def _ordered(desk: Desk, found: list[Element], order: str) -> list[Element]:
    if order not in ("ascending", "descending"):
        return found
    numbers = {e.id: read_number(_name(desk, e)) for e in found}
    if all(number is not None for number in numbers.values()):
        ranked = sorted(found, key=lambda e: numbers[e.id] or 0.0)
    else:
        ranked = sorted(found, key=lambda e: _name(desk, e).casefold())
    return ranked if order == "ascending" else ranked[::-1]
