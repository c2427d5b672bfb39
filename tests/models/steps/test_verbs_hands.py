"""Hands in the right place: folders, trees, pages, bars, number fields, windows in front."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Drag, Key
from carrel.frames import Element
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.bars import button_bars
from carrel.models.steps.layout.floating import drawn_dialogs
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.program import (
    Choose,
    Condition,
    Every,
    Expand,
    ForEach,
    Not,
    Point,
    Shows,
    Tick,
)
from carrel.models.steps.program import Drag as DragStep
from carrel.models.steps.reaching.items import things
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.dragging import drag
from carrel.models.steps.verbs.finding import expand
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.ticking import tick

PAGE = element("Page", "document web", (0, 0, 800, 600), id="page", value="http://x/")


def _holds(desk: Desk, condition: Condition) -> Turns[bool]:
    so, _ = yield from holds(desk, condition)
    return so


def _is_so(world: World, condition: Condition) -> object:
    return play(world, _holds(desk_of(world), condition))


def files() -> World:
    folder = element("Docs", "icon", (100, 100, 80, 60), parent="w")
    file = element("a.txt", "icon", (300, 100, 80, 60), parent="w")
    return World(element("w", "frame", (0, 0, 800, 600), id="w"), folder, file)


def test_a_thing_is_let_go_in_the_middle_of_a_folder() -> None:
    world = files()

    def dropped(world: World, _e: Element, _action: Action) -> None:
        world.elements = [e for e in world.elements if e.name != "a.txt"]

    world.on("drag", dropped)
    desk = desk_of(world)
    play(world, drag(desk, DragStep("a.txt", "the Docs folder")))
    (done,) = (a for a in world.done if isinstance(a, Drag))
    assert (done.path[-1].x, done.path[-1].y) == (140, 130)
    assert not desk.doubts


def test_a_drag_that_leaves_a_thing_where_it_was_is_doubted() -> None:
    world = files()
    world.on("drag", lambda world, _e, _a: world._show("a shadow"))
    desk = desk_of(world)
    play(world, drag(desk, DragStep("a.txt", "the Docs folder")))
    assert any("where it was" in doubt for doubt in desk.doubts)


def test_in_a_tree_the_arrow_before_the_words_is_clicked_first() -> None:
    tree = element("", "tree", (100, 100, 300, 200), parent="page", id="tree")
    root = element("Root", "tree item", (140, 100, 100, 24), "expandable", parent="tree", id="r")
    world = World(PAGE, tree, root)

    def press(world: World, _e: Element, action: Action) -> None:
        if isinstance(action, Click) and action.x < 140:
            world.change("Root", states=("showing", "visible", "expandable", "expanded"))

    world.on("", press)
    play(world, expand(desk_of(world), Expand("Root")))
    assert [a.x for a in world.done if isinstance(a, Click)] == [128]


def test_a_page_of_a_list_is_turned_to_by_its_number() -> None:
    pager = [
        element(str(n), "link", (100 + 40 * n, 500, 30, 20), parent="page") for n in range(1, 4)
    ]
    world = World(PAGE, *pager)
    play(world, point(desk_of(world), Point("page 2")))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(195, 510)]


def test_a_bar_of_buttons_is_one_without_being_called_so() -> None:
    bar = element("", "section", (100, 100, 200, 24), parent="page", id="bar")
    buttons = [
        element(n, "push button", (100 + 40 * i, 100, 30, 22), parent="bar")
        for i, n in enumerate(("Bold", "Italic", "Link"))
    ]
    other = element("Bold", "push button", (600, 400, 30, 22), parent="page")
    world = World(PAGE, bar, *buttons, other)
    assert [e.id for e in button_bars(Lineage(tuple(world.elements)))] == ["bar"]
    play(world, point(desk_of(world), Point("the Bold button in the toolbar")))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(115, 111)]


def number_field(value: str = "50") -> Element:
    at = (100, 100, 120, 30)
    return element("", "spin button", at, "editable", "focusable", value=value, id="spin")


def test_the_plus_of_a_number_field_is_its_key() -> None:
    world = World(number_field(), replace(number_field(""), id="off", states=("showing",)))

    def up(world: World, _e: Element, action: Action) -> None:
        if isinstance(action, Key) and action.keys == ("up",):
            world.elements[0] = replace(world.elements[0], value=str(50 + action.repeat))

    world.on("key", up)
    play(world, point(desk_of(world), Point("the + button of the spin button", times=3)))
    assert world.elements[0].value == "53"


def test_a_number_field_that_stays_as_it_was_is_told() -> None:
    world = World(number_field())
    with pytest.raises(Missed, match="still holds '50'"):
        play(world, point(desk_of(world), Point("the plus button of the spin button")))


def test_boxes_that_are_ticked_are_no_parts_of_the_page() -> None:
    part = element("", "section", (10, 10, 300, 300), parent="page")
    names = ("Java", "Perl", "Ruby")
    boxes = [
        element(n, "check box", (20, 20 + 30 * i, 14, 14), "checkable", parent="page")
        for i, n in enumerate(names)
    ]
    world = World(PAGE, part, *boxes)
    step = ForEach("each", (Tick(("{each}",)),), every="boxes", but=("Perl",))
    assert play(world, things(desk_of(world), step)) == ("Java", "Ruby")


def test_what_is_not_taken_of_a_field_with_suggestions_is_no_success() -> None:
    field = element("Gear", "entry", (100, 100, 200, 24), "editable", "focusable", parent="page")
    world = World(PAGE, field)
    world.on("type", lambda world, _e, _a: world.change("Gear", value=""))
    with pytest.raises(Missed, match="no suggestion"):
        play(world, choose(desk_of(world), Choose(("Skis",), "the Gear field")))


def window(name: str, at: tuple[int, int, int, int], *states: str) -> Element:
    return element(name, "frame", at, *states, id=name)


def test_of_two_windows_the_one_in_front_is_worked_in() -> None:
    behind = element("Docs", "link", (50, 50, 60, 20), parent="Browser")
    front = element("Docs", "icon", (500, 100, 60, 60), parent="Files")
    world = World(
        window("Browser", (0, 0, 400, 600)),
        behind,
        window("Files", (400, 0, 400, 600), "active"),
        front,
    )
    play(world, point(desk_of(world), Point("Docs", "double")))
    (click,) = (a for a in world.done if isinstance(a, Click))
    assert (click.x, click.y) == (530, 130)


def test_what_a_new_window_draws_a_moment_later_goes_before_a_thing_behind_it() -> None:
    behind = element("Docs", "link", (50, 50, 60, 20), parent="Browser")
    world = World(
        window("Browser", (0, 0, 400, 600)), behind, window("Files", (400, 0, 400, 600), "active")
    )
    drawn = replace(element("Docs", "icon", (500, 100, 60, 60)), source="ocr")
    world.after(0.5, lambda world: world.closer_elements.append(drawn))
    desk = desk_of(world)
    desk.came_up = True
    play(world, point(desk, Point("Docs", "double")))
    (click,) = (a for a in world.done if isinstance(a, Click))
    assert (click.x, click.y) == (530, 130)


def lists() -> World:
    tasks = element("", "list", (100, 100, 400, 100), parent="page", id="tasks")
    task = element("", "list item", (100, 100, 400, 40), parent="tasks", id="t")
    text = element("Call Ida", "static", (140, 110, 80, 20), parent="t")
    ways = element("", "list", (100, 300, 400, 20), parent="page", id="ways")
    links = [
        element(n, "link", (100 + 80 * i, 300, 60, 20), parent="ways")
        for i, n in enumerate(("All", "Active"))
    ]
    return World(PAGE, tasks, task, text, ways, *links)


def test_a_row_of_links_is_not_the_list() -> None:
    there = Shows('"Call Ida" in the list')
    gone = Not(Shows('"Buy milk" in the list'))
    assert _is_so(lists(), Every((there, gone))) is True
    assert _is_so(lists(), Not(there)) is False


def test_a_box_over_a_long_text_is_a_dialog() -> None:
    text = element("a long text", "static", (0, 50, 780, 500), parent="page")
    box = element("", "section", (250, 200, 300, 150), parent="page", id="box")
    said = element("Really?", "static", (270, 220, 80, 20), parent="box")
    answer = element("Cancel", "link", (400, 300, 80, 30), parent="box")
    world = World(PAGE, text, box, said, answer)
    assert [e.id for e in drawn_dialogs(world.elements)] == ["box"]
    assert [e.id for e in drawn_dialogs([e for e in world.elements if e.id != text.id])] == []


def test_a_switch_has_no_words_on_it_and_tells_how_it_is() -> None:
    menu = element("Menu", "toggle button", (700, 10, 40, 30))
    switch = element("", "toggle button", (400, 300, 50, 26), id="switch")
    world = World(menu, switch)

    def turn(world: World, e: Element, _action: Action) -> None:
        at = world.elements.index(e)
        world.elements[at] = replace(e, states=(*e.states, "checked"))

    world.on("", turn)
    desk = desk_of(world)
    play(world, tick(desk, Tick(("the first switch",))))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(425, 313)]
    assert not desk.doubts


@pytest.mark.parametrize("arrow", [True, False])
def test_a_branch_is_unfolded_by_its_arrow_and_not_by_the_box_before_its_words(
    arrow: bool,
) -> None:
    item = element("Reports", "tree item", (34, 171, 300, 26), "expandable", parent="t", id="i")
    world = World(
        element("Team", "document web", (0, 0, 800, 600), id="p"),
        element("", "tree", (34, 171, 300, 52), parent="p", id="t"),
        item,
        element("Reports", "static", (80, 176, 44, 15), parent="i", id="w"),
    )
    if arrow:
        world.elements.append(element("", "image", (40, 178, 12, 12), parent="i", id="a"))
    # The page draws a box where the one it has is hidden.
    world.hidden = [element("", "check box", (58, 177, 14, 14), "checkable", parent="i", id="b")]
    clicked: list[int] = []

    def click(action: Click) -> None:
        clicked.append(action.x)
        if action.x < 56:
            states = (*item.states, "expanded")
            kept = [e for e in world.elements if e.id != "i"]
            world.elements = [*kept, replace(item, states=states)]

    world._click = click  # type: ignore[method-assign]
    play(world, expand(desk_of(world), Expand("Reports")))
    assert clicked
    assert clicked[-1] < 56
    assert not [x for x in clicked if 58 <= x < 72]
