"""What comes up in the middle of something and is in its way: closed first, then one goes on."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.endings import closes
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["put_aside"]

DEEPEST = 200


def put_aside(desk: Desk, before: Sequence[Element]) -> Turns[bool]:
    """Close what has come up since; whether there was anything to close.

    It is only ever closed, never agreed to: nobody has read it.
    """
    known = {(e.role, e.name, e.box) for e in before}
    new = [
        e
        for e in part_meant(desk.elements, "")
        if (e.role, e.name, e.box) not in known and e.box is not None and not is_disabled(e)
    ]
    buttons = [e for e in new if kind_of(e) in (Kind.BUTTON, Kind.LINK, Kind.ICON)]
    leaving = [e for e in buttons if closes(e.name) and not _on_bar(desk, e)]
    if len(leaving) != 1 or leaving[0].box is None:
        return False
    at = leaving[0].box.center
    why = f"this came up and is in the way: {named(leaving[0])}"
    yield from desk.do(Click(at.x, at.y), why=why, commits=False)
    return True


def _on_bar(desk: Desk, element: Element) -> bool:
    """Whether it is a tool of what one works in, and nothing that came up over it."""
    above = {e.id: e for e in desk.elements}
    at = above.get(element.parent or "")
    for _ in range(DEEPEST):
        if at is None:
            return False
        if kind_of(at) is Kind.TOOLBAR:
            return True
        at = above.get(at.parent or "")
    return False
