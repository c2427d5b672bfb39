"""Calendars whose arrows have no names, whose days say their month, or that do not turn."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.program import PickDate
from carrel.models.steps.turns import Missed, Seen
from carrel.models.steps.verbs.calendars import find_calendar
from carrel.models.steps.verbs.dates import pick_date
from carrel.results import Result

FIELD = element("Date", "entry", (100, 10, 200, 24), "editable", "single line", value="")


class Paper:
    """A month of six weeks, of which every day says its date in full, and its own words a number.

    Attributes:
        month: The first day of the month it shows.
        head: What stands over the days.
        picked: The days that were clicked.
    """

    def __init__(self, world: World, month: datetime.date, head: Callable[[Paper], list[Element]]):
        self.world, self.month, self.head = world, month, head
        self.picked: list[datetime.date] = []

    def draw(self) -> None:
        kept = [e for e in self.world.elements if not e.id.startswith("cal")]
        first = self.month - datetime.timedelta(days=(self.month.weekday() + 1) % 7)
        days = []
        for place in range(42):
            day = first + datetime.timedelta(days=place)
            at = (100 + 40 * (place % 7), 140 + 30 * (place // 7), 38, 28)
            said = f"{day:%B} {day.day}, {day.year}"
            days.append(element(said, "static", at, id=f"cal-{place}"))
            inner = (at[0] + 10, at[1] + 4, 18, 18)
            days.append(element(str(day.day), "static", inner, id=f"cal-{place}-n"))
        self.world.elements = [*kept, *self.head(self), *days]

    def turn(self, by: int) -> None:
        months = self.month.year * 12 + self.month.month - 1 + by
        self.month = datetime.date(months // 12, months % 12 + 1, 1)
        self.draw()

    def click(self, at: Click) -> None:
        for e in self.world.elements:
            if e.id.endswith("-n") and e.box and e.box.contains(e.box.center):
                inside = e.box.x <= at.x < e.box.right and e.box.y <= at.y < e.box.bottom
                place = int(e.id.split("-")[1]) if inside else -1
                if place >= 0:
                    first = self.month - datetime.timedelta(days=(self.month.weekday() + 1) % 7)
                    self.picked.append(first + datetime.timedelta(days=place))


def caption(paper: Paper) -> list[Element]:
    """The month between two small things without a name."""
    return [
        element("", "section", (100, 60, 28, 28), id="cal-back"),
        element(f"{paper.month:%B}", "static", (190, 64, 70, 20), id="cal-month"),
        element("Year", "spin button", (262, 64, 40, 20), value=str(paper.month.year), id="cal-y"),
        element("", "section", (352, 60, 28, 28), id="cal-on"),
    ]


def hang(paper: Paper, back: int, on: int) -> None:
    """Let a click do what it does: turn the month, or take a day."""
    world = paper.world

    def act(action: Action) -> None:
        if not isinstance(action, Click):
            return
        if 60 <= action.y < 88 and back and 100 <= action.x < 128:
            paper.turn(back)
        elif 60 <= action.y < 88 and on and 352 <= action.x < 380:
            paper.turn(on)
        else:
            paper.click(action)
        picked = paper.picked[-1].isoformat() if paper.picked else ""
        world.change("Date", value=picked)

    was = world._click

    def click(action: Click) -> None:
        was(action)
        act(action)

    world._click = click  # type: ignore[method-assign]


def test_a_month_is_that_of_most_days_where_only_these_say_it() -> None:
    world = World(FIELD)

    def year_alone(paper: Paper) -> list[Element]:
        year = str(paper.month.year)
        return [element("Year", "spin button", (262, 64, 40, 20), value=year, id="cal-y")]

    # The first day to be seen is of October.
    Paper(world, datetime.date(2027, 11, 1), year_alone).draw()
    found = find_calendar(desk_of(world))
    assert found is not None
    assert found.month == datetime.date(2027, 11, 1)


@pytest.mark.parametrize("iso", ["2027-03-18", "2026-12-31", "2026-09-01", "2026-11-27"])
def test_arrows_without_a_name_are_told_by_where_they_stand_beside_the_month(iso: str) -> None:
    world = World(FIELD)
    paper = Paper(world, datetime.date(2026, 11, 1), caption)
    paper.draw()
    hang(paper, -1, 1)
    play(world, pick_date(desk_of(world), PickDate(iso, iso)))
    assert paper.picked == [datetime.date.fromisoformat(iso)]


def test_arrows_that_are_only_drawn_are_found_in_the_pixels() -> None:
    world = World(FIELD)

    def words(paper: Paper) -> list[Element]:
        return [e for e in caption(paper) if e.name]

    paper = Paper(world, datetime.date(2026, 11, 1), words)
    paper.draw()
    signs = [e for e in caption(paper) if not e.name]
    world.closer_elements = [
        Element(e.id.replace("cal", "seen"), "icon", "", None, e.box, source="detector")
        for e in signs
    ]
    hang(paper, -1, 1)
    play(world, pick_date(desk_of(world), PickDate("2027-02-03", "2027-02-03")))
    assert paper.picked == [datetime.date(2027, 2, 3)]


@pytest.mark.parametrize(("back", "on"), [(1, -1), (0, 0), (-1, -1), (-12, 12)])
def test_an_arrow_that_does_not_lead_to_the_next_month_is_not_pressed_on(
    back: int, on: int
) -> None:
    world = World(FIELD)
    paper = Paper(world, datetime.date(2026, 11, 1), caption)
    paper.draw()
    hang(paper, back, on)
    with pytest.raises(Missed, match=r"has no way to 2027-02-03"):
        play(world, pick_date(desk_of(world), PickDate("2027-02-03", "2027-02-03")))
    assert paper.picked == []
    assert len([a for a in world.done if isinstance(a, Click)]) < 8


@pytest.mark.parametrize(
    ("held", "right"),
    [
        ("2027-03-18", True),
        ("18.03.2027", True),
        ("3/18/27", True),
        ("18 March 2027", True),
        ("2027年3月18日", True),
        ("Oct 20, 2026 – Mar 18, 2027", True),
        ("2027-10-18", False),
        ("2026-03-18", False),
        ("18 October 2027", False),
        ("March 18, 2026", False),
    ],
)
def test_a_field_that_says_another_month_or_year_does_not_say_the_day(
    held: str, right: bool
) -> None:
    world = World(FIELD)
    paper = Paper(world, datetime.date(2027, 3, 1), caption)

    def come_up(_w: World, _e: Element, _a: Action) -> None:
        paper.draw()

    world.on("Date", come_up)
    world.on("18", lambda w, _e, _a: w.change("Date", value=held))
    step = PickDate("2027-03-18", "2027-03-18", "Date")
    if right:
        play(world, pick_date(desk_of(world), step))
    else:
        with pytest.raises(Missed, match="holds"):
            play(world, pick_date(desk_of(world), step))


def test_of_months_side_by_side_without_tables_the_day_of_the_right_one_is_taken() -> None:
    def both(paper: Paper) -> list[Element]:
        after = paper.month + datetime.timedelta(days=31)
        return [
            element("", "section", (100, 60, 28, 28), id="cal-back"),
            element(f"{paper.month:%B %Y}", "static", (190, 64, 100, 20), id="cal-one"),
            element(f"{after:%B %Y}", "static", (490, 64, 100, 20), id="cal-two"),
            element("", "section", (352, 60, 28, 28), id="cal-on"),
            *numbers(after.replace(day=1), 400),
        ]

    world = World(FIELD)
    paper = Paper(world, datetime.date(2026, 11, 1), both)
    paper.draw()
    world.elements = [e for e in world.elements if "," not in e.name]
    found = find_calendar(desk_of(world))
    assert found is not None
    assert found.month == datetime.date(2026, 11, 1)
    assert all(e.box and e.box.x < 400 for group in found.days.values() for e in group)


def numbers(month: datetime.date, left: int) -> list[Element]:
    """The days of a month in weeks of seven."""
    first = (month.weekday() + 1) % 7
    return [
        element(
            str(n + 1),
            "static",
            (left + 10 + 40 * ((first + n) % 7), 144 + 30 * ((first + n) // 7), 18, 18),
            id=f"cal-other-{n}",
        )
        for n in range(28)
    ]


def test_a_month_that_only_the_pixels_of_its_drop_downs_show_is_read_there() -> None:
    world = World(FIELD)

    def silent(paper: Paper) -> list[Element]:
        return [
            element("Select month", "combo box", (160, 64, 80, 20), id="cal-m"),
            element("Select year", "combo box", (250, 64, 60, 20), id="cal-y"),
        ]

    paper = Paper(world, datetime.date(2027, 3, 1), silent)
    world.on("Date", lambda _w, _e, _a: bare(paper))
    seen = world.seen

    def closer(results: tuple[Result, ...] = (), closer: bool = False) -> Seen:
        looked = seen(results, closer)
        texts = {"Select month": "Mar", "Select year": "2027"} if closer else {}
        shown = tuple(replace(e, text=texts.get(e.name, e.text)) for e in looked.elements)
        return replace(looked, elements=shown)

    world.seen = closer  # type: ignore[method-assign]
    hang(paper, 0, 0)
    play(world, pick_date(desk_of(world), PickDate("2027-03-18", "2027-03-18", "Date")))
    assert paper.picked == [datetime.date(2027, 3, 18)]


def bare(paper: Paper) -> None:
    """Draw it with days that only say their numbers."""
    paper.draw()
    paper.world.elements = [e for e in paper.world.elements if "," not in e.name]


def test_arrows_may_tell_the_key_that_does_the_same() -> None:
    world = World(FIELD)

    def keyed(paper: Paper) -> list[Element]:
        return [
            element("上一年 (Control键加左方向键)", at=(70, 60, 28, 28), id="cal-yb"),
            element("上个月 (翻页上键)", at=(100, 60, 28, 28), id="cal-back"),
            element(f"{paper.month.year}年 {paper.month.month}月", "static", (190, 64, 90, 20)),
            element("下个月 (翻页下键)", at=(352, 60, 28, 28), id="cal-on"),
            element("下一年 (Control键加右方向键)", at=(382, 60, 28, 28), id="cal-yo"),
        ]

    Paper(world, datetime.date(2026, 11, 1), keyed).draw()
    found = find_calendar(desk_of(world))
    assert found is not None
    arrows = [found.arrow(on=on, years=years) for years in (False, True) for on in (False, True)]
    assert [e.id if e else "" for e in arrows] == ["cal-back", "cal-on", "cal-yb", "cal-yo"]


def test_a_table_behind_a_calendar_is_no_month() -> None:
    behind = element("", "table", (0, 170, 800, 200), id="t")
    month = element("", "table", (100, 140, 280, 180), id="cal-t")
    world = World(FIELD, behind)
    Paper(world, datetime.date(2026, 12, 1), lambda paper: [*caption(paper), month]).draw()
    desk = desk_of(world)
    desk.worked = FIELD.box
    found = find_calendar(desk)
    assert found is not None
    assert found.month == datetime.date(2026, 12, 1)
    assert len(found.days[1]) == 2


def test_what_lies_behind_a_calendar_is_no_arrow_of_it() -> None:
    form = element("", "section", (0, 0, 800, 600), id="f")
    radio = element("", "section", (340, 60, 22, 28), parent="f", id="radio")
    world = World(FIELD, form, radio)
    holder = element("", "section", (90, 50, 300, 320), id="cal-box")

    def arrows(paper: Paper) -> list[Element]:
        return [holder, *(replace(e, parent="cal-box") for e in caption(paper))]

    paper = Paper(world, datetime.date(2026, 11, 1), arrows)
    paper.draw()
    inside = [
        replace(e, parent="cal-box") if e.id.startswith("cal-") and e.id != "cal-box" else e
        for e in world.elements
    ]
    world.elements = inside
    found = find_calendar(desk_of(world))
    assert found is not None
    on = found.arrow(on=True)
    assert on is not None
    assert on.id == "cal-on"


def test_arrows_over_days_that_say_their_month_belong_to_them() -> None:
    world = World(FIELD)
    box = element("", "section", (90, 50, 300, 320), id="cal-box")
    grid = element("", "section", (95, 135, 290, 190), parent="cal-box", id="cal-grid")

    def held(paper: Paper) -> list[Element]:
        return [box, *(replace(e, parent="cal-box") for e in caption(paper)), grid]

    Paper(world, datetime.date(2026, 11, 1), held).draw()
    world.elements = [
        replace(e, parent="cal-grid") if e.role == "static" and e.id[4:5].isdigit() else e
        for e in world.elements
    ]
    found = find_calendar(desk_of(world))
    assert found is not None
    on = found.arrow(on=True)
    assert on is not None
    assert on.id == "cal-on"


def test_figures_and_days_elsewhere_on_the_page_tell_nothing_of_the_month() -> None:
    """A list of leave beside the calendar: "2026-09-03", and how many days that were."""
    other = element("2026-09-03 - 2026-09-03", "static", (390, 52, 160, 18), parent="f")
    world = World(FIELD, element("", "form", (0, 0, 800, 600), id="f"), other)
    world.elements.append(element("1", "static", (700, 52, 10, 18), parent="f"))
    box = element("", "section", (90, 50, 300, 320), id="cal-box", parent="f")
    year = element("2027", at=(190, 64, 40, 20), id="cal-year", parent="cal-box")
    month = element("March", at=(240, 64, 40, 20), id="cal-month", parent="cal-box")
    on = element("Next", at=(340, 64, 24, 20), id="cal-on", parent="cal-box")
    paper = Paper(world, datetime.date(2027, 3, 1), lambda _: [box, year, month, on])
    paper.draw()
    world.elements = [
        replace(e, parent="cal-box") if e.role == "static" and e.id.endswith("-n") else e
        for e in world.elements
        if not (e.id[4:5].isdigit() and not e.id.endswith("-n"))
    ]
    found = find_calendar(desk_of(world))
    assert found is not None
    assert found.month == datetime.date(2027, 3, 1)
    assert all(e.parent == "cal-box" for group in found.days.values() for e in group)
