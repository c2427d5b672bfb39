"""Rows edited by a button of their own, choices cut at what comes up, and what a menu has open."""

from __future__ import annotations

from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.claims.badges import badged_name
from carrel.models.steps.claims.tallies import counted_things
from carrel.models.steps.layout.entry_rows import but_pagers
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.program import Choose, PickTime
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.cut_choices import choose_cut
from carrel.models.steps.verbs.row_editors import edit_button, heading_over, open_row
from carrel.models.steps.verbs.times import pick_time

PAGE = element("Staff", "document web", (0, 0, 800, 600), id="p")
TABLE = element("", "table", (0, 0, 600, 100), parent="p", id="t")
HEADS = [
    element("", "table row", (0, 0, 600, 30), parent="t", id="h"),
    element("姓名", "column header", (0, 0, 200, 30), parent="h"),
    element("角色", "column header", (200, 0, 200, 30), parent="h"),
]
CELL = element("普通用户", "table cell", (200, 40, 200, 30), parent="r")
ROW = [
    element("", "table row", (0, 40, 600, 30), parent="t", id="r"),
    element("赵敏", "table cell", (0, 40, 200, 30), parent="r"),
    CELL,
]


def clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_the_button_of_a_row_makes_a_field_of_its_cell() -> None:
    button = element("编辑", "link", (410, 45, 40, 20), parent="r")
    world = World(PAGE, TABLE, *HEADS, *ROW, button)
    combo = element("角色", "combo box", (205, 42, 100, 24), parent="r", id="c")

    def edit(world: World, element: Element, action: Action) -> None:
        world.elements = [*(e for e in world.elements if e.name != CELL.name), combo]

    world.on("编辑", edit)
    desk = desk_of(world)
    assert edit_button(desk, CELL) == button
    assert heading_over(desk, CELL) == "角色"
    assert play(world, open_row(desk, CELL, button), desk) == combo


def test_a_row_with_two_buttons_to_edit_it_has_none_for_sure() -> None:
    both = [element("编辑", at=(410 + 60 * n, 45, 40, 20), parent="r") for n in range(2)]
    assert edit_button(desk_of(World(PAGE, TABLE, *HEADS, *ROW, *both)), CELL) is None


def provinces() -> tuple[World, Element]:
    box = element("", "combo box", (100, 100, 200, 30), parent="p", id="box")
    world = World(PAGE, box)
    first = [
        element(n, "list item", (100, 140 + 30 * i, 90, 24), parent="p")
        for i, n in enumerate(("江苏省", "浙江省"))
    ]
    second = [
        element(n, "list item", (200, 140 + 30 * i, 90, 24), parent="p")
        for i, n in enumerate(("杭州市", "宁波市"))
    ]
    world.on("", lambda w, e, a: setattr(w, "elements", [PAGE, box, *first]))
    world.on("浙江省", lambda w, e, a: setattr(w, "elements", [PAGE, box, *first, *second]))
    chosen = element("浙江省 / 宁波市", "static", (110, 105, 120, 20), parent="box")
    world.on("宁波市", lambda w, e, a: setattr(w, "elements", [PAGE, box, chosen]))
    return world, box


def test_a_choice_in_one_word_is_cut_at_the_names_that_come_up() -> None:
    world, box = provinces()
    desk = desk_of(world)
    assert play(world, choose_cut(desk, box, "浙江省宁波市"), desk) is True
    assert clicks(world) == [(200, 115), (145, 182), (245, 182)]


def test_a_choice_that_nothing_begins_is_not_made() -> None:
    world, box = provinces()
    desk = desk_of(world)
    assert play(world, choose_cut(desk, box, "福建省厦门市"), desk) is False
    assert clicks(world) == [(200, 115)]


def test_what_the_open_menu_has_is_taken_from_it() -> None:
    menu = [
        element("", "menu", (100, 50, 120, 90), parent="p", id="m"),
        element("归档", "menu item", (100, 60, 120, 24), parent="m"),
        element("垃圾邮件", "menu item", (100, 90, 120, 24), parent="m"),
    ]
    world = World(PAGE, element("移动到", at=(100, 20, 80, 24), parent="p"), *menu)
    desk = desk_of(world)
    play(world, choose(desk, Choose(('"归档"',), source="菜单")), desk)
    assert clicks(world) == [(160, 72)]


def test_a_time_that_shows_behind_a_dialog_is_not_pressed() -> None:
    axis = [
        element(f"{h}:00", "label", (10, 20 + 20 * h, 50, 18), parent="p") for h in range(8, 18)
    ]
    dialog = element("新建", "dialog", (200, 100, 300, 200), "modal", parent="p", id="d")
    world = World(PAGE, *axis, dialog, element("保存", at=(220, 260, 60, 24), parent="d"))
    desk = desk_of(world)
    told = ""
    try:
        play(world, pick_time(desk, PickTime("下午三点", "15:00", "时间")), desk)
    except Missed as missed:
        told = missed.account
    assert told
    assert not clicks(world)


def test_the_number_of_what_is_unread_is_the_one_beside_a_name() -> None:
    assert badged_name("收件箱的未读数") == "收件箱"
    assert badged_name("草稿箱未读邮件数") == "草稿箱"
    assert badged_name("收件箱的邮件") is None


def test_a_list_of_the_numbers_of_pages_is_none_where_there_is_another() -> None:
    pages = [
        element("", "list", (0, 300, 100, 30), parent="p", id="pages"),
        element("第 1 页", "list item", (0, 300, 30, 30), parent="pages", id="one"),
        element("1", "static", (5, 305, 10, 20), parent="one"),
    ]
    tree = Lineage((PAGE, TABLE, *HEADS, *ROW, *pages))
    assert but_pagers([TABLE, pages[0]], tree) == [TABLE]
    assert but_pagers([pages[0]], tree) == [pages[0]]


def test_things_are_as_many_as_the_rows_of_the_column_that_is_called_so() -> None:
    desk = desk_of(World(PAGE, TABLE, *HEADS, *ROW))
    assert [e.id for e in counted_things(desk, "角色")] == ["r"]
