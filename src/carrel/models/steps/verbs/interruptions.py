"""What comes up in the middle of something and is in its way: closed first, then one goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.endings import closes
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["put_aside"]

DEEPEST = 200
FEWEST_WORDS = 2
"""Words in which something that comes up says what it wants."""
_BARS = ("menu bar", "status bar", "editbar", "tool bar")
_SAYS = (Kind.TEXT, Kind.HEADING)
_Key: TypeAlias = tuple[str, str, Box | None]


def put_aside(desk: Desk, before: Sequence[Element]) -> Turns[bool]:
    """Close what has come up since; whether there was anything to close.

    It is only ever closed, never agreed to: nobody has read it.
    """
    known = {_key(e) for e in before}
    new = [
        e
        for e in part_meant(desk.elements, "")
        if _key(e) not in known and e.box is not None and not is_disabled(e)
    ]
    buttons = [e for e in new if kind_of(e) in (Kind.BUTTON, Kind.LINK, Kind.ICON)]
    leaving = [e for e in buttons if closes(e.name) and _came_up(desk, e, known, new)]
    if len(leaving) != 1 or leaving[0].box is None:
        return False
    at = leaving[0].box.center
    why = f"this came up and is in the way: {named(leaving[0])}"
    yield from desk.do(Click(at.x, at.y), why=why, commits=False)
    return True


def _came_up(desk: Desk, button: Element, known: set[_Key], new: Sequence[Element]) -> bool:
    """Whether it belongs to a dialog or a message that has come up, and is no tool of a window."""
    holders = _holders(desk, button)
    if any(kind_of(holder) is Kind.TOOLBAR or holder.role in _BARS for holder in holders):
        return False
    if any(kind_of(holder) is Kind.DIALOG or "modal" in holder.states for holder in holders):
        return True
    fresh = [holder for holder in holders if _key(holder) not in known]
    if fresh and fresh[-1].parent is None and kind_of(fresh[-1]) is Kind.WINDOW:
        return not any(role == fresh[-1].role and box == fresh[-1].box for role, _, box in known)
    texts = [e for e in new if kind_of(e) in _SAYS and len(e.name.split()) >= FEWEST_WORDS]
    if not holders:
        return True
    if any(holder.role == "document web" for holder in holders):
        # Pages seldom say what is a dialog: it says something, and can be closed.
        return bool(texts)
    inner = {holder.id for holder in fresh}
    return any(inner & {holder.id for holder in _holders(desk, text)} for text in texts)


def _key(element: Element) -> _Key:
    return element.role, element.name, element.box


def _holders(desk: Desk, element: Element) -> list[Element]:
    """What it is in, the innermost first."""
    above, chain = {e.id: e for e in desk.elements}, list[Element]()
    at = above.get(element.parent or "")
    while at is not None and len(chain) < DEEPEST:
        chain.append(at)
        at = above.get(at.parent or "")
    return chain
