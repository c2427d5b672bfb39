"""Several entries that are selected in one breath: `the messages from Ann and the bank`.

Each is told as one of them would be ("the message from Ann"), and has a box of its own to tick.
Where one of them is not there, or has no such box, none is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.entries import Entry, entry_meant
from carrel.models.steps.program import Choose, Tick
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entry_parts import now_at
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["or_entries"]

S = TypeVar("S", Choose, Tick)
_SAID = re.compile(
    r"(?:select|choose|pick|tick|check|mark|highlight) (?:the |all |both |two |three |\d+ )*"
    r"(?P<noun>[a-z]+s) (?P<how>from|by|of|for|about|called|named|titled|to) (?P<list>\S.*)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


def or_entries(
    verb: Callable[[Desk, S], Turns[str | None]],
) -> Callable[[Desk, S], Turns[str | None]]:
    """A verb that ticks the boxes of several entries, where a step tells each of them."""

    def carried_out(desk: Desk, step: S) -> Turns[str | None]:
        boxes = [] if desk.place is not None else _boxes(desk, step.words)
        if not boxes:
            return (yield from verb(desk, step))
        on = not isinstance(step, Tick) or step.on
        for box in boxes:
            yield from bring_into_view(desk, now_at(desk, box))
            yield from bring_to(desk, now_at(desk, box), on, "the box of an entry that is told")
        return None

    return carried_out


def _boxes(desk: Desk, words: str) -> list[Element]:
    """The box of each entry that is told, in that order; none where not all are there."""
    said = _SAID.fullmatch(words.strip().rstrip("."))
    parts = _AND.split(said["list"]) if said is not None else []
    if said is None or len(parts) < 2:
        return []
    found: list[Element] = []
    for part in parts:
        try:
            phrase = f"the {said['noun']} {said['how']} {part}"
            meant = entry_meant(desk.elements, phrase, lambda entry: _box_of(entry) is not None)
        except Missed:
            return []
        box = _box_of(meant.entry) if meant is not None else None
        if box is None or box.id in {one.id for one in found}:
            return []
        found.append(box)
    return found


def _box_of(entry: Entry) -> Element | None:
    """The one box to tick in an entry."""
    boxes = [e for e in entry.held if kind_of(e) is Kind.CHECKBOX and not is_disabled(e)]
    return boxes[0] if len(boxes) == 1 else None
