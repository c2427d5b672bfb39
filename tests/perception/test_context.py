from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception.find import find

USABLE = ("enabled", "sensitive", "showing", "visible")


def one(
    id_: str, role: str, name: str, at: tuple[int, int, int, int], up: str, *more: str
) -> Element:
    return Element(id_, role, name, None, Box(*at), (*USABLE, *more), up or None)


def table(heads: tuple[str, ...], *rows: tuple[str, ...], title: str = "") -> list[Element]:
    """A page with a table; a cell in brackets holds a button of that name, in braces a field."""
    made = [one("page", "document web", title, (0, 0, 900, 700), "")]
    made.append(one("title", "heading", title, (10, 10, 300, 30), "page"))
    made.append(one("table", "table", "", (10, 60, 800, 600), "page"))
    for y, row in enumerate((heads, *rows)):
        made.append(one(f"r{y}", "table row", "", (10, 60 + 40 * y, 800, 40), "table"))
        for x, text in enumerate(row):
            made += _cell(f"c{y}-{x}", text, (10 + 100 * x, 60 + 40 * y, 100, 40), f"r{y}", y == 0)
    return made


def _cell(
    id_: str, text: str, at: tuple[int, int, int, int], row: str, head: bool
) -> list[Element]:
    role = "column header" if head else "table cell"
    x, y, _, _ = at
    plain = text.strip("[]{}")
    cell = one(id_, role, plain, at, row)
    if text.startswith("["):
        return [cell, one(f"{id_}-b", "push button", plain, (x + 5, y + 5, 80, 30), id_)]
    if text.startswith("{"):
        field = one(f"{id_}-f", "entry", "", (x + 5, y + 5, 80, 30), id_, "editable")
        return [cell, field]
    return [cell, one(f"{id_}-t", "static", text, (x + 5, y + 8, 60, 20), id_)]


ORDERS = table(
    ("编号", "客户", "价格", "操作"),
    ("1001", "李雷", "¥128.00", "[发货]"),
    ("1002", "周杰", "¥356.50", "[发货]"),
    ("1004", "王芳", "¥210.00", "[发货]"),
    ("1005", "周杰", "¥47.00", "[发货]"),
    title="订单",
)
PEOPLE = table(
    ("Name", "Email", "Status", "Quantity"),
    ("Anna Berg", "anna@x.org", "open", "{1}"),
    ("Ben Ode", "ben@x.org", "closed", "{2}"),
    title="Orders of 2026",
)


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("第二行的价格", "¥356.50"),
        ("表格第一行的 客户", "李雷"),
        ("表格最后一行的价格", "¥47.00"),
        ("1004的价格", "¥210.00"),
        ("订单1004的价格", "¥210.00"),
        ("王芳那一行的价格", "¥210.00"),
        ("李雷所在行的编号", "1001"),
    ],
)
def test_a_cell_is_found_by_its_row_and_what_heads_its_column(phrase: str, said: str) -> None:
    found = find(ORDERS, phrase, want="read")
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.name == said


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("the email in the second row", "ben@x.org"),
        ("the status of Anna Berg", "open"),
        ("Anna Berg's email", "anna@x.org"),
        ("the status in the last row", "closed"),
        ("the name in row 2", "Ben Ode"),
    ],
)
def test_a_cell_is_found_in_english_too(phrase: str, said: str) -> None:
    found = find(PEOPLE, phrase, want="read")
    assert found.sure, found.account()
    assert found.best is not None
    assert found.best.element.name == said


@pytest.mark.parametrize("phrase", ["第九行的价格", "the email in the ninth row", "李四的价格"])
def test_the_heading_of_a_column_is_never_taken_for_a_cell_of_a_row_there_is_not(
    phrase: str,
) -> None:
    for screen in (ORDERS, PEOPLE):
        assert not find(screen, phrase, want="read").sure


def test_what_a_cell_holds_is_what_is_used_of_it() -> None:
    found = find(PEOPLE, "the quantity in the second row", want="type")
    assert found.best is not None
    assert found.best.element.role == "entry"
    assert found.best.element.box == Box(315, 145, 80, 30)


def test_the_button_of_a_row_is_found_by_a_heading_and_a_value_together() -> None:
    found = find(ORDERS, "编号1004那一行的发货")
    assert found.sure
    assert found.best is not None
    assert found.best.point.y == 60 + 3 * 40 + 20


def test_rows_that_fit_alike_are_both_told() -> None:
    found = find(ORDERS, "客户周杰的订单", want="read")
    assert not found.sure
    assert len(found.matches) == 2


INBOX = table(
    ("From", "Subject", ""),
    ("Omar Haddad", "Lunch on Friday", "[Delete]"),
    ("Grace Kim", "Minutes", "[Delete]"),
    ("Omar Haddad", "Budget for March", "[Delete]"),
    title="Inbox",
)


def test_the_entry_that_says_every_word_is_the_one_that_is_meant() -> None:
    found = find(INBOX, "the message from Omar about the budget", want="read")
    assert found.sure
    assert found.best is not None
    assert found.best.element.id == "r3"


@pytest.mark.parametrize(
    "phrase", ["the message from Grace about the budget", "the message about a Delete from Omar"]
)
def test_words_that_no_entry_says_all_of_find_nothing(phrase: str) -> None:
    assert not find(INBOX, phrase).sure


CART = table(("Product", "Price"), ("Tea", "4.50"), ("Coffee", "7.20"), title="Your cart")


def test_where_a_thing_is_may_be_said_by_the_heading_it_stands_under() -> None:
    found = find(CART, "the coffee from the cart", want="read")
    assert found.sure
    assert found.best is not None
    assert found.best.element.name == "Coffee"


@pytest.mark.parametrize("phrase", ["the coffee from the basket", "the honey from the cart"])
def test_a_place_that_nothing_tells_of_leaves_it_unsure(phrase: str) -> None:
    assert not find(CART, phrase, want="read").sure


def settings(chosen: str) -> list[Element]:
    tabs = [
        one(
            name,
            "page tab",
            name,
            (10 + 100 * n, 60, 90, 30),
            "page",
            *(["selected"] * (name == chosen)),
        )
        for n, name in enumerate(("General", "Privacy"))
    ]
    box = one("box", "check box", "Two-step sign-in", (10, 120, 20, 20), "page", "checkable")
    page = one("page", "document web", "Preferences", (0, 0, 900, 700), "")
    return [page, *tabs, box]


def test_the_chosen_tab_says_where_things_are() -> None:
    phrase = "two-step sign-in in the privacy settings"
    assert find(settings("Privacy"), phrase).sure
    assert not find(settings("General"), phrase).sure


def test_the_first_field_of_a_quoted_name_is_the_one_in_view() -> None:
    page = one("page", "document web", "", (0, 0, 900, 700), "")
    field = one("f", "entry", "Name", (10, 60, 200, 30), "page", "editable")
    for phrase in ('第一个"Name"字段', '第一个"Name"输入框', 'the first "Name" field'):
        found = find([page, field], phrase, want="type")
        assert found.sure, phrase
