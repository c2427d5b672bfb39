"""Spinners that take no text: by the arrow keys, else by the small arrows at their end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named

__all__ = ["spin"]

ROUNDS = 6
MOST = 50
"""Presses at once."""
ARROW = 6
"""Pixels from the end of a spinner to the middle of its arrows."""

Presses = Callable[[bool, int], Sequence[Action]]


def spin(desk: Desk, element: Element, wanted: float) -> Turns[None]:
    """Bring a spinner to a number step by step, reading it back.

    Raises:
        Missed: Neither keys nor arrows bring it there.
    """
    for how, presses in (("keys", _keys), ("arrows", _arrows(desk, element))):
        if (yield from _drive(desk, element, wanted, presses, how)):
            return
    held = yield from _held(desk, element)
    raise Missed(f"{named(element)} stands at {held:g} and cannot be brought to {wanted:g}")


def _drive(desk: Desk, element: Element, wanted: float, presses: Presses, how: str) -> Turns[bool]:
    """Whether it got there; one press first tells what one is worth."""
    value, step = (yield from _held(desk, element)), 0.0
    for _ in range(ROUNDS):
        if value == wanted:
            return True
        count = min(MOST, max(1, round(abs(wanted - value) / step))) if step else 1
        actions = presses(wanted > value, count)
        why = f"it stands at {value:g}, not {wanted:g}: by its {how}"
        yield from desk.do(*actions, why=why, last=True)
        before, value = value, (yield from _held(desk, element))
        if value == before:
            return False
        step = step or abs(value - before)
    return value == wanted


def _keys(up: bool, count: int) -> Sequence[Action]:
    return (Key(("up" if up else "down",), repeat=count),)


def _arrows(desk: Desk, element: Element) -> Presses:
    box = _outline(desk, element)

    def presses(up: bool, count: int) -> Sequence[Action]:
        at = Point(box.right - ARROW, box.y + round(box.height * (0.25 if up else 0.75)))
        return (Click(at.x, at.y),) * count

    return presses


def _outline(desk: Desk, element: Element) -> Box:
    """The spinner with its arrows, which may stand beside the field that it says it is."""
    assert element.box is not None
    inner = element.box
    around = [
        e.box
        for e in desk.elements
        if e.box is not None and within(inner, e.box) and e.box != inner
        if e.box.height <= inner.height + 2 * ARROW + 4 and e.box.right > inner.right + ARROW
    ]
    return min(around, key=lambda box: box.area, default=inner)


def _held(desk: Desk, element: Element) -> Turns[float]:
    """The number that it shows."""
    for pause in (0.0, 0.15):
        if pause:
            yield from desk.again(pause, why="what it stands at")
        now = same_as(desk.elements, element) or element
        found = re.search(r"-?\d+(?:\.\d+)?", now.value or "")
        if found is not None and pause:
            return float(found[0])
    raise Missed(f"{named(element)} does not say what it stands at")
