"""Deeds with particulars, signs and lists, in words that are only read afresh."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_afresh

SENTENCES = corpus("english_afresh_deeds.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_turns_of_speech_are_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


def test_what_the_screen_lacks_is_said_in_plainer_words() -> None:
    (steps,) = read_afresh("Remove the Rope line with the × at the end of its row")
    assert [step.what for step in steps if isinstance(step, p.Point)] == ["the × in the Rope row"]
    first = next(read_afresh("Give Food a score of 4 and View a score of 5."))
    assert [(s.what, s.value) for s in first if isinstance(s, p.SetValue)] == [
        ("Food", "4"),
        ("View", "5"),
    ]
    taken = next(read_afresh('Remove the song "Rain" from the playlist'))
    assert [(s.verb, s.what) for s in taken if isinstance(s, p.Perform)] == [
        ("remove", 'the song "Rain"')
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Pick a date about two weeks from today.",
    ],
)
def test_what_is_not_told_stays_refused(said: str) -> None:
    assert is_refused(said)
