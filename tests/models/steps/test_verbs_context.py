from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.layout.modals import dialogs_shown, modal_over
from carrel.models.steps.program import (
    Choose,
    Enter,
    ForEach,
    Highlight,
    Open,
    Perform,
    PickDate,
    SetValue,
    Tick,
)
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.items import things
from carrel.models.steps.reaching.places import stay_in
from carrel.models.steps.shown.pagers import page_meant
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.dates import pick_date
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.highlighting import highlight
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.setting import set_value


def toggle(world: World, e: Element, _action: Action) -> None:
    world.change(e.name, states=tuple(set(e.states) ^ {"checked"}))


def remove_row(world: World, e: Element, _action: Action) -> None:
    world.elements = [o for o in world.elements if o.id != e.parent and o.parent != e.parent]


def tasks() -> World:
    """A list of tasks: a box, its words beside it, and a button, for each."""
    made = [element("", "list", (10, 40, 400, 300), id="l")]
    for n, name in enumerate(("写周报", "取快递", "订机票")):
        y, row = 40 + 40 * n, f"i{n}"
        made += [
            element("", "list item", (10, y, 400, 40), parent="l", id=row),
            element(name, "check box", (15, y + 10, 14, 14), "checkable", parent=row),
            element(name, "static", (35, y + 8, 60, 20), parent=row, id=f"t{n}"),
            element("删除", "push button", (200, y + 5, 60, 30), parent=row, id=f"b{n}"),
        ]
    world = World(*made)
    world.on("删除", remove_row)
    for name in ("写周报", "取快递", "订机票"):
        world.on(name, toggle)
    return world


def names(world: World, role: str = "check box") -> list[str]:
    return [e.name for e in world.elements if e.role == role]


def test_a_verb_is_pressed_in_the_row_of_the_thing() -> None:
    world = tasks()
    desk = desk_of(world)
    desk.said = "删除"
    play(world, perform(desk, Perform("delete", '"取快递"')))
    assert names(world) == ["写周报", "订机票"]


@pytest.mark.parametrize("state", ["完成", "done", "已完成"])
def test_to_mark_an_entry_as_done_is_to_tick_its_box(state: str) -> None:
    world = tasks()
    play(world, perform(desk_of(world), Perform("mark", '"写周报"', (("as", state),))))
    boxes = [e for e in world.elements if e.role == "check box"]
    assert [e.name for e in boxes if "checked" in e.states] == ["写周报"]


def test_whatever_a_list_holds_is_gone_through_by_its_boxes() -> None:
    world = tasks()
    desk = desk_of(world)
    step = ForEach("each", (Tick(("{each}",)),), every="任务")
    assert play(world, things(desk, step)) == ("写周报", "取快递", "订机票")


def test_a_box_is_never_unticked_to_open_something() -> None:
    world = World(element("搜索", "check box", (10, 10, 14, 14), "checkable", "checked"))
    world.on("搜索", toggle)
    desk = desk_of(world)
    desk.worked = world.elements[0].box
    with pytest.raises(Missed, match="is not opened for it"):
        play(world, perform(desk, Perform("share")))
    play(world, open_(desk, Open("搜索")))  # as a program of that name, and not as the box
    assert "checked" in world.elements[0].states


def shop() -> World:
    field = element("Search products", "entry", (10, 10, 200, 24), "editable", value="", id="q")
    world = World(field, element("Search", at=(220, 10, 60, 24)))

    def found(w: World, _e: Element, _action: Action) -> None:
        w.elements.append(element("Desk lamp", "link", (10, 60, 100, 20)))

    world.on("Search", found)
    return world


@pytest.mark.parametrize("what", ["lamp", "the lamp", '"lamp"'])
def test_a_search_is_typed_into_the_one_field_for_it_and_submitted(what: str) -> None:
    world = shop()
    play(world, perform(desk_of(world), Perform("search", what)))
    assert world.elements[0].value == "lamp"
    assert world.elements[-1].name == "Desk lamp"


def test_what_is_given_to_a_field_by_its_label_goes_into_it() -> None:
    field = element("Coupon code", "entry", (10, 10, 200, 24), "editable", value="", id="q")
    world = World(field, element("Apply", at=(220, 10, 60, 24)))
    play(world, perform(desk_of(world), Perform("apply", "the coupon SPRING10")))
    assert world.elements[0].value == "SPRING10"
    assert isinstance(world.done[-1], Click)
    assert world.done[-1].x == 250


