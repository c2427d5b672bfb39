from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Move, Type
from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Choose, Sort, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.dragging import sort
from carrel.models.steps.verbs.ticking import tick


def toggle(world: World, e: Element, _action: Action) -> None:
    states = set(e.states) ^ {"checked"}
    world.change(e.name, states=tuple(states))


def box(name: str, y: int, *states: str, role: str = "check box") -> Element:
    return element(name, role, (10, y, 14, 14), "checkable", *states)


def test_boxes_are_brought_to_the_wished_state_and_left_alone_when_they_are() -> None:
    world = World(box("One", 10), box("Two", 40, "checked"), box("Three", 70))
    for name in ("One", "Two", "Three"):
        world.on(name, toggle)
    assert play(world, tick(desk_of(world), Tick(("One", "Two")))) == "1 already on"
    assert world.done == [Click(17, 17)]
    play(world, tick(desk_of(world), Tick(("Two",), on=False)))
    assert world.done[-1] == Click(17, 47)


def test_a_box_that_stays_as_it_is_is_told() -> None:
    world = World(box("One", 10))
    with pytest.raises(Missed, match="still off after a click"):
        play(world, tick(desk_of(world), Tick(("One",))))


def test_a_radio_button_is_chosen_by_its_name() -> None:
    world = World(box("Small", 10, role="radio button"), box("Large", 40, role="radio button"))
    world.on("Large", toggle)
    play(world, choose(desk_of(world), Choose(("Large",))))
    assert world.done == [Click(17, 47)]


def a_list(*states: str, names: tuple[str, ...] = ("Red", "Green", "Blue")) -> World:
    options = [
        element(name, "list item", (10, 20 + 20 * n, 100, 18), "selectable", parent="l")
        for n, name in enumerate(names)
    ]
    world = World(element("Colours", "list box", (10, 20, 100, 60), *states, id="l"), *options)

    def select(w: World, e: Element, action: Action) -> None:
        assert isinstance(action, Click)
        keep = action.modifiers == ("ctrl",)
        for other in [o for o in w.elements if o.role == "list item"]:
            on = other.name == e.name or (keep and "selected" in other.states)
            states = tuple(s for s in other.states if s != "selected")
            w.change(other.name, states=(*states, "selected") if on else states)

    for option in options:
        world.on(option.name, select)
    return world


def chosen(world: World) -> list[str]:
    return [e.name for e in world.elements if "selected" in e.states]


def test_a_name_with_an_and_in_it_is_one_option_of_a_list() -> None:
    world = a_list(names=("Bosnia and Herzegovina", "Chad"))
    step = Choose(("Bosnia", "Herzegovina"), "Colours", said="the entry Bosnia and Herzegovina")
    play(world, choose(desk_of(world), step))
    assert chosen(world) == ["Bosnia and Herzegovina"]


def test_several_options_of_a_list_are_chosen_with_ctrl() -> None:
    world = a_list("multiselectable")
    play(world, choose(desk_of(world), Choose(("Red", "Blue"), "Colours")))
    assert chosen(world) == ["Red", "Blue"]
    assert world.done == [Click(60, 29), Click(60, 69, modifiers=("ctrl",))]


def test_an_option_a_list_does_not_have_is_told_with_those_it_has() -> None:
    world = a_list()
    with pytest.raises(Missed, match="has no option 'Black'; it has: Red, Green, Blue"):
        play(world, choose(desk_of(world), Choose(("Black",), "Colours")))


def a_combo(options: tuple[str, ...], *, long: bool = False) -> World:
    """A drop-down whose options show when it is open; the first is chosen."""
    world = World(element("Size", "combo box", (10, 10, 100, 20), "has popup", id="c"))
    state = {"chosen": options[0]}

    def closed() -> None:
        world.elements = [e for e in world.elements if e.parent != "m"]
        world.hidden = [element("", "menu", (10, 10, 100, 11), parent="c", id="m")]
        for name in options:
            on = ("selected",) if name == state["chosen"] else ()
            world.hidden.append(element(name, "menu item", (10, 10, 100, 11), *on, parent="m"))

    def opened(w: World, e: Element, _a: Action) -> None:
        shown = options[:2] if long else options
        w.elements.append(element("", "menu", (10, 30, 100, 99), parent="c", id="m"))
        for n, name in enumerate(shown):
            w.elements.append(element(name, "menu item", (10, 30 + 20 * n, 100, 20), parent="m"))

    def pick(w: World, e: Element, _a: Action) -> None:
        state["chosen"] = e.name
        w.elements = [x for x in w.elements if x.id != "m"]
        closed()

    def typed(w: World, _e: Element, action: Action) -> None:
        if action == Key(("enter",)):
            words = [a for a in w.done if isinstance(a, Type)]
            state["chosen"] = words[-1].text
            closed()

    world.on("Size", opened)
    world.on("key", typed)
    for name in options:
        world.on(name, pick)
    closed()
    world.state = state  # type: ignore[attr-defined]
    return world


