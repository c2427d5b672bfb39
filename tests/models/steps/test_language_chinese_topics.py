"""Chinese topics and what is said of them, and what is told of a file with several faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrel.errors import InvalidInput
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.program import (
    Check,
    Choose,
    Count,
    Enter,
    Every,
    ForEach,
    Has,
    Is,
    Not,
    Perform,
    PickDate,
    PickTime,
    Point,
    SetValue,
    Step,
    Tick,
)


def steps(said: str) -> tuple[Step, ...]:
    return read_sentence(said).steps


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("报名课程选择“插花入门”", Choose(('"插花入门"',), source="报名课程")),
        ("搜索引擎选择“必应”", Choose(('"必应"',), source="搜索引擎")),
        ("在必填的“公司名称”里填“远景”", Enter("远景", '"公司名称"')),
        ("删除员工“何静”", Perform("delete", '员工"何静"')),
        ("审批通过“刘芳”的加班申请", Perform("approve", '"刘芳"的加班申请')),
        ("退回这份合同", Perform("send back", "这份合同")),
        ("邮编填错了，改成 518000", SetValue("邮编", "518000")),
        ("把已读的全部删掉", Point('"清除已读"')),
        ("勾选张伟、李娜和王强三行", Tick(("张伟", "李娜", "王强那一行"))),
        ("勾选“红富士”和“香蕉”这两个商品", Tick(('"红富士"', '"香蕉"'))),
    ],
)
def test_a_topic_that_begins_like_a_verb_is_one(said: str, step: Step) -> None:
    read = steps(said)
    assert len(read) == 1
    kept = {"words": read[0].words, "line": read[0].line, "said": getattr(read[0], "said", "")}
    known = {name: value for name, value in kept.items() if name in step.__dataclass_fields__}
    assert read[0] == replace(step, **known)


def test_the_parts_of_what_is_made_are_fields_of_it() -> None:
    made, title, day, at, ahead = steps(
        "新建一个日程，标题“体检”，时间是 11 月 26 日下午三点，提前 30 分钟提醒。"
    )
    assert isinstance(made, Perform)
    assert isinstance(title, SetValue)
    assert title.value == "体检"
    assert isinstance(day, PickDate)
    assert day.into == "日期"
    assert isinstance(at, PickTime)
    assert at.iso == "15:00"
    assert isinstance(ahead, Choose)
    assert ahead.options == ('"提前 30 分钟"',)


def test_what_is_looked_up_for_a_stay_is_filled_in() -> None:
    arrival, departure, rooms, search = steps(
        "查一下 12 月 24 日入住、12 月 27 日离店、要 2 间房的空房情况。"
    )
    assert isinstance(arrival, PickDate)
    assert arrival.into == "入住日期"
    assert isinstance(departure, PickDate)
    assert departure.into == "离店日期"
    assert isinstance(rooms, SetValue)
    assert rooms.value == "2"
    assert isinstance(search, Perform)
    assert search.verb == "search"


def test_so_many_that_are_so_have_to_be_as_many_and_are_each_ticked() -> None:
    count, each = steps("勾选状态为“已过期”的两张")
    assert isinstance(count, Check)
    assert count.condition == Count('状态为"已过期"的行', 2)
    assert isinstance(each, ForEach)
    assert each.every == '状态为"已过期"的行'


@pytest.mark.parametrize(
    "said",
    [
        "“保存”按钮一开始应该是不可点击的",
        "一开始“保存”按钮应该不可用",
        "默认情况下“保存”按钮应该不可用",
    ],
)
def test_when_a_claim_is_made_is_no_part_of_a_name(said: str) -> None:
    (check,) = steps(said)
    assert isinstance(check, Check)
    assert check.condition == Not(Is('"保存"按钮', "enabled"))


def test_what_is_said_of_each_of_several_is_claimed_of_each() -> None:
    (check,) = steps("验证“甲”和“乙”的状态都是“已发货”")
    assert isinstance(check, Check)
    assert check.condition == Every(
        (Has('"甲"的状态', "已发货", "equals"), Has('"乙"的状态', "已发货", "equals"))
    )


def test_what_is_looked_at_holds_each_of_the_claims_after_the_colon() -> None:
    claims = steps("核对订单信息：收货人为“张三”，金额为 99")
    assert [c.condition for c in claims if isinstance(c, Check)] == [
        Has("订单信息里的收货人", "张三", "equals"),
        Has("订单信息里的金额", "99", "equals"),
    ]


def test_every_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_file("点击“保存”\n哗啦哗啦\n点击“关闭”\n叽里咕噜\n", "a.steps")
    told = caught.value.message.splitlines()
    assert [line.split(" ")[0] for line in told] == ["a.steps:2:", "a.steps:4:"]
    assert caught.value.context["lines"] == [2, 4]
