"""What is read afresh: instructions that no rule takes, in plainer words of the same meaning."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, stripped, written
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_afresh, read_sentence
from carrel.models.steps.language.afresh import plainer
from carrel.models.steps.language.afresh.weighty import keeps_weight


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


@pytest.mark.parametrize(
    "said",
    [
        "Do not click Save before Cancel",
        "Don't press Delete after you have pressed Save",
        "Do not press A 5 seconds after pressing B",
        "You should never press Delete before Save",
        "Refrain from clicking Save before Cancel",
        "不要在点击“取消”之前点击“保存”",
        "别先点“保存”再点“取消”",
    ],
)
def test_what_is_forbidden_is_not_half_done_in_plainer_words(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize(
    ("said", "worded", "kept"),
    [
        ("Press A and not B", "Press A", False),
        ("Tick all boxes except Red", "Tick all boxes", False),
        ("Press A if it is red", "Press A", False),
        ("Take at least 3 of them", "Take 3 of them", False),
        ("Set 5 of them to 7", "Set them to 7", False),
        ("Press A; you have to unlock the page", "Press A", False),
        ("Press A; you have to scroll for it", "Press A", True),
        ("Don't forget to press A", "Press A", True),
        ("Pick one, it does not matter which", "Pick one", True),
    ],
)
def test_plainer_words_keep_what_denies_excepts_and_bounds(
    said: str, worded: str, kept: bool
) -> None:
    assert keeps_weight(said, worded) is kept


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