def test_a_drop_down_is_opened_chosen_from_and_read_back() -> None:
    world = a_combo(("S", "M", "L"))
    play(world, choose(desk_of(world), Choose(("M",), "Size")))
    assert world.state == {"chosen": "M"}  # type: ignore[attr-defined]
    clicks = [one for one in world.done if isinstance(one, Click)]
    assert clicks == [Click(60, 20), Click(60, 60)]


def test_an_option_further_down_a_drop_down_is_found_by_the_keyboard() -> None:
    world = a_combo(("S", "M", "L", "XXL"), long=True)
    play(world, choose(desk_of(world), Choose(("XXL",), "Size")))
    assert world.state == {"chosen": "XXL"}  # type: ignore[attr-defined]


def test_an_option_that_is_told_to_be_above_the_page_is_taken_by_the_keyboard() -> None:
    world = a_combo(("S", "M", "L"))
    # The list is drawn from the top of the page on, and told to begin above it.
    page = element("Shop", "document web", (0, 40, 800, 560), id="p")
    combo = element("Size", "combo box", (10, 80, 100, 20), "has popup", parent="p", id="c")
    world.elements = [page, combo]
    world.on("M", lambda w, _e, _a: w.state.update(chosen="S"))  # type: ignore[attr-defined]
    play(world, choose(desk_of(world), Choose(("M",), "Size")))
    assert world.state == {"chosen": "M"}  # type: ignore[attr-defined]
    assert [a for a in world.done if isinstance(a, Click)] == [Click(60, 90)]


def test_an_option_of_a_list_beside_its_drop_down_is_scrolled_to() -> None:
    world = World(element("2", "combo box", (10, 10, 100, 20), "has popup", id="c"))

    def show(w: World, first: int) -> None:
        pane = element("", "section", (10, 30, 100, 60), id="list")
        rows = [
            element(str(n), "static", (12, 30 + 20 * (n - first), 96, 20), parent="list")
            for n in range(1, 13)
        ]
        w.elements = [w.elements[0], pane, *rows[first - 1 : first + 2]]
        w.hidden = [row for row in rows if row not in w.elements]
        for row in rows:
            w.on(row.name, pick)

    def pick(w: World, e: Element, _a: Action) -> None:
        w.elements, w.hidden = [replace(w.elements[0], name=e.name)], []

    world.on("2", lambda w, _e, _a: show(w, 1))
    world.on("scroll", lambda w, _e, _a: show(w, 10))
    play(world, choose(desk_of(world), Choose(("12",), "the drop-down")))
    assert [e.name for e in world.elements] == ["12"]


def test_an_option_of_which_it_is_not_said_where_is_found_in_the_drop_down_that_has_it() -> None:
    world = a_combo(("Small", "Medium", "Huge"))
    play(world, choose(desk_of(world), Choose(("Huge",))))
    assert world.state == {"chosen": "Huge"}  # type: ignore[attr-defined]


def test_an_option_a_drop_down_does_not_have_is_told_and_it_is_closed_again() -> None:
    world = a_combo(("S", "M"))
    with pytest.raises(Missed, match="has no option 'XL'; it has: S, M"):
        play(world, choose(desk_of(world), Choose(("XL",), "Size")))
    assert world.done[-1] == Key(("escape",))


def a_combo_with_a_field_in_it() -> World:
    """A label over a drop-down whose choice is shown by a field that takes no text."""
    page = element("Booking", "document web", (0, 0, 800, 600), id="p")
    label = element("Room", "label", (38, 160, 46, 24), parent="p")
    combo = element(
        "Choose a room", "combo box", (38, 193, 700, 28), "focusable", parent="p", id="c"
    )
    shown = element(
        "",
        "entry",
        (39, 194, 698, 28),
        "read only",
        "disabled",
        value="Choose a room",
        parent="c",
        id="i",
    )
    world = World(page, label, combo, shown)

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("", "list box", (38, 225, 700, 60), parent="p", id="l"))
        for n, name in enumerate(("Amber", "Cedar")):
            w.elements.append(
                element(name, "list item", (38, 225 + 30 * n, 700, 30), parent="l", id=name)
            )

    def pick(w: World, e: Element, _a: Action) -> None:
        kept = [x for x in w.elements if x.id != "l" and x.parent != "l"]
        chosen = [replace(x, name=e.name) if x.id == "c" else x for x in kept]
        w.elements = [replace(x, value=e.name) if x.id == "i" else x for x in chosen]

    # What is clicked is the innermost: the field.
    world.on("", opened)
    world.on("Cedar", pick)
    return world


@pytest.mark.parametrize("phrase", ["the Room drop-down", '"Room"下拉框', '"Room"'])
def test_a_field_that_only_shows_the_choice_of_a_drop_down_is_a_part_of_it(phrase: str) -> None:
    world = a_combo_with_a_field_in_it()
    play(world, choose(desk_of(world), Choose(("Cedar",), phrase)))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(388, 207), Click(388, 270)]
    assert [e.name for e in world.elements if e.id == "c"] == ["Cedar"]


