"""Sentences about looking for things, and what pronouns after them stand for."""

from __future__ import annotations

import pytest

from carrel.models.steps.finding.results import is_result
from carrel.models.steps.language import read_sentence, write_program


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            'Look through the tabs for the link "harbour" and click it',
            ['find the link "harbour"', 'click the link "harbour"'],
        ),
        (
            'Go through all the pages until you find "Ann", then click the name',
            ['find "Ann"', 'in "Ann", click the name'],
        ),
        (
            'Open each section until you see the "Terms" link, then click it',
            ['find the "Terms" link', 'click the "Terms" link'],
        ),
        (
            "Wait until the Next button is enabled, then click it",
            ["wait until the Next button is enabled", "click the Next button"],
        ),
        (
            'On the card of "Blue Mug" click the heart',
            ['in the card of "Blue Mug", click the heart'],
        ),
        ("Place the caret into the last text field", ["click the last text field"]),
        ("Put the cursor in the second text box", ["click the second text box"]),
    ],
)
def test_ways_to_look_for_things_are_understood(said: str, steps: list[str]) -> None:
    assert write_program(read_sentence(said)).strip().splitlines() == steps


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("Open the pages", ["open the pages"]),
        ("Click the tab for guests", ["click the tab for guests"]),
        ("Go to the list", ["open the list"]),
    ],
)
def test_a_tab_or_a_page_that_is_meant_itself_stays_so(said: str, steps: list[str]) -> None:
    assert write_program(read_sentence(said)).strip().splitlines() == steps


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("result 3", 3),
        ("search result number 12", 12),
        ("the result #2", 2),
        ("the last hit", -1),
        ("the first result of the search", 1),
        ("the results", 0),
    ],
)
def test_results_have_numbers(words: str, number: int) -> None:
    assert is_result(words) == number
