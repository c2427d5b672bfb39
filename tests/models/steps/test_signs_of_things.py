"""A sign on a thing is not the thing: the star of a file."""

from __future__ import annotations

import pytest

from carrel.models.steps.finding.own_names import own_name


@pytest.mark.parametrize(
    "phrase",
    ['the star of "Plan.xlsx"', 'the heart of "Plan"', 'the price of "Tea"', 'the bin for "Plan"'],
)
def test_a_sign_of_something_is_not_called_by_its_name(phrase: str) -> None:
    assert own_name(phrase) is None


@pytest.mark.parametrize(
    ("phrase", "name"),
    [('the recipe for "Soup"', "Soup"), ('the conversation with "Ann Lee"', "Ann Lee")],
)
def test_a_noun_may_stand_before_a_name(phrase: str, name: str) -> None:
    assert own_name(phrase) == name
