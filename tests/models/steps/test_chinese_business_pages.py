"""Own-built business pages in Chinese: cards with a number, places with a heading, entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from corpora import corpus, is_refused, written
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Type
from carrel.frames import Element
from carrel.models.steps.afforded import by_names
from carrel.models.steps.entries.wording_zh import pieces_of, says_piece
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.verbs.calendars import find_calendar


@pytest.mark.parametrize(("said", "steps"), corpus("chinese_further_on_pages.txt"))
def test_a_sentence_that_goes_on_about_an_entry_is_read_as_meant(said: str, steps: str) -> None:
    assert written(said) == steps


def test_a_row_that_nothing_was_said_of_is_refused() -> None:
    assert is_refused("验证这一行的状态是“启用”")


def outcome(world: World, said: str) -> str | None:
    """Why a sentence failed on a screen; None where it was carried out."""
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player.account


def clicked(world: World) -> list[str]:
    found: list[str] = []
    for one in world.done:
        if isinstance(one, Click):
            here = [e for e in world.elements if e.box and _holds(e, one)]
            found.append(min(here, key=lambda e: e.box.area if e.box else 0).id)
    return found


def _holds(one: Element, click: Click) -> bool:
    box = one.box
    assert box is not None
    return box.x <= click.x < box.right and box.y <= click.y < box.bottom


def page(*elements: Element) -> World:
    return World(element("页面", "document web", (0, 0, 800, 600), id="p"), *elements)


# Cards with a number between two buttons that nobody named.


def card(name: str, y: int, key: str, *, sold_out: bool = False) -> list[Element]:
    parts = [
        element("", "section", (20, y, 600, 120), id=key, parent="p"),
        element("", "section", (30, y + 5, 580, 60), id=f"{key}-words", parent=key),
        element(name, "static", (30, y + 5, 80, 16), id=f"{key}-name", parent=f"{key}-words"),
        element("热卖", "static", (30, y + 25, 80, 16), parent=f"{key}-words"),
    ]
    if sold_out:
        return parts
    return [
        *parts,
        element("", "panel", (500, y + 80, 90, 28), id=f"{key}-set", parent=key),
        element(
            "minus-symbolic",
            "push button",
            (500, y + 80, 28, 28),
            "disabled",
            id=f"{key}-less",
            parent=f"{key}-set",
        ),
        element(
            "",
            "spin button",
            (530, y + 80, 30, 28),
            *("editable", "single line"),
            value="1",
            id=f"{key}-number",
            parent=f"{key}-set",
        ),
        element("", "push button", (562, y + 80, 28, 28), id=f"{key}-more", parent=f"{key}-set"),
    ]


def add_one(world: World, button: Element, _: Action) -> None:
    number = button.id.replace("-more", "-number")
    world.elements = [replace(e, value="2") if e.id == number else e for e in world.elements]


def shop() -> World:
    world = page(*card("手冲壶", 20, "a"), *card("咖啡豆", 160, "b"), *card("滤纸", 300, "c"))
    world.on("", add_one)
    return world


@pytest.mark.parametrize(
    ("said", "pressed"),
    [
        ("点一下“手冲壶”的加号", "a-more"),
        ("点击“咖啡豆”右边的“+”", "b-more"),
        ("点滤纸旁边的加号", "c-more"),
    ],
)
def test_the_plus_of_a_thing_is_that_in_its_card(said: str, pressed: str) -> None:
    world = shop()
    assert outcome(world, said) is None
    assert clicked(world) == [pressed]


@pytest.mark.parametrize("said", ["点击“咖啡豆”的删除图标", "点击“手冲壶”的减号"])
def test_a_part_of_a_thing_is_never_the_thing_itself(said: str) -> None:
    world = shop()
    assert outcome(world, said) is not None
    assert not clicked(world)


def test_what_is_sold_out_has_not_the_plus_of_the_next_card() -> None:
    world = page(*card("手冲壶", 20, "a", sold_out=True), *card("咖啡豆", 160, "b"))
    assert outcome(world, "点一下“手冲壶”的加号") is not None
    assert outcome(world, "把“手冲壶”的数量改为 2") is not None
    assert not clicked(world)
    assert not any(isinstance(one, Type) for one in world.done)


def test_the_quantity_of_a_thing_is_set_and_checked_in_its_card() -> None:
    world = shop()
    world.on("", lambda w, e, _: None)
    assert outcome(world, "把“咖啡豆”的数量改为 3") is None
    held = {e.id: e.value for e in world.elements}
    assert (held["a-number"], held["b-number"], held["c-number"]) == ("1", "3", "1")
    assert outcome(world, "验证咖啡豆的数量是 3") is None
    assert outcome(world, "验证“手冲壶”的数量是 3") is not None


# Places that are called by a heading.


def table(head: str, x: int, key: str, rows: Sequence[Sequence[str]]) -> list[Element]:
    """A heading over a table whose headings are a table of their own."""
    found = [
        element("", "section", (x, 20, 360, 400), id=key, parent="p"),
        element(head, "heading", (x + 10, 30, 200, 24), id=f"{key}-h", parent=key),
        element("", "table", (x + 10, 60, 340, 30), id=f"{key}-heads", parent=key),
        element("", "table row", (x + 10, 60, 340, 30), id=f"{key}-head", parent=f"{key}-heads"),
        element("", "table", (x + 10, 90, 340, 30 * len(rows[1:])), id=f"{key}-body", parent=key),
    ]
    for at, name in enumerate(rows[0]):
        box = (x + 10 + 100 * at, 60, 100, 30)
        found.append(element(name, "column header", box, parent=f"{key}-head"))
    for n, row in enumerate(rows[1:]):
        box = (x + 10, 90 + 30 * n, 340, 30)
        found.append(element("", "table row", box, id=f"{key}-{n}", parent=f"{key}-body"))
        for at, said in enumerate(row):
            cell = (x + 10 + 100 * at, 90 + 30 * n, 100, 30)
            found.append(element(said, "table cell", cell, parent=f"{key}-{n}"))
    return found


def courses() -> World:
    return page(
        *table(
            "课程列表",
            0,
            "l",
            [("课程", "教师", "学分"), ("数学", "王建国", "5"), ("书法", "何静", "2")],
        ),
        *table("我的课程表", 400, "r", [("类型", "状态"), ("数学", "已选"), ("体育", "待定")]),
    )


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("验证课程表里能看到“体育”", True),
        ("验证课程表里能看到“书法”", False),
        ("验证课程表里看不到“书法”", True),
        ("验证课程表里看不到“数学”", False),
        ("验证“我的课程表”里能看到“书法”", False),
        ("验证课程列表里有“书法”", True),
        ("验证“我的课程表”里第一行的状态是“已选”", True),
        ("验证“我的课程表”里第二行的状态是“已选”", False),
        ("验证课程列表第二条的教师是“何静”", True),
        ("验证课程列表第一条的教师是“何静”", False),
    ],
)
def test_a_claim_is_held_to_the_part_that_its_heading_names(claim: str, true: bool) -> None:
    assert (outcome(courses(), claim) is None) is true


def directory() -> World:
    """Two menus that the page calls lists, and people that it does not."""
    elements = [element("", "section", (300, 20, 300, 300), id="m", parent="p")]
    for at, names in enumerate((("研发部", "市场部"), ("常用", "最近"))):
        key = f"nav-{at}"
        elements.append(element("", "list", (10, 20 + 200 * at, 150, 80), id=key, parent="p"))
        for n, name in enumerate(names):
            box = (10, 20 + 200 * at + 40 * n, 150, 40)
            elements.append(element("", "list item", box, id=f"{key}-{n}", parent=key))
            elements.append(element(name, "static", box, parent=f"{key}-{n}"))
    for n, name in enumerate(("韩雪", "谢雨桐", "邓超群")):
        elements.append(element("", "section", (320, 30 + 60 * n, 80, 20), id=f"s{n}", parent="m"))
        elements.append(element(name, "static", (320, 30 + 60 * n, 60, 20), parent=f"s{n}"))
    return page(*elements)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("验证列表里能看到“谢雨桐”，看不到“许文”", True),
        ("验证列表里看不到“谢雨桐”", False),
        ("验证列表里能看到“许文”", False),
        ("验证列表里能看到“市场部”", False),
    ],
)
def test_of_several_lists_the_one_is_meant_that_alone_could_show_it(claim: str, true: bool) -> None:
    assert (outcome(directory(), claim) is None) is true


# Entries that a phrase tells by names.


def tickets() -> World:
    elements: list[Element] = [element("客服工单", "heading", (10, 5, 200, 24), parent="p")]
    for n, (title, who) in enumerate(
        (("杯子有裂纹", "吴桐"), ("发票开错了", "丁一凡"), ("物流没有更新", "陈立新"))
    ):
        key, y = f"t{n}", 40 + 70 * n
        name = f"{title} GD-308{n} · {who} · 待受理"
        elements.append(element(name, "push button", (10, y, 300, 60), id=key, parent="p"))
        elements.append(element(title, "static", (20, y + 5, 120, 18), parent=key))
        line = f"GD-308{n} · {who} · 待受理"
        elements.append(element(line, "static", (20, y + 30, 200, 18), parent=key))
    return page(*elements)


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("点击“吴桐”那张工单", 0),
        ("点开丁一凡的工单", 1),
        ("点击 GD-3082 这张工单", 2),
        ("选择吴桐提交的工单", 0),
    ],
)
def test_an_entry_is_known_by_the_name_it_says(said: str, at: int) -> None:
    world = tickets()
    assert outcome(world, said) is None
    first = next(c for c in world.done if isinstance(c, Click))
    assert 40 + 70 * at <= first.y < 100 + 70 * at


@pytest.mark.parametrize("said", ["点击陈立的工单", "点击吴桐的电话", "点击“吴桐”的删除按钮"])
def test_a_longer_name_or_a_part_is_not_meant(said: str) -> None:
    world = tickets()
    assert outcome(world, said) is not None
    assert not clicked(world)


def test_the_names_in_a_phrase_are_told_from_the_noun_behind_them() -> None:
    assert pieces_of("吴桐的那张工单") == (("吴桐",), "")
    assert pieces_of("林岚老师的“导论”") == (("林岚",), "")
    assert pieces_of("吕梁提交的工单") == (("吕梁",), "工单")
    assert pieces_of("右边的按钮") is None
    assert says_piece("陈立", "教师：陈立")
    assert not says_piece("陈立", "陈立新")


# What came up over a page, amounts in pieces, days.


def test_a_choice_in_what_came_up_is_made_in_the_one_dialog() -> None:
    world = page(
        element("满300减40", "static", (20, 20, 80, 20), id="behind", parent="p"),
        element("", "dialog", (100, 300, 500, 250), id="d", parent="p"),
        element("选择优惠券", "static", (120, 310, 80, 20), parent="d"),
        element("满200减20", "push button", (120, 350, 400, 40), id="one", parent="d"),
        element("满300减40", "push button", (120, 400, 400, 40), id="two", parent="d"),
    )
    assert outcome(world, "在弹出的列表里选“满300减40”") is None
    assert clicked(world) == ["two"]


def test_an_amount_that_is_drawn_in_pieces_is_read_as_one() -> None:
    pieces = (("合计：", 20, 44), ("¥", 66, 8), ("326", 73, 30), (".00", 103, 20))
    world = page(
        element("", "section", (10, 10, 300, 30), id="bar", parent="p"),
        *(element(t, "static", (x, 14, w, 20), parent="bar") for t, x, w in pieces),
    )
    assert outcome(world, "验证合计是“¥326.00”") is None
    account = outcome(world, "验证合计是“¥306.00”")
    assert account is not None
    assert "¥326.00" in account


def month(*, numbers: bool) -> World:
    """March 2027 over a page that has numbers of its own beside it."""
    elements = [
        element("", "dialog", (100, 100, 320, 300), id="c", parent="p"),
        element("2027 年", "push button", (180, 110, 60, 20), parent="c"),
        element("3 月", "push button", (250, 110, 40, 20), parent="c"),
        element("上个月", "push button", (110, 110, 20, 20), parent="c"),
        element("下个月", "push button", (380, 110, 20, 20), parent="c"),
        element("", "table", (110, 150, 294, 240), id="t", parent="c"),
    ]
    for day in range(1, 32):
        place = day  # the first is a Monday
        at = (110 + 42 * (place % 7), 150 + 40 * (place // 7), 42, 40)
        elements.append(element(str(day), "table cell", at, id=f"d{day}", parent="t"))
    if numbers:
        elements += [
            element("2026-09-03 至 2026-09-03", "table cell", (440, 110, 150, 20), parent="p"),
            element("1", "table cell", (600, 110, 40, 20), id="other", parent="p"),
        ]
    return page(*elements)


def test_numbers_beside_a_calendar_are_none_of_its_days() -> None:
    found = find_calendar(desk_of(month(numbers=True)))
    plain = find_calendar(desk_of(month(numbers=False)))
    assert found is not None
    assert plain is not None
    assert (found.month, found.box) == (plain.month, plain.box)
    assert [e.id for e in found.days[1]] == ["d1"]


def test_no_part_of_a_day_is_the_name_of_something_shown() -> None:
    field = ("editable", "single line")
    world = page(
        element("开始日期", "entry", (20, 20, 200, 24), *field, parent="p"),
        element("3 月", "push button", (20, 60, 60, 24), id="march", parent="p"),
        element("8", "table cell", (20, 100, 40, 24), parent="p"),
    )
    desk = desk_of(world)
    play(world, by_names(desk, "点击 3 月 8 日"))
    assert "march" not in clicked(world)


def test_a_text_is_looked_for_in_what_a_program_is_for_writing() -> None:
    states = ("editable", "multi line", "focused")
    sheet = element("", "text", (0, 40, 800, 500), *states, value="采购清单\n墨盒 4 个", id="x")
    world = World(
        element("清单.txt", "frame", (0, 0, 800, 600), id="f"), replace(sheet, parent="f")
    )
    assert outcome(world, "验证文档里有“墨盒 4 个”") is None
    assert outcome(world, "验证文档里有“墨盒 5 个”") is not None
    assert outcome(world, "验证编辑器里没有“订书机”") is None
