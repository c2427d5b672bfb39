"""Claims in anybody's words, held against the rows, entries, labels and boxes of a screen."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.claims.by_records import told_by_records
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.play import Player

PAGE = element("Bookings – Harbour Inn", "document web", (0, 0, 1000, 760), id="page")


def text(name: str, x: int, y: int, width: int = 90, parent: str = "page") -> Element:
    return element(name, "static", (x, y, width, 18), parent=parent)


def row(at: int, *cells: str) -> list[Element]:
    y, key = 140 + 30 * at, f"row{at}"
    held = [
        element(said, "table cell", (20 + 140 * n, y, 140, 28), parent=key)
        for n, said in enumerate(cells)
    ]
    return [element("", "table row", (20, y, 840, 28), parent="table", id=key), *held]


def heads(*names: str) -> list[Element]:
    cells = [
        element(name, "column header", (20 + 140 * n, 110, 140, 28), parent="heads")
        for n, name in enumerate(names)
    ]
    return [element("", "table row", (20, 110, 840, 28), parent="table", id="heads"), *cells]


BOOKINGS = (
    PAGE,
    element("Bookings", "heading", (20, 60, 300, 30), parent="page"),
    element("", "table", (20, 110, 840, 200), parent="page", id="table"),
    *heads("Booking", "Guest", "From", "To", "Status", "Total"),
    *row(0 + 1, "#731", "Ada Holm", "3 Aug 2026", "9 Aug 2026", "Paid", "€ 640.00"),
    *row(1 + 1, "#732", "Ben Roth", "4 Aug 2026", "5 Aug 2026", "On hold", "€ 95.50"),
    *row(2 + 1, "#733", "Cleo Marsh", "9 Aug 2026", "12 Aug 2026", "Paid", "€ 1,210.00"),
    *row(3 + 1, "#734", "Ben Adler", "11 Aug 2026", "12 Aug 2026", "Cancelled", "€ 88.00"),
    text("Rooms left", 20, 400),
    text("14", 20, 420, 20),
    text("Waiting for an answer", 200, 400, 160),
    text("2", 200, 420, 12),
    element("Extras", "panel", (20, 480, 400, 100), parent="page", id="extras"),
    element("Breakfast buffet €9", "check box", (30, 500, 180, 20), "checked", parent="extras"),
    element("Parking in the yard", "check box", (30, 530, 180, 20), parent="extras"),
    element("Late check-out", "check box", (30, 560, 180, 20), parent="extras"),
)


@pytest.mark.parametrize(
    "claim",
    [
        "booking #732 is on hold",
        "the booking of Cleo Marsh comes to €1,210.00",
        "Ada Holm's booking is paid",
        "the row for #734 shows Ben Adler, 11 Aug 2026, Cancelled and € 88.00",
        "the booking from 3 August 2026 belongs to Ada Holm",
        "the guest of booking #733 should be Cleo Marsh",
        "two bookings are paid",
        "the list should hold four bookings",
        "Ben Adler's booking is the only cancelled one",
        "the most expensive booking is the one of Cleo Marsh",
        "the last booking in the table should belong to Ben Adler",
        "there should be no booking for Dora Pike",
        "there are 14 rooms left",
        "2 guests are waiting for an answer",
        "the breakfast buffet is selected",
        "parking has not been chosen yet",
        "late check-out is off",
    ],
)
def test_what_the_records_tell_is_so(claim: str) -> None:
    assert told_by_records(BOOKINGS, claim) is not None


@pytest.mark.parametrize(
    "claim",
    [
        "booking #731 is on hold",
        "the booking of Cleo Marsh comes to €640.00",
        "the booking of Ben is on hold",
        "Ada Holm's booking is not paid",
        "the row for #734 shows Ben Adler, 11 Aug 2026, Paid and € 88.00",
        "the booking from 9 August 2026 belongs to Ada Holm",
        "the booking to 3 August 2026 belongs to Ada Holm",
        "the guest of booking #733 should be Ben Roth",
        "three bookings are paid",
        "the list should hold five bookings",
        "Ada Holm's booking is the only paid one",
        "the most expensive booking is the one of Ben Roth",
        "the last booking in the table should belong to Ada Holm",
        "there should be no booking for Ben Roth",
        "there should be no booking that was refused",
        "there are 15 rooms left",
        "there are 14 tables left",
        "3 guests are waiting for an answer",
        "the breakfast buffet is off",
        "parking has been chosen",
        "the late check-out of Ada Holm is selected",
        "two invoices were sent to Cleo Marsh",
        "all bookings are paid",
        "each guest has paid",
        "Ada Holm or Ben Roth has paid",
        "Ada Holm's booking is for Ada Holm",
    ],
)
def test_what_they_do_not_tell_is_not_taken_for_so(claim: str) -> None:
    assert told_by_records(BOOKINGS, claim) is None


def outcome(said: str) -> Player:
    desk = desk_of(world := World(*BOOKINGS))
    player = Player(read_sentence(said), desk)
    play(world, player.play())
    return player


@pytest.mark.parametrize(
    ("claim", "so"),
    [
        ("Verify that booking #732 is on hold", True),
        ("Verify that booking #733 is on hold", False),
        ("Check that Ben Adler's booking is the only cancelled one", True),
        ("Check that Ben Roth's booking is the only cancelled one", False),
        ("Make sure that parking has not been chosen yet", True),
        ("Make sure that breakfast buffet has not been chosen yet", False),
    ],
)
def test_a_step_that_rests_on_records_passes_in_doubt(claim: str, so: bool) -> None:
    player = outcome(claim)
    assert (player.account is None) is so
    assert bool(player.doubtful) is so


def test_what_should_be_so_is_not_done_by_a_test() -> None:
    (program,) = read_file("Scenario: Held\n    The booking of Ben Roth should be cancelled")
    desk = desk_of(world := World(*BOOKINGS))
    player = Player(program, desk)
    play(world, player.play())
    assert player.account is not None
    assert not [action for action in world.done if isinstance(action, Click)]


def test_a_name_that_begins_with_a_figure_counts_nothing() -> None:
    # It once was taken for a number, and stopped the run.
    assert told_by_records(BOOKINGS, "7jet, 2go and Parking are listed") is None
