from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import Screen

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception._names import compare, fold
from carrel.perception.find import Found, every, find


def sure(screen: Screen, words: str, want: str = "act") -> Element | None:
    """The one that is meant, if there is no doubt."""
    found = find(screen.elements, words, want=want)  # type: ignore[arg-type]
    return found.best.element if found.sure and found.best else None


@pytest.fixture
def form() -> Screen:
    """A form with a few of everything."""
    screen = Screen()
    window = screen.add("frame", "Sign up", (0, 0, 800, 600), "active")
    screen.add("heading", "Account", (20, 10, 200, 30), parent=window)
    screen.add("label", "First name", (20, 50, 90, 20), parent=window)
    screen.add("entry", "", (120, 48, 200, 24), "editable", parent=window, value="Ada")
    screen.add("label", "E-mail:", (20, 80, 90, 20), parent=window)
    screen.add("entry", "", (120, 78, 200, 24), "editable", parent=window, value="")
    screen.add("push button", "?", (330, 78, 24, 24), parent=window)
    screen.add("check box", "", (120, 110, 16, 16), "checked", parent=window)
    screen.add("label", "Send me news", (140, 110, 120, 16), parent=window)
    screen.add("check box", "Remember me", (120, 135, 140, 16), parent=window)
    screen.add("push button", "Save", (120, 200, 80, 30), parent=window)
    screen.add("push button", "Save as…", (210, 200, 80, 30), parent=window)
    screen.add("push button", "Cancel", (300, 200, 80, 30), parent=window)
    screen.add("push button", "×", (770, 5, 24, 24), parent=window)
    screen.add("link", "Terms", (20, 300, 60, 20), parent=window)
    return screen


@pytest.mark.parametrize(
    ("words", "role", "place"),
    [
        ("Save", "push button", (120, 200)),
        ("the save button", "push button", (120, 200)),
        ('the "Save as..." button', "push button", (210, 200)),
        ("Save as", "push button", (210, 200)),
        ("First name", "entry", (120, 48)),
        ("the first name field", "entry", (120, 48)),
        ("the Email field", "entry", (120, 78)),
        ("field labelled E-mail", "entry", (120, 78)),
        ("the second field", "entry", (120, 78)),
        ("the empty field", "entry", (120, 78)),
        ("the field below First name", "entry", (120, 78)),
        ("the button right of the Email field", "push button", (330, 78)),
        ("Send me news checkbox", "check box", (120, 110)),
        ("the unchecked checkbox", "check box", (120, 135)),
        ("the checkbox that is not checked", "check box", (120, 135)),
        ("the checkbox other than Remember me", "check box", (120, 110)),
        ("the button between Save and Cancel", "push button", (210, 200)),
        ("the close icon", "push button", (770, 5)),
        ("the help button", "push button", (330, 78)),
        ("the button in the top right corner", "push button", (770, 5)),
        ("the last button", "push button", (300, 200)),
        ("the first link", "link", (20, 300)),
        ("Cancel左边的按钮", "push button", (210, 200)),
        ("“Save”按钮", "push button", (120, 200)),
        ("第二个输入框", "entry", (120, 78)),
        ("未勾选的复选框", "check box", (120, 135)),
        ("关闭图标", "push button", (770, 5)),
    ],
)
def test_a_person_s_words_find_the_thing(
    form: Screen, words: str, role: str, place: tuple[int, int]
) -> None:
    found = find(form.elements, words)
    assert found.sure, found.account()
    assert found.best is not None
    box = found.best.element.box
    assert box is not None
    assert (found.best.element.role, (box.x, box.y)) == (role, place), found.account()


def test_what_is_not_there_is_told_with_what_comes_nearest() -> None:
    screen = Screen()
    screen.add("push button", "Submit form", (400, 290, 24, 20))
    found = find(screen.elements, "Submit")
    assert not found.sure
    assert found.account() == "no element named Submit; nearest: Submit form (button, 412,300)"


