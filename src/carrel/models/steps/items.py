"""What a repetition goes through: things on the screen, in order, without some."""

from __future__ import annotations

from carrel.frames import Element
from carrel.models.steps.conditions import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import all_fitting
from carrel.models.steps.program import ForEach
from carrel.models.steps.reading import text_of

__all__ = ["things"]


def things(desk: Desk, step: ForEach) -> tuple[str, ...]:
    """Each as a phrase that means that very thing: its name, or where it is.

    A name that several have, or none, would not tell them apart; a place does.
    """
    assert step.every is not None
    left_out = {e.id for phrase in step.but for e in all_fitting(desk, phrase)}
    found = [e for e in all_fitting(desk, step.every) if e.id not in left_out and e.box]
    found = _ordered(desk, found, step.order)[: step.limit]
    names = [_name(desk, e) for e in found]
    return tuple(
        name if name and names.count(name) == 1 else _place(element)
        for name, element in zip(names, found, strict=True)
    )


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
