from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from screens import Screen

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.find import find
from carrel.perception.labels import label_of, labels


def said(element: Element, screen: Screen) -> str | None:
    label = label_of(element, screen.elements)
    return label.name if label else None


def test_a_label_stands_left_of_its_field() -> None:
    screen = Screen()
    screen.add("label", "Name:", (10, 10, 60, 20))
    screen.add("label", "City:", (10, 40, 60, 20))
    name = screen.add("entry", "", (80, 8, 200, 24), "editable")
    city = screen.add("entry", "", (80, 38, 200, 24), "editable")
    assert (said(name, screen), said(city, screen)) == ("Name:", "City:")


def test_a_label_stands_above_its_field() -> None:
    screen = Screen()
    screen.add("label", "Name", (10, 10, 60, 16))
    name = screen.add("entry", "", (10, 28, 200, 24), "editable")
    screen.add("label", "City", (10, 70, 60, 16))
    city = screen.add("entry", "", (10, 88, 200, 24), "editable")
    assert (said(name, screen), said(city, screen)) == ("Name", "City")


def test_fields_in_one_row_have_each_their_own_label() -> None:
    screen = Screen()
    screen.add("label", "From", (10, 10, 40, 20))
    start = screen.add("entry", "", (60, 8, 80, 24), "editable")
    screen.add("label", "to", (150, 10, 20, 20))
    end = screen.add("entry", "", (180, 8, 80, 24), "editable")
    assert (said(start, screen), said(end, screen)) == ("From", "to")


def test_a_label_behind_another_field_is_not_taken() -> None:
    screen = Screen()
    screen.add("label", "Phone", (10, 10, 60, 20))
    first = screen.add("entry", "", (80, 8, 60, 24), "editable")
    second = screen.add("entry", "", (150, 8, 60, 24), "editable")
    assert (said(first, screen), said(second, screen)) == ("Phone", None)


def test_the_text_of_a_box_to_tick_stands_at_its_right() -> None:
    screen = Screen()
    one = screen.add("check box", "", (10, 10, 16, 16))
    screen.add("label", "Red", (30, 10, 40, 16))
    two = screen.add("check box", "", (90, 10, 16, 16))
    screen.add("label", "Blue", (110, 10, 40, 16))
    assert (said(one, screen), said(two, screen)) == ("Red", "Blue")


def test_a_box_may_have_its_text_at_its_left_when_there_is_none_at_its_right() -> None:
    screen = Screen()
    screen.add("label", "Send me news", (10, 10, 100, 16))
    box = screen.add("check box", "", (116, 10, 16, 16))
    assert said(box, screen) == "Send me news"


def test_the_text_on_a_button_labels_no_field() -> None:
    screen = Screen()
    button = screen.add("push button", "Search", (10, 10, 60, 24))
    screen.add("label", "Search", (15, 14, 50, 16), parent=button)
    field = screen.add("entry", "", (80, 10, 100, 24), "editable")
    assert said(field, screen) is None


def test_a_header_labels_the_cells_of_its_column() -> None:
    screen = Screen()
    table = screen.add("table", "", (0, 0, 200, 100))
    screen.add("table column header", "Name", (0, 0, 100, 20), parent=table)
    screen.add("table column header", "Price", (100, 0, 100, 20), parent=table)
    tea = screen.add("table cell", "Tea", (0, 20, 100, 20), parent=table)
    price = screen.add("table cell", "3.50", (100, 20, 100, 20), parent=table)
    assert (said(tea, screen), said(price, screen)) == ("Name", "Price")


def test_long_texts_and_lone_signs_are_no_labels() -> None:
    screen = Screen()
    screen.add("label", "x" * 200, (10, 10, 60, 20))
    screen.add("label", "*", (74, 10, 5, 20))
    field = screen.add("entry", "", (80, 8, 200, 24), "editable")
    assert said(field, screen) is None


boxes = st.builds(
    Box, st.integers(-50, 500), st.integers(-50, 500), st.integers(0, 300), st.integers(0, 60)
)
roles = st.sampled_from(["label", "entry", "check box", "table cell", "table column header"])


