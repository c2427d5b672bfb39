"""Selecting text with the pointer, and changing how it looks."""

from __future__ import annotations

import re

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.passages import passage
from carrel.models.steps.program import Change, Highlight
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dragging import drag_path
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import is_field

__all__ = ["change", "highlight"]

SECONDS = 0.35
LINE = 18
"""Pixels of a line of text, roughly: where its first and its last are."""


def highlight(desk: Desk, step: Highlight) -> Turns[str | None]:
    """Select text."""
    found = _passage(desk, step.what)
    if found is None:
        found = (yield from passage(desk, step.what)).element
    box = found.box
    if box is None:
        raise Missed(f"{named(found)} does not say where it is")
    desk.worked = box
    if is_field(found) and "multi line" not in found.states:
        at = box.center
        yield from desk.do(Click(at.x, at.y, count=3), why=f"select in {named(found)}", last=True)
        return None
    path = drag_path(*_ends(box))
    yield from desk.do(Drag(path, seconds=SECONDS), why=f"select {named(found)}", last=True)
    if not desk.changed:
        raise Missed(f"nothing was selected when the pointer went over {named(found)}")
    return None


def _ends(box: Box) -> tuple[Point, Point]:
    line = min(box.height, LINE)
    return (
        Point(box.x + 1, box.y + line // 2),
        Point(max(box.right, box.x + 2), max(box.bottom - line // 2, box.y + line // 2)),
    )


def _passage(desk: Desk, phrase: str) -> Element | None:
    """The text that says exactly these words."""
    words = _fold(re.sub(r"^(?:the )?(?:text|words?|passage)\s+", "", phrase.strip(" \"'“”")))
    said = [
        e
        for e in part_meant(desk.elements, phrase)
        if e.box is not None and words and _fold(e.name or e.value or e.text) == words
    ]
    return min(said, key=lambda e: e.box.area if e.box else 0) if said else None


def _fold(text: str) -> str:
    return " ".join(text.split()).strip(" \"'“”").casefold()


def change(desk: Desk, step: Change) -> Turns[str | None]:
    """Change the look of a passage with the editor's own control for it."""
    yield from highlight(desk, Highlight(step.what))
    match = yield from ground(desk, step.into)
    why = f"{named(match.element)}, {match.why}"
    yield from desk.do(Click(match.point.x, match.point.y), why=why, last=True)
    return None
