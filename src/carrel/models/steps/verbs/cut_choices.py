"""Choices said in one word, cut at the names that come up: 浙江省宁波市 is 浙江省, then 宁波市."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import new_items
from carrel.perception.labels import written_on
from carrel.perception.roles import is_disabled

__all__ = ["choose_cut"]

COMING = (0.0, 0.2, 0.4, 0.6)
"""Seconds between looks for what comes up."""
_BETWEEN = re.compile(r"^[\s/>›»→、,，-]+")


def choose_cut(desk: Desk, box: Element, value: str) -> Turns[bool]:
    """Open a box and take what begins the value, and in what then comes up what goes on with it.

    Args:
        desk: Where that is.
        box: What opens the choices.
        value: What is to be chosen, in one or more of their names, one behind another.

    Returns:
        Whether the choices say it; nothing is chosen, and all is closed again, where none does.

    Raises:
        Missed: The first parts were taken, and nothing goes on with the rest.
    """
    assert box.box is not None
    rest, taken = value.strip().strip("\"“”'"), list[str]()
    before, at = desk.elements, box.box.center
    desk.worked = box.box
    yield from desk.do(Click(at.x, at.y), why=f"what {named(box)} offers", commits=False)
    while rest:
        item = yield from _next(desk, box, rest, before)
        if item is None or item.box is None:
            yield from desk.do(Key(("escape",)), why="not there: close it", commits=False)
            if taken:
                raise Missed(f"{taken[-1]} of {named(box)} does not lead to {rest}")
            return False
        name = written_on(item).strip()
        rest, before = _BETWEEN.sub("", rest[len(name) :]), desk.elements
        taken.append(name)
        spot = item.box.center
        yield from desk.do(
            Click(spot.x, spot.y), why=f"{name}, of {value}", commits=not rest, last=not rest
        )
    yield from _see(desk, box, taken)
    return True


def _next(
    desk: Desk, box: Element, rest: str, before: tuple[Element, ...]
) -> Turns[Element | None]:
    """The one thing that came up whose name is the beginning of the rest: the longest such name."""
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why=f"{rest} may still come up")
        new = [e for e in new_items(desk.elements, before, box) if e.box and e.box.area]
        fitting = {
            (written_on(e).strip(), e.box.center): e
            for e in new
            if e.box is not None and not is_disabled(e) and (name := written_on(e).strip())
            if rest.startswith(name) and not within(e.box, box.box)
        }
        longest = max((len(name) for name, _ in fitting), default=0)
        best = [e for (name, _), e in fitting.items() if len(name) == longest]
        # An entry and the text in it are one.
        inner = [e for e in best if not any(o is not e and within(o.box, e.box) for o in best)]
        if len(inner) == 1:
            return inner[0]
    return None


def _see(desk: Desk, box: Element, taken: list[str]) -> Turns[None]:
    """See that the box says the last of them; doubt it where it says nothing of it."""
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="what the box shows now")
        inside = [written_on(e) for e in desk.elements if within(e.box, box.box)]
        if any(taken[-1] in text for text in inside):
            return
    desk.doubt(f"the drop-down does not show {taken[-1]!r}")
