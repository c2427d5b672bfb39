"""Things that nothing names but what stands beside them, around them or on them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as At
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.floating import behind
from carrel.models.steps.program import Choose, Condition, Has, Not, Point, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.lone import lone_setting
from carrel.models.steps.verbs.partly_called import drop_down_hinting
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.ticking import tick
from carrel.perception.roles import Kind


def is_so(world: World, condition: Condition) -> bool:
    told = play(world, holds(desk_of(world), condition))
    assert isinstance(told, tuple)
    return bool(told[0])


def form() -> World:
    return World(
        element("Order", "document web", (0, 0, 800, 600), id="p"),
        element("", "label", (100, 100, 70, 30), value="合计金额", parent="p", id="l"),
        element("合计金额", "static", (100, 105, 57, 20), parent="l"),
        element(":", "static", (158, 105, 4, 20), parent="l"),
        element("1280 元", "static", (170, 105, 49, 20), parent="p"),
        element("备注说明", "static", (100, 205, 57, 20), parent="p"),
    )


def test_what_a_name_alone_is_stands_right_of_it() -> None:
    assert is_so(form(), Has("合计金额", "1280 元", "equals"))
    assert not is_so(form(), Has("合计金额", "99 元", "equals"))
    assert not is_so(form(), Not(Has("合计金额", "1280 元", "equals")))
    assert not is_so(form(), Has("备注说明", "1280 元", "equals"))


def test_in_a_table_it_is_the_next_cell_of_the_row() -> None:
    world = World(
        element("", "table", (0, 0, 400, 100), id="t"),
        element("", "table row", (0, 50, 400, 40), parent="t", id="r"),
        element("合计", "table cell", (0, 50, 200, 40), parent="r", id="c"),
        element("合计", "static", (5, 60, 33, 20), parent="c"),
        element("613.30", "table cell", (200, 50, 100, 40), parent="r", id="v"),
        element("613.30", "static", (205, 60, 57, 20), parent="v"),
    )
    assert is_so(world, Has("合计", "613.30", "equals"))
    assert not is_so(world, Has("合计", "600", "equals"))


class Filter(World):
    """A drop-down that only says 全部部门, over a table with a column of that name."""

    def __init__(self, shown: str = "全部部门") -> None:
        super().__init__()
        self.taken = ""
        self.shut = [
            element("Staff", "document web", (0, 0, 800, 600), id="p"),
            element("", "combo box", (40, 40, 120, 25), "focusable", parent="p", id="d"),
            element(shown, "static", (42, 42, 60, 20), parent="d", id="s"),
            element("部门", "column header", (40, 200, 100, 20), parent="p"),
            element("市场部", "static", (40, 230, 60, 20), parent="p", id="cell"),
        ]
        self.elements = list(self.shut)
        self.on("", self._open)
        self.on(shown, self._open)
        self.on("市场部", self._take)

    def _open(self, _world: World, hit: Element, _action: Action) -> None:
        if hit.id in ("d", "s"):
            option = element("市场部", "list item", (40, 80, 120, 25), parent="p", id="o")
            self.elements = [*self.shut, option]

    def _take(self, _world: World, hit: Element, _action: Action) -> None:
        self.taken = hit.id
        shown = element("市场部", "static", (42, 42, 60, 20), parent="d", id="s")
        self.elements = [shown if e.id == "s" else e for e in self.shut]


@pytest.mark.parametrize("shown", ["全部部门", "请选择部门", "所有部门"])
def test_a_drop_down_may_only_say_what_it_is_for(shown: str) -> None:
    world = Filter(shown)
    play(world, choose(desk_of(world), Choose(('"市场部"',), "部门")))
    assert world.taken == "o"


def test_what_stands_in_a_table_is_no_option() -> None:
    world = Filter("城市")
    assert drop_down_hinting(desk_of(world), "部门") is None
    with pytest.raises(Missed, match="heads a column"):
        play(world, choose(desk_of(world), Choose(('"市场部"',), "部门")))
    assert world.taken == ""


def scale(title: str, *more: Element) -> World:
    return World(
        element(title, "dialog", (100, 100, 300, 150), id="w"),
        element("请设定参会人数", "label", (110, 110, 276, 28), parent="w"),
        element("", "slider", (110, 150, 276, 34), parent="w", id="n", value="10"),
        *more,
    )


def test_the_only_slider_of_a_dialog_goes_by_what_the_dialog_says() -> None:
    kinds = (Kind.SLIDER, Kind.SPINNER)
    found = lone_setting(desk_of(scale("参会人数")), "参会人数", kinds)
    assert found is not None
    assert found.id == "n"
    assert lone_setting(desk_of(scale("参会人数")), "预算", kinds) is None
    other = element("", "spin button", (110, 200, 276, 34), parent="w", value="1")
    assert lone_setting(desk_of(scale("参会人数", other)), "参会人数", kinds) is None


class Steppers(World):
    """Two dishes, each with a number between two buttons that nobody named."""

    def __init__(self) -> None:
        super().__init__(element("Menu", "document web", (0, 0, 800, 600), id="p"))
        self.counts = [0, 0]
        for at, name in enumerate(("牛肉面", "鲈鱼")):
            y = 100 + 200 * at
            self.elements += [
                element("", "section", (0, y, 400, 100), parent="p", id=f"card{at}"),
                element(name, "static", (10, y + 5, 60, 20), parent=f"card{at}"),
                element("", "push button", (200, y + 60, 30, 30), parent=f"card{at}", id=f"-{at}"),
                element("", "spin button", (230, y + 60, 30, 30), parent=f"card{at}", id=f"n{at}"),
                element("", "push button", (260, y + 60, 30, 30), parent=f"card{at}", id=f"+{at}"),
            ]
        self.on("", self._pressed)
        self._draw()

    def _draw(self) -> None:
        for at, count in enumerate(self.counts):
            self.elements = [
                element("", e.role, (230, 160 + 200 * at, 30, 30), parent=e.parent, id=e.id,
                        value=str(count)) if e.id == f"n{at}" else e
                for e in self.elements
            ]  # fmt: skip

    def _pressed(self, _world: World, hit: Element, action: Action) -> None:
        if isinstance(action, Click) and hit.id[0] in "+-":
            self.counts[int(hit.id[1])] += 1 if hit.id[0] == "+" else -1
            self._draw()


def test_the_buttons_at_the_sides_of_a_number_add_and_take_away() -> None:
    world = Steppers()
    desk = desk_of(world)
    with pytest.raises(Missed):
        # Of which of the two is not said.
        play(world, point(desk, Point('"+"')))
    assert world.counts == [0, 0]
    world.elements = [e for e in world.elements if not e.id.endswith("1")]
    world.counts = [0]
    play(world, point(desk_of(world), Point('"+"', times=2)))
    assert world.counts == [2]
    play(world, point(desk_of(world), Point('"-"')))
    assert world.counts == [1]


class Several(World):
    """A drop-down that takes several, and whose list stays open over the next field."""

    def __init__(self) -> None:
        super().__init__(
            element("Form", "document web", (0, 0, 800, 600), id="p"),
            element("来源", "combo box", (40, 40, 120, 25), "focusable", parent="p", id="d"),
        )
        self.taken: list[str] = []
        self.on("来源", self._toggle)
        for name in ("展会", "官网", "电话"):
            self.on(name, lambda _w, e, _a: self._take(e))

    def _toggle(self, _world: World, _hit: Element, _action: Action) -> None:
        kept = [e for e in self.elements if e.parent != "list"]
        shut = len(kept) == len(self.elements)
        names = ("展会", "官网", "电话") if shut else ()
        self.elements = [
            *kept,
            *(
                element(name, "static", (40, 70 + 30 * at, 100, 20), parent="list", id=f"o{at}")
                for at, name in enumerate(names)
            ),
        ]

    def _take(self, hit: Element) -> None:
        self.taken.append(hit.name)
        self.change("来源", value="、".join(self.taken))


def test_several_are_chosen_from_a_list_that_stays_open() -> None:
    world = Several()
    play(world, choose(desk_of(world), Choose(('"展会"', '"电话"'), "来源")))
    assert world.taken == ["展会", "电话"]


def drawer(width: int) -> World:
    """A drawer at the side of a page, beside a backdrop, with a field that the page has as well."""
    return World(
        element("Customers", "document web", (0, 0, 1000, 600), id="p"),
        element("", "section", (0, 0, 990, 300), parent="p", id="main"),
        element("客户名称", "entry", (20, 20, 150, 30), "editable", parent="main", id="back"),
        element("移入公海", "static", (760, 100, 60, 20), parent="main"),
        element("", "section", (0, 0, 1000, 600), parent="p", id="root"),
        element("", "section", (0, 0, 1000, 600), parent="root", id="mask"),
        element("", "section", (1000 - width, 0, width, 600), parent="root", id="drawer"),
        element("登记客户", "static", (700, 10, 80, 20), parent="drawer"),
        element("客户名称", "entry", (720, 60, 200, 30), "editable", parent="drawer", id="front"),
    )


def test_what_a_drawer_lies_over_is_out_of_reach() -> None:
    desk = desk_of(drawer(400))
    assert "back" in behind(desk.elements)
    assert "front" not in behind(desk.elements)
    match = resolve(desk, look_for(desk, wished("客户名称", (Kind.FIELD,))))
    assert match is not None
    assert match.element.id == "front"
    plain = [e for e in desk.elements if e.id != "mask"]
    assert not behind(plain)


def test_a_row_is_ticked_by_its_own_hidden_box_and_not_by_a_switch_of_it() -> None:
    rows: list[Element] = []
    for n, name in enumerate(("高等数学", "大学英语")):
        y, row = 100 + 50 * n, f"r{n}"
        rows += [
            element("", "table row", (0, y, 600, 50), parent="t", id=row),
            element(name, "static", (60, y + 15, 60, 20), parent=row, id=f"n{n}"),
            element("", "toggle button", (400, y + 15, 40, 20), "checkable", "checked", parent=row),
        ]
    page = element("Courses", "document web", (0, 0, 800, 600), id="p")
    world = World(page, element("", "table", (0, 60, 600, 200), parent="p", id="t"), *rows)
    states = ("visible", "enabled", "sensitive", "checkable")
    world.hidden = [
        Element(f"h{n}", "check box", "选择当前行", None, Box(10, y, 14, 15), states, f"r{n}")
        for n, y in enumerate((117, 167))
    ]
    clicked: list[int] = []

    def click(action: Click) -> None:
        clicked.append(action.x)
        world.hidden = [
            replace(e, states=(*states, "checked"))
            if e.box and e.box.contains(At(action.x, action.y))
            else e
            for e in world.hidden
        ]
        world.painted += "; clicked"

    world._click = click  # type: ignore[method-assign]
    play(world, tick(desk_of(world), Tick(('"大学英语"那一行',), True)))
    assert clicked == [17]
    assert ["checked" in e.states for e in world.hidden] == [False, True]
