"""Times of day, in fields of parts, or as plain text."""

from __future__ import annotations

import re

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import ground
from carrel.models.steps.later import same_as
from carrel.models.steps.program import PickTime
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dates import parts_of, said_by, tells_nothing
from carrel.models.steps.verbs.entering import only_field, put
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind

__all__ = ["pick_time"]


def pick_time(desk: Desk, step: PickTime) -> Turns[str | None]:
    """Set a time."""
    if re.fullmatch(r"\d\d:\d\d(?::\d\d)?", step.iso) is None:
        raise Missed(f"{step.text!r} is not a time of day")
    field = yield from _field(desk, step)
    desk.worked = field.box
    parts = parts_of(field, desk.elements)
    if not parts:
        return (yield from put(desk, field, step.text, why="as text"))
    clock = any(re.match(r"am|pm", part.name.casefold()) for part in parts)
    typed = "".join(_part(part.name, step.iso, twelve=clock) for part in parts)
    first = parts[0].box
    assert first is not None
    strokes: tuple[Action, ...] = (Click(first.center.x, first.center.y), Type(typed))
    yield from desk.do(*strokes, why=f"type the parts of {named(field)}", last=True)
    yield from _check(desk, field, step.iso, clock)
    return None


def _field(desk: Desk, step: PickTime) -> Turns[Element]:
    if step.into is not None:
        return (yield from ground(desk, step.into, (Kind.FIELD,), want="type")).element
    editors = [
        e
        for e in part_meant(desk.elements, "")
        if e.role == "date editor" and any(_is_hour(p) for p in parts_of(e, desk.elements))
    ]
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
