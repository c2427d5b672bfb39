"""Instructions as office workers and testers give them, in English and Chinese."""

from __future__ import annotations

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence, write_program


def read(text: str) -> list[str]:
    return write_program(read_sentence(text)).strip().splitlines()


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        # Keys
        ("Press Tab twice, then Enter", ["press the keys tab 2 times", "press the keys enter"]),
        (
            "Press the down arrow three times and then Enter",
            ["press the keys down 3 times", "press the keys enter"],
        ),
        ("Press Ctrl and A", ["press the keys ctrl+a"]),
        ("Use the keyboard shortcut Ctrl+S to save.", ["press the keys ctrl+s"]),
        # Forms
        (
            "Fill in the form with name John Smith, email john@x.com and phone 555-1234",
            [
                'type "John Smith" into the name field',
                'type "john@x.com" into the email field',
                'type "555-1234" into the phone field',
            ],
        ),
        (
            "Enter 5 in Quantity and 3 in Size",
            ['type "5" into Quantity', 'type "3" into Size'],
        ),
        (
            'Type "hello" in the first and "world" in the second field',
            ['type "hello" into the first field', 'type "world" into the second field'],
        ),
        ('Type "a" and then "b"', ['type "a"', 'append "b"']),
        ("Type =SUM(A1:A3) in cell A4", ['type "=SUM(A1:A3)" into cell A4']),
        ("Leave the phone field blank", ["verify that the phone field is empty"]),
        (
            'Clear the search field and type "lamp" instead.',
            ["clear the search field", 'type "lamp"'],
        ),
        # Values
        ("Change the language from English to German", ['set the language to "German"']),
        (
            "Set quantity to 2 for the coffee mug",
            ['in the coffee mug, set quantity to "2"'],
        ),
        ("Make the window smaller", ["resize the window to be smaller"]),
        (
            "Make the first line red and bold",
            [
                'give the first line the style "red"',
                'give the first line the style "bold"',
            ],
        ),
        # Files, mail, tables
        ('Rename "a.txt" to "b.txt"', ['rename "a.txt" (to: "b.txt")']),
        ('Give the folder the name "Taxes".', ['rename the folder (to: "Taxes")']),
        (
            'Replace every "colour" with "color".',
            ['replace "colour" (with: "color", in: "everywhere")'],
        ),
        ("Insert a row above row 3", ['perform "insert" on a row above row 3']),
        (
            "Delete the file old.log and confirm.",
            ["delete the file old.log", 'perform "confirm"'],
        ),
        ("Empty the trash", ['perform "empty" on the trash']),
        ("Rotate the image by 90 degrees", ['rotate the image (by: "90 degrees")']),
        (
            "Sort the table by price, highest first.",
            ['sort the table (by: "price", order: "descending")'],
        ),
        ("Order by date", ['sort (by: "date")']),
        (
            'Drag the card "Fix bug" from To do to Done',
            ['in To do, drag the card "Fix bug" to Done'],
        ),
        ("Select rows 2 to 4.", ["choose [row 2], [row 3] and [row 4]"]),
        (
            "Uncheck everything but Cheese",
            ["for each [checkboxes] except [Cheese]", "    untick {each}"],
        ),
        (
            "Select every checkbox except the last one",
            ["for each [checkbox] except [the last checkbox]", "    choose {each}"],
        ),
        # Conditions and waiting
        (
            "If there is a cookie banner, close it, then click Sign in",
            [
                "if [cookie banner] is visible",
                '    perform "close" on cookie banner',
                "click Sign in",
            ],
        ),
        (
            'If a field "Code" is visible, type "1" into it, then press Enter',
            [
                'if [a field "Code"] is visible',
                '    type "1" into a field "Code"',
                "    press the keys enter",
            ],
        ),
        (
            "Click the Save button only if it is enabled",
            ["if [the Save button] is enabled", "    click the Save button"],
        ),
        (
            "Hide the sidebar if it's visible.",
            ["if [the sidebar] is visible", "    hide the sidebar"],
        ),
        (
            "Keep clicking Next until you see the Summary page.",
            ["repeat until [the Summary page] is visible", "    click Next"],
        ),
        (
            'Wait for 5 minutes or until "Done" appears',
            ['wait up to 300 seconds until "Done" is visible'],
        ),
        ("Wait for the page to load", ["wait until the page has loaded"]),
        (
            "Once the page has loaded, click on the Sign in link.",
            ["wait until the page has loaded", "click the Sign in link"],
        ),
        (
            "Scroll down until you find the Privacy link, then click it.",
            ["scroll down until the Privacy link is visible", "click the Privacy link"],
        ),
        (
            "Check that the list has at least two items",
            ["verify that there are at least 2 items in the list"],
        ),
        (
            "Verify that the table has more than 3 rows",
            ["verify that there are at least 4 rows in the table"],
        ),
        (
            "Verify that no error message is displayed.",
            ["verify that not (error message is visible)"],
        ),
        (
            'Confirm that "Saved" is displayed within 10 seconds.',
            ['wait up to 10 seconds until "Saved" is visible'],
        ),
        (
            "Turn on dark mode, unless it is on already.",
            ["if not ([dark mode] is checked)", "    tick dark mode"],
        ),
        (
            "Close the popup if one appears.",
            ["if [the popup] is visible", '    perform "close" on the popup'],
        ),
        ("Copy cell A1 to B1.", ["copy cell A1", "paste into B1"]),
        # What not to do, where nothing does it
        ("Don't click Delete, click Archive instead", ["click Archive"]),
        ("Click Save, not Save As", ["click Save"]),
        (
            'Make sure you have ticked "I accept" prior to pressing Register.',
            ['tick "I accept"', "click Register"],
        ),
    ],
)
def test_english(said: str, steps: list[str]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "在用户名里填张三，在密码里填123456，然后点登录",
            ['type "张三" into 用户名', 'type "123456" into 密码', "click 登录"],
        ),
        (
            "在收件人中填bob@example.com，主题填“会议”，最后发送。",
            ['type "bob@example.com" into 收件人', 'type "会议" into 主题', "send"],
        ),
        (
            "把文件report.txt重命名为summary.txt",
            ['rename 文件report.txt (to: "summary.txt")'],
        ),
        ("将“旧”替换为“新”", ['replace "旧" (with: "新")']),
        ("记住订单号为N", ["read 订单号 as N"]),
        ("把语言从英文改成中文", ['set 语言 to "中文"']),
        (
            "除了“奶酪”全部勾选",
            ['for each [复选框] except ["奶酪"]', "    tick {each}"],
        ),
        (
            "勾选所有复选框，除了最后一个",
            ["for each [复选框] except [最后一个复选框]", "    tick {each}"],
        ),
        (
            "关闭除第一个以外的所有标签页。",
            ["for each [标签页] except [第一个标签页]", '    perform "close" on {each}'],
        ),
        ("滚动到页面底部", ["scroll to the bottom"]),
        ("等待页面加载完成", ["wait until the page has loaded"]),
        ("全选", ["highlight everything"]),
        ("按住Shift点击第三行", ["click 第三行 holding shift"]),
        ("关闭所有窗口", ["for each [窗口]", '    perform "close" on {each}']),
        (
            "如果有广告弹窗，关闭它，然后点击登录",
            [
                "if [广告弹窗] is visible",
                '    perform "close" on 广告弹窗',
                "click 登录",
            ],
        ),
        ("按价格从高到低排序。", ['sort (by: "价格", order: "descending")']),
        (
            "将字号设为14，字体设为宋体。",
            ['set 字号 to "14"', 'set 字体 to "宋体"'],
        ),
        ("电话留空，按继续。", ["verify that 电话 is empty", "click 继续"]),
        (
            "一直点下一步，直到出现“摘要”。",
            ['repeat until ["摘要"] is visible', "    click 下一步"],
        ),
        (
            "检查购物车里有三件商品。",
            ["verify that there are exactly 3 购物车里的商品"],
        ),
        ("检查“总计”是否等于100。", ['verify that "总计" equals "100"']),
        (
            "在表格中点击张三那一行的编辑按钮。",
            ["in 表格, click 张三那一行的编辑按钮"],
        ),
        (
            "选择2024年12月24日作为送货日期。",
            ["choose the date 2024年12月24日 in 送货日期"],
        ),
        ("不要点取消，点确定。", ["click 确定"]),
        ("勾选“牛奶”和“鸡蛋”，不要勾选“面包”。", ['tick "牛奶" and "鸡蛋"']),
        ("把音量增加10。", ["increase 音量 by 10"]),
        ("输入验证码4711，点击验证。", ['type "4711" into 验证码字段', "click 验证"]),
        (
            "点击“下一页”直到看不到“下一页”。",
            ['repeat until not (["下一页"] is visible)', '    click "下一页"'],
        ),
        ("把第一行加粗。", ['give 第一行 the style "bold"']),
        ("输入框里输入hello后按回车。", ['type "hello" into 输入框', "press the keys enter"]),
    ],
)
def test_chinese(said: str, steps: list[str]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Select Red or Blue", "which of them"),
        ('Click "Sign up" or "Register"', "which of them"),
        ("选择Visa或者万事达", "which of them"),
        ("Type 3 into Size, or 4 if it is full", ""),
        ("Type the password twice", "how often"),
        ("Write a short poem in the editor", "describes the text"),
        ("Type your email address into the box", "does not say what your email"),
        ('Type into "Notes"', "does not say what to type"),
        ("Choose from the Currency drop-down", "which option"),
        ("审核通过的话点“归档”，前提是流程没有问题", ""),
        ("Type Meet me in Paris", "in quotes"),
        ("Fill in the form", "what to fill the form with"),
        ("Log out without saving.", "not to do"),
        ("Never click Delete.", "not to do"),
        ("Click Save. Do not close the window.", "not to do"),
        ("After the upload finishes, click Publish.", "cannot be seen"),
        ("Verify the Submit button stays disabled until both fields are filled.", "not clear"),
        ("Upload a.jpg and wait until it has been uploaded", "not clear"),
        ("Tick every second box.", "all of which"),
        ("Delete all but the newest file.", "all of which"),
        ('Change the order status to "Shipped" for all orders from Berlin.', "end?"),
        ('Write "hello" backwards.', "end?"),
        ("Click OK as many times as needed.", "as many"),
        ("Press F5 or click Refresh.", "which of them"),
        ("复制report.docx并命名为backup.docx。", "clipboard"),
        ("Take a screenshot", "kept anyway"),
        ("截图", "kept anyway"),
        ("Make sure that nothing is selected", "not clear"),
        ("如果没有登录，点击登录", "condition"),
        ("Change my password from old1 to new2", "the old one"),
    ],
)
def test_what_is_open_is_told_and_not_guessed(said: str, why: str) -> None:
    told = [step for step in read_sentence(said).steps if isinstance(step, p.Unclear)]
    assert told
    assert why in told[0].why


def test_a_date_that_may_be_two_days_tells_the_other() -> None:
    (step,) = read_sentence("Enter the date 03/04/2025 in the Start field").steps
    assert isinstance(step, p.PickDate)
    assert (step.iso, step.other) == ("2025-03-04", "2025-04-03")
    (step,) = read_sentence("Enter the date 03/14/2025 in the Start field").steps
    assert isinstance(step, p.PickDate)
    assert step.other == ""
