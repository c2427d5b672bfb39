"""English as plans of tests say it: lists of controls, references, waits, brackets, dates."""

from __future__ import annotations

import datetime

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.dates import weekday_ahead

SENTENCES = corpus("english_at_tests.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_testers_say_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        # Nothing was named before
        "Type Bob there.",
        "Type Bob into it.",
        "Double-click the cell and type it there.",
        # The last word may belong to the text
        "Click the Notes field and type we met there.",
        # No picture of now tells when that is so
        "Wait for the lamp to blink.",
        "Wait until the price changes.",
        "Wait for the window to be resized.",
        "Wait for the cursor to turn into a hand.",
        "Wait for the changes to be saved.",
        # Into which field?
        "Pick a date about two weeks from today.",
        # What tells of a text is not typed
        "Fill the formula down to row 10.",
        "Enter 200 characters into the Title field.",
        "Enter your name in the Name field.",
        "Fill out the address: Street Main St 5, City Boston, ZIP 02101.",
        "Type Hello World in bold.",
        "Use the arrow keys to move to the third item and press Enter.",
        # What becomes of something is no instruction
        "An email should be sent to the user.",
        "The file should be saved.",
        # Windows have no order
        "Switch to the second window.",
        # What is told of a thing is no text that it says
        "Check that the required fields are marked with an asterisk.",
    ],
)
def test_what_is_not_certain_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    ("today", "days"),
    [
        ("2026-11-16", ("2026-11-20", "2026-11-27")),
        ("2026-11-20", ("2026-11-27",)),
        ("2026-11-22", ("2026-11-27",)),
    ],
)
def test_next_friday_is_told_where_both_ways_to_count_agree(
    today: str, days: tuple[str, ...]
) -> None:
    assert weekday_ahead("Friday", datetime.date.fromisoformat(today)) == days


def test_next_friday_in_a_calendar_is_that_day_or_refused() -> None:
    (step,) = read_sentence("Choose next Friday in the calendar.").steps
    days = weekday_ahead("Friday")
    if len(days) == 1:
        assert step == p.PickDate(days[0], days[0], "the calendar", words=step.words)
    else:
        assert isinstance(step, p.Unclear)
        assert all(day in step.why for day in days)


def test_a_list_of_names_that_look_like_verbs_does_nothing() -> None:
    steps = read_sentence("Check that there are the buttons Save, Print and Delete.").steps
    assert [type(step) for step in steps] == [p.Check]


@pytest.mark.parametrize(
    "said",
    [
        "Wait for the table to refresh.",
        "Wait until the page reloads.",
        "Wait for the list to be updated.",
        "Wait until the spinner disappears.",
    ],
)
def test_a_wait_only_waits(said: str) -> None:
    assert all(isinstance(step, p.Wait) for step in read_sentence(said).steps)