def test_a_thing_is_renamed_in_the_field_that_comes_up() -> None:
    world = World(
        element("", "table", (10, 60, 400, 200), id="t"),
        element("", "table row", (10, 60, 400, 40), parent="t", id="r"),
        element("选择", "check box", (15, 70, 14, 14), "checkable", parent="r"),
        element("照片.zip", "table cell", (50, 60, 200, 40), parent="r"),
        element("重命名", at=(10, 10, 60, 24)),
    )
    world.on("选择", toggle)

    def ask(w: World, _e: Element, _action: Action) -> None:
        w.elements.append(
            element("新名称", "entry", (300, 300, 200, 24), "editable", value="照片.zip", id="n")
        )
        w.elements.append(element("确定", at=(300, 340, 60, 24)))

    world.on("重命名", ask)
    desk = desk_of(world)
    desk.said = "重命名"
    play(world, perform(desk, Perform("rename", '"照片.zip"', (("to", "旅行照片.zip"),))))
    assert next(e for e in world.elements if e.name == "新名称").value == "旅行照片.zip"
    clicks = [a for a in world.done if isinstance(a, Click)]
    assert (clicks[-1].x, clicks[-1].y) == (330, 352)


def reply_form() -> World:
    world = World(
        element("Reply", at=(10, 10, 60, 24)),
        element("Forward", at=(80, 10, 60, 24)),
        element("Your reply", "entry", (10, 60, 200, 60), "editable", "multi line", value=""),
        element("Send", at=(10, 140, 60, 24)),
    )

    def gone(w: World, _e: Element, _action: Action) -> None:
        w.elements = w.elements[:2]

    world.on("Send", gone)
    return world


def test_what_the_step_before_has_sent_is_not_sent_again_nor_forwarded() -> None:
    world = reply_form()
    desk = desk_of(world)
    play(world, perform(desk, Perform("reply", None, (("text", "Approved"),))), desk)
    done = len(world.done)
    assert play(world, perform(desk, Perform("send")), desk) == "the step before ended with Send"
    assert len(world.done) == done


def test_to_send_is_never_to_forward() -> None:
    world = World(element("Forward", at=(80, 10, 60, 24)))
    with pytest.raises(Missed):
        play(world, perform(desk_of(world), Perform("send")))
    assert not [a for a in world.done if isinstance(a, Click)]


def combo() -> World:
    world = World(element("Select a number", "combo box", (10, 10, 100, 24), "has popup", id="c"))

    def options(w: World, _e: Element, _action: Action) -> None:
        for n in (6, 7, 8):
            at = (10, 40 + 24 * (n - 6), 100, 22)
            w.elements.append(element(str(n), "list item", at, "selectable", parent="c"))

    def take(w: World, _e: Element, _action: Action) -> None:
        w.elements = [replace(e, value="7") for e in w.elements if e.id == "c"]

    world.on("Select a number", options)
    world.on("7", take)
    return world


def test_a_drop_down_is_set_by_choosing_the_option() -> None:
    world = combo()
    play(world, set_value(desk_of(world), SetValue('"Select a number"', "7")))
    assert world.elements[0].value == "7"
    assert not [a for a in world.done if isinstance(a, Key)]


def test_a_heading_of_a_column_is_nothing_to_set_where_a_field_is() -> None:
    world = World(
        element("Password", "column header", (10, 10, 100, 20)),
        element("Password", "password text", (10, 60, 100, 20), "editable", value=""),
    )
    play(world, set_value(desk_of(world), SetValue("the password", "ab")))
    assert world.elements[1].value == "ab"
    alone = World(element("Password", "column header", (10, 10, 100, 20)))
    with pytest.raises(Missed, match="nothing that can be set"):
        play(alone, set_value(desk_of(alone), SetValue("the password", "5")))


