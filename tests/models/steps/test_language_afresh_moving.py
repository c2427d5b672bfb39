"""Mails, moves, fields and marked texts in the many ways in which people tell them."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps.language import read_afresh, write_step

SENTENCES = corpus("english_afresh_moving.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_is_told_in_many_ways_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("Put Berlin in the bottom center cell.", "drag Berlin to the bottom center"),
        ("Pull the ball some distance down.", "drag the ball down"),
        ("Make a circle that has the red dot as its center.", "draw a circle around the red dot"),
        ("Share the mail from Otto with Lena.", 'forward the mail from Otto (to: "Lena")'),
        ('Type "K7" as the code in the two fields.', "for each [text fields]"),
        (
            "Click exactly halfway between the two stars.",
            "click the midpoint between the two stars",
        ),
        ("Click where x is 2 and y is -1 on the chart.", "click the point (2,-1) on the grid"),
        ("Select all the words of the paragraph.", "highlight the paragraph"),
        ("In the dropdown pick 6 ft.", "choose 6 ft from the dropdown"),
        ("Type the date 03/14/2026 in the field.", "choose the date 03/14/2026"),
        ("Make the City field active by clicking in it.", "click the City field"),
    ],
)
def test_what_the_screen_does_not_have_is_read_in_plainer_words(said: str, first: str) -> None:
    steps = next(read_afresh(said))
    assert write_step(steps[0]).splitlines()[0] == first


@pytest.mark.parametrize(
    "said",
    [
        "Do not forward the email from Otto to Lena.",
        "The email from Otto is important.",
        "Delete Otto's message, not the one from Lena.",
        "Forward the email from Otto to Lena or to Ines.",
        "The email from Otto was forwarded to Lena.",
    ],
)
def test_what_is_no_such_instruction_is_not_turned_into_one(said: str) -> None:
    turned = [write_step(step) for steps in read_afresh(said) for step in steps]
    assert not any(one.startswith(("forward", "delete", "mark", "reply")) for one in turned)


@pytest.mark.parametrize(
    "said",
    [
        "Type the 2nd one into the City field.",
        'Type "Oslo" into the City field, some of it in upper case and some not.',
        "Keep generating until the number is odd, then press Save.",
        "Circles go left, everything else goes right.",
    ],
)
def test_a_text_that_nobody_told_is_not_typed(said: str) -> None:
    assert is_refused(said)
