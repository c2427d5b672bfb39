from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.bench.plan import MOST_SEEDS, Plan, Trial, parse_seeds
from carrel.errors import InvalidInput


def test_a_number_of_seeds_means_the_first_ones() -> None:
    assert parse_seeds("3") == (0, 1, 2)
    assert parse_seeds(" 1 ") == (0,)


def test_a_list_of_seeds_means_exactly_those() -> None:
    assert parse_seeds("0,3,5") == (0, 3, 5)
    assert parse_seeds("20-23") == (20, 21, 22, 23)
    assert parse_seeds("1, 4-6, 5") == (1, 4, 5, 6)


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "1,,2", "7,", "a", "3-1", "1.5", "٣", "0-999999999", str(MOST_SEEDS + 1)],
)
def test_other_words_are_no_seeds(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_seeds(text)


@given(st.lists(st.integers(0, 10**8), min_size=2, unique=True))
def test_any_list_of_seeds_is_read_as_it_is_written(seeds: list[int]) -> None:
    assert parse_seeds(",".join(map(str, seeds))) == tuple(seeds)


@given(st.text(max_size=20))
def test_no_text_makes_it_fail_otherwise(text: str) -> None:
    with contextlib.suppress(InvalidInput):
        assert len(parse_seeds(text)) >= 1


def test_every_task_comes_with_the_first_seed_before_any_with_the_second() -> None:
    plan = Plan(("a", "b"), (4, 9), attempts=2)
    trials = list(plan.trials())
    assert len(plan) == len(trials) == len(set(trials)) == 8
    assert trials[:4] == [Trial("a", 4), Trial("b", 4), Trial("a", 9), Trial("b", 9)]
    assert {trial.attempt for trial in trials[4:]} == {1}
    assert str(trials[-1]) == "b seed 9 attempt 2"