def test_a_date_is_picked_in_the_calendar_that_is_open() -> None:
    made = [element("December 2026", "label", (10, 40, 150, 20))]
    for day in range(1, 32):
        at = (10 + 30 * ((day + 1) % 7), 70 + 24 * ((day + 1) // 7), 28, 22)
        made.append(element(str(day), "link", at))
    for into in ("日历", "the calendar"):
        world = World(*made)
        step = PickDate("24 December 2026", "2026-12-24", into)
        play(world, pick_date(desk_of(world), step))
        (click,) = [a for a in world.done if isinstance(a, Click)]
        assert made[24].box is not None
        there = made[24].box.center
        assert (click.x, click.y) == (there.x, there.y)


@pytest.mark.parametrize("phrase", ["everything", "文本", "全部文字", "all text", "全文"])
def test_all_text_is_selected_where_the_keyboard_is(phrase: str) -> None:
    editor = element("", "text", (10, 60, 700, 400), "editable", "multi line", "focused", value="x")
    status = element("文本: 3 lines", "label", (10, 560, 200, 20))
    other = element("Find", "entry", (10, 10, 200, 20), "editable", value="y")
    world = World(editor, other, status)
    world.on("", lambda w, e, a: None)
    play(world, highlight(desk_of(world), Highlight(phrase)))
    keys = [a for a in world.done if isinstance(a, Key)]
    assert keys == [Key(("ctrl", "a"))]
    assert all(a.y < 500 for a in world.done if isinstance(a, Click))


@pytest.mark.parametrize(
    ("phrase", "number"),
    [
        ("the second page of results", 2),
        ("page 3", 3),
        ("第二页", 2),
        ("the next page", 1000),
        ("下一页", 1000),
        ("the home page", 0),
        ("Results", 0),
    ],
)
def test_a_page_of_results_is_known_by_its_number(phrase: str, number: int) -> None:
    assert page_meant(phrase) == number


def test_a_page_is_turned_to_by_its_number() -> None:
    world = World(*(element(name, at=(10 + 60 * n, 10, 40, 20)) for n, name in enumerate("123")))
    play(world, open_(desk_of(world), Open("the second page of results")))
    assert world.done[0] == Click(90, 20)


def dialog(*states: str) -> World:
    return World(
        replace(element("App", "frame", (0, 0, 800, 600), id="w"), app="app"),
        replace(element("Delete", at=(10, 10, 60, 24), parent="w"), app="app"),
        replace(element("Sure?", "alert", (300, 300, 200, 100), *states, id="d"), app="app"),
        replace(element("OK", at=(320, 350, 60, 24), parent="d"), app="app"),
    )


def test_nothing_behind_a_modal_dialog_is_pressed() -> None:
    world = dialog("modal")
    with pytest.raises(Missed, match="is behind the dialog “Sure\\?”"):
        play(world, ground(desk_of(world), "Delete"))
    assert modal_over(world.elements, world.elements[3]) is None
    plain = dialog()
    assert modal_over(plain.elements, plain.elements[1]) is None


@pytest.mark.parametrize("phrase", ["the dialog that is open", "the dialog", "弹出的对话框"])
def test_the_dialog_that_is_open_is_a_place(phrase: str) -> None:
    world = dialog()
    desk = desk_of(world)
    play(world, stay_in(desk, phrase))
    assert desk.place is not None
    assert desk.place.areas[0] == world.elements[2].box
    assert dialogs_shown(world.elements) == [world.elements[2]]


def test_a_button_is_no_dialog_of_its_name() -> None:
    world = World(element("Save", at=(10, 10, 60, 24)))
    with pytest.raises(Missed):
        play(world, stay_in(desk_of(world), "the Save dialog"))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_part_of_the_settings_is_known_by_its_tab() -> None:
    world = World(element("Privacy", "page tab", (10, 10, 60, 24), "selectable"))
    desk = desk_of(world)
    play(world, stay_in(desk, "the privacy settings"))
    assert desk.place is not None
    assert desk.place.areas[0] == world.elements[0].box


def test_a_name_of_two_words_goes_into_the_two_fields_for_it() -> None:
    world = World(
        element("First name", "entry", (10, 10, 100, 20), "editable", value=""),
        element("Last name", "entry", (10, 50, 100, 20), "editable", value=""),
    )
    play(world, enter(desk_of(world), Enter("Ann Lee", "the name")))
    assert [e.value for e in world.elements] == ["Ann", "Lee"]


def test_so_many_guests_is_the_option_of_that_number() -> None:
    world = combo()
    play(world, choose(desk_of(world), Choose(("7",), "Select a number")))
    assert world.elements[0].value == "7"


def test_a_particular_that_the_control_says_itself_needs_no_field() -> None:
    world = World(element("Add to cart"), element("Add to wish list", at=(10, 50, 120, 20)))
    desk = desk_of(world)
    desk.step = "add it to the wish list"
    play(world, perform(desk, Perform("add", None, (("to", "the wish list"),))))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(70, 60)]


def test_to_confirm_is_to_press_ok_in_the_dialog_and_nothing_behind_it() -> None:
    world = dialog("modal")
    play(world, perform(desk_of(world), Perform("confirm")))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(350, 362)]
    with pytest.raises(Missed, match="behind the dialog"):
        play(world, perform(desk_of(world), Perform("delete")))


def test_a_date_goes_into_the_field_that_is_labelled_for_it() -> None:
    world = World(
        element("Date:", "static", (10, 10, 40, 20)),
        element("", "entry", (60, 10, 120, 20), "editable", value="", id="d"),
        element("", "entry", (400, 10, 120, 20), "editable", value="", id="alt"),
    )
    play(world, pick_date(desk_of(world), PickDate("2026-12-24", "2026-12-24")))
    assert [e.value for e in world.elements[1:]] == ["2026-12-24", ""]


def test_a_word_for_texts_names_the_field_that_is_called_so() -> None:
    world = World(
        element("Contact us", "static", (10, 10, 100, 20)),
        element("Message", "static", (10, 50, 100, 20)),
        element("Message", "entry", (10, 80, 300, 60), "editable", "multi line", value=""),
    )
    play(world, enter(desk_of(world), Enter("My invoice is wrong", "the message")))
    assert world.elements[2].value == "My invoice is wrong"
