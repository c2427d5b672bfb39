"""Chinese instructions: many wordings of one wish are the same steps."""

from __future__ import annotations

import dataclasses

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence


def steps_of(text: str) -> list[p.Step]:
    return [_bare(step) for step in read_sentence(text).steps]


def _bare(step: p.Step) -> p.Step:
    inner = {
        name: tuple(_bare(one) for one in getattr(step, name))
        for name in ("body", "then", "otherwise")
        if hasattr(step, name)
    }
    return dataclasses.replace(step, words="", line=0, **inner)  # type: ignore[arg-type]


SAME: list[tuple[list[str], list[p.Step]]] = [
    (
        [
            "点击保存",
            "请点击保存。",
            "单击保存",
            "麻烦点击保存，谢谢",
            "首先点击保存",
            "点一下保存",
        ],
        [p.Point("保存")],
    ),
    (
        [
            "选择星期二，然后点击提交",
            "选中星期二并点击提交。",
            "请选择星期二，再点击提交",
            "选择星期二。点击提交。",
            "先选择星期二，接着点击提交",
        ],
        [p.Choose(("星期二",)), p.Point("提交")],
    ),
    (
        [
            "在姓名框中输入“张三”",
            "在姓名框里填写“张三”",
            "输入“张三”到姓名框",
            "把“张三”填入姓名框",
            "将“张三”输入到姓名框中",
            "请在姓名框内键入“张三”。",
        ],
        [p.Enter("张三", "姓名框")],
    ),
    (
        [
            "勾选“牛奶”、“鸡蛋”和“面包”",
            "请勾选“牛奶”，“鸡蛋”和“面包”",
            "勾上“牛奶”、“鸡蛋”、“面包”",
            "启用“牛奶”、“鸡蛋”以及“面包”",
            "勾选“牛奶”和“鸡蛋”和“面包”",
        ],
        [p.Tick(('"牛奶"', '"鸡蛋"', '"面包"'))],
    ),
    (
        [
            "在点击保存之前，先勾选“同意”",
            "勾选“同意”，然后点击保存",
            "勾选“同意”之后，点击保存",
            "先勾选“同意”，再点击保存",
            "勾选“同意”后，点击保存",
        ],
        [p.Tick(('"同意"',)), p.Point("保存")],
    ),
    (
        [
            "从“国家”列表中选择“挪威”",
            "在“国家”列表里选择“挪威”",
            "请从“国家”列表中选中“挪威”",
            "在“国家”列表中选“挪威”",
            "从“国家”列表里挑选“挪威”。",
        ],
        [p.Choose(('"挪威"',), '"国家"列表')],
    ),
    (
        ["按回车键", "按下回车", "敲回车", "请按回车键。", "按 Enter 键"],
        [p.Press(("enter",))],
    ),
    (
        ["按 Ctrl+S", "按下 Ctrl+S", "按 Ctrl + S 组合键", "请按 Ctrl+S 快捷键", "按 Ctrl+S 保存"],
        [p.Press(("ctrl+s",))],
    ),
    (
        ["把滑块拖到 5", "将滑块设为 5", "把滑块调到 5", "将滑块移动到 5", "请把滑块设置为 5"],
        [p.SetValue("滑块", "5")],
    ),
    (
        [
            "如果看到“接受”，点击“接受”，否则点击“关闭”",
            "如果“接受”出现，就点击“接受”，否则点击“关闭”",
            "若“接受”可见，则点击“接受”，否则点击“关闭”",
            "如果有“接受”，点击“接受”；否则点击“关闭”",
            "假如“接受”显示，那么点击“接受”，不然点击“关闭”",
        ],
        [p.If(p.Shows('"接受"'), (p.Point('"接受"'),), (p.Point('"关闭"'),))],
    ),
    (
        [
            "等待“完成”出现",
            "等待直到“完成”出现",
            "等“完成”出现",
            "请等待“完成”显示",
            "等到“完成”可见",
        ],
        [p.Wait(until=p.Shows('"完成"'))],
    ),
    (
        ["等待 3 秒", "等 3 秒钟", "等待三秒", "请等待3秒。", "暂停 3 秒"],
        [p.Wait(3.0)],
    ),
    (
        [
            "验证页面显示“欢迎”",
            "检查页面上显示“欢迎”",
            "确认看到“欢迎”",
            "确保“欢迎”出现",
            "页面应该显示“欢迎”",
        ],
        [p.Check(p.Shows('"欢迎"'))],
    ),
    (
        [
            "把来自 Ann 的邮件转发给 Bob",
            "将来自 Ann 的邮件转发给 Bob",
            "转发来自 Ann 的邮件给 Bob",
            "请把来自 Ann 的邮件转发给 Bob。",
            "帮我把来自 Ann 的邮件转发给 Bob",
        ],
        [p.Perform("forward", "来自 Ann 的邮件", (("to", "Bob"),))],
    ),
    (
        ["向下滚动到底部", "滚动到底部", "往下滚动到最底部", "请滚动到底部。", "向下滚动至底端"],
        [p.Scroll("down", "end")],
    ),
    (
        [
            "选择 2016年12月31日",
            "选择日期 2016-12-31",
            "选中 2016/12/31",
            "请选择2016年12月31日。",
            "选择 2016年12月31号",
        ],
        [p.PickDate("*", "2016-12-31")],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [(text, steps) for texts, steps in SAME for text in texts]
)
def test_other_words_for_the_same_wish_are_the_same_steps(
    text: str, expected: list[p.Step]
) -> None:
    found = [
        dataclasses.replace(step, text="*") if isinstance(step, p.PickDate) else step
        for step in steps_of(text)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("双击图标", [p.Point("图标", "double")]),
        ("右键点击文件", [p.Point("文件", "right")]),
        ("悬停在“帮助”图标上", [p.Point('"帮助"图标', "hover")]),
        ("点击“加”按钮三次", [p.Point('"加"按钮', times=3)]),
        ("取消勾选“记住我”", [p.Tick(('"记住我"',), on=False)]),
        ("打开 https://example.org/", [p.GoTo("https://example.org/")]),
        ("打开计算器", [p.Open("计算器")]),
        ("切换到“终端”窗口", [p.SwitchTo("终端")]),
        ("关闭“设置”窗口", [p.CloseWindow("设置")]),
        ("刷新页面", [p.Navigate("reload")]),
        ("返回上一页", [p.Navigate("back")]),
        ("清空搜索框", [p.Clear("搜索框")]),
        ("展开“高级”部分", [p.Expand('"高级"部分')]),
        ("提交表单", [p.Submit()]),
        ("把红色方块拖到左边的框里", [p.Drag("红色方块", "左边的框")]),
        ("滚动直到看到“联系”", [p.Scroll(until='"联系"')]),
        ("读取总价并记为 price", [p.Read("总价", "price")]),
        ("运行命令 `ls -l`，并记为 out", [p.Run("ls -l", "out")]),
        ("点击文件 > 另存为", [p.Choose(("文件", "另存为"), path=True)]),
        ("重复 3 次：点击“下一步”", [p.Repeat((p.Point('"下一步"'),), 3)]),
        (
            "一直点击“下一页”，直到看到“结束”",
            [p.Repeat((p.Point('"下一页"'),), until=p.Shows('"结束"'))],
        ),
        (
            "对每个复选框，勾选它",
            [p.ForEach("each", (p.Tick(("{each}",)),), every="复选框")],
        ),
        (
            "找到 Ann 的电话号码，把它填入文本框",
            [p.Read("Ann 的电话号码", "it"), p.Enter("{it}", "文本框")],
        ),
        (
            "输入用户名“a”和密码“b”",
            [p.Enter("a", "用户名字段"), p.Enter("b", "密码字段")],
        ),
        (
            "一共有多少个红色的圆？",
            [p.Compute("count", "红色的圆", "it"), p.Answer("{it}")],
        ),
        (
            "在“用户名”字段中输入“ann”，在密码框里输入“pw”，再按回车键",
            [p.Enter("ann", '"用户名"字段'), p.Enter("pw", "密码框"), p.Press(("enter",))],
        ),
        ("在对话框中，点击“确定”", [p.Point('"确定"', place="对话框")]),
        ("复制第一段，粘贴到文本框中", [p.Copy("第一段"), p.Paste("文本框")]),
        ("“加载”消失后，点击“继续”", [p.Wait(until=p.Not(p.Shows('"加载"'))), p.Point('"继续"')]),
        ("验证总价等于 5", [p.Check(p.Has("总价", "5", "equals"))]),
        ("检查“同意”已勾选", [p.Check(p.Is('"同意"', "checked"))]),
    ],
)
def test_each_kind_of_step(text: str, expected: list[p.Step]) -> None:
    assert steps_of(text) == expected


def test_what_no_rule_understands_is_unclear() -> None:
    (step,) = read_sentence("胡说八道一通").steps
    assert isinstance(step, p.Unclear)
    assert "胡说八道一通" in step.why


def test_a_chinese_file_has_bodies_and_scenarios() -> None:
    first, second = read_file(
        """
标题：登录
准备：
    访问 {网址}
场景：成功
    在用户名框中输入 {user}
    如果“接受”出现
        点击“接受”
    否则
        等待 1 秒
    重复 3 次
        点击“下一步”
    对每个 复选框
        勾选 {each}
场景：失败
    点击登录
    验证页面显示“错误”
""",
        "登录.steps",
    )
    assert (first.title, second.title) == ("成功", "失败")
    assert [type(step).__name__ for step in first.steps] == [
        "GoTo",
        "Enter",
        "If",
        "Repeat",
        "ForEach",
    ]
    assert first.names == ("网址", "user")
    branch = first.steps[2]
    assert isinstance(branch, p.If)
    assert _bare(branch.otherwise[0]) == p.Wait(1.0)
