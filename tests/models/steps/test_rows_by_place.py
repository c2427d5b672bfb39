"""Rows, cards and months that a page draws and no tree tells of: told by where things stand."""

from __future__ import annotations

import pytest
from steps_world import World, element
from test_verbs_slots import page, played

from carrel.actions import Click


def pressed(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def counters() -> World:
    parts = []
    for at, name in enumerate(("Adult", "Child", "Senior")):
        y = 100 + 50 * at
        parts += [
            element(name, "static", (20, y, 60, 20)),
            element(f"Fewer {name}", "push button", (300, y - 5, 30, 30)),
            element("0", "static", (350, y, 10, 20), id=f"n{name}"),
            element(f"More {name}", "push button", (380, y - 5, 30, 30)),
        ]
    return page(*parts)


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("Click the plus button in the Child row", (395, 160)),
        ("Click the minus sign next to Senior", (315, 210)),
        ("Press the + beside Adult", (395, 110)),
        ("Click the plus in the row of the Senior ticket", (395, 210)),
    ],
)
def test_a_sign_is_told_by_its_row_and_by_what_it_is_for(said: str, at: tuple[int, int]) -> None:
    world = counters()
    assert played(world, said).account is None
    assert pressed(world) == [at]


@pytest.mark.parametrize(
    "said", ["Click the pencil in the Child row", "Click the plus button in the Baby row"]
)
def test_a_sign_or_a_row_that_is_not_there_presses_nothing(said: str) -> None:
    world = counters()
    assert played(world, said).account is not None
    assert not pressed(world)


def cards(*names: str) -> World:
    parts = []
    for at, name in enumerate(names):
        x, y = 20 + 200 * (at % 3), 100 + 150 * (at // 3)
        parts += [
            element(name, "static", (x, y, 80, 20), id=f"t{at}"),
            element("Details", "push button", (x, y + 60, 60, 20), id=f"d{at}"),
            element("Add to cart", "push button", (x + 70, y + 60, 90, 20), id=f"a{at}"),
        ]
    return page(*parts)


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("Add Dill to the cart", (335, 170)),
        ("Click Details in the Leek card", (50, 320)),
        ("Click Details for Kale", (450, 170)),
    ],
)
def test_of_like_buttons_the_one_in_the_place_of_its_card_is_meant(
    said: str, at: tuple[int, int]
) -> None:
    world = cards("Radish", "Dill", "Kale", "Leek", "Chard", "Basil")
    assert played(world, said).account is None
    assert pressed(world) == [at]


def test_of_two_things_of_a_name_none_is_taken() -> None:
    world = cards("Radish", "Dill", "Dill")
    assert played(world, "Click Details in the Dill card").account is not None
    assert not pressed(world)


def month() -> World:
    days = [
        element(
            str(day), "static", (20 + 90 * ((day + 1) % 7), 100 + 60 * ((day + 1) // 7), 20, 16)
        )
        for day in range(1, 31)
    ]
    head = element("April 2026", "heading", (200, 20, 120, 24))
    note = element("10:00 Interview", "static", (380, 200, 80, 16))
    return page(head, *days, note, element("Rooms", "static", (600, 20, 80, 16)))


@pytest.mark.parametrize("said", ["Click the 12th in the calendar", "Click on 12 April"])
def test_a_day_of_a_drawn_month_is_pressed(said: str) -> None:
    world = month()
    assert played(world, said).account is None
    assert pressed(world) == [(570, 168)]


@pytest.mark.parametrize("said", ["Click on 12 May", "Click the 31st in the calendar"])
def test_a_day_that_the_month_has_not_is_refused(said: str) -> None:
    world = month()
    assert played(world, said).account is not None
    assert not pressed(world)


def test_what_stands_in_a_drawn_month_and_what_does_not() -> None:
    world = month()
    assert played(world, 'Verify that "10:00 Interview" is visible in the calendar').account is None
    assert played(world, 'Verify that "Rooms" is visible in the calendar').account is not None


def test_a_time_is_pressed_where_times_are_offered() -> None:
    slots = [element(t, "static", (20 + 90 * n, 100, 50, 20)) for n, t in enumerate(_TIMES)]
    world = page(*slots)
    assert played(world, "Choose the entry time 11:30").account is None
    assert pressed(world) == [(225, 110)]
    alone = page(slots[0])
    assert played(alone, "Choose the entry time 10:00").account is not None


_TIMES = ("10:00", "10:30", "11:30", "12:00")


def test_a_value_at_the_end_of_a_drawn_line_is_what_its_name_tells() -> None:
    world = page(
        element("Subtotal", "static", (20, 100, 60, 16)),
        element("284.50", "static", (300, 100, 46, 16)),
        element("Discount (%)", "static", (20, 128, 80, 16)),
        element("Discount (%)", "entry", (280, 124, 66, 22), "editable", value="10", id="d"),
    )
    assert played(world, "Verify that the subtotal is 284.50").account is None
    assert played(world, "Verify that the subtotal is 10").account is not None