@given(st.lists(st.tuples(roles, st.text(max_size=6), boxes), max_size=12))
def test_a_label_is_always_another_element_with_words(
    given_: list[tuple[str, str, Box]],
) -> None:
    elements = tuple(
        Element(f"e{n}", role, name, box=box) for n, (role, name, box) in enumerate(given_)
    )
    for labelled, label in labels(elements).items():
        assert label.id != labelled
        assert label in elements


def test_a_text_in_the_same_row_is_nearer_than_a_title_over_it() -> None:
    screen = Screen()
    screen.add("label", "Ledger", (272, 102, 58, 14))
    screen.add("label", "Account number", (121, 142, 111, 15))
    field = screen.add("entry", "", (282, 141, 178, 24), "editable")
    assert said(field, screen) == "Account number"


def hinted(screen: Screen, y: int, name: str, hint: str, height: int = 16) -> Element:
    label = screen.add("label", "", (10, y, 300, 22), value=f"{name} {hint}")
    screen.add("static", f"{name} ", (10, y, 60, 22), parent=label)
    screen.add("static", hint, (72, y + 4, 200, height), parent=label)
    return screen.add("entry", f"{name} {hint}", (10, y + 26, 300, 24), "editable")


def test_a_field_is_called_by_its_label_without_the_hint_in_it() -> None:
    screen = Screen()
    password = hinted(screen, 10, "Password", "At least 1 uppercase character and 1 number")
    date = hinted(screen, 80, "Date", "YYYY-MM-DD")
    for words, field in (("the password", password), ("the Date field", date)):
        found = find(screen.elements, words, want="type")
        assert found.sure, found.account()
        assert found.best is not None
        assert found.best.element is field


def test_words_of_a_label_that_are_no_hint_belong_to_its_name() -> None:
    screen = Screen()
    hinted(screen, 10, "Address", "line 2", height=22)
    assert not find(screen.elements, "the Address field", want="type").sure


def test_a_field_without_a_name_is_called_by_the_column_it_is_in() -> None:
    screen = Screen()
    table = screen.add("table", "", (0, 0, 300, 200))
    row = screen.add("table row", "", (0, 0, 300, 30), parent=table)
    cells = [screen.add("table cell", "", (100 * n, 0, 100, 30), parent=row) for n in range(3)]
    fields = [
        screen.add("entry", "", (100 * n + 4, 4, 90, 20), "editable", parent=cell)
        for n, cell in enumerate(cells)
    ]
    heads = screen.add("table row", "", (0, 30, 300, 30), parent=table)
    for n, name in enumerate(("country", "iso", "year")):
        screen.add("column header", name, (100 * n, 30, 100, 30), parent=heads)
    found = find(screen.elements, "the iso field", want="type")
    assert found.sure
    assert found.best is not None
    assert found.best.element is fields[1]
    # The name alone is that of the column.
    assert str(find(screen.elements, "iso").best).startswith("iso (column")


def test_terms_of_a_list_that_lays_a_form_out_are_labels() -> None:
    screen = Screen()
    form = screen.add("description list", "", (60, 200, 560, 90))
    screen.add("static", "Reference", (60, 214, 70, 18), parent=form)
    field = screen.add("entry", "", (190, 206, 280, 36), "editable", parent=form)
    assert said(field, screen) == "Reference"


def column_of_fields(screen: Screen) -> list[Element]:
    fields = []
    for at, name in ((60, "Genre"), (98, "Director"), (136, "Year")):
        fields.append(screen.add("entry", "", (10, at, 136, 18), "editable"))
        screen.add("label", name, (10, at + 19, 60, 12))
    return fields


def test_labels_may_stand_under_their_fields() -> None:
    screen = Screen()
    screen.add("label", "Look for a film", (3, 12, 120, 12))
    fields = column_of_fields(screen)
    assert [said(field, screen) for field in fields] == ["Genre", "Director", "Year"]


def test_a_label_over_the_first_field_makes_the_others_stand_over_theirs() -> None:
    screen = Screen()
    screen.add("label", "Title", (10, 46, 60, 12))
    fields = column_of_fields(screen)
    assert [said(field, screen) for field in fields] == ["Title", "Genre", "Director"]
