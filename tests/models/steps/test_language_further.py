"""English and Chinese as office workers and testers write them: places, owners, keys, days."""

from __future__ import annotations

import datetime
import re

import pytest
from corpora import corpus, is_refused, written
from hypothesis import given
from hypothesis import strategies as st

from carrel.models.steps import program as p
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.chinese.days import day_from
from carrel.models.steps.language.dates import iso_time
from carrel.models.steps.language.told_days import day_shown, days_of, time_shown


@pytest.mark.parametrize(
    ("said", "steps"), [*corpus("english_further.txt"), *corpus("chinese_further.txt")]
)
def test_what_is_written_at_work_is_these_steps(said: str, steps: str) -> None:
    assert written(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        # Nothing was named that it could belong to
        "Click her avatar.",
        "Verify that its status is Active.",
        "点击她的头像",
        "检查其状态为“启用”",
        "将其状态改为“停用”",
        # How many all would be no picture tells
        "Verify that all rows are shown.",
        "All columns should be displayed again.",
        "Every row should be visible.",
        "Not all rows should be shown.",
        "Wait until all results are listed.",
        "检查所有行都显示",
        "如果所有行都显示，点击“关闭”",
        # How it is done, or how it would look
        "Delete the file temp.log permanently.",
        "Print the document on both sides.",
        "The Phone field should only accept digits.",
        "The Save button should be disabled until all required fields are filled in.",
        "必填项没填完之前，“保存”按钮应为灰色",
        "检查密码框的内容以圆点显示",
        "Compare the total with the sum of the item prices.",
        "Wait for the new window and switch to it.",
        "检查没有任何一行包含“测试用户”",
        "把购物车里每件商品的数量都设为 1",
        'You should see "Done" and be taken to the home page.',
        "The field should turn red and the button stay disabled.",
        # A comma in a name, a day and a time
        "选中“第一章”，应用“标题 1”样式",
        "把会议改到明天下午三点",
        # One day or two, and what else is said of it
        "Verify that the date is today or tomorrow.",
        # Where?
        "Start a new paragraph below the heading.",
        "空一行",
    ],
)
def test_what_stands_for_nothing_known_is_refused(said: str) -> None:
    assert is_refused(said)


def _days_from_now(ahead: int) -> set[str]:
    """The day so far from now, also if it has just become another one."""
    today = datetime.datetime.now().astimezone().date()
    return {str(today + datetime.timedelta(days=ahead - late)) for late in (0, 1)}


@pytest.mark.parametrize(
    ("said", "ahead"),
    [
        ("Verify that the start date is tomorrow.", 1),
        ("The order date should be today.", 0),
        ("Verify the date field shows today's date.", 0),
        ("The date in the first row should be yesterday.", -1),
        ("Verify that the due date is three days from now.", 3),
        ("The due date should now be the day after tomorrow.", 2),
        ("Check that the delivery date is set to two weeks from today.", 14),
        ("检查开始日期显示为今天", 0),
        ("验证截止日期默认为明天", 1),
        ("截止日期应为三天后", 3),
        ("检查到期日是后天", 2),
    ],
)
def test_a_day_that_is_checked_may_be_written_as_pages_write_it(said: str, ahead: int) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.Check)
    assert isinstance(step.condition, p.Has)
    assert step.condition.how == "matches"
    for day in _days_from_now(ahead):
        year, month, date = day.split("-")
        ways = (day, f"{month}/{date}/{year}", f"{date}.{month}.{year}")
        if re.search(step.condition.text, day):
            assert all(re.search(step.condition.text, way) for way in ways)
            return
    raise AssertionError(step)


@pytest.mark.parametrize(
    "said",
    [
        "If the due date is today, click Remind.",
        "Wait until the due date is tomorrow.",
        "如果到期日是今天，点击“续费”",
        "Verify that the delivery date is not today.",
    ],
)
def test_a_day_is_told_wherever_something_may_be_so(said: str) -> None:
    (step,) = read_sentence(said).steps
    told = str(getattr(step, "condition", None) or getattr(step, "until", None))
    assert "matches" in told
    assert is_refused(said) is False


@pytest.mark.parametrize("said", ["检查“今天”按钮可见", "Verify that the Today button is visible."])
def test_a_name_is_no_day(said: str) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.Check)
    assert isinstance(step.condition, p.Shows)


