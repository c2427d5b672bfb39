"""A demand is carried out as a whole: every word is given to something, or nothing is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, element
from test_verbs_slots import box, clicks, field, held, on, page, played

from carrel.actions import Action
from carrel.frames import Element


def stays(first: str, last: str) -> World:
    """A form for a stay: its two days, who comes, the room, and what goes with it."""
    at = element
    return page(
        field("Guest name", 20),
        field(first, 60),
        field(last, 100),
        at("Room", "static", (20, 140, 60, 18)),
        *(box(name, y, "radio button") for name, y in (("Single", 160), ("Double", 190))),
        box("Breakfast", 230),
        box("Parking", 260),
        at("Confirm booking", at=(20, 300, 120, 24)),
    )


def days(world: World, *names: str) -> list[str]:
    given = held(world)
    return [(given[name] or "").split(" ")[0] for name in names]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Arrival", "Departure"),
        ("Check-in", "Check-out"),
        ("Pick-up", "Return"),
        ("First day", "Last day"),
        ("Departure date", "Arrival date"),
        ("Departure", "Return"),
        ("Start date", "End date"),
        ("From", "To"),
    ],
)
@pytest.mark.parametrize("said", ["from 3 to 5 May 2027", "from 3 May 2027 until 5 May 2027"])
def test_each_end_of_a_stay_goes_into_its_own_field(first: str, last: str, said: str) -> None:
    world = stays(first, last)
    assert (
        played(world, f"Book a double room for Ada Lovelace {said} with breakfast").account is None
    )
    assert days(world, first, last) == ["3", "5"]
    assert held(world)["Guest name"] == "Ada Lovelace"
    assert set(on(world)) == {"Double", "Breakfast"}
    assert clicks(world) == ["Confirm booking"]


@pytest.mark.parametrize(("first", "last"), [("Arrival", "Departure"), ("Check-in", "Check-out")])
def test_who_arrives_and_leaves_is_there_in_between(first: str, last: str) -> None:
    world = stays(first, last)
    said = "arriving on 3 May 2027 and leaving on 5 May 2027"
    assert played(world, f"Book a single room for Ada Lovelace, {said}").account is None
    assert days(world, first, last) == ["3", "5"]


@pytest.mark.parametrize(
    "said",
    [
        "Book a penthouse room for Ada Lovelace from 3 to 5 May 2027",
        "Book a double room for Ada Lovelace from 3 to 5 May 2027 with a sauna",
        "Reserve a smoking double room for Ada Lovelace from 3 May 2027 to 5 May 2027",
    ],
)
def test_nothing_is_sent_while_a_word_is_given_to_nothing(said: str) -> None:
    world = stays("Arrival", "Departure")
    account = played(world, said).account
    assert account is not None
    assert clicks(world) == []


def test_the_only_day_is_no_end_that_is_called_a_begin() -> None:
    world = page(field("Start date", 20), field("Name", 60), element("Book", at=(20, 300, 80, 24)))
    assert played(world, "Book a room until 5 May 2027 for Ann Lee").account is not None
    assert clicks(world) == []


@pytest.mark.parametrize("verb", ["Rent", "Take"])
def test_the_month_of_both_days_is_said_once(verb: str) -> None:
    world = page(
        field("Driver", 20),
        field("Pick-up date", 60),
        field("Return date", 100),
        element(f"{verb} it", at=(20, 300, 120, 24)),
    )
    account = played(world, f"{verb} a car for Bo Dahl from 12 to 15 June 2027").account
    given = days(world, "Pick-up date", "Return date")
    assert given == ["12", "15"] if account is None else given == ["", ""]


def complains(text: str, *more: Element) -> World:
    world = page(field("Guest", 20), element("Confirm booking", at=(20, 300, 120, 24)))

    def tell(w: World, _hit: Element, _action: Action) -> None:
        shown = element(text, "static", (20, 340, 300, 18), parent="page")
        w.elements += [shown, *(replace(e, parent="page") for e in more)]

    world.on("Confirm booking", tell)
    return world


@pytest.mark.parametrize(
    "text",
    [
        "Please fill in the guest.",
        "Guest is required",
        "The name can't be blank",
        "Invalid value",
        "请填写客人姓名",
        "姓名不能为空",
    ],
)
def test_a_complaint_of_the_page_is_no_success(text: str) -> None:
    account = played(complains(text), "Confirm the booking").account
    assert account is not None
    assert text in account


def test_a_click_that_was_asked_for_is_done_and_in_doubt() -> None:
    player = played(complains("Please fill in the guest."), "Click Confirm booking")
    assert player.account is None
    assert "Please fill in" in player.doubtful[0]


def test_a_complaint_that_is_looked_for_is_what_was_wanted() -> None:
    said = "Confirm the booking and verify that “Guest is required” is shown"
    player = played(complains("Guest is required"), said)
    assert (player.account, player.doubtful) == (None, [])


@pytest.mark.parametrize("text", ["Booked. Thank you!", "Confirmed for 3 May"])
def test_other_words_are_no_complaint(text: str) -> None:
    assert played(complains(text), "Confirm the booking").account is None


def test_what_asks_for_the_next_controls_is_no_complaint() -> None:
    world = complains("Please choose how to pay", field("Card", 380))
    assert played(world, "Confirm the booking").account is None


def rooms() -> World:
    """Two groups of choices, each with its legend, and the steps of a wizard as a list."""
    legend = element("", "label", (20, 40, 60, 18), id="legend", parent="rooms")
    return page(
        element("1.", "static", (20, 10, 14, 18)),
        element("2.", "static", (120, 10, 14, 18)),
        element("", "panel", (20, 40, 400, 60), id="rooms"),
        legend,
        element("Room", "static", (20, 40, 60, 18), parent="legend"),
        replace(box("Single", 60, "radio button"), parent="rooms"),
        replace(box("Two beds – 90 EUR", 80, "radio button"), parent="rooms"),
        box("Breakfast", 130),
    )


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Choose two beds", ["Two beds – 90 EUR"]),
        ("Choose a single room with breakfast", ["Single", "Breakfast"]),
    ],
)
def test_a_choice_is_what_can_be_chosen(said: str, chosen: list[str]) -> None:
    world = rooms()
    assert played(world, said).account is None
    assert on(world) == chosen


@pytest.mark.parametrize("said", ["Choose two years", "Choose the room", "Choose a suite room"])
def test_a_legend_or_a_marker_is_nothing_to_choose(said: str) -> None:
    world = rooms()
    assert played(world, said).account is not None
    assert on(world) == []


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("Enter card number 55810", {"Card number": "55810"}),
        ("Type amount 250", {"Amount (EUR)": "250"}),
        ("输入卡号55810", {"卡号": "55810"}),
        ("Enter “card number 55810” into the Amount field", {"Amount (EUR)": "card number 55810"}),
    ],
)
def test_a_label_is_not_typed_with_its_value(said: str, given: dict[str, str]) -> None:
    world = page(field("Card number", 20), field("Amount (EUR)", 60), field("卡号", 100))
    assert played(world, said).account is None
    assert {name: text for name, text in held(world).items() if text} == given
