"""Dates: in fields of three parts, in calendars that come up, in drop-downs, or as plain text."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import PickDate
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.calendars import (
    calendar_came,
    come_to_calendar,
    find_calendar,
    months_in,
)
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.fields import focused_field
from carrel.models.steps.verbs.month_walks import walk_calendar
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.span_ends import end_called
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = [
    "day_meant",
    "editor_around",
    "parts_of",
    "pick_date",
    "pick_day",
    "said_by",
    "tells_nothing",
    "written",
]

_PARTS = {"month": "{:%m}", "day": "{:%d}", "year": "{:%Y}"}
_FORMAT = re.compile(
    r"\b(?:y{2,4}|m{1,2}|d{1,2})([-/. ])(?:m{1,2}|d{1,2})\1(?:y{2,4}|d{1,2})\b", re.IGNORECASE
)
_FIGURES = re.compile(r"(?<!\d)(\d{1,4})\s*[-/.年 ]\s*(\d{1,2})\s*[-/.月 ]\s*(\d{1,4})(?!\d)")
"""A day in figures: three numbers in any order."""
_CALENDAR = re.compile(
    r"(?:the |this |that )?(?:open(?:ed)? )?(?:calendar|date ?picker|month view)(?: below| here)?"
    r"|(?:打开的|弹出的)?(?:日历|日期选择器|日期控件|日历控件)",
    re.IGNORECASE,
)
"""Words for whatever calendar is open."""
_ANY_DATE = re.compile(
    r"(?:the |a )?(?:date|day)|(?:选择|预约|预订|预定|会议|活动)?(?:日期|日子)", re.IGNORECASE
)
"""Words for a day that may as well be chosen in a calendar without a name."""
_DAY = re.compile(
    r"(?:the\s+)?(?:day\s+|date\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th|日|号)?(?:\s+day)?"
    r"(?:\s+of\s+(?:the|this)\s+month)?",
    re.IGNORECASE,
)


def pick_date(desk: Desk, step: PickDate) -> Turns[str | None]:
    """Choose a date, in whatever there is for it."""
    try:
        date = datetime.date.fromisoformat(step.iso)
    except ValueError:
        raise Missed(f"{step.text!r} is not a day of the calendar") from None
    for pause in (0.3, 0.6) if step.into is None else ():
        if not any(kind_of(e) is Kind.FIELD for e in part_meant(desk.elements, "")):
            yield from desk.again(pause, why="nothing takes a date yet")
    if step.into is not None and _CALENDAR.fullmatch(step.into.strip()):
        there = yield from come_to_calendar(desk)
        if not there:
            yield from desk.again(0.5, why="a calendar may come up")
            there = find_calendar(desk) is not None
        if not there and not is_there(look_for(desk, wished(step.into))):
            # It comes up from the one field that takes a date.
            step = replace(step, into=None)
    else:
        there = _goes_anywhere(desk, step.into) and find_calendar(desk) is not None
    if there:
        field = focused_field(desk)
        if field is not None and field not in part_meant(desk.elements, ""):
            field = None
        field = field if field is not None and _may_hold_day(desk, field) else None
        yield from walk_calendar(desk, date)
        if field is not None:
            yield from _check_picked(desk, field, date)
        return None
    element = yield from _field(desk, step)
    desk.worked = element.box
    parts = parts_of(element, desk.elements)
    if parts:
        yield from _type_parts(desk, element, parts, date)
        return None
    return (yield from _by_calendar_or_text(desk, element, date, step.text))


def _goes_anywhere(desk: Desk, into: str | None) -> bool:
    """Whether it is not said where the day goes, or only that it is one and no field is called so.

    With a field that is about days, a calendar beside it may be for something else.
    """
    if into is None:
        return True
    if not _ANY_DATE.fullmatch(into.strip()):
        return False
    if is_there(look_for(desk, wished(into, (Kind.FIELD,)), want="type")):
        return False
    fields = [e for e in part_meant(desk.elements, "") if e.box and is_field(e)]
    return not any(e.role == "date editor" or _is_about_dates(desk, e) for e in fields)


def day_meant(option: str, source: str | None) -> int | None:
    """The day of the month that is shown: `the 20th` of `the calendar`; None for other things."""
    found = _DAY.fullmatch(option.strip())
    if found is None or source is None or _CALENDAR.fullmatch(source.strip()) is None:
        return None
    return int(found["day"]) if 1 <= int(found["day"]) <= 31 else None


def pick_day(desk: Desk, day: int) -> Turns[None]:
    """Choose a day of the month that the calendar shows.

    Raises:
        Missed: There is no calendar, or its month has no such day.
    """
    there = yield from come_to_calendar(desk)
    for pause in (0.5, 1.0):
        if not there:
            yield from desk.again(pause, why="a calendar may come up")
            there = yield from come_to_calendar(desk)
    calendar = find_calendar(desk)
    if calendar is None:
        raise Missed("there is no calendar to be seen, or which month it shows cannot be told")
    try:
        date = calendar.month.replace(day=day)
    except ValueError:
        raise Missed(f"the calendar shows {calendar.month:%B %Y}, which has no {day}") from None
    yield from walk_calendar(desk, date)


def editor_around(desk: Desk, part: Element) -> Element:
    """The field of several parts that one of them is in; the element itself where there is none."""
    editors = [e for e in desk.elements if e.role == "date editor" and within(part.box, e.box)]
    return editors[-1] if editors else part


def _field(desk: Desk, step: PickDate) -> Turns[Element]:
    """Where the date goes; the one field that is about dates when it is not said."""
    if step.into is not None:
        into = end_called(desk, step.into)
        match = yield from ground(desk, into, (Kind.FIELD,), want="type")
        return editor_around(desk, match.element)
    fields = [e for e in part_meant(desk.elements, "") if e.box and kind_of(e) is Kind.FIELD]
    about = [e for e in fields if e.role == "date editor" or _is_about_dates(desk, e)]
    # Fields for a time are of the same make.
    about = [e for e in about if _is_about_dates(desk, e)] or about
    chosen = about or fields
    if len(chosen) == 1:
        return chosen[0]
    listed = ", ".join(map(named, chosen)) or "none"
    raise Missed(f"it is not said where the date {step.text!r} goes; fields: {listed}")


def _is_about_dates(desk: Desk, element: Element) -> bool:
    """Whether it is called so, by itself or by its label."""
    label = label_of(element, desk.elements)
    said = f"{element.name} {written_on(label) if label is not None else ''}"
    return bool(re.search(r"date|day|日期|birth|when|\bmm\b", said, re.IGNORECASE))


def _may_hold_day(desk: Desk, field: Element) -> bool:
    """Whether the calendar may be that of a field, and does not just stand on the same form."""
    held = (field.value or "").strip()
    if kind_of(field) is not Kind.FIELD:
        return False
    return not held or _is_about_dates(desk, field) or bool(_FIGURES.search(held))


def parts_of(element: Element, elements: Sequence[Element]) -> list[Element]:
    """The parts for month, day and year, from left to right."""
    if element.role != "date editor":
        return []
    inner = [e for e in children_of(elements, element) if e.role == "spin button" and e.box]
    return sorted(inner, key=lambda e: e.box.x if e.box else 0)


def _type_parts(
    desk: Desk, element: Element, parts: Sequence[Element], date: datetime.date
) -> Turns[None]:
    first = parts[0].box
    assert first is not None
    typed = "".join(_part_text(part.name, date) for part in parts)
    strokes: tuple[Action, ...] = (Click(first.center.x, first.center.y), Type(typed))
    yield from desk.do(*strokes, why=f"type the parts of {named(element)}", last=True)
    yield from _check_parts(desk, element, date)


def _part_text(name: str, date: datetime.date) -> str:
    word = next(
        (word for word in _PARTS if re.match(rf"{word}\b", name.strip(), re.IGNORECASE)), None
    )
    return _PARTS[word].format(date) if word else ""


def _check_parts(desk: Desk, element: Element, date: datetime.date) -> Turns[None]:
    """See that every part that says something says the right thing."""
    wrong = ""
    for pause in (0.1, 0.3, 0.0):
        now = same_as(desk.elements, element) or element
        parts = [(p, said_by(p, desk.elements)) for p in parts_of(now, desk.elements)]
        wrong = ""
        for part, said in parts:
            if said and int(said) != int(_part_text(part.name, date) or said):
                wrong = f"{part.name} is {said}"
        if not wrong:
            if not any(said for _, said in parts):
                yield from tells_nothing(desk, element)
            return
        if pause:
            yield from desk.again(pause, why="what the parts hold")
    raise Missed(f"{named(element)}: {wrong} after {date} was typed")


def tells_nothing(desk: Desk, element: Element) -> Turns[None]:
    """Where no part says what it holds, something must have changed at least."""
    if not (yield from desk.effect()):
        desk.doubts.clear()
        raise Missed(f"nothing changed when the parts of {named(element)} were typed")


def said_by(part: Element, elements: Sequence[Element]) -> str:
    """The number a part holds; empty where it says none."""
    texts = [part.value or "", *(e.name or e.value or "" for e in children_of(elements, part))]
    return next((text for text in texts if text.isdigit()), "")


def _by_calendar_or_text(
    desk: Desk, element: Element, date: datetime.date, text: str
) -> Turns[str | None]:
    assert element.box is not None
    at = element.box.center
    yield from desk.do(Click(at.x, at.y), why=f"see what {named(element)} offers", commits=False)
    if not (yield from calendar_came(desk)):
        yield from desk.again(0.3, why="a calendar may come up")
    if (yield from calendar_came(desk)):
        yield from walk_calendar(desk, date)
        yield from _check_picked(desk, element, date)
        return None
    button = _picker(desk, element.box)
    if button is not None and button.box is not None and not is_field(element):
        here = button.box.center
        yield from desk.do(Click(here.x, here.y), why="open its calendar", commits=False)
        if (yield from calendar_came(desk)):
            yield from walk_calendar(desk, date)
            yield from _check_picked(desk, element, date)
            return None
        yield from desk.do(Key(("escape",)), why="that is no calendar", commits=False)
    return (yield from put(desk, element, written(date, _hint(element), text), why="as text"))


def _check_picked(desk: Desk, element: Element, date: datetime.date) -> Turns[None]:
    """See that the field says the day that was clicked in its calendar, where it says any."""
    held = ""
    for pause in (0.2, 0.5, 0.0):
        now = same_as(desk.elements, element)
        held = now.value or "" if now is not None else ""
        if now is None or _is_told(held, date):
            return
        if pause:
            yield from desk.again(pause, why="what the field holds now")
    if held:
        raise Missed(f"{named(element)} holds {held!r} after {date} was picked")
    desk.doubt(f"{named(element)} does not say that {date} was picked")


def _is_told(held: str, date: datetime.date) -> bool:
    """Whether a text says a day, be it among others, and no other month or year for it."""
    day, month, years = date.day, date.month, (date.year, date.year % 100)
    if triples := [tuple(map(int, found)) for found in _FIGURES.findall(held)]:
        orders = {o for y in years for o in ((y, month, day), (day, month, y), (month, day, y))}
        return not orders.isdisjoint(triples)
    numbers, said = set(map(int, re.findall(r"\d+", held))), months_in(held)
    told_year = [number for number in numbers if 1900 <= number < 2200]
    other = (told_year and date.year not in told_year) or (said and month not in said)
    return day in numbers and not other


def _picker(desk: Desk, box: Box) -> Element | None:
    """A button next to the field that may open a calendar."""
    near = Box(box.x, box.y, box.width + 48, box.height)
    buttons = [
        e
        for e in desk.elements
        if kind_of(e) in (Kind.BUTTON, Kind.ICON, Kind.IMAGE) and within(e.box, near)
    ]
    return buttons[0] if buttons else None


def _hint(element: Element) -> str:
    found = _FORMAT.search(f"{element.name} {element.value or ''} {element.text}")
    return found[0] if found else ""


def written(date: datetime.date, hint: str, text: str) -> str:
    """A date as a field asks for it: by its hint, else as the person wrote it."""
    if not hint:
        # A day that is told by how far it is from today is written in figures.
        return date.isoformat() if re.search(r"['’]s\s+date$|\bmonth$", text) else text
    out = re.sub(r"y{3,4}", f"{date:%Y}", hint, flags=re.IGNORECASE)
    out = re.sub(r"y{2}", f"{date:%y}", out, flags=re.IGNORECASE)
    out = re.sub(r"m{2}", f"{date:%m}", out, flags=re.IGNORECASE)
    out = re.sub(r"d{2}", f"{date:%d}", out, flags=re.IGNORECASE)
    out = re.sub(r"\bm\b", str(date.month), out, flags=re.IGNORECASE)
    return re.sub(r"\bd\b", str(date.day), out, flags=re.IGNORECASE)
