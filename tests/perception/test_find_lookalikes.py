"""What is called alike: found where it is meant, never taken for what is meant."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import Screen

from carrel.perception.find import Found, find

ROLES = {
    "A": "link",
    "B": "push button",
    "C": "check box",
    "F": "entry",
    "H": "heading",
    "I": "list item",
    "L": "label",
    "M": "menu item",
    "O": "combo box",
    "P": "password text",
    "R": "radio button",
    "S": "label",  # as it was read from pixels
    "T": "page tab",
}
_ONE = re.compile(r"(?P<meant>\*?)(?P<role>[\w ]+)=(?P<name>.*)")


def _cases() -> list[str]:
    """Each line: the words, and the screen they are said of; what is meant has a star."""
    return (Path(__file__).parent / "lookalikes.txt").read_text("utf-8").splitlines()


def _screen(line: str) -> tuple[Screen, int | None]:
    screen, meant = Screen(), None
    for number, part in enumerate(line.split(" | ")):
        one = _ONE.fullmatch(part)
        assert one, part
        role = ROLES.get(one["role"], one["role"])
        states = ("editable",) if role in ("entry", "password text") else ()
        box = (10, 10 + 50 * number, 200, 24)
        if one["role"] == "S":
            screen.add(role, one["name"], box, source="ocr", confidence=0.9)
        else:
            screen.add(role, one["name"], box, *states)
        meant = number if one["meant"] else meant
    return screen, meant


def _sure(found: Found, screen: Screen) -> int | None:
    best = found.best
    return screen.elements.index(best.element) if found.sure and best is not None else None


@pytest.mark.parametrize("case", _cases())
def test_what_is_called_alike_is_not_taken_for_it(case: str) -> None:
    words, _, line = case.partition(" -> ")
    screen, meant = _screen(line)
    found = find(screen.elements, words)
    assert _sure(found, screen) == meant, found.account()


NAMES = st.sampled_from(
    ["Save", "Email", "Delete", "Account", "Copy", "Report", "Password", "Total", "保存", "日期"]
)
BEFORE = st.sampled_from(
    ["Don't", "Confirm", "Old", "Un", "Dis", "Re", "No", "Cancel", "Extra", "Not", "不", "另", "旧"]
)
AFTER = st.sampled_from(["as…", "all", "account", "password", "subject", "2", "和退出", "全部"])
CONTROLS = st.sampled_from(
    ["push button", "entry", "link", "menu item", "list item", "radio button"]
)
KINDS = {
    "push button": "button",
    "entry": "field",
    "link": "link",
    "menu item": "menu item",
    "list item": "option",
    "radio button": "radio button",
}


@given(NAMES, BEFORE, CONTROLS, st.sampled_from(["", " "]))
def test_a_word_before_a_name_makes_it_another(
    name: str, before: str, role: str, space: str
) -> None:
    screen = Screen()
    screen.add(role, before + space + name, (10, 10, 200, 24), *_editable(role))
    for words in (name, f"the {name} {KINDS[role]}", f'"{name}"'):
        assert not find(screen.elements, words).sure


@given(NAMES, AFTER, CONTROLS)
def test_a_word_after_a_name_makes_it_another(name: str, after: str, role: str) -> None:
    if after == "2" and role != "entry":
        return  # a count, as beside Inbox
    screen = Screen()
    screen.add(role, f"{name} {after}", (10, 10, 200, 24), *_editable(role))
    for words in (name, f"the {name} {KINDS[role]}", f'"{name}"'):
        assert not find(screen.elements, words).sure


@given(NAMES, BEFORE, CONTROLS)
def test_the_name_itself_is_found_beside_what_is_called_alike(
    name: str, before: str, role: str
) -> None:
    screen = Screen()
    screen.add(role, f"{before} {name}", (10, 10, 200, 24), *_editable(role))
    meant = screen.add(role, name, (10, 60, 200, 24), *_editable(role))
    for words in (name, f"the {name} {KINDS[role]}", f'"{name}"'):
        found = find(screen.elements, words)
        assert found.sure, found.account()
        assert found.best is not None
        assert found.best.element is meant


@given(
    st.sampled_from(["Item", "Row", "Tab", "Page", "Option", "Button", "Step", "项目", "选项"]),
    st.integers(1, 30),
    st.lists(st.integers(1, 300), min_size=1, max_size=6, unique=True),
    CONTROLS,
)
def test_a_number_in_a_name_is_that_number(
    word: str, number: int, others: list[int], role: str
) -> None:
    screen = Screen()
    space = " " if word.isascii() else ""
    for at, other in enumerate(others):
        name = f"{word}{space}{other}"
        screen.add(role, name, (10, 10 + 50 * at, 200, 24), *_editable(role))
    found = find(screen.elements, f"{word}{space}{number}")
    if number not in others:
        assert not found.sure, found.account()
    else:
        assert _sure(found, screen) == others.index(number), found.account()


def _editable(role: str) -> tuple[str, ...]:
    return ("editable",) if role == "entry" else ()


def test_a_label_s_own_field_is_meant_and_not_the_next() -> None:
    screen = Screen()
    screen.add("label", "Email", (10, 10, 60, 20))
    email = screen.add("entry", "", (80, 8, 200, 24), "editable")
    screen.add("label", "Confirm email", (10, 40, 60, 20))
    again = screen.add("entry", "", (80, 38, 200, 24), "editable")
    for words, meant in (("the Email field", email), ("Confirm email", again)):
        found = find(screen.elements, words)
        assert found.sure, found.account()
        assert found.best is not None
        assert found.best.element is meant
    only = Screen()
    only.elements = screen.elements[2:]
    assert not find(only.elements, "the Email field").sure


def test_a_field_that_is_named_so_and_one_that_is_labelled_so_are_two() -> None:
    screen = Screen()
    screen.add("entry", "Search", (300, 8, 200, 24), "editable")
    screen.add("label", "Search:", (10, 100, 60, 20))
    screen.add("entry", "", (80, 98, 200, 24), "editable")
    found = find(screen.elements, "the Search field")
    assert found.ambiguous
    assert "2 elements fit" in found.account()
    screen.elements[2] = replace(screen.elements[2], name="Search:")
    assert find(screen.elements, "the Search field").ambiguous


def test_the_place_that_says_something_is_where_it_is_written() -> None:
    screen = Screen()
    label = screen.add("label", "Date:", (10, 10, 60, 20))
    field = screen.add("entry", "", (80, 8, 200, 24), "editable")
    for words, meant in (("the place that says Date:", label), ("Date", field)):
        found = find(screen.elements, words)
        assert found.sure, found.account()
        assert found.best is not None
        assert found.best.element is meant


def _rows(*names: str) -> Screen:
    screen = Screen()
    for number, name in enumerate(names):
        row = screen.add("table row", "", (0, 30 * number, 300, 30))
        screen.add("table cell", name, (0, 30 * number, 90, 30), parent=row)
        screen.add("push button", "Edit", (100, 30 * number + 5, 60, 20), parent=row)
    return screen


@pytest.mark.parametrize(
    ("words", "names", "meant"),
    [
        ("Edit", ("Ann", "Anna"), None),
        ("Edit in the row of Ann", ("Ann", "Anna"), 0),
        ("the Edit button in the row of An", ("Ann", "Anna"), None),
        ("the Edit button in the row of Item 1", ("Item 10", "Item 2"), None),
        ("the Edit button in the row of Item 1", ("Item 10", "Item 1"), 1),
        ("the Edit button in the row of Zoe", ("Ann",), None),
        ("the Edit button in row 2", ("Ann",), None),
    ],
)
def test_a_button_of_a_row_is_sure_when_the_row_is(
    words: str, names: tuple[str, ...], meant: int | None
) -> None:
    screen = _rows(*names)
    found = find(screen.elements, words)
    wanted = None if meant is None else 3 * meant + 2
    assert _sure(found, screen) == wanted, found.account()


def test_one_name_in_two_dialogs_is_told_by_the_dialog() -> None:
    screen = Screen()
    for number, name in enumerate(("Print", "Export")):
        dialog = screen.add("dialog", name, (300 * number, 0, 200, 200))
        screen.add("push button", "OK", (300 * number + 10, 10, 50, 20), parent=dialog)
    assert find(screen.elements, "OK").ambiguous
    assert _sure(find(screen.elements, "OK in the Export dialog"), screen) == 3
    assert not find(screen.elements, "OK in the Preferences dialog").sure


def test_a_disabled_twin_is_not_replaced_by_another_name() -> None:
    screen = Screen()
    off = screen.add("push button", "Next", (10, 10, 60, 20), "visible", off=True)
    screen.add("push button", "Next step", (10, 60, 60, 20))
    found = find(screen.elements, "Next")
    assert found.best is not None
    assert found.best.element is off


def test_a_style_s_name_is_less_than_what_is_written() -> None:
    screen = Screen()
    screen.add("push button", "btn-delete-symbolic", (10, 10, 20, 20), confidence=0.6)
    written = screen.add("push button", "Delete", (60, 10, 60, 20))
    found = find(screen.elements, "Delete")
    assert found.sure
    assert found.best is not None
    assert found.best.element is written
