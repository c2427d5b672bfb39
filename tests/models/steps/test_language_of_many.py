"""Claims and tasks about many things at once, and what they must not be taken for."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps.claims.comparing import compare
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.afresh import plainer
from carrel.models.steps.program import Compute


@pytest.mark.parametrize(("said", "steps"), corpus("english_of_many.txt"))
def test_what_is_said_of_many_things_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said", ["Fill it in", "Fill that in", "The form is long. Fill it in", "Sort the words"]
)
def test_what_is_left_open_is_refused(said: str) -> None:
    assert is_refused(said)


def test_people_who_are_listed_are_counted() -> None:
    first = read_sentence("How many people are listed?").steps[0]
    assert isinstance(first, Compute)
    assert (first.how, first.what) == ("count", "people")


@pytest.mark.parametrize(
    ("text", "status", "so"),
    [
        ("Bob Active", "active", True),
        ("Bob Inactive", "active", False),
        ("Invoice 7 Unpaid", "paid", False),
        ("Invoice 7: paid", "paid", True),
        ("not yet shipped", "shipped", False),
        ("Abandoned", "done", False),
        ("read-only", "read", False),
        ("已完成", "完成", True),
        ("未完成", "完成", False),
        ("不可用", "可用", False),
        ("Johnson", "son", True),
    ],
)
def test_no_status_is_found_in_its_opposite(text: str, status: str, so: bool) -> None:
    assert compare(text, "contains", status) is so


def test_numbers_in_a_row_are_clicked_one_by_one() -> None:
    (plain,) = plainer("Click each number from 3 to 5")
    assert plain.lower() == "click 3, then click 4, then click 5"
