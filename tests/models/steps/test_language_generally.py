"""English in other words: things told by clauses, lists with a noun, references, particulars."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence

SENTENCES = corpus("english_generally.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_said_in_other_words_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Pick the two cities Oslo, Rome and Bern.",
        "If the login fails, click Retry.",
        "Pick a return date three days after May 4.",
        'Log in as "guest" without a password.',
        "Search for flights from Oslo to Rome on 12 May 2025, one way.",
        "Cut the first line and paste it below the last line.",
        "Enter the two words shown above the box, separated by a space.",
        "Check that the balance is now BEFORE plus 50.",
        "Switch between light and dark mode twice.",
        "Log in with the credentials shown on the page.",
        "Type your email, then your password, and log in.",
        "In the first row change the quantity to 5, in the second row to 2.",
        "Type the letters A, B and C into the three cells of the first row.",
    ],
)
def test_what_cannot_be_certain_is_refused(said: str) -> None:
    assert is_refused(said)


def test_a_date_in_figures_is_read_like_the_one_beside_it() -> None:
    start, end = read_sentence(
        "Set the from date to 02/03/2026 and the to date to 28/03/2026."
    ).steps
    assert isinstance(start, p.PickDate)
    assert isinstance(end, p.PickDate)
    assert (start.iso, start.other, start.into) == ("2026-03-02", "", "the from date")
    assert (end.iso, end.into) == ("2026-03-28", "the to date")
