"""How people point at what they see: by its use, its sort, its side, its direction."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Drag
from carrel.frames import Element
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player
from carrel.models.steps.turns import Missed
from carrel.perception.labels import labels


def outcome(world: World, sentence: str) -> str | None:
    """None where all passed, else why not."""
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player.account


def page(*elements: Element) -> World:
    return World(element("Page", "document web", (0, 0, 800, 600), id="page"), *elements)


def a_headed_field(*, label: str = "") -> World:
    told = (element(label, "label", (20, 60, 80, 18)),) if label else ()
    return page(
        element("Delivery", "heading", (20, 20, 120, 30), parent="page"),
        *told,
        element("", "entry", (20, 84, 180, 22), "editable", "single line", id="field"),
        element("", "entry", (20, 300, 180, 22), "editable", "single line", id="other"),
    )


def held(world: World, id_: str) -> str | None:
    return next(e.value for e in world.elements if e.id == id_)


def test_a_field_without_a_name_is_known_by_its_use_and_the_heading_over_it() -> None:
    world = a_headed_field()
    assert outcome(world, 'Type "Monday" into the date field below Delivery') is None
    assert (held(world, "field"), held(world, "other")) == ("Monday", None)


def test_a_field_of_another_name_under_a_heading_is_not_taken_for_its_use() -> None:
    world = a_headed_field(label="Street")
    assert outcome(world, 'Type "Monday" into the date field below Delivery') is not None
    assert (held(world, "field"), held(world, "other")) == (None, None)


def a_table_with_filters(filters: int = 50) -> World:
    heads = (("Name", 20), ("City", 220))
    return page(
        element("", "table", (20, 0, 400, 220), id="table"),
        element("", "table row", (20, 35, 400, 15), id="heads", parent="table"),
        *(
            element(name, "column header", (x, 35, 200, 15), parent="heads", id=name)
            for name, x in heads
        ),
        element("", "table row", (20, filters, 400, 30), id="filters", parent="table"),
        *(
            part
            for name, x in heads
            for part in (
                element("", "table cell", (x, filters, 200, 30), parent="filters", id=f"in {name}"),
                element(
                    "",
                    "entry",
                    (x + 5, filters + 4, 180, 22),
                    "editable",
                    "single line",
                    parent=f"in {name}",
                    id=f"filter {name}",
                ),
            )
        ),
        element("", "table row", (20, 80, 400, 30), id="row", parent="table"),
        element("Ann", "table cell", (20, 80, 200, 30), parent="row"),
        element("Dhanbad", "table cell", (220, 80, 200, 30), parent="row"),
    )


def test_the_filter_under_a_column_is_found_and_another_use_is_not() -> None:
    world = a_table_with_filters()
    assert outcome(world, 'Enter "Ann" in the filter box under Name') is None
    assert held(world, "filter Name") == "Ann"
    assert outcome(world, 'Enter "x@y.z" in the email box under City') is not None
    assert held(world, "filter City") is None


def test_the_filter_of_a_column_may_stand_over_its_heading() -> None:
    world = a_table_with_filters(filters=2)
    assert outcome(world, 'Type "Ann" into the filter field of the Name column') is None
    assert (held(world, "filter Name"), held(world, "filter City")) == ("Ann", None)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ('Click the city "Dhanbad"', True),
        ('Click the project "Dhanbad"', True),
        ('Click the city "Delhi"', False),
        ('Click the unsaved "Dhanbad"', False),
    ],
)
def test_the_sort_of_a_thing_beside_its_quoted_name_leaves_no_doubt(
    sentence: str, found: bool
) -> None:
    world = a_table_with_filters()
    account = outcome(world, sentence)
    assert (account is None) is found, account
    assert ("pressed Dhanbad" in world.painted) is found


def a_page_with_a_bar_at_its_side() -> World:
    return page(
        element("", "list", (0, 0, 200, 1200), id="bar", parent="page"),
        *(
            element(name, "link", (0, 60 * n, 200, 50), parent="bar")
            for n, name in enumerate(("Home", "Pages", "Tables"))
        ),
        element("", "section", (200, 0, 600, 1200), id="main", parent="page"),
        element("Tables", "link", (240, 300, 80, 20), parent="main"),
        element("Ann", "link", (240, 340, 80, 20), parent="main"),
    )


def test_what_is_in_the_sidebar_is_told_from_what_is_beside_it() -> None:
    world = a_page_with_a_bar_at_its_side()
    assert outcome(world, "Click Pages in the sidebar") is None
    assert outcome(world, "Click Tables in the left sidebar") is None
    assert [a.x < 200 for a in world.done if isinstance(a, Click)] == [True, True]
    assert outcome(world, "Click Ann in the sidebar") is not None
    with pytest.raises(Missed):
        extent_of(desk_of(world), "the right sidebar")


def two_columns() -> World:
    return page(
        element("Stay here", "static", (20, 40, 120, 18)),
        element("Move on", "static", (300, 260, 120, 18)),
        element("Showing 1 of 1", "static", (20, 200, 120, 18)),
    )


@pytest.mark.parametrize(
    ("claim", "so"),
    [
        ('"Move on" is to the right of "Stay here"', True),
        ('"Move on" is below "Stay here"', True),
        ('"Stay here" is to the right of "Move on"', False),
        ('"Stay here" is to the left of "Move on"', True),
        ('"Showing 1 of 1" is displayed at the bottom', True),
        ('"Stay here" is displayed at the bottom', False),
    ],
)
def test_a_direction_is_claimed_of_things_in_different_lines(claim: str, so: bool) -> None:
    account = outcome(two_columns(), f"Verify that {claim}")
    assert (account is None) is so, account


def a_sorted_table(hidden: int) -> World:
    """Headings and steps that are called by more than they show, as pages tell those who hear."""
    return page(
        element("", "table", (20, 20, 400, 200), id="table"),
        element("", "table row", (20, 20, 400, 30), id="heads", parent="table"),
        element(
            "Salary: activate to sort ascending",
            "column header",
            (20, 20, 200, 30),
            parent="heads",
            id="head",
        ),
        element("Salary", "static", (24, 24, 60, 18), parent="head"),
        element("", "page tab list", (20, 240, 400, 30), id="tabs"),
        element(
            "current step: 2. Address",
            "page tab",
            (20, 240, 120, 30),
            "selected",
            parent="tabs",
            id="tab",
        ),
        element("current step: 2. Address", "link", (22, 242, 90, 24), parent="tab", id="link"),
        element("current step:", "static", (hidden, 244, 80, 1), parent="link"),
        element("2. Address", "static", (24, 244, 80, 18), parent="link"),
        element("3. Payment", "page tab", (150, 240, 120, 30), parent="tabs", id="next"),
        element("3. Payment", "link", (152, 242, 90, 24), parent="next"),
    )


@pytest.mark.parametrize("hidden", [0, 24])
def test_what_is_shown_names_a_thing_that_is_called_by_more(hidden: int) -> None:
    world = a_sorted_table(hidden)
    assert outcome(world, 'Verify that "2. Address" is selected') is None
    assert outcome(world, 'Verify that "3. Payment" is selected') is not None
    assert outcome(world, "Click the Salary column header") is None
    assert "pressed Salary" in world.painted
    assert outcome(world, "Click the Sal column header") is not None


def a_row_of_pictures() -> World:
    return page(
        *(
            element(name, "push button", (20 + 40 * n, 20, 20, 20))
            for n, name in enumerate(("Edit", "Delete", "Update"))
        ),
        element("Pencil", "push button", (20, 100, 200, 40)),
        element("Search the whole catalogue", "push button", (20, 160, 200, 40)),
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("the bin", "Delete"),
        ("the trash can", "Delete"),
        ("the check mark", "Update"),
        ("the pencil", "Pencil"),
        ("the magnifying glass", None),
        ('"bin"', None),
        ("the gear", None),
    ],
)
def test_what_a_small_button_shows_names_it_without_a_word_for_icons(
    words: str, name: str | None
) -> None:
    world = a_row_of_pictures()
    assert (outcome(world, f"Click {words}") is None) is (name is not None)
    assert world.painted == (f"; pressed {name}" if name else "")


def test_a_drop_down_in_the_middle_of_its_label_is_called_by_what_it_counts() -> None:
    world = page(
        element("Show entries", "combo box", (60, 20, 60, 20), "expandable", "has popup", id="so"),
        element("10", "menu item", (60, 20, 60, 10), "selected", parent="so"),
        element("25", "menu item", (60, 20, 60, 10), parent="so"),
        element("Show password", "check box", (60, 80, 20, 20), "checkable"),
    )
    outcome(world, "Set the number of entries to 25")
    assert next((a.x, a.y) for a in world.done if isinstance(a, Click)) == (90, 30)
    assert outcome(world, 'Type "x" into the password field') is not None


def a_board() -> World:
    def column(name: str, x: int, *cards: str) -> tuple[Element, ...]:
        held = [
            element(card, "list item", (x, 50 + 50 * at, 200, 40), parent=name, id=f"{name}{at}")
            for at, card in enumerate(cards)
        ]
        head = element(name, "heading", (x, 10, 200, 20), parent=name, id=f"{name}-h")
        return (element("", "section", (x, 5, 200, 500), id=name), head, *held)

    world = World(
        *column("To do", 10, "Fix terms", "Doing it twice"),
        *column("Doing", 260, "Fix terms", "Write"),
        *column("Done", 510, "Plan"),
    )
    world.on("drag", lambda w, _e, _a: w.elements.pop(2))
    return world


@pytest.mark.parametrize(
    ("sentence", "start", "end"),
    [
        ('drag the card "Fix terms" from To do to Doing', (110, 70), (260, 460)),
        ('drag the "Fix terms" card from the "To do" column to "Doing"', (110, 70), (260, 460)),
        ("将卡片“Fix terms”从“To do”拖到“Doing”", (110, 70), (260, 460)),
        ("将卡片“Fix terms”从“Doing”拖到“Done”", (360, 70), (510, 710)),
        ('drag "Fix terms" from "Doing" to "To do"', (360, 70), (10, 210)),
    ],
)
def test_where_a_thing_is_dragged_from_does_not_bound_where_to(
    sentence: str, start: tuple[int, int], end: tuple[int, int]
) -> None:
    world = a_board()
    assert outcome(world, sentence) is None
    (drag,) = [action for action in world.done if isinstance(action, Drag)]
    assert (drag.path[0].x, drag.path[0].y) == start
    assert end[0] <= drag.path[-1].x < end[1]
    assert not any(isinstance(action, Click) for action in world.done)


def test_what_takes_a_thing_is_the_one_in_the_place_where_it_is_there_as_well() -> None:
    world = World(
        element("Trash", "push button", (10, 500, 100, 40)),
        element("Files", "dialog", (200, 100, 400, 300), id="d"),
        element("a.txt", "list item", (220, 130, 100, 30), parent="d"),
        element("Trash", "push button", (450, 300, 100, 40), parent="d"),
    )
    world.on("drag", lambda w, _e, _a: w.elements.pop(2))
    assert outcome(world, 'In the "Files" dialog, drag "a.txt" to "Trash"') is None
    (drag,) = [action for action in world.done if isinstance(action, Drag)]
    assert (drag.path[-1].x, drag.path[-1].y) == (500, 320)


def a_page_held_by_its_tab() -> World:
    return World(
        element("Preferences", "dialog", (100, 100, 400, 400), "active", id="f"),
        element("", "page tab list", (103, 120, 370, 380), parent="f", id="tabs"),
        element("View", "page tab", (110, 120, 60, 36), parent="tabs"),
        element("Editor", "page tab", (180, 120, 60, 36), "selected", parent="tabs", id="tab"),
        element("Editor", "label", (185, 128, 50, 18), parent="tab"),
        element("", "panel", (103, 160, 370, 300), parent="tab", id="panel"),
        element("Indentation", "label", (110, 165, 90, 18), parent="panel"),
        element("Tab width:", "label", (122, 197, 66, 18), parent="panel"),
        element(
            "", "spin button", (205, 190, 136, 33), "editable", value="8", parent="panel", id="n"
        ),
        element("Right margin:", "label", (122, 237, 76, 18), parent="panel"),
        element(
            "", "spin button", (205, 230, 136, 33), "editable", value="80", parent="panel", id="m"
        ),
    )


@pytest.mark.parametrize(
    "sentence",
    ['set "Tab width" to 4', 'enter 4 into the "Tab width" field', "将“Tab width”设为4"],
)
def test_a_label_on_the_page_of_a_tab_names_the_field_at_its_right(sentence: str) -> None:
    world = a_page_held_by_its_tab()
    assert outcome(world, sentence) is None
    assert (held(world, "n"), held(world, "m")) == ("4", "80")


def test_what_is_written_on_a_tab_names_no_field() -> None:
    tab = element("Editor", "page tab", (100, 100, 60, 30), id="tab")
    text = element("Editor", "label", (105, 106, 50, 18), parent="tab")
    field = element("", "entry", (180, 100, 100, 30), "editable", id="field")
    assert labels((tab, text, field)) == {}


def a_tree_at_the_left() -> World:
    return World(
        element("Demo", "frame", (200, 40, 600, 500), "active", id="front"),
        element("", "tree table", (210, 80, 180, 440), parent="front", id="tree"),
        element("Assistant", "table cell", (220, 90, 160, 20), parent="tree"),
        element("Builder", "table cell", (220, 112, 160, 20), parent="tree"),
        element("Assistant", "label", (500, 90, 160, 20), parent="front"),
        element("Files", "frame", (0, 0, 500, 400), id="back"),
        element("", "tree", (5, 30, 120, 300), parent="back", id="other"),
        element("Assistant", "tree item", (10, 40, 100, 20), parent="other"),
    )


@pytest.mark.parametrize("place", ["左侧列表", "左侧的列表", "左边的树", "左侧表格"])
def test_a_list_at_a_side_may_be_a_tree_of_the_window_in_front(place: str) -> None:
    world = a_tree_at_the_left()
    assert outcome(world, f"在{place}中双击“Assistant”") is None
    assert [a for a in world.done if isinstance(a, Click)] == [Click(300, 100, count=2)]


def test_a_list_at_a_side_may_come_up_a_moment_later() -> None:
    shown = a_tree_at_the_left().elements[:5]
    world = World(shown[0])
    world.after(0.5, lambda w: w.elements.extend(shown[1:]))
    assert outcome(world, "在左侧列表中双击“Assistant”") is None
    assert [a for a in world.done if isinstance(a, Click)] == [Click(300, 100, count=2)]


@pytest.mark.parametrize(
    "sentence",
    [
        "在右侧列表中双击“Assistant”",
        "In the list on the right, double-click Assistant",
        "在左侧列表中双击“Nothing”",
    ],
)
def test_nothing_is_clicked_where_no_list_is_at_that_side_or_it_has_no_such_entry(
    sentence: str,
) -> None:
    world = a_tree_at_the_left()
    assert outcome(world, sentence) is not None
    assert not any(isinstance(action, Click) for action in world.done)