def test_a_drop_down_that_is_disabled_with_the_field_in_it_is_told() -> None:
    world = a_combo_with_a_field_in_it()
    world.elements = [
        replace(e, states=("showing", "visible")) if e.id in ("c", "i") else e
        for e in world.elements
    ]
    with pytest.raises(Missed, match="disabled"):
        play(world, choose(desk_of(world), Choose(("Cedar",), "the Room drop-down")))
    assert not any(isinstance(a, Click) for a in world.done)


def test_a_path_through_a_menu_is_hovered_and_its_end_clicked() -> None:
    world = World(element("File", "menu", (10, 0, 40, 20)))

    def open_file(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("Recent", "menu", (10, 20, 100, 20)))
        w.elements.append(element("Quit", "menu item", (10, 40, 100, 20)))

    def hover(w: World, _e: Element, action: Action) -> None:
        assert isinstance(action, Move)
        if (action.x, action.y) == (60, 30):
            w.elements.append(element("Notes", "menu item", (110, 20, 100, 20)))

    world.on("File", open_file)
    world.on("move", hover)
    play(world, choose(desk_of(world), Choose(("File", "Recent", "Notes"), path=True)))
    assert world.done[-1] == Click(160, 30)
    assert [a for a in world.done if isinstance(a, Click)] == [Click(30, 10), Click(160, 30)]


def test_an_and_may_belong_to_a_name() -> None:
    world = World(box("Rice and Beans", 10), box("Soup", 40))
    for name in ("Rice and Beans", "Soup"):
        world.on(name, toggle)
    step = Tick(("Rice", "Beans", "Soup"), said="Rice and Beans and Soup")
    play(world, tick(desk_of(world), step))
    assert world.done == [Click(17, 17), Click(17, 47)]


def test_things_are_brought_into_order_one_drag_at_a_time() -> None:
    names = ["7", "12", "3"]

    def rows() -> list[Element]:
        return [
            element(name, "list item", (10, 20 + 30 * n, 100, 28), parent="l")
            for n, name in enumerate(names)
        ]

    world = World(element("", "list", (10, 20, 100, 90), id="l"), *rows())

    def move(w: World, _e: Element, action: Action) -> None:
        path = action.path  # type: ignore[attr-defined]
        start, end = ((point.y - 20) // 30 for point in (path[0], path[-1]))
        names.insert(end, names.pop(start))
        w.elements = [replace(w.elements[0]), *rows()]

    world.on("drag", move)
    play(world, sort(desk_of(world), Sort("the list items")))
    assert names == ["3", "7", "12"]


def test_an_and_may_belong_to_the_name_of_a_menu_item() -> None:
    world = World(element("Search", "menu", (10, 0, 40, 20)))
    item = element("Find and Replace...", "menu item", (10, 40, 100, 20))

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements += [element("Find", "menu item", (10, 20, 100, 20)), item]

    def closed(w: World, _e: Element, action: Action) -> None:
        if action == Key(("escape",)):
            w.elements = [e for e in w.elements if e.role == "menu"]

    world.on("Search", opened)
    world.on("key", closed)
    step = Choose(("Find", "Replace"), "the Search menu", said="Find and Replace")
    play(world, choose(desk_of(world), step))
    clicks = [a for a in world.done if isinstance(a, Click)]
    assert clicks[-1] == Click(60, 50)
    assert len(clicks) == 3


def test_where_nothing_is_to_be_chosen_nothing_is_done() -> None:
    world = World(box("One", 10), box("Two", 40))
    play(world, choose(desk_of(world), Choose(())))
    assert world.done == []


def test_a_drop_down_that_says_it_sorts_goes_before_the_column_of_an_empty_table() -> None:
    states = ("focusable", "expandable")
    world = World(
        element("Shop", "document web", (0, 0, 800, 600), id="p"),
        element("Sort by", "label", (20, 20, 80, 20), parent="p"),
        element(
            *("Sort by", "combo box", (20, 45, 160, 30), *states), value="Name", parent="p", id="c"
        ),
        element("Name", "menu item", (20, 80, 160, 20), "selectable", "selected", parent="c"),
        element("Price: high to low", "menu item", (20, 105, 160, 20), "selectable", parent="c"),
        element("Basket", "table", (400, 20, 300, 100), parent="p", id="t"),
        element("Price", "table column header", (400, 20, 100, 20), parent="t", id="head"),
    )
    desk = desk_of(world)
    player = Player(read_sentence("Sort the products by price from high to low"), desk)
    play(world, player.play(), desk)
    clicks = [action for action in world.done if isinstance(action, Click)]
    assert clicks
    assert not any(400 <= click.x < 500 and 20 <= click.y < 40 for click in clicks)
