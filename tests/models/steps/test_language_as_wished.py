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
