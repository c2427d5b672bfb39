"""Choosing by a number that shows only when a thing is turned over: turn all, then the best one."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.conditions import read_number
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["covered_ones", "uncover"]

_BY_NUMBER = re.compile(
    r"(?:the )?(?P<what>cards?|tiles?|box(?:es)?|items?|doors?|chests?|envelopes?|stones?|pieces?) "
    r"(?:with|that (?:has|shows|hides)|of|which (?:has|shows|hides)) (?:the )?"
    r"(?:(?P<most>greatest|largest|highest|biggest|most)|(?P<least>smallest|lowest|least|fewest))"
    r"(?: (?:number|value|digit|score|points?))?",
    re.IGNORECASE,
)
ALIKE = 1.2
SMALLEST = 16


def covered_ones(desk: Desk, phrase: str) -> list[Element]:
    """The things that are chosen among by a number none of them shows; else nothing."""
    if _BY_NUMBER.fullmatch(phrase.strip()) is None:
        return []
    families: dict[tuple[str | None, str], list[Element]] = {}
    for element in part_meant(desk.elements, ""):
        if _may_be_turned(desk, element):
            families.setdefault((element.parent, element.role), []).append(element)
    alike = [family for family in families.values() if len(family) > 1 and _are_alike(family)]
    return max(alike, key=len, default=[])


def _may_be_turned(desk: Desk, element: Element) -> bool:
    box = element.box
    if box is None or min(box.width, box.height) < SMALLEST or kind_of(element) in CONTROLS:
        return False
    if kind_of(element) in (Kind.WINDOW, Kind.PAGE):
        return False
    inner = children_of(desk.elements, element)
    return not written_on(element) and not any(written_on(e) or e.box for e in inner)


def _are_alike(family: list[Element]) -> bool:
    sizes = [(e.box.width, e.box.height) for e in family if e.box is not None]
    return all(
        max(size[side] for size in sizes) <= ALIKE * min(size[side] for size in sizes)
        for side in (0, 1)
    )


def uncover(desk: Desk, phrase: str, family: list[Element]) -> Turns[str | None]:
    """Turn each over, read its number, and leave the one that is meant turned.

    Raises:
        Missed: One of them shows no number when it is turned.
    """
    said = _BY_NUMBER.fullmatch(phrase.strip())
    assert said is not None
    numbers: list[float] = []
    for element in family:
        yield from _turn(desk, element, "which number it has")
        number = _number_on(desk, element)
        if number is None:
            yield from desk.again(0.3, why="it may take a moment to turn")
            number = _number_on(desk, element)
        if number is None:
            raise Missed(f"no number shows on one of {len(family)} when it is clicked")
        numbers.append(number)
    best = numbers.index(min(numbers) if said["least"] else max(numbers))
    if best != len(family) - 1:
        yield from _turn(desk, family[best], f"it has {numbers[best]:g}")
    return f"{numbers[best]:g}"


def _turn(desk: Desk, element: Element, why: str) -> Turns[None]:
    assert element.box is not None
    at = element.box.center
    yield from desk.do(Click(at.x, at.y), why=why)


def _number_on(desk: Desk, element: Element) -> float | None:
    box = element.box
    assert box is not None
    texts = [written_on(e) for e in desk.elements if e.box and box.contains(e.box.center)]
    return next((n for text in texts if (n := read_number(text)) is not None), None)
