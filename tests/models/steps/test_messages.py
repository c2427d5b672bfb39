"""Messages that are told by their sort, or in other words than they say."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Key
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def judged(claim: str, *after: Element, before: tuple[Element, ...] = ()) -> str | None:
    """Why a claim is not so after Save was clicked, which brings up what is said; None if it is."""
    page = (
        element("Shop", "document web", (0, 0, 800, 600), id="p"),
        element("Settings", "heading", (20, 20, 200, 30), parent="p"),
        element("Save", "push button", (20, 500, 80, 30), parent="p"),
    )
    world = World(*page, *before)
    world.on("Save", lambda w, _hit, _action: w.elements.extend(after))
    desk = desk_of(world)
    player = Player(read_sentence(f"Click Save. {claim}"), desk)
    play(world, player.play(), desk)
    return player.account


def said(text: str, role: str = "static") -> Element:
    return element(text, role, (20, 100, 400, 20), parent="p")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Verify that a confirmation message is shown", "Message sent to eva@example.org"),
        ("Check that a success message appears", "Your profile has been updated."),
        ("Verify that an error message is shown", "Password must have 8 characters"),
        (
            "Verify that a message confirms that the settings were saved",
            "Your settings have been saved.",
        ),
        ("Make sure a message says that the order was placed", "The order has been placed!"),
    ],
)
def test_a_message_that_came_is_told_by_its_sort_or_in_other_words(claim: str, text: str) -> None:
    assert judged(claim, said(text)) is None


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Verify that a confirmation message is shown", "The address is invalid"),
        ("Verify that an error message is shown", "Message sent"),
        ("Verify that an error message is shown", "Thank you. Please check your inbox."),
        (
            "Verify that a message confirms that the settings were saved",
            "Your settings could not be saved.",
        ),
        (
            "Verify that a message confirms that the settings were saved",
            "Your picture has been saved.",
        ),
        # What is quoted is what it says, to the word.
        (
            'Verify that a message says "the settings were saved"',
            "Your settings have been saved.",
        ),
    ],
)
def test_a_message_that_means_something_else_is_not_the_one(claim: str, text: str) -> None:
    assert judged(claim, said(text)) is not None


def test_a_status_bar_is_no_message() -> None:
    bar = element("3 items", "status bar", (0, 580, 800, 20), parent="p")
    assert judged("Verify that a message is shown", before=(bar,)) is not None


def test_what_stood_there_before_confirms_nothing() -> None:
    claim = "Verify that a confirmation message is shown"
    assert judged(claim, before=(said("Message sent yesterday"),)) is not None


def test_a_quoted_text_of_a_thing_that_nothing_is_called_passes_in_doubt() -> None:
    world = World(
        element("Tasks", "document web", (0, 0, 800, 600), id="p"),
        element("1 item left", "static", (20, 400, 200, 20), parent="p"),
    )
    desk = desk_of(world)
    player = Player(read_sentence('Verify that the footer note reads "1 item left"'), desk)
    play(world, player.play(), desk)
    assert player.account is None
    assert "nothing is called footer note" in player.doubtful[0]


def test_a_field_is_left_before_a_claim_of_its_page_is_given_up() -> None:
    states = ("editable", "focusable", "single line")
    world = World(
        element("Cart", "document web", (0, 0, 800, 600), id="p"),
        element("Quantity", "entry", (20, 100, 80, 30), *states, value="1", parent="p"),
        element("Total", "static", (20, 200, 80, 20), parent="p"),
        element("$5.00", "static", (110, 200, 80, 20), parent="p", id="sum"),
    )

    def left(w: World, _hit: Element, action: Action) -> None:
        if isinstance(action, Key) and action.keys == ("tab",):
            total = element("$15.00", "static", (110, 200, 80, 20), parent="p", id="sum")
            w.elements = [total if e.id == "sum" else e for e in w.elements]

    world.on("key", left)
    desk = desk_of(world)
    sentence = 'Type "3" into the Quantity field. Verify that the total is $15.00'
    player = Player(read_sentence(sentence), desk)
    play(world, player.play(), desk)
    assert player.account is None
