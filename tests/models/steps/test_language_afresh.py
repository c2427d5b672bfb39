"""What is read afresh: instructions that no rule takes, in plainer words of the same meaning."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, stripped, written
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_afresh, read_sentence
from carrel.models.steps.language.afresh import plainer


@pytest.mark.parametrize(("said", "steps"), corpus("english_afresh_acts.txt"))
def test_what_is_said_roundabout_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "Frobnicate the Save button.",
        "Verify that the mood is good.",
        "Make sure that the total is not more than before.",
        "The report should be later than 5 May.",
    ],
)
def test_what_plainer_words_do_not_tell_stays_refused(said: str) -> None:
    assert is_refused(said)


def test_a_claim_that_no_rule_reads_is_held_against_what_is_shown() -> None:
    said = "The order summary should list the Blue mug with a quantity of 2"
    assert [stripped(step) for step in read_sentence(said).steps] == [p.Check(p.Said(said))]


@pytest.mark.parametrize(
    "said", ["Click the Save button", 'Type "give it a click" into the Name field', "点击“保存”"]
)
def test_what_is_plain_already_has_no_other_words(said: str) -> None:
    assert list(plainer(said)) == []


@given(st.text(max_size=80))
def test_whatever_is_said_plainer_words_come_to_an_end_and_leave_nothing_unclear(said: str) -> None:
    for steps in read_afresh(said):
        assert not any(isinstance(step, p.Unclear) for step in steps)
