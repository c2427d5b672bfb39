"""Chinese ways of saying that hold for any words: what is left out, loops, cases, places, order."""

from __future__ import annotations

import pytest
from corpora import corpus, is_refused, written

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_generally.txt"))
def test_a_way_of_saying_is_read_as_meant(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize("act", ["点击保存", "点确定", "单击提交", "点击一下发送"])
@pytest.mark.parametrize("then", ["等待“完成”", "检查“完成”可见", "验证“完成”出现"])
def test_an_act_before_another_is_never_dropped(act: str, then: str) -> None:
    first, *_ = read_sentence(f"{act}后{then}").steps
    assert isinstance(first, p.Point)


@pytest.mark.parametrize(
    "said",
    [
        "将甲、乙、丙三张卡片按丙、甲、乙的顺序拖动排列",
        "把“例会”从上午9点改到上午11点",
        "登录成功的话，点击“开始”",
        "只勾选“周二”",
        "把左边的三个单词分别拖到右边对应的图片上",
        "如果当前显示的是英文界面，点击“EN”",
        "如果购物车是空的，就先去商品页随便加一件",
        "把 1 到 5 依次填入五个输入框",
        "切回原来的标签页",
        "在输入框中输入今天的日期",
        "如果今天是周五，点击“提交周报”",
        "点击下面那个",
        "断言表格里没有重复的编号",
        "输入超过 20 个字的昵称",
        "密码分别输入 123 和 456",
        "检查按钮变为不可点击并开始倒计时",
        "把找到的文件全部复制到“报销”文件夹",
        "根据图中的颜色选择正确的选项",
        "在输入框里重复输入密码 x7Kp 两次",
        "若有弹窗先关闭弹窗，再点击“签到”",
        "如果 5 秒内没有响应，就点“停止”",
        "把第一段剪切到文末",
        "关闭新窗口",
        "要是提示“失败”，点“重试”；还是不行就点“取消”",
    ],
)
def test_what_is_not_certain_is_refused(said: str) -> None:
    assert is_refused(said)


@pytest.mark.parametrize("path", ["D:\\备份", "C:\\日志\\旧", "E:\\a.txt"])
def test_a_path_ends_where_the_sentence_goes_on(path: str) -> None:
    first, second = read_sentence(f"运行 dir {path}，然后点击“确定”").steps
    assert isinstance(first, p.Run)
    assert first.command == f"dir {path}"
    assert isinstance(second, p.Point)


@pytest.mark.parametrize("noun", ["输入框", "文本框", "选项", "复选框", "勾选框", "单元格"])
def test_a_noun_put_back_is_put_back_once(noun: str) -> None:
    steps = read_sentence(f"点击第一个{noun}，再点击第二个").steps
    assert [step.what for step in steps if isinstance(step, p.Point)] == [
        f"第一个{noun}",
        f"第二个{noun}",
    ]
