"""Cells by row and column, and words that must not be overlooked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import Screen

from carrel.frames import Element
from carrel.perception._cells import chinese_cells, english_cells
from carrel.perception._tokens import tokenize
from carrel.perception.describe import describe
from carrel.perception.find import Found, find

STOCK = (("Apples", "12", "kg"), ("Pears", "7", "crates"), ("Plums", "31", "bags"))


def add_table(screen: Screen, left: int = 20, top: int = 40) -> None:
    table = screen.add("table", "", (left, top, 300, 120))
    head = screen.add("table row", "", (left, top, 300, 30), parent=table)
    for column, name in enumerate(("Fruit", "Stock", "Unit")):
        screen.add("column header", name, (left + 100 * column, top, 100, 30), parent=head)
    for number, row in enumerate(STOCK, 1):
        line = screen.add("table row", "", (left, top + 30 * number, 300, 30), parent=table)
        for column, text in enumerate(row):
            box = (left + 100 * column, top + 30 * number, 100, 30)
            cell = screen.add("table cell", text, box, parent=line)
            screen.add("static", text, (box[0] + 4, box[1] + 6, 40, 18), parent=cell)


@pytest.fixture
def stock() -> Screen:
    screen = Screen()
    screen.add("heading", "Stock", (20, 0, 100, 30))
    add_table(screen)
    return screen


def taken(screen: Screen, words: str) -> Element | None:
    found: Found = find(screen.elements, words)
    return found.best.element if found.sure and found.best else None


@pytest.mark.parametrize(
    "words",
    [
        "the Stock column of the Pears row",
        'row "Pears", column "Stock"',
        "the cell at the second row and second column",
        "cell in column 2 of row 2",
        "the value in the row Pears under the column Stock",
        "the 2nd row of the Stock column",
        "row two, column two",
        "Pears 行 Stock 列",
        "“Stock”列“Pears”行的格子",
        "第二行的“Stock”列",
        "第2列第2行的内容",
        "“Pears”所在行的第二列",
    ],
)
def test_a_cell_is_found_by_its_row_and_its_column(stock: Screen, words: str) -> None:
    element = taken(stock, words)
    assert element is not None
    assert (element.role, element.name) == ("table cell", "7")


@pytest.mark.parametrize("words", ["row 9, column 2", "第九行第二列", "row 1, column 7"])
def test_a_cell_that_is_not_there_is_not_guessed(stock: Screen, words: str) -> None:
    assert taken(stock, words) is None


@pytest.mark.parametrize("words", ["row 2, column 2", "第二行第二列", "the Stock of row 2"])
def test_in_two_tables_a_number_says_too_little(stock: Screen, words: str) -> None:
    add_table(stock, top=300)
    assert taken(stock, words) is None


def test_headings_are_not_counted_as_a_row(stock: Screen) -> None:
    found = find(stock.elements, "the first row")
    assert found.best is not None
    assert found.best.point.y == 85


@pytest.fixture
def shelf() -> Screen:
    """Two links of one name, a button between them, and a field of each kind."""
    screen = Screen()
    screen.add("link", "Details", (20, 20, 80, 20))
    screen.add("push button", "Borrow", (20, 60, 80, 30))
    screen.add("link", "Details", (20, 110, 80, 20))
    return screen


@pytest.mark.parametrize(
    ("words", "top"),
    [
        ("第二个名为“Details”的链接", 110),
        ("最后一个标有“Details”的链接", 110),
        ("第一个叫“Details”的链接", 20),
        ("链接“Details”", None),
        ("按钮“Borrow”", 60),
        ("“Borrow”底下的链接", 110),
        ('the link beneath "Borrow"', 110),
    ],
)
def test_which_one_is_said_before_or_after_the_name(
    shelf: Screen, words: str, top: int | None
) -> None:
    element = taken(shelf, words)
    assert (element.box.y if element and element.box else None) == top


@pytest.mark.parametrize(
    "words",
    [
        "“Borrow”左侧的链接",
        'the slider beside "Borrow"',
        "“Borrow”隔壁的滑块",
        '"Borrow" "Details" tab',
        'the 3rd link "Details"',
        "第三个写有“Details”的链接",
    ],
)
def test_a_thing_is_not_taken_for_what_it_is_only_described_by(shelf: Screen, words: str) -> None:
    assert taken(shelf, words) is None


def test_what_is_far_off_is_not_beside_something_when_a_likely_one_is_near() -> None:
    screen = Screen()
    screen.add("static", "Total", (600, 100, 60, 20))
    screen.add("link", "Refund", (500, 100, 60, 20))
    screen.add("push button", "Print", (20, 100, 60, 20))
    assert taken(screen, "the button on the left side of Total") is None


def test_texts_within_a_field_are_no_fields() -> None:
    screen = Screen()
    screen.add("entry", "Subject", (20, 20, 300, 24), "editable")
    letter = screen.add("section", "", (20, 60, 300, 200), "editable", "multi line")
    screen.add("paragraph", "Dear all", (20, 60, 300, 20), "editable", parent=letter)
    screen.add("static", "Dear all", (20, 60, 60, 20), "editable", parent=letter)
    element = taken(screen, "the last field")
    assert element is None or element.role == "section"


def test_whether_a_password_counts_as_a_text_field_is_not_guessed() -> None:
    screen = Screen()
    screen.add("entry", "Name", (20, 20, 300, 24), "editable")
    screen.add("entry", "Town", (20, 60, 300, 24), "editable")
    screen.add("password text", "Code", (20, 100, 300, 24), "editable")
    assert taken(screen, "the last input") is None
    first = taken(screen, "the first input")
    assert first is not None
    assert first.name == "Name"


def test_what_is_known_by_its_shape_alone_is_not_counted_with_certainty() -> None:
    screen = Screen()
    for top in (20, 60, 100):
        screen.add("entry", "", (20, top, 300, 24), off=True, source="detector", confidence=0.5)
    found = find(screen.elements, "the 2nd field")
    assert found.best is not None
    assert found.best.point.y == 72
    assert not found.sure


def test_what_is_called_by_all_the_words_goes_before_what_is_called_by_some() -> None:
    screen = Screen()
    screen.add("static", "Plant", (20, 20, 60, 20))
    screen.add("static", "Plant label", (20, 80, 100, 20))
    element = taken(screen, "Plant label")
    assert element is not None
    assert element.name == "Plant label"


def test_a_link_that_a_text_announces_is_not_that_text() -> None:
    screen = Screen()
    screen.add("static", "See also:", (20, 20, 80, 20))
    screen.add("link", "Roses", (20, 50, 80, 20))
    screen.add("link", "Tulips", (20, 80, 80, 20))
    element = taken(screen, "the link beneath See also:")
    assert element is not None
    assert element.name == "Roses"


def test_lines_of_a_text_are_neither_labels_nor_said_twice() -> None:
    screen = Screen()
    row = screen.add("table row", "", (20, 20, 500, 40))
    told = screen.add("static", "How many plants do you need?", (20, 20, 100, 40), parent=row)
    for number, text in enumerate(("How many plants", "do you need?")):
        box = (20, 20 + 20 * number, 100, 18)
        screen.add("label", text, box, parent=told, source="ocr", off=True)
    screen.add("entry", "", (130, 28, 80, 24), "editable", parent=row)
    element = taken(screen, "the field whose label is How many plants do you need?")
    assert element is not None
    assert element.role == "entry"


@given(st.text(alphabet='row column the of in "“”3 second Price,', max_size=40))
def test_any_words_are_read_without_an_error(words: str) -> None:
    tokens = tokenize(words)
    for one in english_cells(tokens):
        assert len(one.relations) == 2
    describe(words)


@given(st.text(alphabet="第二2行列的“”价格中，单元表", max_size=20))
def test_any_signs_are_read_without_an_error(words: str) -> None:
    for one in chinese_cells(words, lambda name: (name, False, ""), len):
        assert len(one.relations) == 2
    describe(words)
