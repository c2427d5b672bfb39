"""Dragging things, and selecting text with the pointer."""

from __future__ import annotations

import re

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground, look_for, resolve, wished
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.program import Highlight
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import is_field

__all__ = ["drag", "drag_path", "highlight"]

SLOW, SLOWER = 0.35, 1.0


def drag(desk: Desk, step: DragStep) -> Turns[str | None]:
    """Drag something onto something else, or by a distance."""
    match = yield from ground(desk, step.what)
    start, told = match.point, named(match.element)
    if step.onto is not None:
        target = yield from ground(desk, step.onto, reveal=False)
        # Looking for the second may have moved the first.
        first = resolve(desk, look_for(desk, wished(step.what)))
        start = first.point if first is not None else start
        end, onto = target.point, named(target.element)
    elif step.by is not None:
        end = Place(start.x + step.by[0], start.y + step.by[1])
        onto = f"{end.x},{end.y}"
    else:
        raise Missed(f"it is not said where to drag {told}")
    end = Place(min(max(end.x, 0), desk.size.width - 1), min(max(end.y, 0), desk.size.height - 1))
    for seconds in (SLOW, SLOWER):
        path = drag_path(start, end)
        yield from desk.do(Drag(path, seconds=seconds), why=f"{told} onto {onto}", last=True)
        if desk.changed:
            break
    else:
        raise Missed(f"nothing changed when {told} was dragged onto {onto}")
    desk.worked = None
    return None


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


def highlight(desk: Desk, step: Highlight) -> Turns[str | None]:
    """Select text with the pointer."""
    found = _passage(desk, step.what)
    if found is None:
        found = (yield from ground(desk, step.what)).element
    box = found.box
    if box is None:
        raise Missed(f"{named(found)} does not say where it is")
    desk.worked = box
    if is_field(found):
        at = box.center
        yield from desk.do(Click(at.x, at.y, count=3), why=f"select in {named(found)}", last=True)
        return None
    start, end = _ends(box)
    path = drag_path(start, end)
    yield from desk.do(Drag(path, seconds=SLOW), why=f"select {named(found)}", last=True)
    if not desk.changed:
        raise Missed(f"nothing was selected when the pointer went over {named(found)}")
    return None


def _ends(box: Box) -> tuple[Place, Place]:
    line = min(box.height, 18)
    return (
        Place(box.x + 1, box.y + line // 2),
        Place(max(box.right - 1, box.x + 2), max(box.bottom - line // 2, box.y + line // 2)),
    )


def _passage(desk: Desk, phrase: str) -> Element | None:
    """The text that says exactly these words."""
    words = _fold(re.sub(r"^(?:the )?(?:text|words?|passage)\s+", "", phrase.strip(" \"'“”")))
    said = [
        e
        for e in part_meant(desk.elements, phrase)
        if e.box is not None and _fold(e.name or e.value or e.text) == words
    ]
    return min(said, key=lambda e: e.box.area if e.box else 0) if said else None


def _fold(text: str) -> str:
    return " ".join(text.split()).strip(" \"'“”").casefold()
