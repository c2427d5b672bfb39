"""Pages that tell nothing of their cards, lanes and lines: things are told by where they are."""

from __future__ import annotations

from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def _run(world: World, said: str) -> Player:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player


def _clicks(world: World) -> list[tuple[int, int]]:
    return [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def _text(name: str, at: tuple[int, int, int, int], parent: str | None = "page") -> Element:
    return element(name, "static", at, parent=parent)


def _page(*elements: Element) -> World:
    page = element("店", "document web", (0, 0, 800, 600), id="page", value="http://x/")
    return World(page, *elements)


def _board() -> World:
    lanes = [("待处理", 20), ("开发中", 220), ("测试中", 420)]
    titles = [_text(name, (x, 60, 60, 20)) for name, x in lanes]
    cards = [_text(f"{name}的活", (x, 100, 120, 20)) for name, x in lanes]
    adds = [_text("+ 新建任务", (x, 140, 80, 20)) for _, x in lanes]
    return _page(*titles, *cards, *adds)


def test_a_thing_is_clicked_in_the_lane_that_is_named() -> None:
    world = _board()
    assert _run(world, "点“开发中”列下面的“+ 新建任务”").account is None
    assert _clicks(world) == [(260, 150)]


def test_a_claim_about_a_lane_does_not_hold_for_another() -> None:
    assert _run(_board(), "检查“测试中”列里有“测试中的活”").account is None
    assert _run(_board(), "检查“测试中”列里有“开发中的活”").account is not None


def _lines() -> World:
    names = [_text(name, (20, 100 + 50 * n, 80, 20)) for n, name in enumerate(("甲店", "乙店"))]
    buttons = [element("预订", at=(300, 98 + 50 * n, 40, 24), parent="page") for n in range(2)]
    return _page(*names, *buttons)


def test_what_is_booked_is_what_stands_in_its_line() -> None:
    for name, y in (("甲店", 110), ("乙店", 160)):
        world = _lines()
        assert _run(world, f"预订“{name}”").account is None
        assert _clicks(world) == [(320, y)]


def test_an_entry_is_deleted_by_the_cross_in_its_line() -> None:
    entries = [element("", "list item", (20, 100 + 40 * n, 400, 30), id=f"i{n}") for n in range(2)]
    texts = [_text(name, (30, 105, 80, 20), "i0") for name in ("买菜",)]
    texts.append(_text("还书", (30, 145, 80, 20), "i1"))
    crosses = [element("×", at=(380, 105 + 40 * n, 20, 20), parent=f"i{n}") for n in range(2)]
    world = World(*entries, *texts, *crosses)
    assert _run(world, "把“还书”这一条删掉").account is None
    assert _clicks(world) == [(390, 155)]


def test_so_many_of_a_card_are_put_into_the_cart() -> None:
    cards = []
    for n, name in enumerate(("红茶", "绿茶", "白茶")):
        x = 20 + 200 * n
        cards.append(element(name, "heading", (x, 100, 160, 20), parent="page"))
        cards.append(element("加入购物车", at=(x, 160, 90, 30), parent="page"))
    world = _page(*cards)
    assert _run(world, "往购物车里加两罐“绿茶”").account is None
    assert _clicks(world) == [(265, 175), (265, 175)]


def test_a_number_between_plus_and_minus_is_brought_to_a_value() -> None:
    def more(world: World, _: Element, __: Action) -> None:
        now = next(e for e in world.elements if e.id == "n")
        world.elements[world.elements.index(now)] = _counted(int(now.name) + 1)

    line = [_text("鼠标", (20, 100, 60, 20)), element("-", at=(200, 100, 20, 20), parent="page")]
    world = _page(*line, _counted(1), element("+", at=(260, 100, 20, 20), parent="page"))
    world.on("+", more)
    assert _run(world, "把鼠标的数量改成 3").account is None
    assert _clicks(world) == [(270, 110), (270, 110)]


def _counted(number: int) -> Element:
    return element(str(number), "static", (230, 100, 20, 20), parent="page", id="n")


def test_the_number_behind_a_name_is_what_is_claimed() -> None:
    links = [
        element("收件箱 (3)", "link", (20, 50, 90, 20)),
        element("草稿 (1)", "link", (20, 80, 90, 20)),
    ]
    assert _run(World(*links), "“收件箱”后面的数字应为 3").account is None
    assert _run(World(*links), "“收件箱”后面的数字应为 1").account is not None


def test_boxes_are_told_by_their_names_where_their_group_is_called_otherwise() -> None:
    boxes = [
        element(name, "check box", (20, 60 + 30 * n, 80, 20), "checkable")
        for n, name in enumerate(("面食", "轻食"))
    ]
    world = World(_text("您平时去哪些地方", (20, 20, 200, 20), None), *boxes)
    world.on("轻食", lambda w, e, _: w.change("轻食", states=(*e.states, "checked")))
    player = _run(world, "喜欢的窗口勾上“轻食”")
    assert player.account is None
    assert player.doubtful
    assert _clicks(world) == [(60, 100)]


def test_a_field_is_known_by_the_last_word_of_its_name() -> None:
    fields = [
        element(name, "entry", (120, 50 + 40 * n, 200, 24), "editable", value="")
        for n, name in enumerate(("所需设备", "会议室"))
    ]
    world = World(*fields)
    assert _run(world, "设备填“投影仪”").account is None
    assert next(e for e in world.elements if e.name == "所需设备").value == "投影仪"


def test_two_fields_that_end_alike_are_not_guessed() -> None:
    fields = [
        element(name, "entry", (120, 50 + 40 * n, 200, 24), "editable", value="")
        for n, name in enumerate(("开始日程", "结束日程"))
    ]
    assert _run(World(*fields), "日程填“周五”").account is not None
