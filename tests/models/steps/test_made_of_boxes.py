"""Pages made of plain boxes: segments, stars, tabs, rows with a menu, and what names them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Elements, Type
from carrel.frames import Element
from carrel.models.steps.claims.figures_zh import figure_told_zh
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import SetValue, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.row_menus import by_row_menu
from carrel.models.steps.verbs.row_words import by_row_words
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.ticking import tick

PAGE = element("页面", "document web", (0, 0, 800, 600), id="p")


def text(
    name: str,
    x: int,
    y: int,
    wide: int = 40,
    parent: str = "p",
    id: str = "",  # noqa: A002
) -> Element:
    return element(name, "static", (x, y, wide, 20), parent=parent, id=id)


def clicked(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def played(world: World, said: str) -> Player:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player


def segments() -> list[Element]:
    return [PAGE, text("时间段", 10, 100, 60), text("上午", 120, 100), text("下午", 180, 100)]


def test_a_segment_of_plain_boxes_is_clicked_behind_its_label() -> None:
    world = World(*segments())
    desk = desk_of(world)
    play(world, set_value(desk, SetValue("时间段", "下午")), desk)
    assert clicked(world) == [(200, 110)]


def test_texts_beside_a_field_are_no_segments_of_its_label() -> None:
    field = element("", "entry", (300, 100, 80, 20), "editable", value="", parent="p")
    world = World(*segments(), field)
    desk = desk_of(world)
    with pytest.raises(Missed):
        play(world, set_value(desk, SetValue("时间段", "晚上")), desk)
    assert not [a for a in world.done if isinstance(a, Type)]


def test_the_fourth_of_five_signs_behind_a_label_is_four_stars() -> None:
    signs = [text("☆", 120 + 24 * n, 100, 20) for n in range(5)]
    world = World(PAGE, text("送货速度", 10, 100, 80), *signs)
    assert played(world, "给“送货速度”打 4 星").account is None
    assert clicked(world) == [(120 + 24 * 3 + 10, 110)]


def rows() -> list[Element]:
    found = [PAGE]
    for at, name in enumerate(("工作群", "妈妈", "李雷")):
        y = 100 + 60 * at
        row = f"r{at}"
        found += [
            element("", "section", (10, y, 400, 50), parent="p", id=row),
            text(name, 60, y + 10, 80, row),
            element("⋯", "push button", (370, y + 10, 30, 30), parent=row, id=f"m{at}"),
        ]
    return found


def with_menu(*entries: str) -> World:
    world = World(*rows())

    def open_(world: World, element: Element, action: Action) -> None:
        place = element.box
        assert place is not None
        world.elements += [text(name, 450, place.y + 30 * n, 90) for n, name in enumerate(entries)]

    world.on("⋯", open_)
    return world


def test_the_menu_of_the_named_row_is_opened_and_says_what_was_asked() -> None:
    world = with_menu("置顶聊天", "消息免打扰", "删除聊天")
    assert played(world, "将与“妈妈”的聊天置顶").account is None
    assert clicked(world) == [(385, 185), (495, 180)]


def test_what_its_menu_does_not_say_is_not_done() -> None:
    world = with_menu("取消置顶", "删除聊天")
    desk = desk_of(world)
    with pytest.raises(Missed, match="does not say"):
        play(world, by_row_menu(desk, "将与“妈妈”的聊天置顶"), desk)
    assert clicked(world) == [(385, 185)]


def test_no_menu_is_opened_where_no_row_is_named() -> None:
    world = with_menu("置顶聊天")
    desk = desk_of(world)
    assert not play(world, by_row_menu(desk, "将与“爸爸”的聊天置顶"), desk)
    assert not clicked(world)


def table(*boxes: Element) -> World:
    heads = [element("", "table row", (0, 0, 400, 30), parent="t", id="h")]
    heads += [
        element(name, "column header", (100 * n, 0, 100, 30), parent="h")
        for n, name in enumerate(("部门", "查看", "导出"))
    ]
    cells = [element("", "table row", (0, 40, 400, 30), parent="t", id="r")]
    cells += [
        element(name, "table cell", (100 * n, 40, 100, 30), parent="r", id=f"c{n}")
        for n, name in enumerate(("财务部", "", ""))
    ]
    whole = element("", "table", (0, 0, 400, 80), parent="p", id="t")
    return World(PAGE, whole, *heads, *cells, *boxes)


def box(name: str, x: int, y: int, *states: str, parent: str = "p") -> Element:
    return element(name, "check box", (x, y, 20, 20), "checkable", *states, parent=parent)


def flip(world: World, hit: Element, action: Action) -> None:
    on = "checked" in hit.states
    states = tuple(s for s in hit.states if s != "checked") if on else (*hit.states, "checked")
    world.elements = [replace(e, states=states) if e.id == hit.id else e for e in world.elements]


def test_the_box_where_a_row_and_a_column_meet_is_ticked() -> None:
    world = table(box("", 140, 45, parent="c1"), box("", 240, 45, parent="c2"))
    world.on("", flip)
    desk = desk_of(world)
    play(world, tick(desk, Tick(('财务部的"导出"权限',))), desk)
    assert clicked(world) == [(250, 55)]


def test_a_box_is_told_by_words_of_its_sentence() -> None:
    world = World(PAGE, box("我已阅读并同意《用户协议》", 10, 100), box("接收优惠短信", 10, 140))
    world.on("我已阅读并同意《用户协议》", flip)
    assert played(world, "勾选同意协议").account is None
    assert clicked(world) == [(20, 110)]


def test_a_box_that_says_not_to_is_no_box_for_it() -> None:
    world = World(PAGE, box("我不同意上述用户协议", 10, 100))
    assert played(world, "勾选同意协议").account is not None
    assert not clicked(world)


@pytest.mark.parametrize("states", [(), ("checked",)])
def test_what_is_crossed_off_does_not_stay_as_it_was(states: tuple[str, ...]) -> None:
    world = World(PAGE, box("买牛奶", 10, 100, *states))
    world.on("买牛奶", flip)
    assert played(world, "把“买牛奶”勾掉").account is None
    assert clicked(world) == [(20, 110)]


def radios() -> World:
    def radio(name: str, x: int) -> Element:
        return element(name, "radio button", (x, 100, 16, 16), "checkable", parent="p")

    return World(PAGE, text("支付方式", 10, 98, 60), radio("支付宝", 100), radio("微信支付", 200))


def test_what_names_a_group_is_no_name_of_its_first_choice() -> None:
    world = radios()
    world.on("微信支付", flip)
    player = played(world, "支付方式选微信")
    assert player.account is None
    assert clicked(world) == [(208, 108)]
    assert any("微信支付" in one for one in player.doubtful)


def test_a_nameless_switch_that_browsers_call_a_toggle_button_is_set() -> None:
    switch = element("", "toggle button", (300, 100, 40, 20), "checkable", "checked", parent="p")
    world = World(PAGE, text("活动推送", 10, 100, 80), switch)
    world.on("", flip)
    desk = desk_of(world)
    play(world, tick(desk, Tick(('"活动推送"',), on=False)), desk)
    assert clicked(world) == [(320, 110)]


def test_a_number_with_its_unit_is_brought_to_a_value_by_arrows() -> None:
    world = World(
        PAGE,
        text("温度", 10, 100),
        element("▼", at=(100, 98, 24, 24), parent="p"),
        text("27℃", 140, 100),
        element("▲", at=(200, 98, 24, 24), parent="p"),
    )

    def lower(world: World, element: Element, action: Action) -> None:
        shown = next(e for e in world.elements if e.name.endswith("℃"))
        now = replace(shown, name=f"{int(shown.name[:-1]) - 1}℃")
        world.elements = [now if e.id == shown.id else e for e in world.elements]

    world.on("▼", lower)
    assert played(world, "温度调到 24 度").account is None
    assert next(e.name for e in world.elements if e.name.endswith("℃")) == "24℃"


def test_a_label_with_a_word_less_is_taken_in_doubt() -> None:
    world = World(PAGE, text("模式", 10, 100), text("制冷", 120, 100), text("制热", 180, 100))
    player = played(world, "空调模式换成制热")
    assert clicked(world) == [(200, 110)]
    assert any("模式" in one for one in player.doubtful)


def test_a_word_that_tells_one_field_from_another_is_never_left_out() -> None:
    field = element("密码", "entry", (100, 100, 200, 24), "editable", value="", parent="p")
    world = World(PAGE, text("密码", 10, 100), field)
    assert played(world, "确认密码设为 abc123").account is not None
    assert not [a for a in world.done if isinstance(a, Type)]


def cards() -> World:
    found = [PAGE]
    for at, name in enumerate(("1号海风", "2号老街")):
        y, card = 100 + 60 * at, f"c{at}"
        found += [
            element("", "section", (10, y, 400, 50), parent="p", id=card),
            text(name, 20, y + 10, 90, card),
            text("票数：12", 120, y + 10, 80, card),
            element("投票", at=(340, y + 10, 60, 30), parent=card, id=f"b{at}"),
        ]
    return World(*found)


def test_a_verb_with_something_between_its_letters_is_the_button_of_the_entry() -> None:
    world = cards()
    desk = desk_of(world)
    assert play(world, by_row_words(desk, "给“2号老街”投一票"), desk)
    assert clicked(world) == [(370, 185)]


def test_no_button_is_pressed_for_an_entry_that_is_not_there() -> None:
    world = cards()
    desk = desk_of(world)
    assert not play(world, by_row_words(desk, "给“3号夜莺”投一票"), desk)
    assert not play(world, by_row_words(desk, "取消给“2号老街”投的票"), desk)
    assert not clicked(world)


def counts() -> list[Element]:
    return [
        PAGE,
        text("待审批：", 10, 100, 60),
        text("2", 72, 100, 10),
        text("当前被勾选的节点共", 10, 140, 120),
        text("4", 132, 140, 10),
        text("个", 144, 140, 14),
        text("共", 10, 180, 14),
        text("5", 26, 180, 10),
        text("件商品", 38, 180, 40),
    ]


@pytest.mark.parametrize(
    ("phrase", "figure"),
    [
        ("“待审批”的数量", "2"),
        ("当前被勾选的节点", "4"),
        ("商品", "5"),
        ("搜索结果", "5"),
        ("待发货", None),
    ],
)
def test_the_number_that_the_page_tells_is_read(phrase: str, figure: str | None) -> None:
    assert figure_told_zh(counts(), phrase) == figure


@pytest.mark.parametrize(
    ("claim", "so"),
    [
        ("验证“待审批”的数量是 2", True),
        ("验证“待审批”的数量是 3", False),
        ("验证当前被勾选的节点共 4 个", True),
        ("验证当前被勾选的节点共 5 个", False),
    ],
)
def test_a_claim_is_held_against_the_number_that_is_told(claim: str, so: bool) -> None:
    world = World(*counts())
    assert (played(world, claim).account is None) is so


def test_a_tab_that_is_but_a_text_is_clicked_by_its_own_words() -> None:
    world = World(PAGE, text("全部", 10, 60), text("待发货", 70, 60, 50), text("待发货：", 200, 60))
    assert played(world, "打开“待发货”页签").account is None
    assert clicked(world) == [(95, 70)]


def test_a_button_is_pressed_in_a_dialog_that_only_just_came_up() -> None:
    world = World(PAGE, element("删除", at=(10, 100, 60, 24), parent="p"))

    def ask(world: World, hit: Element, action: Action) -> None:
        world.elements.append(element("是", at=(300, 300, 60, 24), parent="p"))

    world.on("删除", ask)
    assert played(world, "点击“删除”，在确认框里点“是”").account is None
    assert clicked(world) == [(40, 112), (330, 312)]


def test_what_was_looked_for_in_vain_is_not_looked_for_again_in_every_reading() -> None:
    world = World(PAGE, text("妈妈", 10, 100), element("完成", at=(10, 200, 60, 24), parent="p"))
    played(world, "将与“爸爸”的聊天置顶，最后点“完成”")
    assert not clicked(world)
    assert sum(isinstance(a, Elements) for a in world.done) < 8