@pytest.mark.parametrize(
    ("when", "today", "days"),
    [
        ("this Friday", "2026-11-16", ["2026-11-20"]),
        ("this Friday", "2026-11-20", ["2026-11-20"]),
        ("this Friday", "2026-11-21", []),
        ("next Friday", "2026-11-16", ["2026-11-20", "2026-11-27"]),
        ("next Friday", "2026-11-21", ["2026-11-27"]),
        ("last Friday", "2026-11-18", ["2026-11-13"]),
        ("last Monday", "2026-11-18", ["2026-11-09", "2026-11-16"]),
        ("the coming Monday", "2026-11-16", ["2026-11-23"]),
        ("Wednesday next week", "2026-11-16", ["2026-11-25"]),
        ("in 3 days", "2026-11-29", ["2026-12-02"]),
        ("a week from today", "2026-11-16", ["2026-11-23"]),
        ("two days ago", "2026-03-01", ["2026-02-27"]),
        ("the end of the month", "2024-02-10", ["2024-02-29"]),
    ],
)
def test_days_that_are_told_from_today(when: str, today: str, days: list[str]) -> None:
    found = days_of(when, datetime.date.fromisoformat(today))
    assert [str(day) for day in found] == days


@pytest.mark.parametrize(
    ("said", "ahead", "into"),
    [
        ("Set the due date to 3 days from now.", 3, "the due date"),
        ("Set the due date of the task to in two weeks.", 14, "the due date of the task"),
        ("Pick a week from today in the calendar.", 7, "the calendar"),
    ],
)
def test_a_date_field_gets_the_day_itself(said: str, ahead: int, into: str) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.PickDate)
    assert step.into == into
    assert step.iso in _days_from_now(ahead)


@given(st.dates(datetime.date(1990, 1, 1), datetime.date(2090, 1, 1)))
def test_a_day_is_known_however_a_page_writes_it(day: datetime.date) -> None:
    shown = day_shown(day)
    near = [day + datetime.timedelta(days=ahead) for ahead in (-30, -10, -1, 1, 10, 30)]
    for form in ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%B %d, %Y", "%d %b %Y", "%Y年%m月%d日"):
        assert re.search(shown, f"on {day.strftime(form)} at 9:00")
        assert not any(re.search(shown, other.strftime(form)) for other in near)


@given(st.times())
def test_a_time_is_known_however_a_page_writes_it(at: datetime.time) -> None:
    shown = time_shown(at.strftime("%H:%M"))
    for form in ("%H:%M", "%I:%M %p", "%H:%M:00", "%I:%M%p"):
        assert re.search(shown, at.strftime(form))
    other = at.replace(hour=(at.hour + 12) % 24)
    for form in ("%H:%M", "%I:%M %p"):
        # 01:30 may be of either half where nothing says which.
        assert not re.search(shown, other.strftime(form)) or (form == "%H:%M" and at.hour % 12 == 0)


@pytest.mark.parametrize(
    ("said", "iso"),
    [
        ("half past nine", "09:30"),
        ("a quarter to ten", "09:45"),
        ("quarter past three in the afternoon", "15:15"),
        ("twenty past eight in the evening", "20:20"),
        ("ten minutes to five", "04:50"),
        ("9 o'clock", "09:00"),
        ("noon", "12:00"),
        ("九点半", "09:30"),
        ("下午三点", "15:00"),
        ("晚上八点二十分", "20:20"),
        ("三点一刻", "03:15"),
        ("差一刻十点", "09:45"),
        ("下午3点半", "15:30"),
    ],
)
def test_times_in_words(said: str, iso: str) -> None:
    assert iso_time(said) == iso


@pytest.mark.parametrize(
    ("said", "iso"),
    [
        ("Set the start time to {}.", "half past nine"),
        ("Choose {} as the start time.", "quarter to ten"),
        ("Enter {} in the Start field.", "5 o'clock"),
        ("把开始时间设为{}", "九点半"),
        ("开始时间选{}", "三点一刻"),
    ],
)
def test_a_field_gets_a_time_in_figures(said: str, iso: str) -> None:
    (step,) = read_sentence(said.format(iso)).steps
    assert isinstance(step, p.PickTime)
    assert step.text == step.iso == iso_time(iso)


@pytest.mark.parametrize(
    "said", ["Change the quantity from ten to five.", "Set the volume from five to ten."]
)
def test_a_range_is_no_time(said: str) -> None:
    (step,) = read_sentence(said).steps
    assert isinstance(step, p.SetValue)


def test_chinese_days_of_a_claim_are_those_of_a_field() -> None:
    (step,) = read_sentence("检查截止日期是下周五").steps
    assert isinstance(step, p.Check)
    assert isinstance(step.condition, p.Has)
    today = datetime.datetime.now().astimezone().date()
    days = [day_from("下周五", today - datetime.timedelta(days=late)) for late in (0, 1)]
    assert any(re.search(step.condition.text, str(day)) for day in days)


@pytest.mark.parametrize("verb", ["say", "show", "display", "contain", "open", "close", "list"])
@pytest.mark.parametrize("modal", ["should", "must"])
def test_what_else_a_thing_should_do_is_never_done(verb: str, modal: str) -> None:
    steps = read_sentence(f'The panel {modal} be visible and {verb} "Two".').steps
    assert all(isinstance(step, p.Check | p.Unclear) for step in steps)
