"""What is not in sight, or known only by its number, kind or label: found all the same."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Move, Scroll
from carrel.actions import Wait as Pause
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.finding.results import is_result
from carrel.models.steps.program import Choose, Expand, Point, Wait
from carrel.models.steps.program import Scroll as Scrolling
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.finding import expand
from carrel.models.steps.verbs.looking import wait
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.scrolling import scroll

React = Callable[[World, Element, Action], None]


def clicks(world: World) -> list[tuple[int, int]]:
    return [(action.x or 0, action.y or 0) for action in world.done if isinstance(action, Click)]


def shows(*elements: Element) -> React:
    """Clicking it shows other things in the place of all."""

    def react(world: World, hit: Element, action: Action) -> None:
        world.elements = list(elements)

    return react


# Results by number


def result_page(number: int, last: int) -> list[Element]:
    """Two results with their addresses, and what turns the page."""
    found = []
    for row in range(2):
        y = 40 + 60 * row
        found.append(element(f"Finding {number}.{row}", "link", (20, y, 120, 16)))
        found.append(element(f"https://site{number}{row}.example", "link", (20, y + 18, 200, 14)))
        found.append(element("And some words about it", "static", (20, y + 34, 200, 14)))
    pages = [element(str(n), "link", (20 + 20 * n, 400, 14, 16)) for n in range(1, last + 1)]
    onward = [element("Next", "link", (200, 400, 40, 16))] if number < last else []
    return [*found, *pages, *onward]


def searched(last: int = 3) -> World:
    world = World(*result_page(1, last))

    def turn(world: World, hit: Element, action: Action) -> None:
        now = int(world.elements[0].name[8])
        world.elements = result_page(now + 1, last)

    world.on("Next", turn)
    return world


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("the 1st search result", "Finding 1.0"),
        ("the second result", "Finding 1.1"),
        ("the 5th search result", "Finding 3.0"),
        ("the fourth hit", "Finding 2.1"),
        ("the last result of the search", "Finding 3.1"),
    ],
)
def test_a_result_is_counted_over_all_pages(words: str, name: str) -> None:
    world = searched()
    taken: list[str] = []
    for n in (1, 2, 3):
        for row in (0, 1):
            world.on(f"Finding {n}.{row}", lambda w, hit, a: taken.append(hit.name))
    play(world, point(desk_of(world), Point(words)))
    assert taken == [name]


def test_a_result_that_is_not_there_is_told_with_how_many_there_are() -> None:
    world = searched()
    with pytest.raises(Missed, match="only 6 results"):
        play(world, point(desk_of(world), Point("the 9th search result")))


@pytest.mark.parametrize("words", ["the 3rd button", "the second tab", "Result", "the search"])
def test_other_things_by_number_are_no_results(words: str) -> None:
    assert is_result(words) == 0


# Behind tabs


@pytest.mark.parametrize("words", ['the link "harbour"', "the harbour link", 'the "harbour" link'])
def test_words_behind_a_tab_that_act_as_a_link_are_found(words: str) -> None:
    tabs = [
        element("One", "page tab", (0, 0, 60, 20), "selectable", "selected", "expandable"),
        element("Two", "page tab", (70, 0, 60, 20), "selectable", "expandable"),
        element("Three", "page tab", (140, 0, 60, 20), "selectable", "expandable"),
    ]
    world = World(*tabs, element("Nothing of the kind", "static", (0, 50, 200, 14)))
    text = element("harbour", "static", (40, 80, 60, 14))
    world.on("Two", shows(*tabs, element("harbours elsewhere", "static", (0, 50, 200, 14))))
    world.on("Three", shows(*tabs, element("By the ", "static", (0, 80, 38, 14)), text))
    desk = desk_of(world)
    desk.step = f"switch between the tabs to find {words}"
    play(world, point(desk, Point(words)))
    assert clicks(world)[-1] == (70, 87)
    assert clicks(world).count((100, 10)) == 1


@pytest.mark.parametrize(
    ("role", "states", "told"),
    [
        ("page tab", (), "the tabs Alpha, Beta"),
        ("push button", ("expandable",), "the sections Alpha, Beta"),
        ("menu", (), "the menus Alpha, Beta"),
    ],
)
def test_of_several_closed_things_none_is_opened_that_nobody_named(
    role: str, states: tuple[str, ...], told: str
) -> None:
    closed = [
        element("Alpha", role, (0, 0, 60, 20), *states),
        element("Beta", role, (70, 0, 60, 20), *states),
    ]
    world = World(*closed)
    with pytest.raises(Missed, match=f"not opened, as none is named: {told}"):
        play(world, point(desk_of(world), Point('the link "Cod"')))
    assert clicks(world) == []


@pytest.mark.parametrize("role", ["page tab", "menu"])
def test_of_several_closed_things_the_one_that_is_named_is_opened(role: str) -> None:
    closed = [
        element("Alpha", role, (0, 0, 60, 20)),
        element("Beta", role, (70, 0, 60, 20)),
    ]
    world = World(*closed)
    world.on("Beta", shows(*closed, element("Cod", "link", (0, 50, 60, 20))))
    desk = desk_of(world)
    desk.notice = 'In Beta there is a link "Cod", which should be clicked'
    play(world, point(desk, Point('the link "Cod"')))
    assert clicks(world) == [(100, 10), (30, 60)]


def test_what_the_browser_puts_around_a_page_is_never_opened() -> None:
    world = World(
        element("Browser", "frame", (0, 0, 800, 600), id="win"),
        element("Chromium", "push button", (700, 5, 30, 20), "has popup", parent="win"),
        element("Page", "document web", (0, 40, 800, 560), parent="win", id="page"),
        element("Bold", "push button", (10, 60, 60, 20), parent="page"),
    )
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("the editor area below the toolbar")))
    assert clicks(world) == []


# Panes that scroll


def panes(*rows: str) -> list[Element]:
    """A list at the left of which five rows can be seen, and a text at the right."""
    left = [
        element(name, "table cell", (10, 40 + 30 * n, 150, 24), parent="tree")
        for n, name in enumerate(rows)
    ]
    return [
        element("Demo", "frame", (0, 0, 800, 600), id="top"),
        element("", "scroll pane", (0, 30, 200, 500), parent="top", id="left"),
        element("", "tree table", (0, 30, 200, 500), parent="left", id="tree"),
        element("", "scroll bar", (190, 30, 10, 500), "vertical", parent="left"),
        *left,
        element("", "scroll pane", (220, 30, 580, 500), parent="top", id="right"),
        element("", "scroll bar", (790, 30, 10, 500), "vertical", parent="right"),
        element("Some words", "static", (230, 40, 100, 14), parent="right"),
    ]


ROWS = [f"Row {n}" for n in range(1, 31)]


def long_list(first: int = 0) -> World:
    """The wheel moves only what is under the pointer."""
    world = World(*panes(*ROWS[first : first + 5]))
    at = [first]

    def scrolled(world: World, hit: Element, action: Action) -> None:
        assert isinstance(action, Scroll)
        if action.x < 200:
            at[0] = min(25, max(0, at[0] + action.dy))
            world.elements = panes(*ROWS[at[0] : at[0] + 5])

    world.on("scroll", scrolled)
    return world


@pytest.mark.parametrize(("words", "first"), [("Row 20", 0), ("Row 30", 0), ("Row 2", 22)])
def test_each_pane_is_scrolled_at_its_own_place_for_what_is_not_in_sight(
    words: str, first: int
) -> None:
    world = long_list(first)
    taken: list[str] = []
    world.on(words, lambda w, hit, a: taken.append(hit.name))
    play(world, point(desk_of(world), Point(words)))
    assert taken == [words]


def test_what_is_in_no_pane_is_told_with_the_panes_that_moved_and_they_go_back() -> None:
    world = long_list(10)
    with pytest.raises(Missed) as missed:
        play(world, point(desk_of(world), Point("Row 99")))
    assert "scrolled the pane at 100,280" in missed.value.account
    assert "scrolled the pane at 510,280" not in missed.value.account
    assert "Row 11" in [e.name for e in world.elements]


@pytest.mark.parametrize(
    "where",
    ["the left list", "the list on the left", "the left-hand pane", "左侧列表", "the sidebar"],
)
def test_a_pane_may_be_named_by_its_side(where: str) -> None:
    world = long_list()
    play(world, scroll(desk_of(world), Scrolling("down", until="Row 20", where=where)))
    assert "Row 20" in [e.name for e in world.elements]
    assert all(a.x < 200 for a in world.done if isinstance(a, Scroll))


def test_scrolling_until_something_shows_finds_its_pane_by_itself() -> None:
    world = long_list()
    play(world, scroll(desk_of(world), Scrolling("down", until="Row 20")))
    assert "Row 20" in [e.name for e in world.elements]
    with pytest.raises(Missed, match="scrolled the pane at 100,280"):
        play(world, scroll(desk_of(world), Scrolling("down", until="Row 99")))


def test_sections_that_push_each_other_away_are_opened_where_they_are_then() -> None:
    def heads(second: int) -> list[Element]:
        return [
            element("Fruit", "page tab", (0, 0, 90, 20), "expandable"),
            element("Fish", "page tab", (0, second, 90, 20), "expandable"),
        ]

    world = World(*heads(20))
    world.on("Fruit", shows(*heads(120), element("Pear", "link", (0, 20, 60, 20))))
    world.on("Fish", shows(*heads(20), element("Cod", "link", (0, 50, 60, 20))))
    desk = desk_of(world)
    desk.step = 'expand the sections to find the link "Cod"'
    play(world, point(desk, Point('the link "Cod"')))
    assert clicks(world) == [(45, 10), (45, 130), (30, 60)]


def test_where_there_are_tabs_they_are_opened_before_much_is_waited_for() -> None:
    tab = element("Two", "page tab", (70, 0, 60, 20), "selectable")
    world = World(tab, element("Nothing", "static", (0, 50, 200, 14)))
    world.on("Two", shows(tab, element("Cod", "link", (0, 50, 60, 20))))
    play(world, point(desk_of(world), Point('the link "Cod"')))
    assert world.clock < 0.6
    world = World(element("Nothing", "static", (0, 50, 200, 14)))
    world.after(0.8, lambda w: w.elements.append(element("Cod", "link", (0, 50, 60, 20))))
    play(world, point(desk_of(world), Point('the link "Cod"')))
    assert clicks(world) == [(30, 60)]


# Menus in menus


def test_a_submenu_of_an_open_menu_is_pointed_at_and_not_clicked() -> None:
    outer = [
        element("Tools", "menu item", (0, 0, 80, 20), "has popup"),
        element("Views", "menu item", (0, 20, 80, 20), "has popup"),
    ]
    inner = element("Ruler", "menu item", (90, 25, 80, 20))
    world = World(*outer)

    def moved(world: World, hit: Element, action: Action) -> None:
        assert isinstance(action, Move)
        if 20 <= action.y < 40 and action.x < 80:
            world.elements = [*outer, inner]

    world.on("move", moved)
    play(world, choose(desk_of(world), Choose(("Views", "Ruler"), path=True)))
    assert clicks(world) == [(130, 35)]


# Folded things that have no name


@pytest.mark.parametrize(
    "words", ["the menu below", "the round menu", "the radial menu shown below", "the menu"]
)
def test_a_menu_without_a_name_is_opened_by_its_sign(words: str) -> None:
    world = World(element("+", "static", (100, 100, 20, 20)), element("Hello", "static"))
    world.on("+", shows(element("Copy", "static", (10, 10, 40, 14))))
    play(world, expand(desk_of(world), Expand(words)))
    assert clicks(world) == [(110, 110)]


def test_of_two_signs_none_is_guessed() -> None:
    world = World(
        element("+", "static", (100, 100, 20, 20)), element("+", "static", (100, 150, 20, 20))
    )
    with pytest.raises(Missed):
        play(world, expand(desk_of(world), Expand("the menu below")))


@pytest.mark.parametrize("words", ["the section below", "the panel", "the section"])
def test_the_only_closed_section_is_the_one_to_open(words: str) -> None:
    world = World(
        element("", "section", (0, 0, 300, 300)),
        element("History", "push button", (10, 10, 100, 20), "expandable"),
    )

    def open_it(world: World, hit: Element, action: Action) -> None:
        world.change("History", states=(*hit.states, "expanded"))

    world.on("History", open_it)
    play(world, expand(desk_of(world), Expand(words)))
    assert clicks(world) == [(60, 20)]


# Trees without a state


def tree(*rows: tuple[str, int, bool]) -> list[Element]:
    found: list[Element] = []
    for n, (name, depth, folder) in enumerate(rows):
        y, x = 20 * n, 20 * depth
        found.append(element("", "list item", (x, y, 200, 18), id=f"row{n}"))
        if folder:
            found.append(element("", "section", (x, y + 1, 16, 16), parent=f"row{n}"))
        found.append(element(name, "static", (x + 20, y + 2, 80, 14), parent=f"row{n}"))
    return found


@pytest.mark.parametrize(
    "words",
    [
        'the folder or file named "Budget"',
        'the folder called "Budget"',
        'the file or directory named "Budget"',
    ],
)
def test_a_tree_that_tells_no_states_is_opened_by_its_marks(words: str) -> None:
    world = World(*tree(("Letters", 0, True), ("Notes", 0, False)))

    def opened(world: World, hit: Element, action: Action) -> None:
        if isinstance(action, Click) and action.x < 20 and hit.role == "section":
            world.elements = tree(("Letters", 0, True), ("Budget", 1, False), ("Notes", 0, False))

    world.on("", opened)
    play(world, point(desk_of(world), Point(words)))
    assert clicks(world) == [(8, 9), (80, 29)]


def test_a_list_is_no_tree_unless_it_is_said() -> None:
    world = World(*tree(("Letters", 0, True), ("Notes", 0, False)))
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point("Budget")))
    assert clicks(world) == []


# What a colon announces


@pytest.mark.parametrize(
    ("words", "at"),
    [("the email", (150, 27)), ("the phone number", (150, 7)), ("the home address", (150, 47))],
)
def test_what_comes_after_a_label_is_what_is_clicked(words: str, at: tuple[int, int]) -> None:
    rows = (("Phone: ", "555-0199"), ("Email: ", "ann@example.org"), ("Home address: ", "1 Low St"))
    world = World()
    for n, (label, value) in enumerate(rows):
        world.elements.append(element(label, "static", (10, 20 * n, 80, 14)))
        world.elements.append(element(value, "link", (100, 20 * n, 100, 14)))
    play(world, point(desk_of(world), Point(words)))
    assert clicks(world) == [at]


def test_what_a_label_announces_may_stand_in_the_next_line() -> None:
    world = World(
        element("", "section", (0, 0, 120, 40), id="row"),
        element("Mail: ", "static", (0, 0, 40, 14), parent="row"),
        element("somebody.with.a.long.name@example.org", "link", (0, 16, 120, 14), parent="row"),
    )
    play(world, point(desk_of(world), Point("the mail")))
    assert clicks(world) == [(60, 23)]


def test_a_label_without_a_colon_announces_nothing() -> None:
    world = World(
        element("Phone", "static", (10, 0, 80, 14)), element("Help", "link", (100, 0, 100, 14))
    )
    play(world, point(desk_of(world), Point("Phone")))
    assert clicks(world) == [(50, 7)]


# Lists that are closed


@pytest.mark.parametrize("source", ["the list", "the list below", "the scroll list"])
def test_a_drop_down_is_a_list_to_choose_from(source: str) -> None:
    combo = element("", "combo box", (10, 10, 100, 20), "expandable")
    options = [element(n, "list item", (10, 40 + 20 * i, 100, 18)) for i, n in enumerate("AB")]
    world = World(combo)

    def opened(world: World, hit: Element, action: Action) -> None:
        if hit.role == "combo box":
            world.elements = [combo, *options]

    world.on("", opened)
    play(world, choose(desk_of(world), Choose(("B",), source=source)))
    assert clicks(world)[:2] == [(60, 20), (60, 69)]


def test_letters_that_still_grow_are_clicked_when_they_can_be_read() -> None:
    world = World(element("Q", "static", (100, 100, 2, 2)))
    sizes = iter((6, 12, 20))

    def grow(world: World) -> None:
        size = next(sizes, None)
        if size is not None:
            x = (world.elements[0].box or Box(0, 0, 0, 0)).x
            world.elements = [element("Q", "static", (x + 20, 100, size, size))]
            world.after(0.1, grow)

    world.after(0.1, grow)
    play(world, point(desk_of(world), Point('the item labelled "Q"')))
    assert clicks(world) == [(170, 110)]


# Waiting


@pytest.mark.parametrize(
    ("gone", "left"), [(0.0, 1.0), (0.31, 0.7), (4.0, 0.0)], ids=["at once", "in time", "too late"]
)
def test_a_wait_is_counted_from_what_was_done_before_it(gone: float, left: float) -> None:
    world = World(element("Go"))
    desk = desk_of(world)
    desk.acted = time.monotonic() - gone
    play(world, wait(desk, Wait(seconds=1.0)))
    assert [a.seconds for a in world.done if isinstance(a, Pause)] == [pytest.approx(left)]


def test_a_wait_after_looking_only_is_as_long_as_it_was_said() -> None:
    world = World(element("Go"))
    desk = desk_of(world)
    play(world, desk.again(0.1))
    play(world, wait(desk, Wait(seconds=1.0)))
    assert isinstance(world.done[-1], Pause)
    assert world.done[-1].seconds == 1.0
