"""Controls of programs that say little: what form they have, and where they stand, tells."""

from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.perception._names import compare
from carrel.perception.find import find
from carrel.perception.merging import merge

USABLE = ("enabled", "sensitive", "showing", "visible")
SIZE = Size(800, 600)


def part(
    id_: str, role: str, at: tuple[int, int, int, int], name: str = "", parent: str | None = None
) -> Element:
    return Element(id_, role, name, box=Box(*at), states=USABLE, parent=parent)


def toggle(width: int, name: str = "") -> str:
    found = merge({"tree": [part("t", "toggle button", (10, 10, width, 26), name)]}, SIZE)
    return found[0].role


@pytest.mark.parametrize(
    ("width", "name", "role"),
    [
        (50, "", "switch"),
        (26, "", "toggle button"),
        (265, "", "combo box"),
        (50, "Bold", "toggle button"),
        (265, "Show all", "toggle button"),
    ],
)
def test_a_nameless_toggle_is_what_its_form_says(width: int, name: str, role: str) -> None:
    assert toggle(width, name) == role


def test_a_switch_is_called_by_the_first_words_of_its_row() -> None:
    rows = [part("l", "list box", (0, 0, 600, 100))]
    for row, name in enumerate(("Row 1", "Row 2")):
        y = 50 * row
        rows += [
            part(f"i{row}", "list item", (0, y, 600, 50), parent="l"),
            part(f"t{row}", "label", (10, y + 15, 40, 17), name, f"i{row}"),
            part(f"s{row}", "toggle button", (540, y + 12, 50, 26), "", f"i{row}"),
        ]
    found = find(merge({"tree": rows}, SIZE), "the Row 2 switch", size=SIZE)
    assert found.sure
    assert found.matches[0].element.box == Box(540, 62, 50, 26)


def field(id_: str, at: tuple[int, int, int, int], name: str, parent: str, *states: str) -> Element:
    said = (*states, "editable", "showing", "visible", "focusable")
    return Element(id_, "text", name, "1", Box(*at), said, parent)


@pytest.mark.parametrize("words", ["the page number", "the page number box", "the page field"])
def test_a_field_is_called_by_the_part_it_is_all_of(words: str) -> None:
    elements = [
        part("b", "panel", (0, 0, 600, 46)),
        part("s", "panel", (40, 0, 100, 46), "Select page", "b"),
        field("f", (40, 0, 40, 46), "page-label-entry", "s", "enabled", "sensitive"),
        field("o", (80, 0, 60, 46), "", "s"),
    ]
    found = find(elements, words, size=SIZE)
    assert found.sure
    assert found.matches[0].element.id == "f"


def test_a_button_spelt_as_a_name_is_no_other_one() -> None:
    bar = [
        part(f"b{n}", "push button", (10 + 90 * n, 10, 80, 30), name)
        for n, name in enumerate(("Back", "Menu", "Next Next page"))
    ]
    bar[0] = Element("b0", "push button", "Back", box=bar[0].box, states=(*USABLE, "focused"))
    assert not find(bar, "the Next button", size=SIZE).sure


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Replace all", "Replace all (F10)"),
        ("Clear text", "Clear text (Ctrl+K)"),
        ("Find & Replace", "Find and Replace..."),
        ("Save", "Save [Ctrl+Shift+S]"),
    ],
)
def test_keys_and_signs_make_no_other_name(said: str, text: str) -> None:
    assert compare(said, text) >= 0.9


def test_what_is_in_brackets_and_is_no_key_makes_another_name() -> None:
    assert compare("Replace", "Replace (selection)") < 0.8


def test_a_field_deep_in_a_named_part_of_a_bar_goes_by_that_name() -> None:
    elements = [
        part("b", "tool bar", (0, 0, 600, 40)),
        part("s", "panel", (40, 0, 101, 34), "Font Size", "b"),
        part("i", "filler", (40, 0, 101, 34), "", "s"),
        field("f", (40, 0, 65, 34), "", "i", "enabled", "sensitive"),
        part("o", "toggle button", (105, 0, 36, 34), "", "i"),
    ]
    found = find(elements, "the font size", size=SIZE)
    assert found.sure
    assert found.matches[0].element.id == "f"
