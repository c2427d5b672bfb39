"""Claims in any words, held against what stands together on the screen."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.claims.said_together import saying
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

PAGE = element("Clinic", "document web", (0, 0, 800, 600), id="page")


def text(name: str, x: int, y: int, width: int = 80, parent: str = "page") -> Element:
    return element(name, "static", (x, y, width, 18), parent=parent)


def row(at: int, *cells: str) -> list[Element]:
    """A row of a table, and its cells."""
    y, key = 300 + 30 * at, f"row{at}"
    held = [
        element(said, "table cell", (20 + 150 * n, y, 150, 30), parent=key)
        for n, said in enumerate(cells)
    ]
    return [element("", "table row", (20, y, 600, 30), parent="table", id=key), *held]


SCREEN = (
    PAGE,
    element("Rosa Lind", "heading", (20, 20, 700, 30), parent="page"),
    text("Visits", 20, 100),
    text("14", 20, 120),
    text("Allergies", 160, 100),
    text("2", 160, 120),
    text("Born", 20, 180),
    text("12 June 1984", 200, 180),
    text("Blood group", 20, 205),
    text("A positive", 200, 205),
    text("Showing 4 of 12 bills", 20, 240, 200),
    element("", "table", (20, 270, 600, 120), parent="page", id="table"),
    element("Bill", "column header", (20, 270, 150, 30), parent="table"),
    element("Status", "column header", (170, 270, 150, 30), parent="table"),
    element("Amount", "column header", (320, 270, 150, 30), parent="table"),
    *row(0, "B-17", "Paid", "€84.50"),
    *row(1, "B-18", "Overdue", "€19.90"),
    text("Reminder for B-18 was sent at 10:45", 20, 450, 300),
)


@pytest.mark.parametrize(
    "claim",
    [
        "The blood group should be A positive",
        "She was born on 12 June 1984",
        "Visits should be 14",
        "the page should say that 4 of 12 bills are shown",
        "bill B-18 should be listed as Overdue with €19.90",
        "A notice should say that a reminder for B-18 was sent at 10:45",
    ],
)
def test_what_stands_together_is_said(claim: str) -> None:
    assert saying(SCREEN, claim) is not None


@pytest.mark.parametrize(
    "claim",
    [
        "The blood group should be Nordica Care",
        "The blood group should be 12 June 1984",
        "She was born on 14 June 1984",
        "Visits should be 2",
        "Allergies should be 14",
        "the page should say that 12 of 4 bills are shown",
        "the page should say that 12 bills are shown",
        "bill B-17 should be listed as Overdue with €19.90",
        "bill B-17 should be listed with €19.90",
        "A notice should say that a reminder for B-17 was sent at 10:45",
        "There should be 12",
    ],
)
def test_what_stands_apart_is_not_said(claim: str) -> None:
    assert saying(SCREEN, claim) is None


@pytest.mark.parametrize(
    "claim",
    [
        "bill B-18 should not be listed as Overdue",
        "only bill B-18 should be Overdue",
        "the first bill should be B-17",
        "at least 4 of 12 bills should be shown",
        "bill B-17 should no longer be Paid",
    ],
)
def test_what_a_small_word_turns_is_never_held_by_its_words(claim: str) -> None:
    assert saying(SCREEN, claim) is None


def test_a_list_of_things_is_said_where_each_of_them_is() -> None:
    cards = (
        PAGE,
        element("Your basket", "heading", (20, 20, 700, 30), parent="page"),
        *(
            part
            for at, (name, count) in enumerate((("Oak chair", "2"), ("Desk lamp", "4")))
            for part in (
                text(name, 20, 100 + 40 * at),
                text(count, 300, 100 + 40 * at, 10),
                text("Remove", 500, 100 + 40 * at, 60),
            )
        ),
    )
    assert saying(cards, "The basket should contain 2 Oak chairs and 4 Desk lamps") is not None
    assert saying(cards, "The basket should contain 4 Oak chairs and 2 Desk lamps") is None


def test_a_sign_that_turns_a_chinese_word_counts() -> None:
    screen = (
        PAGE,
        text("订单 A1002 待发货", 20, 100, 200),
        text("订单 A1003 已发货", 20, 130, 200),
    )
    assert saying(screen, "应提示订单 A1003 已发货") is not None
    assert saying(screen, "应提示订单 A1002 已发货") is None


def outcome(said: str, *elements: Element) -> tuple[str | None, list[str]]:
    """Why a sentence fails on a screen, if it does, and what it passed in doubt of."""
    world = World(*elements)
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player.account, player.doubtful


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ("There should be 14 visits.", True),
        ("There should be 2 visits.", False),
        ("The patient was born on 12 June 1984.", True),
        ("The patient was born on 13 June 1984.", False),
        ("A notice should say the reminder for B-18 was sent at 10:45.", True),
        ("A notice should say the reminder for B-18 was sent at 11:45.", False),
    ],
)
def test_what_is_only_held_by_words_passes_in_doubt(said: str, so: bool) -> None:
    account, doubts = outcome(said, *SCREEN)
    assert (account is None) is so
    assert bool(doubts) is so


def test_a_quoted_text_is_where_it_is_said_to_be() -> None:
    account, _ = outcome('Verify that the page title is "Rosa Lind".', *SCREEN)
    assert account is not None


def test_what_is_known_by_its_looks_need_not_be_called_so() -> None:
    account, doubts = outcome('"A positive" should be visible in the chart.', *SCREEN)
    assert account is None
    assert doubts
    account, _ = outcome('"A positive" should be visible in the sidebar.', *SCREEN)
    assert account is not None


def test_a_label_amidst_others_heads_none_of_them() -> None:
    lines = [("Inbox", "2"), ("Drafts", "5"), ("Sent", ""), ("Trash", "11")]
    held = [text(name, 20, 100 + 30 * at) for at, (name, _) in enumerate(lines)]
    held += [text(n, 160, 100 + 30 * at, 12) for at, (_, n) in enumerate(lines) if n]
    account, _ = outcome("Sent should show 11.", PAGE, *held)
    assert account is not None


BOTH = 'gives "Marta Silveira" as the name and "Conference + dinner" as the ticket'
PLACES = '"country:{}" for the last-location and "country:{}" for the passport-location'
SUMMARY = (
    PAGE,
    element("4 Review", "heading", (20, 20, 700, 30), parent="page"),
    text("Name", 20, 100),
    text("Marta Silveira", 200, 100, 150),
    text("Ticket", 20, 140),
    text("Conference + dinner", 200, 140, 180),
    text('"last-location": country:PT', 20, 200, 300),
    text('"passport-location": country:IS', 20, 230, 300),
    element("Publish", "push button", (20, 300, 80, 24), parent="page"),
    text("State: Draft", 20, 340, 120),
)


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ('Check that the review gives "Marta Silveira" as the name', True),
        (f"Check that the review {BOTH}", True),
        ('Check that the review gives "Conference + dinner" as the name', False),
        ('Check that the invoice gives "Marta Silveira" as the name', False),
        (f"Check that the page says {PLACES.format('PT', 'IS')}", True),
        (f"Check that the page says {PLACES.format('IS', 'PT')}", False),
        ("Verify that the page lists Marta Silveira as the name", True),
        ("Verify that the page lists Marta Silveira as the ticket", False),
    ],
)
def test_values_are_held_beside_the_labels_that_they_are_told_of(said: str, so: bool) -> None:
    account, _ = outcome(said, *SUMMARY)
    assert (account is None) is so


def test_what_a_button_does_is_not_what_is_so() -> None:
    account, _ = outcome("Verify that the state of the article is Published", *SUMMARY)
    assert account is not None
