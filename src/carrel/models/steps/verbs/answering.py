"""Answering a dialog: it is seen to go, or it did not take the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from carrel.actions import Action
from carrel.errors import Unavailable
from carrel.frames import Element
from carrel.models.steps.desk import UNCHANGED, Desk, children_of
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, is_field, kind_of

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["dialog_answered", "held_in", "see_it_go"]

DEEPEST = 200
LOOKS = (0.2, 0.5)
"""Seconds in which a dialog that was answered goes."""
GONE = 0.5
"""The share of a dialog's pixels that are others when it is gone."""
MOST_FIELDS = 1
"""A dialog with more of them is a form: what is wrong with it may keep it open."""
_ANSWER = re.compile(
    r"ok(?:ay)?|close|cancel|dismiss|yes|no|got it|确定|确认|好的?|取消|关闭|是|否", re.IGNORECASE
)


def dialog_answered(desk: Desk, button: Element) -> Element | None:
    """The dialog that a press of this button ends, and does nothing else."""
    if _ANSWER.fullmatch(button.name.strip()) is None:
        return None
    above = {e.id: e for e in desk.elements}
    at = above.get(button.parent or "")
    for _ in range(DEEPEST):
        if at is None or at.role == "document web":
            # A page draws what looks like a dialog as it likes.
            return None
        if kind_of(at) is Kind.DIALOG:
            fields = [e for e in children_of(desk.elements, at) if is_field(e)]
            return at if len(fields) <= MOST_FIELDS else None
        at = above.get(at.parent or "")
    return None


def see_it_go(
    desk: Desk, dialog: Element, shown: frozenset[str], press: Action, before: View | None
) -> Turns[None]:
    """Look whether a dialog goes that was answered; one that stays as it was is answered again.

    Programs take no answer in the moment in which a dialog comes up, lest it be given unread.

    Raises:
        Missed: It is still there.
    """
    if (yield from _goes(desk, dialog, shown)) or not _is_drawn(desk, dialog, before):
        return
    yield from desk.do(press, why="the dialog did not take it: once more", last=True)
    if not (yield from _goes(desk, dialog, shown)):
        raise Missed(f"the dialog “{dialog.name or dialog.role}” is still there, answered twice")
    if UNCHANGED in desk.doubts:
        desk.doubts.remove(UNCHANGED)


def _is_drawn(desk: Desk, dialog: Element, before: View | None) -> bool:
    """Whether the pixels have the dialog, too: what is told may lag behind."""
    now, box = desk.seen.view, dialog.box
    if now is None or before is None or box is None:
        return True
    try:
        changes = now.changed_since(before) or ()
    except Unavailable:
        return True
    inner = [shared.area for change in changes if (shared := change.intersect(box))]
    return sum(inner) < GONE * box.area


def _goes(desk: Desk, dialog: Element, shown: frozenset[str]) -> Turns[bool]:
    for pause in LOOKS:
        if not _is_as_it_was(desk, dialog, shown):
            return True
        yield from desk.again(pause, why="the dialog may take a moment to go")
    return not _is_as_it_was(desk, dialog, shown)


def _is_as_it_was(desk: Desk, dialog: Element, shown: frozenset[str]) -> bool:
    same = [e for e in desk.elements if (e.role, e.name, e.box) == _key(dialog)]
    return any(held_in(desk, one) == shown for one in same)


def _key(dialog: Element) -> tuple[object, ...]:
    return dialog.role, dialog.name, dialog.box


def held_in(desk: Desk, dialog: Element) -> frozenset[str]:
    """What a dialog says and holds."""
    return frozenset(f"{e.role} {e.name} {e.value}" for e in children_of(desk.elements, dialog))
