"""What looked sure and was another thing: it is found, or nothing is sure."""

from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.perception.find import Found, find


def el(
    name: str,
    role: str,
    label: str,
    box: tuple[int, int, int, int],
    parent: str | None = None,
    **more: str,
) -> Element:
    states = ("enabled", "sensitive", "editable") if role == "entry" else ("enabled", "sensitive")
    value = more.get("value")
    return Element(name, role, label, value, Box(*box), states, parent, text=more.get("text", ""))


def of(found: Found) -> str:
    """The id of what is surely meant; empty where nothing is."""
    return found.best.element.id if found.sure and found.best is not None else ""


FORM = (
    el("e1", "entry", "Email address", (20, 40, 300, 30)),
    el("e2", "entry", "Password", (420, 40, 300, 30)),
    el("e3", "check box", "Remember me", (20, 90, 16, 16)),
    el("e4", "combo box", "Country", (20, 130, 300, 30)),
)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ('the field for "Email address"', "e1"),
        ("the text box for Email address", "e1"),
        ("the input of the Email address", "e1"),
        ('the field for "Password"', "e2"),
        ("“Email address”一栏的输入框", "e1"),
        ("“Password”一栏的文本框", "e2"),
        ('the checkbox for "Remember me"', "e3"),
        ('the dropdown for "Country"', "e4"),
        ("“Country”对应的下拉框", "e4"),
        ('the select box of "Country"', "e4"),
    ],
)
def test_the_field_for_a_name_is_the_one_that_has_it(words: str, wanted: str) -> None:
    assert of(find(FORM, words)) == wanted


FAR = (
    el("t1", "static", "Totals", (400, 500, 80, 20)),
    el("r1", "entry", "Note", (400, 400, 300, 30)),
    el("u1", "push button", "Next", (400, 100, 80, 30)),
)


@pytest.mark.parametrize("words", ["the button above Totals", "“Totals”上面的按钮"])
def test_what_is_far_above_with_other_things_between_is_not_sure(words: str) -> None:
    assert of(find(FAR, words)) == ""


def test_what_is_hardly_of_the_kind_and_near_makes_nothing_far_off_sure() -> None:
    head = el("c1", "column header", "Sat", (400, 440, 80, 20))
    assert of(find((*FAR, head), "the button above Totals")) != "u1"


def test_what_is_far_above_with_nothing_between_is_meant() -> None:
    assert of(find((FAR[0], FAR[2]), "the button above Totals")) == "u1"


def test_what_is_far_and_has_the_name_is_meant() -> None:
    assert of(find(FAR, "the Next button above Totals")) == "u1"


@pytest.mark.parametrize("words", ["the icon below in the code", "“in the code”下方的图标"])
def test_what_is_below_in_full_comes_before_what_is_so_by_a_corner(words: str) -> None:
    screen = (
        el("t1", "static", "in the code", (186, 20, 150, 16)),
        el("i1", "push button", "Link", (166, 60, 28, 26)),
        el("i2", "push button", "Unlink", (194, 60, 28, 26)),
    )
    assert of(find(screen, words)) == "i2"


MAILS = (
    el("s1", "link", "\uf005", (300, 20, 14, 16)),
    el("s2", "link", "\uf006", (300, 60, 14, 16)),
    el("l1", "link", "\uf10c Important", (20, 100, 200, 40)),
    el("l2", "link", "\uf10c Important", (20, 300, 200, 40)),
)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("the first Important link", "l1"),
        ('the second link that says "Important"', "l2"),
        ("第二个“Important”链接", "l2"),
        ("the last Important link", "l2"),
    ],
)
def test_a_picture_is_not_counted_among_what_is_called_so(words: str, wanted: str) -> None:
    assert of(find(MAILS, words)) == wanted


def test_pictures_are_counted_where_nothing_is_called_so() -> None:
    assert of(find(MAILS[:2], "the second star")) == "s2"


@pytest.mark.parametrize(
    "words", ["the first 12a button", "第一个写着“12a”的按钮", "the last 12a button"]
)
def test_the_only_one_to_count_is_not_sure_where_texts_say_the_same(words: str) -> None:
    screen = (
        el("c1", "static", "12a", (20, 20, 30, 16)),
        el("l1", "link", "12a Lunch", (300, 200, 90, 20), text="12a"),
    )
    assert of(find(screen, words)) == ""


