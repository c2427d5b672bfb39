"""Chinese as testers say it of forms, tables, menus, editors, sheets, folders and pages."""

from __future__ import annotations

import datetime

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.chinese.days import day_from


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_as_said.txt"))
def test_a_sentence_is_read_as_a_tester_means_it(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        # Into which field, or which text?
        "输入密码“Qwe!23”，再输入一遍密码",
        "在“密码”中输入“a1”，再次输入密码",
        "输入密码",
        "输入验证码",
        # When that is cannot be seen.
        "等文件下载",
        "等订单提交",
        "等待表单保存",
        # A day and a time.
        "把提醒时间改到今天下午三点",
        "会议时间填明天上午10点",
        # Two verbs, or one name.
        "勾选等待确认",
        # Nothing that it could stand for.
        "点击同一个按钮",
        "在里面点击“确定”",
        # What would have to be worked out.
        "返回日期应晚于出发日期",
        "检查返回日期不早于出发日期",
        "验证“总计”等于“单价”乘以“数量”",
        "检查第一行的时间是最新的",
        "在第一行前插入一行",
        "新建一个空白文档，输入“会议纪要”，居中，另存为“纪要.docx”",
    ],
)
def test_what_could_be_read_wrongly_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize("wait", ["等", "等待", "等到", "点“查询”，等"])
@pytest.mark.parametrize("thing", ["页面", "表格", "列表", "搜索结果", "数据", "图表"])
@pytest.mark.parametrize("event", ["刷新", "重新加载", "刷新完成", "更新", "刷新出来"])
def test_what_is_waited_for_is_never_done(wait: str, thing: str, event: str) -> None:
    *before, last = read_sentence(f"{wait}{thing}{event}").steps
    assert isinstance(last, p.Wait)
    assert not any(isinstance(step, p.Navigate | p.Perform) for step in before)


@pytest.mark.parametrize("field", ["确认密码框", "“确认密码”", "第二个输入框", "重复密码栏"])
@pytest.mark.parametrize("again", ["再输入一遍", "再填一次", "再次输入一遍", "输入相同的密码"])
def test_a_text_is_typed_once_more_where_it_is_said(field: str, again: str) -> None:
    first, second = read_sentence(f"在密码框输入“a#1”，在{field}里{again}").steps
    assert isinstance(first, p.Enter)
    assert isinstance(second, p.Enter)
    assert (second.text, second.into) == ("a#1", field.translate({0x201C: '"', 0x201D: '"'}))


@pytest.mark.parametrize("field", ["返回日期", "出发日期", "还书日期", "执行日期", "到期日"])
@pytest.mark.parametrize(
    ("said", "day"), [("本月20号", "本月20号"), ("下周五", "下周五"), ("明天", "明天")]
)
@pytest.mark.parametrize("how", ["{f}选{d}", "{f}选择{d}", "把{f}设为{d}", "在{f}中填入{d}"])
def test_a_date_field_gets_the_day_that_is_meant(field: str, said: str, day: str, how: str) -> None:
    (step,) = read_sentence(how.format(f=field, d=said)).steps
    assert isinstance(step, p.PickDate)
    assert step.into == field
    # The day may have changed since it was read.
    today = datetime.datetime.now().astimezone().date()
    around = (today, today - datetime.timedelta(days=1))
    assert step.iso in {str(day_from(day, one)) for one in around}


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("本月最后一天", "2024-02-29"),
        ("下个月最后一天", "2024-03-31"),
        ("上月最后一天", "2024-01-31"),
        ("下月第一天", "2024-03-01"),
    ],
)
def test_the_ends_of_a_month_are_days(said: str, day: str) -> None:
    assert str(day_from(said, datetime.date(2024, 2, 10))) == day


@pytest.mark.parametrize(
    "name",
    [
        "打开",
        "选择",
        "查看全部",
        "仅查看",
        "输入",
        "返回",
        "全部替换",
        "刷新",
        "等待审核",
        "删除选中",
    ],
)
@pytest.mark.parametrize("kind", ["", "按钮"])
def test_a_name_that_looks_like_a_verb_is_a_name(name: str, kind: str) -> None:
    (quoted,) = read_sentence(f"点击“{name}”{kind}").steps
    assert isinstance(quoted, p.Point)
    assert quoted.what == f'"{name}"{kind}'


@pytest.mark.parametrize("name", ["打开", "查看全部", "返回", "全部替换", "删除选中", "新建文件夹"])
def test_a_name_without_quotes_may_be_a_verb(name: str) -> None:
    (step,) = read_sentence(f"点击{name}").steps
    assert isinstance(step, p.Point)
    assert step.what == name
