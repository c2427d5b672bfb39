"""Chinese as it is said with a word less: each sentence of the table is read as it is meant."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps.language import read_sentence
from carrel.models.steps.program import Worded


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_shortly.txt"))
def test_what_is_said_shortly_is_read_as_it_is_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    ["确认页面正常", "你别选红色", "打开“A”或“B”"],
)
def test_what_leaves_something_open_is_refused(said: str) -> None:
    assert is_refused(said)


def test_one_unread_deed_among_others_is_left_to_the_screen() -> None:
    steps = read_sentence("挂张桂芳医生的号，就诊人换成“女儿”，提交预约").steps
    assert [type(step) is Worded for step in steps] == [True, False, False]


def test_an_unread_deed_that_bounds_what_is_done_is_not_left_to_the_screen() -> None:
    steps = read_sentence("除张桂芳以外的号挂一遍，就诊人换成“女儿”，提交预约").steps
    assert not any(isinstance(step, Worded) for step in steps)
