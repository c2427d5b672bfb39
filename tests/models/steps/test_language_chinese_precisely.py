"""Chinese said precisely, or not precisely enough: which field, which text, how much."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_precisely.txt"))
def test_a_precise_sentence_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "value",
    ["{库存} 的一半", "{库存} 减 1", "{库存}的两倍", "{库存} 的 80%", "{库存} 加 {在途}"],
)
@pytest.mark.parametrize(
    "said",
    ["数量填 {value}", "在数量框里输入 {value}", "把 {value} 填进数量框", "把数量改成 {value}"],
)
def test_what_would_have_to_be_worked_out_is_never_typed(said: str, value: str) -> None:
    assert is_refused(said.replace("{value}", value))


@pytest.mark.parametrize("value", ["{总价}元", "{name}的订单"])
def test_what_was_remembered_may_stand_in_a_text(value: str) -> None:
    assert written(f"备注填 {value}") == f'type "{value}" into 备注'


@pytest.mark.parametrize(
    "said",
    [
        "密码填平时用的那个密码",
        "在密码框里输入我常用的密码",
        "手机号填自己的手机号",
        "备注写上次的内容",
        "在备注里填和上面一样的内容",
        "输入出生日期",
        "填写收货地址",
        "填写姓名和电话",
        "备注里随便写两句",
        "发货仓库下拉框选一下",
        "把手机号里的空格去掉再提交",
        "打开计算器，计算 15*8",
        "弹窗关了吗？",
        "确认库存比原来少",
        "把这三封邮件都删了",
        "删除前要弹出确认框",
        "刷新后勾选状态应保留",
        "输入 11 位以上的手机号",
        "密码框里的内容应该显示成圆点",
        "视频播放到 1 分 30 秒处暂停",
        "从第 3 行开始每行都勾选",
        "单价乘以数量应等于小计",
    ],
)
def test_what_is_only_described_is_refused(said: str) -> None:
    assert is_refused(said)
