"""A place that is said bounds everything that is looked at: what lies elsewhere does not count."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action
from carrel.frames import Element
from carrel.models.steps.claims.conditions import counted_things
from carrel.models.steps.claims.contents import has_content
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.language import read_file, read_sentence, write_program
from carrel.models.steps.phrases.place_words import PlaceWords, placed_in, read_place
from carrel.models.steps.play import Player
from carrel.models.steps.program import Has
from carrel.models.steps.turns import Missed


def outcome(world: World, sentence: str) -> str | None:
    """None where all passed, else why not."""
    program = read_sentence(sentence)
    player = Player(program, desk_of(world))
    play(world, player.play())
    return player.account


def read_text(name: str, at: tuple[int, int, int, int], parent: str | None = None) -> Element:
    """What only the pixels say."""
    return replace(element(name, "label", at, parent=parent, id=f"ocr-{name}-{at}"), source="ocr")


def a_modal() -> World:
    """A dialog over a table; its element covers the whole page, as sheets under dialogs do."""
    world = World(
        element("Orders", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (10, 10, 780, 580), id="back", parent="page"),
        element("Details", "dialog", (0, 0, 800, 600), "modal", id="dialog", parent="page"),
        element("Customer: Liu", "static", (300, 200, 120, 20), parent="dialog"),
        element("Close", "push button", (300, 260, 80, 24), parent="dialog"),
    )
    world.closer_elements = [read_text("Chen", (40, 400, 60, 18), "back")]
    return world


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ('In the dialog, verify that "Chen" is visible', False),
        ('Verify that "Chen" is shown in the dialog', False),
        ("在弹出的对话框中，验证能看到“Chen”", False),
        ("验证对话框中有“Chen”", False),
        ('Verify that the dialog contains "Chen"', False),
        ('Verify that "Chen" is visible', True),
        ('In the dialog, verify that "Chen" is not visible', True),
        ("验证对话框中没有“Chen”", True),
        ('In the dialog, verify that "Customer: Liu" is visible', True),
        ('In the dialog, verify that "Customer: Liu" is not visible', False),
        ('In the dialog, wait at most 1 second until "Chen" appears', False),
        ('In the "Nothing" dialog, verify that "Chen" is not visible', False),
    ],
)
def test_what_is_behind_a_dialog_is_not_in_it(sentence: str, so: bool) -> None:
    account = outcome(a_modal(), sentence)
    assert (account is None) is so, account


def a_board() -> World:
    """Three columns of cards."""
    return World(
        element("Board", "document web", (0, 0, 800, 600), id="page"),
        *(
            part
            for at, (name, card) in enumerate((("To do", "Write"), ("Doing", "Mend"), ("Done", "")))
            for part in (
                element(name, "landmark", (10 + 200 * at, 50, 180, 400), id=name, parent="page"),
                element(name, "heading", (20 + 200 * at, 60, 160, 24), id=f"h{at}", parent=name),
                element(card, "static", (20 + 200 * at, 100, 100, 20), parent=name),
            )
        ),
    )


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ('In the "Doing" column, verify that "Write" is visible', False),
        ('In the "To do" column, verify that "Write" is visible', True),
        ("在“Doing”一栏中，验证能看到“Write”", False),
        ("验证“Doing”一栏里有“Write”", False),
        ("验证“Doing”一栏里有“Mend”", True),
        ('Verify that "Write" is not shown in the "Doing" column', True),
        ('Verify that "Write" appears in the "Doing" column', False),
        ('In the "Elsewhere" column, verify that "Write" is visible', False),
        ("验证页面左侧有“Write”", True),
        ("验证页面右侧有“Write”", False),
    ],
)
def test_a_card_counts_only_in_its_own_column(sentence: str, so: bool) -> None:
    account = outcome(a_board(), sentence)
    assert (account is None) is so, account


def a_table() -> World:
    """Names, what they pay and how far they are; the headings are a table of their own."""
    listed = [
        element("Shop", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (10, 40, 600, 200), id="both", parent="page"),
        element("", "table", (10, 40, 600, 30), id="heads", parent="both"),
        element("", "table row", (10, 40, 600, 30), id="head", parent="heads"),
        element("", "table", (10, 70, 600, 90), id="table", parent="both"),
    ]
    columns = ("Name", "Price ($)", "Status")
    for x, name in enumerate(columns):
        box = (10 + 200 * x, 40, 200, 30)
        listed.append(element(name, "table column header", box, parent="head"))
    rows = (("Ann", "20", "Paid"), ("Bob", "35", "Open"), ("Cid", "40", "Paid"))
    for y, cells in enumerate(rows):
        row = f"row{y}"
        at = 70 + 30 * y
        listed.append(element("", "table row", (10, at, 600, 30), id=row, parent="table"))
        for x, cell in enumerate(cells):
            listed.append(element(cell, "table cell", (10 + 200 * x, at, 200, 30), parent=row))
    return World(*listed, element("Search", "push button", (10, 10, 80, 20), parent="page"))


@pytest.mark.parametrize(
    ("sentence", "so"),
    [
        ('In the row "Bob", verify that "Paid" is visible', False),
        ('In the row "Bob", verify that "Open" is visible', True),
        ("在“Bob”那一行，验证能看到“Paid”", False),
        ("验证“Bob”那一行包含“Open”", True),
        ("验证“Bob”那一行包含“Paid”", False),
        ('Verify that the row of Bob contains "Open"', True),
        ('Verify that the row for Bob says "Paid"', False),
        ("Verify that Bob's status is Open", True),
        ("Verify that Bob's status is Paid", False),
        ('Verify that the status of Ann is "Paid"', True),
        ("Verify that the price of Cid is 40", True),
        ("Verify that the price of Cid is 35", False),
        ('In the row "Bob", verify that the status is "Paid"', False),
        ('In the row "Bob", verify that the status is "Open"', True),
        ('Verify that the second row contains "Bob"', True),
        ('Verify that the second row contains "Ann"', False),
        ("Verify that the table has 3 rows", True),
        ("Verify that the table has 4 rows", False),
        ("Verify that there are no more than 2 rows in the table", False),
        ("Verify that there are at least 3 rows in the table", True),
        ('In the table, verify that "Search" is visible', False),
        ('In the table, verify that "Cid" is visible', True),
        ('In the "Status" column, verify that "Bob" is visible', False),
        ('In the "Status" column, verify that "Open" is visible', True),
        ("Verify that the list is sorted by price", True),
        ("Verify that the prices are sorted from high to low", False),
        ("验证表格按“Name”升序排列", True),
        ("验证表格按“Name”降序排列", False),
        ('If "Dan" is listed in the table, verify that "Nothing" is visible', True),
        ('If "Bob" is listed in the table, verify that "Nothing" is visible', False),
    ],
)
def test_a_cell_counts_only_in_its_row(sentence: str, so: bool) -> None:
    account = outcome(a_table(), sentence)
    assert (account is None) is so, account


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ('In the row "Bob", read the status and remember it as S', "Open"),
        ("Read Ann's status and remember it as S", "Paid"),
        ("在“Cid”那一行，读取“Price ($)”并记为 S", "40"),
    ],
)
def test_what_is_read_in_a_row_is_its_cell(sentence: str, said: str) -> None:
    world = a_table()
    player = Player(read_sentence(sentence), desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert player.desk.names["S"] == said


def test_lists_are_told_apart_by_their_side() -> None:
    world = World(
        element("", "list", (10, 10, 200, 200), id="one"),
        element("Kiwi", "list item", (10, 10, 200, 20), parent="one"),
        element("", "list", (400, 10, 200, 200), id="two"),
        element("Mango", "list item", (400, 10, 200, 20), parent="two"),
        element("Lime", "list item", (400, 40, 200, 20), parent="two"),
    )
    assert outcome(world, "Verify that there are 2 items in the right list") is None
    assert outcome(world, "Verify that there are 2 items in the left list") is not None
    assert outcome(world, "验证右侧列表中有 2 项") is None
    assert outcome(world, 'In the right list, verify that "Kiwi" is visible') is not None
    account = outcome(world, 'In the list, verify that "Kiwi" is visible')
    assert account is not None
    assert "say which one" in account


def test_a_section_ends_where_the_next_heading_begins() -> None:
    world = World(
        element("Help", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (0, 0, 800, 600), id="main", parent="page"),
        element("Address", "heading", (10, 10, 300, 30), parent="main"),
        element("Oslo", "static", (10, 50, 100, 20), parent="main"),
        element("Payment", "heading", (10, 100, 300, 30), parent="main"),
        element("Visa", "static", (10, 140, 100, 20), parent="main"),
    )
    assert outcome(world, 'In the Address section, verify that "Oslo" is visible') is None
    assert outcome(world, 'In the Address section, verify that "Visa" is visible') is not None


def test_a_dialog_that_is_only_drawn_is_one() -> None:
    world = World(
        element("Shop", "document web", (0, 0, 800, 600), id="page"),
        element("Below the sheet", "static", (350, 290, 100, 20), parent="page"),
        element("", "section", (250, 200, 300, 200), id="box", parent="page"),
        element("Really?", "static", (270, 220, 100, 20), parent="box"),
        element("OK", "push button", (400, 350, 60, 24), parent="box"),
    )
    assert outcome(world, "Wait for the dialog to appear") is None
    assert outcome(world, 'In the dialog, verify that "Really?" is visible') is None
    assert outcome(world, 'In the dialog, verify that "Below the sheet" is visible') is not None
    world.elements = [e for e in world.elements if e.parent != "box" and e.id != "box"]
    assert outcome(world, "Verify that the dialog is closed") is None
    assert outcome(world, "Verify that the dialog is open") is not None


def test_a_place_that_moves_is_found_again() -> None:
    world = a_modal()

    def turn(world: World) -> None:
        kept = [e for e in world.elements if e.name != "Customer: Liu"]
        moved = element("Customer: Mo", "static", (320, 220, 120, 20), parent="dialog")
        world.elements = [*kept, moved]

    world.after(0.4, turn)
    assert outcome(world, 'In the dialog, verify that "Customer: Mo" is visible') is None


def test_how_far_a_place_reaches_may_be_unknown() -> None:
    world = World(
        element("Notes", "label", (10, 10, 60, 20)), element("Hi", "label", (10, 40, 60, 20))
    )
    with pytest.raises(Missed, match="how far it reaches"):
        extent_of(desk_of(world), "the Notes section")


def test_a_calculator_is_read_from_its_display_and_not_from_its_keys() -> None:
    world = World(
        element("5", "push button", (10, 100, 40, 40)),
        element("", "text", (10, 10, 200, 30), "focusable", value="51.2"),
    )
    assert outcome(world, "Verify that the display shows 51.2") is None
    assert outcome(world, "验证显示结果为 51.2") is None
    account = outcome(world, "Verify that the display shows 5")
    assert account is not None
    assert "51.2" in account


def test_what_another_window_shows_is_not_on_the_display() -> None:
    world = World(
        element("Notes", "frame", (0, 0, 300, 300), id="notes"),
        element("12", "label", (10, 10, 60, 20), parent="notes"),
        element("Calculator", "frame", (400, 0, 300, 300), "active", id="calc"),
        element("34", "label", (410, 10, 60, 20), parent="calc"),
    )
    assert outcome(world, "Verify that the display shows 34") is None
    assert outcome(world, "Verify that the display shows 12") is not None


def test_titles_and_addresses_are_the_pages_own() -> None:
    world = World(
        element("Orders", "document web", (0, 0, 800, 600), value="https://x.test/orders?p=2"),
        element("Welcome", "heading", (10, 10, 300, 30)),
    )
    assert outcome(world, 'Verify that the page title is "Orders"') is None
    assert outcome(world, 'Verify that the page title is "Welcome"') is not None
    assert outcome(world, "Verify that the URL contains /orders") is None
    assert outcome(world, "验证网址包含“basket”") is not None


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("the dialog", PlaceWords("dialog")),
        ("弹出的对话框", PlaceWords("dialog")),
        ('the "Doing" column', PlaceWords("column", "Doing")),
        ('"进行中"一栏', PlaceWords("column", "进行中")),
        ("Ann's row", PlaceWords("row", "Ann")),
        ("the row of Ann", PlaceWords("row", "Ann")),
        ("第 2 行", PlaceWords("row", number=2)),
        ("最后一行", PlaceWords("row", number=-1)),
        ("the list on the right", PlaceWords("list", side="right")),
        ("左侧列表", PlaceWords("list", side="left")),
        ("页面底部", PlaceWords("side", side="bottom")),
        ("the General tab", PlaceWords("tab", "General")),
        ("the page", PlaceWords("whole")),
        ("the header", PlaceWords("group", side="top")),
    ],
)
def test_words_for_places(phrase: str, words: PlaceWords) -> None:
    assert read_place(phrase) == words


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        ('"Ann" in the dialog', ("the dialog", '"Ann"')),
        ("对话框中的“陈静”", ("对话框", "“陈静”")),
        ('"进行中"一栏里的"编写"', ('"进行中"一栏', '"编写"')),
        ("items in the right list", ("the right list", "items")),
        ('"shiny" next to "neat"', None),
        ("the text in the Email field", None),
        ('"Total" on the page', None),
    ],
)
def test_a_thing_and_its_place_are_told_apart(phrase: str, parts: tuple[str, str] | None) -> None:
    assert placed_in(phrase) == parts


def two_filters() -> World:
    """Two dialogs' worth of the same boxes, all ticked; a click unticks the one under it."""
    world = World(
        element("Shop", "document web", (0, 0, 800, 600), id="page"),
        element("筛选", "panel", (20, 40, 300, 200), id="left", parent="page"),
        element("列", "panel", (420, 40, 300, 200), id="right", parent="page"),
    )
    for panel, x in (("left", 40), ("right", 440)):
        for name, y in (("甲", 80), ("乙", 120), ("丙", 160)):
            box = element(
                name, "check box", (x, y, 100, 20), "checked", id=panel + name, parent=panel
            )
            world.elements.append(box)

    def untick(world: World, hit: Element, _: Action) -> None:
        world.elements = [
            replace(e, states=tuple(s for s in e.states if s != "checked")) if e.id == hit.id else e
            for e in world.elements
        ]

    for name in "甲乙丙":
        world.on(name, untick)
    return world


