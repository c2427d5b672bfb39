"""Words about drawn things: what they are read as."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence
from carrel.models.steps.program import (
    Answer,
    Compute,
    Step,
)
from carrel.models.steps.reaching.spots import is_spot


def kinds(text: str) -> list[type[Step]]:
    return [type(step) for step in read_sentence(text).steps]


@pytest.mark.parametrize(
    "text",
    [
        "Click the answer that tells how many green stars there are.",
        "Pick the option which shows how many edges the figure has",
        "Press the button that gives the number of black dots",
    ],
)
def test_a_control_that_tells_a_number_is_an_answer_to_be_worked_out(text: str) -> None:
    assert kinds(text) == [Compute, Answer]


@pytest.mark.parametrize(
    "phrase",
    [
        "the middle of the two dots", "the midpoint between A and B", "the centre of the circle",
        "the point (3, -2) on the graph", "grid coordinate (0,1)", "coordinates (1.5, 2)",
        "the half-way point between the crosses",
    ],
)  # fmt: skip
def test_places_that_follow_from_things(phrase: str) -> None:
    assert is_spot(phrase)


@pytest.mark.parametrize("phrase", ["(40, 50)", "the Save button", "the middle button", "the list"])
def test_things_and_pixels_are_no_such_places(phrase: str) -> None:
    assert not is_spot(phrase)
