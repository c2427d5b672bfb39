"""Little panels for a time of day that come up at a field: an hour, a minute, AM or PM."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.endings import only_ends
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import typed
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, Kind, kind_of

__all__ = ["by_clock", "came_up", "check_time", "end_of_panel", "is_open", "says_time"]

NEAR = 120
"""Pixels between a field and the panel that belongs to it."""
HIGH = 420
"""Pixels that such a panel may be high."""
WIDE = 240
"""Pixels between two of its parts."""
OPENED = 4
"""How many things are new, at least, where a panel came up."""
_NAMED = {
    "hour": re.compile(r"(?:hours?|hrs?|hh?)\b|小时|时", re.IGNORECASE),
    "minute": re.compile(r"(?:minutes?|mins?|mm?)\b|分", re.IGNORECASE),
    "second": re.compile(r"(?:seconds?|secs?|ss?)\b|秒", re.IGNORECASE),
}
_HALF = re.compile(r"\W*(?:(?P<am>a\.?m\.?|上午)|p\.?m\.?|下午)\W*", re.IGNORECASE)
_TIME = re.compile(
    r"(?P<before>上午|下午)?\s*(?<!\d)(?P<hour>\d{1,2})\s*[:：.h时点]\s*(?P<minute>\d{2})"
    r"(?:\s*[:：.分]\s*(?P<second>\d{2}))?(?!\d)\s*(?P<after>[ap]\.?m\b)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Clock:
    """A panel.

    Attributes:
        parts: Where the hour, the minute and perhaps the second go.
        half: What says AM or PM.
        end: The button that ends it.
    """

    parts: dict[str, Element]
    half: Element | None
    end: Element | None


def by_clock(desk: Desk, field: Element, iso: str) -> Turns[bool]:
    """Set a time in the panel that a click on its field opens; False where none comes up.

    Raises:
        Missed: The field does not say that time afterwards.
    """
    assert field.box is not None
    before, at = desk.elements, field.box.center
    yield from desk.do(Click(at.x, at.y), why=f"see what {named(field)} offers", commits=False)
    clock = _clock(desk, field, before)
    if clock is None and "read only" in field.states:
        yield from desk.again(0.3, why="a panel for the time may come up")
        clock = _clock(desk, field, before)
    if clock is None:
        return False
    for name, part in clock.parts.items():
        yield from _fill(desk, part, _part(name, iso, twelve=clock.half is not None))
    if clock.half is not None:
        yield from _bring_half(desk, clock.half, iso)
    yield from _finish(desk, clock)
    yield from check_time(desk, field, iso)
    return True


def _clock(desk: Desk, field: Element, before: Sequence[Element]) -> _Clock | None:
    """What has come up at the field, or has taken the keyboard when it was clicked."""
    known = {(e.role, e.name, e.box) for e in before}
    near = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and field.box is not None and _is_at(e.box, field.box)
    ]
    fields = [e for e in near if kind_of(e) in FIELDS and not _is_same(e, field)]
    fields.sort(key=lambda e: e.box.x if e.box else 0)
    parts = _parts(fields, near)
    is_new = [(e.role, e.name, e.box) not in known for e in parts.values()]
    taken = any("focused" in e.states for e in parts.values())
    if not parts or not (all(is_new) or taken):
        return None
    line = parts["hour"].box
    assert line is not None
    beside = [e for e in near if e.box and e.box.y < line.bottom and line.y < e.box.bottom]
    # The text on a button is the button's.
    halves = [e for e in beside if _HALF.fullmatch(_said(e))]
    inner = {x.id for e in halves for x in Lineage(desk.elements).below(e)}
    halves = [e for e in halves if e.id not in inner]
    ends = [e for e in near if kind_of(e) is Kind.BUTTON and only_ends(e.name)]
    ends = [e for e in ends if (e.role, e.name, e.box) not in known]
    return _Clock(parts, halves[0] if len(halves) == 1 else None, ends[0] if ends else None)


def _parts(fields: Sequence[Element], near: Sequence[Element]) -> dict[str, Element]:
    """The parts by their names; else two numbers with a colon between them."""
    found: dict[str, Element] = {}
    for name, words in _NAMED.items():
        called = [e for e in fields if words.match(e.name.strip())]
        if len(called) == 1:
            found[name] = called[0]
    if {"hour", "minute"} <= set(found):
        return found
    colons = [e.box for e in near if written_on(e).strip() in (":", "：") and e.box]
    numbers = [e for e in fields if not e.name and re.fullmatch(r"\d{0,2}", _said(e))]
    if len(numbers) in (2, 3) and all(
        any(_is_between(box, one.box, two.box) for box in colons) for one, two in pairwise(numbers)
    ):
        return dict(zip(_NAMED, numbers, strict=False))
    return {}


def _is_between(box: Box, left: Box | None, right: Box | None) -> bool:
    if left is None or right is None:
        return False
    return left.center.x < box.center.x < right.center.x and left.y <= box.center.y < left.bottom


def _is_at(box: Box, field: Box, reach: int = NEAR) -> bool:
    """Whether a part of a panel is right under or over a field."""
    apart = max(box.y - field.bottom, field.y - box.bottom)
    return apart <= reach and field.x - WIDE <= box.center.x <= field.right + WIDE


def _is_same(element: Element, field: Element) -> bool:
    return (element.role, element.name, element.box) == (field.role, field.name, field.box)


def _said(element: Element) -> str:
    return (element.value or written_on(element)).strip()


def _fill(desk: Desk, part: Element, text: str) -> Turns[None]:
    now = same_as(desk.elements, part) or part
    assert now.box is not None
    at = now.box.center
    strokes: tuple[Action, ...] = (Click(at.x, at.y), Key(("ctrl", "a")), typed(text))
    yield from desk.do(*strokes, why=f"type into {named(part)}", last=True)


def _part(name: str, iso: str, *, twelve: bool) -> str:
    hour, minute, *rest = iso.split(":")
    if name == "hour":
        return f"{(int(hour) - 1) % 12 + 1:02}" if twelve else hour
    return minute if name == "minute" else (rest[0] if rest else "00")


def _bring_half(desk: Desk, half: Element, iso: str) -> Turns[None]:
    """Have it say AM or PM, by a click, or by a letter where it takes keys.

    Raises:
        Missed: It goes on saying the other.
    """
    wanted = "AM" if int(iso[:2]) < 12 else "PM"
    takes_keys = kind_of(half) in FIELDS or kind_of(half) is Kind.COMBO
    for _ in range(2):
        now = _half_now(desk, half)
        if now is None or now.box is None or _is_half(_said(now), wanted):
            return
        at = now.box.center
        keys: tuple[Action, ...] = (typed(wanted[0]),) if takes_keys else ()
        yield from desk.do(Click(at.x, at.y), *keys, why=f"from {_said(now)} to {wanted}")
    now = _half_now(desk, half)
    if now is not None and not _is_half(_said(now), wanted):
        raise Missed(f"{named(now)} does not turn to {wanted}")


def _half_now(desk: Desk, half: Element) -> Element | None:
    """What says AM or PM where it did; it may be called by what it says."""
    here = [e for e in desk.elements if e.box and half.box and half.box.contains(e.box.center)]
    return next((e for e in here if _HALF.fullmatch(_said(e))), None)


def _is_half(said: str, wanted: str) -> bool:
    found = _HALF.fullmatch(said)
    return found is not None and ("AM" if found["am"] else "PM") == wanted


def _finish(desk: Desk, clock: _Clock) -> Turns[None]:
    """Have the panel take what was typed, and go."""
    hour = same_as(desk.elements, clock.parts["hour"])
    if hour is None or hour.box is None:
        return
    if clock.end is not None and (end := same_as(desk.elements, clock.end)) and end.box:
        at = end.box.center
        yield from desk.do(Click(at.x, at.y), why=f"finish with {named(end)}", last=True)
        return
    last = list(clock.parts.values())[-1]
    now = same_as(desk.elements, last) or last
    if "focused" not in now.states and now.box is not None:
        at = now.box.center
        yield from desk.do(Click(at.x, at.y), why=f"back to {named(now)}", commits=False)
    yield from _leave(desk, now)


def _leave(desk: Desk, part: Element) -> Turns[None]:
    """Have a panel take what was typed into a field; Enter would finish a form that holds it."""
    held = any(e.role == "form" for e in Lineage(desk.elements).above(part))
    yield from desk.do(Key(("tab",) if held else ("enter",)), why="leave the panel", last=True)


def came_up(desk: Desk, field: Element, before: Sequence[Element]) -> tuple[Element, ...]:
    """What was opened at a field; nothing where that is too little for a panel."""
    new = _new_at(desk, field, before, NEAR)
    return tuple(new) if len(new) >= OPENED else ()


def is_open(desk: Desk, panel: Sequence[Element]) -> bool:
    """Whether most of a panel is still there."""
    now = {(e.role, e.name, e.box) for e in desk.elements}
    return 2 * sum((e.role, e.name, e.box) in now for e in panel) > len(panel)


def end_of_panel(desk: Desk, field: Element, before: Sequence[Element]) -> Element | None:
    """The one button, or text that is one, by which what was opened at a field is finished."""
    ends = [e for e in _new_at(desk, field, before, HIGH) if only_ends(written_on(e))]
    inner = {x.id for e in ends for x in Lineage(desk.elements).below(e)}
    outer = [e for e in ends if e.id not in inner]
    return outer[0] if len(outer) == 1 else None


def _new_at(desk: Desk, field: Element, before: Sequence[Element], reach: int) -> list[Element]:
    known = {(e.role, e.name, e.box) for e in before}
    new = [e for e in desk.elements if (e.role, e.name, e.box) not in known]
    return [e for e in new if e.box and field.box and _is_at(e.box, field.box, reach)]


def check_time(desk: Desk, field: Element, iso: str) -> Turns[None]:
    """See that the field says the time; its pixels may where its application does not.

    Raises:
        Missed: It says another, or nothing.
    """
    held = ""
    for pause in (0.2, 0.5, 0.0):
        now = same_as(desk.elements, field)
        held = "" if now is None else now.value or now.text
        if says_time(held, iso):
            return
        if pause:
            yield from desk.again(pause, why="what the field holds now")
    if not held and (yield from desk.closer()):
        shown = [e for e in desk.elements if e.box and field.box and _over(e.box, field.box)]
        if any(says_time(e.text or written_on(e), iso) for e in shown):
            return
    raise Missed(f"{named(field)} holds {held!r} after {iso} was put into its panel")


def _over(box: Box, field: Box) -> bool:
    return field.contains(box.center)


def says_time(text: str, iso: str) -> bool:
    """Whether a text says this time of day, in either way of counting the hours."""
    hour, minute, *rest = map(int, iso.split(":"))
    for found in _TIME.finditer(text):
        half = (found["before"] or found["after"] or "").casefold()
        said = int(found["hour"])
        if half:
            said = said % 12 + (12 if half[0] in "p下" else 0)
        same = (said, int(found["minute"])) == (hour, minute)
        if same and (not rest or not found["second"] or int(found["second"]) == rest[0]):
            return True
    return False
