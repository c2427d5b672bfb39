"""Chinese of testers and office workers: one table of sentences, and what must stay refused."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_office.txt"))
def test_a_sentence_of_the_office_is_read_as_it_is_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "验证姓名“张三”，电话“123”",
        "点“取消”，确认数据没有变化",
        "把 B 列的宽度调宽一些",
    ],
)
def test_what_says_too_little_is_refused(said: str) -> None:
    assert is_refused(said)
