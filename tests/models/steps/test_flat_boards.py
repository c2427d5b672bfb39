"""Boards of which no application tells the lanes or the cards: only what is written on them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Drag, FocusWindow, Key, Open
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.program import GoTo, Point, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.dragging import drag
from carrel.models.steps.verbs.pages import go_to
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.ticking import tick

LANES = {"待办": ["设计首页", "修复登录"], "进行中": ["写用例"], "已完成": ["评审"]}


def _lane(at: int, name: str, cards: list[str]) -> list[Element]:
    x = 20 + 250 * at
    head = f"head-{at}"
    told = f"{name} ({len(cards)})"
    rows = [
        element(told, "heading", (x, 100, 230, 28), parent="board", id=head),
        element(f"{name} ", "static", (x, 102, 60, 24), parent=head),
        element(f"({len(cards)})", "static", (x + 60, 104, 20, 20), parent=head),
    ]
    for number, card in enumerate(cards):
        y = 150 + 70 * number
        line = f"line-{at}-{number}"
        rows += [
            element(card, "static", (x + 10, y, 80, 20), parent="board"),
            element("", "section", (x + 10, y + 24, 210, 22), parent="board", id=line),
            element("编辑", "link", (x + 80, y + 24, 30, 22), parent=line, id=f"edit-{card}"),
            element("删除", "link", (x + 120, y + 24, 30, 22), parent=line, id=f"del-{card}"),
        ]
    return rows


def board() -> World:
    """Headings side by side in one section, with a number each, and all cards right in it."""
    rows = [
        element("Board", "document web", (0, 0, 800, 600), id="p"),
        element("", "section", (10, 90, 780, 400), parent="p", id="board"),
    ]
    for at, (name, cards) in enumerate(LANES.items()):
        rows += _lane(at, name, cards)
    return World(*rows)


@pytest.mark.parametrize("onto", ["已完成", "“已完成”列", "“已完成”这一列", "已完成那列"])
def test_a_card_is_let_go_under_the_heading_that_was_said(onto: str) -> None:
    world = board()
    desk = desk_of(world)

    def moved(world: World, _: Element, act: object) -> None:
        world.elements = [e for e in world.elements if e.name != "写用例"]

    world.on("drag", moved)
    play(world, drag(desk, DragStep("写用例", onto=onto)), desk)
    (path,) = [act.path for act in world.done if isinstance(act, Drag)]
    assert 515 <= path[-1].x <= 760
    assert path[-1].y > 100


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("“设计首页”卡片上的编辑", "edit-设计首页"),
        ("修复登录那张卡片的删除", "del-修复登录"),
        ("“评审”卡片上的删除按钮", "del-评审"),
    ],
)
def test_a_control_is_told_by_the_card_that_it_goes_with(said: str, meant: str) -> None:
    world = board()
    desk = desk_of(world)
    play(world, point(desk, Point(said)), desk)
    (click,) = [act for act in world.done if isinstance(act, Click)]
    box = next(e.box for e in world.elements if e.id == meant)
    assert box is not None
    assert box.contains(type(box.center)(click.x, click.y))


def test_the_word_for_on_opens_what_leads_somewhere() -> None:
    world = World(
        element("设置", "document web", (0, 0, 800, 600), id="p"),
        element("消息通知", "link", (20, 60, 80, 20), parent="p"),
    )
    desk = desk_of(world)
    desk.step = "打开“消息通知”"
    play(world, tick(desk, Tick(("“消息通知”",))), desk)
    assert [type(act) for act in world.done if isinstance(act, Click)] == [Click]


def test_a_link_is_not_ticked_where_ticking_was_said() -> None:
    world = World(
        element("设置", "document web", (0, 0, 800, 600), id="p"),
        element("消息通知", "link", (20, 60, 80, 20), parent="p"),
    )
    desk = desk_of(world)
    desk.step = "勾选“消息通知”"
    with pytest.raises(Missed, match="no box"):
        play(world, tick(desk, Tick(("“消息通知”",))), desk)


def _browser(*more: Window) -> World:
    world = World(
        element("Shop - Browser", "frame", (0, 0, 800, 600), id="b"),
        element("Address", "entry", (100, 10, 400, 20), "editable", parent="b", value=""),
        element("Shop", "document web", (0, 60, 800, 540), value="file:///a", parent="b"),
    )
    world.windows = [Window(1, "Shop - Browser", Box(0, 0, 800, 600)), *more]
    return world


def test_an_address_is_never_typed_into_another_program() -> None:
    world = _browser(Window(2, "Notes", Box(300, 50, 400, 300), focused=True))
    with pytest.raises(Missed):
        play(world, go_to(desk_of(world), GoTo("file:///b")))
    acts = [act for act in world.done if isinstance(act, FocusWindow | Key | Open)]
    assert isinstance(acts[0], FocusWindow)
    assert acts[0].window == 1
    assert not any(isinstance(act, Key) for act in acts)
    assert any(isinstance(act, Open) for act in acts)


def _cart() -> World:
    rows = [element("购物车", "document web", (0, 0, 800, 600), id="p")]
    rows.append(element("", "table", (10, 90, 780, 300), parent="p", id="t"))
    for at, name in enumerate(("无线鼠标", "A4 打印纸")):
        y, row = 100 + 40 * at, f"r{at}"
        rows += [
            element("", "table row", (10, y, 780, 38), parent="t", id=row),
            element(name, "table cell", (20, y, 200, 38), parent=row),
            element("", "table cell", (500, y, 200, 38), parent=row, id=f"c{at}"),
            element("删除", "link", (510, y + 8, 40, 20), parent=f"c{at}"),
            element("移入收藏", "link", (560, y + 8, 80, 20), parent=f"c{at}", id=f"fav-{at}"),
        ]
    return World(*rows)


def test_what_a_control_of_its_row_does_is_not_done_by_dragging() -> None:
    world = _cart()
    desk = desk_of(world)
    desk.step = "将 A4 打印纸移入收藏"
    play(world, drag(desk, DragStep("A4 打印纸", onto="收藏")), desk)
    assert not any(isinstance(act, Drag) for act in world.done)
    (click,) = [act for act in world.done if isinstance(act, Click)]
    assert (click.x, click.y) == (600, 158)


def test_a_card_that_comes_to_stand_under_the_wrong_heading_is_not_moved() -> None:
    world = board()
    desk = desk_of(world)

    def elsewhere(world: World, _: Element, act: object) -> None:
        # It was let go under the last heading, and the page puts it under the second.
        at = Box(280, 220, 80, 20)
        world.elements = [replace(e, box=at) if e.name == "设计首页" else e for e in world.elements]

    world.on("drag", elsewhere)
    with pytest.raises(Missed, match="does not stand there"):
        play(world, drag(desk, DragStep("设计首页", onto="已完成")), desk)
