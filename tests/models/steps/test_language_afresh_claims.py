"""Claims in passing: what is or should be, in words that begin like an act or end short."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence

SENTENCES = corpus("english_afresh_claims.txt")


@pytest.mark.parametrize(("said", "steps"), SENTENCES)
def test_what_should_be_is_claimed_and_never_done(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "The password should be masked",
        "Each price should have two decimals",
        "The background should be dark",
        "The total should be twice the price",
        "Verify that all orders were placed in March 2026",
    ],
)
def test_what_no_screen_tells_is_refused(said: str) -> None:
    assert is_refused(said)


def test_what_was_is_held_by_its_words_and_orders_nothing() -> None:
    (step,) = read_sentence("Order 1041 was placed on 2026-03-02").steps
    assert isinstance(step, p.Check)
    assert isinstance(step.condition, p.Said)
