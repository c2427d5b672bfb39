"""Going to a month of a calendar: by its drop-downs, its arrows for years, those for months."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.calendars import Calendar, find_calendar
from carrel.models.steps.verbs.month_parts import has_parts, set_parts
from carrel.models.steps.verbs.pointing import named

__all__ = ["walk_calendar"]

ROUNDS = 60
LOOKS = 5
NEAR = 3
"""Months that are gone to by arrows also where there are drop-downs."""
MOST = 24
"""Clicks on an arrow at once."""
SHIFT = 4
"""Pixels that the days may be off where an arrow is still where it was seen."""
_WAYS = ("parts", "years", "months", "near parts")
"""Ways to another month, in the order of how far one of them leads."""
_STEPS = {"years": (12, 12), "months": (1, 3)}
"""How many months one press leads on: where several are shown, it may be all of them."""

_Way = tuple[str, bool]


@dataclass(slots=True)
class _Walk:
    """What was learnt on the way to a month.

    Attributes:
        useless: Ways that did not lead on, or not there.
        steps: Months that one press of an arrow leads on.
        still: Arrows that a press has left where they were: these can be pressed many times.
        drawn: Arrows that only the pixels told of, and where the days were then.
    """

    useless: set[_Way] = field(default_factory=set)
    steps: dict[_Way, int] = field(default_factory=dict)
    still: set[_Way] = field(default_factory=set)
    drawn: dict[_Way, tuple[Element, Box]] = field(default_factory=dict)

    def way(self, calendar: Calendar, date: datetime.date, *, looked: bool = False) -> _Way | None:
        """The best way that is left, towards a date."""
        left = _months(calendar.month, date)
        for name in _WAYS:
            way = name, left > 0
            if way not in self.useless and self._fits(way, calendar, date, looked=looked):
                return way
        return None

    def _fits(self, way: _Way, calendar: Calendar, date: datetime.date, *, looked: bool) -> bool:
        left = abs(_months(calendar.month, date))
        if "parts" in way[0]:
            far = left > NEAR if way[0] == "parts" else looked
            return far and has_parts(calendar.near, calendar.month, date)
        return left >= self.steps.get(way, _STEPS[way[0]][0]) and bool(self.arrow(way, calendar))

    def arrow(self, way: _Way, calendar: Calendar) -> Element | None:
        """What leads that way: told now, or seen when the days were where they are."""
        arrow = calendar.arrow(on=way[1], years=way[0] == "years")
        if arrow is not None:
            return arrow
        drawn, days = self.drawn.get(way, (None, calendar.box))
        shift = max(abs(days.x - calendar.box.x), abs(days.y - calendar.box.y))
        return drawn if shift <= SHIFT else None

    def keep(self, calendar: Calendar) -> None:
        """Remember the arrows of a calendar of which the pixels were read, too."""
        for way in ((name, on) for name in _STEPS for on in (True, False)):
            arrow = calendar.arrow(on=way[1], years=way[0] == "years")
            if arrow is not None:
                self.drawn[way] = arrow, calendar.box

    def judge(self, way: _Way, count: int, before: Calendar, now: Calendar) -> None:
        """See whether a way led on as it should: else it is not taken again."""
        moved = _months(before.month, now.month) * (1 if way[1] else -1)
        if moved <= 0:
            self.useless.add(way)
        elif way[0] in _STEPS and count == 1:
            least, most = _STEPS[way[0]]
            if not least <= moved <= most:
                self.useless.add(way)
            self.steps[way] = moved
            told, arrow = self.arrow(way, before), now.arrow(on=way[1], years=way[0] == "years")
            if told is not None and arrow is not None and told.box == arrow.box:
                self.still.add(way)

    def count(self, way: _Way, left: int) -> int:
        """How often an arrow is pressed before one looks: once, until that is known to do."""
        if way not in self.still:
            return 1
        return max(1, min(abs(left) // self.steps[way], MOST))


def _months(one: datetime.date, other: datetime.date) -> int:
    """Months from one to the other."""
    return (other.year - one.year) * 12 + other.month - one.month


def walk_calendar(desk: Desk, date: datetime.date) -> Turns[None]:
    """Go to a month and click a day: by years where that is far and can be done.

    Raises:
        Missed: The month cannot be reached, or the day is not there.
    """
    calendar, walk = (yield from _at_rest(desk)), _Walk()
    for _ in range(ROUNDS):
        if _months(calendar.month, date) == 0:
            yield from _click_day(desk, calendar, date)
            return
        way = walk.way(calendar, date)
        if way is None:
            # Some arrows are only drawn.
            if (yield from desk.closer()):
                calendar = yield from _seen(desk)
                walk.keep(calendar)
            way = walk.way(calendar, date, looked=True)
        if way is None:
            raise Missed(f"the calendar shows {calendar.month:%B %Y} and has no way to {date}")
        before, count = calendar, walk.count(way, _months(calendar.month, date))
        yield from _go(desk, way, walk.arrow(way, calendar), calendar, date, count)
        calendar = yield from _moved_from(desk, before.month)
        walk.judge(way, count, before, calendar)
    raise Missed(f"the calendar does not come to {date:%B %Y}")


def _go(
    desk: Desk,
    way: _Way,
    arrow: Element | None,
    calendar: Calendar,
    date: datetime.date,
    count: int,
) -> Turns[None]:
    """Take one way towards a month."""
    if way[0] not in _STEPS:
        yield from set_parts(desk, calendar.near, calendar.month, date)
        return
    assert arrow is not None
    assert arrow.box is not None
    at = arrow.box.center
    # All at once where the way is long: a look after each would take seconds.
    told = f"{count} {way[0]} {'on' if way[1] else 'back'} by {named(arrow)}"
    yield from desk.do(*(Click(at.x, at.y),) * count, why=told, commits=False)


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
