"""Calendars on the screen: read their month, go to another, and click a day."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.boxes import around
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.panes import bring_into_view, off_screen
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.month_arrows import framing_arrow, silent_arrow
from carrel.models.steps.verbs.month_parts import has_parts, set_parts
from carrel.models.steps.verbs.pointing import named
from carrel.perception.numbers import han_number
from carrel.perception.roles import Kind, kind_of

__all__ = ["Calendar", "come_to_calendar", "find_calendar", "walk_calendar"]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_SHORT = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
_MONTH = re.compile(
    r"\b(" + "|".join(_SHORT) + r")[a-z]*\b|(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)((?:19|20|21)\d\d)(?!\d)")
_BACK = re.compile(
    r"^(?:prev(?:ious)?|back|earlier|‹|«|<|<<|◀|←|上.?月|(?:.*\b)?prev(?:ious)?\b.*)$",
    re.IGNORECASE,
)
_ON = re.compile(r"^(?:next|forward|later|›|»|>|>>|▶|→|下.?月|(?:.*\b)?next\b.*)$", re.IGNORECASE)
_BACK_YEARS = re.compile(
    r"^(?:.*\b(?:prev(?:ious)?|earlier|last) year\b.*|year (?:back|down)|[上前去]一?年)$",
    re.IGNORECASE,
)
_ON_YEARS = re.compile(
    r"^(?:.*\b(?:next|later) year\b.*|year (?:on|up|forward)|[下后明]一?年)$", re.IGNORECASE
)
_OF_YEARS = re.compile(r"\byears?\b|\bdecades?\b|年", re.IGNORECASE)
_DOUBLE = {"«", "»", "<<", ">>"}
"""Arrows that go on by years, where there are single ones beside them."""
ROUNDS = 40
LOOKS = 5
FEWEST = 25
"""Days that a table has if it is a month; the first may be told otherwise."""
MARGIN = 48
"""Pixels beside the days in which arrows may be."""
LEVEL = 40
"""Pixels: tables that are further apart than that are no months side by side."""
BESIDE = 160
"""Pixels from one day to the next."""
WIDE, HIGH = 600, 500
"""Pixels from the last days of a month to what is written over it, across and along."""
LONG = 40
"""Letters that what tells of a month has at most."""
NEAR = 3
"""Months that are gone to by arrows also where there are drop-downs."""
MOST = 24
"""Clicks on an arrow at once."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A month on the screen.

    Attributes:
        month: The first day of it.
        days: The elements that say a number, by that number; other months' days too.
        back: Goes to the month before.
        on: Goes to the month after.
        near: What stands around the days: the heading, arrows, drop-downs.
    """

    month: datetime.date
    days: dict[int, list[Element]]
    box: Box
    back: Element | None
    on: Element | None
    near: tuple[Element, ...] = ()

    def arrow(self, *, on: bool, years: bool = False) -> Element | None:
        """What goes to the month or the year after, or before."""
        if years:
            found = _year_arrow(self.near, on=on)
            return found or framing_arrow(self.near, _YEAR, on=on)
        return (self.on if on else self.back) or framing_arrow(self.near, _MONTH, on=on)


def find_calendar(desk: Desk) -> Calendar | None:
    """The calendar on the screen, if there is one; of several months side by side the first."""
    elements = [e for e in part_meant(desk.elements, "") if e.box is not None]
    days = _nearest(desk, elements, _days(elements))
    if len(days) < 28:
        return None
    box = around([e.box for group in days.values() for e in group if e.box is not None])
    left, top = max(0, box.x - MARGIN), max(0, box.y - 110)
    head = Box(left, top, box.right + MARGIN - left, box.bottom + 30 - top)
    near = [e for e in elements if within(e.box, head)]
    first = _first_of_several(near, days)
    month, days = first or (_month(near), days)
    if month is None:
        return None
    back, on = _arrow(near, _BACK), _arrow(near, _ON)
    if back is None and on is None:
        back, on = (silent_arrow(near, _MONTH, on=way) for way in (False, True))
    return Calendar(month, days, box, back, on, tuple(near))


def _nearest(
    desk: Desk, elements: Sequence[Element], days: dict[int, list[Element]]
) -> dict[int, list[Element]]:
    """Of calendars one above the other only the days of that which is nearest to the work."""
    every = [e for group in days.values() for e in group]
    tables = {e.box for e in elements if e.role == "table" and e.box is not None}
    months = [box for box in tables if sum(within(day.box, box) for day in every) >= FEWEST]
    worked, tops = desk.worked, [box.y for box in months]
    if worked is None or not tops or max(tops) - min(tops) < LEVEL:
        return days
    best = min(months, key=lambda box: abs(box.y - worked.bottom) + abs(box.x - worked.x))
    beside = [box for box in months if abs(box.y - best.y) < LEVEL]
    kept = {n: [e for e in g if any(within(e.box, b) for b in beside)] for n, g in days.items()}
    return {number: group for number, group in kept.items() if group}


def come_to_calendar(desk: Desk) -> Turns[bool]:
    """Have the calendar of a page in sight, where it is further down; whether there is one."""
    if find_calendar(desk) is not None:
        return True
    yield from desk.again(0, why="a calendar may be out of sight", hidden=True)
    listed = [e for e in part_meant(desk.unseen, "") if e.box is not None]
    days = _days(listed)
    if len(days) < 28 and any(e.role == "calendar" for e in desk.elements):
        # Some draw their days, and tell of none.
        yield from desk.closer()
        return find_calendar(desk) is not None
    last = next((e for e in days.get(28, ()) if _has_next(e, days, 28)), None)
    if last is None or last.box is None or len(days) < 28:
        return False
    if last in off_screen(desk):
        yield from bring_into_view(desk, last)
    if find_calendar(desk) is None and (head := _head_over(last.box, listed)) is not None:
        yield from bring_into_view(desk, head)
    return find_calendar(desk) is not None


def _head_over(last: Box, listed: Sequence[Element]) -> Element | None:
    """What tells the month over its last days."""
    over = Box(max(0, last.x - WIDE), last.y - HIGH, 2 * WIDE, HIGH)
    told = [e for e in listed if within(e.box, over) and _MONTH.search(e.name or e.text)]
    told = [e for e in told if len(e.name or e.text) <= LONG]
    return max(told, key=lambda e: e.box.y if e.box else 0, default=None)


def _has_next(day: Element, days: dict[int, list[Element]], number: int) -> bool:
    """Whether the day before or after it stands beside it, as in a month."""
    box = day.box
    beside = [*days.get(number - 1, ()), *days.get(number + 1, ())]
    return box is not None and any(
        e.box is not None and abs(e.box.y - box.y) < 4 and abs(e.box.x - box.x) < BESIDE
        for e in beside
    )


def _first_of_several(
    near: Sequence[Element], days: dict[int, list[Element]]
) -> tuple[datetime.date, dict[int, list[Element]]] | None:
    """The first of months side by side, a table each; any of them tells which it is."""
    every = [e for group in days.values() for e in group]
    tables = {e.box for e in near if e.role == "table" and e.box is not None}
    months = [box for box in tables if sum(within(day.box, box) for day in every) >= FEWEST]
    months.sort(key=lambda box: box.x)
    for number, box in enumerate(months if len(months) > 1 else ()):
        told = _month([e for e in near if e.box and box.x <= e.box.center.x < box.right])
        if told is not None:
            kept = {n: [e for e in group if within(e.box, months[0])] for n, group in days.items()}
            back = told.year * 12 + told.month - 1 - number
            first = datetime.date(back // 12, back % 12 + 1, 1)
            return first, {n: group for n, group in kept.items() if group}
    return None


def _days(elements: Sequence[Element]) -> dict[int, list[Element]]:
    """Numbers 1 to 31, the innermost element for each place."""
    days: dict[int, list[Element]] = {}
    for element in elements:
        text = (element.name or element.text).strip()
        number = re.fullmatch(r"(?:[A-Za-z]+,? )?(\d{1,2})日?", text)
        if number is None or not 1 <= int(number[1]) <= 31 or element.box is None:
            continue
        group = days.setdefault(int(number[1]), [])
        twin = next((e for e in group if e.box and within(element.box, e.box)), None)
        if twin is None:
            group.append(element)
    return days


def _number(said: str) -> int:
    return int(said) if said.isdigit() else han_number(said) or 0


def _month(near: Sequence[Element]) -> datetime.date | None:
    """The month and the year that stand above the days: together, or each by itself."""
    month = year = None
    for element in sorted(near, key=lambda e: e.box.y if e.box else 0):
        text = " ".join(filter(None, (element.name or element.text, element.value)))
        if len(text) > LONG:
            continue
        found, number = _MONTH.search(text), _YEAR.search(text)
        if month is None and found is not None:
            month = _SHORT[found[1].casefold()[:3]] if found[1] else _number(found[2])
        if year is None and number is not None:
            year = int(number[1])
    if month is None or year is None or not 1 <= month <= 12:
        return None
    return datetime.date(year, month, 1)


_ARROWS = (Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.TEXT)


def _arrow(near: Sequence[Element], pattern: re.Pattern[str]) -> Element | None:
    """The arrow that goes by months: of single and double ones the single."""
    listed = [(e, (e.name or e.text).strip()) for e in near if kind_of(e) in _ARROWS]
    fitting = [(e, t) for e, t in listed if pattern.match(t) and not _OF_YEARS.search(t)]
    single = [(e, t) for e, t in fitting if t not in _DOUBLE] or fitting
    return min((e for e, _ in single), key=lambda e: _ARROWS.index(kind_of(e)), default=None)


def _year_arrow(near: Sequence[Element], *, on: bool) -> Element | None:
    """The arrow that goes by years: named for it, or double where there is a single one too."""
    pattern, plain = (_ON_YEARS, _ON) if on else (_BACK_YEARS, _BACK)
    listed = [(e, (e.name or e.text).strip()) for e in near if kind_of(e) in _ARROWS]
    fitting = [e for e, text in listed if pattern.match(text)]
    months = _arrow(near, plain)
    if not fitting and months is not None and (months.name or months.text).strip() not in _DOUBLE:
        fitting = [e for e, text in listed if text in _DOUBLE and plain.match(text)]
    if not fitting and months is None:
        return silent_arrow(near, _MONTH, on=on, years=True)
    return min(fitting, key=lambda e: _ARROWS.index(kind_of(e)), default=None)


def walk_calendar(desk: Desk, date: datetime.date) -> Turns[None]:
    """Go to a month and click a day: by years where that is far and can be done.

    Raises:
        Missed: The month cannot be reached, or the day is not there.
    """
    calendar = yield from _at_rest(desk)
    useless: set[str] = set()
    for _ in range(ROUNDS):
        left = (date.year - calendar.month.year) * 12 + date.month - calendar.month.month
        if left == 0:
            yield from _click_day(desk, calendar, date)
            return
        way = next(
            (way for way in _WAYS if way not in useless and _fits(way, calendar, left)), None
        )
        if way is None:
            raise Missed(f"the calendar shows {calendar.month:%B %Y} and has no way to {date}")
        before = calendar.month
        yield from _go(desk, way, calendar, date, left)
        calendar = yield from _moved_from(desk, before)
        if calendar.month == before:
            useless.add(way)
    raise Missed(f"the calendar does not come to {date:%B %Y}")


_WAYS = ("parts", "years", "months")
"""Ways to another month, in the order of how far one of them leads."""


def _fits(way: str, calendar: Calendar, left: int) -> bool:
    if way == "parts":
        return abs(left) > NEAR and has_parts(calendar.near, calendar.month)
    years = way == "years"
    far = abs(left) >= 12 or not years
    return far and calendar.arrow(on=left > 0, years=years) is not None


def _go(desk: Desk, way: str, calendar: Calendar, date: datetime.date, left: int) -> Turns[None]:
    """Take one way towards a month."""
    if way == "parts":
        yield from set_parts(desk, calendar.near, calendar.month, date)
        return
    arrow = calendar.arrow(on=left > 0, years=way == "years")
    assert arrow is not None
    assert arrow.box is not None
    at = arrow.box.center
    count = abs(left) // 12 if way == "years" else abs(left)
    # All at once where the way is long: a look after each would take seconds.
    clicks = (Click(at.x, at.y),) * min(count, MOST)
    told = f"{count} {way} {'on' if left > 0 else 'back'} by {named(arrow)}"
    yield from desk.do(*clicks, why=told, commits=False)


def _moved_from(desk: Desk, before: datetime.date) -> Turns[Calendar]:
    """The calendar after a way was taken; it may be drawn a moment later."""
    calendar = yield from _seen(desk)
    for pause in (0.2, 0.5):
        if calendar.month != before:
            break
        yield from desk.again(pause, why="the calendar may still turn")
        calendar = yield from _seen(desk)
    return calendar


def _at_rest(desk: Desk) -> Turns[Calendar]:
    """A calendar that has just come up may still move to where there is room for it."""
    calendar = yield from _seen(desk)
    for _ in range(LOOKS):
        before = calendar.box
        yield from desk.again(0.1, why="the calendar may still move")
        calendar = yield from _seen(desk)
        if calendar.box == before:
            break
    return calendar


def _seen(desk: Desk) -> Turns[Calendar]:
    for pause in (0.2, 0.5, 0.0):
        calendar = find_calendar(desk)
        if calendar is None and (yield from desk.closer()):
            calendar = find_calendar(desk)
        if calendar is not None:
            return calendar
        if pause:
            yield from desk.again(pause, why="the calendar is drawn")
    raise Missed("the calendar is no longer there")


def _click_day(desk: Desk, calendar: Calendar, date: datetime.date) -> Turns[None]:
    group = sorted(calendar.days.get(date.day, ()), key=_place)
    if not group:
        raise Missed(f"the calendar of {date:%B %Y} shows no {date.day}")
    # The days of the months around it stand before the first and after the last of its own.
    day = group[-1] if len(group) > 1 and date.day > 15 else group[0]
    assert day.box is not None
    at = day.box.center
    yield from desk.do(Click(at.x, at.y), why=f"the {date.day} of {date:%B %Y}", last=True)
    yield from desk.effect()


def _place(element: Element) -> tuple[int, int]:
    return (element.box.y, element.box.x) if element.box else (0, 0)
