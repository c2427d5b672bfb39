"""Chinese sentences about pages: what is so is never done, and a noun is no verb."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_on_pages.txt"))
def test_a_sentence_about_a_page_is_read_as_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize("name", ["A4 打印纸", "移动电源", "拖鞋", "数据线", "录音笔", "播放器"])
def test_what_begins_or_goes_on_like_a_verb_is_called_by_all_its_words(name: str) -> None:
    assert written(f"点击{name}那一行的删除") == f"click {name}那一行的删除"
    assert written(f"勾选{name}") == f"tick {name}"


@pytest.mark.parametrize(
    "said",
    [
        "“记住我”已勾选",
        "“记住我”未选中",
        "“邮件通知”开关已打开",
        "“全部”标签页处于选中状态",
        "下拉框当前选中的是“全部”",
        "“高级搜索”已收起",
    ],
)
def test_how_a_thing_is_said_to_be_is_only_looked_at(said: str) -> None:
    assert all(isinstance(step, p.Check) for step in read_sentence(said).steps)


@pytest.mark.parametrize(
    "said", ["选择已完成", "切换到已完成", "把状态改为已完成", "点击“显示已删除”"]
)
def test_a_name_that_tells_a_state_is_still_pointed_at(said: str) -> None:
    assert not is_refused(said)
    assert not any(isinstance(step, p.Check) for step in read_sentence(said).steps)
