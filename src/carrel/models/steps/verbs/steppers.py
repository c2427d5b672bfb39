"""The small plus and minus of a number field, of which no application tells."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.later import same_as
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.wishes import is_there, look_for, wished
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["step_number"]

_STEPPER = re.compile(
    r"(?:the )?(?:(?P<up>\+|plus|up|increment|increase)|"
    r"(?P<down>[-−–]|minus|down|decrement|decrease))"
    r"(?: sign)?(?: (?:button|arrow|icon))?(?: sign)? (?:of|on|in|at|beside|next to) "
    r"(?P<field>(?:the |its )?.*\b(?:spin(?:ner)?(?: button| box)?|stepper|field|box|input))",
    re.IGNORECASE,
)
_ARROW = re.compile(
    r"(?:the )?(?:small |little )?(?:(?P<up>up(?:ward)?)|(?P<down>down(?:ward)?))[- ]arrow"
    r"(?: (?:button|icon))?|向?(?:(?P<up_zh>上)|(?P<down_zh>下))的?箭头(?:按钮|图标)?",
    re.IGNORECASE,
)
"""The arrow of a number field that the step before was about, or that is the only one."""
LOOKS = (0.0, 0.2, 0.5)
"""Seconds between looks at what the field holds."""


def step_number(desk: Desk, phrase: str, times: int) -> Turns[bool]:
    """Turn a number field up or down so often, by its keys; whether that is what was meant.

    Raises:
        Missed: The field holds what it held before.
    """
    meant = yield from _meant(desk, phrase)
    if meant is None or kind_of(meant[0]) is not Kind.SPINNER or meant[0].box is None:
        return False
    field, up = meant
    at = meant[0].box
    desk.worked = at
    keys = Key(("up" if up else "down",), repeat=max(1, times))
    into = Click(at.x + at.height // 2, at.center.y)
    yield from desk.do(into, keys, why="by its keys: of such buttons nothing is told", last=True)
    for pause in LOOKS:
        if pause:
            yield from desk.again(pause, why="what it stands at")
        now = same_as(desk.elements, field)
        if now is not None and now.value != field.value:
            return True
    raise Missed(f"{field.name or 'the number field'} still holds {field.value!r}")


def _meant(desk: Desk, phrase: str) -> Turns[tuple[Element, bool] | None]:
    """The number field whose small button is named, and whether that is the one that adds."""
    arrow = _ARROW.fullmatch(phrase.strip())
    found = _STEPPER.fullmatch(phrase.strip())
    if (arrow or found) is None or is_there(look_for(desk, wished(phrase))):
        return None
    if arrow is not None:
        used = _just_used(desk) or _only_in_use(desk)
        return None if used is None else (used, bool(arrow["up"] or arrow["up_zh"]))
    assert found is not None
    field = _only_in_use(desk) if re.search(r"spin|step", found["field"]) else None
    field = field or (yield from ground(desk, found["field"], (Kind.SPINNER,))).element
    return field, bool(found["up"])


def _just_used(desk: Desk) -> Element | None:
    """The number field that the step before worked on."""
    here = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    return next((e for e in here if kind_of(e) is Kind.SPINNER and not is_disabled(e)), None)


def _only_in_use(desk: Desk) -> Element | None:
    """The one number field that can be used."""
    fields = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.SPINNER and e.box]
    usable = [e for e in fields if not is_disabled(e)]
    return usable[0] if len(usable) == 1 else None
