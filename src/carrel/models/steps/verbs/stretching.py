"""Ranges: what has two ends, each given by a slider, a field or a drop-down of its own."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.enclosed import members_of
from carrel.models.steps.finding.sorts_of_value import is_date, words_of
from carrel.models.steps.language.dates import iso_date
from carrel.models.steps.program import PickDate, SetValue
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.calendars import find_calendar
from carrel.models.steps.verbs.dates import pick_date
from carrel.models.steps.verbs.filling import fill_slot
from carrel.models.steps.verbs.groups import group_called
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.slots import Slot, called, controls_of, slot_for

__all__ = ["set_ends"]

_ENDS = re.compile(r"(?P<low>\S.*?)\s+–\s+(?P<high>\S.*)")
_LOW = re.compile(
    r"\b(?:min(?:imum)?|from|start|lowest|low|begin\w*|since|after|open\w*)\b", re.IGNORECASE
)
_HIGH = re.compile(
    r"\b(?:max(?:imum)?|to|end|highest|high|until|till|before|clos\w*)\b", re.IGNORECASE
)
_RANGE = {"range", "period", "span", "interval", "window", "limit", "hour", "date", "time"}
NEAR = 140
"""Pixels below the words over a range in which its ends may be."""


def set_ends(desk: Desk, step: SetValue) -> Turns[str | None]:
    """Set what has one value, or both ends of a range."""
    if (yield from _set_both(desk, step)):
        return None
    return (yield from set_value(desk, step))


def _set_both(desk: Desk, step: SetValue) -> Turns[bool]:
    """Give both ends of a range their values; whether that is what is to be set.

    Raises:
        Missed: The two ends cannot be told.
    """
    ends = _ENDS.fullmatch(step.value.strip())
    if ends is None or step.what is None or step.relative:
        return False
    pair = _by_name(desk, step.what) or _by_place(desk, step.what) or _by_days(desk, *ends.groups())
    if pair is None:
        if (yield from _on_calendar(desk, *ends.groups())):
            return True
        alone = [e for e in controls_of(desk) if set(words_of(step.what)) <= _words(desk, e)]
        if len(alone) == 1:
            return False  # one field takes both
        raise Missed(f"no two controls for {step.what} can be told, from one end to the other")
    for number, value in enumerate((ends["low"], ends["high"])):
        now = _by_name(desk, step.what) or _by_place(desk, step.what) or pair
        yield from fill_slot(desk, Slot(now[number], value))
    return True


def _by_days(desk: Desk, low: str, high: str) -> tuple[Element, Element] | None:
    """The two that take the first and the last day of a stay, a trip, a holiday."""
    if not (is_date(low) and is_date(high)):
        return None
    first, last = slot_for(desk, "from", low), slot_for(desk, "to", high)
    if first is None or last is None or first.control.id == last.control.id:
        return None
    return first.control, last.control


def _on_calendar(desk: Desk, low: str, high: str) -> Turns[bool]:
    """Choose both days in the calendar that is open; whether there is one.

    Raises:
        Missed: It has no such day.
    """
    days = iso_date(low), iso_date(high)
    if None in days or find_calendar(desk) is None:
        return False
    for text, iso in zip((low, high), days, strict=True):
        yield from pick_date(desk, PickDate(text, iso or ""))
    return True


def _words(desk: Desk, control: Element) -> set[str]:
    return set(words_of(called(desk, control)))


def _by_name(desk: Desk, what: str) -> tuple[Element, Element] | None:
    """The two that are named as its ends: `Min price` and `Max price`."""
    noun = set(words_of(what)) - _RANGE
    about = [e for e in controls_of(desk) if not noun or noun & _words(desk, e)]
    return _pair(desk, about)


def _pair(desk: Desk, among: list[Element]) -> tuple[Element, Element] | None:
    low = [e for e in among if _LOW.search(called(desk, e)) and not _HIGH.search(called(desk, e))]
    high = [e for e in among if _HIGH.search(called(desk, e)) and not _LOW.search(called(desk, e))]
    return (low[0], high[0]) if len(low) == 1 == len(high) else None


def _by_place(desk: Desk, what: str) -> tuple[Element, Element] | None:
    """The only two under the words that name it, as they are read."""
    group = group_called(desk, what)
    if group is None or group.box is None:
        return None
    held = {e.id for e in members_of(desk, what)}
    inside = [e for e in controls_of(desk) if e.id in held] or [
        e for e in controls_of(desk) if e.box and -group.box.height <= e.box.y - group.box.y <= NEAR
    ]
    if (pair := _pair(desk, inside)) is not None:
        return pair
    if len(inside) != 2:
        return None
    first, second = sorted(inside, key=lambda e: (e.box.y // 20, e.box.x) if e.box else (0, 0))
    return first, second
