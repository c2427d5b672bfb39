"""From one day to another: in two fields, whatever they are called, or on an open calendar."""

from __future__ import annotations

import datetime

import pytest
from steps_world import World, desk_of, play
from test_verbs_calendars import Paper, caption, hang
from test_verbs_slots import field, held, page, played

from carrel.models.steps.program import SetValue
from carrel.models.steps.verbs.stretching import set_ends


@pytest.mark.parametrize(
    ("first", "last"),
    [("Check-in", "Check-out"), ("Departure", "Return"), ("Start date", "End date")],
)
def test_the_ends_of_a_stay_go_into_the_two_fields_for_them(first: str, last: str) -> None:
    world = page(field(first, 40), field("Name", 80), field(last, 120))
    account = played(world, "Set the dates from 2027-03-03 to 2027-03-09").account
    assert account is None
    given = held(world)
    assert given["Name"] == ""
    assert [(given[one] or "")[-2:] for one in (first, last)] == ["03", "09"]


def test_where_no_field_takes_a_day_nothing_is_typed() -> None:
    world = page(field("Name", 40), field("City", 80))
    assert played(world, "Set the dates from 2027-03-03 to 2027-03-09").account is not None
    assert held(world) == {"Name": "", "City": ""}


def test_both_days_are_taken_on_the_calendar_that_is_open() -> None:
    world = World()
    paper = Paper(world, datetime.date(2027, 3, 1), caption)
    paper.draw()
    hang(paper, -1, 1)
    play(world, set_ends(desk_of(world), SetValue("the dates", "March 3, 2027 – March 9, 2027")))
    assert paper.picked == [datetime.date(2027, 3, 3), datetime.date(2027, 3, 9)]
