"""Controls that pages make of mere boxes: boards, switches, arrows without words, hints."""

from __future__ import annotations

import re

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.models.steps.claims.recalled import recall, recalled
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.verbs.dropping import place_under_title
from carrel.models.steps.verbs.month_arrows import silent_arrow
from carrel.perception.merging import merge
from carrel.perception.roles import Kind, kind_of

_MONTH = re.compile(r"\d{1,2}\s*月")


def outcome(world: World, sentence: str) -> str | None:
    """None where all passed, else why not."""
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player.account


def a_board() -> World:
    """Three columns of a page that nothing holds: only their headings tell where they are."""
    things = [element("任务", "document web", (0, 0, 1000, 600), id="page")]
    for number, name in enumerate(("待办", "进行中", "已完成")):
        left = 60 + 300 * number
        things += [
            element(name, "heading", (left, 100, 260, 26), id=f"h{number}", parent="page"),
            element("", "section", (left, 140, 260, 220), id=f"l{number}", parent="page"),
        ]
    cards = (("写周报", 0, 0), ("买菜", 0, 1), ("优化首页", 1, 0))
    for name, column, row in cards:
        at = (60 + 300 * column, 140 + 50 * row, 260, 46)
        things += [
            element("", "section", at, id=f"c{name}", parent=f"l{column}"),
            element(name, "static", (at[0] + 12, at[1] + 12, 90, 22), parent=f"c{name}"),
        ]
    things.append(element("", "paragraph", (50, 400, 900, 22), id="foot", parent="page"))
    things.append(element("待办 2 项", "static", (50, 400, 240, 22), parent="foot"))
    return World(*things)


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ("检查“待办”这一列里有“写周报”", True),
        ("检查“待办”这一列里没有“写周报”", False),
        ("检查“待办”这一列里没有“优化首页”", True),
        ("检查“待办”这一列里有“优化首页”", False),
        ("验证“已完成”一栏中看不到“买菜”", True),
        ("验证“进行中”列里能看到“优化首页”", True),
        ("验证“进行中”列里能看到“买菜”", False),
        ('Verify that the "待办" column does not contain "优化首页"', True),
    ],
)
def test_a_column_of_a_board_ends_where_the_next_begins(sentence: str, so: bool) -> None:
    assert (outcome(a_board(), sentence) is None) is so


def test_what_lies_under_all_columns_is_in_none() -> None:
    desk = desk_of(a_board())
    extent = extent_of(desk, "“待办”一栏")
    assert extent is not None
    assert "待办 2 项" not in {e.name for e in members(desk.elements, extent)}


def test_things_are_put_after_what_is_under_a_heading() -> None:
    desk = desk_of(a_board())
    by_id = {e.id: e for e in desk.elements}
    card = by_id["c写周报"]
    full = place_under_title(desk, "“进行中”一栏", by_id["h1"], card)
    empty = place_under_title(desk, '"已完成"', by_id["h2"], card)
    assert full is not None
    assert empty is not None
    assert by_id["l1"].box is not None
    assert by_id["l1"].box.contains(full)
    assert full.y > 186
    assert by_id["l2"].box is not None
    assert by_id["l2"].box.contains(empty)


def a_switch(*, on: bool, knob: int = 16) -> tuple[Element, ...]:
    left = 196 if on else 178
    states = ("enabled", "sensitive", "showing", "visible")
    return (
        Element("1", "section", box=Box(174, 223, 44, 25), states=states),
        Element("2", "section", box=Box(left, 227, knob, 16), states=states, parent="1"),
    )


@pytest.mark.parametrize("on", [True, False])
def test_a_pill_with_a_knob_is_a_switch_that_tells_its_state(on: bool) -> None:
    merged = merge({"tree": a_switch(on=on)}, Size(800, 600))
    switch = next(e for e in merged if kind_of(e) is Kind.SWITCH)
    assert ("checked" in switch.states) is on


def test_a_box_in_a_box_is_no_switch() -> None:
    merged = merge({"tree": a_switch(on=True, knob=8)}, Size(800, 600))
    assert not [e for e in merged if kind_of(e) is Kind.SWITCH]


def settings(*, on: bool) -> World:
    states = ("checkable", "checked") if on else ("checkable",)
    return World(
        element("设置", "document web", (0, 0, 800, 600), id="page"),
        element("短信通知", "static", (100, 100, 60, 20), parent="page"),
        element("", "switch", (180, 98, 44, 24), *states, parent="page"),
    )


@pytest.mark.parametrize(
    ("sentence", "on", "so"),
    [
        ("验证“短信通知”已打开", True, True),
        ("验证“短信通知”已打开", False, False),
        ("验证“短信通知”是关闭的", False, True),
        ("验证“短信通知”开关是打开的", False, False),
    ],
)
def test_a_switch_goes_by_the_label_at_its_left(sentence: str, on: bool, so: bool) -> None:
    assert (outcome(settings(on=on), sentence) is None) is so


@pytest.mark.parametrize(("sentence", "on"), [("打开“短信通知”", True), ("关闭“短信通知”", False)])
def test_a_switch_that_is_as_wished_is_left_alone(sentence: str, on: bool) -> None:
    world = settings(on=on)
    assert outcome(world, sentence) is None
    assert not [done for done in world.done if isinstance(done, Click)]


def heading(*signs: int) -> list[Element]:
    """The line over a month, with signs at these places."""
    line = [element("11 月", "static", (200, 20, 40, 18))]
    return line + [element("\ue602", "static", (x, 20, 18, 18)) for x in signs]


@pytest.mark.parametrize(
    ("signs", "on", "years", "at"),
    [
        ((100, 300), True, False, 300),
        ((100, 300), False, False, 100),
        ((100, 300), True, True, None),
        ((70, 100, 300, 330), True, False, 300),
        ((70, 100, 300, 330), True, True, 330),
        ((70, 100, 300, 330), False, True, 70),
        ((300, 330), False, False, 300),
        ((300, 330), True, False, 330),
        ((100, 300, 330), True, False, None),
        ((300,), True, False, None),
    ],
)
def test_signs_beside_the_month_lead_where_they_stand(
    signs: tuple[int, ...], on: bool, years: bool, at: int | None
) -> None:
    found = silent_arrow(heading(*signs), _MONTH, on=on, years=years)
    assert (found.box.x if found is not None and found.box is not None else None) == at


def a_form(value: str, x: int = 100) -> World:
    text = () if value else ("Age…",)
    field = element("", "text", (x, 80, 160, 30), "editable", "focusable", id="age")
    return World(
        Element(
            field.id,
            field.role,
            value=value,
            box=field.box,
            states=field.states,
            text=text[0] if text else value,
        )
    )


def test_a_field_is_known_by_the_hint_it_had() -> None:
    desk = desk_of(a_form(""))
    recall(desk, "“Age…”输入框", desk.elements[0])
    filled = desk_of(a_form("28"))
    filled.filled = desk.filled
    field = recalled(filled, "“Age…”输入框")
    assert field is not None
    assert field.value == "28"
    assert recalled(filled, "“Name…”输入框") is None


def test_a_field_elsewhere_is_not_the_one_that_was_filled() -> None:
    desk = desk_of(a_form(""))
    recall(desk, "“Age…”输入框", desk.elements[0])
    other = desk_of(a_form("28", x=400))
    other.filled = desk.filled
    assert recalled(other, "“Age…”输入框") is None