def test_the_first_of_a_kind_is_sure_though_a_heading_says_the_same() -> None:
    screen = (
        el("h1", "static", "Save", (20, 20, 60, 20)),
        el("b1", "push button", "Save", (20, 60, 60, 30)),
        el("b2", "push button", "Save", (20, 120, 60, 30)),
    )
    assert of(find(screen, "the first Save button")) == "b1"


def test_words_in_another_language_count_each() -> None:
    screen = (el("b1", "push button", "立即下载", (20, 20, 120, 40)),)
    assert of(find(screen, 'the button to the right of "立即下载"')) == ""


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("the button below Tables", "b1"), ("the button under Links", "b2")],
)
def test_a_word_for_a_kind_with_a_capital_is_a_name(words: str, wanted: str) -> None:
    screen = (
        el("l1", "link", "Tables", (20, 20, 100, 20)),
        el("b1", "push button", "Add", (20, 50, 100, 30)),
        el("l2", "link", "Links", (220, 20, 100, 20)),
        el("b2", "push button", "Copy", (220, 50, 100, 30)),
        el("t1", "table", "", (400, 20, 400, 300)),
        el("b3", "push button", "More", (400, 330, 100, 30)),
    )
    assert of(find(screen, words)) == wanted


@pytest.mark.parametrize("words", ["the place that says City", "写着“City”的地方"])
def test_the_place_that_says_a_word_is_where_it_is_written(words: str) -> None:
    screen = (
        el("t1", "static", "City", (20, 20, 30, 16), text="City"),
        el("f1", "entry", "City", (20, 40, 200, 30), value="Ulm", text="Ulm"),
    )
    assert of(find(screen, words)) == "t1"
    assert of(find(screen, "City")) == "f1"


ROOMS = [("column header", "Email"), ("list item", "Email"), ("table cell", "Email")]


@pytest.mark.parametrize(("role", "said"), ROOMS)
def test_a_text_in_a_larger_room_is_clicked_on_its_letters(role: str, said: str) -> None:
    screen = (
        el("e1", "table", "", (0, 0, 800, 400)),
        el("e2", role, said, (100, 40, 400, 40), "e1"),
        el("e3", "static", said, (110, 50, 40, 20), "e2"),
    )
    best = find(screen, said).best
    assert best is not None
    assert Box(110, 50, 40, 20).contains(best.point)


def test_a_text_in_the_middle_of_its_room_leaves_the_click_there() -> None:
    screen = (
        el("e2", "list item", "Email", (100, 40, 400, 40)),
        el("e3", "static", "Email", (110, 50, 380, 20), "e2"),
    )
    best = find(screen, "Email").best
    assert best is not None
    assert best.point == Point(300, 60)


def test_a_part_of_an_entry_with_links_is_not_its_name() -> None:
    screen = (
        el("e1", "list item", "", (20, 20, 200, 160), text="3.1."),
        el("e2", "link", "3.1. Using Python", (30, 60, 160, 20), "e1"),
        el("e3", "static", "3.1. ", (300, 400, 50, 30)),
    )
    assert of(find(screen, "3.1.")) == "e3"


def test_an_icon_is_not_a_button_on_which_words_can_be_read() -> None:
    screen = (
        el("b1", "push button", "Combo", (20, 20, 100, 36), text="Combo"),
        el("b2", "push button", "", (120, 20, 30, 36)),
        el("t1", "static", "Search", (160, 28, 60, 20)),
    )
    assert of(find(screen, "the icon left of Search")) == "b2"


@pytest.mark.parametrize("sign", ["B", "三", "+"])
def test_a_sign_that_is_read_as_a_letter_leaves_it_an_icon(sign: str) -> None:
    screen = (
        el("b1", "push button", "Menu", (20, 20, 30, 30), text=sign),
        el("t1", "static", "Search", (60, 25, 60, 20)),
    )
    assert of(find(screen, "the icon left of Search")) == "b1"