@pytest.mark.parametrize("said", ["在“筛选”中取消全选", "In 筛选, for each checkbox, untick it"])
@pytest.mark.parametrize("through_file", [False, True])
def test_a_loop_in_a_place_stays_there_in_every_round(said: str, through_file: bool) -> None:
    world, program = two_filters(), read_sentence(said)
    if through_file:
        (program,) = read_file(write_program(program))
    player = Player(program, desk_of(world))
    play(world, player.play())
    assert player.account is None
    assert {e.id for e in world.elements if "checked" in e.states} == {
        "right甲",
        "right乙",
        "right丙",
    }


def test_what_a_heading_holds_is_what_stands_under_it() -> None:
    page = element("API", "document web", (0, 0, 800, 600), id="p")
    part = element("", "section", (20, 100, 700, 200), parent="p", id="s")
    head = element("Response body", "heading", (20, 100, 200, 24), parent="s", id="h")
    said = element("Response body", "static", (20, 100, 120, 24), parent="h")
    told = [
        element(t, "static", (20 + 60 * n, 140, 50, 16), parent="s")
        for n, t in enumerate(("name", "Tom"))
    ]
    desk = desk_of(World(page, part, head, said, *told))
    assert has_content(desk, Has("the response body", "Tom"))[0]
    assert not has_content(desk, Has("the response body", "Rex"))[0]


def test_cards_are_counted_in_the_list_that_a_card_holds() -> None:
    page = element("Board", "document web", (0, 0, 800, 600), id="p")
    column = element("", "section", (20, 20, 260, 300), parent="p", id="c")
    title = element("Doing", "static", (30, 30, 60, 16), parent="c")
    held = element("", "list", (20, 60, 260, 200), parent="c", id="l")
    items = [
        element("", "list item", (20, 60 + 40 * n, 260, 40), parent="l", id=f"i{n}") for n in (0, 1)
    ]
    texts = [
        element(t, "static", (30, 70 + 40 * n, 80, 16), parent=f"i{n}")
        for n, t in enumerate(("Plan", "Test"))
    ]
    desk = desk_of(World(page, column, title, held, *items, *texts))
    assert len(counted_things(desk, "cards")) == 2
    assert len(counted_things(desk, "卡片")) == 2
