"""How people commonly put what they ask for, in both languages."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

SENTENCES = [*corpus("english_commonly.txt"), *corpus("chinese_commonly.txt")]


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_commonly_said_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        # They are not where they were any more.
        "Delete all drafts, then restore them",
        "Make sure that the list contains Apple, Pear and Plum in this order.",
        # Where an item ends the brackets do not tell.
        "Fill down the formula from C2 to C20.",
        'Select only "A" and "B"',
        "Add three todos (milk, eggs, bread), pressing Enter after each",
    ],
)
def test_what_would_be_a_guess_is_refused(said: str) -> None:
    assert is_refused(said)