def test_on_an_empty_screen_nothing_is_found() -> None:
    found = find((), "Submit")
    assert (found.best, found.sure, found.account()) == (None, False, "no element named Submit")


def test_two_equal_things_are_never_guessed() -> None:
    screen = Screen()
    screen.add("push button", "Save", (10, 10, 50, 20))
    screen.add("push button", "Save", (10, 50, 50, 20))
    found = find(screen.elements, "the Save button")
    assert found.ambiguous
    assert not found.sure
    assert found.account() == (
        "2 elements fit button named Save: Save (button, 35,20), Save (button, 35,60)"
    )
    second = sure(screen, "the second Save button")
    assert second is screen.elements[1]
    assert not find(screen.elements, "the third Save button").sure


def test_a_button_is_preferred_to_a_text_of_the_same_name() -> None:
    screen = Screen()
    screen.add("heading", "Search", (10, 10, 100, 20))
    button = screen.add("push button", "Search", (10, 50, 100, 20))
    assert sure(screen, "Search") is button


def test_of_a_control_and_the_text_on_it_the_control_is_meant() -> None:
    screen = Screen()
    link = screen.add("link", "Home", (10, 10, 100, 20))
    screen.add("static", "Home", (15, 12, 50, 16), parent=link)
    item = screen.add("list item", "", (10, 40, 100, 20))
    inner = screen.add("link", "News", (12, 42, 90, 16), parent=item)
    screen.add("static", "News", (12, 42, 50, 16), parent=inner)
    assert sure(screen, "Home") is link
    assert sure(screen, "News") is inner


def test_what_can_be_used_is_preferred_to_what_cannot() -> None:
    screen = Screen()
    screen.add("push button", "Next", (10, 10, 50, 20), "visible", off=True)
    usable = screen.add("push button", "Next", (10, 50, 50, 20))
    assert sure(screen, "Next") is usable
    assert sure(screen, "the disabled Next button") is screen.elements[0]


def test_the_window_in_front_comes_first() -> None:
    screen = Screen()
    back = screen.add("frame", "Back", (0, 0, 300, 300))
    front = screen.add("frame", "Front", (320, 0, 300, 300), "active")
    screen.add("push button", "OK", (10, 10, 50, 20), parent=back)
    ours = screen.add("push button", "OK", (330, 10, 50, 20), parent=front)
    assert sure(screen, "OK") is ours
    assert sure(screen, "OK in the window Back") is screen.elements[2]


def test_a_dialog_comes_before_what_it_covers() -> None:
    screen = Screen()
    window = screen.add("frame", "Files", (0, 0, 600, 400), "active")
    screen.add("push button", "Delete", (200, 150, 60, 20), parent=window)
    dialog = screen.add("dialog", "Really?", (100, 100, 300, 200), "modal", parent=window)
    inside = screen.add("push button", "Delete", (150, 250, 60, 20), parent=dialog)
    assert sure(screen, "Delete") is inside
    assert sure(screen, "the Delete button not in the dialog") is screen.elements[1]


@pytest.fixture
def people() -> Screen:
    """A table with rows, and a list of cells without any."""
    screen = Screen()
    table = screen.add("table", "Staff", (0, 0, 300, 120))
    for number, name in enumerate(("Alice", "Bob", "Carol")):
        row = screen.add("table row", "", (0, 40 * number, 300, 40), parent=table)
        screen.add("table cell", name, (0, 40 * number, 100, 40), parent=row)
        screen.add("push button", "Edit", (110, 40 * number + 5, 60, 30), parent=row)
        screen.add("push button", "Delete", (180, 40 * number + 5, 60, 30), parent=row)
    return screen


@pytest.mark.parametrize(
    "words",
    [
        "the Delete button in the row of Bob",
        "the Delete button in the second row",
        "Bob's Delete button",
        "the Delete button for Bob",
        "Delete in the row containing Bob",
        "the Delete button on the same row as Bob",
        "the second Delete button",
        "Bob那一行的Delete按钮",
        "第二行的Delete按钮",
        "the button to the right of Edit in the row of Bob",
    ],
)
def test_a_row_tells_equal_buttons_apart(people: Screen, words: str) -> None:
    found = find(people.elements, words)
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.box == Box(180, 45, 60, 30), found.account()


