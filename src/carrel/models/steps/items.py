"""What a repetition goes through: things on the screen, in order, without some."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.chrome import web_page
from carrel.models.steps.conditions import read_number
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.entries import is_entries, listed_entries, tick_box_of
from carrel.models.steps.panes import bring_into_view
from carrel.models.steps.program import ForEach, Tick
from carrel.models.steps.reading import text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.wishes import all_fitting, wished
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["in_sight", "things"]

_NUMBERED = re.compile(r"#(\d+)")
"""One of several that are not all in sight: the how manieth of them."""


def things(desk: Desk, step: ForEach) -> Turns[tuple[str, ...]]:
    """Each as a phrase that means that very thing: its name, where it is, or its number.

    A name that several have, or none, would not tell them apart; a place does, while nothing moves.
    """
    found = _fitting(desk, step)
    if web_page(desk.elements) is not None and not (found and _is_by_looks(step.every or "")):
        yield from desk.again(0, why=f"all of {step.every}", hidden=True)
        everywhere = _fitting(desk, step, hidden=True)
        if len(everywhere) > len(found):
            _require(step, len(everywhere))
            return tuple(f"#{number}" for number in range(1, len(everywhere) + 1))[: step.limit]
    if not found and is_entries(step.every or ""):
        found = _ordered(desk, _boxes(desk, step), step.order)
    _require(step, len(found))
    found = found[: step.limit]
    names = [_name(desk, e) for e in found]
    desk.listed = {
        name: e.box.center for name, e in zip(names, found, strict=True) if name and e.box
    }
    return tuple(
        name if name and names.count(name) == 1 else _place(element)
        for name, element in zip(names, found, strict=True)
    )


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


def in_sight(desk: Desk, step: ForEach, item: str) -> Turns[str]:
    """The item as a phrase for now: one that only has a number is brought into sight first."""
    numbered = _NUMBERED.fullmatch(item) if step.every is not None else None
    if numbered is None:
        return item
    for _ in range(2):
        yield from desk.again(0, why=f"number {numbered[1]} of {step.every}", hidden=True)
        found = _fitting(desk, step, hidden=True)
        if len(found) < int(numbered[1]):
            raise Missed(f"there are only {len(found)} of {step.every} now")
        element = found[int(numbered[1]) - 1]
        if any((e.name, e.box) == (element.name, element.box) for e in desk.elements):
            return _place(element)
        yield from bring_into_view(desk, element)
    raise Missed(f"number {numbered[1]} of {step.every} could not be brought into sight")


def _on_page(desk: Desk) -> list[Element]:
    """What is on the page, in sight or not, without what the browser has around it."""
    page = web_page(desk.unseen)
    inside = children_of(desk.unseen, page) if page is not None else desk.unseen
    return [e for e in inside if e.box is not None and e.box.area]


def _fitting(desk: Desk, step: ForEach, *, hidden: bool = False) -> list[Element]:
    assert step.every is not None
    among = _on_page(desk) if hidden else None
    ticks = bool(step.body) and all(isinstance(inner, Tick) for inner in step.body)
    kinds = (Kind.CHECKBOX,) if ticks else ()
    left_out = {e.id for phrase in step.but for e in all_fitting(desk, phrase, kinds, among=among)}
    found = list(all_fitting(desk, step.every, kinds, among=among))
    if ticks:
        # "All the boxes" are those that can be ticked, not the parts of a page.
        found = [e for e in found if kind_of(e) in TICKED] or found
    return _ordered(desk, [e for e in found if e.id not in left_out and e.box], step.order)


def _is_by_looks(phrase: str) -> bool:
    """Whether only pixels tell what is meant, which nothing out of sight has."""
    one = wished(phrase).description
    return any(d.colour or d.shape not in ("", "number") for d in (one, *one.readings))


def _name(desk: Desk, element: Element) -> str:
    return " ".join(text_of(element, desk.elements).split())


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
