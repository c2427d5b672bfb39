"""What comes up in the middle of something and is in its way: closed first, then one goes on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["put_aside"]

_LEAVE = re.compile(
    r"(?:cancel|close|dismiss|no(?:,? thanks?| thank you)?|not now|later|maybe later|skip|stay|"
    r"remind me later|don['’]?t allow|reject|×|✕|x|取消|关闭|不|稍后)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"(?:ok|okay|got it|i see|continue|确定|知道了)", re.IGNORECASE)


def put_aside(desk: Desk, before: Sequence[Element]) -> Turns[bool]:
    """Close what has come up since; whether there was anything to close.

    It is left by the way that changes least; agreed to only where nothing else is offered.
    """
    known = {(e.role, e.name, e.box) for e in before}
    new = [
        e
        for e in part_meant(desk.elements, "")
        if (e.role, e.name, e.box) not in known and e.box is not None and not is_disabled(e)
    ]
    buttons = [e for e in new if kind_of(e) in (Kind.BUTTON, Kind.LINK, Kind.ICON)]
    leaving = [e for e in buttons if _LEAVE.fullmatch(e.name.strip())]
    if not leaving and len(buttons) == 1 and _ONLY.fullmatch(buttons[0].name.strip()):
        leaving = buttons
    if len(leaving) != 1 or leaving[0].box is None:
        return False
    at = leaving[0].box.center
    why = f"this came up and is in the way: {named(leaving[0])}"
    yield from desk.do(Click(at.x, at.y), why=why, commits=False)
    return True
