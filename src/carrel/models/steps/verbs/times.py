"""Times of day, in fields of parts, or as plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import PickTime
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.reading import field_value
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.clocks import by_clock, came_up, end_of_panel, is_open, says_time
from carrel.models.steps.verbs.dates import editor_around, parts_of, said_by, tells_nothing
from carrel.models.steps.verbs.entering import only_field, put
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.span_ends import end_called
from carrel.models.steps.verbs.time_lists import by_lists
from carrel.models.steps.verbs.time_slots import has_slot, take_slot
from carrel.perception.roles import Kind

__all__ = ["pick_time"]


def pick_time(desk: Desk, step: PickTime) -> Turns[str | None]:
    """Set a time."""
    if re.fullmatch(r"\d\d:\d\d(?::\d\d)?", step.iso) is None:
        raise Missed(f"{step.text!r} is not a time of day")
    try:
        field = yield from _field(desk, step)
    except Missed:
        if not (yield from take_slot(desk, step.iso)):
            raise
        return None
    desk.worked = field.box
    parts = parts_of(field, desk.elements)
    if not parts:
        before = desk.elements
        if field.box is not None and (yield from by_clock(desk, field, step.iso)):
            return None
        if (yield from by_lists(desk, field, step.iso, before)):
            return None
        return (yield from _as_text(desk, field, step, before))
    clock = any(re.match(r"am|pm", part.name.casefold()) for part in parts)
    typed = "".join(_part(part.name, step.iso, twelve=clock) for part in parts)
    first = parts[0].box
    assert first is not None
    strokes: tuple[Action, ...] = (Click(first.center.x, first.center.y), Type(typed))
    yield from desk.do(*strokes, why=f"type the parts of {named(field)}", last=True)
    yield from _check(desk, field, step.iso, clock)
    return None


def _as_text(
    desk: Desk, field: Element, step: PickTime, before: Sequence[Element]
) -> Turns[str | None]:
    """Type it; where a panel came up, that takes a text only when the field is left, or drops it.

    Raises:
        Missed: The field says another time then.
    """
    panel = came_up(desk, field, before)
    if not panel:
        return (yield from put(desk, field, step.text, why="as text"))
    full = step.iso if step.iso.count(":") == 2 else f"{step.iso}:00"
    held = ""
    for text in dict.fromkeys((step.text, full)):
        yield from put(desk, field, text, why="as text")
        yield from desk.do(Key(("tab",)), why="leave the field", last=True)
        yield from desk.again(0.4, why="whether its panel goes")
        end = end_of_panel(desk, field, before) if is_open(desk, panel) else None
        if end is not None and end.box is not None:
            at = end.box.center
            yield from desk.do(Click(at.x, at.y), why=f"finish with {named(end)}", last=True)
            yield from desk.again(0.3, why="what the field keeps")
        now = same_as(desk.elements, field)
        held = "" if now is None else field_value(now)
        if now is None or now.value is None or says_time(held, step.iso):
            if is_open(desk, panel):
                desk.doubt(f"what {named(field)} opened is still there, and may change it yet")
            return None
    raise Missed(f"{named(field)} holds {held!r} after {step.text!r} was typed")


def _field(desk: Desk, step: PickTime) -> Turns[Element]:
    if step.into is not None:
        into = end_called(desk, step.into)
        match = yield from ground(desk, into, (Kind.FIELD,), want="type")
        return editor_around(desk, match.element)
    editors = [
        e
        for e in part_meant(desk.elements, "")
        if e.role == "date editor" and any(_is_hour(p) for p in parts_of(e, desk.elements))
    ]
    if len(editors) != 1 and has_slot(desk, step.iso):
        raise Missed(f"{step.text!r} is offered by itself")
    return editors[0] if len(editors) == 1 else only_field(desk)


def _is_hour(part: Element) -> bool:
    return part.name.casefold().startswith("hour")


def _part(name: str, iso: str, *, twelve: bool) -> str:
    hour, minute, *rest = iso.split(":")
    word = name.casefold()
    if word.startswith("hour"):
        return f"{(int(hour) - 1) % 12 + 1:02}" if twelve else hour
    if word.startswith("minute"):
        return minute
    if word.startswith("second"):
        return rest[0] if rest else "00"
    return "PM" if int(hour) >= 12 else "AM"


def _check(desk: Desk, field: Element, iso: str, twelve: bool) -> Turns[None]:
    wrong = ""
    for pause in (0.1, 0.3, 0.0):
        now = same_as(desk.elements, field) or field
        wrong = ""
        parts = [(p, said_by(p, desk.elements)) for p in parts_of(now, desk.elements)]
        for part, said in parts:
            wanted = _part(part.name, iso, twelve=twelve)
            if said and wanted.isdigit() and int(said) != int(wanted):
                wrong = f"{part.name} is {said}"
        if not wrong:
            if not any(said for _, said in parts):
                yield from tells_nothing(desk, field)
            return
        if pause:
            yield from desk.again(pause, why="what the parts hold")
    raise Missed(f"{named(field)}: {wrong} after {iso} was typed")
