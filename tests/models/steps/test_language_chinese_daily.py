"""Everyday Chinese sentences of testers, each with the steps it is read as."""

from __future__ import annotations

import datetime

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.chinese.days import day_from


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_daily.txt"))
def test_an_everyday_sentence_is_read_as_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        "长按“删除”按钮",
        "长按图标 2 秒",
        "把页码跳到 5",
        "如果没有登录，则点击“登录”",
        "如果“下一页”按钮可用，就一直点击它",
        "用计算器计算 12*12",
        "验证图片已加载",
        "长按“录音”按钮 3 秒",
        "点击“新建员工”，弹出新建窗口后填写信息",
        "验证员工列表新增一行“周杰”",
        "页面缩放到 150%",
        "按住 Ctrl 拖动“a.txt”到“备份”",
        "如果 {OUT} 为空，就重新运行命令",
        "鼠标移开后，验证提示消失",
        "把左侧面板拉宽一些",
        "把 A1 到 A3 的和填到 A4",
        "验证“密码”输入框中的内容被隐藏",
        "在第三行后插入一行“附录”",
        "全部标为已读",
        "如果登录失败，则重新输入密码“abc123”",
        "只勾选“周一”和“周三”",
        "断言“苹果”排在“香蕉”前面",
        "截个图",
        "向下滚动 500 像素",
        "出生日期为 1988 年 8 月 8 日",
        "验证复选框全部已勾选",
        "验证两个密码一致",
    ],
)
def test_what_no_step_can_do_is_refused_and_not_read_as_something_else(said: str) -> None:
    assert is_refused(said)


def test_a_pointer_is_never_dragged() -> None:
    for said in ("把鼠标移到“保存”上", "鼠标移到“保存”", "将鼠标移开", "把鼠标放到“保存”上面"):
        steps = read_sentence(said).steps
        assert not any(isinstance(step, p.Drag | p.Perform) for step in steps)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("今天", "2026-11-18"),
        ("明天", "2026-11-19"),
        ("后天", "2026-11-20"),
        ("昨天", "2026-11-17"),
        ("本周五", "2026-11-20"),
        ("下周一", "2026-11-23"),
        ("上周日", "2026-11-15"),
        ("下个星期天", "2026-11-29"),
        ("三天后", "2026-11-21"),
        ("2 周前", "2026-11-04"),
    ],
)
def test_a_day_is_told_from_today(words: str, day: str) -> None:
    found = day_from(words, datetime.date(2026, 11, 18))
    assert found == datetime.date.fromisoformat(day)


def test_a_day_from_today_is_picked_only_in_a_field_for_days() -> None:
    (step,) = read_sentence("入住日期选择明天").steps
    assert isinstance(step, p.PickDate)
    (other,) = read_sentence("范围选择今天").steps
    assert other == p.Choose(("今天",), "范围", words=other.words)
