"""Choices under one name, switches beside a text, fields that are called by their use."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.program import Choose, Enter, Point, SetValue, Tick
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.entering import enter
from carrel.models.steps.verbs.pointing import point
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.ticking import tick

FIELD = ("editable", "focusable", "single line")


def take(world: World, e: Element, _action: Action) -> None:
    world.elements = [
        replace(x, states=(*x.states, "checked")) if x.id == e.id else x for x in world.elements
    ]


def radios(*names: str, row: int = 10) -> list[Element]:
    return [
        element(name, "radio button", (100 + 60 * n, row, 14, 14), "checkable", parent="row")
        for n, name in enumerate(names)
    ]


def themes() -> World:
    row = element("", "section", (10, 5, 400, 30), id="row")
    text = element("Theme:", "static", (20, 10, 50, 16), parent="row")
    world = World(row, text, *radios("Light", "Dark", "System"))
    world.on("Dark", take)
    return world


@pytest.mark.parametrize(
    "step", [SetValue("the theme", "Dark"), SetValue("Theme", "dark"), SetValue("theme:", "Dark")]
)
def test_a_group_of_radio_buttons_is_set_by_the_text_before_it(step: SetValue) -> None:
    world = themes()
    play(world, set_value(desk_of(world), step))
    assert world.done == [Click(167, 17)]


def test_a_choice_that_a_group_does_not_have_is_told() -> None:
    world = themes()
    with pytest.raises(Missed, match="has no choice 'Purple'"):
        play(world, set_value(desk_of(world), SetValue("theme", "Purple")))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_segments_that_are_mere_labels_are_taken_in_the_line_of_their_text() -> None:
    """The boxes behind them show nothing; the text is in another part of the page."""
    bar = element("", "section", (120, 10, 200, 24), id="bar")
    parts = [
        element("", "label", (120 + 60 * n, 10, 60, 24), value=name, parent="bar", id=name)
        for n, name in enumerate(("List", "Board", "Calendar"))
    ]
    world = World(element("Default view", "static", (10, 14, 90, 16)), bar, *parts)
    play(world, set_value(desk_of(world), SetValue("the default view", "Board")))
    assert world.done[0] == Click(210, 22)


def test_stars_that_are_called_alike_are_counted() -> None:
    stars = [
        element("star", "radio button", (100 + 30 * n, 10, 20, 20), "checkable", id=f"s{n}")
        for n in range(5)
    ]
    world = World(element("Your rating", "static", (10, 12, 80, 16)), *stars)
    world.on("star", take)
    play(world, set_value(desk_of(world), SetValue("your rating", "4 stars")))
    assert world.done == [Click(200, 20)]


def test_a_nameless_switch_at_the_end_of_a_row_is_that_of_its_text() -> None:
    row = element("", "section", (10, 5, 700, 40), id="row")
    text = element("Gift wrap", "static", (20, 16, 70, 16), parent="row")
    switch = element("", "check box", (660, 14, 30, 18), "checkable", parent="row", id="s")
    world = World(row, text, switch)
    world.on("", take)
    play(world, tick(desk_of(world), Tick(("gift wrap",))))
    assert world.done == [Click(675, 23)]


def test_a_drop_down_is_named_by_the_words_after_its_option() -> None:
    combo = element("entries per page", "combo box", (10, 10, 52, 32), "has popup", id="c")
    world = World(combo)

    def opened(w: World, _e: Element, _a: Action) -> None:
        for n, name in enumerate(("5", "10", "15")):
            w.elements.append(element(name, "menu item", (10, 50 + 20 * n, 52, 20), parent="c"))

    def pick(w: World, e: Element, _a: Action) -> None:
        w.elements = [replace(combo, value=e.name)]

    world.on("entries per page", opened)
    world.on("5", pick)
    play(world, choose(desk_of(world), Choose(("5 entries per page",))))
    assert world.elements[0].value == "5"


def test_a_drop_down_that_takes_no_text_is_not_disabled() -> None:
    """Pages make them of a field that is read only, which is not called enabled."""
    states = ("showing", "visible", "focusable", "has popup", "read only", "single line")
    combo = Element("c", "combo box", "City", None, Box(10, 10, 150, 24), states)
    world = World(combo)

    def opened(w: World, _e: Element, _a: Action) -> None:
        w.elements.append(element("Lima", "list item", (10, 40, 150, 20)))

    def pick(w: World, _e: Element, _a: Action) -> None:
        w.elements = [replace(combo, value="Lima")]

    world.on("City", opened)
    world.on("Lima", pick)
    play(world, choose(desk_of(world), Choose(("Lima",), "the City dropdown")))
    assert [a for a in world.done if isinstance(a, Click)] == [Click(85, 22), Click(85, 50)]


def test_a_field_that_is_read_only_is_told_before_anything_is_typed() -> None:
    states = ("showing", "visible", "focusable", "read only", "single line")
    world = World(Element("f", "entry", "Code", "77", Box(10, 10, 150, 24), states))
    with pytest.raises(Missed, match="read only"):
        play(world, enter(desk_of(world), Enter("1", "the Code field")))
    assert not [a for a in world.done if isinstance(a, Type)]


def entered(world: World, phrase: str) -> Desk:
    desk = desk_of(world)
    play(world, enter(desk, Enter("water the plants", phrase)), desk)
    return desk


def test_the_only_field_may_be_called_by_its_use_and_that_is_in_doubt() -> None:
    world = World(element("What needs to be done?", "entry", (10, 10, 300, 40), *FIELD, value=""))
    desk = entered(world, "the new todo field")
    assert world.elements[0].value == "water the plants"
    assert "taken for the only field" in desk.doubts[0]


@pytest.mark.parametrize(
    "phrase", ["the Email field", "the password", "手机号输入框", '"New todo"']
)
def test_the_only_field_is_not_taken_for_one_that_would_say_its_name(phrase: str) -> None:
    world = World(element("What needs to be done?", "entry", (10, 10, 300, 40), *FIELD, value=""))
    with pytest.raises(Missed):
        entered(world, phrase)
    assert not [a for a in world.done if isinstance(a, Type)]


def test_a_search_field_is_not_taken_for_another_one() -> None:
    world = World(element("Search", "entry", (10, 10, 300, 40), *FIELD, value=""))
    with pytest.raises(Missed):
        entered(world, "the new todo field")


def test_nothing_is_selected_in_a_field_that_holds_nothing() -> None:
    """In a field for tags that would be the tags."""
    world = World(element("Tags", "entry", (10, 10, 60, 20), *FIELD, value=""))
    play(world, enter(desk_of(world), Enter("shiny", "Tags")))
    assert world.done == [Click(40, 20), Type("shiny")]
    play(world, enter(desk_of(world), Enter("neat", "Tags")))
    assert Key(("shift", "end")) in world.done


def test_what_a_field_of_a_page_holds_is_selected_by_the_usual_keys() -> None:
    page = element("Shop", "document web", (0, 0, 800, 400), id="p")
    field = element("Name", "entry", (10, 10, 60, 20), *FIELD, value="Ann", parent="p")
    world = World(page, field)
    play(world, enter(desk_of(world), Enter("Bob", "Name")))
    assert Key(("ctrl", "a")) in world.done


def test_a_dialog_is_not_clicked_for_its_title() -> None:
    dialog = element("Delete account", "dialog", (100, 100, 400, 200), "modal", id="d")
    ok = element("OK", "push button", (400, 260, 60, 24), parent="d")
    field = element("Why?", "entry", (120, 190, 360, 24), *FIELD, value="", parent="d")
    world = World(dialog, field, ok)
    with pytest.raises(Missed):
        play(world, point(desk_of(world), Point('"Delete account"')))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_what_is_beyond_the_edge_of_its_page_is_not_clicked() -> None:
    page = element("Shop", "document web", (0, 0, 800, 400), id="p")
    world = World(page, element("Note", "entry", (10, 396, 300, 40), *FIELD, value="", parent="p"))
    with pytest.raises(Missed, match="beyond the edge of the page"):
        play(world, enter(desk_of(world), Enter("x", "Note")))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_tick_on_what_tells_no_state_is_in_doubt_whatever_else_changes() -> None:
    world = World(element("Urgent", "push button", (10, 10, 60, 16)), element("Notes", "entry"))
    world.on("Urgent", lambda w, _e, _a: w.change("Notes", value="left"))
    desk = desk_of(world)
    play(world, tick(desk, Tick(("Urgent",))), desk)
    assert [a for a in world.done if isinstance(a, Click)]
    assert any("nothing tells whether" in doubt for doubt in desk.doubts)


def test_of_mere_words_without_a_box_nothing_is_ticked() -> None:
    world = World(element("Urgent", "static", (10, 10, 60, 16)), element("Notes", "entry"))
    with pytest.raises(Missed, match="no box to tick it by"):
        play(world, tick(desk_of(world), Tick(("Urgent",))))
    assert not [a for a in world.done if isinstance(a, Click)]


def todos() -> World:
    """A tree of tasks: the box of each is beside its words, and has no name."""
    rows = [("Trip", "", 0), ("Tickets", "Trip", 20), ("Hotel", "Trip", 20)]
    parts = [element("", "tree", (0, 0, 300, 90), id="t")]
    for number, (name, parent, indent) in enumerate(rows):
        y, height = 30 * number, 90 if not parent else 30
        item = element("", "list item", (indent, y, 300 - indent, height), id=name)
        box = element("", "check box", (indent + 2, y + 8, 14, 14), "checkable", id=f"b{name}")
        text = element(name, "static", (indent + 30, y + 6, 60, 16), id=f"w{name}")
        parts += [
            replace(item, parent=parent or "t"),
            replace(box, parent=name),
            replace(text, parent=name),
        ]
    return World(*parts)


@pytest.mark.parametrize(("name", "at"), [("Trip", (9, 15)), ("Hotel", (29, 75))])
def test_an_entry_is_ticked_by_its_own_box_and_no_other(name: str, at: tuple[int, int]) -> None:
    world = todos()
    world.on("", take)
    play(world, tick(desk_of(world), Tick((name,))))
    clicks = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    assert clicks == [at]
    assert "checked" in next(e for e in world.elements if e.id == f"b{name}").states


def rows_with_a_switch() -> World:
    """Two lines of a form; only the second has a switch, and its name is beside it."""
    form = element("", "form", (10, 0, 400, 120), id="form")
    first = element("", "section", (10, 10, 400, 30), parent="form", id="first")
    lunch = element("Lunch", "static", (60, 16, 40, 16), parent="first")
    second = element("", "section", (10, 60, 400, 30), parent="form", id="second")
    label = element("Remind me", "static", (20, 66, 70, 16), parent="second")
    switch = element("", "switch", (120, 64, 40, 20), "checkable", parent="second", id="switch")
    return World(form, first, lunch, second, label, switch)


def test_the_switch_of_other_words_is_not_turned() -> None:
    world = rows_with_a_switch()
    with pytest.raises(Missed, match="no box to tick it by"):
        play(world, tick(desk_of(world), Tick(("Lunch",), True)))
    assert not [a for a in world.done if isinstance(a, Click)]


def test_a_drop_down_that_shows_a_hint_goes_by_the_words_beside_it() -> None:
    page = element("Entry", "document web", (0, 0, 800, 600), id="p")
    label = element("", "label", (20, 40, 90, 30), value="项目", parent="p", id="l")
    said = element("项目", "static", (60, 46, 30, 16), parent="l")
    field = element("请选择", "entry", (120, 40, 300, 30), "read only", parent="p", id="f")
    world = World(page, label, said, field)

    def opens(now: World, _e: Element, _a: Action) -> None:
        now.elements += [
            element(n, "static", (130, 80 + 30 * k, 60, 16), parent="p")
            for k, n in enumerate(("铅球", "跳远"))
        ]

    world.on("请选择", opens)
    world.on("跳远", lambda now, _e, _a: now.change("请选择", value="跳远"))
    play(world, choose(desk_of(world), Choose(('"跳远"',), source="项目")))
    assert next(e for e in world.elements if e.id == "f").value == "跳远"


def test_a_box_that_is_called_by_how_it_is_is_read_where_it_was() -> None:
    boxes = [
        element("Unchecked", "check box", (40, 40 + 30 * n, 16, 16), "checkable", id=f"b{n}")
        for n in (0, 1)
    ]
    world = World(*boxes)

    def ticked(now: World, hit: Element, _a: Action) -> None:
        on = replace(hit, name="Checked", states=(*hit.states, "checked"))
        now.elements = [on if e.id == hit.id else e for e in now.elements]

    world.on("Unchecked", ticked)
    play(world, tick(desk_of(world), Tick(("the first checkbox",), True)))
    assert [e.name for e in world.elements] == ["Checked", "Unchecked"]


class Toppings(World):
    """Boxes in a group that has a name, and one beside it."""

    def __init__(self) -> None:
        names = ("Ham", "Olives", "Corn")
        super().__init__(
            element("Pizza", "document web", (0, 0, 700, 560), id="page"),
            element("Toppings", "panel", (10, 40, 300, 60), parent="page", id="group"),
            *(
                element(name, "check box", (20 + 90 * n, 60, 80, 20), parent="group", id=name)
                for n, name in enumerate(names)
            ),
            element("Newsletter", "check box", (20, 200, 100, 20), parent="page", id="other"),
        )
        for name in (*names, "Newsletter"):
            self.on(name, take)


def test_all_of_a_group_are_the_boxes_under_its_name() -> None:
    world = Toppings()
    player = Player(read_sentence("Tick all the toppings except olives"), desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert [e.name for e in world.elements if "checked" in e.states] == ["Ham", "Corn"]
