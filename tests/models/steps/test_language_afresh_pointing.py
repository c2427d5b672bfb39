"""English put afresh: order, looking for something, things told by clauses, wishes, copying."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.afresh import plainer

SENTENCES = corpus("english_afresh_pointing.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_said_in_other_words_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Don't press Stop until you have pressed Start.",
        "Of the boxes, tick only Milk and Bread.",
        'Look in each tab for the link "Prices", but do not click it unless it is new.',
        "Book the cheapest flight from Oslo to Rome and back, on 5 May 2026 or later.",
    ],
)
def test_what_says_more_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    "said",
    [
        "Verify that the button to press is Save.",
        'Make sure that the link "Prices" is hidden in one of the sections.',
        "The summary field should contain the same text as the notes field.",
        "The following boxes should be ticked: Milk, Bread.",
        "Check that the red lamp is the one to click.",
        "Ensure that whichever ticket costs the least is at the top.",
    ],
)
def test_what_is_claimed_is_never_done(said: str) -> None:
    steps = read_sentence(said).steps
    assert all(isinstance(step, p.Check | p.Unclear) for step in steps)


def test_what_is_done_after_looking_through_something_is_not_lost() -> None:
    assert "tick Milk" in written("Go through the boxes and tick Milk; finally press Save.")


def test_who_only_wants_to_travel_books_nothing() -> None:
    turned = list(plainer("I want to fly from Oslo to Rome on 5 May 2026."))
    assert not any("book" in worded.lower() for worded in turned)
