"""Instructions about forms, surveys, rows and orders, each read as one would mean it."""

from __future__ import annotations

import dataclasses
import datetime

import pytest

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence


def plain(step: p.Step) -> p.Step:
    """The step without the words it came from, those inside it too."""
    bare = dataclasses.replace(step, words="", line=0)
    if isinstance(bare, p.ForEach):
        return dataclasses.replace(bare, body=tuple(map(plain, bare.body)))
    if isinstance(bare, p.If):
        then, otherwise = tuple(map(plain, bare.then)), tuple(map(plain, bare.otherwise))
        return dataclasses.replace(bare, then=then, otherwise=otherwise)
    return bare


def read(text: str) -> list[p.Step]:
    return [plain(step) for step in read_sentence(text).steps]


YEAR = datetime.datetime.now(tz=datetime.UTC).year
EACH = "{each}"
APPROVE = p.Point("Approve", place=EACH)
ORDERS = "the Orders page"


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Fill in First name with Ann, Last name with Lee and press Continue",
            [p.Enter("Ann", "First name"), p.Enter("Lee", "Last name"), p.Point("Continue")],
        ),
        (
            "Fill in First name with Ann and Last name with Lee",
            [p.Enter("Ann", "First name"), p.Enter("Lee", "Last name")],
        ),
        ("Fill in First name with Ann", [p.Enter("Ann", "First name")]),
        ("Fill First name with Ann", [p.Enter("Ann", "First name")]),
        ("Fill in the First name field with Ann", [p.Enter("Ann", "the First name field")]),
        ("Fill in Notes with bread and butter", [p.Enter("bread and butter", "Notes")]),
    ],
)
def test_a_field_is_filled_with_what_follows_with(said: str, steps: list[p.Step]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ('Answer "No" to question 2', [p.Choose(('"No"',), place="question 2")]),
        (
            'Answer "Very satisfied" to question 1 and "No" to question 2, then submit the survey',
            [
                p.Choose(('"Very satisfied"',), place="question 1"),
                p.Choose(('"No"',), place="question 2"),
                p.Submit(),
            ],
        ),
        ("Answer Yes", [p.Answer("Yes")]),
    ],
)
def test_an_answer_to_a_question_is_the_option_there(said: str, steps: list[p.Step]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        'If the Save button is greyed out, stop with the message "nothing to save"',
        'If the Save button is greyed out, fail with "nothing to save"',
        "If the Save button is greyed out, stop",
        "If the Save button is greyed out, abort the test",
        'Stop with the message "nothing to save"',
    ],
)
def test_a_run_that_is_told_to_stop_says_what_to_ask_instead(said: str) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.Unclear)
    assert "cannot be told to stop here" in step.why
    assert "verify that" in step.why


def test_what_plays_can_still_be_stopped() -> None:
    assert read("Stop the video") == [p.Perform("stop", "the video")]
    assert read("Click Start, then stop")[-1] == p.Perform("stop")


@pytest.mark.parametrize(
    ("said", "every", "body"),
    [
        ("For each row, click Approve", "row", (APPROVE,)),
        (
            "For each row in the table whose Status is Pending, click Approve",
            "row in the table whose Status is Pending",
            (APPROVE,),
        ),
        (
            "For every pending row click the Approve button",
            "pending row",
            (p.Point("the Approve button", place=EACH),),
        ),
        (
            "For each row, tick Paid and click Approve",
            "row",
            (p.Tick(("Paid",), place=EACH), APPROVE),
        ),
        (
            'For each row, click Edit, type "x" into Name and click Save',
            "row",
            (p.Point("Edit", place=EACH), p.Enter("x", "Name"), p.Point("Save")),
        ),
        ("For each row, click it", "row", (p.Point(EACH),)),
        ("For each page, click Next", "page", (p.Point("Next"),)),
        ("For each message, press Delete", "message", (p.Press(("delete",)),)),
    ],
)
def test_what_is_done_for_each_row_is_done_in_it(
    said: str, every: str, body: tuple[p.Step, ...]
) -> None:
    assert read(said) == [p.ForEach("each", body, every=every)]


def test_after_a_click_it_is_the_page_that_says_something() -> None:
    said = 'Click Verify; if it says "Expired", click Resend'
    expired = p.If(p.Shows('"Expired"'), (p.Point("Resend"),))
    assert read(said) == [p.Point("Verify"), expired]
    field = read('Click the Status field; if it contains "x", clear it')[-1]
    assert field == p.If(p.Has("the Status field", "x", "contains"), (p.Clear("the Status field"),))
    told = read('Click Follow and check that it says "Following"')
    assert told[-1] == p.Check(p.Has("Follow", "Following", "contains"))


@pytest.mark.parametrize("verb", ["shows", "says", "displays", "reads"])
def test_what_shows_something_may_show_more(verb: str) -> None:
    assert read(f"Check that the cart {verb} 1 item") == [
        p.Check(p.Has("the cart", "1 item", "contains"))
    ]


@pytest.mark.parametrize("verb", ["is", "equals", "is equal to"])
def test_what_is_something_is_nothing_more(verb: str) -> None:
    assert read(f"Check that the cart {verb} 1 item") == [
        p.Check(p.Has("the cart", "1 item", "equals"))
    ]


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        (
            "Remember the order number and check that it appears on the Orders page",
            [p.Read("the order number", "it"), p.Check(p.Shows("{it}"), place=ORDERS)],
        ),
        (
            "Remember the order number as n and check that {n} is visible on the Orders page",
            [p.Read("the order number", "n"), p.Check(p.Shows("{n}"), place=ORDERS)],
        ),
        (
            'Check that "A1" is not visible in the Orders table',
            [p.Check(p.Not(p.Shows('"A1"')), place="the Orders table")],
        ),
    ],
)
def test_what_was_remembered_is_looked_for_where_it_is_said(said: str, steps: list[p.Step]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("复制后粘贴到“备注”框", [p.Copy(), p.Paste('"备注"框')]),
        ("在订单页面检查“A1”是否存在", [p.Check(p.Shows('"A1"'), place="订单页面")]),
        (
            "记住订单号，检查该订单号是否存在",
            [p.Read("订单号", "it"), p.Check(p.Shows("{it}"))],
        ),
        ("在设置页面点击“保存”", [p.Point('"保存"', place="设置页面")]),
        ("按日期排序表格", [p.Perform("sort", "表格", (("by", "日期"),))]),
        (
            "按价格从高到低排序列表",
            [p.Perform("sort", None, (("by", "价格"), ("order", "descending")))],
        ),
    ],
)
def test_chinese_orders_and_tables(said: str, steps: list[p.Step]) -> None:
    assert read(said) == steps


@pytest.mark.parametrize(
    ("said", "text", "day", "into"),
    [
        ("Choose the 15th of March in the calendar", "15th of March", "03-15", "the calendar"),
        ("Pick March 15 in the date picker", "March 15", "03-15", "the date picker"),
        ("Select May 5 on the calendar", "May 5", "05-05", "the calendar"),
    ],
)
def test_a_day_in_a_calendar_is_a_date(said: str, text: str, day: str, into: str) -> None:
    assert read(said) == [p.PickDate(text, f"{YEAR}-{day}", into)]


def test_a_month_in_a_calendar_is_an_option() -> None:
    assert read("Choose March in the calendar") == [p.Choose(("March",), "the calendar")]


def test_one_logs_in_as_a_user() -> None:
    assert read("Log in as ann@x.org with the password hunter2") == [
        p.Perform("log in", None, (("username", "ann@x.org"), ("password", "hunter2")))
    ]