def test_rows_are_found_in_tables_that_know_none() -> None:
    screen = Screen()
    table = screen.add("table", "", (0, 0, 200, 60), "manages descendants")
    screen.add("table column header", "Name", (0, 0, 100, 20), parent=table)
    screen.add("table column header", "Nick", (100, 0, 100, 20), parent=table)
    for number, (name, nick) in enumerate((("Ada", "countess"), ("Alan", "prof"))):
        screen.add("table cell", name, (0, 20 + 20 * number, 100, 20), parent=table)
        screen.add("table cell", nick, (100, 20 + 20 * number, 100, 20), parent=table)
    prof = screen.elements[6]
    assert prof.name == "prof"
    assert sure(screen, "the Nick of Alan") is prof
    assert sure(screen, "the cell in the Nick column and in the row of Alan") is prof
    assert sure(screen, "the second cell in the second row") is prof
    row = find(screen.elements, "the row of Alan")
    assert row.sure
    assert row.best is not None
    assert row.best.element.box == Box(0, 40, 200, 20)


def test_sections_are_told_by_their_headings() -> None:
    screen = Screen()
    page = screen.add("document web", "Shop", (0, 0, 400, 400))
    screen.add("heading", "Billing", (0, 0, 100, 20), parent=page)
    first = screen.add("entry", "Street", (0, 30, 100, 20), "editable", parent=page)
    screen.add("heading", "Shipping", (0, 100, 100, 20), parent=page)
    second = screen.add("entry", "Street", (0, 130, 100, 20), "editable", parent=page)
    assert sure(screen, "the Street field in the section Billing") is first
    assert sure(screen, "Street in Shipping") is second


def test_what_is_wanted_decides_between_a_label_and_its_field() -> None:
    screen = Screen()
    label = screen.add("label", "City", (10, 10, 60, 20))
    field = screen.add("entry", "", (80, 8, 200, 24), "editable")
    assert sure(screen, "City", "type") is field
    assert sure(screen, "City", "act") is field
    assert sure(screen, "the text City", "read") is label
    button = Screen()
    button.add("push button", "City", (10, 10, 60, 20))
    assert sure(button, "City", "type") is None


def test_typing_slips_are_near_and_never_sure() -> None:
    screen = Screen()
    screen.add("push button", "Settings", (10, 10, 60, 20))
    found = find(screen.elements, "Setings")
    assert not found.sure
    assert "Settings" in found.account()


def test_slips_of_an_optical_reader_are_forgiven() -> None:
    screen = Screen()
    read = screen.add("label", "Subrnit 0rder", source="ocr", confidence=0.9)
    assert sure(screen, "Submit order") is read


def test_a_not_that_no_rule_understands_stops_everything() -> None:
    screen = Screen()
    screen.add("push button", "Save", (10, 10, 60, 20))
    assert not find(screen.elements, 'the button that is not "Save"').sure
    assert not find(screen.elements, "no Save button").sure
    quiet = screen.add("check box", "Do not disturb", (10, 60, 60, 20))
    assert sure(screen, "Do not disturb") is quiet


def test_words_that_are_not_understood_make_it_less_sure() -> None:
    screen = Screen()
    screen.add("push button", "Save", (10, 10, 60, 20))
    plain = find(screen.elements, 'the "Save" button').best
    odd = find(screen.elements, 'the wobbly "Save" button').best
    assert plain is not None
    assert odd is not None
    assert odd.confidence < plain.confidence


def test_counts_and_stars_beside_a_name_are_not_part_of_it() -> None:
    screen = Screen()
    inbox = screen.add("link", "Inbox (12)", (10, 10, 60, 20))
    email = screen.add("entry", "Email *", (10, 40, 60, 20), "editable")
    assert sure(screen, "the Inbox link") is inbox
    assert sure(screen, "Email") is email


