"""English in yet other words: questions, sign-ins, searches, posts, looks, values, whereabouts."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

SENTENCES = corpus("english_afresh_questions.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_said_in_yet_other_words_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Log in with the username and password shown above.",
        "Log in with a wrong password.",
        "What is this? Fill it in.",
        "Go through the list, and wherever it says Open, click it.",
        "Add up all the prices and put the total in the text box.",
        "Somewhere there is something. Click it.",
    ],
)
def test_what_cannot_be_certain_is_refused(said: str) -> None:
    assert is_refused(said)


def test_what_is_claimed_of_a_control_is_no_order_to_set_it() -> None:
    assert written("The slider must be at 5.") == 'verify that the slider equals "5"'
