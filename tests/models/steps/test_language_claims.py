"""What is claimed to be so, in the words of testers, and what is checked then."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.program import Unclear


@pytest.mark.parametrize(
    ("said", "step"),
    [
        (
            'verify that "Save" is visible and "Cancel" is not',
            'verify that all of ("Save" is visible), (not ("Cancel" is visible))',
        ),
        (
            "Verify that the Save button is enabled and the Cancel button is not",
            "verify that all of (the Save button is enabled), (not (the Cancel button is enabled))",
        ),
        (
            'Verify that neither "Apple" nor "Pear" is visible',
            'verify that all of (not ("Apple" is visible)), (not ("Pear" is visible))',
        ),
        (
            "check that no customer whose status is Expired is visible",
            'verify that not (customer with the status "Expired" is visible)',
        ),
        (
            "verify that none of the rows has the status Expired",
            'verify that not (rows with the status "Expired" is visible)',
        ),
        ("检查没有状态为“过期”的客户", 'verify that not (状态为"过期"的客户 is visible)'),
        ("检查没有一行的状态是“过期”", 'verify that not (状态为"过期"的行 is visible)'),
        ("verify that the display shows 51.2", 'verify that the display contains "51.2"'),
        ("验证显示结果为 468", 'verify that 结果 equals "468"'),
        ("Verify that Ann's status is Active", 'verify that Ann\'s status equals "Active"'),
        (
            "verify that there are no more than 2 items in the list",
            "verify that there are at most 2 items in the list",
        ),
        ("Verify that the number of rows is 5", "verify that there are exactly 5 rows"),
        ("verify that the dialog has closed", "verify that not (the dialog is visible)"),
        ("验证对话框已关闭", "verify that not (对话框 is visible)"),
        ("Verify that we are on page 2", "verify that page 2 is selected"),
        ("验证当前是第 2 页", "verify that 第 2 页 is selected"),
        ("verify that the cursor is in the Email field", "verify that Email field is focused"),
        ("验证光标在“邮箱”输入框中", 'verify that "邮箱"输入框 is focused'),
        (
            "verify that the list is sorted by name",
            "verify that list is sorted by name in ascending order",
        ),
        (
            "验证列表按价格从高到低排序",
            "verify that 列表 is sorted by 价格 in descending order",
        ),
        (
            'Verify that the first item in the list is "Apple"',
            'verify that the first item in the list equals "Apple"',
        ),
        (
            'wait until "Done" appears in the log panel',
            'wait until "Done" in the log panel is visible',
        ),
        (
            'Verify that "Welcome" can be seen at the top of the page',
            'verify that "Welcome" at the top of the page is visible',
        ),
        (
            "wait for the Submit button to become enabled",
            "wait until the Submit button is enabled",
        ),
        ("Wait until the price changes to 42", 'wait until the price equals "42"'),
        ("wait until the upload is finished", "wait until the page has loaded"),
        ("等待上传完成", "wait until the page has loaded"),
        ("验证列表中至多有 2 项", "verify that there are at most 2 列表里的项目"),
        ("验证表格中至少有 3 行数据", "verify that there are at least 3 表格里的行"),
    ],
)
def test_a_claim_is_checked_as_it_was_meant(said: str, step: str) -> None:
    steps = read_sentence(said).steps
    assert [write_step(one) for one in steps] == [step]


@pytest.mark.parametrize(
    "said",
    [
        "Verify that the list is sorted by name",
        "Verify that the prices are sorted from high to low",
        "验证列表按价格从高到低排序",
    ],
)
def test_what_is_written_of_an_order_is_read_as_the_same(said: str) -> None:
    (step,) = read_sentence(said).steps
    assert read_sentence(write_step(step)).steps[0].condition == step.condition  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ('verify that "Yes" is not visible any more', 'verify that not ("Yes" is visible)'),
        ('verify that "Yes" is not shown anymore', 'verify that not ("Yes" is visible)'),
        ("verify that the box is not ticked yet", "verify that not (the box is checked)"),
        ("verify that Save is disabled again", "verify that not (Save is enabled)"),
        ("verify that the list is empty again", "verify that the list is empty"),
        ('verify that "x" does not appear at all', 'verify that not ("x" is visible)'),
        ("verify that the box is checked by default", "verify that the box is checked"),
        ("verify that the status is not Open", 'verify that not (the status equals "Open")'),
        ("verify that the price is not 12", 'verify that not (the price equals "12")'),
        ("验证列表里没有“x”了", 'verify that not (列表里的"x" is visible)'),
        ("验证“x”还没有出现", 'verify that not ("x" is visible)'),
        ("验证“x”没有显示出来", 'verify that not ("x" is visible)'),
        ("验证“x”还在", 'verify that "x" is visible'),
        ("验证“是否加急”已打开", 'verify that "是否加急" is checked'),
        ("验证计算器已打开", 'verify that the window "计算器" is open'),
        ("验证“x”没有了", 'verify that not ("x" is visible)'),
    ],
)
def test_when_it_is_so_is_no_part_of_what_is_claimed(words: str, read: str) -> None:
    (step,) = read_sentence(words).steps
    assert write_step(step) == read


@pytest.mark.parametrize(
    "words",
    [
        "verify that the door is not ajar",
        "verify that the total is at least ten apples",
        "verify that the counter is between ten apples and twenty",
        "verify that the page is not ready for use",
        "verify that the wizard is not back where it was",
    ],
)
def test_a_claim_that_no_text_could_deny_is_not_taken_for_true(words: str) -> None:
    """ "Is not …" of a state that no rule knows would pass on every screen."""
    (step,) = read_sentence(words).steps
    assert isinstance(step, Unclear)
