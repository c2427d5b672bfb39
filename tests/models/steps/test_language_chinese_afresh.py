"""Chinese that no rule took at first: one table of sentences, and what must stay refused."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_afresh.txt"))
def test_a_sentence_is_read_in_plainer_words(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "出生日期为 1988 年 8 月 8 日",
        "全部标为已读",
        "切换每页显示 100 条",
        "查询日期从 2026-01-01 到 2026-01-31",
        "会议时间填明天上午10点",
        "在 15 号那天新建一个日程，标题写“团建”",
        "验证姓名“张三”，电话“123”",
    ],
)
def test_what_may_be_meant_otherwise_is_refused(said: str) -> None:
    assert is_refused(said)
