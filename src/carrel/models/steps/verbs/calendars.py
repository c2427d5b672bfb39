"""Calendars on the screen: which month they show, where its days are, and what turns them."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.panes import bring_into_view, off_screen
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.month_arrows import framing_arrow, silent_arrow
from carrel.perception.numbers import han_number
from carrel.perception.roles import Kind, kind_of

__all__ = ["Calendar", "calendar_came", "come_to_calendar", "find_calendar", "months_in"]

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
_DAY = re.compile(r"(?<!\d)(?:[1-9]|[12]\d|3[01])(?!\d)")
_OF_YEARS = re.compile(r"\byears?\b|\bdecades?\b|年", re.IGNORECASE)
_DOUBLE = {"«", "»", "<<", ">>"}
"""Arrows that go on by years, where there are single ones beside them."""
FEWEST = 25
"""Days that a table has if it is a month; the first may be told otherwise."""
FILLED = 1.5
"""Of the width of its days, at most that of the table that is a month."""
MARGIN = 48
"""Pixels beside the days in which arrows may be."""
LEVEL = 40
"""Pixels: tables that are further apart than that are no months side by side."""
SAME_COLUMN = 9
"""Pixels that days of one weekday are apart, as they are one figure or two."""
BESIDE = 160
"""Pixels from one day to the next."""
WIDE, HIGH = 600, 500
"""Pixels from the last days of a month to what is written over it, across and along."""
LONG = 40
"""Letters that what tells of a month has at most."""


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
    days = _nearest(desk, elements, _in_months(elements, _days(elements)))
    if len(days) < 28:
        return None
    box = around([e.box for group in days.values() for e in group if e.box is not None])
    left, top = max(0, box.x - MARGIN), max(0, box.y - 110)
    head = Box(left, top, box.right + MARGIN - left, box.bottom + 30 - top)
    near = _own([e for e in elements if within(e.box, head)], days, elements)
    first = _first_of_several(near, days, box)
    month, days = first or (_month(near), days)
    if month is None:
        return None
    back, on = _arrow(near, _BACK), _arrow(near, _ON)
    if back is None and on is None:
        back, on = (_silent(near, box, on=way) for way in (False, True))
    return Calendar(month, days, box, back, on, tuple(near))


def _own(
    near: Sequence[Element], days: dict[int, list[Element]], elements: Sequence[Element]
) -> list[Element]:
    """Of what is around the days what belongs to them: a calendar may lie over other things."""
    tree = Lineage(elements)
    told = [e for group in days.values() for e in group if e.source in ("tree", "browser")]
    top = min((e.box.y for e in told if e.box is not None), default=0)
    over = [e for e in near if e.box is not None and e.box.center.y < top]
    heads = {e.id for e in over if _MONTH.search(e.name or e.text or e.value or "")}
    for holder in tree.above(told[0]) if told and heads else ():
        inside = tree.inside(holder)
        if heads & inside and all(e.id in inside for e in told):
            return [e for e in near if e.id in inside or e.source not in ("tree", "browser")]
    return list(near)


def _silent(near: Sequence[Element], days: Box, *, on: bool) -> Element | None:
    """The arrow without a name, beside the month or the year over the days."""
    # Some days say the month, too; and some drop-downs do not say which is chosen.
    over = [e for e in near if e.box is not None and e.box.center.y < days.y]
    return silent_arrow(over, _MONTH, on=on) or silent_arrow(over, _YEAR, on=on)


def _in_months(
    elements: Sequence[Element], days: dict[int, list[Element]]
) -> dict[int, list[Element]]:
    """Without numbers that stand elsewhere on the page: in a list beside or behind the calendar.

    They are known where the calendar is a table, and else by having no day beside them.
    """
    every = [e for group in days.values() for e in group]
    months = _month_tables(elements, every)
    if months:
        kept = {n: [e for e in g if any(within(e.box, b) for b in months)] for n, g in days.items()}
    else:
        kept = {n: [e for e in g if _has_neighbour(e, days, n)] for n, g in days.items()}
    kept = {number: group for number, group in kept.items() if group}
    return kept if len(kept) >= 28 else days


def _nearest(
    desk: Desk, elements: Sequence[Element], days: dict[int, list[Element]]
) -> dict[int, list[Element]]:
    """Of calendars one above the other only the days of that which is nearest to the work."""
    every = [e for group in days.values() for e in group]
    months = _month_tables(elements, every)
    worked, tops = desk.worked, [box.y for box in months]
    if worked is None or not tops or max(tops) - min(tops) < LEVEL:
        return days
    best = min(months, key=lambda box: abs(box.y - worked.bottom) + abs(box.x - worked.x))
    beside = [box for box in months if abs(box.y - best.y) < LEVEL]
    kept = {n: [e for e in g if any(within(e.box, b) for b in beside)] for n, g in days.items()}
    return {number: group for number, group in kept.items() if group}


def _month_tables(elements: Sequence[Element], days: Sequence[Element]) -> list[Box]:
    """The tables that are months: filled by their days, as no table behind a calendar is."""
    months: list[Box] = []
    for box in {e.box for e in elements if e.role == "table" and e.box is not None}:
        held = [day.box for day in days if day.box is not None and within(day.box, box)]
        if len(held) >= FEWEST and box.width <= FILLED * around(held).width:
            months.append(box)
    return months


def calendar_came(desk: Desk) -> Turns[bool]:
    """Whether there is a calendar; which month it shows may have to be read from the pixels."""
    if find_calendar(desk) is not None:
        return True
    days = _days([e for e in part_meant(desk.elements, "") if e.box is not None])
    rows = any(_has_next(e, days, 20) for e in days.get(20, ()))
    if len(days) < 28 or not rows or not (yield from desk.closer()):
        return False
    return find_calendar(desk) is not None


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


def _has_neighbour(day: Element, days: dict[int, list[Element]], number: int) -> bool:
    """Whether the day before or after it stands beside it, or one a week off above or below."""
    box = day.box
    weeks = [*days.get(number - 7, ()), *days.get(number + 7, ())]
    return _has_next(day, days, number) or any(
        box is not None and e.box is not None and abs(e.box.center.x - box.center.x) < SAME_COLUMN
        for e in weeks
    )


def _first_of_several(
    near: Sequence[Element], days: dict[int, list[Element]], box: Box
) -> tuple[datetime.date, dict[int, list[Element]]] | None:
    """The first of months side by side; any of them tells which it is."""
    every = [e for group in days.values() for e in group]
    months = _month_tables(near, every)
    months = sorted(months, key=lambda box: box.x) or _weeks_beside(every, box)
    for number, box in enumerate(months if len(months) > 1 else ()):
        told = _month([e for e in near if e.box and box.x <= e.box.center.x < box.right])
        if told is not None:
            kept = {n: [e for e in group if within(e.box, months[0])] for n, group in days.items()}
            back = told.year * 12 + told.month - 1 - number
            first = datetime.date(back // 12, back % 12 + 1, 1)
            return first, {n: group for n, group in kept.items() if group}
    return None


def _weeks_beside(days: Sequence[Element], box: Box) -> list[Box]:
    """The places of months that stand side by side: weeks have seven days, each in its column."""
    middles: list[int] = []
    for x in sorted(e.box.center.x for e in days if e.box is not None):
        if not middles or x - middles[-1] > SAME_COLUMN:
            middles.append(x)
    if len(middles) < 14 or len(middles) % 7:
        return []
    ends = [(a + b) // 2 for a, b in zip(middles[6::7], middles[7::7], strict=False)]
    lefts, rights = [box.x, *ends], [*ends, box.right]
    return [Box(a, box.y, b - a, box.height) for a, b in zip(lefts, rights, strict=True)]


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
    """The month and the year that stand above the days, or that most of the days say."""
    month = year = None
    days: Counter[datetime.date] = Counter()
    for element in sorted(near, key=lambda e: e.box.y if e.box else 0):
        text = " ".join(dict.fromkeys(filter(None, (element.name, element.text, element.value))))
        if len(text) > LONG:
            continue
        found, number = months_in(text)[:1], _YEAR.search(text)
        if _names_day(text):
            # The first of them may be of the month before.
            days.update([datetime.date(int(number[1]), m, 1) for m in found] if number else [])
            continue
        month = month or next(iter(found), None)
        if year is None and number is not None:
            year = int(number[1])
    if month is None or year is None:
        return days.most_common(1)[0][0] if len(days) else None
    return datetime.date(year, month, 1)


def months_in(text: str) -> list[int]:
    """The months that a text says."""
    found = list(_MONTH.finditer(text))
    told = [_SHORT[f[1].casefold()[:3]] if f[1] else _number(f[2]) for f in found]
    return [number for number in told if 1 <= number <= 12]


def _names_day(text: str) -> bool:
    """Whether it says a day beside a month."""
    rest = _MONTH.sub("", _YEAR.sub("", text), count=1)
    return _MONTH.search(text) is not None and _DAY.search(rest) is not None


_ARROWS = (Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE, Kind.TEXT)


def _called(arrow: Element) -> str:
    """What an arrow is called, without the key that does the same: `下个月 (翻页下键)`."""
    return re.sub(r"(?<=\w)\s*[(（][^()（）]*[)）]$", "", (arrow.name or arrow.text).strip())


def _arrow(near: Sequence[Element], pattern: re.Pattern[str]) -> Element | None:
    """The arrow that goes by months: of single and double ones the single."""
    listed = [(e, _called(e)) for e in near if kind_of(e) in _ARROWS]
    fitting = [(e, t) for e, t in listed if pattern.match(t) and not _OF_YEARS.search(t)]
    single = [(e, t) for e, t in fitting if t not in _DOUBLE] or fitting
    return min((e for e, _ in single), key=lambda e: _ARROWS.index(kind_of(e)), default=None)


def _year_arrow(near: Sequence[Element], *, on: bool) -> Element | None:
    """The arrow that goes by years: named for it, or double where there is a single one too."""
    pattern, plain = (_ON_YEARS, _ON) if on else (_BACK_YEARS, _BACK)
    listed = [(e, _called(e)) for e in near if kind_of(e) in _ARROWS]
    fitting = [e for e, text in listed if pattern.match(text)]
    months = _arrow(near, plain)
    if not fitting and months is not None and _called(months) not in _DOUBLE:
        fitting = [e for e, text in listed if text in _DOUBLE and plain.match(text)]
    if not fitting and months is None:
        return silent_arrow(near, _MONTH, on=on, years=True)
    return min(fitting, key=lambda e: _ARROWS.index(kind_of(e)), default=None)
