"""Trees, panes, displays and the signs in headings, as programs and packaged pages tell them."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.finding.signs_at_headings import sign_at_heading
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.writing import write_program
from carrel.models.steps.play import Player
from carrel.models.steps.reaching.in_panes import in_pane


def played(world: World, said: str) -> Player:
    desk = desk_of(world)
    player = Player(read_sentence(said), desk)
    play(world, player.play(), desk)
    return player


def clicks(world: World) -> list[tuple[int, int]]:
    return [(action.x or 0, action.y or 0) for action in world.done if isinstance(action, Click)]


# Panes and trees


def demo(*names: str) -> list[Element]:
    """A program with a tree at the left, of which each row can be unfolded."""
    rows = [
        element(name, "table cell", (60, 40 + 22 * n, 140, 20), "expandable", parent="tree")
        for n, name in enumerate(names)
    ]
    return [
        element("Demo", "frame", (20, 10, 700, 500), "active", id="frame"),
        element("", "tree table", (40, 40, 180, 400), parent="frame", id="tree"),
        *rows,
        element("Run", "push button", (400, 40, 60, 20), parent="frame"),
    ]


def test_a_tree_at_the_left_is_the_list_on_the_left() -> None:
    desk = desk_of(World(*demo("Entry", "Icons")))
    assert in_pane(desk, '"Entry" in the list on the left') == (
        '"Entry"',
        Box(40, 40, 180, 400),
    )
    assert in_pane(desk, '"Entry" in the Contacts list') is None


def test_no_row_that_nobody_named_is_clicked_to_look_for_another() -> None:
    world = World(*demo("Entry", "Icons"))
    player = played(world, 'expand "Tree View" in the list on the left')
    assert player.account is not None
    assert clicks(world) == []


def items(*names: str, signs: bool = True) -> list[Element]:
    """A tree of a page, whose entries begin with a sign that nobody names."""
    listed = [element("", "list", (20, 20, 300, 300), id="list")]
    for n, name in enumerate(names):
        y, own = 20 + 20 * n, f"item{n}"
        listed.append(element("", "list item", (20, y, 300, 18), parent="list", id=own))
        if signs:
            listed.append(element("", "section", (20, y, 18, 18), parent=own, id=f"sign{n}"))
        listed.append(element(name, "static", (60, y + 2, 80, 14), parent=own))
    return listed


def test_an_entry_of_a_tree_is_unfolded_by_the_sign_before_its_words() -> None:
    world = World(*items("Fruit", "Herbs", "Roots"))
    assert played(world, 'expand "Herbs"').account is None
    assert clicks(world) == [(29, 49)]


def test_an_entry_without_a_sign_is_clicked_itself() -> None:
    world = World(*items("Fruit", "Herbs", "Roots", signs=False))
    played(world, 'expand "Herbs"')
    assert (29, 49) not in clicks(world)


# Signs in the line of a heading


def cards(*named: str) -> list[Element]:
    """Two cards, each with its small buttons at the end of its heading."""
    listed = [element("", "panel", (0, 0, 780, 300), id="page")]
    for n, title in enumerate(("General", "Budget")):
        x, card = 20 + 380 * n, f"card{n}"
        listed.append(element("", "panel", (x, 20, 340, 200), parent="page", id=card))
        listed.append(element(title, "heading", (x + 10, 30, 80, 20), parent=card))
        listed += [
            element(sign, "push button", (x + 250 + 30 * m, 28, 24, 24), parent=card, id=f"{n}{m}")
            for m, sign in enumerate(named)
        ]
        listed.append(element("Save", "push button", (x + 10, 150, 60, 20), parent=card))
    return listed


@pytest.mark.parametrize(
    "phrase",
    [
        "the minus button in the corner of the General box",
        "the minus at the top right of the General card",
        "the minus sign in the header of General",
        'the minus in the "General" title bar',
    ],
)
def test_a_sign_is_told_by_the_heading_in_whose_line_it_is(phrase: str) -> None:
    desk = desk_of(World(*cards("\uf068", "\uf00d")))
    found = sign_at_heading(desk, phrase)
    assert found is not None
    assert found.element.id == "00"


def test_the_only_sign_of_a_heading_needs_no_name() -> None:
    desk = desk_of(World(*cards("")))
    found = sign_at_heading(desk, "the three-dot menu in the header of the Budget card")
    assert found is not None
    assert found.element.id == "10"


@pytest.mark.parametrize("signs", [("", ""), ("\uf00d",), ("Help",)])
def test_a_sign_that_cannot_be_told_is_not_guessed(signs: tuple[str, ...]) -> None:
    desk = desk_of(World(*cards(*signs)))
    assert sign_at_heading(desk, "the minus in the header of the General card") is None


def test_a_box_is_collapsed_with_the_sign_in_its_corner() -> None:
    world = World(*cards("\uf068"))
    said = "collapse the General box with the minus button in its corner"
    assert played(world, said).account is None
    assert clicks(world) == [(282, 40)]


# What is shown


@pytest.mark.parametrize(("number", "so"), [("0", True), ("1", False)])
def test_a_display_shows_the_number_that_has_a_line_for_itself(number: str, so: bool) -> None:
    world = World(
        element("Calculator", "frame", (0, 0, 400, 300), "active", id="frame"),
        element(
            "",
            "text",
            (10, 10, 300, 60),
            *("multi line", "focusable"),
            value="0\n DEC  HEX  OCT    DEG  RAD",
            parent="frame",
        ),
        element("1", "push button", (10, 100, 40, 30), parent="frame"),
    )
    player = played(world, f"verify that the display shows {number}")
    assert (player.account is None) is so


def table() -> list[Element]:
    rows = [("56070", "Normal"), ("60620", "Critical")]
    listed = [
        element("", "table", (0, 0, 400, 200), id="table"),
        element("Fixed?", "table column header", (0, 0, 50, 20), parent="table"),
        element("Bug number", "table column header", (50, 0, 100, 20), parent="table"),
        element("Severity", "table column header", (150, 0, 100, 20), parent="table"),
    ]
    for n, (number, severity) in enumerate(rows):
        y, row = 20 + 20 * n, f"row{n}"
        listed += [
            element("", "table row", (0, y, 250, 20), parent="table", id=row),
            element("", "check box", (0, y, 50, 20), "checkable", parent=row, id=f"box{n}"),
            element(number, "table cell", (50, y, 100, 20), parent=row),
            element(severity, "table cell", (150, y, 100, 20), parent=row),
        ]
    return listed


def test_the_row_of_a_number_is_told_by_the_noun_over_its_column() -> None:
    world = World(*table())

    def turn(world: World, hit: Element, action: Action) -> None:
        world.elements = [
            element(
                "", "check box", (0, 40, 50, 20), "checkable", "checked", parent="row1", id=e.id
            )
            if e.id == "box1"
            else e
            for e in world.elements
        ]

    world.on("", turn)
    assert played(world, "tick the box in the row of bug 60620").account is None
    assert clicks(world) == [(25, 50)]
    assert played(world, "verify that the box in the row of bug 60620 is ticked").account is None
    assert played(world, "verify that the box in the row of bug 56070 is ticked").account


def test_a_row_of_a_table_that_is_called_so_is_in_it() -> None:
    world = World(element("Bugs", "heading", (0, 220, 80, 20)), *table())
    world.elements = [
        element("Bugs", "heading", (0, 0, 80, 20), id="head"),
        *(e for e in table()),
    ]
    said = 'verify that the {} row of the table contains "Critical"'
    assert played(world, said.format("second")).account is None
    assert played(world, said.format("first")).account is not None


def test_what_an_open_button_shows_beside_it_is_its_menu() -> None:
    opener = element("⋮", "push button", (300, 10, 24, 24), "has popup", "expanded", parent="li")
    world = World(
        element("", "document web", (0, 0, 700, 500), id="page", value="http://x/"),
        element("", "section", (200, 0, 200, 200), parent="page", id="li"),
        opener,
        element("Rename", "link", (220, 40, 100, 20), parent="li"),
        element("Archive", "link", (220, 60, 100, 20), parent="li"),
    )
    assert played(world, 'verify that the menu contains "Archive"').account is None
    assert played(world, 'verify that the menu contains "Print"').account is not None


def test_a_window_that_its_program_tells_of_is_no_dialog() -> None:
    title = "Dialogs and Message Boxes"
    world = World(
        element(title, "frame", (0, 0, 400, 300), "active", id="front"),
        element("Message", "push button", (10, 40, 120, 30), parent="front"),
        element(title, "frame", (100, 50, 600, 500), id="behind"),
    )
    world.windows = [
        Window(1, title, Box(100, 50, 600, 500), "demo", 5),
        Window(2, title, Box(0, 0, 400, 300), "demo", 5, True),
    ]
    assert played(world, "verify that the dialog is closed").account is None


def test_so_many_entries_are_shown_as_such_drop_downs_say_it() -> None:
    assert write_program(read_sentence("Show 25 entries")).strip() == (
        'set entries per page to "25"'
    )


def test_a_group_with_a_box_is_ticked_at_its_title() -> None:
    world = World(
        element("Inputs", "check box", (20, 20, 260, 200), "checkable", "checked", id="group"),
        element("", "entry", (30, 100, 240, 24), "editable", value="", parent="group"),
    )

    def turn(world: World, hit: Element, action: Action) -> None:
        world.change("Inputs", states=("enabled", "sensitive", "showing", "visible", "checkable"))

    world.on("Inputs", turn)
    assert played(world, 'untick "Inputs"').account is None
    assert clicks(world) == [(30, 30)]


def test_a_text_field_may_be_labelled_so_itself() -> None:
    world = World(
        element("Containing text:", "label", (20, 20, 120, 20), id="label"),
        element("", "entry", (150, 20, 200, 20), "editable", value="", id="field"),
    )
    assert played(world, "verify that the Containing text field is empty").account is None
