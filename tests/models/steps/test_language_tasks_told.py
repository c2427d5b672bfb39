"""Whole tasks of small pages, as people tell them."""

from __future__ import annotations

import pytest
from corpora import corpus, written

from carrel.models.steps.language.afresh import plainer

THREE = (
    "set the first slider to 10, then set the second slider to 19, then set the third slider to 9"
)


@pytest.mark.parametrize(("said", "steps"), corpus("english_of_tasks.txt"))
def test_a_told_task_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Open the menu and choose Ann", "choose Ann"),
        ("Pick any letter that is small and click it", "click any small letter"),
        ("Move the three sliders to 10, 19 and 9", THREE),
        ("Turn the knobs to 4 and 7", "set the first knob to 4, then set the second knob to 7"),
        ("Use the spinner to set the value to -3", "set the spinner to -3"),
        ("Reserve seats B2 and B3", "choose B2 and B3"),
        ("Take D7 off again", "click D7"),
        ("Unsubscribe from the newsletter", "untick the newsletter"),
        ("Give it a star", "star it"),
        ("Delete it and confirm that you want to delete it", "Delete it and confirm"),
        ("Look up Ann in the address book", "find Ann in the address book"),
    ],
)
def test_how_a_control_is_taken_hold_of_is_said_plainly(said: str, plain: str) -> None:
    assert plain in [worded.strip() for worded in plainer(said)]


@pytest.mark.parametrize(
    "said",
    [
        "Never take D7 off again",
        "Do not unsubscribe from the newsletter",
        "Do not give it a star",
    ],
)
def test_what_shall_not_be_done_is_put_into_no_plainer_words_without_that(said: str) -> None:
    weighty = ("never", "not")
    assert all(any(w in worded.lower() for w in weighty) for worded in plainer(said))
