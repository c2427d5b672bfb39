"""What a task wishes to be so, and common deeds said in a roundabout way."""

from __future__ import annotations

import pytest
from corpora import corpus, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence

SENTENCES = corpus("english_as_wished.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_said_in_a_roundabout_way_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Click All and make sure that Milk is ticked",
        "Make sure that Milk is ticked",
        "Make sure the Save button is selected, then click Next",
        "Milk should be ticked",
        "Make sure that it is ticked, then click Next",
    ],
)
def test_what_may_have_come_of_something_is_only_looked_at(said: str) -> None:
    steps = read_sentence(said).steps
    assert not any(isinstance(step, p.Tick | p.Choose) for step in steps)


def test_in_a_file_nothing_is_done_to_make_a_claim_true() -> None:
    (program,) = read_file("Make sure that Milk is ticked\nClick Save\n")
    assert [type(step) for step in program.steps] == [p.Check, p.Point]


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("Click Save when everything is done", "wait until the page has loaded\nclick Save"),
        ("Click Skip when you see it", "wait until Skip is visible\nclick Skip"),
        ("Press Save first and then Print last", "click Save\nclick Print"),
        ("Delete a copy of the letter", "delete a copy of the letter"),
        ("Book a room for me and my wife", "book a room for me and my wife"),
        ("Highlight the word in yellow", 'give the word the style "yellow"'),
        (
            "Ensure at most two toppings are selected, then press Save",
            "verify that there are at most 2 toppings that are selected\nclick Save",
        ),
        (
            'There is a button "Help" on the page. Open the file and delete it',
            'verify that button "Help" is visible\nopen the file\ndelete the file',
        ),
        (
            "When the dialog appears, the box should be ticked and press Save",
            "wait until the dialog is visible\nverify that the box is checked\nclick Save",
        ),
    ],
)
def test_waits_bounds_and_names_stay_what_they_are(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "I want to see the mails deleted in the last week",
        "Please get the files deleted in the last week",
        "Verify that the Save button should be pressed",
        "The total must be checked. Press Print",
        "Make sure the cart is cleared, then click Checkout",
        "I would like the draft never submitted",
    ],
)
def test_nothing_is_done_to_what_one_only_speaks_of(said: str) -> None:
    steps = read_sentence(said).steps
    acts = (p.Perform, p.Tick, p.Choose)
    assert not any(isinstance(step, acts) for step in steps)


@pytest.mark.parametrize(
    "said",
    [
        "Click all the buttons in order, starting with One and ending with Four",
        'Click "A". B comes after C',
        "Open the form; fill in the fields and press Submit",
        "Set an alarm for 06:45 called Gym that repeats on Monday and save it",
    ],
)
def test_half_of_what_is_said_is_not_done(said: str) -> None:
    assert any(isinstance(step, p.Unclear) for step in read_sentence(said).steps)
