"""Whole instructions in Chinese as people give them, and what they ask of what is shown."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_requests.txt"))
def test_a_request_is_read_as_it_is_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "全部删掉",
        "把音量调低一点",
        "把张华的班次和李明的对调一下",
        "哪个员工还没打卡？",
    ],
)
def test_a_request_that_says_too_little_is_refused(said: str) -> None:
    assert is_refused(said)