def test_every_gives_all_in_reading_order(form: Screen, people: Screen) -> None:
    assert [e.role for e in every(form.elements, "all checkboxes")] == ["check box"] * 2
    assert [e.name for e in every(people.elements, "all Delete buttons")] == ["Delete"] * 3
    assert len(every(people.elements, "the buttons in the row of Bob")) == 2
    kept = every(people.elements, "all buttons except Edit")
    assert [e.name for e in kept] == ["Delete"] * 3
    assert every(people.elements, "all sliders") == ()


def test_what_is_outside_the_screen_is_left_out() -> None:
    screen = Screen()
    screen.add("push button", "Far", (900, 10, 60, 20))
    assert find(screen.elements, "Far").sure
    assert not find(screen.elements, "Far", size=Size(800, 600)).sure


def test_without_a_picture_a_colour_makes_it_unsure_and_says_so() -> None:
    screen = Screen()
    screen.add("push button", "Go", (10, 10, 60, 20))
    found = find(screen.elements, "the red Go button")
    assert not found.sure
    assert "its colour cannot be seen without a picture" in found.account()


@pytest.mark.parametrize(
    ("wish", "text", "least", "most"),
    [
        ("Save", "Save", 1.0, 1.0),
        ("save", "SAVE", 0.97, 0.99),
        ("e-mail", "Email:", 0.95, 0.96),
        ("“Save”", '"Save"', 0.95, 0.99),
        ("Ｓａｖｅ", "Save", 0.95, 0.99),
        ("Save", "Save as", 0.6, 0.85),
        ("Save", "Autosave", 0.0, 0.5),
        ("Item 1", "Item 2", 0.0, 0.5),
        ("cat", "dog", 0.0, 0.1),
    ],
)
def test_names_are_compared_as_people_do(wish: str, text: str, least: float, most: float) -> None:
    assert least <= compare(wish, text) <= most


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_share_and_whole_only_for_the_same(one: str, other: str) -> None:
    assert 0.0 <= compare(one, other) <= 1.0
    if one != other:
        assert compare(one, other) < 1.0
    elif one:
        assert compare(one, other) == 1.0


words = st.sampled_from(
    [
        *("the", "second", "last", "Save", "Open", "button", "field", "right of", "in", "not"),
        *("红色的", "按钮", "第二个", "旁边的", "except", "row", "checked", "blue", "circle"),
        *("between", "“X”"),
    ]
)
names = st.sampled_from(["", "Save", "Open", "Quit", "X", "按钮"])
roles = st.sampled_from(["push button", "entry", "label", "check box", "table cell", "dialog"])
boxes = st.builds(
    Box, st.integers(0, 300), st.integers(0, 300), st.integers(0, 90), st.integers(0, 40)
)
elements = st.lists(st.tuples(roles, names, boxes), max_size=8).map(
    lambda made: tuple(
        Element(f"e{n}", role, name, box=box, states=("enabled",))
        for n, (role, name, box) in enumerate(made)
    )
)


@given(elements, st.one_of(st.text(max_size=40), st.lists(words, max_size=8).map(" ".join)))
def test_no_phrase_and_no_screen_breaks_the_search(
    screen: tuple[Element, ...], phrase: str
) -> None:
    found = find(screen, phrase)
    assert found.account()
    _is_honest(found)
    every(screen, phrase)


def _is_honest(found: Found) -> None:
    confidences = [match.confidence for match in found.matches]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0 <= confidence <= 1 for confidence in confidences)
    assert found.sure <= bool(found.matches)


LATIN = st.text(st.sampled_from("bcdfghjklmnpqrstvwz"), min_size=4, max_size=9)


