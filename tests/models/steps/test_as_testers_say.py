"""Things as testers say them: by what they hold, what they are for, what is drawn on them."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player

BELL, REPORT = "\uf0f3 3+", "\uf019 Generate Report"


def outcome(world: World, sentence: str) -> str | None:
    """None where all passed, else why not."""
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    return player.account


def clicked(world: World) -> list[Click]:
    return [action for action in world.done if isinstance(action, Click)]


def a_question(*more: Element) -> tuple[Element, ...]:
    return (
        element("Files", "dialog", (100, 100, 300, 120), id="d"),
        element("Move it to the trash can?", "label", (120, 120, 200, 20), parent="d"),
        element("No", "push button", (200, 180, 60, 24), parent="d"),
        element("Yes", "push button", (300, 180, 60, 24), parent="d"),
        *more,
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "If a confirmation dialog appears, click Yes",
        "If a confirm dialog pops up, click Yes",
        "如果弹出确认对话框，点击“Yes”",
        "If a dialog asks whether to delete it, click Yes",
    ],
)
def test_a_question_is_answered_that_comes_up_a_moment_later(sentence: str) -> None:
    world = World(element("draft.txt", "label", (10, 10, 80, 20)))
    world.after(0.5, lambda w: w.elements.extend(a_question()))
    world.on("Yes", lambda w, _e, _a: w.elements.clear())
    assert outcome(world, sentence) is None
    assert clicked(world) == [Click(330, 192)]


def test_a_dialog_to_be_filled_in_asks_nobody_to_confirm() -> None:
    field = element("Name", "entry", (120, 150, 200, 20), "editable", parent="d")
    world = World(*a_question(field))
    assert outcome(world, "If a confirmation dialog appears, click Yes") is None
    assert clicked(world) == []


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ('Verify that the message says "Move it to the trash can?"', True),
        ('Verify that the error message contains "trash can"', True),
        ('Verify that the message says "Moved"', False),
        ('Verify that the message does not contain "Moved"', True),
        ('Verify that the message does not contain "trash can"', False),
        ('Verify that the message says "draft.txt"', False),
    ],
)
def test_what_a_message_says_is_what_the_dialog_says(sentence: str, so: bool) -> None:
    world = World(element("draft.txt", "label", (10, 10, 80, 20)), *a_question())
    assert (outcome(world, sentence) is None) is so


def test_a_field_for_a_message_is_no_message() -> None:
    held = element("Message", "entry", (10, 40, 200, 20), "editable", value="Hello")
    world = World(element("Bye", "label", (10, 10, 80, 20)), held)
    assert outcome(world, 'Verify that the message says "Hello"') is None
    assert outcome(world, 'Verify that the message says "Bye"') is not None


@pytest.mark.parametrize(
    ("sentence", "at"),
    [
        ("Click the bell", Click(40, 20)),
        ("Click the bell icon at the top", Click(40, 20)),
        ("Click Generate Report", Click(240, 20)),
    ],
)
def test_a_sign_of_an_icon_font_is_what_it_draws(sentence: str, at: Click) -> None:
    world = World(
        element(BELL, "link", (10, 10, 60, 20)), element(REPORT, "link", (200, 10, 80, 20))
    )
    assert outcome(world, sentence) is None
    assert clicked(world) == [at]


@pytest.mark.parametrize(
    ("phrase", "at"),
    [
        ("the arrow for the next month", Click(420, 20)),
        ("the previous month arrow", Click(20, 20)),
    ],
)
def test_what_leads_on_is_called_by_what_it_leads_to(phrase: str, at: Click) -> None:
    world = World(
        element("Prev", "link", (10, 10, 20, 20)),
        element("March 2027", "label", (100, 10, 200, 20)),
        element("Next", "link", (410, 10, 20, 20)),
    )
    assert outcome(world, f"Click {phrase}") is None
    assert clicked(world) == [at]


def a_person() -> World:
    return World(
        element("Name", "entry", (10, 10, 200, 20), "editable", value="Jane Smith"),
        element("Friend", "entry", (10, 50, 200, 20), "editable", value="John Doe"),
    )


def test_a_field_is_called_by_its_label_and_what_it_holds() -> None:
    world = a_person()
    assert outcome(world, 'Replace the name Jane Smith with "Mary"') is None
    assert [e.value for e in world.elements] == ["Mary", "John Doe"]


def test_a_field_that_holds_something_else_is_not_the_one() -> None:
    world = a_person()
    assert outcome(world, 'Replace the name John Doe with "Mary"') is not None
    assert not any(isinstance(action, Type) for action in world.done)


def test_a_row_to_filter_by_is_not_the_first_row() -> None:
    rows = [
        element("", "table", (0, 0, 400, 200), id="t"),
        element("", "table row", (0, 0, 400, 20), id="head", parent="t"),
        element("Name", "column header", (0, 0, 200, 20), parent="head"),
        element("Age", "column header", (200, 0, 200, 20), parent="head"),
        element("", "table row", (0, 20, 400, 20), id="filter", parent="t"),
        element("", "table cell", (0, 20, 200, 20), id="f1", parent="filter"),
        element("", "entry", (0, 20, 200, 20), "editable", value="", parent="f1"),
        element("", "table row", (0, 40, 400, 20), id="r", parent="t"),
        element("Ramona", "table cell", (0, 40, 200, 20), id="c1", parent="r"),
        element("Ramona", "static", (0, 40, 200, 20), parent="c1", id="s1"),
        element("43", "table cell", (200, 40, 200, 20), id="c2", parent="r"),
        element("43", "static", (200, 40, 200, 20), parent="c2", id="s2"),
    ]
    assert outcome(World(*rows), 'Verify that the first row contains "Ramona"') is None


def test_a_box_of_a_page_is_known_by_its_heading_though_a_link_leads_there() -> None:
    ticked: list[str] = []
    world = World(
        element("Form", "document web", (0, 0, 800, 600), id="page"),
        element("Elements", "link", (10, 300, 80, 20), parent="page", id="link"),
        element("", "section", (200, 10, 250, 200), id="one", parent="page"),
        element("Quick", "heading", (210, 20, 100, 20), parent="one"),
        element("Agree", "check box", (210, 60, 80, 20), "checkable", parent="one", id="first"),
        element("", "section", (500, 10, 250, 200), id="two", parent="page"),
        element("Elements", "heading", (510, 20, 100, 20), parent="two"),
        element("Agree", "check box", (510, 60, 80, 20), "checkable", parent="two", id="second"),
    )

    def tick(w: World, e: Element, _a: Action) -> None:
        ticked.append(e.id)
        w.change("Agree", states=(*e.states, "checked"))

    world.on("Agree", tick)
    assert outcome(world, 'In the "Elements" box, tick Agree') is None
    assert ticked == ["second"]


def test_what_is_beyond_the_edge_of_a_headed_part_is_not_another_of_its_number() -> None:
    """`Checkbox 2` is the box of that name there, and not the second box of the page."""
    world = World(
        element("Form", "document web", (0, 0, 800, 600), id="page"),
        element("Quick", "heading", (10, 20, 100, 20), parent="page"),
        element("Check me", "check box", (10, 60, 80, 20), "checkable", "checked", parent="page"),
        element("Remember me", "check box", (10, 90, 80, 20), "checkable", parent="page"),
        element("Elements", "heading", (10, 300, 100, 20), parent="page"),
        element("Text", "entry", (10, 340, 80, 20), "editable", parent="page"),
    )
    before = list(world.elements)
    assert outcome(world, 'In the "Elements" box, tick Checkbox 2') is not None
    assert [(e.name, "checked" in e.states) for e in world.elements] == [
        (e.name, "checked" in e.states) for e in before
    ]


@pytest.mark.parametrize("place", ["in the menu on the left", "in the left menu"])
def test_links_along_a_side_are_the_menu_there(place: str) -> None:
    links = [
        element(name, "link", (20, 100 + 60 * n, 120, 20), parent="side", id=name)
        for n, name in enumerate(("Cards", "Charts", "Tables"))
    ]
    world = World(
        element("Board", "document web", (0, 0, 800, 600), id="page"),
        element("", "list", (0, 0, 200, 600), id="side", parent="page"),
        *links,
        element("Charts", "link", (500, 300, 80, 20), parent="page", id="other"),
    )
    assert outcome(world, f"Click Charts {place}") is None
    assert clicked(world) == [Click(80, 170)]


def test_a_dialog_of_a_page_is_answered_only_where_it_comes_to_rest() -> None:
    world = World(
        element("Board", "document web", (0, 0, 800, 600), id="page"),
        element("Leave?", "dialog", (0, 0, 800, 600), "modal", id="d", parent="page"),
        element("Stay", "push button", (300, 200, 80, 24), parent="d", id="b"),
    )
    moved = element("Stay", "push button", (300, 240, 80, 24), parent="d", id="b")
    world.after(0.1, lambda w: w.elements.__setitem__(2, moved))
    assert outcome(world, "Click Stay") is None
    assert clicked(world) == [Click(340, 252)]


def test_a_drop_down_to_choose_a_title_from_is_no_heading() -> None:
    world = World(
        element("Form", "document web", (0, 0, 800, 600), id="page"),
        element("Select a speed", "label", (10, 10, 100, 20), parent="page"),
        element("Fast", "combo box", (10, 35, 100, 20), "has popup", parent="page"),
        element("Select a title", "label", (10, 80, 100, 20), parent="page"),
        element("Any", "combo box", (10, 105, 100, 20), "has popup", parent="page"),
    )
    world.on(
        "Any", lambda w, _e, _a: w.elements.append(element("Dr.", "static", (12, 130, 90, 18)))
    )
    world.on("Dr.", lambda w, _e, _a: w.change("Any", value="Dr."))
    assert outcome(world, 'Select "Dr." as the title') is None
    assert clicked(world) == [Click(60, 115), Click(57, 139)]


@pytest.mark.parametrize("sentence", ["If a dialog appears, press Enter", "如果弹出确认框，按回车"])
@pytest.mark.parametrize(("pid", "asked"), [(7, True), (8, False)])
def test_a_window_over_another_of_its_program_is_a_dialog(
    sentence: str, pid: int, asked: bool
) -> None:
    world = World()
    world.windows = [
        Window(1, "Photos", Box(10, 10, 600, 400), "files", pid),
        Window(2, "Confirm", Box(100, 100, 300, 120), "files", 7, focused=True),
    ]
    assert outcome(world, sentence) is None
    assert (Key(("enter",)) in world.done) is asked


@pytest.mark.parametrize(("label", "value"), [("File name:", "notes.txt"), ("Files of type:", "")])
def test_a_cell_under_a_heading_is_not_taken_for_a_field_of_that_name(
    label: str, value: str
) -> None:
    world = World(
        element("Save as", "dialog", (0, 0, 600, 400), id="d"),
        element("", "table", (0, 0, 600, 200), id="t", parent="d"),
        element("Name", "column header", (0, 0, 300, 20), parent="t"),
        element("Size", "column header", (300, 0, 300, 20), parent="t"),
        element("web", "table cell", (0, 20, 300, 20), "editable", parent="t"),
        element(label, "label", (10, 300, 80, 20), parent="d"),
        element("", "text", (100, 300, 300, 20), "editable", value="", parent="d", id="field"),
    )
    passed = outcome(world, 'Enter "notes.txt" in the Name field') is None
    assert passed is bool(value)
    assert [e.value for e in world.elements if e.id == "field"] == [value]
    assert not any(e.value for e in world.elements if e.role == "table cell")


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ("Verify that the last line of the output is 250", True),
        ("验证最后一行结果是 250", True),
        ("Verify that the last line is 1000", False),
    ],
)
def test_the_last_line_is_what_stands_lowest_but_for_the_prompt(sentence: str, so: bool) -> None:
    world = World(
        element("", "frame", (0, 0, 400, 300), id="w"),
        element("125*8", "label", (5, 10, 100, 14), parent="w"),
        element("= 1000", "label", (5, 26, 100, 14), parent="w"),
        element("= 250", "label", (5, 60, 100, 14), parent="w"),
        element("ann@desk:~$", "label", (5, 76, 100, 14), parent="w"),
    )
    world.windows = [Window(1, "Sums", Box(0, 0, 400, 300), "sums", 7, focused=True)]
    assert (outcome(world, sentence) is None) is so


def test_what_a_page_writes_on_an_empty_field_is_what_it_shows() -> None:
    world = World(
        element("Form", "document web", (0, 0, 800, 600), id="page"),
        element("Pet", "label", (10, 10, 100, 20), parent="page"),
        element("", "entry", (10, 35, 200, 24), "editable", value="", parent="page", id="field"),
        element("Goldfish", "static", (16, 38, 90, 18), parent="page"),
        element("×", "static", (180, 38, 12, 18), parent="page"),
    )
    assert outcome(world, 'Verify that the Pet field shows "Goldfish"') is None
    assert outcome(world, 'Verify that the Pet field is "Goldfish"') is None
    assert outcome(world, 'Verify that the Pet field shows "Cat"') is not None


def test_what_is_beside_the_name_of_a_tab_is_beside_the_tab() -> None:
    world = World(
        element("Tabs", "document web", (0, 0, 800, 600), id="page"),
        element("", "page tab list", (0, 10, 800, 30), id="bar", parent="page"),
        element("Home", "page tab", (10, 10, 100, 30), id="t1", parent="bar"),
        element("Remove Tab", "icon", (84, 14, 16, 16), parent="t1", id="x1"),
        element("Plans", "page tab", (120, 10, 100, 30), "selected", id="t2", parent="bar"),
        element("Remove Tab", "icon", (194, 14, 16, 16), parent="t2", id="x2"),
    )
    assert outcome(world, "Click the small x beside the name of the Plans tab") is None
    assert clicked(world) == [Click(202, 22)]


def test_of_equal_texts_of_a_page_the_label_of_a_box_is_clicked() -> None:
    world = World(
        element("Games", "document web", (0, 0, 800, 600), id="page"),
        element("Sports", "label", (100, 100, 60, 20), parent="page", id="chip"),
        element("Sports", "static", (100, 300, 60, 20), parent="page", id="one"),
        element("Sports", "static", (300, 300, 60, 20), parent="page", id="two"),
    )
    assert outcome(world, "Click Sports") is None
    assert clicked(world) == [Click(130, 110)]
