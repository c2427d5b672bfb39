"""What is said of tabs, drop-downs, paths and words that stand in what can be written in."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.claims.addresses import place_shown
from carrel.models.steps.claims.conditions import holds
from carrel.models.steps.claims.displays import last_sum
from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.tab_panels import is_behind_another, panel_of
from carrel.models.steps.program import (
    Choose,
    Condition,
    Count,
    Has,
    Highlight,
    Is,
    Not,
    Open,
    Point,
    Shows,
    Within,
)
from carrel.models.steps.shown.reading import content_of
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.groups import read_choice
from carrel.models.steps.verbs.highlighting import highlight
from carrel.models.steps.verbs.whereabouts import goes_into


def so(world: World, condition: Condition) -> bool:
    desk = desk_of(world)
    told = play(world, holds(desk, condition, closer=True), desk)
    return told[0] is True  # type: ignore[index]


# Tabs


def tabs(*, named: bool = True) -> list[Element]:
    """Two tabs, the second of which is open, and what it shows beside the row of them."""
    return [
        element("Page", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (20, 100, 700, 300), parent="page", id="all"),
        element("", "page tab list", (20, 100, 700, 40), parent="all", id="row"),
        element("Agenda", "page tab", (20, 100, 90, 40), parent="row", id="t1"),
        element("Agenda", "link", (20, 100, 90, 40), parent="t1"),
        element("Minutes", "page tab", (120, 100, 90, 40), "selected", parent="row", id="t2"),
        element("Minutes", "link", (120, 100, 90, 40), parent="t2"),
        element(
            "Minutes" if named else "", "scroll pane", (20, 140, 700, 260), parent="all", id="p"
        ),
        element("Nothing was decided.", "static", (30, 160, 300, 20), parent="p"),
        element("Details", "link", (30, 190, 60, 20), parent="p"),
    ]


@pytest.mark.parametrize("named", [True, False])
def test_what_a_tab_says_is_said_in_its_panel(named: bool) -> None:
    world = World(*tabs(named=named))
    said = Shows('"Nothing was decided."')
    assert so(world, Within("the Minutes tab", said))
    assert so(world, Has("the Minutes tab", "Nothing was decided.", "contains"))
    assert not so(world, Within("the Minutes tab", Shows('"All was decided."')))
    assert so(world, Not(Within("the Minutes tab", Shows('"All was decided."'))))


@pytest.mark.parametrize("named", [True, False])
def test_of_a_tab_that_is_not_open_nothing_is_known(named: bool) -> None:
    world = World(*tabs(named=named))
    said = Shows('"Nothing was decided."')
    assert not so(world, Within("the Agenda tab", said))
    assert not so(world, Not(Within("the Agenda tab", said)))


def test_the_handle_of_a_tab_is_no_part_of_what_it_shows() -> None:
    assert so(World(*tabs()), Within("the Minutes tab", Count("links", 1)))


def test_a_page_that_its_tab_holds_is_what_that_tab_shows() -> None:
    tree = Lineage(
        [
            element("", "page tab list", (0, 0, 400, 300), id="row"),
            element("View", "page tab", (0, 0, 80, 30), parent="row", id="v"),
            element("Editor", "page tab", (80, 0, 80, 30), "selected", parent="row", id="e"),
            element("Tab width:", "label", (10, 60, 80, 20), parent="e"),
        ]
    )
    editor, view = tree.by_id["e"], tree.by_id["v"]
    assert panel_of(editor, tree) is editor
    assert panel_of(view, tree) is None
    assert is_behind_another(view, tree)
    assert not is_behind_another(editor, tree)


# Values of programs


def preferences() -> World:
    return World(
        element("Preferences", "dialog", (0, 0, 400, 300), "active", id="d"),
        element("", "panel", (10, 20, 300, 200), parent="d", id="g"),
        element("Insert Tabs", "combo box", (120, 70, 140, 34), parent="g", id="c"),
        element("", "spin button", (120, 30, 140, 34), "editable", value="8", parent="g", id="s"),
        element("Tab mode:", "label", (20, 70, 90, 34), parent="g"),
        element("Tab width:", "label", (20, 30, 90, 34), parent="g"),
    )


def test_a_drop_down_of_a_program_may_be_named_by_what_is_chosen() -> None:
    world = preferences()
    assert so(world, Has("the tab mode", "Insert Tabs", "equals"))
    assert so(world, Has("the tab width", "8", "equals"))
    assert not so(world, Has("the tab mode", "Insert Spaces", "equals"))
    assert not so(world, Has("the tab mode", "Tab width:", "equals"))
    assert so(world, Not(Has("the tab mode", "Insert Spaces", "equals")))


@pytest.mark.parametrize(
    "phrase", ["the location bar", "the address bar", "the path field", "地址栏", "路径框"]
)
def test_a_program_shows_where_it_is_in_the_field_over_its_window(phrase: str) -> None:
    world = World(
        element("", "entry", (100, 20, 400, 24), "editable", value="/home/ann/project"),
        element("", "entry", (100, 400, 200, 24), "editable", value="3 items"),
    )
    assert place_shown(world.elements, phrase) == "/home/ann/project"
    assert so(world, Has(phrase, "/home/ann/project", "equals"))
    assert not so(world, Has(phrase, "/home/ann/project/Archive", "equals"))
    assert not so(world, Is(phrase, "empty"))
    assert place_shown(world.elements, "the search bar") is None


def test_of_two_paths_none_is_told() -> None:
    fields = [
        element("", "entry", (0, y, 200, 24), "editable", value=f"/home/{y}") for y in (20, 60)
    ]
    assert place_shown(fields, "the location bar") is None


def test_a_result_may_be_written_with_another_base() -> None:
    assert last_sum(["255+1 = 0x100"]) == "0x100"
    assert last_sum(["255+1 = 0b1"]) == "0b1"
    assert last_sum(["the price = high"]) == ""


# Menus


def menus() -> World:
    return World(
        element("Sums", "frame", (0, 0, 600, 400), "active", id="w"),
        element("", "menu bar", (0, 0, 600, 30), parent="w", id="bar"),
        element("Edit", "menu item", (0, 0, 60, 30), parent="bar"),
        element("Settings", "menu item", (60, 0, 80, 30), parent="bar"),
        element("Other", "frame", (0, 420, 600, 100), id="o"),
        element("", "menu bar", (0, 420, 600, 30), parent="o", id="bar2"),
        element("Format", "menu item", (0, 420, 80, 30), parent="bar2"),
    )


@pytest.mark.parametrize(
    "step",
    [
        Open("Result Format", place="the Settings menu"),
        Point("Result Format", place="the Settings menu"),
    ],
)
def test_what_is_opened_in_a_menu_is_an_item_of_it(step: Open | Point) -> None:
    found = goes_into(desk_of(menus()), step)
    assert isinstance(found, Choose)
    assert (found.options, found.path) == (("Settings", "Result Format"), True)


def test_the_menu_that_is_said_comes_before_its_items() -> None:
    world = menus()
    items = element("Result Format", "menu item", (60, 30, 120, 24), id="i", parent="w")
    last = element("Decimal", "menu item", (180, 30, 120, 24), id="j", parent="w")
    world.on("Settings", lambda w, _e, _a: w.elements.append(items))

    def unfold(world: World, _element: Element, _action: Action) -> None:
        if items in world.elements and last not in world.elements:
            world.elements.append(last)

    world.on("move", unfold)
    desk = desk_of(world)
    step = Choose(("Result Format", "Decimal"), "the Settings menu", path=True)
    play(world, choose(desk, step), desk)
    clicked = [(a.x, a.y) for a in world.done if isinstance(a, Click)]
    assert clicked == [(100, 15), (240, 42)]


class OneTitle(World):
    """A program that tells nothing, with a bar of one menu."""

    def __init__(self) -> None:
        super().__init__()
        self.windows = [Window(1, "Sheds", Box(0, 0, 600, 400), "Tk", focused=True)]
        self.closer_elements = [read("Options", 8, 10), read("All sheds", 200, 60)]

    def _click(self, action: Click) -> None:
        if action.y < 30:
            self.closer_elements += [read("Settings...", 10, 40), read("Quit", 10, 60)]
        self._show(f"clicked {action.x}, {action.y}")


def read(name: str, x: int, y: int) -> Element:
    box = Box(x, y, 8 * len(name), 16)
    return Element(f"o{x}-{y}", "label", name, box=box, source="ocr", text=name)


def test_a_bar_of_one_drawn_menu_is_opened_where_it_is_asked_for_as_one() -> None:
    world = OneTitle()
    desk = desk_of(world)
    play(world, choose(desk, Choose(("Settings",), "the Options menu")), desk)
    assert [(a.x, a.y) for a in world.done if isinstance(a, Click)] == [(36, 18), (54, 48)]


def test_a_text_elsewhere_is_no_drawn_menu() -> None:
    world = OneTitle()
    desk = desk_of(world)
    with pytest.raises(Missed):
        play(world, choose(desk, Choose(("Settings",), "the All sheds menu")), desk)
    assert [a for a in world.done if isinstance(a, Click)] == []


class Nested(World):
    """A drop-down whose list has menus of its own."""

    def __init__(self) -> None:
        self.city = "Boston"
        super().__init__(*self._shut())
        self.hidden = self._listed(None)

    def _shut(self) -> list[Element]:
        return [element(self.city, "combo box", (10, 10, 200, 30), id="c")]

    def _listed(self, place: tuple[int, int, int, int] | None) -> list[Element]:
        window = element("", "window", (10, 40, 200, 60), id="win")
        menus = [element("", "menu", (10, 40, 200, 60), parent="win", id="m")]
        for n, (letters, city) in enumerate((("A - B", "Boston"), ("E - J", "Helena"))):
            at = (10, 40 + 30 * n, 200, 30)
            menus.append(element(letters, "menu", at, parent="m", id=letters))
            item = element(city, "menu item", place or (0, 0, 1, 1), parent=letters, id=city)
            menus.append(item)
        return [window, *menus]

    def _click(self, action: Click) -> None:
        shown = [e for e in self._listed((220, 70, 100, 30)) if e.id not in ("Boston", "Helena")]
        if action.x > 210:
            self.city, self.elements = "Helena", self._shut()
            self.elements = self._shut()
        elif action.y < 40:
            self.elements = [*self._shut(), *shown]
        else:
            inner = [e for e in self._listed((220, 70, 100, 30)) if e.id == "Helena"]
            self.elements = [*self._shut(), *shown, *inner]


def test_an_option_in_a_further_menu_of_a_list_is_come_to_by_that_menu() -> None:
    world = Nested()
    desk = desk_of(world)
    play(world, choose_from_combo(desk, desk.elements[0], "Helena"), desk)
    assert world.city == "Helena"
    assert [(a.x, a.y) for a in world.done if isinstance(a, Click)][1:] == [(110, 85), (270, 85)]


def test_a_choice_is_read_under_the_name_of_its_group() -> None:
    circle = Element("r", "radio button", "", box=Box(20, 60, 12, 12), source="detector")
    words = [read("—Unit", 10, 20), read("Celsius", 36, 38), read("Fahrenheit", 36, 58)]
    desk = desk_of(World(circle, *words))
    assert read_choice(desk, "the unit", "Fahrenheit") == circle
    assert read_choice(desk, "the unit", "Celsius") is None
    assert read_choice(desk, "the size", "Fahrenheit") is None


# Words of an editor


def editor() -> World:
    return World(
        element("Page", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (20, 100, 600, 90), "editable", "multi line", parent="page", id="e"),
        element(
            "", "paragraph", (20, 100, 600, 20), "editable", value="Ann and Bob", parent="e", id="a"
        ),
        element(
            "", "paragraph", (20, 130, 600, 20), "editable", value="by the road", parent="e", id="b"
        ),
        element("by the ", "static", (20, 130, 60, 20), "editable", parent="b"),
        element("ferry", "static", (80, 130, 40, 20), "editable", parent="b"),
        element(" ", "static", (120, 130, 5, 20), "editable", parent="b"),
        element("road", "static", (125, 130, 40, 20), "editable", parent="b"),
    )


def test_pieces_of_a_line_are_a_part_of_what_it_says() -> None:
    world = editor()
    assert content_of(world.elements[1], world.elements) == "Ann and Bob\nby the ferry road"


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        ('the word "ferry" in the text', 19),
        ("the word road in the editor", 25),
        ('"Bob" in the article', 8),
        ('the words "the ferry" in the document', 15),
    ],
)
def test_a_word_of_an_editor_is_selected_with_the_keys(phrase: str, at: int) -> None:
    world = editor()
    desk = desk_of(world)
    play(world, highlight(desk, Highlight(phrase)), desk)
    assert sum(a.repeat for a in world.done if isinstance(a, Key) and a.keys == ("right",)) == at


def test_a_word_that_stands_there_twice_is_not_selected() -> None:
    world = editor()
    world.elements[-1] = element("ferry", "static", (125, 130, 40, 20), "editable", parent="b")
    desk = desk_of(world)
    with pytest.raises(Missed, match="stands 2 times"):
        play(world, highlight(desk, Highlight('the word "ferry" in the text')), desk)
    assert [a for a in world.done if isinstance(a, Key | Type)] == []


def test_to_choose_a_word_in_the_text_is_to_select_it() -> None:
    world = editor()
    desk = desk_of(world)
    play(world, choose(desk, Choose(('"ferry" in the editor',))), desk)
    assert desk.worked == Box(20, 100, 600, 90)


@pytest.mark.parametrize(
    ("sentence", "steps"),
    [
        (
            "In cell A1 enter 840 and in cell A2 enter 315",
            ['type "840" into cell A1', 'type "315" into cell A2'],
        ),
        (
            "Into the Name field type Ann and into the City field type Rome",
            ['type "Ann" into the Name field', 'type "Rome" into the City field'],
        ),
        (
            'Enter "Milk and in cell A2 enter" in cell A1',
            ['type "Milk and in cell A2 enter" into cell A1'],
        ),
    ],
)
def test_what_goes_into_which_place_may_be_said_more_than_once(
    sentence: str, steps: list[str]
) -> None:
    assert [write_step(step) for step in read_sentence(sentence).steps] == steps