@given(LATIN, st.lists(st.sampled_from("你我他她它们很"), min_size=1, max_size=4).map("".join))
def test_what_shares_nothing_with_the_words_is_never_sure(name: str, other: str) -> None:
    screen = (
        Element("e0", "push button", other, box=Box(0, 0, 50, 20), states=("enabled",)),
        Element("e1", "entry", "", box=Box(0, 40, 50, 20), states=("enabled", "editable")),
    )
    for phrase in (name, f'"{name}"', f"the {name} button", f"the {name}", f"“{name}”按钮"):
        assert not find(screen, phrase).sure
    assert fold(name) == name


def test_what_is_level_with_an_entry_and_not_in_it_is_not_its() -> None:
    screen = Screen()
    window = screen.add("frame", "Photos", (0, 0, 800, 600), "active")
    for at, name in ((20, "Lake"), (140, "Peak")):
        entry = screen.add("list item", "", (at, 100, 110, 150), parent=window)
        screen.add("heading", name, (at + 5, 105, 90, 20), parent=entry)
        screen.add("link", "Delete image", (at + 85, 225, 17, 17), "focusable", parent=entry)
    screen.add("heading", "Trash", (600, 105, 150, 20), parent=window)
    found = sure(screen, 'the trash icon of "Peak"')
    assert found is not None
    assert found.box == Box(225, 225, 17, 17)
    assert sure(screen, 'the delete icon of "Peak"') == found


def test_a_list_may_be_a_table_to_its_application() -> None:
    screen = Screen()
    window = screen.add("frame", "Demos", (0, 0, 800, 600), "active")
    screen.add("combo box", "", (500, 10, 200, 30), parent=window)
    table = screen.add("tree table", "", (10, 50, 200, 500), parent=window)
    cell = screen.add("table cell", "Expander", (20, 60, 180, 20), parent=table)
    screen.add("label", "Expander", (500, 60, 180, 20), parent=window)
    found = sure(screen, "Expander in the list")
    assert found is not None
    assert found == cell


def test_the_header_of_a_column_is_the_column_to_its_application() -> None:
    screen = Screen()
    window = screen.add("frame", "Table", (0, 0, 800, 600), "active")
    screen.add("heading", "Numbers", (10, 10, 200, 30), parent=window)
    row = screen.add("table row", "", (10, 50, 200, 30), parent=window)
    columns = [
        screen.add("column header", name, (10 + 60 * n, 50, 60, 30), parent=row)
        for n, name in enumerate(("int", "float"))
    ]
    assert sure(screen, "the header of the int column") == columns[0]


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("electricity-bill-may.txt", "electricity-\nbill-may.txt"),
        ("electricity-bill-may.txt", "electricity\nbill-may.txt"),
        ("quarterly_report_2027.txt", "quarterly_\nreport_2027.\ntxt"),
        ("photographs_of_summer_27", "photographs_\nof _summer_\n27"),
        ("Meeting notes of Spring 27.txt", "Meeting\nnotes of\nSpring 27.txt"),
        ("旅行照片和视频的备份.txt", "旅行照片和视\n频的备份.txt"),
    ],
)
def test_an_icon_is_found_by_a_name_that_is_broken_over_lines(name: str, read: str) -> None:
    icon = Element("i", "icon", box=Box(10, 10, 80, 90), text=read)
    other = Element("o", "icon", box=Box(110, 10, 80, 90), text=read.replace("\n", "\nx", 1))
    found = find([icon, other], f'"{name}"')
    assert found.sure
    assert found.best is not None
    assert found.best.element is icon


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("electricity-bill-may.txt", "electricity-\nbill-june.txt"),
        ("report.v1.txt", "report\nv1.txt"),
        ("electricity-bill-may.txt", "electricity-\nbill-..."),
        ("bill-may.txt", "electricity-\nbill-may.txt"),
    ],
)
def test_another_name_over_lines_is_not_taken_for_it(name: str, read: str) -> None:
    icon = Element("i", "icon", box=Box(10, 10, 80, 90), text=read)
    assert not find([icon], f'"{name}"').sure


@pytest.mark.parametrize("label", ["# of guests", "No. of guests", "Number of guests"])
def test_a_number_is_written_short(label: str) -> None:
    assert compare("number of guests", label) >= 0.9
